//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/memorystore/error_details.hpp>
#include <backbeat/memorystore/instance.hpp>
#include <backbeat/memorystore/json_codec.hpp>
#include <backbeat/memorystore/list_instances_response.hpp>
#include <backbeat/memorystore/list_operations_response.hpp>
#include <backbeat/memorystore/operation.hpp>
#include <backbeat/memorystore/status.hpp>

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

BACKBEAT_MEMORYSTORE_MESSAGE(operation);
BACKBEAT_MEMORYSTORE_MESSAGE(operation_metadata);
BACKBEAT_MEMORYSTORE_MESSAGE(empty);
BACKBEAT_MEMORYSTORE_MESSAGE(list_operations_response);

BACKBEAT_MEMORYSTORE_MESSAGE(error_body);
BACKBEAT_MEMORYSTORE_MESSAGE(error_envelope);
BACKBEAT_MEMORYSTORE_MESSAGE(rpc::status);
BACKBEAT_MEMORYSTORE_MESSAGE(rpc::retry_info);
BACKBEAT_MEMORYSTORE_MESSAGE(rpc::error_info);
BACKBEAT_MEMORYSTORE_MESSAGE(rpc::field_violation);
BACKBEAT_MEMORYSTORE_MESSAGE(rpc::bad_request);
BACKBEAT_MEMORYSTORE_MESSAGE(rpc::precondition_violation);
BACKBEAT_MEMORYSTORE_MESSAGE(rpc::precondition_failure);
BACKBEAT_MEMORYSTORE_MESSAGE(rpc::resource_info);

}  // namespace backbeat::memorystore
