//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_CHANGE_HPP
#define BACKBEAT_SRC_MEMORYSTORE_CHANGE_HPP

#include "call.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace backbeat::memorystore::detail {

// The methods that change a resource. They answer with a long-running operation.
enum class change_kind {
    create_instance,
    update_instance,
    delete_instance,
    export_instance,
    import_instance,
    failover_instance,
    upgrade_instance,
    reschedule_maintenance,
    create_cluster,
    update_cluster,
    delete_cluster,
    reschedule_cluster_maintenance,
    backup_cluster,
    delete_backup,
    export_backup
};

// What the metadata of an operation call such a change: "create", "update", ...
[[nodiscard]] std::string_view verb_of(change_kind kind) noexcept;

[[nodiscard]] constexpr bool is_creation(change_kind kind) noexcept
{
    return kind == change_kind::create_instance || kind == change_kind::create_cluster;
}

// A call that changes a resource, and what has to be known of it to find out later what became of it.
class change {
public:
    change() = default;

    call request;
    change_kind kind = change_kind::create_instance;
    // The resource, as the metadata of its operations names it. Of a create: the one that there is to be.
    std::string target;
    // As the metadata of its operation names it.
    std::string verb;
    // By which the service knows the request again, the same on every attempt. Empty: the method has none.
    std::string request_id;
    // The message in the body: what is wanted of the resource or the method. Empty: the request has no body.
    boost::json::object wanted;
    // Of an update, the fields of the message that it changes, named as in `wanted` (lowerCamelCase).
    std::vector<std::string> mask;
};

// A change by a call of the resource `name`, which `parameter` of the request holds; `target` is what it changes.
[[nodiscard]] change change_of(
    change_kind kind, http::verb method, std::string_view parameter, std::string_view name, std::string target);

// The message goes into the body.
void want(change& what, boost::json::object message);

// The request id goes into the query.
void identify(change& what, std::string request_id);

}  // namespace backbeat::memorystore::detail

#endif
