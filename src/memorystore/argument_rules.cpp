//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "argument_rules.hpp"

#include "check_enums.hpp"
#include "in_quotes.hpp"
#include "message_fields.hpp"

#include <backbeat/memorystore/resource_name.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>

namespace backbeat::memorystore::detail {

namespace {

using namespace std::chrono_literals;

constexpr std::int32_t maximum_memory_size_gb = 300;
constexpr std::int32_t maximum_replica_count = 5;
constexpr std::size_t maximum_description = 512;
constexpr std::int64_t least_ttl_seconds = 86400;
// A hundred years, of 365.25 days each.
constexpr std::int64_t maximum_ttl_seconds = 36525 * least_ttl_seconds;

[[noreturn]] void refuse(std::string const& problem)
{
    throw std::invalid_argument(problem);
}

void check_range(std::string_view field, std::int64_t value, std::int64_t least, std::int64_t most)
{
    if (value >= least && value <= most) return;
    refuse(
        std::string(field) + " is " + std::to_string(value) + ", but must be from " + std::to_string(least) + " to "
        + std::to_string(most));
}

std::size_t characters_in(std::string_view text)
{
    auto const starts_one = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_one));
}

void check(maintenance_policy const& policy)
{
    if (auto const length = characters_in(policy.description); length > maximum_description)
        refuse(
            "maintenancePolicy.description has " + std::to_string(length) + " characters; it can have no more than "
            + std::to_string(maximum_description));
    if (auto const count = policy.weekly_maintenance_window.size(); count > 1)
        refuse(
            "maintenancePolicy.weeklyMaintenanceWindow has " + std::to_string(count)
            + " windows; there can be no more than one");
    for (auto const& window : policy.weekly_maintenance_window)
        if (window.day.unspecified() || !window.start_time)
            refuse("maintenancePolicy.weeklyMaintenanceWindow needs both a day and a startTime");
}

// `is_meant(field)`: the request says something about this field.
template <class Filter>
void check(instance const& wanted, Filter const& is_meant)
{
    check_enums(wanted, {}, is_meant);
    if (is_meant("memorySizeGb")) check_range("memorySizeGb", wanted.memory_size_gb, 1, maximum_memory_size_gb);
    if (is_meant("replicaCount")) check_range("replicaCount", wanted.replica_count, 0, maximum_replica_count);
    if (is_meant("maintenancePolicy") && wanted.maintenance_policy) check(*wanted.maintenance_policy);
}

template <class Filter>
void check(cluster const& wanted, Filter const& is_meant)
{
    check_enums(wanted, {}, is_meant);
    auto const check_least = [&](std::string_view field, std::optional<std::int32_t> value, std::int32_t least) {
        if (is_meant(field) && value && *value < least)
            refuse(
                std::string(field) + " is " + std::to_string(*value) + ", but must be " + std::to_string(least)
                + " or more");
    };
    check_least("shardCount", wanted.shard_count, 1);
    check_least("replicaCount", wanted.replica_count, 0);
    if (is_meant("pscConfigs"))
        for (auto const& each : wanted.psc_configs)
            if (each.network.empty())
                refuse("pscConfigs needs a network in each, such as projects/{project}/global/networks/{network}");
    if (is_meant("gcsSource") && is_meant("managedBackupSource") && wanted.gcs_source && wanted.managed_backup_source)
        refuse("gcsSource and managedBackupSource are both given; a cluster is filled from one of them");
}

// A copy of what is there already has its name.
void check_name(std::string const& given, std::string_view name)
{
    if (!given.empty() && given != name)
        refuse("the name is " + in_quotes(given) + ", but what is to be created is '" + std::string(name) + "'");
}

template <class Message>
auto can_be_sent(Message const& wanted)
{
    return [&wanted](std::string_view field) { return !is_output_only(wanted, field); };
}

auto is_among(std::vector<std::string> const& fields)
{
    return [&fields](std::string_view field) { return std::find(fields.begin(), fields.end(), field) != fields.end(); };
}

void check_uri(std::string const& uri, std::string_view field)
{
    constexpr std::string_view scheme = "gs://";
    constexpr std::string_view type = ".rdb";
    auto const slash = uri.find('/', scheme.size());
    if (uri.starts_with(scheme) && uri.ends_with(type) && slash != std::string::npos && slash > scheme.size()
        && uri.size() > slash + 1 + type.size())
        return;
    refuse(
        std::string(field) + " is " + in_quotes(uri)
        + ", but must name an object in Cloud Storage with the suffix .rdb: gs://{bucket}/{object}.rdb");
}

template <class Request, class Type>
void check_time(Request const& wanted, Type specific_time, std::string_view types)
{
    check_enums(wanted);
    if (wanted.reschedule_type.unspecified())
        refuse("rescheduleType is not given; it must be one of " + std::string(types));
    if (wanted.reschedule_type == specific_time && !wanted.schedule_time)
        refuse("scheduleTime is not given; the rescheduleType SPECIFIC_TIME needs it");
}

}  // namespace

void check_new(instance const& wanted, std::string_view name)
{
    check_name(wanted.name, name);
    if (wanted.tier.unspecified()) refuse("tier is not given; it must be one of BASIC, STANDARD_HA");
    check(wanted, can_be_sent(wanted));
}

void check_new(cluster const& wanted, std::string_view name)
{
    check_name(wanted.name, name);
    check(wanted, can_be_sent(wanted));
}

void check_changed(instance const& wanted, std::vector<std::string> const& fields)
{
    check(wanted, is_among(fields));
}

void check_changed(cluster const& wanted, std::vector<std::string> const& fields)
{
    check(wanted, is_among(fields));
}

void check_request(export_instance_request const& wanted)
{
    auto const& to = wanted.output_config;
    check_uri(to && to->gcs_destination ? to->gcs_destination->uri : std::string(), "outputConfig.gcsDestination.uri");
}

void check_request(import_instance_request const& wanted)
{
    auto const& from = wanted.input_config;
    check_uri(from && from->gcs_source ? from->gcs_source->uri : std::string(), "inputConfig.gcsSource.uri");
}

void check_request(failover_instance_request const& wanted)
{
    check_enums(wanted);
}

void check_request(upgrade_instance_request const& wanted)
{
    auto const& version = wanted.redis_version;
    auto const allowed = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
    if (version.starts_with("REDIS_") && version.size() > 6 && std::all_of(version.begin(), version.end(), allowed))
        return;
    refuse("redisVersion is " + in_quotes(version) + ", but must be a version such as REDIS_7_2");
}

void check_request(reschedule_maintenance_request const& wanted)
{
    check_time(wanted, reschedule_type::specific_time, "IMMEDIATE, NEXT_AVAILABLE_WINDOW, SPECIFIC_TIME");
}

void check_request(reschedule_cluster_maintenance_request const& wanted)
{
    check_time(wanted, cluster_reschedule_type::specific_time, "IMMEDIATE, SPECIFIC_TIME");
}

void check_request(backup_cluster_request const& wanted)
{
    if (!wanted.backup_id.empty()) check_backup_id(wanted.backup_id);
    if (!wanted.ttl) return;
    auto const seconds = wanted.ttl->seconds();
    if (seconds < least_ttl_seconds || seconds > maximum_ttl_seconds)
        refuse("ttl is " + wanted.ttl->to_string() + ", but must be from one day (86400s) to 100 years");
}

void check_request(export_backup_request const& wanted)
{
    auto const& bucket = wanted.gcs_bucket;
    if (!bucket.empty() && bucket.find('/') == std::string::npos) return;
    refuse("gcsBucket is " + in_quotes(bucket) + ", but must be the name of a bucket alone, without gs:// and slashes");
}

}  // namespace backbeat::memorystore::detail
