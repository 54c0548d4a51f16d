//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_CIRCUIT_BREAKER_HPP
#define BACKBEAT_CIRCUIT_BREAKER_HPP

#include <backbeat/budget.hpp>
#include <backbeat/circuit_breaker_options.hpp>
#include <backbeat/circuit_observer.hpp>
#include <backbeat/circuit_state.hpp>
#include <backbeat/config.hpp>
#include <backbeat/detail/circuit.hpp>

#include <boost/system/system_error.hpp>

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>

namespace backbeat {

/**
 * \brief Keeps attempts from a server that fails most of them, until a trial shows that it works again.
 * \details
 * Closed, it admits every attempt and counts how they end. It opens at a failure with which, of the attempts that ended
 * within the window, at least `failure_ratio` failed and there were at least `minimum_throughput`. Open, it admits none
 * until the open time has passed; then it is half open and admits a few trials. Enough successes close it; a failure
 * opens it again, for min(open_time * multiplier^n, maximum_open_time) after n failed trials.
 *
 * Failures are outcomes that are transient, throttled (unless an option says otherwise) or timed out. Permanent ones
 * count as successes: a server that answers 404 works.
 *
 * Share one breaker among all operations to one server, through `retry_options::breaker`. Then, from the outside in:
 * total time-out ( retry ( breaker ( attempt time-out ( operation )))). An open breaker ends an operation and is not
 * retried. A loop of your own does this:
 *
 * \code
 * auto const permit = breaker.try_acquire(now());
 * if (!permit) return give_up();
 * auto const outcome = try_it();
 * breaker.record(*permit, outcome, now());
 * \endcode
 *
 * A breaker is for a server that fails as a whole. Where only some requests fail, whatever the client does, it turns a
 * partial outage into a total one (https://brooker.co.za/blog/2022/02/16/circuit-breakers.html). There a budget is
 * better: it takes retries away, and leaves first attempts.
 *
 * \par Time
 * `now` is the time since the epoch of the operations' clock. Operations that share a breaker must share a clock.
 * Between threads it may go back a little. There is no timer: an open breaker becomes half open when it is asked.
 *
 * \par Permits
 * Each one that `try_acquire` gave is to be passed once, to `record` or to `release`. It belongs to the state in which
 * it was given: the outcome of an attempt that began before the breaker opened does not disturb a later state.
 *
 * \par Thread safety
 * Safe. Every function holds a mutex for some arithmetic; the observer is called outside it.
 */
class circuit_breaker {
public:
    /// What an attempt has while it runs. One made by default was never given, and is ignored.
    class permit {
    public:
        permit() = default;

    private:
        friend circuit_breaker;
        explicit permit(std::uint64_t epoch) noexcept : epoch_(epoch) {}

        std::uint64_t epoch_ = 0;
    };

    /**
     * \brief Makes a closed breaker.
     * \throws boost::system::system_error with what `validate(options)` returns, if that is an error.
     */
    explicit circuit_breaker(circuit_breaker_options const& options = {}) : circuit_(valid(options)) {}

    circuit_breaker(circuit_breaker const&) = delete;
    circuit_breaker& operator=(circuit_breaker const&) = delete;
    ~circuit_breaker() = default;

    /// To be called before each attempt. Empty: it must not be made. Takes a trial's place when half open.
    [[nodiscard]] std::optional<permit> try_acquire(std::chrono::nanoseconds now) noexcept
    {
        std::optional<circuit_change> changed;
        auto const epoch = [&] {
            std::lock_guard const lock(mutex_);
            return circuit_.try_acquire(now, changed);
        }();
        tell(changed);
        return epoch ? std::optional(permit(*epoch)) : std::nullopt;
    }

    /// Whether an attempt at that time would be admitted, if nothing else happens until then. Takes nothing.
    [[nodiscard]] bool would_admit(std::chrono::nanoseconds at) const noexcept
    {
        std::lock_guard const lock(mutex_);
        return circuit_.admits(at);
    }

    /// The attempt ended.
    void record(permit given, attempt_outcome outcome, std::chrono::nanoseconds now) noexcept
    {
        std::optional<circuit_change> changed;
        {
            std::lock_guard const lock(mutex_);
            circuit_.record(given.epoch_, outcome, now, changed);
        }
        tell(changed);
    }

    /// The attempt was cancelled, or not made. It counts neither way, and a trial's place is free again.
    void release(permit given) noexcept
    {
        std::lock_guard const lock(mutex_);
        circuit_.release(given.epoch_);
    }

    /// The state. It is half open, too, when the open time has passed and no trial was admitted yet.
    [[nodiscard]] circuit_state state(std::chrono::nanoseconds now) const noexcept
    {
        std::lock_guard const lock(mutex_);
        return circuit_.state(now);
    }

    /// Opens it, and keeps it open until `force_closed` or `reset` is called.
    void force_open() noexcept { force(circuit_state::open, true); }

    /// Closes it, and keeps it closed, however many attempts fail, until `force_open` or `reset` is called.
    void force_closed() noexcept { force(circuit_state::closed, true); }

    /// Closes it and forgets what happened, as if newly made. Attempts that are running do not count.
    void reset() noexcept { force(circuit_state::closed, false); }

private:
    [[nodiscard]] static circuit_breaker_options const& valid(circuit_breaker_options const& options)
    {
        if (auto const error = validate(options)) throw boost::system::system_error(error);
        return options;
    }

    void force(circuit_state to, bool forced) noexcept
    {
        std::optional<circuit_change> changed;
        {
            std::lock_guard const lock(mutex_);
            circuit_.force(to, forced, changed);
        }
        tell(changed);
    }

    void tell(std::optional<circuit_change> const& changed) const noexcept
    {
        auto* const observer = circuit_.options().observer;
        if (!changed || observer == nullptr) return;
        try {
            observer->state_changed(*this, *changed);
        } catch (...) {
            // Documented: an observer cannot change what it observes.
        }
    }

    mutable std::mutex mutex_;
    detail::circuit circuit_;
};

}  // namespace backbeat

#endif
