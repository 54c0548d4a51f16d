//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_RETRY_COUNTERS_HPP
#define BACKBEAT_DETAIL_RETRY_COUNTERS_HPP

#include <backbeat/attempt.hpp>
#include <backbeat/attempt_record.hpp>
#include <backbeat/attempt_result.hpp>
#include <backbeat/budget.hpp>
#include <backbeat/detail/counters.hpp>
#include <backbeat/retry_errc.hpp>
#include <backbeat/retry_phase.hpp>
#include <backbeat/retry_report.hpp>
#include <backbeat/stop_reason.hpp>
#include <backbeat/verdict.hpp>
#include <backbeat/wait_origin.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>

namespace backbeat::detail {

// Those that A96 of gRPC recommends.
inline constexpr std::array<std::uint64_t, 5> retries_bounds{1, 2, 3, 4, 5};

// Those of OpenTelemetry's http.client.request.duration.
inline constexpr std::array<std::uint64_t, 14> attempt_duration_bounds = [] {
    std::array<std::uint64_t, 14> milliseconds{5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10000};
    for (auto& each : milliseconds) each *= 1'000'000;
    return milliseconds;
}();

// Of the 41 latency buckets that A96 takes from A66, those that tell backoffs apart; and two more for hints.
inline constexpr std::array<std::uint64_t, 12> retry_delay_bounds = [] {
    std::array<std::uint64_t, 12> milliseconds{
        10, 100, 500, 1000, 2000, 5000, 10'000, 20'000, 50'000, 100'000, 200'000, 500'000};
    for (auto& each : milliseconds) each *= 1'000'000;
    return milliseconds;
}();

// The last that has a name.
inline constexpr stop_reason last_stop_reason = [] {
    auto result = stop_reason::success;
    for (;;) {
        auto const next = static_cast<stop_reason>(static_cast<int>(result) + 1);
        if (std::string_view(to_string(next)) == "unknown") return result;
        result = next;
    }
}();

[[nodiscard]] inline attempt_outcome outcome_of(attempt_record const& ended) noexcept
{
    switch (ended.judged) {
    case verdict_kind::done: return attempt_outcome::success;
    case verdict_kind::permanent: return attempt_outcome::permanent;
    case verdict_kind::throttled: return attempt_outcome::throttled;
    case verdict_kind::unknown:
    case verdict_kind::retry: break;
    }
    auto const cut_off = make_error_code(retry_errc::attempt_timeout);
    return ended.error == cut_off ? attempt_outcome::timed_out : attempt_outcome::transient;
}

[[nodiscard]] constexpr std::uint64_t count_of(std::chrono::nanoseconds value) noexcept
{
    return value.count() < 0 ? 0 : static_cast<std::uint64_t>(value.count());
}

[[nodiscard]] constexpr std::chrono::nanoseconds duration_of(std::uint64_t count) noexcept
{
    constexpr auto most = (std::chrono::nanoseconds::max)();
    return count > count_of(most) ? most : std::chrono::nanoseconds(static_cast<std::int64_t>(count));
}

// What `retry_metrics` counts. What is written at the start and end of each attempt stands apart from what is written
// once an operation, so that the one does not slow the other down.
struct retry_counters {
    alignas(64) gauge attempts_in_flight;
    gauge operations_in_flight;
    gauge operations_waiting;

    alignas(64) counters_by<attempt_outcome::timed_out> outcomes;
    counters_by<attempt_result::other_error> results;
    counter abandoned_attempts;
    counter retries;
    histogram<attempt_duration_bounds> attempt_duration;

    alignas(64) counters_by<wait_origin::hint> waits;
    counter hints;
    counter honoured_hints;

    alignas(64) counters_by<last_stop_reason> reasons;
    histogram<retries_bounds> operation_retries;
    histogram<retry_delay_bounds> operation_retry_delay;

    // Every attempt but the first is taken for the end of a wait. That holds for retries; `at_end` makes up for hedges.
    void before_attempt(attempt const& starting) noexcept
    {
        attempts_in_flight.add(1);
        if (starting.number() == 1)
            operations_in_flight.add(1);
        else
            operations_waiting.add(-1);
    }

    void after_attempt(attempt_record const& ended) noexcept
    {
        attempts_in_flight.add(-1);
        outcomes.add(outcome_of(ended));
        results.add(attempt_result_of(ended));
        attempt_duration.observe(count_of(ended.duration));
        if (ended.number > 1) retries.add();
        if (ended.hint) hints.add();
    }

    void before_wait(attempt_record const& ended) noexcept
    {
        operations_waiting.add(1);
        waits.add(ended.origin);
        if (ended.hint && ended.wait >= *ended.hint) honoured_hints.add();
    }

    void at_end(retry_report const& report) noexcept
    {
        auto const reason = report.reason().value_or(stop_reason::abandoned);
        reasons.add(reason);
        if (report.phase() != retry_phase::not_started) operations_in_flight.add(-1);
        attempts_in_flight.add(-std::int64_t{report.unfinished()});
        auto const started = std::int64_t{report.attempts()} + report.unfinished();
        if (started != 0) operations_waiting.add(started - 1 - report.waits());

        // An attempt that was cancelled before it was made has not ended either, but was none.
        auto const lost = reason == stop_reason::cancelled ? 0 : report.unfinished();
        auto const made = std::uint64_t{report.attempts()} + lost;
        if (lost != 0) {
            abandoned_attempts.add(lost);
            retries.add(report.attempts() == 0 ? lost - 1 : lost);
        }
        if (made > 1) operation_retries.observe(made - 1);
        if (report.waits() != 0) operation_retry_delay.observe(count_of(report.time_waited()));
    }
};

}  // namespace backbeat::detail

#endif
