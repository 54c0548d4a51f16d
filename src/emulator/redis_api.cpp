//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "redis_api.hpp"

#include "locations_api.hpp"
#include "operations_api.hpp"

#include <backbeat/memorystore/instance.hpp>
#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/operation.hpp>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include <map>
#include <set>
#include <utility>

namespace backbeat::emulation {

namespace {

namespace json = boost::json;
using memorystore::json_error;

// Resources that were saved, whose names must be projects/P/locations/L/COLLECTION/ID, each once.
template <class Resource>
std::vector<Resource> read_all(json::object const& state, std::string const& key, std::string const& collection)
{
    std::vector<Resource> result;
    auto const* const value = state.if_contains(key);
    if (!value) return result;
    if (!value->is_array()) throw json_error(key, "expected an array");
    std::set<std::string> names;
    for (auto const& item : value->get_array()) {
        memorystore::json_options options;
        options.root = key + "[" + std::to_string(result.size()) + "]";
        auto& read = result.emplace_back();
        memorystore::from_json(item, read, options);
        auto const target = parse_request_target("/" + read.name);
        if (!target || target->segments.size() != 6 || target->segments[0] != "projects"
            || target->segments[2] != "locations" || target->segments[4] != collection)
            throw json_error(options.root + ".name", "expected projects/P/locations/L/" + collection + "/ID");
        if (!names.insert(read.name).second) throw json_error(options.root + ".name", "is there twice");
    }
    return result;
}

std::map<std::string, std::string> read_texts(json::object const& state, std::string const& key)
{
    std::map<std::string, std::string> result;
    auto const* const value = state.if_contains(key);
    if (!value) return result;
    if (!value->is_object()) throw json_error(key, "expected an object");
    for (auto const& [name, text] : value->get_object()) {
        if (!text.is_string()) throw json_error(key, "expected texts");
        result.emplace(name, text.get_string().c_str());
    }
    return result;
}

}  // namespace

redis_api::redis_api(std::chrono::nanoseconds operation_time, std::uint64_t seed, api_clock clock)
    : engine_(operation_time, seed, std::move(clock)), instances_(engine_, seed)
{
    add_locations_api(engine_);
    add_operations_api(engine_);
}

http_reply redis_api::handle(
    http_request const& request, request_target const& target, std::function<void(emulator_effect)> const& record)
{
    engine_.operations.settle();
    http_reply reply;
    reply.body = boost::json::serialize(engine_.routes.carry_out(request, target, record));
    return reply;
}

json::object redis_api::save()
{
    engine_.operations.settle();
    engine_.operations.finish_all();
    auto const saved = instances_.save();
    json::array instances;
    for (auto const& each : saved.instances) instances.push_back(memorystore::to_json(each));
    json::object auth_strings;
    for (auto const& [name, text] : saved.auth_strings) auth_strings[name] = text;
    json::object state;
    state["instances"] = std::move(instances);
    state["authStrings"] = std::move(auth_strings);
    state["operations"] = engine_.operations.save();
    return state;
}

void redis_api::load(json::object const& state)
{
    for (auto const& [key, value] : state) {
        if (key != "instances" && key != "authStrings" && key != "operations")
            throw json_error(std::string(key), "is no part of a snapshot");
    }
    instances_api::saved_state instances;
    instances.instances = read_all<memorystore::instance>(state, "instances", "instances");
    instances.auth_strings = read_texts(state, "authStrings");
    if (instances.instances.size() > resource_table<memorystore::instance>::maximum_size)
        throw json_error("instances", "there are too many");
    auto operations = read_all<memorystore::operation>(state, "operations", "operations");
    for (auto const& each : operations)
        if (!each.done) throw json_error("operations", "has one that has not ended: " + each.name);
    clear();
    instances_.load(std::move(instances));
    engine_.operations.load(std::move(operations));
}

void redis_api::clear()
{
    instances_.clear();
    engine_.operations.clear();
    engine_.replay.clear();
}

void redis_api::set_unreachable(std::vector<std::string> const& locations)
{
    engine_.unreachable = {locations.begin(), locations.end()};
}

}  // namespace backbeat::emulation
