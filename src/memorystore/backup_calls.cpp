//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "argument_rules.hpp"
#include "client_core.hpp"
#include "request_id.hpp"
#include "start_change.hpp"

#include <backbeat/memorystore/backup_calls.hpp>
#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/resource_name.hpp>

namespace backbeat::memorystore::detail {

void list_backup_collections(
    core_pointer const& core,
    std::string parent,
    page_request page,
    call_options const& options,
    result_handler<list_backup_collections_response> handler)
{
    start_call(core, options, std::move(handler), [&] {
        static_cast<void>(location_name::parse(parent));
        return list_of(parent, "backupCollections", page);
    });
}

void get_backup_collection(
    core_pointer const& core, std::string name, call_options const& options, result_handler<backup_collection> handler)
{
    start_call(core, options, std::move(handler), [&] {
        check_one_location(backup_collection_name::parse(name).location, name);
        return get_of("backup collection", name);
    });
}

void list_backups(
    core_pointer const& core,
    std::string parent,
    page_request page,
    call_options const& options,
    result_handler<list_backups_response> handler)
{
    start_call(core, options, std::move(handler), [&] {
        static_cast<void>(backup_collection_name::parse(parent));
        return list_of(parent, "backups", page);
    });
}

void get_backup(core_pointer const& core, std::string name, call_options const& options, result_handler<backup> handler)
{
    start_call(core, options, std::move(handler), [&] {
        check_one_location(backup_name::parse(name).location, name);
        return get_of("backup", name);
    });
}

void delete_backup(
    core_pointer const& core, std::string name, call_options const& options, result_handler<operation> handler)
{
    start_change(core, options, std::move(handler), [&] {
        check_one_location(backup_name::parse(name).location, name);
        auto result = change_of(change_kind::delete_backup, http::verb::delete_, "name", name, name);
        identify(result, request_id_of(options));
        return result;
    });
}

void export_backup(
    core_pointer const& core,
    std::string name,
    export_backup_request wanted,
    call_options const& options,
    result_handler<operation> handler)
{
    start_change(core, options, std::move(handler), [&] {
        check_one_location(backup_name::parse(name).location, name);
        return custom_change(change_kind::export_backup, name, ":export", wanted);
    });
}

}  // namespace backbeat::memorystore::detail
