//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_AWS_RETRY_QUOTA_OPTIONS_HPP
#define BACKBEAT_AWS_RETRY_QUOTA_OPTIONS_HPP

#include <backbeat/config.hpp>
#include <backbeat/detail/checked_options.hpp>
#include <backbeat/retry_errc.hpp>

#include <boost/system/error_code.hpp>

#include <cstdint>
#include <optional>

namespace backbeat {

/**
 * \brief The size of an `aws_retry_quota`, and what a retry takes out of it.
 * \details
 * The defaults are those of the AWS SDKs' standard mode 2.1, of 2026. Options that contradict themselves are never
 * repaired: the constructor of `aws_retry_quota` throws, and `validate` asks the same beforehand.
 */
struct aws_retry_quota_options {
    /// The most tokens. Default: 500. Below one of the costs: invalid.
    std::uint32_t capacity = 500;

    /// What a retry costs. Default: 14. Zero: invalid.
    std::uint32_t transient_cost = 14;

    /**
     * \brief What the retry of an attempt costs that took longer than `retry_options::attempt_timeout`.
     * \details Default: 14, for 2.1 makes no difference. Zero: invalid.
     */
    std::uint32_t timeout_cost = 14;

    /// What the retry of an attempt costs that was throttled. Default: 5. Zero: invalid.
    std::uint32_t throttled_cost = 5;

    /// What the success of a first attempt pays in. Default: 1. Zero: nothing.
    std::uint32_t no_retry_increment = 1;

    /**
     * \brief The tokens at the start.
     * \details Default (empty): `capacity`. Zero: none. Above `capacity`: invalid.
     */
    std::optional<std::uint32_t> initial_tokens{};

    /// The rules of 2.1: 14, and 5 after throttling.
    [[nodiscard]] static constexpr aws_retry_quota_options standard_2_1() noexcept { return {}; }

    /// The rules before 2.1: 5, and 10 after a time-out.
    [[nodiscard]] static constexpr aws_retry_quota_options legacy() noexcept
    {
        return {.transient_cost = 5, .timeout_cost = 10, .throttled_cost = 5};
    }
};

namespace detail::aws_retry_quota_problem {

inline constexpr retry_category_type transient_cost{
    "transient_cost is zero, so the quota would limit nothing; it must be 1 or more, 14 is usual"};
inline constexpr retry_category_type timeout_cost{
    "timeout_cost is zero, so the quota would limit nothing; it must be 1 or more, 14 is usual"};
inline constexpr retry_category_type throttled_cost{
    "throttled_cost is zero, so the quota would limit nothing; it must be 1 or more, 5 is usual"};
inline constexpr retry_category_type capacity_below_transient_cost{
    "capacity is below transient_cost, so nothing could be retried; raise capacity or lower transient_cost"};
inline constexpr retry_category_type capacity_below_timeout_cost{
    "capacity is below timeout_cost, so no time-out could be retried; raise capacity or lower timeout_cost"};
inline constexpr retry_category_type capacity_below_throttled_cost{
    "capacity is below throttled_cost, so no throttled attempt could be retried; raise capacity or lower "
    "throttled_cost"};
inline constexpr retry_category_type initial_tokens{
    "initial_tokens is above capacity; lower initial_tokens, or leave it empty to start with all of them"};

}  // namespace detail::aws_retry_quota_problem

/**
 * \brief Says whether options contradict themselves.
 * \returns No error, or `retry_errc::invalid_options` with a message that names the field and the remedy.
 */
[[nodiscard]] inline boost::system::error_code validate(aws_retry_quota_options const& options) noexcept
{
    namespace problem = detail::aws_retry_quota_problem;
    using detail::invalid_options;
    if (options.transient_cost == 0) return invalid_options(problem::transient_cost);
    if (options.timeout_cost == 0) return invalid_options(problem::timeout_cost);
    if (options.throttled_cost == 0) return invalid_options(problem::throttled_cost);
    if (options.capacity < options.transient_cost) return invalid_options(problem::capacity_below_transient_cost);
    if (options.capacity < options.timeout_cost) return invalid_options(problem::capacity_below_timeout_cost);
    if (options.capacity < options.throttled_cost) return invalid_options(problem::capacity_below_throttled_cost);
    if (options.initial_tokens.value_or(0) > options.capacity) return invalid_options(problem::initial_tokens);
    return {};
}

}  // namespace backbeat

#endif
