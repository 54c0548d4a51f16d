//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_FINAGLE_RETRY_BUDGET_OPTIONS_HPP
#define BACKBEAT_FINAGLE_RETRY_BUDGET_OPTIONS_HPP

#include <backbeat/config.hpp>
#include <backbeat/detail/checked_options.hpp>
#include <backbeat/retry_errc.hpp>

#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstdint>

namespace backbeat {

/**
 * \brief The three numbers of Finagle's `RetryBudget`.
 * \details
 * Options that contradict themselves are never repaired: the constructor of `finagle_retry_budget` throws, and
 * `validate` asks the same beforehand.
 */
struct finagle_retry_budget_options {
    /**
     * \brief How long a deposit counts.
     * \details
     * Default: 10 s. It expires in ten steps, so it counts for 9/10 of this at least. Below 1 s or above 60 s: invalid.
     */
    std::chrono::nanoseconds ttl = std::chrono::seconds(10);

    /**
     * \brief The retries that there are whatever the number of operations: this times the whole seconds of `ttl`.
     * \details Default: 10. Zero: none. Above 1000000: invalid.
     */
    std::uint32_t min_retries_per_second = 10;

    /**
     * \brief The share of the operations that can be retried beside those.
     * \details
     * Default: 0.2, which is 20 %. 2 allows two retries for each operation. Zero: none. Negative, above 1000 or not a
     * number: invalid.
     */
    double percent_can_retry = 0.2;
};

namespace detail::finagle_retry_budget_problem {

inline constexpr retry_category_type ttl{"ttl is not between 1 s and 60 s; 10 s is usual"};
inline constexpr retry_category_type min_retries_per_second{
    "min_retries_per_second is above 1000000; zero keeps no reserve, 10 is usual"};
inline constexpr retry_category_type percent_can_retry{
    "percent_can_retry is not between 0 and 1000; 0.2 lets 20 % of the operations be retried"};

}  // namespace detail::finagle_retry_budget_problem

/**
 * \brief Says whether options contradict themselves.
 * \returns No error, or `retry_errc::invalid_options` with a message that names the field and the remedy. The first
 *     contradiction, in the order of the fields, is returned.
 */
[[nodiscard]] inline boost::system::error_code validate(finagle_retry_budget_options const& options) noexcept
{
    namespace problem = detail::finagle_retry_budget_problem;
    using detail::invalid_options;
    if (options.ttl < std::chrono::seconds(1) || options.ttl > std::chrono::seconds(60))
        return invalid_options(problem::ttl);
    if (options.min_retries_per_second > 1'000'000) return invalid_options(problem::min_retries_per_second);
    if (!detail::in_range(options.percent_can_retry, 0, 1000)) return invalid_options(problem::percent_can_retry);
    return {};
}

}  // namespace backbeat

#endif
