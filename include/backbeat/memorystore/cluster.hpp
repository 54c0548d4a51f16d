//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_CLUSTER_HPP
#define BACKBEAT_MEMORYSTORE_CLUSTER_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/automated_backup_config.hpp>
#include <backbeat/memorystore/cluster_endpoint.hpp>
#include <backbeat/memorystore/cluster_maintenance_policy.hpp>
#include <backbeat/memorystore/cluster_persistence_config.hpp>
#include <backbeat/memorystore/cross_cluster_replication_config.hpp>
#include <backbeat/memorystore/encryption_info.hpp>
#include <backbeat/memorystore/node_type.hpp>
#include <backbeat/memorystore/open_enum.hpp>
#include <backbeat/memorystore/psc_connection.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <boost/json/object.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat::memorystore {

/// What a cluster is doing.
enum class cluster_state : std::int32_t { state_unspecified = 0, creating = 1, active = 2, updating = 3, deleting = 4 };
BOOST_DESCRIBE_ENUM(cluster_state, state_unspecified, creating, active, updating, deleting)

/// Whether clients of a cluster must say who they are.
enum class authorization_mode : std::int32_t {
    auth_mode_unspecified = 0,
    auth_mode_iam_auth = 1,
    auth_mode_disabled = 2
};
BOOST_DESCRIBE_ENUM(authorization_mode, auth_mode_unspecified, auth_mode_iam_auth, auth_mode_disabled)

/// Whether a cluster speaks TLS. Neither names nor numbers are those of `transit_encryption_mode`.
enum class cluster_transit_encryption_mode : std::int32_t {
    transit_encryption_mode_unspecified = 0,
    transit_encryption_mode_disabled = 1,
    transit_encryption_mode_server_authentication = 2
};
BOOST_DESCRIBE_ENUM(
    cluster_transit_encryption_mode,
    transit_encryption_mode_unspecified,
    transit_encryption_mode_disabled,
    transit_encryption_mode_server_authentication)

/// Whether the nodes of a cluster are spread over zones. Unspecified: they are.
enum class zone_distribution_mode : std::int32_t {
    zone_distribution_mode_unspecified = 0,
    multi_zone = 1,
    single_zone = 2
};
BOOST_DESCRIBE_ENUM(zone_distribution_mode, zone_distribution_mode_unspecified, multi_zone, single_zone)

/// How the nodes of a cluster are spread over zones.
class zone_distribution_config {
public:
    zone_distribution_config() = default;

    open_enum<zone_distribution_mode> mode;
    /// Which zone, if `mode` is `single_zone`; otherwise ignored.
    std::string zone;

    boost::json::object unknown_fields;
    friend bool operator==(zone_distribution_config const&, zone_distribution_config const&) = default;
};
BOOST_DESCRIBE_STRUCT(zone_distribution_config, (), (mode, zone))

/// What a cluster is being made into.
class update_info {
public:
    update_info() = default;

    std::optional<std::int32_t> target_shard_count;
    std::optional<std::int32_t> target_replica_count;
    open_enum<node_type> target_node_type;

    boost::json::object unknown_fields;
    friend bool operator==(update_info const&, update_info const&) = default;
};
BOOST_DESCRIBE_STRUCT(update_info, (), (target_shard_count, target_replica_count, target_node_type))

/// What is known beyond the state of a cluster.
class state_info {
public:
    state_info() = default;

    /// While the state is `updating`.
    std::optional<memorystore::update_info> update_info;

    boost::json::object unknown_fields;
    friend bool operator==(state_info const&, state_info const&) = default;
};
BOOST_DESCRIBE_STRUCT(state_info, (), (update_info))

/// Backups in Cloud Storage that a new cluster is filled from.
class gcs_backup_source {
public:
    gcs_backup_source() = default;

    /// Such as `gs://bucket/object`; the buckets are in the cluster's region.
    std::vector<std::string> uris;

    boost::json::object unknown_fields;
    friend bool operator==(gcs_backup_source const&, gcs_backup_source const&) = default;
};
BOOST_DESCRIBE_STRUCT(gcs_backup_source, (), (uris))

/// A backup kept by the service that a new cluster is filled from.
class managed_backup_source {
public:
    managed_backup_source() = default;

    /// The name of a `backup`, also with `//redis.googleapis.com/` before it.
    std::string backup;

    boost::json::object unknown_fields;
    friend bool operator==(managed_backup_source const&, managed_backup_source const&) = default;
};
BOOST_DESCRIBE_STRUCT(managed_backup_source, (), (backup))

/**
 * \brief A Memorystore for Redis cluster: `google.cloud.redis.cluster.v1.Cluster`.
 * \details
 * Numbers and flags are optional here, because the API tells zero and `false` from nothing: a cluster may have zero
 * replicas. At most one of `gcs_source` and `managed_backup_source` is set.
 */
class cluster {
public:
    static constexpr std::string_view type_name = "google.cloud.redis.cluster.v1.Cluster";
    cluster() = default;

    /// `projects/{project}/locations/{region}/clusters/{cluster}`.
    std::string name;
    /// Output only.
    std::optional<timestamp> create_time;
    /// Output only.
    open_enum<cluster_state> state;
    /// Output only. Tells one incarnation of a name from another.
    std::string uid;
    /// Of each shard.
    std::optional<std::int32_t> replica_count;
    /// Unspecified: disabled.
    open_enum<memorystore::authorization_mode> authorization_mode;
    /// Unspecified: disabled.
    open_enum<cluster_transit_encryption_mode> transit_encryption_mode;
    /// Output only: of all shards, rounded up.
    std::optional<std::int32_t> size_gb;
    std::optional<std::int32_t> shard_count;
    /// Where it is to be reached from: one network so far.
    std::vector<psc_config> psc_configs;
    /// Output only.
    std::vector<discovery_endpoint> discovery_endpoints;
    /// Output only.
    std::vector<psc_connection> psc_connections;
    /// Output only.
    std::optional<memorystore::state_info> state_info;
    open_enum<memorystore::node_type> node_type;
    std::optional<cluster_persistence_config> persistence_config;
    std::map<std::string, std::string> redis_configs;
    /// Output only: of all shards.
    std::optional<double> precise_size_gb;
    std::optional<memorystore::zone_distribution_config> zone_distribution_config;
    std::optional<memorystore::cross_cluster_replication_config> cross_cluster_replication_config;
    /// Whether a delete fails.
    std::optional<bool> deletion_protection_enabled;
    std::optional<cluster_maintenance_policy> maintenance_policy;
    /// Output only.
    std::optional<cluster_maintenance_schedule> maintenance_schedule;
    /// Output only.
    std::vector<psc_service_attachment> psc_service_attachments;
    /// Fills the cluster when it is created.
    std::optional<gcs_backup_source> gcs_source;
    /// Fills the cluster when it is created.
    std::optional<memorystore::managed_backup_source> managed_backup_source;
    std::vector<cluster_endpoint> cluster_endpoints;
    /// Output only. The name of the `backup_collection` that its backups are in.
    std::string backup_collection;
    /// Encrypts the data at rest. Empty: a key of Google's.
    std::string kms_key;
    std::optional<memorystore::automated_backup_config> automated_backup_config;
    /// Output only.
    std::optional<memorystore::encryption_info> encryption_info;
    /// Whether customers' endpoints can be removed while their forwarding rules are still there.
    std::optional<bool> async_cluster_endpoints_deletion_enabled;
    /// Input only: starts maintenance now.
    std::optional<bool> ondemand_maintenance;

    boost::json::object unknown_fields;
    friend bool operator==(cluster const&, cluster const&) = default;
};
BOOST_DESCRIBE_STRUCT(
    cluster,
    (),
    (name,
     create_time,
     state,
     uid,
     replica_count,
     authorization_mode,
     transit_encryption_mode,
     size_gb,
     shard_count,
     psc_configs,
     discovery_endpoints,
     psc_connections,
     state_info,
     node_type,
     persistence_config,
     redis_configs,
     precise_size_gb,
     zone_distribution_config,
     cross_cluster_replication_config,
     deletion_protection_enabled,
     maintenance_policy,
     maintenance_schedule,
     psc_service_attachments,
     gcs_source,
     managed_backup_source,
     cluster_endpoints,
     backup_collection,
     kms_key,
     automated_backup_config,
     encryption_info,
     async_cluster_endpoints_deletion_enabled,
     ondemand_maintenance))

}  // namespace backbeat::memorystore

#endif
