//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_CIRCUIT_HPP
#define BACKBEAT_DETAIL_CIRCUIT_HPP

#include <backbeat/backoff.hpp>
#include <backbeat/budget.hpp>
#include <backbeat/circuit_breaker_options.hpp>
#include <backbeat/circuit_observer.hpp>
#include <backbeat/circuit_state.hpp>
#include <backbeat/detail/failure_window.hpp>
#include <backbeat/detail/random.hpp>
#include <backbeat/detail/saturating.hpp>

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

namespace backbeat::detail {

// What a circuit breaker decides, for one thread. Each change of the state begins an epoch, so that what was admitted
// before it is known by its number. A function that changes the state says so in `changed`, at most once.
class circuit {
public:
    using change = std::optional<circuit_change>;

    explicit circuit(circuit_breaker_options const& options) noexcept : options_(options), window_(options.window) {}

    [[nodiscard]] circuit_breaker_options const& options() const noexcept { return options_; }

    [[nodiscard]] bool admits(std::chrono::nanoseconds at) const noexcept
    {
        switch (state_) {
        case circuit_state::closed: break;
        case circuit_state::open: return at >= until_ && !forced_;
        case circuit_state::half_open: return trials_ < options_.trial_attempts || (at >= until_ && until_ != never);
        }
        return true;
    }

    [[nodiscard]] circuit_state state(std::chrono::nanoseconds now) const noexcept
    {
        return state_ == circuit_state::open && admits(now) ? circuit_state::half_open : state_;
    }

    // The epoch in which the attempt is admitted. Empty: it is not.
    [[nodiscard]] std::optional<std::uint64_t> try_acquire(std::chrono::nanoseconds now, change& changed) noexcept
    {
        latest_ = now;
        if (!admits(now)) return std::nullopt;
        if (state_ == circuit_state::closed) return epoch_;

        if (state_ == circuit_state::open) {
            enter(circuit_state::half_open, changed);
        } else if (trials_ == options_.trial_attempts) {
            forget_the_running();
        }
        ++trials_;
        until_ = options_.trial_timeout.count() == 0 ? never : saturating_add(now, options_.trial_timeout);
        return epoch_;
    }

    void record(std::uint64_t epoch, attempt_outcome outcome, std::chrono::nanoseconds now, change& changed) noexcept
    {
        latest_ = now;
        if (epoch != epoch_ || forced_) return;
        release(epoch);
        if (outcome == attempt_outcome::throttled && !options_.count_throttled) return;

        bool const failed = outcome != attempt_outcome::success && outcome != attempt_outcome::permanent;
        if (state_ == circuit_state::closed) {
            window_.add(failed, now);
            if (failed && too_many_failed()) open(now, changed);
        } else if (failed) {
            if (failed_trials_ != (std::numeric_limits<std::uint32_t>::max)()) ++failed_trials_;
            open(now, changed);
        } else if (++successes_ >= options_.trial_successes) {
            begin_anew();
            enter(circuit_state::closed, changed);
        }
    }

    void release(std::uint64_t epoch) noexcept
    {
        if (epoch == epoch_ && trials_ != 0) --trials_;
    }

    void force(circuit_state to, bool forced, change& changed) noexcept
    {
        begin_anew();
        enter(to, changed);
        forced_ = forced;
    }

private:
    static constexpr auto never = (std::chrono::nanoseconds::max)();

    [[nodiscard]] bool too_many_failed() const noexcept
    {
        auto const [attempts, failures] = window_.recent();
        // A quotient is rounded as a literal is: 7 of 100 reach 0.07, although 0.07 * 100 is above 7.
        return attempts >= options_.minimum_throughput
            && static_cast<double>(failures) / static_cast<double>(attempts) >= options_.failure_ratio;
    }

    void open(std::chrono::nanoseconds now, change& changed) noexcept
    {
        enter(circuit_state::open, changed);
        auto const time =
            exponential_backoff(options_.open_time, options_.multiplier, failed_trials_, options_.maximum_open_time);
        until_ = saturating_add(saturating_add(now, time), random_part_of(time));
    }

    [[nodiscard]] std::chrono::nanoseconds random_part_of(std::chrono::nanoseconds time) const noexcept
    {
        auto const ratio = options_.jitter_ratio;
        if (ratio == 0) return std::chrono::nanoseconds(0);
        // As a double, the longest time is too large for 64 bits; a product with a ratio below 1 never is.
        auto const product = static_cast<double>(time.count()) * ratio;
        auto const bound = ratio < 1 ? std::chrono::nanoseconds(static_cast<std::int64_t>(product)) : time;
        return scale_random(next_random(options_.random), bound);
    }

    void begin_anew() noexcept
    {
        window_.clear();
        failed_trials_ = 0;
    }

    void enter(circuit_state to, change& changed) noexcept
    {
        forget_the_running();
        successes_ = 0;
        if (to == state_) return;
        changed = circuit_change{state_, to, latest_, ++changes_};
        state_ = to;
    }

    void forget_the_running() noexcept
    {
        ++epoch_;
        trials_ = 0;
    }

    circuit_breaker_options options_;
    failure_window window_;
    circuit_state state_ = circuit_state::closed;
    bool forced_ = false;
    std::uint32_t trials_ = 0;
    std::uint32_t successes_ = 0;
    std::uint32_t failed_trials_ = 0;
    std::uint64_t epoch_ = 1;
    std::uint64_t changes_ = 0;
    std::chrono::nanoseconds latest_{};

    // Open: when a trial is admitted. Half open: when the running trials lose their places.
    std::chrono::nanoseconds until_{};
};

}  // namespace backbeat::detail

#endif
