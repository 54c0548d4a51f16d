//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_HTTP_DEADLINE_HPP
#define BACKBEAT_SRC_HTTP_DEADLINE_HPP

#include <chrono>

namespace backbeat::http::detail {

// The time point this long after another, by default after now, or the latest there is.
[[nodiscard]] inline std::chrono::steady_clock::time_point deadline_after(
    std::chrono::nanoseconds limit,
    std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now()) noexcept
{
    using time_point = std::chrono::steady_clock::time_point;
    return limit < (time_point::max)() - now ? now + limit : (time_point::max)();
}

}  // namespace backbeat::http::detail

#endif
