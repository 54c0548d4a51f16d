//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "in_quotes.hpp"

#include <backbeat/memorystore/resource_name.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace backbeat::memorystore {

namespace {

using detail::in_quotes;

bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Also the old ids with a domain ("example.com:project"), and project numbers.
bool is_project(std::string_view text)
{
    auto const allowed = [](char c) { return is_lower(c) || is_digit(c) || c == '-' || c == '.' || c == ':'; };
    return !text.empty() && text.size() <= 63 && std::all_of(text.begin(), text.end(), allowed)
        && (is_lower(text.front()) || is_digit(text.front()));
}

bool is_location(std::string_view text)
{
    if (text == "-") return true;
    auto const allowed = [](char c) { return is_lower(c) || is_digit(c) || c == '-'; };
    return !text.empty() && text.size() <= 63 && is_lower(text.front())
        && std::all_of(text.begin(), text.end(), allowed);
}

// The rule of instances and of clusters, which differ only in length.
bool is_user_id(std::string_view text, std::size_t longest)
{
    auto const allowed = [](char c) { return is_lower(c) || is_digit(c) || c == '-'; };
    return !text.empty() && text.size() <= longest && is_lower(text.front()) && text.back() != '-'
        && std::all_of(text.begin(), text.end(), allowed);
}

bool is_instance_id(std::string_view text)
{
    return is_user_id(text, 40);
}

bool is_cluster_id(std::string_view text)
{
    return is_user_id(text, 63);
}

// Ids that the service makes, of operations and backups: whatever is no danger to a URL.
bool is_service_id(std::string_view text)
{
    auto const allowed = [](char c) {
        return is_lower(c) || is_digit(c) || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
    };
    return !text.empty() && text.size() <= 256 && text.front() != '.' && std::all_of(text.begin(), text.end(), allowed);
}

constexpr std::string_view project_rule =
    "a project is 1 to 63 lower-case letters, digits, hyphens, dots and colons, and starts with a letter or a digit";
constexpr std::string_view location_rule = "a location is a region such as us-central1, or - for all of them";
constexpr std::string_view instance_rule =
    "an instance id is 1 to 40 lower-case letters, digits and hyphens, starts with a letter and does not end with a "
    "hyphen";
constexpr std::string_view cluster_rule =
    "a cluster id is 1 to 63 lower-case letters, digits and hyphens, starts with a letter and does not end with a "
    "hyphen";
constexpr std::string_view operation_rule =
    "an operation id is letters, digits, hyphens, underscores and dots, at most 256";
constexpr std::string_view collection_rule =
    "the id of a backup collection is letters, digits, hyphens, underscores and dots, at most 256";
constexpr std::string_view backup_rule =
    "a backup id is letters, digits, hyphens, underscores and dots, at most 256, and does not start with a dot";

[[noreturn]] void refuse(std::string_view text, std::string_view what, std::string_view pattern, std::string_view rule)
{
    std::string problem = in_quotes(text);
    problem.append(" is not the name of ").append(what).append(", which is ").append(pattern);
    if (!rule.empty()) problem.append("; ").append(rule);
    throw std::invalid_argument(problem);
}

// The ids at the odd places of "projects/p/locations/l/...", if the words at the even ones are right.
template <std::size_t N>
std::array<std::string, N> split(
    std::string_view text,
    std::array<std::string_view, N> const& words,
    std::string_view what,
    std::string_view pattern)
{
    std::array<std::string, N> ids;
    auto rest = text;
    for (std::size_t i = 0; i != N; ++i) {
        if (i != 0) {
            if (!rest.starts_with('/')) refuse(text, what, pattern, {});
            rest.remove_prefix(1);
        }
        if (!rest.starts_with(words[i])) refuse(text, what, pattern, {});
        rest.remove_prefix(words[i].size());
        if (!rest.starts_with('/')) refuse(text, what, pattern, {});
        rest.remove_prefix(1);
        auto const end = std::min(rest.find('/'), rest.size());
        ids[i] = rest.substr(0, end);
        rest.remove_prefix(end);
    }
    if (!rest.empty()) refuse(text, what, pattern, {});
    if (!is_project(ids[0])) refuse(text, what, pattern, project_rule);
    if constexpr (N > 1)
        if (!is_location(ids[1])) refuse(text, what, pattern, location_rule);
    return ids;
}

}  // namespace

project_name project_name::parse(std::string_view text)
{
    constexpr std::array<std::string_view, 1> words{"projects"};
    auto ids = split(text, words, "a project", "projects/{project}");
    project_name result;
    result.project = std::move(ids[0]);
    return result;
}

std::string project_name::to_string() const
{
    return "projects/" + project;
}

location_name location_name::parse(std::string_view text)
{
    constexpr std::array<std::string_view, 2> words{"projects", "locations"};
    auto ids = split(text, words, "a location", "projects/{project}/locations/{location}");
    location_name result;
    result.project = std::move(ids[0]);
    result.location = std::move(ids[1]);
    return result;
}

std::string location_name::to_string() const
{
    return "projects/" + project + "/locations/" + location;
}

instance_name instance_name::parse(std::string_view text)
{
    constexpr std::array<std::string_view, 3> words{"projects", "locations", "instances"};
    constexpr std::string_view what = "an instance";
    constexpr std::string_view pattern = "projects/{project}/locations/{location}/instances/{instance}";
    auto ids = split(text, words, what, pattern);
    if (!is_instance_id(ids[2])) refuse(text, what, pattern, instance_rule);
    instance_name result;
    result.project = std::move(ids[0]);
    result.location = std::move(ids[1]);
    result.instance = std::move(ids[2]);
    return result;
}

std::string instance_name::to_string() const
{
    return "projects/" + project + "/locations/" + location + "/instances/" + instance;
}

cluster_name cluster_name::parse(std::string_view text)
{
    constexpr std::array<std::string_view, 3> words{"projects", "locations", "clusters"};
    constexpr std::string_view what = "a cluster";
    constexpr std::string_view pattern = "projects/{project}/locations/{location}/clusters/{cluster}";
    auto ids = split(text, words, what, pattern);
    if (!is_cluster_id(ids[2])) refuse(text, what, pattern, cluster_rule);
    cluster_name result;
    result.project = std::move(ids[0]);
    result.location = std::move(ids[1]);
    result.cluster = std::move(ids[2]);
    return result;
}

std::string cluster_name::to_string() const
{
    return "projects/" + project + "/locations/" + location + "/clusters/" + cluster;
}

backup_collection_name backup_collection_name::parse(std::string_view text)
{
    constexpr std::array<std::string_view, 3> words{"projects", "locations", "backupCollections"};
    constexpr std::string_view what = "a backup collection";
    constexpr std::string_view pattern = "projects/{project}/locations/{location}/backupCollections/{collection}";
    auto ids = split(text, words, what, pattern);
    if (!is_service_id(ids[2])) refuse(text, what, pattern, collection_rule);
    backup_collection_name result;
    result.project = std::move(ids[0]);
    result.location = std::move(ids[1]);
    result.collection = std::move(ids[2]);
    return result;
}

std::string backup_collection_name::to_string() const
{
    return "projects/" + project + "/locations/" + location + "/backupCollections/" + collection;
}

backup_name backup_name::parse(std::string_view text)
{
    constexpr std::array<std::string_view, 4> words{"projects", "locations", "backupCollections", "backups"};
    constexpr std::string_view what = "a backup";
    constexpr std::string_view pattern =
        "projects/{project}/locations/{location}/backupCollections/{collection}/backups/{backup}";
    auto ids = split(text, words, what, pattern);
    if (!is_service_id(ids[2])) refuse(text, what, pattern, collection_rule);
    if (!is_service_id(ids[3])) refuse(text, what, pattern, backup_rule);
    backup_name result;
    result.project = std::move(ids[0]);
    result.location = std::move(ids[1]);
    result.collection = std::move(ids[2]);
    result.backup = std::move(ids[3]);
    return result;
}

std::string backup_name::to_string() const
{
    return "projects/" + project + "/locations/" + location + "/backupCollections/" + collection + "/backups/" + backup;
}

operation_name operation_name::parse(std::string_view text)
{
    constexpr std::array<std::string_view, 3> words{"projects", "locations", "operations"};
    constexpr std::string_view what = "an operation";
    constexpr std::string_view pattern = "projects/{project}/locations/{location}/operations/{operation}";
    auto ids = split(text, words, what, pattern);
    if (!is_service_id(ids[2])) refuse(text, what, pattern, operation_rule);
    operation_name result;
    result.project = std::move(ids[0]);
    result.location = std::move(ids[1]);
    result.operation = std::move(ids[2]);
    return result;
}

std::string operation_name::to_string() const
{
    return "projects/" + project + "/locations/" + location + "/operations/" + operation;
}

void check_instance_id(std::string_view id)
{
    if (is_instance_id(id)) return;
    throw std::invalid_argument(in_quotes(id) + " is not an instance id; " + std::string(instance_rule));
}

void check_cluster_id(std::string_view id)
{
    if (is_cluster_id(id)) return;
    throw std::invalid_argument(in_quotes(id) + " is not a cluster id; " + std::string(cluster_rule));
}

void check_backup_id(std::string_view id)
{
    if (is_service_id(id)) return;
    throw std::invalid_argument(in_quotes(id) + " is not a backup id; " + std::string(backup_rule));
}

}  // namespace backbeat::memorystore
