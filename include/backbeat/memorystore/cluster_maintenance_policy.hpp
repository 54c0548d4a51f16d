//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_CLUSTER_MAINTENANCE_POLICY_HPP
#define BACKBEAT_MEMORYSTORE_CLUSTER_MAINTENANCE_POLICY_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/day_of_week.hpp>
#include <backbeat/memorystore/open_enum.hpp>
#include <backbeat/memorystore/time_of_day.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>

#include <optional>
#include <vector>

namespace backbeat::memorystore {

/// When maintenance of a cluster may happen, every week.
class cluster_weekly_maintenance_window {
public:
    cluster_weekly_maintenance_window() = default;

    open_enum<day_of_week> day;
    std::optional<time_of_day> start_time;

    boost::json::object unknown_fields;
    friend bool operator==(cluster_weekly_maintenance_window const&, cluster_weekly_maintenance_window const&) =
        default;
};
BOOST_DESCRIBE_STRUCT(cluster_weekly_maintenance_window, (), (day, start_time))

/// When maintenance of a cluster may happen.
class cluster_maintenance_policy {
public:
    cluster_maintenance_policy() = default;

    /// Output only.
    std::optional<timestamp> create_time;
    /// Output only.
    std::optional<timestamp> update_time;
    /// At most one.
    std::vector<cluster_weekly_maintenance_window> weekly_maintenance_window;

    boost::json::object unknown_fields;
    friend bool operator==(cluster_maintenance_policy const&, cluster_maintenance_policy const&) = default;
};
BOOST_DESCRIBE_STRUCT(cluster_maintenance_policy, (), (create_time, update_time, weekly_maintenance_window))

/// When maintenance of a cluster is going to happen. Output only.
class cluster_maintenance_schedule {
public:
    cluster_maintenance_schedule() = default;

    std::optional<timestamp> start_time;
    std::optional<timestamp> end_time;

    boost::json::object unknown_fields;
    friend bool operator==(cluster_maintenance_schedule const&, cluster_maintenance_schedule const&) = default;
};
BOOST_DESCRIBE_STRUCT(cluster_maintenance_schedule, (), (start_time, end_time))

}  // namespace backbeat::memorystore

#endif
