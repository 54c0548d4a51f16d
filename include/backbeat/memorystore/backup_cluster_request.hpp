//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_BACKUP_CLUSTER_REQUEST_HPP
#define BACKBEAT_MEMORYSTORE_BACKUP_CLUSTER_REQUEST_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/duration.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace backbeat::memorystore {

/// Takes a backup of a cluster: `google.cloud.redis.cluster.v1.BackupClusterRequest`.
class backup_cluster_request {
public:
    static constexpr std::string_view type_name = "google.cloud.redis.cluster.v1.BackupClusterRequest";
    backup_cluster_request() = default;

    /// Empty: made by the service of the time and the cluster's uid.
    std::string backup_id;
    /// How long it is kept: one day to 100 years. Empty: 100 years.
    std::optional<duration> ttl;

    boost::json::object unknown_fields;
    friend bool operator==(backup_cluster_request const&, backup_cluster_request const&) = default;
};
BOOST_DESCRIBE_STRUCT(backup_cluster_request, (), (backup_id, ttl))

}  // namespace backbeat::memorystore

#endif
