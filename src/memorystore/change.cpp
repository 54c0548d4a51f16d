//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "change.hpp"

#include <boost/json/serialize.hpp>

#include <utility>

namespace backbeat::memorystore::detail {

namespace {

// "creating instance": what is being done, for people. The name of the target follows.
std::string_view action_of(change_kind kind) noexcept
{
    switch (kind) {
    case change_kind::create_instance: return "creating instance";
    case change_kind::update_instance: return "updating instance";
    case change_kind::delete_instance: return "deleting instance";
    case change_kind::export_instance: return "exporting instance";
    case change_kind::import_instance: return "importing into instance";
    case change_kind::failover_instance: return "failing over instance";
    case change_kind::upgrade_instance: return "upgrading instance";
    case change_kind::reschedule_maintenance: return "rescheduling the maintenance of instance";
    case change_kind::create_cluster: return "creating cluster";
    case change_kind::update_cluster: return "updating cluster";
    case change_kind::delete_cluster: return "deleting cluster";
    case change_kind::reschedule_cluster_maintenance: return "rescheduling the maintenance of cluster";
    case change_kind::backup_cluster: return "backing up cluster";
    case change_kind::delete_backup: return "deleting backup";
    case change_kind::export_backup: return "exporting backup";
    }
    return "changing";
}

}  // namespace

std::string_view verb_of(change_kind kind) noexcept
{
    switch (kind) {
    case change_kind::create_instance:
    case change_kind::create_cluster: return "create";
    case change_kind::update_instance:
    case change_kind::update_cluster: return "update";
    case change_kind::delete_instance:
    case change_kind::delete_cluster:
    case change_kind::delete_backup: return "delete";
    case change_kind::export_instance:
    case change_kind::export_backup: return "export";
    case change_kind::import_instance: return "import";
    case change_kind::failover_instance: return "failover";
    case change_kind::upgrade_instance: return "upgrade";
    case change_kind::reschedule_maintenance:
    case change_kind::reschedule_cluster_maintenance: return "reschedule";
    case change_kind::backup_cluster: return "backup";
    }
    return {};
}

change change_of(
    change_kind kind, http::verb method, std::string_view parameter, std::string_view name, std::string target)
{
    change result;
    result.request = call_of(method, parameter, name, std::string(action_of(kind)) + " '" + target + "'");
    // DELETE too: what is deleted the second time may be what somebody else has created in between.
    result.request.replay = http::idempotency::never;
    result.kind = kind;
    result.target = std::move(target);
    result.verb = verb_of(kind);
    return result;
}

void want(change& what, boost::json::object message)
{
    what.request.body = boost::json::serialize(message);
    what.wanted = std::move(message);
}

void identify(change& what, std::string request_id)
{
    add_parameter(what.request.target, "requestId", request_id);
    what.request_id = std::move(request_id);
}

}  // namespace backbeat::memorystore::detail
