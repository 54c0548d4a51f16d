//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_RETRY_SCHEDULE_HPP
#define BACKBEAT_RETRY_SCHEDULE_HPP

#include <backbeat/backoff.hpp>
#include <backbeat/config.hpp>
#include <backbeat/delivery.hpp>
#include <backbeat/detail/random.hpp>
#include <backbeat/detail/saturating.hpp>
#include <backbeat/retry_options.hpp>
#include <backbeat/stop_reason.hpp>
#include <backbeat/verdict.hpp>
#include <backbeat/wait_origin.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

namespace backbeat {

/// What is to be done after an attempt.
struct retry_decision {
    /// Whether there is to be another attempt.
    bool retry = false;

    /// Why not, if not.
    stop_reason reason = stop_reason::success;

    /// How long to wait before it, exact. Zero: not at all.
    std::chrono::nanoseconds wait{};

    /// When that wait ends, rounded up to `retry_options::wait_resolution`, in the time that was passed as `now`.
    std::chrono::nanoseconds until{};

    /// What the wait was chosen by.
    wait_origin origin = wait_origin::none;

    friend bool operator==(retry_decision const&, retry_decision const&) = default;
};

/// What ended an attempt from outside.
enum class interruption : std::uint8_t {
    /// Nothing: it ended by itself, or at `retry_options::attempt_timeout`.
    none,

    /// The caller, who cancelled the operation.
    cancelled,

    /// `retry_options::total_timeout`.
    deadline
};

/**
 * \brief Decides whether and when an operation is retried: everything about retrying but the waiting.
 * \details
 * A plain value. It is told how each attempt ended and what time it is, and answers *stop, for this reason* or *wait
 * this long*. It owns the backoff, the limits and the hints; it touches no clock, no timer and no socket, so the same
 * object that drives `async_retry` can drive a simulation, or a loop of your own:
 *
 * \code
 * backbeat::retry_schedule schedule(options, now);
 * for (;;) {
 *     auto const decision = schedule.after_attempt(try_it(), now);
 *     if (!decision.retry) return decision.reason;
 *     now = decision.until;
 * }
 * \endcode
 *
 * The reasons to stop are asked in the order of `stop_reason`; of an attempt that was interrupted, the interruption is
 * asked before the verdict, success excepted. Copies have the same history, but draw different
 * random numbers, unless `retry_options::random` gives them.
 *
 * \par Preconditions
 * `validate(options)` returns no error. `now` never decreases. Its epoch is the caller's choice.
 *
 * \tparam Options `retry_options`, or `std::reference_wrapper<retry_options const>` to many options shared.
 */
template <class Options = retry_options>
class basic_retry_schedule {
public:
    /// Begins an operation at the time `now`.
    explicit basic_retry_schedule(Options options, std::chrono::nanoseconds now) noexcept
        : options_(options), start_(now)
    {}

    /// The options.
    [[nodiscard]] retry_options const& options() const noexcept { return options_; }

    /// The number of attempts that ended so far.
    [[nodiscard]] std::uint32_t attempts() const noexcept { return attempts_; }

    /// When the operation began.
    [[nodiscard]] std::chrono::nanoseconds start() const noexcept { return start_; }

    /// The worst delivery of all attempts so far. Empty: none was known.
    [[nodiscard]] std::optional<delivery> worst_delivery() const noexcept { return worst_delivery_; }

    /// When the operation must have ended. Empty: never.
    [[nodiscard]] std::optional<std::chrono::nanoseconds> deadline() const noexcept
    {
        auto const total = options().total_timeout;
        if (total == total.zero()) return std::nullopt;
        return detail::saturating_add(start_, total);
    }

    /// When an attempt that starts now must be cut off: `attempt_timeout`, or less if the deadline is nearer.
    [[nodiscard]] std::optional<std::chrono::nanoseconds> cut_off(std::chrono::nanoseconds now) const noexcept
    {
        auto const limit = options().attempt_timeout;
        auto const end = deadline();
        if (limit == limit.zero()) return end;
        auto const alone = detail::saturating_add(now, limit);
        return end ? (std::min)(*end, alone) : alone;
    }

    /**
     * \brief Decides what follows from the end of an attempt.
     * \param judged What the attempt's completion means. An empty `delivered` counts as not known.
     * \param now The time.
     * \param by What ended the attempt from outside. A verdict of `done` stands nevertheless.
     */
    [[nodiscard]] retry_decision after_attempt(
        verdict const& judged, std::chrono::nanoseconds now, interruption by = interruption::none) noexcept
    {
        auto const retry = attempts_;
        if (attempts_ != unlimited_retries) ++attempts_;
        if (judged.delivered)
            worst_delivery_ = worst_delivery_ ? worse(*worst_delivery_, *judged.delivered) : *judged.delivered;

        if (judged.kind == verdict_kind::done) return stop(stop_reason::success);
        if (by == interruption::cancelled) return stop(stop_reason::cancelled);
        if (by == interruption::deadline) return stop(stop_reason::deadline);
        if (judged.kind == verdict_kind::permanent) return stop(stop_reason::permanent);
        if (worst_delivery_ == delivery::ambiguous && !judged.replayable) return stop(stop_reason::not_replayable);
        if (options().maximum_retries != unlimited_retries && retry >= options().maximum_retries)
            return stop(stop_reason::exhausted);
        return choose_wait(judged, retry, now);
    }

private:
    [[nodiscard]] static retry_decision stop(stop_reason reason) noexcept { return {.reason = reason}; }

    [[nodiscard]] retry_decision choose_wait(
        verdict const& judged, std::uint32_t retry, std::chrono::nanoseconds now) noexcept
    {
        constexpr std::chrono::nanoseconds zero{0};
        auto const end = deadline();
        retry_decision result{.retry = true, .origin = wait_origin::backoff};
        result.wait = backoff(options(), retry, next_random(), judged.kind == verdict_kind::throttled);

        if (judged.hint && options().maximum_hint != zero) {
            auto const hint = (std::max)(*judged.hint, zero);
            if (hint > options().maximum_hint || (end && end_of_wait(hint, now) >= *end))
                return stop(stop_reason::hint_too_long);
            // Spread upwards only: never earlier than asked, and not all at once, who were told the same time.
            auto const bound = (std::min<std::chrono::nanoseconds>)(hint / 4, std::chrono::seconds(1));
            auto const hinted = detail::saturating_add(hint, detail::scale_random(next_random(), bound));
            if (hinted > result.wait) {
                result.wait = hinted;
                result.origin = wait_origin::hint;
            }
        }
        result.until = end_of_wait(result.wait, now);
        if (end && result.until >= *end) return stop(stop_reason::deadline);
        return result;
    }

    [[nodiscard]] std::chrono::nanoseconds end_of_wait(
        std::chrono::nanoseconds wait, std::chrono::nanoseconds now) const noexcept
    {
        auto const exact = detail::saturating_add(now, wait);
        auto const grid = options().wait_resolution;
        if (grid == grid.zero() || wait / 16 < grid) return exact;
        return detail::round_up(exact, grid);
    }

    [[nodiscard]] std::uint64_t next_random() noexcept
    {
        return options().jitter == jitter::none ? 0 : generator_.next(options().random);
    }

    Options options_;
    std::chrono::nanoseconds start_;
    detail::lazy_generator generator_;
    std::uint32_t attempts_ = 0;
    std::optional<delivery> worst_delivery_;
};

/// A schedule that owns its options.
using retry_schedule = basic_retry_schedule<>;

}  // namespace backbeat

#endif
