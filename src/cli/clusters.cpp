//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "change_command.hpp"
#include "command.hpp"
#include "maintenance_flags.hpp"
#include "message_flags.hpp"
#include "read_command.hpp"
#include "resource_kind.hpp"

#include <backbeat/memorystore/client.hpp>
#include <backbeat/memorystore/resource_name.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>
#include <memory>
#include <string>
#include <utility>

namespace backbeat::cli {

namespace {

namespace asio = boost::asio;
using asio::use_awaitable;
using memorystore::call_options;
using memorystore::client;
using memorystore::cluster;
using begun = asio::awaitable<memorystore::operation>;

constexpr std::array authority_columns{column{"name"}, column{"ca_certs", "managedServerCa.caCerts.certificates"}};

std::unique_ptr<command> make_clusters_list()
{
    return make_list(cluster_kind(), service::region::any, [](client& redis, std::string parent) {
        return as_json(redis.async_list_all_clusters(std::move(parent), use_awaitable));
    });
}

std::unique_ptr<command> make_clusters_get()
{
    auto const& kind = cluster_kind();
    return make_get(kind, service::region::needed, kind.record, [](client& redis, std::string name) {
        return as_json(redis.async_get_cluster(std::move(name), use_awaitable));
    });
}

std::unique_ptr<command> make_clusters_authority()
{
    return make_get(cluster_kind(), service::region::needed, authority_columns, [](client& redis, std::string name) {
        return as_json(redis.async_get_cluster_certificate_authority(std::move(name), use_awaitable));
    });
}

// What can be said of a cluster both when it is made and later.
void add_changeable_fields(message_flags<cluster>& flags)
{
    flags.field(&cluster::shard_count, "The number of shards.");
    flags.field(&cluster::replica_count, "The number of replicas of each shard.");
    flags.field(&cluster::node_type, "What the nodes are made of.");
    flags.field(&cluster::redis_configs, "Parameters of Redis, like maxmemory-policy=allkeys-lru.");
    flags.field(&cluster::deletion_protection_enabled, "Whether a delete fails.");
    flags.field(
        "--persistence-mode",
        &cluster::persistence_config,
        &memorystore::cluster_persistence_config::mode,
        "How the data is written to disk.");
    flags.field(
        "--automated-backup-mode",
        &cluster::automated_backup_config,
        &memorystore::automated_backup_config::automated_backup_mode,
        "Whether the service takes backups of its own accord.");
    flags.field(
        "--automated-backup-retention",
        &cluster::automated_backup_config,
        &memorystore::automated_backup_config::retention,
        "How long it keeps them, like 840h.");
    add_maintenance_window<memorystore::cluster_weekly_maintenance_window>(flags);
}

void add_created_fields(message_flags<cluster>& flags)
{
    flags.add(
        "--network",
        "pscConfigs",
        {"NAME", {}, {}, true},
        "Where its endpoints are: projects/.../global/networks/....",
        [](cluster& wanted, std::string const& text) { wanted.psc_configs.emplace_back().network = text; });
    add_changeable_fields(flags);
    flags.field(&cluster::authorization_mode, "Whether clients must say who they are.");
    flags.field(&cluster::transit_encryption_mode, "Whether it speaks TLS.");
    flags.field(&cluster::kms_key, "Encrypts the data at rest: projects/.../cryptoKeys/....");
    flags.field(
        "--zone-distribution-mode",
        &cluster::zone_distribution_config,
        &memorystore::zone_distribution_config::mode,
        "Whether its nodes are spread over zones.");
    flags.field(
        "--zone",
        &cluster::zone_distribution_config,
        &memorystore::zone_distribution_config::zone,
        "Which zone, with SINGLE_ZONE.");
    flags.field(
        "--managed-backup-source",
        &cluster::managed_backup_source,
        &memorystore::managed_backup_source::backup,
        "The name of the backup that it is filled from.");
    flags.add(
        "--gcs-source",
        "gcsSource",
        {"URI", {}, {}, true},
        "A backup in Cloud Storage that it is filled from, like gs://bucket/object.rdb.",
        [](cluster& wanted, std::string const& text) {
            auto& source = wanted.gcs_source;
            (source ? *source : source.emplace()).uris.push_back(text);
        });
}

std::unique_ptr<command> make_clusters_create()
{
    return std::make_unique<create_command<cluster>>(create_description<cluster>{
        cluster_kind,
        "the id of the cluster: 1 to 63 lower-case letters, digits and hyphens",
        "Cluster",
        memorystore::check_cluster_id,
        add_created_fields,
        [] { return cluster(); },
        [](client& redis, std::string parent, std::string id, cluster wanted, call_options options) -> begun {
            return redis.async_create_cluster(
                std::move(parent), std::move(id), std::move(wanted), std::move(options), use_awaitable);
        },
        request_ids::yes});
}

std::unique_ptr<command> make_clusters_update()
{
    return std::make_unique<update_command<cluster>>(update_description<cluster>{
        cluster_kind,
        "Fields to change",
        [](message_flags<cluster>& flags) {
            add_changeable_fields(flags);
            flags.clear(&cluster::redis_configs);
        },
        [](client& redis, std::string name) -> boost::asio::awaitable<cluster> {
            return redis.async_get_cluster(std::move(name), use_awaitable);
        },
        [](client& redis, cluster wanted, memorystore::update_mask mask, call_options options) -> begun {
            return redis.async_update_cluster(std::move(wanted), std::move(mask), std::move(options), use_awaitable);
        },
        request_ids::yes});
}

std::unique_ptr<command> make_clusters_delete()
{
    using nothing = memorystore::empty;
    return std::make_unique<act_command<nothing>>(act_description<nothing>{
        cluster_kind,
        "cannot be deleted",
        "",
        [](message_flags<nothing>&) {},
        // NOLINTNEXTLINE(performance-unnecessary-value-param): all commands have this type.
        [](client& redis, std::string name, nothing, call_options options) -> begun {
            return redis.async_delete_cluster(std::move(name), std::move(options), use_awaitable);
        },
        request_ids::yes});
}

std::unique_ptr<command> make_clusters_backup()
{
    using request = memorystore::backup_cluster_request;
    return std::make_unique<act_command<request>>(act_description<request>{
        cluster_kind,
        "cannot be backed up",
        "Backup",
        [](message_flags<request>& flags) {
            flags.initially("a random one").field(&request::backup_id, "The id of the backup.");
            flags.initially("100 years").field(&request::ttl, "How long it is kept, like 720h; at least a day.");
        },
        [](client& redis, std::string name, request wanted, call_options options) -> begun {
            return redis.async_backup_cluster(std::move(name), std::move(wanted), std::move(options), use_awaitable);
        }});
}

std::unique_ptr<command> make_clusters_reschedule()
{
    using request = memorystore::reschedule_cluster_maintenance_request;
    return std::make_unique<act_command<request>>(act_description<request>{
        cluster_kind,
        "cannot have its maintenance moved",
        "Maintenance",
        [](message_flags<request>& flags) {
            flags.field(&request::reschedule_type, "When it is to happen instead.");
            flags.field(&request::schedule_time, "For SPECIFIC_TIME.");
        },
        [](client& redis, std::string name, request wanted, call_options options) -> begun {
            return redis.async_reschedule_cluster_maintenance(
                std::move(name), std::move(wanted), std::move(options), use_awaitable);
        }});
}

constexpr std::array cluster_entries{
    command_entry{"clusters", "list", "Lists the clusters of a project.", make_clusters_list},
    command_entry{"clusters", "get", "Shows a cluster.", make_clusters_get},
    command_entry{"clusters", "create", "Begins to create a cluster, and shows the operation.", make_clusters_create},
    command_entry{
        "clusters", "update", "Begins to change fields of a cluster, and shows the operation.", make_clusters_update},
    command_entry{"clusters", "delete", "Begins to delete a cluster, and shows the operation.", make_clusters_delete},
    command_entry{"clusters", "backup", "Begins to take a backup of a cluster.", make_clusters_backup},
    command_entry{"clusters", "reschedule", "Moves the maintenance of a cluster.", make_clusters_reschedule},
    command_entry{
        "clusters",
        "certificate-authority",
        "Shows the certificates that a cluster is to be verified with.",
        make_clusters_authority},
};

}  // namespace

std::span<command_entry const> cluster_commands()
{
    return cluster_entries;
}

}  // namespace backbeat::cli
