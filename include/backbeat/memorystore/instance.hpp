//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_INSTANCE_HPP
#define BACKBEAT_MEMORYSTORE_INSTANCE_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/day_of_week.hpp>
#include <backbeat/memorystore/duration.hpp>
#include <backbeat/memorystore/open_enum.hpp>
#include <backbeat/memorystore/time_of_day.hpp>
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

/// What an instance is doing.
enum class instance_state : std::int32_t {
    state_unspecified = 0,
    creating = 1,
    ready = 2,
    updating = 3,
    deleting = 4,
    repairing = 5,
    maintenance = 6,
    importing = 8,
    failing_over = 9
};
BOOST_DESCRIBE_ENUM(
    instance_state,
    state_unspecified,
    creating,
    ready,
    updating,
    deleting,
    repairing,
    maintenance,
    importing,
    failing_over)

/// The service tier.
enum class tier : std::int32_t { tier_unspecified = 0, basic = 1, standard_ha = 3 };
BOOST_DESCRIBE_ENUM(tier, tier_unspecified, basic, standard_ha)

/// How clients reach the instance.
enum class connect_mode : std::int32_t { connect_mode_unspecified = 0, direct_peering = 1, private_service_access = 2 };
BOOST_DESCRIBE_ENUM(connect_mode, connect_mode_unspecified, direct_peering, private_service_access)

/// Whether the instance speaks TLS.
enum class transit_encryption_mode : std::int32_t {
    transit_encryption_mode_unspecified = 0,
    server_authentication = 1,
    disabled = 2
};
BOOST_DESCRIBE_ENUM(transit_encryption_mode, transit_encryption_mode_unspecified, server_authentication, disabled)

/// Whether the replicas can be read from.
enum class read_replicas_mode : std::int32_t {
    read_replicas_mode_unspecified = 0,
    read_replicas_disabled = 1,
    read_replicas_enabled = 2
};
BOOST_DESCRIBE_ENUM(read_replicas_mode, read_replicas_mode_unspecified, read_replicas_disabled, read_replicas_enabled)

/// Why an instance is suspended.
enum class suspension_reason : std::int32_t { suspension_reason_unspecified = 0, customer_managed_key_issue = 1 };
BOOST_DESCRIBE_ENUM(suspension_reason, suspension_reason_unspecified, customer_managed_key_issue)

/// Whether the data is written to disk.
enum class persistence_mode : std::int32_t { persistence_mode_unspecified = 0, disabled = 1, rdb = 2 };
BOOST_DESCRIBE_ENUM(persistence_mode, persistence_mode_unspecified, disabled, rdb)

/// How often snapshots of an instance are taken.
enum class rdb_snapshot_period : std::int32_t {
    snapshot_period_unspecified = 0,
    one_hour = 3,
    six_hours = 4,
    twelve_hours = 5,
    twenty_four_hours = 6
};
BOOST_DESCRIBE_ENUM(
    rdb_snapshot_period, snapshot_period_unspecified, one_hour, six_hours, twelve_hours, twenty_four_hours)

/// When maintenance may happen, every week.
class weekly_maintenance_window {
public:
    weekly_maintenance_window() = default;

    open_enum<day_of_week> day;
    std::optional<time_of_day> start_time;
    /// Output only: always one hour so far.
    std::optional<memorystore::duration> duration;

    boost::json::object unknown_fields;
    friend bool operator==(weekly_maintenance_window const&, weekly_maintenance_window const&) = default;
};
BOOST_DESCRIBE_STRUCT(weekly_maintenance_window, (), (day, start_time, duration))

/// When maintenance may happen.
class maintenance_policy {
public:
    maintenance_policy() = default;

    /// Output only.
    std::optional<timestamp> create_time;
    /// Output only.
    std::optional<timestamp> update_time;
    std::string description;
    /// At most one.
    std::vector<memorystore::weekly_maintenance_window> weekly_maintenance_window;

    boost::json::object unknown_fields;
    friend bool operator==(maintenance_policy const&, maintenance_policy const&) = default;
};
BOOST_DESCRIBE_STRUCT(maintenance_policy, (), (create_time, update_time, description, weekly_maintenance_window))

/// When maintenance is going to happen.
class maintenance_schedule {
public:
    maintenance_schedule() = default;

    std::optional<timestamp> start_time;
    std::optional<timestamp> end_time;
    /// Deprecated by the API.
    bool can_reschedule = false;
    std::optional<timestamp> schedule_deadline_time;

    boost::json::object unknown_fields;
    friend bool operator==(maintenance_schedule const&, maintenance_schedule const&) = default;
};
BOOST_DESCRIBE_STRUCT(maintenance_schedule, (), (start_time, end_time, can_reschedule, schedule_deadline_time))

/// How the data is written to disk.
class persistence_config {
public:
    persistence_config() = default;

    open_enum<memorystore::persistence_mode> persistence_mode;
    open_enum<memorystore::rdb_snapshot_period> rdb_snapshot_period;
    /// Output only.
    std::optional<timestamp> rdb_next_snapshot_time;
    std::optional<timestamp> rdb_snapshot_start_time;

    boost::json::object unknown_fields;
    friend bool operator==(persistence_config const&, persistence_config const&) = default;
};
BOOST_DESCRIBE_STRUCT(
    persistence_config, (), (persistence_mode, rdb_snapshot_period, rdb_next_snapshot_time, rdb_snapshot_start_time))

/// A certificate authority of an instance.
class tls_certificate {
public:
    tls_certificate() = default;

    std::string serial_number;
    /// PEM.
    std::string cert;
    std::optional<timestamp> create_time;
    std::optional<timestamp> expire_time;
    std::string sha1_fingerprint;

    boost::json::object unknown_fields;
    friend bool operator==(tls_certificate const&, tls_certificate const&) = default;
};
BOOST_DESCRIBE_STRUCT(tls_certificate, (), (serial_number, cert, create_time, expire_time, sha1_fingerprint))

/// A node of an instance.
class node_info {
public:
    node_info() = default;

    std::string id;
    std::string zone;

    boost::json::object unknown_fields;
    friend bool operator==(node_info const&, node_info const&) = default;
};
BOOST_DESCRIBE_STRUCT(node_info, (), (id, zone))

/// A Memorystore for Redis instance: `google.cloud.redis.v1.Instance`.
class instance {
public:
    static constexpr std::string_view type_name = "google.cloud.redis.v1.Instance";
    instance() = default;

    /// `projects/{project}/locations/{region}/instances/{instance}`.
    std::string name;
    std::string display_name;
    std::map<std::string, std::string> labels;
    /// The zone.
    std::string location_id;
    /// The zone of the replica, another one than `location_id`. Standard tier only.
    std::string alternative_location_id;
    /// Such as `REDIS_7_2`.
    std::string redis_version;
    std::string reserved_ip_range;
    std::string secondary_ip_range;
    /// Output only.
    std::string host;
    /// Output only.
    std::int32_t port = 0;
    /// Output only.
    std::string current_location_id;
    /// Output only. Tells one incarnation of a name from another.
    std::optional<timestamp> create_time;
    /// Output only.
    open_enum<instance_state> state;
    /// Output only.
    std::string status_message;
    std::map<std::string, std::string> redis_configs;
    open_enum<memorystore::tier> tier;
    std::int32_t memory_size_gb = 0;
    std::string authorized_network;
    /// Output only.
    std::string persistence_iam_identity;
    open_enum<memorystore::connect_mode> connect_mode;
    bool auth_enabled = false;
    /// Output only.
    std::vector<tls_certificate> server_ca_certs;
    open_enum<memorystore::transit_encryption_mode> transit_encryption_mode;
    std::optional<memorystore::maintenance_policy> maintenance_policy;
    /// Output only.
    std::optional<memorystore::maintenance_schedule> maintenance_schedule;
    std::int32_t replica_count = 0;
    /// Output only.
    std::vector<node_info> nodes;
    /// Output only.
    std::string read_endpoint;
    /// Output only.
    std::int32_t read_endpoint_port = 0;
    open_enum<memorystore::read_replicas_mode> read_replicas_mode;
    std::string customer_managed_key;
    std::optional<memorystore::persistence_config> persistence_config;
    /// Output only.
    std::vector<open_enum<suspension_reason>> suspension_reasons;
    std::string maintenance_version;
    /// Output only.
    std::vector<std::string> available_maintenance_versions;
    /// Output only.
    std::optional<bool> satisfies_pzi;
    /// Output only.
    std::optional<bool> satisfies_pzs;
    /// Input only, immutable.
    std::map<std::string, std::string> tags;

    boost::json::object unknown_fields;
    friend bool operator==(instance const&, instance const&) = default;
};

BOOST_DESCRIBE_STRUCT(
    instance,
    (),
    (name,
     display_name,
     labels,
     location_id,
     alternative_location_id,
     redis_version,
     reserved_ip_range,
     secondary_ip_range,
     host,
     port,
     current_location_id,
     create_time,
     state,
     status_message,
     redis_configs,
     tier,
     memory_size_gb,
     authorized_network,
     persistence_iam_identity,
     connect_mode,
     auth_enabled,
     server_ca_certs,
     transit_encryption_mode,
     maintenance_policy,
     maintenance_schedule,
     replica_count,
     nodes,
     read_endpoint,
     read_endpoint_port,
     read_replicas_mode,
     customer_managed_key,
     persistence_config,
     suspension_reasons,
     maintenance_version,
     available_maintenance_versions,
     satisfies_pzi,
     satisfies_pzs,
     tags))

}  // namespace backbeat::memorystore

#endif
