//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "instances_api.hpp"

#include "instance_certificate.hpp"
#include "instance_requests.hpp"
#include "instance_rules.hpp"
#include "read_body.hpp"
#include "update_mask.hpp"
#include "violations.hpp"

#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/list_instances_response.hpp>
#include <backbeat/memorystore/operation.hpp>

#include <array>
#include <utility>

namespace backbeat::emulation {

using memorystore::instance_state;
using memorystore::tier;

namespace {

// The API's documentation calls the field by both names.
constexpr std::array<update_mask::alias, 2> mask_aliases{{
    {"redisConfig", "redis_configs"},
    {"redis_config", "redis_configs"},
}};

}  // namespace

instances_api::instances_api(api_engine& engine, std::uint64_t seed)
    : engine_(engine), table_("redis.googleapis.com/Instance", "instance"), auth_uids_(seed)
{
    using method = message (instances_api::*)(api_call const&);
    auto const add = [this](std::string_view verb, std::string_view pattern, method carry_out) {
        engine_.routes.add(verb, pattern, [this, carry_out](api_call const& call) { return (this->*carry_out)(call); });
    };
    add("GET", "v1/projects/{}/locations/{}/instances", &instances_api::list);
    add("POST", "v1/projects/{}/locations/{}/instances", &instances_api::create);
    add("GET", "v1/projects/{}/locations/{}/instances/{}", &instances_api::get);
    add("PATCH", "v1/projects/{}/locations/{}/instances/{}", &instances_api::patch);
    add("DELETE", "v1/projects/{}/locations/{}/instances/{}", &instances_api::remove);
    add("GET", "v1/projects/{}/locations/{}/instances/{}/authString", &instances_api::get_auth_string);
    add("POST", "v1/projects/{}/locations/{}/instances/{}:export", &instances_api::export_data);
    add("POST", "v1/projects/{}/locations/{}/instances/{}:import", &instances_api::import_data);
    add("POST", "v1/projects/{}/locations/{}/instances/{}:failover", &instances_api::failover);
    add("POST", "v1/projects/{}/locations/{}/instances/{}:upgrade", &instances_api::upgrade);
    add("POST",
        "v1/projects/{}/locations/{}/instances/{}:rescheduleMaintenance",
        &instances_api::reschedule_maintenance);
}

instances_api::saved_state instances_api::save() const
{
    saved_state result;
    for (auto const& [name, found] : table_.entries()) result.instances.push_back(found.value);
    result.auth_strings = auth_strings_;
    return result;
}

void instances_api::load(saved_state loaded)
{
    clear();
    for (auto& each : loaded.instances) {
        auto const name = each.name;
        table_.insert(name, std::move(each));
    }
    auth_strings_ = std::move(loaded.auth_strings);
}

void instances_api::clear()
{
    table_.clear();
    auth_strings_.clear();
    auth_uids_.clear();
}

boost::json::object instances_api::list(api_call const& call)
{
    memorystore::list_instances_response response;
    engine_.list(call, "instances", table_, response, [&response](instance const& found) {
        response.instances.push_back(found);
    });
    return memorystore::to_json(response);
}

boost::json::object instances_api::get(api_call const& call)
{
    return memorystore::to_json(table_.find(call.name).value);
}

boost::json::object instances_api::get_auth_string(api_call const& call)
{
    static_cast<void>(table_.find(call.name));
    message response;
    if (auto const found = auth_strings_.find(call.name); found != auth_strings_.end())
        response["authString"] = found->second;
    return response;
}

boost::json::object instances_api::create(api_call const& call)
{
    if (call.location == "-") throw bad_field("parent", "An instance is created in one location; '-' is for lists.");
    auto const* const id = call.target.field("instanceId");
    auto const instance_id = id ? *id : std::string();
    auto made = read_body<instance>(call.request.body, "instance");
    clear_fields(made, instance_output_only);
    violations found;
    check_new_instance(instance_id, call.location, made, found);
    check_instance_settings(made, found);
    found.check();

    made.name = call.name + "/instances/" + instance_id;
    table_.check_free(made.name);
    made.tags.clear();
    made.create_time = engine_.clock.stamp();
    fill_new_instance(made, call.project, call.location);
    fill_instance_settings(made, instance(), *made.create_time);
    auto const name = made.name;
    table_.insert(name, std::move(made));
    return begin(call, "instances.create", "create", name, instance_state::creating, [this](instance& ready) {
        fill_ready_instance(ready);
        if (ready.transit_encryption_mode == memorystore::transit_encryption_mode::server_authentication)
            ready.server_ca_certs.push_back(make_instance_authority());
        keep_auth_string(ready);
    });
}

boost::json::object instances_api::patch(api_call const& call)
{
    auto wanted = read_body<instance>(call.request.body, "instance");
    auto mask = update_mask::read<instance>(call.target, mask_aliases);
    mask.ignore(instance_output_only);
    auto const& before = find_idle(call, "update").value;

    auto after = before;
    mask.apply(after, wanted);
    violations found;
    check_instance_update(before, after, mask, found);
    check_instance_settings(after, found);
    found.check();
    fill_instance_settings(after, before, engine_.clock.stamp());
    return begin(
        call,
        "instances.patch",
        "update",
        call.name,
        instance_state::updating,
        [this, after = std::move(after)](instance& ready) {
            ready = after;
            place_instance_nodes(ready);
            keep_auth_string(ready);
        });
}

boost::json::object instances_api::remove(api_call const& call)
{
    auto& found = find_idle(call, "delete");
    found.busy = true;
    found.value.state = instance_state::deleting;
    api_change change;
    change.method = "instances.delete";
    change.verb = "delete";
    change.target = call.name;
    change.complete = [this, name = call.name] {
        table_.erase(name);
        auth_strings_.erase(name);
        return memorystore::any::pack(memorystore::empty());
    };
    return engine_.operations.begin(call, std::move(change));
}

boost::json::object instances_api::export_data(api_call const& call)
{
    check_export_request(call.request.body);
    static_cast<void>(find_idle(call, "export"));
    // It goes on serving.
    return begin(
        call, "instances.export", "export", call.name, instance_state::ready, [](instance const&) {}, true);
}

boost::json::object instances_api::import_data(api_call const& call)
{
    check_import_request(call.request.body);
    static_cast<void>(find_idle(call, "import"));
    return begin(
        call, "instances.import", "import", call.name, instance_state::importing, [](instance const&) {}, true);
}

boost::json::object instances_api::failover(api_call const& call)
{
    check_failover_request(call.request.body);
    auto const& found = find_idle(call, "failover").value;
    if (found.tier != tier::standard_ha)
        throw bad_field("name", "A failover needs an instance of the tier STANDARD_HA.");
    return begin(call, "instances.failover", "failover", call.name, instance_state::failing_over, [](instance& ready) {
        auto const moved = ready.current_location_id == ready.location_id;
        ready.current_location_id = moved ? ready.alternative_location_id : ready.location_id;
    });
}

boost::json::object instances_api::upgrade(api_call const& call)
{
    auto const version = read_upgrade_request(call.request.body);
    auto const& found = find_idle(call, "upgrade").value;
    if (version <= found.redis_version) {
        throw bad_field(
            "redisVersion",
            "An instance can only be upgraded to a later version than its own, which is " + found.redis_version + ".");
    }
    return begin(call, "instances.upgrade", "upgrade", call.name, instance_state::updating, [version](instance& ready) {
        ready.redis_version = version;
    });
}

boost::json::object instances_api::reschedule_maintenance(api_call const& call)
{
    auto const request = read_reschedule_request(call.request.body);
    static_cast<void>(find_idle(call, "reschedule maintenance"));
    auto const at_once = request.reschedule_type == memorystore::reschedule_type::immediate;
    return begin(
        call,
        "instances.rescheduleMaintenance",
        "reschedule",
        call.name,
        at_once ? instance_state::maintenance : instance_state::updating,
        [this, request](instance& ready) { reschedule_instance(ready, request, engine_.clock.stamp()); });
}

instances_api::entry& instances_api::find_idle(api_call const& call, std::string const& verb)
{
    return table_.find_idle(call.name, verb, "READY");
}

boost::json::object instances_api::begin(
    api_call const& call,
    std::string method,
    std::string verb,
    std::string const& name,
    instance_state state,
    std::function<void(instance&)> complete,
    bool can_be_cancelled)
{
    auto& changing = table_.find(name);
    changing.busy = true;
    changing.value.state = state;
    api_change change;
    change.method = std::move(method);
    change.verb = std::move(verb);
    change.target = name;
    change.complete = [this, name, complete = std::move(complete)] {
        auto& ready = end(name);
        complete(ready);
        ready.state = instance_state::ready;
        return memorystore::any::pack(ready);
    };
    if (can_be_cancelled) change.cancel = [this, name] { end(name); };
    return engine_.operations.begin(call, std::move(change));
}

memorystore::instance& instances_api::end(std::string const& name)
{
    auto& found = table_.find(name);
    found.busy = false;
    found.value.state = instance_state::ready;
    return found.value;
}

// AUTH that is switched off and on again has another string.
void instances_api::keep_auth_string(instance const& made)
{
    if (!made.auth_enabled) {
        auth_strings_.erase(made.name);
        return;
    }
    if (auth_strings_.count(made.name) != 0) return;
    auth_strings_[made.name] = auth_uids_.next("auth", made.name);
}

}  // namespace backbeat::emulation
