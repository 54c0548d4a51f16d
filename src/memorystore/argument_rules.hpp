//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_ARGUMENT_RULES_HPP
#define BACKBEAT_SRC_MEMORYSTORE_ARGUMENT_RULES_HPP

#include <backbeat/memorystore/backup_cluster_request.hpp>
#include <backbeat/memorystore/cluster.hpp>
#include <backbeat/memorystore/export_backup_request.hpp>
#include <backbeat/memorystore/export_instance_request.hpp>
#include <backbeat/memorystore/failover_instance_request.hpp>
#include <backbeat/memorystore/import_instance_request.hpp>
#include <backbeat/memorystore/instance.hpp>
#include <backbeat/memorystore/reschedule_cluster_maintenance_request.hpp>
#include <backbeat/memorystore/reschedule_maintenance_request.hpp>
#include <backbeat/memorystore/upgrade_instance_request.hpp>

#include <string>
#include <string_view>
#include <vector>

// What the API's documentation says of arguments for certain. Whatever else is wrong with them the service says.
// All of these functions throw std::invalid_argument, with a text that quotes the rule.
namespace backbeat::memorystore::detail {

// What is to be created under `name`.
void check_new(instance const& wanted, std::string_view name);
void check_new(cluster const& wanted, std::string_view name);

// What an update sets these fields to.
void check_changed(instance const& wanted, std::vector<std::string> const& fields);
void check_changed(cluster const& wanted, std::vector<std::string> const& fields);

void check_request(export_instance_request const& wanted);
void check_request(import_instance_request const& wanted);
void check_request(failover_instance_request const& wanted);
void check_request(upgrade_instance_request const& wanted);
void check_request(reschedule_maintenance_request const& wanted);
void check_request(reschedule_cluster_maintenance_request const& wanted);
void check_request(backup_cluster_request const& wanted);
void check_request(export_backup_request const& wanted);

}  // namespace backbeat::memorystore::detail

#endif
