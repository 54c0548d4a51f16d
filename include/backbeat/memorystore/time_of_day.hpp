//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_TIME_OF_DAY_HPP
#define BACKBEAT_MEMORYSTORE_TIME_OF_DAY_HPP

#include <backbeat/config.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>

#include <cstdint>

namespace backbeat::memorystore {

/// A time of day, in UTC: `google.type.TimeOfDay`.
class time_of_day {
public:
    time_of_day() = default;

    std::int32_t hours = 0;
    std::int32_t minutes = 0;
    std::int32_t seconds = 0;
    std::int32_t nanos = 0;

    boost::json::object unknown_fields;
    friend bool operator==(time_of_day const&, time_of_day const&) = default;
};
BOOST_DESCRIBE_STRUCT(time_of_day, (), (hours, minutes, seconds, nanos))

}  // namespace backbeat::memorystore

#endif
