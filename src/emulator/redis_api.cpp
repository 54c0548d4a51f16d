//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "redis_api.hpp"

#include "locations_api.hpp"
#include "operations_api.hpp"
#include "query_parameters.hpp"

#include <backbeat/memorystore/backup.hpp>
#include <backbeat/memorystore/backup_collection.hpp>
#include <backbeat/memorystore/cluster.hpp>
#include <backbeat/memorystore/instance.hpp>
#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/operation.hpp>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace backbeat::emulation {

namespace {

namespace json = boost::json;
using memorystore::json_error;

constexpr char const* collection_shape = "projects/P/locations/L/backupCollections/B";

// Whether a name is like `projects/P/locations/L/instances/I`, whose capital letters stand for any ids.
bool is_name(std::string const& name, std::string_view shape)
{
    auto const target = parse_request_target("/" + name);
    auto const wanted = parse_request_target("/" + std::string(shape));
    if (!target || !wanted || target->segments.size() != wanted->segments.size()) return false;
    for (std::size_t i = 0; i != target->segments.size(); ++i) {
        auto const& segment = target->segments[i];
        if (i % 2 == 0 ? segment != wanted->segments[i] : segment.empty()) return false;
    }
    return true;
}

// Resources that were saved, with names of this shape, each once.
template <class Resource>
std::vector<Resource> read_all(json::object const& state, std::string const& key, std::string const& shape)
{
    std::vector<Resource> result;
    auto const* const value = state.if_contains(key);
    if (!value) return result;
    if (!value->is_array()) throw json_error(key, "expected an array");
    if (value->get_array().size() > resource_table<Resource>::maximum_size) throw json_error(key, "there are too many");
    std::set<std::string> names;
    for (auto const& item : value->get_array()) {
        memorystore::json_options options;
        options.root = key + "[" + std::to_string(result.size()) + "]";
        auto& read = result.emplace_back();
        memorystore::from_json(item, read, options);
        if (!is_name(read.name, shape)) throw json_error(options.root + ".name", "expected " + shape);
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

json::object write_texts(std::map<std::string, std::string> const& texts)
{
    json::object result;
    for (auto const& [name, text] : texts) result[name] = text;
    return result;
}

template <class Resource>
json::array write_all(std::vector<Resource> const& resources)
{
    json::array result;
    for (auto const& each : resources) result.push_back(memorystore::to_json(each));
    return result;
}

clusters_api::saved_state read_clusters(json::object const& state)
{
    clusters_api::saved_state result;
    result.clusters = read_all<memorystore::cluster>(state, "clusters", "projects/P/locations/L/clusters/C");
    result.authorities = read_texts(state, "certificateAuthorities");
    for (auto const& each : result.clusters) {
        if (!each.backup_collection.empty() && !is_name(each.backup_collection, collection_shape))
            throw json_error("clusters", std::string("has a backup collection that is none, of ") + each.name);
    }
    return result;
}

backups_api::saved_state read_backups(json::object const& state)
{
    backups_api::saved_state result;
    result.collections = read_all<memorystore::backup_collection>(state, "backupCollections", collection_shape);
    result.backups = read_all<memorystore::backup>(state, "backups", std::string(collection_shape) + "/backups/K");
    std::set<std::string> collections;
    for (auto const& each : result.collections) collections.insert(each.name);
    for (auto const& each : result.backups) {
        if (collections.count(each.name.substr(0, each.name.rfind("/backups/"))) == 0)
            throw json_error("backups", "has one without its collection: " + each.name);
    }
    return result;
}

}  // namespace

redis_api::redis_api(std::chrono::nanoseconds operation_time, std::uint64_t seed, api_clock clock)
    : engine_(operation_time, seed, std::move(clock)),
      instances_(engine_, seed),
      backups_(engine_, seed),
      clusters_(engine_, backups_, seed)
{
    engine_.routes.guard(&check_query_parameters);
    engine_.routes.guard(&check_location);
    add_locations_api(engine_);
    add_operations_api(engine_);
}

http_reply redis_api::handle(
    http_request const& request, request_target const& target, std::function<void(emulator_effect)> const& record)
{
    engine_.operations.settle();
    backups_.settle();
    http_reply reply;
    reply.body = boost::json::serialize(engine_.routes.carry_out(request, target, record));
    return reply;
}

json::object redis_api::save()
{
    engine_.operations.settle();
    engine_.operations.finish_all();
    backups_.settle();
    auto const instances = instances_.save();
    auto const clusters = clusters_.save();
    auto const backups = backups_.save();
    json::object state;
    state["instances"] = write_all(instances.instances);
    state["authStrings"] = write_texts(instances.auth_strings);
    state["clusters"] = write_all(clusters.clusters);
    state["certificateAuthorities"] = write_texts(clusters.authorities);
    state["backupCollections"] = write_all(backups.collections);
    state["backups"] = write_all(backups.backups);
    state["operations"] = engine_.operations.save();
    return state;
}

void redis_api::load(json::object const& state)
{
    static constexpr std::array<std::string_view, 7> parts{
        "instances", "authStrings", "clusters", "certificateAuthorities", "backupCollections", "backups", "operations"};
    for (auto const& [key, value] : state) {
        if (std::find(parts.begin(), parts.end(), std::string_view(key)) == parts.end())
            throw json_error(std::string(key), "is no part of a snapshot");
    }
    instances_api::saved_state instances;
    instances.instances = read_all<memorystore::instance>(state, "instances", "projects/P/locations/L/instances/I");
    instances.auth_strings = read_texts(state, "authStrings");
    auto clusters = read_clusters(state);
    auto backups = read_backups(state);
    auto operations = read_all<memorystore::operation>(state, "operations", "projects/P/locations/L/operations/O");
    for (auto const& each : operations)
        if (!each.done) throw json_error("operations", "has one that has not ended: " + each.name);
    std::set<std::string> in_use;
    for (auto const& each : clusters.clusters) in_use.insert(each.backup_collection);
    clear();
    instances_.load(std::move(instances));
    clusters_.load(std::move(clusters));
    backups_.load(std::move(backups), in_use);
    engine_.operations.load(std::move(operations));
}

void redis_api::clear()
{
    instances_.clear();
    clusters_.clear();
    backups_.clear();
    engine_.operations.clear();
    engine_.replay.clear();
}

void redis_api::set_unreachable(std::vector<std::string> const& locations)
{
    engine_.unreachable = {locations.begin(), locations.end()};
}

}  // namespace backbeat::emulation
