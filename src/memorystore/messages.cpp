//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/memorystore/backup.hpp>
#include <backbeat/memorystore/backup_cluster_request.hpp>
#include <backbeat/memorystore/backup_collection.hpp>
#include <backbeat/memorystore/certificate_authority.hpp>
#include <backbeat/memorystore/cluster.hpp>
#include <backbeat/memorystore/error_details.hpp>
#include <backbeat/memorystore/export_backup_request.hpp>
#include <backbeat/memorystore/export_instance_request.hpp>
#include <backbeat/memorystore/failover_instance_request.hpp>
#include <backbeat/memorystore/import_instance_request.hpp>
#include <backbeat/memorystore/instance.hpp>
#include <backbeat/memorystore/instance_auth_string.hpp>
#include <backbeat/memorystore/json_codec.hpp>
#include <backbeat/memorystore/list_backup_collections_response.hpp>
#include <backbeat/memorystore/list_backups_response.hpp>
#include <backbeat/memorystore/list_clusters_response.hpp>
#include <backbeat/memorystore/list_instances_response.hpp>
#include <backbeat/memorystore/list_locations_response.hpp>
#include <backbeat/memorystore/list_operations_response.hpp>
#include <backbeat/memorystore/location.hpp>
#include <backbeat/memorystore/operation.hpp>
#include <backbeat/memorystore/reschedule_cluster_maintenance_request.hpp>
#include <backbeat/memorystore/reschedule_maintenance_request.hpp>
#include <backbeat/memorystore/status.hpp>
#include <backbeat/memorystore/upgrade_instance_request.hpp>

// The mapping of every message is compiled here, so that a user's translation units need not.
// The argument is a type, which must not stand in parentheses. NOLINTBEGIN(bugprone-macro-parentheses)
#define BACKBEAT_MEMORYSTORE_MESSAGE(type)                                          \
    template void from_json(boost::json::value const&, type&, json_options const&); \
    template boost::json::object to_json(type const&)
// NOLINTEND(bugprone-macro-parentheses)

namespace backbeat::memorystore {

BACKBEAT_MEMORYSTORE_MESSAGE(instance);
BACKBEAT_MEMORYSTORE_MESSAGE(time_of_day);
BACKBEAT_MEMORYSTORE_MESSAGE(weekly_maintenance_window);
BACKBEAT_MEMORYSTORE_MESSAGE(maintenance_policy);
BACKBEAT_MEMORYSTORE_MESSAGE(maintenance_schedule);
BACKBEAT_MEMORYSTORE_MESSAGE(persistence_config);
BACKBEAT_MEMORYSTORE_MESSAGE(tls_certificate);
BACKBEAT_MEMORYSTORE_MESSAGE(node_info);
BACKBEAT_MEMORYSTORE_MESSAGE(list_instances_response);
BACKBEAT_MEMORYSTORE_MESSAGE(instance_auth_string);
BACKBEAT_MEMORYSTORE_MESSAGE(gcs_destination);
BACKBEAT_MEMORYSTORE_MESSAGE(output_config);
BACKBEAT_MEMORYSTORE_MESSAGE(export_instance_request);
BACKBEAT_MEMORYSTORE_MESSAGE(gcs_source);
BACKBEAT_MEMORYSTORE_MESSAGE(input_config);
BACKBEAT_MEMORYSTORE_MESSAGE(import_instance_request);
BACKBEAT_MEMORYSTORE_MESSAGE(failover_instance_request);
BACKBEAT_MEMORYSTORE_MESSAGE(upgrade_instance_request);
BACKBEAT_MEMORYSTORE_MESSAGE(reschedule_maintenance_request);

BACKBEAT_MEMORYSTORE_MESSAGE(cluster);
BACKBEAT_MEMORYSTORE_MESSAGE(automated_backup_config);
BACKBEAT_MEMORYSTORE_MESSAGE(fixed_frequency_schedule);
BACKBEAT_MEMORYSTORE_MESSAGE(cluster_endpoint);
BACKBEAT_MEMORYSTORE_MESSAGE(connection_detail);
BACKBEAT_MEMORYSTORE_MESSAGE(discovery_endpoint);
BACKBEAT_MEMORYSTORE_MESSAGE(psc_auto_connection);
BACKBEAT_MEMORYSTORE_MESSAGE(psc_config);
BACKBEAT_MEMORYSTORE_MESSAGE(psc_connection);
BACKBEAT_MEMORYSTORE_MESSAGE(psc_service_attachment);
BACKBEAT_MEMORYSTORE_MESSAGE(cluster_maintenance_policy);
BACKBEAT_MEMORYSTORE_MESSAGE(cluster_maintenance_schedule);
BACKBEAT_MEMORYSTORE_MESSAGE(cluster_weekly_maintenance_window);
BACKBEAT_MEMORYSTORE_MESSAGE(cluster_persistence_config);
BACKBEAT_MEMORYSTORE_MESSAGE(aof_config);
BACKBEAT_MEMORYSTORE_MESSAGE(rdb_config);
BACKBEAT_MEMORYSTORE_MESSAGE(cross_cluster_replication_config);
BACKBEAT_MEMORYSTORE_MESSAGE(membership);
BACKBEAT_MEMORYSTORE_MESSAGE(remote_cluster);
BACKBEAT_MEMORYSTORE_MESSAGE(encryption_info);
BACKBEAT_MEMORYSTORE_MESSAGE(gcs_backup_source);
BACKBEAT_MEMORYSTORE_MESSAGE(managed_backup_source);
BACKBEAT_MEMORYSTORE_MESSAGE(state_info);
BACKBEAT_MEMORYSTORE_MESSAGE(update_info);
BACKBEAT_MEMORYSTORE_MESSAGE(zone_distribution_config);
BACKBEAT_MEMORYSTORE_MESSAGE(list_clusters_response);
BACKBEAT_MEMORYSTORE_MESSAGE(certificate_authority);
BACKBEAT_MEMORYSTORE_MESSAGE(managed_certificate_authority);
BACKBEAT_MEMORYSTORE_MESSAGE(cert_chain);
BACKBEAT_MEMORYSTORE_MESSAGE(reschedule_cluster_maintenance_request);
BACKBEAT_MEMORYSTORE_MESSAGE(backup_cluster_request);

BACKBEAT_MEMORYSTORE_MESSAGE(backup_collection);
BACKBEAT_MEMORYSTORE_MESSAGE(list_backup_collections_response);
BACKBEAT_MEMORYSTORE_MESSAGE(backup);
BACKBEAT_MEMORYSTORE_MESSAGE(backup_file);
BACKBEAT_MEMORYSTORE_MESSAGE(list_backups_response);
BACKBEAT_MEMORYSTORE_MESSAGE(export_backup_request);

BACKBEAT_MEMORYSTORE_MESSAGE(location);
BACKBEAT_MEMORYSTORE_MESSAGE(location_metadata);
BACKBEAT_MEMORYSTORE_MESSAGE(zone_metadata);
BACKBEAT_MEMORYSTORE_MESSAGE(list_locations_response);

BACKBEAT_MEMORYSTORE_MESSAGE(operation);
BACKBEAT_MEMORYSTORE_MESSAGE(operation_metadata);
BACKBEAT_MEMORYSTORE_MESSAGE(cluster_operation_metadata);
BACKBEAT_MEMORYSTORE_MESSAGE(empty);
BACKBEAT_MEMORYSTORE_MESSAGE(list_operations_response);

BACKBEAT_MEMORYSTORE_MESSAGE(error_body);
BACKBEAT_MEMORYSTORE_MESSAGE(error_envelope);
BACKBEAT_MEMORYSTORE_MESSAGE(rpc::status);
BACKBEAT_MEMORYSTORE_MESSAGE(rpc::retry_info);
BACKBEAT_MEMORYSTORE_MESSAGE(rpc::error_info);
BACKBEAT_MEMORYSTORE_MESSAGE(rpc::quota_violation);
BACKBEAT_MEMORYSTORE_MESSAGE(rpc::quota_failure);
BACKBEAT_MEMORYSTORE_MESSAGE(rpc::localized_message);
BACKBEAT_MEMORYSTORE_MESSAGE(rpc::field_violation);
BACKBEAT_MEMORYSTORE_MESSAGE(rpc::bad_request);
BACKBEAT_MEMORYSTORE_MESSAGE(rpc::precondition_violation);
BACKBEAT_MEMORYSTORE_MESSAGE(rpc::precondition_failure);
BACKBEAT_MEMORYSTORE_MESSAGE(rpc::resource_info);
BACKBEAT_MEMORYSTORE_MESSAGE(rpc::help_link);
BACKBEAT_MEMORYSTORE_MESSAGE(rpc::help);

}  // namespace backbeat::memorystore
