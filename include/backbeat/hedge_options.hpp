//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_HEDGE_OPTIONS_HPP
#define BACKBEAT_HEDGE_OPTIONS_HPP

#include <backbeat/config.hpp>
#include <backbeat/detail/checked_options.hpp>
#include <backbeat/retry_errc.hpp>

#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstdint>

namespace backbeat {

class budget;
class latency_tracker;
class random_source;
class retry_observer;

/// The largest `hedge_options::maximum_attempts`. A `retry_report` keeps the records of this many attempts.
inline constexpr std::uint32_t most_hedged_attempts = 16;

/**
 * \brief How an operation is hedged.
 * \details
 * Fields are set by name, in this order:
 *
 * \code
 * {.delay = 200ms, .maximum_attempts = 3, .latency = &latency, .total_timeout = 10s, .budget = &budget}
 * \endcode
 *
 * Durations hold nanoseconds and accept any coarser `std::chrono` duration. Options that contradict themselves are
 * never repaired: the operation completes with `retry_errc::invalid_options` before its first attempt, and the
 * error's message says which field is wrong and what would be right. `validate` asks the same beforehand.
 *
 * \par Object lifetimes
 * Passed by value, or by `std::cref`: then the options must stay unchanged until the operation has completed. What
 * `latency`, `budget`, `observer` and `random` point to must outlive every operation that uses it.
 */
struct hedge_options {
    /**
     * \brief The time without an answer after which the next attempt is started beside those that run.
     * \details
     * Default: 2 s. Choose what all but a few answers take less than, such as the 95th percentile: then a few
     * attempts in a hundred are hedged. Zero: all attempts start at once. Negative: invalid.
     */
    std::chrono::nanoseconds delay = std::chrono::seconds(2);

    /**
     * \brief The number of attempts, the first one included.
     * \details
     * Default: 2. 1: no hedging, one attempt. Zero, or more than `most_hedged_attempts`: invalid.
     */
    std::uint32_t maximum_attempts = 2;

    /**
     * \brief Measures how long answers take, and chooses the delay by it: the `quantile` of the latencies seen lately.
     * \details
     * Default: none. As long as it has too few samples, `delay` is used. Each operation asks once, at its start, and
     * adds what it learnt. Share one among the operations of one kind to one server.
     */
    latency_tracker* latency = nullptr;

    /**
     * \brief The share of first attempts that are to be answered before the next attempt is started.
     * \details Default: 0.95. Of no effect without `latency`. Not above 0 and below 1: invalid.
     */
    double quantile = 0.95;

    /**
     * \brief The time that one attempt may take.
     * \details
     * Default: zero, which sets no limit. An attempt that takes longer receives terminal cancellation; if it then ends
     * with `operation_aborted`, its error becomes `retry_errc::attempt_timeout`, after which the next attempt starts at
     * once. Below `delay`, attempts follow one another and do not overlap. Negative: invalid.
     */
    std::chrono::nanoseconds attempt_timeout{};

    /**
     * \brief The time that the whole operation may take.
     * \details
     * Default: zero, which sets no limit. When it expires, every running attempt receives terminal cancellation. A wait
     * for a server's hint that would end at or past this is not begun. Negative: invalid.
     */
    std::chrono::nanoseconds total_timeout{};

    /**
     * \brief The longest time that the next attempt is put off because a server asked for it.
     * \details
     * Default: 5 min. After a longer one no further attempt is started; those that run go on. Zero: hints are ignored.
     * Negative: invalid.
     */
    std::chrono::nanoseconds maximum_hint = std::chrono::minutes(5);

    /**
     * \brief What all operations that share it may spend on further attempts: the budget that retries use.
     * \details
     * Default: no such limit. It is asked before each attempt but the first. One that it refuses is not started, and
     * those that run go on. In retry( hedge( operation )) it stands here only: the retry would tell the same budget of
     * the same attempts once more, so that a success pays in twice and a failure counts twice.
     */
    backbeat::budget* budget = nullptr;

    /// Is told what happens, as it happens. Default: nobody. Shared by many operations; must be thread-safe then.
    retry_observer* observer = nullptr;

    /// Where the random numbers come from that spread hints. Default: the generator of the thread that runs it.
    random_source* random = nullptr;
};

namespace detail::hedge_problem {

inline constexpr retry_category_type negative_delay{
    "delay is negative; it must be zero (all attempts start at once) or more"};
inline constexpr retry_category_type no_attempts{
    "maximum_attempts is zero; it must be 1 (no hedging) or more, 2 is usual"};
inline constexpr retry_category_type too_many_attempts{
    "maximum_attempts is above 16; each is a copy of the request that the server may carry out, 2 is usual"};
inline constexpr retry_category_type quantile{
    "quantile is not between 0 and 1, both excluded; 0.95 hedges one attempt in twenty"};
inline constexpr retry_category_type negative_attempt_timeout{
    "attempt_timeout is negative; it must be zero (no limit) or more"};
inline constexpr retry_category_type negative_total_timeout{
    "total_timeout is negative; it must be zero (no limit) or more"};
inline constexpr retry_category_type negative_maximum_hint{
    "maximum_hint is negative; it must be zero (hints are ignored) or more"};

}  // namespace detail::hedge_problem

/**
 * \brief Says whether options contradict themselves.
 * \returns No error, or `retry_errc::invalid_options` with a message that names the field and the remedy. The first
 *     contradiction, in the order of the fields, is returned.
 */
[[nodiscard]] inline boost::system::error_code validate(hedge_options const& options) noexcept
{
    namespace problem = detail::hedge_problem;
    using detail::invalid_options;
    constexpr std::chrono::nanoseconds zero{0};

    if (options.delay < zero) return invalid_options(problem::negative_delay);
    if (options.maximum_attempts == 0) return invalid_options(problem::no_attempts);
    if (options.maximum_attempts > most_hedged_attempts) return invalid_options(problem::too_many_attempts);
    // Written so that what is not a number is refused.
    if (!(options.quantile > 0 && options.quantile < 1)) return invalid_options(problem::quantile);
    if (options.attempt_timeout < zero) return invalid_options(problem::negative_attempt_timeout);
    if (options.total_timeout < zero) return invalid_options(problem::negative_total_timeout);
    if (options.maximum_hint < zero) return invalid_options(problem::negative_maximum_hint);
    return {};
}

}  // namespace backbeat

#endif
