//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_RETRY_SCHEDULE_HPP
#define BACKBEAT_RETRY_SCHEDULE_HPP

#include <backbeat/backoff.hpp>
#include <backbeat/budget.hpp>
#include <backbeat/circuit_breaker.hpp>
#include <backbeat/config.hpp>
#include <backbeat/delivery.hpp>
#include <backbeat/detail/random.hpp>
#include <backbeat/detail/saturating.hpp>
#include <backbeat/detail/schedule_extra.hpp>
#include <backbeat/retry_decision.hpp>
#include <backbeat/retry_options.hpp>
#include <backbeat/stop_reason.hpp>
#include <backbeat/verdict.hpp>
#include <backbeat/wait_origin.hpp>

#include <boost/config.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

namespace backbeat {

/**
 * \brief Decides whether and when an operation is retried: everything about retrying but the waiting.
 * \details
 * A plain value. It is told how each attempt ended and what time it is, and answers *stop, for this reason* or *wait
 * this long*. It owns the backoff, the limits, the hints, and what is asked of the budget and of the circuit breaker;
 * it touches no clock, no timer and no socket, so the same object that drives `async_retry` can drive a simulation, or
 * a loop of your own:
 *
 * \code
 * backbeat::retry_schedule schedule(options, now);
 * for (;;) {
 *     if (auto const refused = schedule.before_attempt(now)) return *refused;
 *     auto const decision = schedule.after_attempt(try_it(), now);
 *     if (!decision.retry) return decision.reason;
 *     now = decision.until;
 * }
 * \endcode
 *
 * The reasons to stop are asked in the order of `stop_reason`; of an attempt that was interrupted by the caller or by
 * the deadline, the interruption is asked before the verdict, success excepted. The budget comes last, and is charged
 * only when everything else would retry. What is taken from it for a retry that is not made is given back.
 *
 * \par Preconditions
 * `validate(options)` returns no error. `now` never decreases. Its epoch is the caller's choice, and the same for all
 * that share a budget or a breaker. Not copied between a decision to retry and the attempt that follows, nor during an
 * attempt, if there is a budget or a breaker: both copies would hold what was taken once. Otherwise copies have the
 * same history, but draw different random numbers, unless `retry_options::random` gives them.
 *
 * \tparam Options `retry_options`, or `std::reference_wrapper<retry_options const>` to many options shared.
 * \tparam Extra The library's own: where it keeps what only some options need.
 */
template <class Options = retry_options, class Extra = detail::extra_inside>
class basic_retry_schedule {
public:
    /// Begins an operation at the time `now`.
    explicit basic_retry_schedule(Options options, std::chrono::nanoseconds now) noexcept : options_(options)
    {
        begin(now);
    }

    /// The options.
    [[nodiscard]] retry_options const& options() const noexcept { return options_; }

    /// The number of attempts that ended so far.
    [[nodiscard]] std::uint32_t attempts() const noexcept { return attempts_; }

    /// When the operation began.
    [[nodiscard]] std::chrono::nanoseconds start() const noexcept
    {
        auto const* const extra = extra_.get(*this);
        return extra != nullptr ? extra->start : std::chrono::nanoseconds(0);
    }

    /// The worst delivery of all attempts so far. Empty: none was known.
    [[nodiscard]] std::optional<delivery> worst_delivery() const noexcept { return worst_delivery_; }

    /// When the operation must have ended. Empty: never.
    [[nodiscard]] std::optional<std::chrono::nanoseconds> deadline() const noexcept
    {
        auto const total = options().total_timeout;
        if (total == total.zero()) return std::nullopt;
        return detail::saturating_add(start(), total);
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
     * \brief To be called when an attempt is about to start, at the beginning and after each wait.
     * \returns Why it must not be made: `deadline`, because the wait ended late, or `breaker_open`. Empty: go ahead.
     */
    [[nodiscard]] std::optional<stop_reason> before_attempt(std::chrono::nanoseconds now) noexcept
    {
        if (auto const end = deadline(); end && now >= *end) return refuse(stop_reason::deadline, now);
        if (auto* const breaker = options().breaker) {
            auto const permit = breaker->try_acquire(now);
            if (!permit) return refuse(stop_reason::breaker_open, now);
            extra_.get(*this)->permit = *permit;
            permitted_ = true;
        }
        retry_pending_ = false;
        return std::nullopt;
    }

    /// Whether something is held of the budget or of the circuit breaker, for the attempt that runs or is waited for.
    [[nodiscard]] bool holds() const noexcept { return retry_pending_ || permitted_; }

    /**
     * \brief To be called when the operation ends otherwise than by an answer of this class: cancelled during a wait,
     *     or destroyed. Gives back what is held of the budget and of the circuit breaker.
     */
    void abandon(std::chrono::nanoseconds now) noexcept
    {
        if (std::exchange(retry_pending_, false))
            options().budget->give_back(std::exchange(extra_.get(*this)->spent, 0), now);
        if (std::exchange(permitted_, false)) options().breaker->release(extra_.get(*this)->permit);
    }

    /// To be called if an attempt that `before_attempt` admitted is not made after all. As `abandon`, with its price.
    void attempt_not_made(std::chrono::nanoseconds now) noexcept
    {
        retry_pending_ = options().budget != nullptr && attempts_ != 0;
        abandon(now);
    }

    /**
     * \brief Decides what follows from the end of an attempt.
     * \param judged What the attempt's completion means. An empty `delivered` counts as not known.
     * \param now The time.
     * \param by What ended the attempt from outside. A verdict of `done` stands nevertheless.
     * \param timer_resolution What the end of the wait will be rounded up to by the timer, as by a timing wheel, beside
     *     `retry_options::wait_resolution`. Zero: not at all. A deadline is not slept through for its sake.
     */
    [[nodiscard]] retry_decision after_attempt(
        verdict const& judged,
        std::chrono::nanoseconds now,
        interruption by = interruption::none,
        std::chrono::nanoseconds timer_resolution = std::chrono::nanoseconds(0)) noexcept
    {
        auto const retry = attempts_;
        if (attempts_ != unlimited_retries) ++attempts_;
        if (judged.delivered)
            worst_delivery_ = worst_delivery_ ? worse(*worst_delivery_, *judged.delivered) : *judged.delivered;
        auto const outcome = outcome_of(judged, by);
        auto const* const extra = extra_.get(*this);
        if (extra != nullptr) settle(outcome, by, now);

        if (judged.kind == verdict_kind::done) return stop(stop_reason::success);
        if (by == interruption::cancelled) return stop(stop_reason::cancelled);
        if (by == interruption::deadline) return stop(stop_reason::deadline);
        if (judged.kind == verdict_kind::permanent) return stop(stop_reason::permanent);
        if (judged.kind == verdict_kind::unknown) return stop(stop_reason::outcome_unknown);
        if (judged.spent) return stop(stop_reason::not_replayable);
        if (worst_delivery_ == delivery::ambiguous && !judged.replayable) return stop(stop_reason::not_replayable);
        if (options().maximum_retries != unlimited_retries && retry >= options().maximum_retries)
            return stop(stop_reason::exhausted);
        auto const decision = choose_wait(judged, retry, now, timer_resolution);
        if (extra == nullptr || !decision.retry) return decision;
        if (auto const* const breaker = options().breaker; breaker != nullptr && !breaker->would_admit(decision.until))
            return stop(stop_reason::breaker_open);
        if (auto* const shared = options().budget) {
            auto const taken = shared->try_withdraw(outcome, now);
            if (!taken) return stop(stop_reason::budget);
            extra_.get(*this)->spent = *taken;
            retry_pending_ = true;
        }
        return decision;
    }

protected:
    // For the library's operation, whose base it is: it begins when that is made.
    explicit basic_retry_schedule(Options options) noexcept : options_(options) {}

    void begin(std::chrono::nanoseconds now) noexcept
    {
        if (auto* const extra = extra_.get(*this)) extra->start = now;
        if (auto* const shared = options().budget) shared->operation_started(now);
    }

private:
    [[nodiscard]] static retry_decision stop(stop_reason reason) noexcept { return {.reason = reason}; }

    [[nodiscard]] stop_reason refuse(stop_reason reason, std::chrono::nanoseconds now) noexcept
    {
        abandon(now);
        return reason;
    }

    [[nodiscard]] static attempt_outcome outcome_of(verdict const& judged, interruption by) noexcept
    {
        switch (judged.kind) {
        case verdict_kind::done: return attempt_outcome::success;
        case verdict_kind::permanent: return attempt_outcome::permanent;
        case verdict_kind::throttled: return attempt_outcome::throttled;
        case verdict_kind::unknown:
        case verdict_kind::retry: break;
        }
        return by == interruption::attempt_timeout ? attempt_outcome::timed_out : attempt_outcome::transient;
    }

    // Tells the budget and the breaker how the attempt ended. An attempt that was cut off for a reason of the caller's
    // says nothing about the server, unless it succeeded all the same.
    void settle(attempt_outcome outcome, interruption by, std::chrono::nanoseconds now) noexcept
    {
        bool const telling =
            outcome == attempt_outcome::success || (by != interruption::cancelled && by != interruption::deadline);
        if (std::exchange(permitted_, false)) {
            if (telling)
                options().breaker->record(extra_.get(*this)->permit, outcome, now);
            else
                options().breaker->release(extra_.get(*this)->permit);
        }
        if (auto* const shared = options().budget) {
            auto const spent = std::exchange(extra_.get(*this)->spent, 0);
            if (telling) shared->attempt_ended(outcome, spent, now);
        }
    }

    [[nodiscard]] retry_decision choose_wait(
        verdict const& judged,
        std::uint32_t retry,
        std::chrono::nanoseconds now,
        std::chrono::nanoseconds tick) noexcept
    {
        constexpr std::chrono::nanoseconds zero{0};
        auto* const extra = extra_.get(*this);
        auto const end = extra != nullptr ? deadline() : std::nullopt;
        retry_decision result{.retry = true, .origin = wait_origin::backoff};
        result.wait = backoff(
            options(),
            retry,
            next_random(),
            judged.kind == verdict_kind::throttled,
            extra != nullptr ? extra->previous_backoff : zero);
        if (extra != nullptr) extra->previous_backoff = result.wait;

        if (judged.hint && options().maximum_hint != zero) {
            auto const hinted = choose_hinted_wait((std::max)(*judged.hint, zero), now, end, tick);
            if (!hinted) return stop(stop_reason::hint_too_long);
            if (*hinted > result.wait) {
                result.wait = *hinted;
                result.origin = wait_origin::hint;
            }
        }
        result.until = end_of_wait(result.wait, now, tick);
        if (end && result.until >= *end) return stop(stop_reason::deadline);
        return result;
    }

    // Empty: it is too long. Apart, because most waits have no hint, and are decided upon without a call.
    [[nodiscard]] BOOST_NOINLINE std::optional<std::chrono::nanoseconds> choose_hinted_wait(
        std::chrono::nanoseconds hint,
        std::chrono::nanoseconds now,
        std::optional<std::chrono::nanoseconds> end,
        std::chrono::nanoseconds tick) noexcept
    {
        if (hint > options().maximum_hint || (end && end_of_wait(hint, now, tick) >= *end)) return std::nullopt;
        // Spread upwards only: never earlier than asked, and not all at once, who were told the same time.
        auto bound = (std::min<std::chrono::nanoseconds>)(hint / 4, std::chrono::seconds(1));
        // A hint that fits must not become a wait that does not, by chance.
        if (end) bound = (std::min)(bound, longest_wait(now, *end, tick) - hint);
        return detail::saturating_add(hint, detail::scale_random(next_random(), bound));
    }

    [[nodiscard]] std::chrono::nanoseconds end_of_wait(
        std::chrono::nanoseconds wait, std::chrono::nanoseconds now, std::chrono::nanoseconds tick) const noexcept
    {
        auto result = detail::saturating_add(now, wait);
        if (wait == wait.zero()) return result;  // there is no timer
        auto const grid = options().wait_resolution;
        if (grid != grid.zero() && wait / 16 >= grid) result = detail::round_up(result, grid);
        return tick == tick.zero() ? result : detail::round_up(result, tick);
    }

    // The longest wait that ends before `end`, on the grid and at a tick. There is one.
    [[nodiscard]] std::chrono::nanoseconds longest_wait(
        std::chrono::nanoseconds now, std::chrono::nanoseconds end, std::chrono::nanoseconds tick) const noexcept
    {
        constexpr std::chrono::nanoseconds least{1};
        auto last = end - least;
        // What ends after the last tick before `end` would end at the next. Rounding up and going back instead would
        // go back too far where rounding up is cut off at the end of time.
        if (tick != tick.zero()) last = detail::round_down(last, tick);
        // Not to wait is always possible, also after the last tick.
        auto const exact = (std::max)(last - now, now.zero());
        auto const grid = options().wait_resolution;
        if (grid == grid.zero() || exact / 16 < grid) return exact;
        return (std::max)(detail::round_down(last, grid) - now, 16 * grid - least);
    }

    [[nodiscard]] std::uint64_t next_random() const noexcept
    {
        return options().jitter == jitter::none ? 0 : detail::next_random(options().random);
    }

    Options options_;
    [[no_unique_address]] Extra extra_;
    std::uint32_t attempts_ = 0;
    bool retry_pending_ = false;
    bool permitted_ = false;
    std::optional<delivery> worst_delivery_;
};

/// A schedule that owns its options.
using retry_schedule = basic_retry_schedule<>;

}  // namespace backbeat

#endif
