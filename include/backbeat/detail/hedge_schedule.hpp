//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_HEDGE_SCHEDULE_HPP
#define BACKBEAT_DETAIL_HEDGE_SCHEDULE_HPP

#include <backbeat/budget.hpp>
#include <backbeat/delivery.hpp>
#include <backbeat/detail/random.hpp>
#include <backbeat/detail/saturating.hpp>
#include <backbeat/hedge_options.hpp>
#include <backbeat/latency_tracker.hpp>
#include <backbeat/retry_decision.hpp>
#include <backbeat/stop_reason.hpp>
#include <backbeat/verdict.hpp>
#include <backbeat/wait_origin.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

namespace backbeat::detail {

// What a hedge schedule must be told again of an attempt when it has ended.
struct hedged_attempt {
    std::uint32_t number = 0;
    budget::amount spent = 0;
    std::chrono::nanoseconds start{};
    std::optional<std::chrono::nanoseconds> cut_off{};
    std::optional<std::chrono::nanoseconds> cancelled_at{};  // by whomever, at first
};

// By how much a failure put the next attempt off.
struct hedge_wait {
    std::chrono::nanoseconds wait{};
    wait_origin origin = wait_origin::none;
};

// Decides when attempts of a hedged operation start, and which of them ends it. As `retry_schedule`, it is told what
// happens and what time it is, and touches no clock, no timer and no socket; what differs is that attempts overlap.
//
// `begin`, then, whenever something has happened: `attempt_ended` for each attempt that did, `start_attempt` as long as
// there is one `due`. The operation is over when it is `decided`, or has no `next_start`, and no attempt runs any more.
template <class Options>
class hedge_schedule {
public:
    hedge_schedule(Options options, std::chrono::nanoseconds now) noexcept : options_(options), start_(now) {}

    [[nodiscard]] hedge_options const& options() const noexcept { return options_; }
    [[nodiscard]] std::chrono::nanoseconds start() const noexcept { return start_; }
    [[nodiscard]] std::uint32_t started() const noexcept { return started_; }
    [[nodiscard]] std::optional<delivery> worst_delivery() const noexcept { return worst_delivery_; }

    [[nodiscard]] std::optional<std::chrono::nanoseconds> deadline() const noexcept
    {
        auto const total = options().total_timeout;
        if (total == total.zero()) return std::nullopt;
        return saturating_add(start_, total);
    }

    [[nodiscard]] bool past_deadline(std::chrono::nanoseconds now) const noexcept
    {
        auto const end = deadline();
        return end && now >= *end;
    }

    // When an attempt that starts now must be cut off.
    [[nodiscard]] std::optional<std::chrono::nanoseconds> cut_off(std::chrono::nanoseconds now) const noexcept
    {
        auto const limit = options().attempt_timeout;
        auto const end = deadline();
        if (limit == limit.zero()) return end;
        auto const alone = saturating_add(now, limit);
        return end ? (std::min)(*end, alone) : alone;
    }

    void begin(std::chrono::nanoseconds now) noexcept
    {
        delay_ = options().delay;
        if (auto const* const tracker = options().latency)
            delay_ = tracker->quantile(options().quantile, now).value_or(delay_);
        next_start_ = now;
    }

    // When the next attempt is to start, if there is to be one.
    [[nodiscard]] std::optional<std::chrono::nanoseconds> next_start() const noexcept { return next_start_; }

    // Whether an attempt ended the operation, and those that run have lost.
    [[nodiscard]] bool decided() const noexcept { return decided_; }

    // Why the operation ended, once it is over.
    [[nodiscard]] stop_reason reason() const noexcept { return reason_; }

    // Whether an attempt is to start now. One that nothing but the delay asks for is put to the budget here; if it is
    // refused, none follows until an attempt fails.
    [[nodiscard]] bool due(std::chrono::nanoseconds now) noexcept
    {
        if (!next_start_ || now < *next_start_) return false;
        if (started_ == 0) return true;
        if (past_deadline(now)) {
            // The context may have been too busy to wake us in time.
            start_no_more(stop_reason::deadline, now);
            return false;
        }
        if (!granted_) {
            granted_ = ask_budget(attempt_outcome::transient, now);
            if (!granted_) next_start_.reset();
        }
        return granted_.has_value();
    }

    // The attempt that is due starts.
    [[nodiscard]] hedged_attempt start_attempt(std::chrono::nanoseconds now) noexcept
    {
        if (started_ == 0 && options().budget != nullptr) options().budget->operation_started(now);
        ++started_;
        next_start_.reset();
        // What kept an earlier one from starting did not keep this one.
        reason_ = stop_reason::exhausted;
        if (started_ < options().maximum_attempts && !barred_ && !dropped_) next_start_ = saturating_add(now, delay_);
        return {
            .number = started_,
            .spent = std::exchange(granted_, std::nullopt).value_or(0),
            .start = now,
            .cut_off = cut_off(now)};
    }

    // The caller cancelled.
    void cancel(std::chrono::nanoseconds now) noexcept { start_no_more(stop_reason::cancelled, now); }

    // Whatever happens, no further attempt is to start. The reason is that of an operation without success.
    void start_no_more(stop_reason reason, std::chrono::nanoseconds now) noexcept
    {
        if (!decided_) reason_ = reason;
        barred_ = true;
        drop_next(now);
    }

    // An attempt is lost: it never ends. No further one is to start, as in `start_no_more`, but that is not the reason
    // if there is another, or if an attempt that still runs gives one.
    void attempt_dropped(std::chrono::nanoseconds now) noexcept
    {
        dropped_ = true;
        drop_next(now);
    }

    // `by` is `cancelled` for an attempt that lost, too.
    hedge_wait attempt_ended(
        hedged_attempt const& ended, verdict const& judged, interruption by, std::chrono::nanoseconds now) noexcept
    {
        if (judged.delivered)
            worst_delivery_ = worst_delivery_ ? worse(*worst_delivery_, *judged.delivered) : *judged.delivered;
        auto const outcome = outcome_of(judged, by);
        tell_budget(ended, outcome, by, now);
        tell_tracker(ended, outcome, now);

        if (decided_) return {};
        if (judged.kind == verdict_kind::done) {
            decide(stop_reason::success, now);
        } else if (by == interruption::cancelled) {
            start_no_more(stop_reason::cancelled, now);
        } else if (by == interruption::deadline) {
            start_no_more(stop_reason::deadline, now);
        } else if (judged.kind == verdict_kind::permanent) {
            decide(stop_reason::permanent, now);
        } else if (judged.kind == verdict_kind::unknown) {
            decide(stop_reason::outcome_unknown, now);
        } else if (judged.spent) {
            start_no_more(stop_reason::not_replayable, now);
        } else {
            return plan_next(judged, outcome, now);
        }
        return {};
    }

private:
    void drop_next(std::chrono::nanoseconds now) noexcept
    {
        next_start_.reset();
        if (auto const taken = std::exchange(granted_, std::nullopt); taken && options().budget != nullptr)
            options().budget->give_back(*taken, now);
    }

    void decide(stop_reason reason, std::chrono::nanoseconds now) noexcept
    {
        start_no_more(reason, now);
        decided_ = true;
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

    // An attempt that was cut off for a reason of ours says nothing about the server, unless it succeeded all the same.
    void tell_budget(
        hedged_attempt const& ended, attempt_outcome outcome, interruption by, std::chrono::nanoseconds now) noexcept
    {
        bool const telling =
            outcome == attempt_outcome::success || (by != interruption::cancelled && by != interruption::deadline);
        if (options().budget != nullptr && telling) options().budget->attempt_ended(outcome, ended.spent, now);
    }

    // `latency_tracker` says why these.
    void tell_tracker(hedged_attempt const& ended, attempt_outcome outcome, std::chrono::nanoseconds now) noexcept
    {
        auto* const tracker = options().latency;
        if (tracker == nullptr || ended.number != 1) return;
        if (outcome == attempt_outcome::success) {
            tracker->record(now - ended.start, now);
        } else if (ended.cancelled_at) {
            auto const ran = *ended.cancelled_at - ended.start;
            if (ran >= delay_) tracker->record(ran, now);
        }
    }

    [[nodiscard]] std::optional<budget::amount> ask_budget(
        attempt_outcome outcome, std::chrono::nanoseconds now) noexcept
    {
        if (options().budget == nullptr) return 0;
        return options().budget->try_withdraw(outcome, now);
    }

    // After a failure that may be repeated. The reasons are asked in the order of `stop_reason`.
    hedge_wait plan_next(verdict const& judged, attempt_outcome outcome, std::chrono::nanoseconds now) noexcept
    {
        if (worst_delivery_ == delivery::ambiguous && !judged.replayable) {
            start_no_more(stop_reason::not_replayable, now);
            return {};
        }
        if (barred_) return {};
        if (started_ == options().maximum_attempts) {
            reason_ = stop_reason::exhausted;
            return {};
        }
        hedge_wait put_off;
        if (judged.hint && options().maximum_hint.count() != 0) {
            auto const hint = (std::max)(*judged.hint, std::chrono::nanoseconds(0));
            if (hint > options().maximum_hint || past_deadline(saturating_add(now, hint))) {
                start_no_more(stop_reason::hint_too_long, now);
                return {};
            }
            // Spread upwards only: never earlier than asked, and not all at once, who were told the same time.
            auto const bound = (std::min<std::chrono::nanoseconds>)(hint / 4, std::chrono::seconds(1));
            put_off = {saturating_add(hint, scale_random(next_random(options().random), bound)), wait_origin::hint};
        }
        // Who was refused for asking too much and was not told when to come back comes back no sooner than a hedge.
        if (judged.kind == verdict_kind::throttled && delay_ > put_off.wait) put_off = {delay_, wait_origin::backoff};
        not_before_ = (std::max)(not_before_, saturating_add(now, put_off.wait));
        if (past_deadline(not_before_)) {
            start_no_more(stop_reason::deadline, now);
            return {};
        }
        if (dropped_) {
            reason_ = stop_reason::exhausted;
            return {};
        }
        if (!granted_) granted_ = ask_budget(outcome, now);
        if (!granted_) {
            reason_ = stop_reason::budget;
            next_start_.reset();
            return {};
        }
        next_start_ = not_before_;
        return put_off.wait.count() == 0 ? hedge_wait{} : put_off;
    }

    Options options_;
    std::chrono::nanoseconds start_;
    std::chrono::nanoseconds delay_{};
    std::chrono::nanoseconds not_before_ = (std::chrono::nanoseconds::min)();  // after the hints
    std::optional<std::chrono::nanoseconds> next_start_;
    std::optional<budget::amount> granted_;  // what was taken for the next attempt
    std::optional<delivery> worst_delivery_;
    std::uint32_t started_ = 0;
    stop_reason reason_ = stop_reason::exhausted;
    bool barred_ = false;
    bool dropped_ = false;
    bool decided_ = false;
};

}  // namespace backbeat::detail

#endif
