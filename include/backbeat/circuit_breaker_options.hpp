//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_CIRCUIT_BREAKER_OPTIONS_HPP
#define BACKBEAT_CIRCUIT_BREAKER_OPTIONS_HPP

#include <backbeat/config.hpp>
#include <backbeat/retry_errc.hpp>

#include <boost/system/error_code.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>

namespace backbeat {

class circuit_observer;
class random_source;

/**
 * \brief When a `circuit_breaker` opens, for how long, and what closes it again.
 * \details
 * Fields are set by name, in this order:
 *
 * \code
 * {.failure_ratio = 0.2, .window = 10s, .open_time = 2s}
 * \endcode
 *
 * Durations hold nanoseconds and accept any coarser `std::chrono` duration. Options that contradict themselves are
 * never repaired: the constructor of `circuit_breaker` throws, and `validate` asks the same beforehand.
 *
 * \par Object lifetimes
 * The breaker copies them. What `observer` and `random` point to must outlive it.
 */
struct circuit_breaker_options {
    /**
     * \brief The share of failures among the attempts of the window at which the breaker opens.
     * \details Default: 0.5. 1: only when all of them failed. Zero, negative, above 1 or not a number: invalid.
     */
    double failure_ratio = 0.5;

    /**
     * \brief How far back attempts count, by the time at which they ended.
     * \details
     * Default: 30 s. It slides in 16 steps, so that what counts is between 15/16 and the whole of it. Zero or
     * negative: invalid.
     */
    std::chrono::nanoseconds window = std::chrono::seconds(30);

    /**
     * \brief The number of attempts in the window below which the breaker does not open.
     * \details
     * Default: 20. Choose it below what the client does within the window, else the breaker never opens. 1: a single
     * failure can open it. Zero: invalid.
     */
    std::uint32_t minimum_throughput = 20;

    /**
     * \brief How long the breaker stays open before it admits a trial.
     * \details Default: 5 s. Zero or negative: invalid.
     */
    std::chrono::nanoseconds open_time = std::chrono::seconds(5);

    /**
     * \brief The growth of the open time from one failed trial to the next. It starts anew when the breaker closes.
     * \details Default: 2. 1 keeps it constant. Below 1, infinite or not a number: invalid.
     */
    double multiplier = 2;

    /**
     * \brief The cap on the open time, jitter apart.
     * \details Default: 60 s. Below `open_time`: invalid.
     */
    std::chrono::nanoseconds maximum_open_time = std::chrono::seconds(60);

    /**
     * \brief The share of the open time that chance may add to it, uniformly from nothing to all of this.
     * \details
     * Default: zero, nothing is added. Where many clients have one server, choose 0.25: their breakers open in the same
     * moment, and without jitter their trials come in the same moment too. Negative, above 1 or not a number: invalid.
     */
    double jitter_ratio = 0;

    /**
     * \brief The number of trials that may run at the same time while the breaker is half open.
     * \details Default: 1. Zero: invalid.
     */
    std::uint32_t trial_attempts = 1;

    /**
     * \brief The number of trials that must succeed before the breaker closes. One that fails opens it again.
     * \details Default: 1. It may exceed `trial_attempts`: a trial that ended makes place for another. Zero: invalid.
     */
    std::uint32_t trial_successes = 1;

    /**
     * \brief How long trials may keep others waiting.
     * \details
     * Default: 60 s. When every place is taken and no trial was admitted for this long, the running ones lose their
     * places and no longer count, so that an attempt that never ends cannot block its successors for ever. Zero: no
     * limit. Negative: invalid.
     */
    std::chrono::nanoseconds trial_timeout = std::chrono::seconds(60);

    /**
     * \brief Whether an attempt that was throttled counts as a failure.
     * \details
     * Default: yes, for a server that refuses work is helped by less of it. No: it counts neither way, for a server
     * whose quotas are this client's alone.
     */
    bool count_throttled = true;

    /// Is told of changes of the state. Default: nobody.
    circuit_observer* observer = nullptr;

    /// Where the random numbers of `jitter_ratio` come from. Called under the breaker's lock. Default: the
    /// generator of the thread that calls.
    random_source* random = nullptr;
};

namespace detail::circuit_breaker_problem {

inline constexpr retry_category_type failure_ratio{
    "failure_ratio is not above 0 and at most 1; 0.5 opens the breaker when half of the attempts failed"};
inline constexpr retry_category_type window{"window is not above zero; 30 s is usual"};
inline constexpr retry_category_type minimum_throughput{
    "minimum_throughput is zero; it must be 1 (a single failure can open the breaker) or more, 20 is usual"};
inline constexpr retry_category_type open_time{"open_time is not above zero; 5 s is usual"};
inline constexpr retry_category_type multiplier{
    "multiplier is not a finite number of at least 1; 1 keeps the open time constant, 2 is usual"};
inline constexpr retry_category_type maximum_open_time{
    "maximum_open_time is below open_time; raise maximum_open_time or lower open_time"};
inline constexpr retry_category_type jitter_ratio{
    "jitter_ratio is not between 0 and 1; 0 adds nothing to the open time, 1 at most doubles it"};
inline constexpr retry_category_type trial_attempts{
    "trial_attempts is zero, so the breaker would never close again; it must be 1 or more"};
inline constexpr retry_category_type trial_successes{
    "trial_successes is zero; it must be 1 (the first success closes the breaker) or more"};
inline constexpr retry_category_type trial_timeout{"trial_timeout is negative; it must be zero (no limit) or more"};

}  // namespace detail::circuit_breaker_problem

/**
 * \brief Says whether options contradict themselves.
 * \returns No error, or `retry_errc::invalid_options` with a message that names the field and the remedy. The first
 *     contradiction, in the order of the fields, is returned.
 */
[[nodiscard]] inline boost::system::error_code validate(circuit_breaker_options const& options) noexcept
{
    namespace problem = detail::circuit_breaker_problem;
    constexpr std::chrono::nanoseconds zero{0};
    auto const error = [](detail::retry_category_type const& what) {
        return boost::system::error_code(static_cast<int>(retry_errc::invalid_options), what);
    };

    // Written so that a value that is not a number fails each comparison.
    if (!(options.failure_ratio > 0 && options.failure_ratio <= 1)) return error(problem::failure_ratio);
    if (options.window <= zero) return error(problem::window);
    if (options.minimum_throughput == 0) return error(problem::minimum_throughput);
    if (options.open_time <= zero) return error(problem::open_time);
    if (!(std::isfinite(options.multiplier) && options.multiplier >= 1)) return error(problem::multiplier);
    if (options.maximum_open_time < options.open_time) return error(problem::maximum_open_time);
    if (!(options.jitter_ratio >= 0 && options.jitter_ratio <= 1)) return error(problem::jitter_ratio);
    if (options.trial_attempts == 0) return error(problem::trial_attempts);
    if (options.trial_successes == 0) return error(problem::trial_successes);
    if (options.trial_timeout < zero) return error(problem::trial_timeout);
    return {};
}

}  // namespace backbeat

#endif
