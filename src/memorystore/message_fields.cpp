//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "message_fields.hpp"

#include "in_quotes.hpp"

#include <backbeat/memorystore/detail/nearest_name.hpp>
#include <backbeat/memorystore/json_codec.hpp>

#include <boost/describe/members.hpp>
#include <boost/describe/modifiers.hpp>
#include <boost/mp11/algorithm.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <stdexcept>
#include <utility>

namespace backbeat::memorystore {

namespace detail {

namespace {

constexpr std::array<std::string_view, 16> set_by_service_in_instance{
    "host",
    "port",
    "currentLocationId",
    "createTime",
    "state",
    "statusMessage",
    "persistenceIamIdentity",
    "serverCaCerts",
    "maintenanceSchedule",
    "nodes",
    "readEndpoint",
    "readEndpointPort",
    "suspensionReasons",
    "availableMaintenanceVersions",
    "satisfiesPzi",
    "satisfiesPzs"};

constexpr std::array<std::string_view, 12> set_by_service_in_cluster{
    "createTime",
    "state",
    "uid",
    "sizeGb",
    "preciseSizeGb",
    "discoveryEndpoints",
    "pscConnections",
    "stateInfo",
    "maintenanceSchedule",
    "pscServiceAttachments",
    "backupCollection",
    "encryptionInfo"};

template <std::size_t N>
bool is_among(std::array<std::string_view, N> const& names, std::string_view name) noexcept
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

// memory_size_gb -> memorySizeGb, of each part of a path.
std::string lower_camel_case(std::string_view path)
{
    std::string result;
    bool upper = false;
    for (char const c : path) {
        if (c == '_') {
            upper = true;
            continue;
        }
        bool const lower_case = c >= 'a' && c <= 'z';
        result += upper && lower_case ? static_cast<char>(c - 'a' + 'A') : c;
        upper = false;
    }
    return result;
}

class field_name {
public:
    std::string_view name;
};

template <class Message>
std::vector<std::string> field_names_of()
{
    std::vector<std::string> result;
    boost::mp11::mp_for_each<boost::describe::describe_members<Message, boost::describe::mod_public>>(
        [&](auto described) { result.emplace_back(json_name_of<decltype(described)>.view()); });
    return result;
}

template <class Message>
std::vector<std::string> const& field_names()
{
    static auto const names = field_names_of<Message>();
    return names;
}

[[noreturn]] void refuse_path(std::string const& path, std::string const& why)
{
    throw std::invalid_argument("the update mask names " + in_quotes(path) + why);
}

template <class Message>
void check_path(std::string const& path, std::string const& field, Message const& wanted, std::string_view what)
{
    auto const& names = field_names<Message>();
    if (std::find(names.begin(), names.end(), field) == names.end()) {
        // What a newer service has, and this library does not know, comes back from it in `unknown_fields`.
        if (wanted.unknown_fields.contains(field)) return;
        std::vector<field_name> candidates;
        candidates.reserve(names.size());
        for (auto const& each : names) candidates.push_back({each});
        auto const meant = nearest_name(field, candidates);
        refuse_path(
            path,
            ", which is no field of " + std::string(what)
                + (meant.empty() ? std::string() : "; did you mean '" + std::string(meant) + "'?"));
    }
    // The documentation of updates lists it nevertheless.
    bool const documented = std::same_as<Message, cluster> && field == "sizeGb";
    if (is_output_only(wanted, field) && !documented)
        refuse_path(path, ", which is output only: the service sets it, and no update can");
    if (field == "name") refuse_path(path, ", which says what to update, and never changes");
    if (field == "tags") refuse_path(path, ", which is immutable: it is set when " + std::string(what) + " is created");
}

template <class Message>
std::vector<std::string> checked_fields(update_mask const& mask, Message const& wanted, std::string_view what)
{
    if (mask.empty())
        throw std::invalid_argument(
            "the update mask is empty; it must name at least one field to change, such as redisConfigs");
    std::vector<std::string> result;
    for (auto const& path : mask.paths()) {
        auto field = path.substr(0, path.find('.'));
        check_path(path, field, wanted, what);
        if (std::find(result.begin(), result.end(), field) == result.end()) result.push_back(std::move(field));
    }
    return result;
}

}  // namespace

bool is_output_only(instance const& /*message*/, std::string_view field) noexcept
{
    return is_among(set_by_service_in_instance, field);
}

bool is_output_only(cluster const& /*message*/, std::string_view field) noexcept
{
    return is_among(set_by_service_in_cluster, field);
}

std::vector<std::string> masked_fields(update_mask const& mask, instance const& wanted)
{
    return checked_fields(mask, wanted, "an instance");
}

std::vector<std::string> masked_fields(update_mask const& mask, cluster const& wanted)
{
    return checked_fields(mask, wanted, "a cluster");
}

boost::json::object only(boost::json::object message, std::vector<std::string> const& fields)
{
    boost::json::object result;
    for (auto const& each : fields)
        if (auto* const value = message.if_contains(each)) result.emplace(each, std::move(*value));
    return result;
}

}  // namespace detail

update_mask::update_mask(std::initializer_list<std::string_view> fields)
{
    for (auto const field : fields) add(field);
}

update_mask::update_mask(std::string_view text)
{
    while (!text.empty()) {
        auto const end = std::min(text.find(','), text.size());
        add(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

void update_mask::add(std::string_view field)
{
    while (field.starts_with(' ')) field.remove_prefix(1);
    while (field.ends_with(' ')) field.remove_suffix(1);
    auto path = detail::lower_camel_case(field);
    if (std::find(paths_.begin(), paths_.end(), path) == paths_.end()) paths_.push_back(std::move(path));
}

std::string update_mask::to_string() const
{
    std::string result;
    for (auto const& each : paths_) {
        if (!result.empty()) result += ',';
        result += each;
    }
    return result;
}

template <class Message>
update_mask update_mask::difference(Message const& before, Message const& after)
{
    auto const had = to_json(before);
    auto const has = to_json(after);
    update_mask result;
    auto const compare = [&](std::string_view field) {
        auto const* const a = had.if_contains(field);
        auto const* const b = has.if_contains(field);
        bool const same = a == nullptr || b == nullptr ? a == b : *a == *b;
        if (!same && !detail::is_output_only(after, field)) result.add(field);
    };
    for (auto const& member : has) compare(member.key());
    for (auto const& member : had)
        if (!has.contains(member.key())) compare(member.key());
    return result;
}

template update_mask update_mask::difference(instance const& before, instance const& after);
template update_mask update_mask::difference(cluster const& before, cluster const& after);

}  // namespace backbeat::memorystore
