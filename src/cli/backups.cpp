//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "change_command.hpp"
#include "command.hpp"
#include "message_flags.hpp"
#include "read_command.hpp"
#include "resource_kind.hpp"

#include <backbeat/memorystore/client.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>
#include <memory>
#include <string>
#include <utility>

namespace backbeat::cli {

namespace {

using boost::asio::use_awaitable;
using memorystore::call_options;
using memorystore::client;
using begun = boost::asio::awaitable<memorystore::operation>;

std::unique_ptr<command> make_collections_list()
{
    return make_list(backup_collection_kind(), service::region::needed, [](client& redis, std::string parent) {
        return as_json(redis.async_list_all_backup_collections(std::move(parent), use_awaitable));
    });
}

std::unique_ptr<command> make_collections_get()
{
    auto const& kind = backup_collection_kind();
    return make_get(kind, service::region::needed, kind.record, [](client& redis, std::string name) {
        return as_json(redis.async_get_backup_collection(std::move(name), use_awaitable));
    });
}

std::unique_ptr<command> make_backups_list()
{
    return make_list(backup_kind(), service::region::needed, [](client& redis, std::string parent) {
        return as_json(redis.async_list_all_backups(std::move(parent), use_awaitable));
    });
}

std::unique_ptr<command> make_backups_get()
{
    auto const& kind = backup_kind();
    return make_get(kind, service::region::needed, kind.record, [](client& redis, std::string name) {
        return as_json(redis.async_get_backup(std::move(name), use_awaitable));
    });
}

std::unique_ptr<command> make_backups_delete()
{
    using nothing = memorystore::empty;
    return std::make_unique<act_command<nothing>>(act_description<nothing>{
        backup_kind,
        "cannot be deleted",
        "",
        [](message_flags<nothing>&) {},
        // NOLINTNEXTLINE(performance-unnecessary-value-param): all commands have this type.
        [](client& redis, std::string name, nothing, call_options options) -> begun {
            return redis.async_delete_backup(std::move(name), std::move(options), use_awaitable);
        },
        request_ids::yes});
}

std::unique_ptr<command> make_backups_export()
{
    using request = memorystore::export_backup_request;
    return std::make_unique<act_command<request>>(act_description<request>{
        backup_kind,
        "cannot be exported",
        "Export",
        [](message_flags<request>& flags) {
            flags.field(&request::gcs_bucket, "The bucket that it is copied to, without gs://.");
        },
        [](client& redis, std::string name, request wanted, call_options options) -> begun {
            return redis.async_export_backup(std::move(name), std::move(wanted), std::move(options), use_awaitable);
        }});
}

constexpr std::array backup_entries{
    command_entry{"backup-collections", "list", "Lists what the backups of clusters are in.", make_collections_list},
    command_entry{"backup-collections", "get", "Shows a backup collection.", make_collections_get},
    command_entry{"backups", "list", "Lists the backups of a collection.", make_backups_list},
    command_entry{"backups", "get", "Shows a backup.", make_backups_get},
    command_entry{"backups", "delete", "Begins to delete a backup, and shows the operation.", make_backups_delete},
    command_entry{"backups", "export", "Begins to copy a backup to Cloud Storage.", make_backups_export},
};

}  // namespace

std::span<command_entry const> backup_commands()
{
    return backup_entries;
}

}  // namespace backbeat::cli
