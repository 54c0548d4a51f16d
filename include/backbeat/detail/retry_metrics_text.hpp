//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_RETRY_METRICS_TEXT_HPP
#define BACKBEAT_DETAIL_RETRY_METRICS_TEXT_HPP

#include <backbeat/attempt_result.hpp>
#include <backbeat/budget.hpp>
#include <backbeat/detail/decimal_text.hpp>
#include <backbeat/detail/prometheus_writer.hpp>
#include <backbeat/detail/retry_counters.hpp>
#include <backbeat/stop_reason.hpp>
#include <backbeat/wait_origin.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace backbeat::detail {

[[nodiscard]] constexpr char const* label_of(attempt_outcome value) noexcept
{
    switch (value) {
    case attempt_outcome::success: return "success";
    case attempt_outcome::permanent: return "permanent";
    case attempt_outcome::transient: return "transient";
    case attempt_outcome::throttled: return "throttled";
    case attempt_outcome::timed_out: return "timed_out";
    }
    return "unknown";
}

[[nodiscard]] constexpr char const* label_of(stop_reason value) noexcept
{
    return to_string(value);
}

[[nodiscard]] constexpr char const* label_of(attempt_result value) noexcept
{
    return to_string(value);
}

// A sample for each enumerator, those that are zero as well: a rate needs a first value.
template <auto last>
void append_samples(prometheus_writer& writer, std::string_view label, counters_by<last> const& counters)
{
    for (std::size_t i = 0; i != counters.size; ++i) {
        auto const which = static_cast<typename counters_by<last>::key>(i);
        writer.sample(label, label_of(which), counters.of(which));
    }
}

inline void append_metrics(
    std::string& out, retry_counters const& counters, std::string_view prefix, std::string_view labels)
{
    auto const as_number = [](std::string& text, std::uint64_t value) { append_integer(text, value); };
    auto const as_seconds = [](std::string& text, std::uint64_t value) { append_seconds(text, value); };
    prometheus_writer writer(out, prefix, labels);
    out.reserve(8192);

    writer.family("operations_total", "counter", "Operations that ended, by the reason.");
    append_samples(writer, "reason", counters.reasons);
    writer.family("operations_in_flight", "gauge", "Operations that have started and not ended.");
    writer.sample(counters.operations_in_flight.value());
    writer.family("operations_waiting", "gauge", "Operations that wait for their next attempt.");
    writer.sample(counters.operations_waiting.value());
    writer.family("operation_retries", "histogram", "Retries of an operation. Operations without any are left out.");
    writer.samples(counters.operation_retries, as_number);
    writer.family(
        "operation_retry_delay_seconds",
        "histogram",
        "Time that an operation spent in waits, with no active attempt. Operations without any are left out.");
    writer.samples(counters.operation_retry_delay, as_seconds);

    writer.family("attempts_total", "counter", "Attempts that ended, by how they were judged.");
    append_samples(writer, "outcome", counters.outcomes);
    writer.sample("outcome", "abandoned", counters.abandoned_attempts.value());
    writer.family("attempt_results_total", "counter", "Attempts that ended, by their error or status.");
    append_samples(writer, "result", counters.results);
    writer.family("attempt_duration_seconds", "histogram", "How long an attempt took.");
    writer.samples(counters.attempt_duration, as_seconds);
    writer.family("attempts_in_flight", "gauge", "Attempts that have started and not ended.");
    writer.sample(counters.attempts_in_flight.value());
    writer.family("retries_total", "counter", "Attempts after the first of their operation, once they have ended.");
    writer.sample(counters.retries.value());

    writer.family("waits_total", "counter", "Waits that were begun, by what chose their length.");
    writer.sample("origin", "backoff", counters.waits.of(wait_origin::backoff));
    writer.sample("origin", "hint", counters.waits.of(wait_origin::hint));
    writer.family("hints_total", "counter", "Attempts at whose end the server asked for a wait.");
    writer.sample(counters.hints.value());
    writer.family("hints_honoured_total", "counter", "Hints that were followed by a wait no shorter than asked for.");
    writer.sample(counters.honoured_hints.value());
}

}  // namespace backbeat::detail

#endif
