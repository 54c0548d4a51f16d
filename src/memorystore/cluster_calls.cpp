//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "argument_rules.hpp"
#include "client_core.hpp"
#include "message_fields.hpp"
#include "request_id.hpp"
#include "start_change.hpp"

#include <backbeat/memorystore/cluster_calls.hpp>
#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/resource_name.hpp>

namespace backbeat::memorystore::detail {

void list_clusters(
    core_pointer const& core,
    std::string parent,
    page_request page,
    call_options const& options,
    result_handler<list_clusters_response> handler)
{
    start_call(core, options, std::move(handler), [&] {
        static_cast<void>(location_name::parse(parent));
        return list_of(parent, "clusters", page);
    });
}

void get_cluster(
    core_pointer const& core, std::string name, call_options const& options, result_handler<cluster> handler)
{
    start_call(core, options, std::move(handler), [&] {
        check_one_location(cluster_name::parse(name).location, name);
        return get_of("cluster", name);
    });
}

void get_cluster_certificate_authority(
    core_pointer const& core,
    std::string name,
    call_options const& options,
    result_handler<certificate_authority> handler)
{
    start_call(core, options, std::move(handler), [&] {
        check_one_location(cluster_name::parse(name).location, name);
        // Unlike a password, the API sees it as a resource.
        auto const of = name + "/certificateAuthority";
        return get_of("certificate authority", of);
    });
}

void create_cluster(
    core_pointer const& core,
    std::string parent,
    std::string cluster_id,
    cluster wanted,
    call_options const& options,
    result_handler<operation> handler)
{
    start_change(core, options, std::move(handler), [&] {
        check_one_location(location_name::parse(parent).location, parent);
        check_cluster_id(cluster_id);
        auto name = parent + "/clusters/" + cluster_id;
        check_new(wanted, name);
        auto result = change_of(change_kind::create_cluster, http::verb::post, "parent", parent, std::move(name));
        result.request.target += "/clusters";
        add_parameter(result.request.target, "clusterId", cluster_id);
        identify(result, request_id_of(options));
        want(result, to_json(wanted));
        return result;
    });
}

void update_cluster(
    core_pointer const& core,
    cluster wanted,
    update_mask mask,
    call_options const& options,
    result_handler<operation> handler)
{
    start_change(core, options, std::move(handler), [&] {
        auto const& name = wanted.name;
        check_one_location(cluster_name::parse(name).location, name);
        auto fields = masked_fields(mask, wanted);
        check_changed(wanted, fields);
        auto result = change_of(change_kind::update_cluster, http::verb::patch, "cluster.name", name, name);
        add_parameter(result.request.target, "updateMask", mask.to_string());
        identify(result, request_id_of(options));
        want(result, only(to_json(wanted), fields));
        result.mask = std::move(fields);
        return result;
    });
}

void delete_cluster(
    core_pointer const& core, std::string name, call_options const& options, result_handler<operation> handler)
{
    start_change(core, options, std::move(handler), [&] {
        check_one_location(cluster_name::parse(name).location, name);
        auto result = change_of(change_kind::delete_cluster, http::verb::delete_, "name", name, name);
        identify(result, request_id_of(options));
        return result;
    });
}

void reschedule_cluster_maintenance(
    core_pointer const& core,
    std::string name,
    reschedule_cluster_maintenance_request wanted,
    call_options const& options,
    result_handler<operation> handler)
{
    start_change(core, options, std::move(handler), [&] {
        check_one_location(cluster_name::parse(name).location, name);
        return custom_change(
            change_kind::reschedule_cluster_maintenance, name, ":rescheduleClusterMaintenance", wanted);
    });
}

void backup_cluster(
    core_pointer const& core,
    std::string name,
    backup_cluster_request wanted,
    call_options const& options,
    result_handler<operation> handler)
{
    start_change(core, options, std::move(handler), [&] {
        check_one_location(cluster_name::parse(name).location, name);
        // Without one, each copy of the request would be a backup of its own.
        if (wanted.backup_id.empty()) wanted.backup_id = "backup-" + random_uuid();
        return custom_change(change_kind::backup_cluster, name, ":backup", wanted);
    });
}

}  // namespace backbeat::memorystore::detail
