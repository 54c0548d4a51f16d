//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "client_core.hpp"
#include "start_change.hpp"

#include <backbeat/memorystore/instance_calls.hpp>
#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/resource_name.hpp>

namespace backbeat::memorystore::detail {

namespace {

// The deadline that the API publishes for listing instances.
constexpr std::chrono::nanoseconds list_instances_deadline = std::chrono::seconds(20);

}  // namespace

void list_instances(
    core_pointer const& core, std::string parent, page_request page, call_options options, instances_handler handler)
{
    start_call(core, options, std::move(handler), [&] {
        static_cast<void>(location_name::parse(parent));
        auto result = call_of(http::verb::get, "parent", parent, "listing the instances of '" + parent + "'");
        result.target += "/instances";
        add_page(result.target, page);
        result.deadline = list_instances_deadline;
        return result;
    });
}

void get_instance(core_pointer const& core, std::string name, call_options options, instance_handler handler)
{
    start_call(core, options, std::move(handler), [&] {
        check_one_location(instance_name::parse(name).location, name);
        return call_of(http::verb::get, "name", name, "getting instance '" + name + "'");
    });
}

void create_instance(
    core_pointer const& core,
    std::string parent,
    std::string instance_id,
    instance wanted,
    call_options options,
    operation_handler handler)
{
    start_change(core, options, std::move(handler), [&] {
        check_one_location(location_name::parse(parent).location, parent);
        check_instance_id(instance_id);
        auto result = change_of(
            change_kind::create_instance, http::verb::post, "parent", parent, parent + "/instances/" + instance_id);
        result.request.target += "/instances";
        add_parameter(result.request.target, "instanceId", instance_id);
        want(result, to_json(wanted));
        return result;
    });
}

void delete_instance(core_pointer const& core, std::string name, call_options options, operation_handler handler)
{
    start_change(core, options, std::move(handler), [&] {
        check_one_location(instance_name::parse(name).location, name);
        return change_of(change_kind::delete_instance, http::verb::delete_, "name", name, name);
    });
}

}  // namespace backbeat::memorystore::detail
