//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_MAINTENANCE_WINDOW_HPP
#define BACKBEAT_SRC_EMULATOR_MAINTENANCE_WINDOW_HPP

#include "violations.hpp"

#include <backbeat/memorystore/day_of_week.hpp>
#include <backbeat/memorystore/open_enum.hpp>
#include <backbeat/memorystore/time_of_day.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace backbeat::emulation {

// The weekly windows of instances and of clusters are messages of their own that say the same.

[[nodiscard]] bool is_time_of_day(memorystore::time_of_day const& time) noexcept;

// Saturating: clients may write times that are as far away as a time_point reaches.
[[nodiscard]] memorystore::timestamp later(memorystore::timestamp time, std::chrono::nanoseconds span);

// The next time, after now, at which it is this time of this day.
[[nodiscard]] std::chrono::system_clock::time_point next_time(
    memorystore::open_enum<memorystore::day_of_week> const& day,
    memorystore::time_of_day const& time,
    std::chrono::system_clock::time_point now);

// The same for a window.
template <class Window>
[[nodiscard]] std::chrono::system_clock::time_point next_window(
    Window const& window, std::chrono::system_clock::time_point now)
{
    return next_time(window.day, window.start_time.value_or(memorystore::time_of_day()), now);
}

// `field` is that of the windows, like `instance.maintenancePolicy.weeklyMaintenanceWindow`.
template <class Window>
void check_maintenance_windows(std::vector<Window> const& windows, std::string const& field, violations& found)
{
    if (windows.size() > 1) found.add(field, "There can be no more than one maintenance window.");
    if (windows.empty()) return;
    auto const& window = windows.front();
    if (window.day.unspecified()) found.add(field + "[0].day", "A maintenance window needs a day.");
    if (!window.start_time || !is_time_of_day(*window.start_time))
        found.add(field + "[0].startTime", "A maintenance window needs a time of day at which it starts.");
}

}  // namespace backbeat::emulation

#endif
