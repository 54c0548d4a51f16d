//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_SATURATING_HPP
#define BACKBEAT_DETAIL_SATURATING_HPP

#include <chrono>

namespace backbeat::detail {

// Both must not be negative in the same direction as the overflow that they could cause: waits are never negative.
[[nodiscard]] constexpr std::chrono::nanoseconds saturating_add(
    std::chrono::nanoseconds a, std::chrono::nanoseconds not_negative) noexcept
{
    constexpr auto maximum = (std::chrono::nanoseconds::max)();
    return a > maximum - not_negative ? maximum : a + not_negative;
}

// The smallest multiple of `grid` that is not before `time`. The time may lie before the clock's epoch.
[[nodiscard]] constexpr std::chrono::nanoseconds round_up(
    std::chrono::nanoseconds time, std::chrono::nanoseconds grid) noexcept
{
    auto const past = time % grid;
    if (past == past.zero()) return time;
    return past < past.zero() ? time - past : saturating_add(time - past, grid);
}

// The largest multiple of `grid` that is not after `time`, which must not be within a `grid` of the earliest time.
[[nodiscard]] constexpr std::chrono::nanoseconds round_down(
    std::chrono::nanoseconds time, std::chrono::nanoseconds grid) noexcept
{
    auto const past = time % grid;
    return past < past.zero() ? time - past - grid : time - past;
}

}  // namespace backbeat::detail

#endif
