//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_LATENCY_TRACKER_OPTIONS_HPP
#define BACKBEAT_LATENCY_TRACKER_OPTIONS_HPP

#include <backbeat/config.hpp>
#include <backbeat/detail/checked_options.hpp>
#include <backbeat/retry_errc.hpp>

#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstdint>

namespace backbeat {

/**
 * \brief What a `latency_tracker` remembers, and when it knows enough.
 * \details Options that contradict themselves are never repaired: the constructor of `latency_tracker` throws.
 */
struct latency_tracker_options {
    /**
     * \brief How long a sample counts: this long at least, and less than twice as long.
     * \details Default: 1 min. Below 1 ms, or above 24 h: invalid.
     */
    std::chrono::nanoseconds window = std::chrono::minutes(1);

    /**
     * \brief The number of samples without which there is no quantile.
     * \details Default: 20. A high quantile needs more of them (`latency_tracker::quantile`). Zero: invalid.
     */
    std::uint32_t minimum_samples = 20;
};

namespace detail::latency_problem {

inline constexpr retry_category_type window{"window is not between 1 ms and 24 h; 1 min is usual"};
inline constexpr retry_category_type minimum_samples{"minimum_samples is zero; it must be 1 or more, 20 is usual"};

}  // namespace detail::latency_problem

/// Says whether options contradict themselves: no error, or one whose message names the field and the remedy.
[[nodiscard]] inline boost::system::error_code validate(latency_tracker_options const& options) noexcept
{
    namespace problem = detail::latency_problem;
    if (options.window < std::chrono::milliseconds(1) || options.window > std::chrono::hours(24))
        return detail::invalid_options(problem::window);
    if (options.minimum_samples == 0) return detail::invalid_options(problem::minimum_samples);
    return {};
}

}  // namespace backbeat

#endif
