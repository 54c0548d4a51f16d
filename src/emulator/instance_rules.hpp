//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_INSTANCE_RULES_HPP
#define BACKBEAT_SRC_EMULATOR_INSTANCE_RULES_HPP

#include "update_mask.hpp"
#include "violations.hpp"

#include <backbeat/memorystore/instance.hpp>
#include <backbeat/memorystore/reschedule_maintenance_request.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <array>
#include <string>
#include <string_view>

namespace backbeat::emulation {

// Fields that only the service sets: what a request says there is ignored.
inline constexpr std::array<std::string_view, 17> instance_output_only{
    "name",
    "host",
    "port",
    "current_location_id",
    "create_time",
    "state",
    "status_message",
    "persistence_iam_identity",
    "server_ca_certs",
    "maintenance_schedule",
    "nodes",
    "read_endpoint",
    "read_endpoint_port",
    "suspension_reasons",
    "available_maintenance_versions",
    "satisfies_pzi",
    "satisfies_pzs"};

// Whether there is such a version of Redis; and the sentence that says which there are.
[[nodiscard]] bool is_redis_version(std::string_view version) noexcept;
[[nodiscard]] std::string redis_version_rule();

// What can only be chosen for a new instance.
void check_new_instance(
    std::string_view instance_id, std::string_view region, memorystore::instance const& made, violations& found);

// What may not be changed, or not in this way. `after` is what the mask makes of `before`.
void check_instance_update(
    memorystore::instance const& before,
    memorystore::instance const& after,
    update_mask const& mask,
    violations& found);

// What holds for new and changed instances alike.
void check_instance_settings(memorystore::instance const& instance, violations& found);

// Sets what the service sets at once in a new instance, and where the caller left the choice to it.
void fill_new_instance(memorystore::instance& made, std::string_view project, std::string_view region);

// The same for what can be changed. `before` is the instance as it was, or an empty one.
void fill_instance_settings(
    memorystore::instance& instance, memorystore::instance const& before, memorystore::timestamp now);

// Sets what the service sets when a new instance is ready: where it can be reached.
void fill_ready_instance(memorystore::instance& made);

// The nodes and the read endpoint that the replicas need.
void place_instance_nodes(memorystore::instance& instance);

// Moves the maintenance, or, when it is done at once, removes it.
void reschedule_instance(
    memorystore::instance& instance,
    memorystore::reschedule_maintenance_request const& request,
    memorystore::timestamp now);

}  // namespace backbeat::emulation

#endif
