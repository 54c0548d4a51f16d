//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "change_command.hpp"
#include "command.hpp"
#include "maintenance_flags.hpp"
#include "message_flags.hpp"
#include "read_command.hpp"
#include "resource_kind.hpp"

#include <backbeat/memorystore/client.hpp>
#include <backbeat/memorystore/resource_name.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>
#include <memory>
#include <string>
#include <utility>

namespace backbeat::cli {

namespace {

namespace asio = boost::asio;
using asio::use_awaitable;
using memorystore::call_options;
using memorystore::client;
using memorystore::instance;
using begun = asio::awaitable<memorystore::operation>;

constexpr std::array auth_columns{column{"auth_string"}};

std::unique_ptr<command> make_instances_list()
{
    return make_list(instance_kind(), service::region::any, [](client& redis, std::string parent) {
        return as_json(redis.async_list_all_instances(std::move(parent), use_awaitable));
    });
}

std::unique_ptr<command> make_instances_get()
{
    auto const& kind = instance_kind();
    return make_get(kind, service::region::needed, kind.record, [](client& redis, std::string name) {
        return as_json(redis.async_get_instance(std::move(name), use_awaitable));
    });
}

std::unique_ptr<command> make_instances_auth_string()
{
    return make_get(instance_kind(), service::region::needed, auth_columns, [](client& redis, std::string name) {
        return as_json(redis.async_get_instance_auth_string(std::move(name), use_awaitable));
    });
}

// What can be said of an instance both when it is made and later.
void add_changeable_fields(message_flags<instance>& flags)
{
    flags.field(&instance::display_name, "A name for people.");
    flags.field(&instance::labels, "The labels.");
    flags.field(&instance::redis_configs, "Parameters of Redis, like maxmemory-policy=allkeys-lru.");
    flags.field(&instance::replica_count, "The number of replicas, with READ_REPLICAS_ENABLED.");
    flags.field(&instance::read_replicas_mode, "Whether the replicas can be read from.");
    flags.field(&instance::secondary_ip_range, "A further range of addresses, for read replicas.");
    flags.field(&instance::auth_enabled, "Whether clients need a password.");
    flags.field(
        "--persistence-mode",
        &instance::persistence_config,
        &memorystore::persistence_config::persistence_mode,
        "Whether the data is written to disk.");
    flags.field(
        "--rdb-snapshot-period",
        &instance::persistence_config,
        &memorystore::persistence_config::rdb_snapshot_period,
        "How often snapshots are taken, with --persistence-mode RDB.");
    flags.field(&instance::maintenance_version, "The version of the service's own software.");
    add_maintenance_window<memorystore::weekly_maintenance_window>(flags);
}

instance smallest_instance()
{
    instance made;
    made.tier = memorystore::tier::basic;
    made.memory_size_gb = 1;
    return made;
}

void add_created_fields(message_flags<instance>& flags)
{
    flags.initially("BASIC").field(&instance::tier, "The service tier.");
    flags.initially("1").field(&instance::memory_size_gb, "The size in GiB.");
    add_changeable_fields(flags);
    flags.field(&instance::redis_version, "Like REDIS_7_2.");
    flags.field(&instance::location_id, "The zone.");
    flags.field(&instance::alternative_location_id, "The zone of the replica.");
    flags.field(&instance::authorized_network, "projects/.../global/networks/....");
    flags.field(&instance::connect_mode, "How clients reach it.");
    flags.field(&instance::reserved_ip_range, "The range of its addresses.");
    flags.field(&instance::transit_encryption_mode, "Whether it speaks TLS.");
    flags.field(&instance::customer_managed_key, "Encrypts the data at rest: projects/.../cryptoKeys/....");
    flags.field(&instance::tags, "The tags.");
}

std::unique_ptr<command> make_instances_create()
{
    return std::make_unique<create_command<instance>>(create_description<instance>{
        instance_kind,
        "the id of the instance: 1 to 40 lower-case letters, digits and hyphens",
        "Instance",
        memorystore::check_instance_id,
        add_created_fields,
        smallest_instance,
        [](client& redis, std::string parent, std::string id, instance wanted, call_options options) -> begun {
            return redis.async_create_instance(
                std::move(parent), std::move(id), std::move(wanted), std::move(options), use_awaitable);
        }});
}

std::unique_ptr<command> make_instances_update()
{
    return std::make_unique<update_command<instance>>(update_description<instance>{
        instance_kind,
        "Fields to change",
        [](message_flags<instance>& flags) {
            flags.field(&instance::memory_size_gb, "The size in GiB.");
            add_changeable_fields(flags);
            flags.clear(&instance::labels);
            flags.clear(&instance::redis_configs);
        },
        [](client& redis, std::string name) -> boost::asio::awaitable<instance> {
            return redis.async_get_instance(std::move(name), use_awaitable);
        },
        [](client& redis, instance wanted, memorystore::update_mask mask, call_options options) -> begun {
            return redis.async_update_instance(std::move(wanted), std::move(mask), std::move(options), use_awaitable);
        }});
}

std::unique_ptr<command> make_instances_delete()
{
    using nothing = memorystore::empty;
    return std::make_unique<act_command<nothing>>(act_description<nothing>{
        instance_kind,
        "cannot be deleted",
        "",
        [](message_flags<nothing>&) {},
        // NOLINTNEXTLINE(performance-unnecessary-value-param): all commands have this type.
        [](client& redis, std::string name, nothing, call_options options) -> begun {
            return redis.async_delete_instance(std::move(name), std::move(options), use_awaitable);
        }});
}

std::unique_ptr<command> make_instances_failover()
{
    using request = memorystore::failover_instance_request;
    return std::make_unique<act_command<request>>(act_description<request>{
        instance_kind,
        "cannot fail over",
        "Failover",
        [](message_flags<request>& flags) {
            flags.initially("LIMITED_DATA_LOSS").field(&request::data_protection_mode, "What it may lose.");
        },
        [](client& redis, std::string name, request wanted, call_options options) -> begun {
            return redis.async_failover_instance(std::move(name), std::move(wanted), std::move(options), use_awaitable);
        }});
}

std::unique_ptr<command> make_instances_export()
{
    using request = memorystore::export_instance_request;
    return std::make_unique<act_command<request>>(act_description<request>{
        instance_kind,
        "cannot be exported",
        "",
        [](message_flags<request>& flags) {
            flags.argument("URI", "where to, like gs://bucket/object.rdb", [](request& wanted, std::string const& uri) {
                wanted = request::to(uri);
            });
        },
        [](client& redis, std::string name, request wanted, call_options options) -> begun {
            return redis.async_export_instance(std::move(name), std::move(wanted), std::move(options), use_awaitable);
        }});
}

std::unique_ptr<command> make_instances_import()
{
    using request = memorystore::import_instance_request;
    return std::make_unique<act_command<request>>(act_description<request>{
        instance_kind,
        "cannot be imported into",
        "",
        [](message_flags<request>& flags) {
            flags.argument(
                "URI", "where from, like gs://bucket/object.rdb", [](request& wanted, std::string const& uri) {
                    wanted = request::from(uri);
                });
        },
        [](client& redis, std::string name, request wanted, call_options options) -> begun {
            return redis.async_import_instance(std::move(name), std::move(wanted), std::move(options), use_awaitable);
        }});
}

std::unique_ptr<command> make_instances_upgrade()
{
    using request = memorystore::upgrade_instance_request;
    return std::make_unique<act_command<request>>(act_description<request>{
        instance_kind,
        "cannot be upgraded",
        "Upgrade",
        [](message_flags<request>& flags) { flags.field(&request::redis_version, "The new version, like REDIS_7_2."); },
        [](client& redis, std::string name, request wanted, call_options options) -> begun {
            return redis.async_upgrade_instance(std::move(name), std::move(wanted), std::move(options), use_awaitable);
        }});
}

std::unique_ptr<command> make_instances_reschedule()
{
    using request = memorystore::reschedule_maintenance_request;
    return std::make_unique<act_command<request>>(act_description<request>{
        instance_kind,
        "cannot have its maintenance moved",
        "Maintenance",
        [](message_flags<request>& flags) {
            flags.field(&request::reschedule_type, "When it is to happen instead.");
            flags.field(&request::schedule_time, "For SPECIFIC_TIME.");
        },
        [](client& redis, std::string name, request wanted, call_options options) -> begun {
            return redis.async_reschedule_maintenance(
                std::move(name), std::move(wanted), std::move(options), use_awaitable);
        }});
}

constexpr std::array instance_entries{
    command_entry{"instances", "list", "Lists the instances of a project.", make_instances_list},
    command_entry{"instances", "get", "Shows an instance.", make_instances_get},
    command_entry{
        "instances", "create", "Begins to create an instance, and shows the operation.", make_instances_create},
    command_entry{
        "instances",
        "update",
        "Begins to change fields of an instance, and shows the operation.",
        make_instances_update},
    command_entry{
        "instances", "delete", "Begins to delete an instance, and shows the operation.", make_instances_delete},
    command_entry{
        "instances", "failover", "Begins to make the replica of an instance the primary.", make_instances_failover},
    command_entry{
        "instances", "export", "Begins to copy the data of an instance to Cloud Storage.", make_instances_export},
    command_entry{
        "instances", "import", "Begins to replace the data of an instance from Cloud Storage.", make_instances_import},
    command_entry{
        "instances", "upgrade", "Begins to give an instance a newer version of Redis.", make_instances_upgrade},
    command_entry{"instances", "auth-string", "Shows the password of an instance.", make_instances_auth_string},
    command_entry{"instances", "reschedule", "Moves the maintenance of an instance.", make_instances_reschedule},
};

}  // namespace

std::span<command_entry const> instance_commands()
{
    return instance_entries;
}

}  // namespace backbeat::cli
