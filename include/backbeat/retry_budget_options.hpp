//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_RETRY_BUDGET_OPTIONS_HPP
#define BACKBEAT_RETRY_BUDGET_OPTIONS_HPP

#include <backbeat/config.hpp>
#include <backbeat/detail/checked_options.hpp>
#include <backbeat/retry_errc.hpp>

#include <boost/system/error_code.hpp>

#include <chrono>

namespace backbeat {

/**
 * \brief What fills a `retry_budget`, and what a retry takes out of it.
 * \details
 * Fields are set by name, in this order:
 *
 * \code
 * {.deposit = 0.1, .minimum_capacity = 10, .refill_interval = 10s}
 * \endcode
 *
 * Amounts are tokens, and are held in millionths of a token, to which they are rounded. Options that contradict
 * themselves are never repaired: the constructor of `retry_budget` throws, and `validate` asks the same beforehand.
 */
struct retry_budget_options {
    /**
     * \brief What each attempt pays in that the server answered for good: that was judged done or permanent.
     * \details
     * Default: 0.25. A share deposit / (deposit + cost) of all attempts, one in five with the defaults, can fail for
     * long, and each is retried. Zero: only time fills the budget. Negative, above 1000 or not a number: invalid.
     */
    double deposit = 0.25;

    /**
     * \brief What a retry costs.
     * \details Default: 1. Below 0.000001, above 1000 or not a number: invalid.
     */
    double cost = 1;

    /**
     * \brief What the retry of an attempt costs that was throttled.
     * \details
     * Default: 0.5, less than the others, because a server that refuses a request does little work for it. Below
     * 0.000001, above 1000 or not a number: invalid.
     */
    double throttled_cost = 0.5;

    /**
     * \brief The capacity of a client that does little. The budget starts with this much in it.
     * \details
     * Default: 5. It is what every client can add to an outage before its budget is spent, so keep it small where
     * there are many clients. Below `cost` or `throttled_cost`, above 1000000 or not a number: invalid.
     */
    double minimum_capacity = 5;

    /**
     * \brief How the capacity grows: by this for each attempt that paid in within the last second.
     * \details
     * Default: 0.25, so that the capacity is a second's deposits. Zero: it is always `minimum_capacity`. Negative,
     * above 1000 or not a number: invalid.
     */
    double capacity_per_success = 0.25;

    /**
     * \brief The time in which one token is added whatever happens.
     * \details
     * Default: 20 s, so that a client that makes a handful of calls is never left without a retry for long. Zero:
     * nothing is added. Negative, otherwise below 1 ms, or above 24 h: invalid.
     */
    std::chrono::nanoseconds refill_interval = std::chrono::seconds(20);
};

namespace detail::retry_budget_problem {

inline constexpr retry_category_type deposit{
    "deposit is not between 0 and 1000; 0 leaves it to time alone to fill the budget, 0.25 is usual"};
inline constexpr retry_category_type cost{"cost is not between 0.000001 and 1000; 1 is usual"};
inline constexpr retry_category_type throttled_cost{"throttled_cost is not between 0.000001 and 1000; 0.5 is usual"};
inline constexpr retry_category_type minimum_capacity{
    "minimum_capacity is not between 0.000001 and 1000000; 5 is usual"};
inline constexpr retry_category_type capacity_below_cost{
    "minimum_capacity is below cost, so an idle client could never retry; raise minimum_capacity or lower cost"};
inline constexpr retry_category_type capacity_below_throttled_cost{
    "minimum_capacity is below throttled_cost, so an idle client could never retry; raise minimum_capacity or lower "
    "throttled_cost"};
inline constexpr retry_category_type capacity_per_success{
    "capacity_per_success is not between 0 and 1000; 0 keeps the capacity constant, 0.25 is usual"};
inline constexpr retry_category_type refill_interval{
    "refill_interval is neither zero (no refill) nor between 1 ms and 24 h; 20 s is usual"};

}  // namespace detail::retry_budget_problem

/**
 * \brief Says whether options contradict themselves.
 * \returns No error, or `retry_errc::invalid_options` with a message that names the field and the remedy. The first
 *     contradiction, in the order of the fields, is returned.
 */
[[nodiscard]] inline boost::system::error_code validate(retry_budget_options const& options) noexcept
{
    namespace problem = detail::retry_budget_problem;
    using detail::in_range;
    using detail::invalid_options;
    constexpr double least = 0.000001;
    auto const interval = options.refill_interval;

    if (!in_range(options.deposit, 0, 1000)) return invalid_options(problem::deposit);
    if (!in_range(options.cost, least, 1000)) return invalid_options(problem::cost);
    if (!in_range(options.throttled_cost, least, 1000)) return invalid_options(problem::throttled_cost);
    if (!in_range(options.minimum_capacity, least, 1'000'000)) return invalid_options(problem::minimum_capacity);
    if (options.minimum_capacity < options.cost) return invalid_options(problem::capacity_below_cost);
    if (options.minimum_capacity < options.throttled_cost)
        return invalid_options(problem::capacity_below_throttled_cost);
    if (!in_range(options.capacity_per_success, 0, 1000)) return invalid_options(problem::capacity_per_success);
    if (interval != interval.zero() && (interval < std::chrono::milliseconds(1) || interval > std::chrono::hours(24)))
        return invalid_options(problem::refill_interval);
    return {};
}

}  // namespace backbeat

#endif
