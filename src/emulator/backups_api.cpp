//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "backups_api.hpp"

#include "cluster_rules.hpp"
#include "maintenance_window.hpp"
#include "read_body.hpp"
#include "stable_hash.hpp"
#include "violations.hpp"

#include <backbeat/memorystore/duration.hpp>
#include <backbeat/memorystore/export_backup_request.hpp>
#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/list_backup_collections_response.hpp>
#include <backbeat/memorystore/list_backups_response.hpp>
#include <backbeat/memorystore/operation.hpp>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <vector>

namespace backbeat::emulation {

using memorystore::backup_state;

namespace {

using namespace std::chrono_literals;

constexpr auto shortest_ttl = 24h;
constexpr auto longest_ttl = std::chrono::hours(100 * 366 * 24);
constexpr auto usual_ttl = std::chrono::hours(100 * 365 * 24);

// What an empty database takes in a file: there is no data here.
constexpr std::int64_t empty_file_size = 92;

bool is_word(char c) noexcept
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

bool is_backup_id(std::string_view id) noexcept
{
    return !id.empty() && id.size() <= 100 && id.front() != '.'
        && std::all_of(id.begin(), id.end(), [](char c) { return is_word(c) || c == '.'; });
}

bool is_bucket(std::string_view name) noexcept
{
    auto const ends = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    if (name.size() < 3 || name.size() > 222 || !ends(name.front()) || !ends(name.back())) return false;
    return std::all_of(name.begin(), name.end(), [&](char c) { return ends(c) || c == '-' || c == '_' || c == '.'; });
}

// `projects/p/locations/l` of the name of what is in there.
std::string location_of(std::string_view name)
{
    std::size_t end = 0;
    for (int slashes = 0; end != name.size() && (name[end] != '/' || ++slashes != 4); ++end) {}
    return std::string(name.substr(0, end));
}

// The collection that a backup is in.
std::string collection_with(std::string const& backup)
{
    return backup.substr(0, backup.rfind("/backups/"));
}

}  // namespace

backups_api::backups_api(api_engine& engine, std::uint64_t seed)
    : engine_(engine),
      collections_("redis.googleapis.com/BackupCollection", "backup collection"),
      backups_("redis.googleapis.com/Backup", "backup"),
      uids_(seed)
{
    using method = message (backups_api::*)(api_call const&);
    auto const add = [this](std::string_view verb, std::string_view pattern, method carry_out) {
        engine_.routes.add(verb, pattern, [this, carry_out](api_call const& call) { return (this->*carry_out)(call); });
    };
    static constexpr char const* one = "v1/projects/{}/locations/{}/backupCollections/{}/backups/{}";
    add("GET", "v1/projects/{}/locations/{}/backupCollections", &backups_api::list_collections);
    add("GET", "v1/projects/{}/locations/{}/backupCollections/{}", &backups_api::get_collection);
    add("GET", "v1/projects/{}/locations/{}/backupCollections/{}/backups", &backups_api::list);
    add("GET", one, &backups_api::get);
    engine_.routes.add("DELETE", one, [this](api_call const& call) {
        return engine_.replay.once(call, [&] { return remove(call); });
    });
    add("POST", "v1/projects/{}/locations/{}/backupCollections/{}/backups/{}:export", &backups_api::export_data);
}

boost::json::object backups_api::list_collections(api_call const& call)
{
    memorystore::list_backup_collections_response response;
    engine_.list(call, "backupCollections", collections_, response, [&response](backup_collection const& found) {
        response.backup_collections.push_back(found);
    });
    return memorystore::to_json(response);
}

boost::json::object backups_api::get_collection(api_call const& call)
{
    return memorystore::to_json(collections_.find(call.name).value);
}

boost::json::object backups_api::list(api_call const& call)
{
    static_cast<void>(collections_.find(call.name));
    memorystore::list_backups_response response;
    engine_.list(
        call, "backups", backups_, response, [&response](backup const& found) { response.backups.push_back(found); });
    return memorystore::to_json(response);
}

boost::json::object backups_api::get(api_call const& call)
{
    return memorystore::to_json(backups_.find(call.name).value);
}

boost::json::object backups_api::remove(api_call const& call)
{
    auto& found = backups_.find_idle(call.name, "delete", "ACTIVE");
    found.busy = true;
    found.value.state = backup_state::deleting;
    api_change change;
    change.method = "backups.delete";
    change.verb = "delete";
    change.target = call.name;
    change.metadata = &cluster_operation_metadata;
    change.complete = [this, name = call.name] {
        erase(name);
        return memorystore::any::pack(memorystore::empty());
    };
    return engine_.operations.begin(call, std::move(change));
}

boost::json::object backups_api::export_data(api_call const& call)
{
    auto const request = read_body<memorystore::export_backup_request>(call.request.body, "");
    if (!is_bucket(request.gcs_bucket)) {
        throw bad_field(
            "gcsBucket",
            "The bucket must be the name of one in Cloud Storage, without gs:// and without an object: "
            "3 to 222 lower case letters, digits, hyphens, underscores and dots.");
    }
    // It can be read meanwhile.
    backups_.find_idle(call.name, "export", "ACTIVE").busy = true;
    api_change change;
    change.method = "backups.export";
    change.verb = "export";
    change.target = call.name;
    change.metadata = &cluster_operation_metadata;
    change.complete = [this, name = call.name] {
        auto& found = backups_.find(name);
        found.busy = false;
        return memorystore::any::pack(found.value);
    };
    change.cancel = [this, name = call.name] { backups_.find(name).busy = false; };
    return engine_.operations.begin(call, std::move(change));
}

void backups_api::check_request(
    memorystore::cluster const& source, memorystore::backup_cluster_request const& request) const
{
    violations found;
    if (!request.backup_id.empty() && !is_backup_id(request.backup_id)) {
        found.add(
            "backupId",
            "A backup id has 1 to 100 letters, digits, hyphens, underscores and dots, and does not begin with a dot.");
    }
    if (request.ttl
        && (*request.ttl < memorystore::duration(shortest_ttl) || *request.ttl > memorystore::duration(longest_ttl)))
        found.add("ttl", "A backup is kept for one day to 100 years: 86400s to 3162240000s.");
    found.check();
    if (!request.backup_id.empty()) backups_.check_free(collection_of(source) + "/backups/" + request.backup_id);
}

std::string backups_api::begin_backup(
    memorystore::cluster const& source, memorystore::backup_cluster_request const& request)
{
    auto const now = engine_.clock.stamp();
    auto const collection = collection_of(source);
    auto name = request.backup_id.empty() ? new_name(source, now) : collection + "/backups/" + request.backup_id;
    backups_.check_free(name);
    if (collections_.entries().count(collection) == 0) {
        backup_collection made;
        made.name = collection;
        made.uid = uids_.next("collection", collection);
        made.cluster = source.name;
        made.cluster_uid = source.uid;
        made.kms_key = source.kms_key;
        made.create_time = now;
        collections_.insert(collection, std::move(made));
    }
    backup made;
    made.name = name;
    made.uid = uids_.next("backup", name);
    made.cluster = source.name;
    made.cluster_uid = source.uid;
    made.create_time = now;
    made.expire_time = later(now, request.ttl ? request.ttl->span() : usual_ttl);
    made.engine_version = "redis-7.2";
    made.node_type = source.node_type;
    made.replica_count = source.replica_count.value_or(0);
    made.shard_count = source.shard_count.value_or(0);
    made.backup_type = memorystore::backup_type::on_demand;
    made.state = backup_state::creating;
    made.encryption_info = source.encryption_info;
    if (made.encryption_info) made.encryption_info->kms_key_primary_state = {};
    insert(std::move(made));
    backups_.find(name).busy = true;
    return name;
}

void backups_api::end_backup(std::string const& name)
{
    auto& found = backups_.find(name);
    auto& made = found.value;
    for (std::int32_t shard = 0; shard < (std::min)(made.shard_count, maximum_shard_count); ++shard) {
        memorystore::backup_file file;
        file.file_name = std::to_string(shard) + ".rdb";
        file.size_bytes = empty_file_size;
        file.create_time = made.create_time;
        made.total_size_bytes += file.size_bytes;
        made.backup_files.push_back(std::move(file));
    }
    made.state = backup_state::active;
    found.busy = false;
}

std::string backups_api::collection_of(memorystore::cluster const& source)
{
    if (!source.backup_collection.empty()) return source.backup_collection;
    return location_of(source.name) + "/backupCollections/"
        + uuid_of(stable_hash{}.add("collection").add(source.name).add(source.uid));
}

memorystore::backup const* backups_api::find_source(std::string const& name) const
{
    constexpr std::string_view service = "//redis.googleapis.com/";
    auto const found = backups_.entries().find(name.starts_with(service) ? name.substr(service.size()) : name);
    if (found == backups_.entries().end()) return nullptr;
    auto const& state = found->second.value.state;
    return state == backup_state::active ? &found->second.value : nullptr;
}

void backups_api::abandon(std::string const& collection)
{
    if (collections_.entries().count(collection) == 0) return;
    if (has_backups(collection)) {
        abandoned_.insert(collection);
    } else {
        collections_.erase(collection);
    }
}

void backups_api::settle()
{
    if (expiring_.empty()) return;
    auto const now = engine_.clock.stamp_of(engine_.clock.now());
    std::vector<std::string> expired;
    for (auto const& [time, name] : expiring_) {
        if (time > now) break;
        // An operation at work on it ends first.
        if (!backups_.find(name).busy) expired.push_back(name);
    }
    for (auto const& name : expired) erase(name);
}

void backups_api::clear()
{
    collections_.clear();
    backups_.clear();
    abandoned_.clear();
    expiring_.clear();
    uids_.clear();
}

backups_api::saved_state backups_api::save() const
{
    saved_state result;
    for (auto const& [name, found] : collections_.entries()) result.collections.push_back(found.value);
    for (auto const& [name, found] : backups_.entries()) result.backups.push_back(found.value);
    return result;
}

void backups_api::load(saved_state loaded, std::set<std::string> const& in_use)
{
    clear();
    for (auto& each : loaded.collections) {
        auto const name = each.name;
        uids_.avoid(each.uid);
        collections_.insert(name, std::move(each));
    }
    for (auto& each : loaded.backups) {
        uids_.avoid(each.uid);
        insert(std::move(each));
    }
    std::vector<std::string> names;
    for (auto const& [name, found] : collections_.entries())
        if (in_use.count(name) == 0) names.push_back(name);
    for (auto const& name : names) abandon(name);
}

// As the service names backups that the caller does not: by the time, and the beginning of the cluster's uid.
std::string backups_api::new_name(memorystore::cluster const& source, memorystore::timestamp time) const
{
    auto const uid = std::string_view(source.uid).substr(0, source.uid.find('-'));
    auto const suffix = std::all_of(uid.begin(), uid.end(), is_word) ? std::string(uid.substr(0, 8)) : std::string();
    std::string name;
    do {
        // 2026-08-22T10:11:12Z, without what is not a digit.
        std::string digits;
        auto const text = time.to_string();
        for (char const c : text.substr(0, std::string_view("2026-08-22T10:11:12").size()))
            if (c >= '0' && c <= '9') digits += c;
        name = collection_of(source) + "/backups/" + digits + "_" + suffix;
        time = later(time, 1s);
    } while (backups_.entries().count(name) != 0);
    return name;
}

void backups_api::insert(backup made)
{
    auto const name = made.name;
    if (made.expire_time) expiring_.emplace(*made.expire_time, name);
    backups_.insert(name, std::move(made));
}

void backups_api::erase(std::string const& name)
{
    if (auto const& time = backups_.find(name).value.expire_time) expiring_.erase({*time, name});
    backups_.erase(name);
    auto const collection = collection_with(name);
    if (abandoned_.count(collection) == 0 || has_backups(collection)) return;
    abandoned_.erase(collection);
    collections_.erase(collection);
}

bool backups_api::has_backups(std::string const& collection) const
{
    auto const first = collection + "/backups/";
    auto const found = backups_.entries().lower_bound(first);
    return found != backups_.entries().end() && found->first.starts_with(first);
}

}  // namespace backbeat::emulation
