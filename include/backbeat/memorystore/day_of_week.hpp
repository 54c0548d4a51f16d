//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_DAY_OF_WEEK_HPP
#define BACKBEAT_MEMORYSTORE_DAY_OF_WEEK_HPP

#include <backbeat/config.hpp>

#include <boost/describe/enum.hpp>

#include <cstdint>

namespace backbeat::memorystore {

/// A day of the week: `google.type.DayOfWeek`.
enum class day_of_week : std::int32_t {
    day_of_week_unspecified = 0,
    monday = 1,
    tuesday = 2,
    wednesday = 3,
    thursday = 4,
    friday = 5,
    saturday = 6,
    sunday = 7
};
BOOST_DESCRIBE_ENUM(
    day_of_week, day_of_week_unspecified, monday, tuesday, wednesday, thursday, friday, saturday, sunday)

}  // namespace backbeat::memorystore

#endif
