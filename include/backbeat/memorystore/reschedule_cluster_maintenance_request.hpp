//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_RESCHEDULE_CLUSTER_MAINTENANCE_REQUEST_HPP
#define BACKBEAT_MEMORYSTORE_RESCHEDULE_CLUSTER_MAINTENANCE_REQUEST_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/open_enum.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace backbeat::memorystore {

/// When maintenance of a cluster is to happen instead. There is no 2.
enum class cluster_reschedule_type : std::int32_t { reschedule_type_unspecified = 0, immediate = 1, specific_time = 3 };
BOOST_DESCRIBE_ENUM(cluster_reschedule_type, reschedule_type_unspecified, immediate, specific_time)

/// Moves the maintenance of a cluster: `google.cloud.redis.cluster.v1.RescheduleClusterMaintenanceRequest`.
class reschedule_cluster_maintenance_request {
public:
    static constexpr std::string_view type_name = "google.cloud.redis.cluster.v1.RescheduleClusterMaintenanceRequest";
    reschedule_cluster_maintenance_request() = default;

    open_enum<cluster_reschedule_type> reschedule_type;
    /// Required for `specific_time`.
    std::optional<timestamp> schedule_time;

    boost::json::object unknown_fields;
    friend bool operator==(
        reschedule_cluster_maintenance_request const&, reschedule_cluster_maintenance_request const&) = default;
};
BOOST_DESCRIBE_STRUCT(reschedule_cluster_maintenance_request, (), (reschedule_type, schedule_time))

}  // namespace backbeat::memorystore

#endif
