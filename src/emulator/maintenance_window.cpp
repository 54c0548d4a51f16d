//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "maintenance_window.hpp"

#include <algorithm>
#include <cstdint>

namespace backbeat::emulation {

bool is_time_of_day(memorystore::time_of_day const& time) noexcept
{
    auto const within = [](std::int32_t number, std::int32_t limit) { return number >= 0 && number < limit; };
    return within(time.hours, 24) && within(time.minutes, 60) && within(time.seconds, 60)
        && within(time.nanos, 1'000'000'000);
}

memorystore::timestamp later(memorystore::timestamp time, std::chrono::nanoseconds span)
{
    using clock = std::chrono::system_clock;
    auto const step = std::chrono::duration_cast<clock::duration>(span);
    return (std::min)(time.time_point(), (clock::time_point::max)() - step) + step;
}

std::chrono::system_clock::time_point next_time(
    memorystore::open_enum<memorystore::day_of_week> const& day,
    memorystore::time_of_day const& time,
    std::chrono::system_clock::time_point now)
{
    auto const today = std::chrono::floor<std::chrono::days>(now);
    auto const wanted = static_cast<unsigned>(day.number().value_or(1));
    auto const days = (wanted + 7 - std::chrono::weekday(today).iso_encoding()) % 7;
    std::chrono::system_clock::time_point start = today + std::chrono::days(days) + std::chrono::hours(time.hours)
        + std::chrono::minutes(time.minutes) + std::chrono::seconds(time.seconds);
    if (start <= now) start += std::chrono::days(7);
    return start;
}

}  // namespace backbeat::emulation
