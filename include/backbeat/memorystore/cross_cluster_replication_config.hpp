//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_CROSS_CLUSTER_REPLICATION_CONFIG_HPP
#define BACKBEAT_MEMORYSTORE_CROSS_CLUSTER_REPLICATION_CONFIG_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/open_enum.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace backbeat::memorystore {

/// What a cluster is to others.
enum class cluster_role : std::int32_t { cluster_role_unspecified = 0, none = 1, primary = 2, secondary = 3 };
BOOST_DESCRIBE_ENUM(cluster_role, cluster_role_unspecified, none, primary, secondary)

/// Another cluster that is replicated to or from.
class remote_cluster {
public:
    remote_cluster() = default;

    /// `projects/{project}/locations/{region}/clusters/{cluster}`.
    std::string cluster;
    /// Output only.
    std::string uid;

    boost::json::object unknown_fields;
    friend bool operator==(remote_cluster const&, remote_cluster const&) = default;
};
BOOST_DESCRIBE_STRUCT(remote_cluster, (), (cluster, uid))

/// All clusters that replicate among each other, as each of them tells it. Output only.
class membership {
public:
    membership() = default;

    std::optional<remote_cluster> primary_cluster;
    std::vector<remote_cluster> secondary_clusters;

    boost::json::object unknown_fields;
    friend bool operator==(membership const&, membership const&) = default;
};
BOOST_DESCRIBE_STRUCT(membership, (), (primary_cluster, secondary_clusters))

/// How a cluster is replicated to or from others.
class cross_cluster_replication_config {
public:
    cross_cluster_replication_config() = default;

    open_enum<memorystore::cluster_role> cluster_role;
    /// What a secondary cluster is replicated from.
    std::optional<remote_cluster> primary_cluster;
    /// What a primary cluster is replicated to.
    std::vector<remote_cluster> secondary_clusters;
    /// Output only.
    std::optional<timestamp> update_time;
    /// Output only.
    std::optional<memorystore::membership> membership;

    boost::json::object unknown_fields;
    friend bool operator==(cross_cluster_replication_config const&, cross_cluster_replication_config const&) = default;
};
BOOST_DESCRIBE_STRUCT(
    cross_cluster_replication_config, (), (cluster_role, primary_cluster, secondary_clusters, update_time, membership))

}  // namespace backbeat::memorystore

#endif
