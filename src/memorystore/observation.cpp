//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "observation.hpp"

#include <backbeat/memorystore/json.hpp>

#include <boost/json/value.hpp>

#include <utility>

namespace backbeat::memorystore::detail {

namespace {

std::string_view without_project(std::string_view name) noexcept
{
    auto const location = name.find("/locations/");
    return location == name.npos ? name : name.substr(location);
}

boost::json::value member(boost::json::object const& resource, std::string_view name)
{
    auto const* const found = resource.if_contains(boost::json::string_view(name.data(), name.size()));
    return found == nullptr ? boost::json::value() : *found;
}

}  // namespace

seen_operation::seen_operation(operation seen) : whole(std::move(seen))
{
    if (!whole.metadata) return;
    try {
        // The metadata of instances, clusters and backups have these fields in common.
        operation_metadata facts;
        auto content = whole.metadata->content;
        content.erase("@type");
        from_json(content, facts);
        target = std::move(facts.target);
        verb = std::move(facts.verb);
        begun = facts.create_time;
    } catch (json_error const&) {
        // An operation of which nothing is known may be anything.
        target.clear();
        verb.clear();
    }
}

bool is_same_resource(std::string_view one, std::string_view other) noexcept
{
    return without_project(one) == without_project(other);
}

bool is_same_incarnation(observation const& one, observation const& other)
{
    if (!one.resource || !other.resource) return !one.resource && !other.resource;
    for (auto const* const name : {"createTime", "uid"})
        if (member(*one.resource, name) != member(*other.resource, name)) return false;
    return true;
}

}  // namespace backbeat::memorystore::detail
