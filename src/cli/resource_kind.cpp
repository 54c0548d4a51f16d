//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "resource_kind.hpp"

#include <backbeat/memorystore/resource_name.hpp>

#include <array>

namespace backbeat::cli {

namespace {

constexpr std::array instance_list{
    column{"ID", "name", column::part::last},
    column{"REGION", "name", column::part::region},
    column{"TIER", "tier"},
    column{"SIZE_GB", "memorySizeGb"},
    column{"VERSION", "redisVersion"},
    column{"HOST", "host"},
    column{"PORT", "port"},
    column{"STATE", "state"},
    column{"CREATED", "createTime"}};

constexpr std::array instance_record{column{"name"},          column{"display_name"},
                                     column{"state"},         column{"status_message"},
                                     column{"tier"},          column{"memory_size_gb"},
                                     column{"redis_version"}, column{"redis_configs"},
                                     column{"replica_count"}, column{"read_replicas_mode"},
                                     column{"host"},          column{"port"},
                                     column{"read_endpoint"}, column{"read_endpoint_port"},
                                     column{"location_id"},   column{"connect_mode"},
                                     column{"auth_enabled"},  column{"transit_encryption_mode"},
                                     column{"labels"},        column{"create_time"}};

constexpr std::array cluster_list{
    column{"ID", "name", column::part::last},
    column{"REGION", "name", column::part::region},
    column{"NODE_TYPE", "nodeType"},
    column{"SHARDS", "shardCount"},
    column{"REPLICAS", "replicaCount"},
    column{"SIZE_GB", "sizeGb"},
    column{"STATE", "state"},
    column{"CREATED", "createTime"}};

constexpr std::array cluster_record{
    column{"name"},
    column{"uid"},
    column{"state"},
    column{"node_type"},
    column{"shard_count"},
    column{"replica_count"},
    column{"size_gb"},
    column{"redis_configs"},
    column{"authorization_mode"},
    column{"transit_encryption_mode"},
    column{"discovery_address", "discoveryEndpoints.address"},
    column{"discovery_port", "discoveryEndpoints.port"},
    column{"deletion_protection_enabled"},
    column{"backup_collection"},
    column{"create_time"}};

constexpr std::array backup_collection_list{
    column{"ID", "name", column::part::last},
    column{"REGION", "name", column::part::region},
    column{"CLUSTER", "cluster", column::part::last},
    column{"CREATED", "createTime"}};

constexpr std::array backup_collection_record{
    column{"name"}, column{"uid"}, column{"cluster"}, column{"cluster_uid"}, column{"kms_key"}, column{"create_time"}};

constexpr std::array backup_list{
    column{"ID", "name", column::part::last},
    column{"CLUSTER", "cluster", column::part::last},
    column{"TYPE", "backupType"},
    column{"SIZE_BYTES", "totalSizeBytes"},
    column{"STATE", "state"},
    column{"CREATED", "createTime"},
    column{"EXPIRES", "expireTime"}};

constexpr std::array backup_record{
    column{"name"},
    column{"uid"},
    column{"cluster"},
    column{"cluster_uid"},
    column{"state"},
    column{"backup_type"},
    column{"total_size_bytes"},
    column{"engine_version"},
    column{"node_type"},
    column{"shard_count"},
    column{"replica_count"},
    column{"create_time"},
    column{"expire_time"}};

constexpr std::array operation_list{
    column{"ID", "name", column::part::last},
    column{"VERB", "metadata.verb"},
    column{"TARGET", "metadata.target", column::part::last},
    column{"DONE", "done", column::part::flag},
    column{"ERROR", "error", column::part::failure},
    column{"CREATED", "metadata.createTime"},
    column{"ENDED", "metadata.endTime"}};

constexpr std::array operation_record{
    column{"name"},
    column{"verb", "metadata.verb"},
    column{"target", "metadata.target"},
    column{"done", "done", column::part::flag},
    column{"error", "error", column::part::failure},
    column{"create_time", "metadata.createTime"},
    column{"end_time", "metadata.endTime"}};

constexpr std::array location_list{
    column{"ID", "locationId"},
    column{"NAME", "displayName"},
    column{"ZONES", "metadata.availableZones", column::part::keys}};

constexpr std::array location_record{
    column{"name"},
    column{"location_id"},
    column{"display_name"},
    column{"labels"},
    column{"zones", "metadata.availableZones", column::part::keys}};

template <class Name>
std::string checked(std::string const& name)
{
    return Name::parse(name).to_string();
}

}  // namespace

resource_kind const& instance_kind()
{
    static constexpr resource_kind kind{
        "instances",
        "instances",
        "ID",
        "the id of the instance, or its whole name, projects/.../instances/ID",
        checked<memorystore::instance_name>,
        instance_list,
        instance_record};
    return kind;
}

resource_kind const& cluster_kind()
{
    static constexpr resource_kind kind{
        "clusters",
        "clusters",
        "ID",
        "the id of the cluster, or its whole name, projects/.../clusters/ID",
        checked<memorystore::cluster_name>,
        cluster_list,
        cluster_record};
    return kind;
}

resource_kind const& backup_collection_kind()
{
    static constexpr resource_kind kind{
        "backup collections",
        "backupCollections",
        "ID",
        "the id of the backup collection, or its whole name, projects/.../backupCollections/ID",
        checked<memorystore::backup_collection_name>,
        backup_collection_list,
        backup_collection_record};
    return kind;
}

resource_kind const& backup_kind()
{
    static constexpr resource_kind kind{
        "backups",
        "backups",
        "ID",
        "the id of the backup, or its whole name, projects/.../backups/ID",
        checked<memorystore::backup_name>,
        backup_list,
        backup_record};
    return kind;
}

resource_kind const& operation_kind()
{
    static constexpr resource_kind kind{
        "operations",
        "operations",
        "NAME",
        "the name of the operation, projects/.../operations/..., or its last part",
        checked<memorystore::operation_name>,
        operation_list,
        operation_record};
    return kind;
}

resource_kind const& location_kind()
{
    static constexpr resource_kind kind{
        "locations",
        "locations",
        "ID",
        "the id of the location, like us-central1, or its whole name, projects/.../locations/ID",
        checked<memorystore::location_name>,
        location_list,
        location_record};
    return kind;
}

}  // namespace backbeat::cli
