//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "argument_rules.hpp"
#include "client_core.hpp"
#include "message_fields.hpp"
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
    core_pointer const& core,
    std::string parent,
    page_request page,
    call_options const& options,
    result_handler<list_instances_response> handler)
{
    start_call(core, options, std::move(handler), [&] {
        static_cast<void>(location_name::parse(parent));
        auto result = list_of(parent, "instances", page);
        result.deadline = list_instances_deadline;
        return result;
    });
}

void get_instance(
    core_pointer const& core, std::string name, call_options const& options, result_handler<instance> handler)
{
    start_call(core, options, std::move(handler), [&] {
        check_one_location(instance_name::parse(name).location, name);
        return get_of("instance", name);
    });
}

void get_instance_auth_string(
    core_pointer const& core,
    std::string name,
    call_options const& options,
    result_handler<instance_auth_string> handler)
{
    start_call(core, options, std::move(handler), [&] {
        check_one_location(instance_name::parse(name).location, name);
        auto result = get_of("the password of instance", name);
        result.target += "/authString";
        return result;
    });
}

void create_instance(
    core_pointer const& core,
    std::string parent,
    std::string instance_id,
    instance wanted,
    call_options const& options,
    result_handler<operation> handler)
{
    start_change(core, options, std::move(handler), [&] {
        check_one_location(location_name::parse(parent).location, parent);
        check_instance_id(instance_id);
        auto name = parent + "/instances/" + instance_id;
        check_new(wanted, name);
        auto result = change_of(change_kind::create_instance, http::verb::post, "parent", parent, std::move(name));
        result.request.target += "/instances";
        add_parameter(result.request.target, "instanceId", instance_id);
        want(result, to_json(wanted));
        return result;
    });
}

void update_instance(
    core_pointer const& core,
    instance wanted,
    update_mask mask,
    call_options const& options,
    result_handler<operation> handler)
{
    start_change(core, options, std::move(handler), [&] {
        auto const& name = wanted.name;
        check_one_location(instance_name::parse(name).location, name);
        auto fields = masked_fields(mask, wanted);
        check_changed(wanted, fields);
        auto result = change_of(change_kind::update_instance, http::verb::patch, "instance.name", name, name);
        add_parameter(result.request.target, "updateMask", mask.to_string());
        want(result, only(to_json(wanted), fields));
        result.mask = std::move(fields);
        return result;
    });
}

void delete_instance(
    core_pointer const& core, std::string name, call_options const& options, result_handler<operation> handler)
{
    start_change(core, options, std::move(handler), [&] {
        check_one_location(instance_name::parse(name).location, name);
        return change_of(change_kind::delete_instance, http::verb::delete_, "name", name, name);
    });
}

void export_instance(
    core_pointer const& core,
    std::string name,
    export_instance_request wanted,
    call_options const& options,
    result_handler<operation> handler)
{
    start_change(core, options, std::move(handler), [&] {
        check_one_location(instance_name::parse(name).location, name);
        return custom_change(change_kind::export_instance, name, ":export", wanted);
    });
}

void import_instance(
    core_pointer const& core,
    std::string name,
    import_instance_request wanted,
    call_options const& options,
    result_handler<operation> handler)
{
    start_change(core, options, std::move(handler), [&] {
        check_one_location(instance_name::parse(name).location, name);
        return custom_change(change_kind::import_instance, name, ":import", wanted);
    });
}

void failover_instance(
    core_pointer const& core,
    std::string name,
    failover_instance_request wanted,
    call_options const& options,
    result_handler<operation> handler)
{
    start_change(core, options, std::move(handler), [&] {
        check_one_location(instance_name::parse(name).location, name);
        return custom_change(change_kind::failover_instance, name, ":failover", wanted);
    });
}

void upgrade_instance(
    core_pointer const& core,
    std::string name,
    upgrade_instance_request wanted,
    call_options const& options,
    result_handler<operation> handler)
{
    start_change(core, options, std::move(handler), [&] {
        check_one_location(instance_name::parse(name).location, name);
        return custom_change(change_kind::upgrade_instance, name, ":upgrade", wanted);
    });
}

void reschedule_maintenance(
    core_pointer const& core,
    std::string name,
    reschedule_maintenance_request wanted,
    call_options const& options,
    result_handler<operation> handler)
{
    start_change(core, options, std::move(handler), [&] {
        check_one_location(instance_name::parse(name).location, name);
        return custom_change(change_kind::reschedule_maintenance, name, ":rescheduleMaintenance", wanted);
    });
}

}  // namespace backbeat::memorystore::detail
