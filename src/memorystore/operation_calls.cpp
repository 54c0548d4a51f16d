//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "client_core.hpp"

#include <backbeat/memorystore/operation_calls.hpp>
#include <backbeat/memorystore/resource_name.hpp>

namespace backbeat::memorystore::detail {

void list_operations(
    core_pointer const& core,
    std::string parent,
    page_request page,
    call_options const& options,
    result_handler<list_operations_response> handler)
{
    start_call(core, options, std::move(handler), [&] {
        static_cast<void>(location_name::parse(parent));
        return filtered_list_of("name", parent, "operations", page);
    });
}

void get_operation(
    core_pointer const& core, std::string name, call_options const& options, result_handler<operation> handler)
{
    start_call(core, options, std::move(handler), [&] {
        check_one_location(operation_name::parse(name).location, name);
        return get_of("operation", name);
    });
}

void cancel_operation(
    core_pointer const& core, std::string name, call_options const& options, result_handler<empty> handler)
{
    start_call(core, options, std::move(handler), [&] {
        check_one_location(operation_name::parse(name).location, name);
        auto result = call_of(http::verb::post, "name", name, "cancelling operation '" + name + "'");
        result.target += ":cancel";
        result.body = "{}";
        result.replay = http::idempotency::idempotent;
        return result;
    });
}

void delete_operation(
    core_pointer const& core, std::string name, call_options const& options, result_handler<empty> handler)
{
    start_call(core, options, std::move(handler), [&] {
        check_one_location(operation_name::parse(name).location, name);
        auto result = call_of(http::verb::delete_, "name", name, "deleting operation '" + name + "'");
        // The service makes up the names of operations, so no other operation can have this one.
        result.replay = http::idempotency::idempotent;
        return result;
    });
}

}  // namespace backbeat::memorystore::detail
