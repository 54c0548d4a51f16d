//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_CLUSTER_RULES_HPP
#define BACKBEAT_SRC_EMULATOR_CLUSTER_RULES_HPP

#include "update_mask.hpp"
#include "violations.hpp"

#include <backbeat/memorystore/backup.hpp>
#include <backbeat/memorystore/cluster.hpp>
#include <backbeat/memorystore/reschedule_cluster_maintenance_request.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace backbeat::emulation {

inline constexpr std::int32_t maximum_shard_count = 250;

// Fields that only the service sets: what a request says there is ignored.
inline constexpr std::array<std::string_view, 13> cluster_output_only{
    "name",
    "create_time",
    "state",
    "uid",
    "size_gb",
    "discovery_endpoints",
    "psc_connections",
    "state_info",
    "precise_size_gb",
    "maintenance_schedule",
    "psc_service_attachments",
    "backup_collection",
    "encryption_info"};

// gcloud calls the policy by the name of its flag.
inline constexpr std::array<update_mask::alias, 2> cluster_mask_aliases{{
    {"maintenance_window", "maintenance_policy"},
    {"maintenanceWindow", "maintenance_policy"},
}};

// What can only be chosen for a new cluster.
void check_new_cluster(
    std::string_view cluster_id, std::string_view region, memorystore::cluster const& made, violations& found);

// What may not be changed. `after` is what the mask makes of `before`.
void check_cluster_update(memorystore::cluster const& before, memorystore::cluster const& after, violations& found);

// What holds for new and changed clusters alike. `name` is the cluster's.
void check_cluster_settings(std::string_view name, memorystore::cluster const& cluster, violations& found);

// What a new cluster that does not say otherwise has from the backup that it is filled from.
void take_from_backup(memorystore::cluster& made, memorystore::backup const& source);

// Sets what the service sets at once in a new cluster, and where the caller left the choice to it.
void fill_new_cluster(memorystore::cluster& made, std::string_view region);

// The same for what can be changed. `before` is the cluster as it was, or an empty one.
void fill_cluster_settings(
    memorystore::cluster& cluster, memorystore::cluster const& before, memorystore::timestamp now);

// What the cluster is going to be, for all to see while it is being changed.
[[nodiscard]] memorystore::state_info updating_to(memorystore::cluster const& after);

// Throws api_error for a request that lacks something.
void check_reschedule(memorystore::reschedule_cluster_maintenance_request const& request);

// Moves the maintenance, or, when it is done at once, removes it.
void reschedule_cluster(
    memorystore::cluster& cluster, memorystore::reschedule_cluster_maintenance_request const& request);

}  // namespace backbeat::emulation

#endif
