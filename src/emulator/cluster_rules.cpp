//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "cluster_rules.hpp"

#include "cluster_network.hpp"
#include "locations_api.hpp"
#include "maintenance_window.hpp"
#include "resource_rules.hpp"

#include <backbeat/memorystore/duration.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace backbeat::emulation {

using memorystore::cluster;
using memorystore::node_type;

namespace {

using namespace std::chrono_literals;

constexpr std::int32_t default_shard_count = 3;
constexpr std::int32_t maximum_replica_count = 5;
constexpr std::int32_t maximum_node_count = 250;
constexpr auto day = 24h;
constexpr auto maintenance_time = 1h;

// As the service names them to gcloud.
constexpr std::array<redis_setting, 6> cluster_redis_settings{{
    {"maxclients", "", "number"},
    {"maxmemory", "", "text"},
    {"maxmemory-clients", "", "text"},
    {"maxmemory-policy", "", "policy"},
    {"notify-keyspace-events", "", "text"},
    {"slowlog-log-slower-than", "", "integer"},
}};

// Of one node, in tenths of a GB.
std::int64_t tenths_of(memorystore::open_enum<node_type> const& type)
{
    switch (type.known().value_or(node_type::node_type_unspecified)) {
    case node_type::redis_shared_core_nano: return 14;
    case node_type::redis_standard_small: return 65;
    case node_type::redis_highmem_xlarge: return 580;
    default: return 130;
    }
}

void check_size(cluster const& made, violations& found)
{
    auto const shards = made.shard_count.value_or(default_shard_count);
    auto const replicas = made.replica_count.value_or(0);
    auto const shards_fit = shards >= 1 && shards <= maximum_shard_count;
    if (!shards_fit) found.add("cluster.shardCount", "The number of shards must be from 1 to 250.");
    if (replicas < 0 || replicas > maximum_replica_count) {
        found.add("cluster.replicaCount", "The number of replicas of a shard must be from 0 to 5.");
    } else if (shards_fit && shards * (1 + replicas) > maximum_node_count) {
        found.add("cluster.shardCount", "The cluster must not have more than 250 nodes, replicas included.");
    }
}

void check_automated_backups(cluster const& made, violations& found)
{
    using memorystore::automated_backup_mode;
    if (!made.automated_backup_config) return;
    auto const& config = *made.automated_backup_config;
    if (config.automated_backup_mode != automated_backup_mode::enabled) return;
    std::string const root = "cluster.automatedBackupConfig.";
    if (config.fixed_frequency_schedule) {
        auto const& start = config.fixed_frequency_schedule->start_time;
        if (!start || !is_time_of_day(*start) || start->minutes != 0 || start->seconds != 0 || start->nanos != 0)
            found.add(
                root + "fixedFrequencySchedule.startTime", "Backups need a time of day to start at: on the hour.");
    }
    if (config.retention
        && (*config.retention < memorystore::duration(day) || *config.retention > memorystore::duration(365 * day)))
        found.add(root + "retention", "Backups are kept for 1 to 365 days: from 86400s to 31536000s.");
}

void check_remote(
    std::string_view name, memorystore::remote_cluster const& remote, std::string const& field, violations& found)
{
    if (!is_like(remote.cluster, "projects/*/locations/*/clusters/*")) {
        found.add(field, "The cluster must be like projects/p/locations/l/clusters/c.");
    } else if (remote.cluster == name) {
        found.add(field, "A cluster is not replicated to or from itself.");
    }
}

void check_replication(std::string_view name, cluster const& made, violations& found)
{
    using memorystore::cluster_role;
    if (!made.cross_cluster_replication_config) return;
    auto const& config = *made.cross_cluster_replication_config;
    auto const role = config.cluster_role.known().value_or(cluster_role::cluster_role_unspecified);
    std::string const primary = "cluster.crossClusterReplicationConfig.primaryCluster";
    std::string const secondaries = "cluster.crossClusterReplicationConfig.secondaryClusters";
    if (role == cluster_role::secondary) {
        check_remote(name, config.primary_cluster.value_or(memorystore::remote_cluster()), primary + ".cluster", found);
    } else if (config.primary_cluster) {
        found.add(primary, "Only a cluster of the role SECONDARY has a primary one.");
    }
    if (role != cluster_role::primary && !config.secondary_clusters.empty())
        found.add(secondaries, "Only a cluster of the role PRIMARY has secondary ones.");
    if (role != cluster_role::primary) return;
    std::size_t index = 0;
    for (auto const& each : config.secondary_clusters)
        check_remote(name, each, secondaries + "[" + std::to_string(index++) + "].cluster", found);
}

void fill_persistence(cluster& made, memorystore::timestamp now)
{
    using namespace memorystore;
    auto& config = made.persistence_config ? *made.persistence_config : made.persistence_config.emplace();
    if (config.mode.unspecified()) config.mode = cluster_persistence_mode::disabled;
    if (config.mode == cluster_persistence_mode::rdb) {
        auto& rdb = config.rdb_config ? *config.rdb_config : config.rdb_config.emplace();
        if (rdb.rdb_snapshot_period.unspecified())
            rdb.rdb_snapshot_period = cluster_rdb_snapshot_period::twenty_four_hours;
        if (!rdb.rdb_snapshot_start_time) rdb.rdb_snapshot_start_time = now;
    }
    if (config.mode == cluster_persistence_mode::aof) {
        auto& aof = config.aof_config ? *config.aof_config : config.aof_config.emplace();
        if (aof.append_fsync.unspecified()) aof.append_fsync = append_fsync::everysec;
    }
}

void fill_automated_backups(cluster& made)
{
    using memorystore::automated_backup_mode;
    auto& config =
        made.automated_backup_config ? *made.automated_backup_config : made.automated_backup_config.emplace();
    if (config.automated_backup_mode.unspecified()) config.automated_backup_mode = automated_backup_mode::disabled;
    if (config.automated_backup_mode == automated_backup_mode::enabled && !config.retention)
        config.retention.emplace(35 * day);
}

memorystore::cluster_maintenance_schedule schedule_at(memorystore::timestamp start)
{
    memorystore::cluster_maintenance_schedule result;
    result.start_time = start;
    result.end_time = later(start, maintenance_time);
    return result;
}

void fill_maintenance(cluster& made, cluster const& before, memorystore::timestamp now)
{
    if (!made.maintenance_policy) {
        made.maintenance_schedule.reset();
        return;
    }
    auto& policy = *made.maintenance_policy;
    auto const& old = before.maintenance_policy;
    if (old && policy.weekly_maintenance_window == old->weekly_maintenance_window) {
        // What a request says of times that only the service sets is no change.
        policy = *old;
        return;
    }
    policy.create_time = old ? old->create_time : now;
    policy.update_time = now;
    made.maintenance_schedule.reset();
    if (!policy.weekly_maintenance_window.empty())
        made.maintenance_schedule = schedule_at(next_window(policy.weekly_maintenance_window[0], now.time_point()));
}

void fill_replication(cluster& made, cluster const& before, memorystore::timestamp now)
{
    using memorystore::cluster_role;
    if (!made.cross_cluster_replication_config) return;
    auto& config = *made.cross_cluster_replication_config;
    auto const& old = before.cross_cluster_replication_config;
    auto const same = [](auto const& a, auto const& b) { return a.cluster == b.cluster; };
    auto const is_same = [&](memorystore::cross_cluster_replication_config const& other) {
        return config.cluster_role == other.cluster_role
            && config.primary_cluster.has_value() == other.primary_cluster.has_value()
            && (!config.primary_cluster || same(*config.primary_cluster, *other.primary_cluster))
            && std::equal(
                   config.secondary_clusters.begin(),
                   config.secondary_clusters.end(),
                   other.secondary_clusters.begin(),
                   other.secondary_clusters.end(),
                   same);
    };
    if (old && is_same(*old)) {
        config = *old;
        return;
    }
    config.update_time = now;
    config.membership.reset();
    memorystore::remote_cluster self;
    self.cluster = made.name;
    self.uid = made.uid;
    if (config.cluster_role == cluster_role::secondary) {
        auto& members = config.membership.emplace();
        members.primary_cluster = config.primary_cluster;
        members.secondary_clusters.push_back(self);
    } else if (config.cluster_role == cluster_role::primary) {
        auto& members = config.membership.emplace();
        members.primary_cluster = self;
        members.secondary_clusters = config.secondary_clusters;
    }
}

memorystore::encryption_info encryption_of(cluster const& made, memorystore::timestamp now)
{
    using namespace memorystore;
    encryption_info result;
    result.encryption_type = encryption_type::google_default_encryption;
    result.last_update_time = now;
    if (made.kms_key.empty()) return result;
    result.encryption_type = encryption_type::customer_managed_encryption;
    result.kms_key_versions.push_back(made.kms_key + "/cryptoKeyVersions/1");
    result.kms_key_primary_state = kms_key_state::enabled;
    return result;
}

}  // namespace

void check_new_cluster(std::string_view cluster_id, std::string_view region, cluster const& made, violations& found)
{
    using memorystore::zone_distribution_mode;
    if (!is_resource_id(cluster_id, 63)) {
        found.add(
            "clusterId",
            "The cluster id " + in_quotes(cluster_id)
                + " must have 1 to 63 lower case letters, digits and hyphens, begin with a letter "
                  "and end with a letter or a digit.");
    }
    if (made.zone_distribution_config) {
        auto const& config = *made.zone_distribution_config;
        if (config.mode == zone_distribution_mode::single_zone && !config.zone.empty()
            && !is_zone_of(region, config.zone)) {
            found.add(
                "cluster.zoneDistributionConfig.zone",
                "The zone must be one of the region, like " + std::string(region) + "-a.");
        }
    }
    if (!made.kms_key.empty() && !is_like(made.kms_key, "projects/*/locations/*/keyRings/*/cryptoKeys/*"))
        found.add("cluster.kmsKey", "The key must be like projects/p/locations/l/keyRings/r/cryptoKeys/k.");
    check_networks(made, found);
    if (made.gcs_source && made.managed_backup_source)
        found.add(
            "cluster.managedBackupSource", "A cluster is filled from gcsSource or managedBackupSource, not both.");
    if (!made.gcs_source) return;
    auto const& uris = made.gcs_source->uris;
    if (uris.empty() || !std::all_of(uris.begin(), uris.end(), is_storage_object)) {
        found.add(
            "cluster.gcsSource.uris", "The URIs must name objects in Cloud Storage, like gs://bucket/object.rdb.");
    }
}

void check_cluster_update(cluster const& before, cluster const& after, violations& found)
{
    auto const fixed = [&found](bool changed, char const* field) {
        if (changed) found.add(std::string("cluster.") + field, "This field of a cluster cannot be changed.");
    };
    fixed(after.authorization_mode != before.authorization_mode, "authorizationMode");
    fixed(after.transit_encryption_mode != before.transit_encryption_mode, "transitEncryptionMode");
    fixed(after.psc_configs != before.psc_configs, "pscConfigs");
    fixed(after.zone_distribution_config != before.zone_distribution_config, "zoneDistributionConfig");
    fixed(after.kms_key != before.kms_key, "kmsKey");
    fixed(after.gcs_source != before.gcs_source, "gcsSource");
    fixed(after.managed_backup_source != before.managed_backup_source, "managedBackupSource");
    if (!after.shard_count) found.add("cluster.shardCount", "The number of shards must be given: from 1 to 250.");
}

void check_cluster_settings(std::string_view name, cluster const& made, violations& found)
{
    check_size(made, found);
    check_redis_configs(made.redis_configs, cluster_redis_settings, {}, "cluster.redisConfigs", found);
    check_automated_backups(made, found);
    check_replication(name, made, found);
    check_endpoints(made, found);
    if (made.maintenance_policy) {
        check_maintenance_windows(
            made.maintenance_policy->weekly_maintenance_window,
            "cluster.maintenancePolicy.weeklyMaintenanceWindow",
            found);
    }
}

void take_from_backup(cluster& made, memorystore::backup const& source)
{
    if (!made.shard_count && source.shard_count > 0) made.shard_count = source.shard_count;
    if (!made.replica_count) made.replica_count = source.replica_count;
    if (made.node_type.unspecified()) made.node_type = source.node_type;
}

void fill_new_cluster(cluster& made, std::string_view region)
{
    using namespace memorystore;
    if (!made.shard_count) made.shard_count = default_shard_count;
    if (made.authorization_mode.unspecified()) made.authorization_mode = authorization_mode::auth_mode_disabled;
    if (made.transit_encryption_mode.unspecified())
        made.transit_encryption_mode = cluster_transit_encryption_mode::transit_encryption_mode_disabled;
    auto& zones =
        made.zone_distribution_config ? *made.zone_distribution_config : made.zone_distribution_config.emplace();
    if (zones.mode.unspecified()) zones.mode = zone_distribution_mode::multi_zone;
    if (zones.mode == zone_distribution_mode::single_zone && zones.zone.empty()) zones.zone = zones_of(region).front();
    if (made.create_time) made.encryption_info = encryption_of(made, *made.create_time);
    made.ondemand_maintenance.reset();
}

void fill_cluster_settings(cluster& made, cluster const& before, memorystore::timestamp now)
{
    if (!made.replica_count) made.replica_count = 0;
    if (made.node_type.unspecified()) made.node_type = node_type::redis_highmem_medium;
    if (!made.deletion_protection_enabled) made.deletion_protection_enabled = false;
    auto const tenths = tenths_of(made.node_type) * made.shard_count.value_or(default_shard_count);
    made.precise_size_gb = static_cast<double>(tenths) / 10;
    made.size_gb = static_cast<std::int32_t>((tenths + 9) / 10);
    fill_persistence(made, now);
    fill_automated_backups(made);
    fill_maintenance(made, before, now);
    fill_replication(made, before, now);
    fill_endpoints(made);
    if (made.ondemand_maintenance.value_or(false)) made.maintenance_schedule.reset();
    made.ondemand_maintenance.reset();
}

memorystore::state_info updating_to(cluster const& after)
{
    memorystore::update_info target;
    target.target_shard_count = after.shard_count;
    target.target_replica_count = after.replica_count;
    target.target_node_type = after.node_type;
    memorystore::state_info result;
    result.update_info = std::move(target);
    return result;
}

void check_reschedule(memorystore::reschedule_cluster_maintenance_request const& request)
{
    using memorystore::cluster_reschedule_type;
    violations found;
    if (request.reschedule_type.unspecified())
        found.add("rescheduleType", "The reschedule type must be given: IMMEDIATE or SPECIFIC_TIME.");
    if (request.reschedule_type == cluster_reschedule_type::specific_time && !request.schedule_time)
        found.add("scheduleTime", "The reschedule type SPECIFIC_TIME needs a time.");
    found.check();
}

void reschedule_cluster(cluster& made, memorystore::reschedule_cluster_maintenance_request const& request)
{
    made.maintenance_schedule.reset();
    if (request.reschedule_type == memorystore::cluster_reschedule_type::specific_time)
        made.maintenance_schedule = schedule_at(*request.schedule_time);
}

}  // namespace backbeat::emulation
