//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_RETRY_OPTIONS_HPP
#define BACKBEAT_RETRY_OPTIONS_HPP

#include <backbeat/config.hpp>
#include <backbeat/jitter.hpp>
#include <backbeat/retry_errc.hpp>
#include <backbeat/timers.hpp>

#include <boost/system/error_code.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace backbeat {

class budget;
class circuit_breaker;
class random_source;
class retry_observer;

/// The value of `retry_options::maximum_retries` that sets no limit.
inline constexpr std::uint32_t unlimited_retries = (std::numeric_limits<std::uint32_t>::max)();

/**
 * \brief How an operation is retried.
 * \details
 * The defaults are the algorithm that Google documents for Memorystore for Redis: before retry n (n = 0, 1, 2, ...)
 * wait `min(2^n s + random ms <= 1000, maximum_backoff)`, for a maximum number of retries, and then report.
 * (https://cloud.google.com/memorystore/docs/redis/exponential-backoff)
 *
 * Fields are set by name, in this order:
 *
 * \code
 * {.maximum_backoff = 32s, .maximum_retries = 8, .total_timeout = 2min}
 * \endcode
 *
 * Durations hold nanoseconds and accept any coarser `std::chrono` duration. Options that contradict themselves are
 * never repaired: the operation completes with `retry_errc::invalid_options` before its first attempt, and the
 * error's message says which field is wrong and what would be right. `validate` asks the same beforehand.
 *
 * \par Object lifetimes
 * Passed by value, or by `std::cref`: then the options must stay unchanged until the operation has completed. What
 * `budget`, `breaker`, `observer` and `random` point to must outlive every operation that uses it.
 */
struct retry_options {
    /**
     * \brief The wait before the first retry, jitter apart.
     * \details Default: 1 s. Zero: retries are not delayed, jitter apart. Negative: invalid.
     */
    std::chrono::nanoseconds initial_backoff = std::chrono::seconds(1);

    /**
     * \brief The growth of the wait from one retry to the next.
     * \details Default: 2. 1 keeps it constant. Below 1, infinite or not a number: invalid.
     */
    double multiplier = 2;

    /**
     * \brief The cap on every wait that was not asked for by the server.
     * \details
     * Default: 64 s (Google's page: 32 or 64 s are usual). Below `initial_backoff` or below `throttled_backoff`:
     * invalid.
     */
    std::chrono::nanoseconds maximum_backoff = std::chrono::seconds(64);

    /**
     * \brief The largest random addition of `jitter::additive`.
     * \details Default (empty): as `initial_backoff`. Zero: nothing is added. Negative: invalid.
     */
    std::optional<std::chrono::nanoseconds> maximum_jitter{};

    /// How chance spreads the waits. Default: `jitter::additive`.
    backbeat::jitter jitter = jitter::additive;

    /**
     * \brief Takes the place of `initial_backoff` after an attempt that was throttled.
     * \details Default (empty): as `initial_backoff`. Zero: not delayed, jitter apart. Negative: invalid.
     */
    std::optional<std::chrono::nanoseconds> throttled_backoff{};

    /**
     * \brief The number of retries after the first attempt.
     * \details Default: 5, so at most 6 attempts. Zero: one attempt. `unlimited_retries`: no such limit.
     */
    std::uint32_t maximum_retries = 5;

    /**
     * \brief The time that one attempt may take.
     * \details
     * Default: zero, which sets no limit. It shrinks to what `total_timeout` leaves. An attempt that takes longer
     * receives terminal cancellation and is waited for; if it then ends with `operation_aborted`, its error becomes
     * `retry_errc::attempt_timeout`, which is retried. Negative: invalid.
     */
    std::chrono::nanoseconds attempt_timeout{};

    /**
     * \brief The time that the whole operation may take, waits included.
     * \details
     * Default: zero, which sets no limit. A wait that would end at or past this is not begun: the operation
     * completes at once with what the last attempt gave. Negative: invalid.
     */
    std::chrono::nanoseconds total_timeout{};

    /**
     * \brief The longest wait that is taken from a server's hint.
     * \details
     * Default: 5 min. A longer one ends the operation with `stop_reason::hint_too_long`. Zero: hints are ignored.
     * Negative: invalid.
     */
    std::chrono::nanoseconds maximum_hint = std::chrono::minutes(5);

    /**
     * \brief The grid on which waits end.
     * \details
     * Default: 1 ms. The end of a wait is rounded up to a multiple of it, so that many waits end in one wake-up of
     * the context; it is never early. Waits shorter than 16 times the grid are not rounded. Zero: exact. Negative:
     * invalid.
     */
    std::chrono::nanoseconds wait_resolution = std::chrono::milliseconds(1);

    /**
     * \brief What ends waits and time limits.
     * \details
     * Default: `timers::asio`, a `steady_timer` of the operation's own. `timers::wheel`: the timing wheel of the
     * operation's context, for thousands of operations that wait; times are then rounded up to a tick of 1 ms, or to
     * what `set_wheel_resolution` says, beside `wait_resolution`.
     */
    backbeat::timers timers = timers::asio;

    /**
     * \brief What all operations that share it may spend on retries.
     * \details
     * Default: no such limit. A retry that it refuses is not slept for: `stop_reason::budget`. An operation that has
     * the budget itself, such as `async_hedge` inside, must be the only one that has it.
     */
    backbeat::budget* budget = nullptr;

    /**
     * \brief Keeps attempts from a server that fails most of them.
     * \details Default: none. While it is open, there is no attempt and no wait for one: `stop_reason::breaker_open`.
     */
    circuit_breaker* breaker = nullptr;

    /// Is told what happens, as it happens. Default: nobody. Shared by many operations; must be thread-safe then.
    retry_observer* observer = nullptr;

    /// Where the jitter's random numbers come from. Default: the generator of the thread that runs it.
    random_source* random = nullptr;
};

/**
 * \brief Says whether options contradict themselves.
 * \returns No error, or `retry_errc::invalid_options` with a message that names the field and the remedy. The first
 *     contradiction, in the order of the fields, is returned.
 */
[[nodiscard]] inline boost::system::error_code validate(retry_options const& options) noexcept
{
    using detail::option_problem;
    constexpr std::chrono::nanoseconds zero{0};
    auto const throttled = options.throttled_backoff.value_or(options.initial_backoff);

    if (options.initial_backoff < zero) return make_error_code(option_problem::negative_initial_backoff);
    if (!std::isfinite(options.multiplier)) return make_error_code(option_problem::multiplier_not_finite);
    if (options.multiplier < 1) return make_error_code(option_problem::multiplier_below_one);
    if (options.maximum_backoff < options.initial_backoff)
        return make_error_code(option_problem::maximum_below_initial_backoff);
    if (options.maximum_jitter.value_or(zero) < zero) return make_error_code(option_problem::negative_maximum_jitter);
    if (options.jitter > jitter::decorrelated) return make_error_code(option_problem::unknown_jitter);
    if (throttled < zero) return make_error_code(option_problem::negative_throttled_backoff);
    if (options.maximum_backoff < throttled) return make_error_code(option_problem::maximum_below_throttled_backoff);
    if (options.attempt_timeout < zero) return make_error_code(option_problem::negative_attempt_timeout);
    if (options.total_timeout < zero) return make_error_code(option_problem::negative_total_timeout);
    if (options.maximum_hint < zero) return make_error_code(option_problem::negative_maximum_hint);
    if (options.wait_resolution < zero) return make_error_code(option_problem::negative_wait_resolution);
    if (options.timers > timers::wheel) return make_error_code(option_problem::unknown_timers);
    return {};
}

}  // namespace backbeat

#endif
