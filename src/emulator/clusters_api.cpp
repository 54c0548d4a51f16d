//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "clusters_api.hpp"

#include "certificate.hpp"
#include "cluster_network.hpp"
#include "cluster_rules.hpp"
#include "read_body.hpp"
#include "resource_rules.hpp"
#include "update_mask.hpp"
#include "violations.hpp"

#include <backbeat/memorystore/backup_cluster_request.hpp>
#include <backbeat/memorystore/certificate_authority.hpp>
#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/list_clusters_response.hpp>
#include <backbeat/memorystore/operation.hpp>
#include <backbeat/memorystore/reschedule_cluster_maintenance_request.hpp>

#include <utility>

namespace backbeat::emulation {

using memorystore::cluster_state;
using memorystore::cluster_transit_encryption_mode;

clusters_api::clusters_api(api_engine& engine, backups_api& backups, std::uint64_t seed)
    : engine_(engine), backups_(backups), table_("redis.googleapis.com/Cluster", "cluster"), uids_(seed)
{
    using method = message (clusters_api::*)(api_call const&);
    auto const add = [this](std::string_view verb, std::string_view pattern, method carry_out) {
        engine_.routes.add(verb, pattern, [this, carry_out](api_call const& call) { return (this->*carry_out)(call); });
    };
    // Those that have a request id.
    auto const add_once = [this](std::string_view verb, std::string_view pattern, method carry_out) {
        engine_.routes.add(verb, pattern, [this, carry_out](api_call const& call) {
            return engine_.replay.once(call, [&] { return (this->*carry_out)(call); });
        });
    };
    add("GET", "v1/projects/{}/locations/{}/clusters", &clusters_api::list);
    add_once("POST", "v1/projects/{}/locations/{}/clusters", &clusters_api::create);
    add("GET", "v1/projects/{}/locations/{}/clusters/{}", &clusters_api::get);
    add_once("PATCH", "v1/projects/{}/locations/{}/clusters/{}", &clusters_api::patch);
    add_once("DELETE", "v1/projects/{}/locations/{}/clusters/{}", &clusters_api::remove);
    add("GET",
        "v1/projects/{}/locations/{}/clusters/{}/certificateAuthority",
        &clusters_api::get_certificate_authority);
    add("POST", "v1/projects/{}/locations/{}/clusters/{}:backup", &clusters_api::back_up);
    add("POST",
        "v1/projects/{}/locations/{}/clusters/{}:rescheduleClusterMaintenance",
        &clusters_api::reschedule_maintenance);
}

clusters_api::saved_state clusters_api::save() const
{
    saved_state result;
    for (auto const& [name, found] : table_.entries()) result.clusters.push_back(found.value);
    result.authorities = authorities_;
    return result;
}

void clusters_api::load(saved_state loaded)
{
    clear();
    for (auto& each : loaded.clusters) {
        auto const name = each.name;
        uids_.avoid(each.uid);
        table_.insert(name, std::move(each));
    }
    authorities_ = std::move(loaded.authorities);
}

void clusters_api::clear()
{
    table_.clear();
    authorities_.clear();
    uids_.clear();
}

boost::json::object clusters_api::list(api_call const& call)
{
    memorystore::list_clusters_response response;
    engine_.list(
        call, "clusters", table_, response, [&response](cluster const& found) { response.clusters.push_back(found); });
    return memorystore::to_json(response);
}

boost::json::object clusters_api::get(api_call const& call)
{
    return memorystore::to_json(table_.find(call.name).value);
}

boost::json::object clusters_api::get_certificate_authority(api_call const& call)
{
    static_cast<void>(table_.find(call.name));
    memorystore::certificate_authority response;
    response.name = call.name + "/certificateAuthority";
    if (auto const found = authorities_.find(call.name); found != authorities_.end()) {
        memorystore::cert_chain chain;
        chain.certificates.push_back(found->second);
        response.managed_server_ca.emplace().ca_certs.push_back(std::move(chain));
    }
    return memorystore::to_json(response);
}

boost::json::object clusters_api::create(api_call const& call)
{
    if (call.location == "-") throw bad_field("parent", "A cluster is created in one location; '-' is for lists.");
    auto const* const id = call.target.field("clusterId");
    auto const cluster_id = id ? *id : std::string();
    auto made = read_body<cluster>(call.request.body, "cluster");
    clear_fields(made, cluster_output_only);
    made.name = call.name + "/clusters/" + cluster_id;
    violations found;
    check_new_cluster(cluster_id, call.location, made, found);
    take_source(made, found);
    check_cluster_settings(made.name, made, found);
    find_remotes(made, found);
    found.check();

    auto const name = made.name;
    table_.check_free(name);
    made.uid = uids_.next("cluster", name);
    made.create_time = engine_.clock.stamp();
    fill_new_cluster(made, call.location);
    fill_cluster_settings(made, cluster(), *made.create_time);
    table_.insert(name, std::move(made));
    return begin(call, "clusters.create", "create", name, cluster_state::creating, [this](cluster& ready) {
        connect_cluster(ready);
        if (ready.transit_encryption_mode
            == cluster_transit_encryption_mode::transit_encryption_mode_server_authentication)
            authorities_[ready.name] = make_server_identity("localhost").authority;
    });
}

boost::json::object clusters_api::patch(api_call const& call)
{
    auto wanted = read_body<cluster>(call.request.body, "cluster");
    auto mask = update_mask::read<cluster>(call.target, cluster_mask_aliases);
    mask.ignore(cluster_output_only);
    auto& changing = find_idle(call, "update").value;

    auto after = changing;
    mask.apply(after, wanted);
    violations found;
    check_cluster_update(changing, after, found);
    check_cluster_settings(call.name, after, found);
    if (mask.has("cross_cluster_replication_config")) find_remotes(after, found);
    found.check();
    fill_cluster_settings(after, changing, engine_.clock.stamp());
    changing.state_info = updating_to(after);
    return begin(
        call,
        "clusters.patch",
        "update",
        call.name,
        cluster_state::updating,
        [after = std::move(after)](cluster& ready) { ready = after; });
}

boost::json::object clusters_api::remove(api_call const& call)
{
    auto& found = find_idle(call, "delete");
    if (found.value.deletion_protection_enabled.value_or(false)) {
        throw failed_precondition(
            "DELETION_PROTECTION",
            call.name,
            "The cluster is protected from deletion. To delete it, first set deletionProtectionEnabled to false.");
    }
    found.busy = true;
    found.value.state = cluster_state::deleting;
    api_change change;
    change.method = "clusters.delete";
    change.verb = "delete";
    change.target = call.name;
    change.metadata = &cluster_operation_metadata;
    change.complete = [this, name = call.name] {
        backups_.abandon(backups_api::collection_of(table_.find(name).value));
        table_.erase(name);
        authorities_.erase(name);
        return memorystore::any::pack(memorystore::empty());
    };
    return engine_.operations.begin(call, std::move(change));
}

boost::json::object clusters_api::back_up(api_call const& call)
{
    auto const request = read_body<memorystore::backup_cluster_request>(call.request.body, "");
    // A backup that was asked for before is there, whatever the cluster is doing: what is sent twice must learn that.
    backups_.check_request(table_.find(call.name).value, request);
    auto& source = find_idle(call, "back up").value;
    auto const backup = backups_.begin_backup(source, request);
    source.backup_collection = backups_api::collection_of(source);
    // It goes on serving.
    return begin(call, "clusters.backup", "backup", call.name, cluster_state::active, [this, backup](cluster const&) {
        backups_.end_backup(backup);
    });
}

boost::json::object clusters_api::reschedule_maintenance(api_call const& call)
{
    auto const request = read_body<memorystore::reschedule_cluster_maintenance_request>(call.request.body, "");
    check_reschedule(request);
    auto& changing = find_idle(call, "reschedule maintenance").value;
    changing.state_info = updating_to(changing);
    return begin(
        call,
        "clusters.rescheduleClusterMaintenance",
        "reschedule",
        call.name,
        cluster_state::updating,
        [request](cluster& ready) { reschedule_cluster(ready, request); });
}

clusters_api::entry& clusters_api::find_idle(api_call const& call, std::string const& verb)
{
    return table_.find_idle(call.name, verb, "ACTIVE");
}

void clusters_api::take_source(cluster& made, violations& found) const
{
    if (!made.managed_backup_source) return;
    auto const* const source = backups_.find_source(made.managed_backup_source->backup);
    if (source != nullptr) {
        take_from_backup(made, *source);
    } else {
        found.add(
            "cluster.managedBackupSource.backup",
            "There is no such backup, or it is not ACTIVE. The name must be like "
            "projects/p/locations/l/backupCollections/c/backups/b.");
    }
}

void clusters_api::find_remotes(cluster& made, violations& found) const
{
    if (!made.cross_cluster_replication_config) return;
    auto& config = *made.cross_cluster_replication_config;
    auto const find = [&](memorystore::remote_cluster& remote) {
        remote.uid.clear();
        auto const other = table_.entries().find(remote.cluster);
        if (other == table_.entries().end()) {
            found.add(
                "cluster.crossClusterReplicationConfig", "There is no cluster " + in_quotes(remote.cluster) + ".");
        } else {
            remote.uid = other->second.value.uid;
        }
    };
    if (config.primary_cluster) find(*config.primary_cluster);
    for (auto& each : config.secondary_clusters) find(each);
}

boost::json::object clusters_api::begin(
    api_call const& call,
    std::string method,
    std::string verb,
    std::string const& name,
    cluster_state state,
    std::function<void(cluster&)> complete)
{
    auto& changing = table_.find(name);
    changing.busy = true;
    changing.value.state = state;
    api_change change;
    change.method = std::move(method);
    change.verb = std::move(verb);
    change.target = name;
    change.metadata = &cluster_operation_metadata;
    change.complete = [this, name, complete = std::move(complete)] {
        auto& found = table_.find(name);
        found.busy = false;
        complete(found.value);
        found.value.state = cluster_state::active;
        found.value.state_info.reset();
        return memorystore::any::pack(found.value);
    };
    return engine_.operations.begin(call, std::move(change));
}

}  // namespace backbeat::emulation
