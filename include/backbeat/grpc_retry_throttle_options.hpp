//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_GRPC_RETRY_THROTTLE_OPTIONS_HPP
#define BACKBEAT_GRPC_RETRY_THROTTLE_OPTIONS_HPP

#include <backbeat/config.hpp>
#include <backbeat/detail/checked_options.hpp>
#include <backbeat/retry_errc.hpp>

#include <boost/system/error_code.hpp>

#include <cmath>
#include <cstdint>

namespace backbeat {

/// The two numbers of gRPC's `retryThrottling`, as a service config has them.
struct grpc_retry_throttle_options {
    /// The most tokens, and those at the start. Default: 10, gRPC's example. Zero or above 1000: invalid.
    std::uint32_t max_tokens = 10;

    /**
     * \brief What a success pays in.
     * \details
     * Default: 0.1, gRPC's example. Decimal places beyond the third are ignored, as gRPC does. Below 0.001, infinite or
     * not a number: invalid.
     */
    double token_ratio = 0.1;
};

namespace detail::grpc_retry_throttle_problem {

inline constexpr retry_category_type max_tokens{"max_tokens is not between 1 and 1000; gRPC's example has 10"};
inline constexpr retry_category_type token_ratio{
    "token_ratio is not a finite number of at least 0.001; gRPC's example has 0.1"};

}  // namespace detail::grpc_retry_throttle_problem

/**
 * \brief Says whether options contradict themselves.
 * \returns No error, or `retry_errc::invalid_options` with a message that names the field and the remedy. The first
 *     contradiction, in the order of the fields, is returned.
 */
[[nodiscard]] inline boost::system::error_code validate(grpc_retry_throttle_options const& options) noexcept
{
    namespace problem = detail::grpc_retry_throttle_problem;
    if (options.max_tokens < 1 || options.max_tokens > 1000) return detail::invalid_options(problem::max_tokens);
    if (!(std::isfinite(options.token_ratio) && options.token_ratio >= 0.001))
        return detail::invalid_options(problem::token_ratio);
    return {};
}

}  // namespace backbeat

#endif
