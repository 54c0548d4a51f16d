//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "instance_rules.hpp"

#include "is_one_of.hpp"
#include "locations_api.hpp"
#include "maintenance_window.hpp"
#include "resource_rules.hpp"
#include "stable_hash.hpp"

#include <boost/asio/ip/network_v4.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace backbeat::emulation {

using memorystore::instance;

namespace {

using namespace std::chrono_literals;

constexpr std::array<std::string_view, 6> redis_versions{
    "REDIS_3_2", "REDIS_4_0", "REDIS_5_0", "REDIS_6_X", "REDIS_7_0", "REDIS_7_2"};

constexpr std::int32_t maximum_memory_size_gb = 300;
constexpr std::int32_t least_read_replica_memory_size_gb = 5;
constexpr std::int32_t maximum_replicas = 5;
constexpr std::size_t maximum_labels = 64;
constexpr std::size_t maximum_label = 63;
constexpr std::size_t maximum_description = 512;
constexpr std::size_t maximum_instance_text = 1024;
constexpr auto instance_maintenance_time = 1h;
constexpr auto maintenance_deadline = 14 * 24h;

constexpr std::array<redis_setting, 14> instance_redis_settings{{
    {"activedefrag", "REDIS_4_0", "yes/no"},
    {"lazyfree-lazy-eviction", "REDIS_7_0", "yes/no"},
    {"lazyfree-lazy-expire", "REDIS_7_0", "yes/no"},
    {"lazyfree-lazy-user-del", "REDIS_7_0", "yes/no"},
    {"lazyfree-lazy-user-flush", "REDIS_7_0", "yes/no"},
    {"lfu-decay-time", "REDIS_4_0", "number"},
    {"lfu-log-factor", "REDIS_4_0", "number"},
    {"maxmemory-clients", "REDIS_7_0", "text"},
    {"maxmemory-gb", "REDIS_4_0", "text"},
    {"maxmemory-policy", "", "policy"},
    {"notify-keyspace-events", "", "text"},
    {"stream-node-max-bytes", "REDIS_5_0", "number"},
    {"stream-node-max-entries", "REDIS_5_0", "number"},
    {"timeout", "", "number"},
}};

bool is_standard(instance const& made)
{
    return made.tier == memorystore::tier::standard_ha;
}

bool reads_replicas(instance const& made)
{
    return made.read_replicas_mode == memorystore::read_replicas_mode::read_replicas_enabled;
}

bool is_peered(instance const& made)
{
    return made.connect_mode != memorystore::connect_mode::private_service_access;
}

std::optional<boost::asio::ip::network_v4> network_of(std::string const& text)
{
    boost::system::error_code ec;
    auto const network = boost::asio::ip::make_network_v4(text, ec);
    if (ec) return {};
    return network;
}

void check_range(instance const& made, violations& found)
{
    if (made.reserved_ip_range.empty()) return;
    static constexpr char const* field = "instance.reservedIpRange";
    if (!is_peered(made)) {
        if (made.reserved_ip_range.size() > maximum_instance_text)
            found.add(field, "The name of the range is too long.");
        return;
    }
    auto const network = network_of(made.reserved_ip_range);
    auto const length = reads_replicas(made) ? 28 : 29;
    if (!network || network->prefix_length() != length) {
        found.add(
            field,
            "The reserved range must be a block of IPv4 addresses like 10.0.0.0/" + std::to_string(length) + ", got "
                + in_quotes(made.reserved_ip_range) + ".");
    }
}

void check_replicas(instance const& made, violations& found)
{
    static constexpr char const* field = "instance.replicaCount";
    auto const count = made.replica_count;
    if (!is_standard(made)) {
        if (count != 0) found.add(field, "An instance of the tier BASIC has no replicas.");
        if (reads_replicas(made)) found.add("instance.readReplicasMode", "Read replicas need the tier STANDARD_HA.");
        return;
    }
    if (!reads_replicas(made)) {
        if (count != 0 && count != 1)
            found.add(field, "An instance without read replicas has one replica; set readReplicasMode for more.");
        return;
    }
    if (count < 0 || count > maximum_replicas) found.add(field, "The number of replicas must be from 1 to 5.");
    if (made.memory_size_gb < least_read_replica_memory_size_gb)
        found.add("instance.memorySizeGb", "Read replicas need a memory size of at least 5 GB.");
    if (!made.redis_version.empty() && made.redis_version < "REDIS_5_0")
        found.add("instance.redisVersion", "Read replicas need REDIS_5_0 or later.");
}

void check_configs(instance const& made, violations& found)
{
    std::string_view const version = made.redis_version.empty() ? redis_versions[4] : made.redis_version;
    check_redis_configs(made.redis_configs, instance_redis_settings, version, "instance.redisConfigs", found);
}

void check_labels(instance const& made, violations& found)
{
    static constexpr char const* field = "instance.labels";
    if (made.labels.size() > maximum_labels) found.add(field, "There can be no more than 64 labels.");
    // In bytes at most four times that, as a label may be in any script.
    auto const is_long = [](std::string const& text) { return text.size() > 4 * maximum_label; };
    for (auto const& [key, value] : made.labels) {
        if (key.empty() || is_long(key) || is_long(value)) {
            found.add(field, "A label must have a key of 1 to 63 characters and a value of at most 63.");
            break;
        }
    }
}

void check_maintenance(instance const& made, violations& found)
{
    if (!made.maintenance_policy) return;
    auto const& policy = *made.maintenance_policy;
    std::string const root = "instance.maintenancePolicy.";
    if (policy.description.size() > maximum_description)
        found.add(root + "description", "The description must not be longer than 512 characters.");
    check_maintenance_windows(policy.weekly_maintenance_window, root + "weeklyMaintenanceWindow", found);
}

void check_texts(instance const& made, violations& found)
{
    auto const check = [&found](char const* field, std::string const& text) {
        if (text.size() > maximum_instance_text)
            found.add(std::string("instance.") + field, "The text must not be longer than 1024 bytes.");
    };
    check("displayName", made.display_name);
    check("secondaryIpRange", made.secondary_ip_range);
    check("maintenanceVersion", made.maintenance_version);
}

memorystore::maintenance_schedule instance_schedule_at(memorystore::timestamp start)
{
    memorystore::maintenance_schedule result;
    result.start_time = start;
    result.end_time = later(start, instance_maintenance_time);
    result.schedule_deadline_time = later(start, maintenance_deadline);
    return result;
}

void fill_maintenance(instance& made, instance const& before, memorystore::timestamp now)
{
    using memorystore::maintenance_policy;
    if (!made.maintenance_policy) {
        made.maintenance_schedule.reset();
        return;
    }
    // What a request says of times that only the service sets must not count as a change.
    auto const settled = [](std::optional<maintenance_policy> policy) {
        if (!policy) return policy;
        policy->create_time.reset();
        policy->update_time.reset();
        for (auto& window : policy->weekly_maintenance_window) window.duration.reset();
        return policy;
    };
    if (settled(made.maintenance_policy) == settled(before.maintenance_policy)) {
        made.maintenance_policy = before.maintenance_policy;
        return;
    }
    auto& policy = *made.maintenance_policy;
    policy.create_time = before.maintenance_policy ? before.maintenance_policy->create_time : now;
    policy.update_time = now;
    for (auto& window : policy.weekly_maintenance_window) window.duration = memorystore::duration::parse("3600s");
    made.maintenance_schedule.reset();
    if (!policy.weekly_maintenance_window.empty())
        made.maintenance_schedule =
            instance_schedule_at(next_window(policy.weekly_maintenance_window[0], now.time_point()));
}

void fill_persistence(instance& made, memorystore::timestamp now)
{
    using namespace memorystore;
    auto& config = made.persistence_config ? *made.persistence_config : made.persistence_config.emplace();
    if (config.persistence_mode.unspecified()) config.persistence_mode = persistence_mode::disabled;
    config.rdb_next_snapshot_time.reset();
    if (config.persistence_mode != persistence_mode::rdb) return;
    if (config.rdb_snapshot_period.unspecified()) config.rdb_snapshot_period = rdb_snapshot_period::twenty_four_hours;
    if (!config.rdb_snapshot_start_time) config.rdb_snapshot_start_time = now;
    auto const period = [&config]() -> std::chrono::hours {
        switch (config.rdb_snapshot_period.known().value_or(rdb_snapshot_period::twenty_four_hours)) {
        case rdb_snapshot_period::one_hour: return 1h;
        case rdb_snapshot_period::six_hours: return 6h;
        case rdb_snapshot_period::twelve_hours: return 12h;
        default: return 24h;
        }
    }();
    auto const start = *config.rdb_snapshot_start_time;
    config.rdb_next_snapshot_time = start;
    if (start > now) return;
    // In seconds: a start may be further in the past than a time_point reaches.
    auto const step = std::chrono::seconds(period).count();
    auto const next = start.seconds() + ((now.seconds() - start.seconds()) / step + 1) * step;
    config.rdb_next_snapshot_time = std::chrono::system_clock::time_point(std::chrono::seconds(next));
}

}  // namespace

bool is_redis_version(std::string_view version) noexcept
{
    return std::find(redis_versions.begin(), redis_versions.end(), version) != redis_versions.end();
}

std::string redis_version_rule()
{
    std::string text = "The Redis version must be one of ";
    for (auto const& each : redis_versions) text.append(&each == &redis_versions.front() ? "" : ", ").append(each);
    return text + ".";
}

void check_new_instance(std::string_view instance_id, std::string_view region, instance const& made, violations& found)
{
    if (!is_resource_id(instance_id, 40)) {
        found.add(
            "instanceId",
            "The instance id " + in_quotes(instance_id)
                + " must have 1 to 40 lower case letters, digits and hyphens, begin with a letter "
                  "and end with a letter or a digit.");
    }
    if (made.tier.unspecified()) found.add("instance.tier", "The tier must be given: BASIC or STANDARD_HA.");
    if (!made.redis_version.empty() && !is_redis_version(made.redis_version))
        found.add("instance.redisVersion", redis_version_rule());
    auto const zone_rule = "The zone must be one of the region, like " + std::string(region) + "-a.";
    if (!made.location_id.empty() && !is_zone_of(region, made.location_id)) found.add("instance.locationId", zone_rule);
    if (!made.alternative_location_id.empty()) {
        static constexpr char const* field = "instance.alternativeLocationId";
        if (!is_standard(made)) found.add(field, "An alternative zone needs the tier STANDARD_HA.");
        if (!is_zone_of(region, made.alternative_location_id)) found.add(field, zone_rule);
        if (made.alternative_location_id == made.location_id)
            found.add(field, "The alternative zone must not be the zone itself.");
    }
    std::string_view network = made.authorized_network;
    for (std::string_view const site : {"https://www.googleapis.com/compute/v1/", "https://compute.googleapis.com/"})
        if (network.starts_with(site)) network.remove_prefix(site.size());
    if (!network.empty() && !is_like(network, "projects/*/global/networks/*"))
        found.add("instance.authorizedNetwork", "The network must be like projects/p/global/networks/n.");
    if (!made.customer_managed_key.empty()
        && !is_like(made.customer_managed_key, "projects/*/locations/*/keyRings/*/cryptoKeys/*")) {
        found.add(
            "instance.customerManagedKey", "The key must be like projects/p/locations/l/keyRings/r/cryptoKeys/k.");
    }
    check_range(made, found);
}

void check_instance_update(instance const& before, instance const& after, update_mask const& mask, violations& found)
{
    auto const fixed = [&](bool changed, char const* field, char const* how) {
        if (changed) found.add(std::string("instance.") + field, how);
    };
    static constexpr char const* never = "This field of an instance cannot be changed.";
    fixed(after.tier != before.tier, "tier", "The tier of an instance cannot be changed.");
    fixed(after.redis_version != before.redis_version, "redisVersion", "The Redis version is changed by :upgrade.");
    fixed(after.location_id != before.location_id, "locationId", never);
    fixed(after.alternative_location_id != before.alternative_location_id, "alternativeLocationId", never);
    fixed(after.reserved_ip_range != before.reserved_ip_range, "reservedIpRange", never);
    fixed(after.authorized_network != before.authorized_network, "authorizedNetwork", never);
    fixed(after.connect_mode != before.connect_mode, "connectMode", never);
    fixed(after.transit_encryption_mode != before.transit_encryption_mode, "transitEncryptionMode", never);
    fixed(after.customer_managed_key != before.customer_managed_key, "customerManagedKey", never);
    fixed(mask.has("tags") && !after.tags.empty(), "tags", never);

    if (reads_replicas(before) && !reads_replicas(after))
        found.add("instance.readReplicasMode", "Read replicas cannot be switched off again.");
    if (!reads_replicas(before) && reads_replicas(after)) {
        for (auto const& field : mask.fields()) {
            if (is_one_of(field, {"read_replicas_mode", "secondary_ip_range"})) continue;
            found.add(
                "updateMask",
                "Read replicas are switched on by themselves; " + std::string(field)
                    + " cannot be changed by the same request.");
        }
    }
}

void check_instance_settings(instance const& made, violations& found)
{
    if (made.memory_size_gb < 1 || made.memory_size_gb > maximum_memory_size_gb)
        found.add("instance.memorySizeGb", "The memory size must be from 1 to 300 GB.");
    check_replicas(made, found);
    check_configs(made, found);
    check_labels(made, found);
    check_maintenance(made, found);
    check_texts(made, found);
}

void fill_new_instance(instance& made, std::string_view project, std::string_view region)
{
    using namespace memorystore;
    auto const zones = zones_of(region);
    auto const other_than = [&zones](std::string const& taken) { return zones[zones[0] == taken ? 1 : 0]; };
    if (made.location_id.empty()) made.location_id = other_than(made.alternative_location_id);
    if (is_standard(made) && made.alternative_location_id.empty())
        made.alternative_location_id = other_than(made.location_id);
    made.current_location_id = made.location_id;
    if (made.redis_version.empty()) made.redis_version = "REDIS_7_0";
    if (made.authorized_network.empty())
        made.authorized_network = "projects/" + std::string(project) + "/global/networks/default";
    if (made.connect_mode.unspecified()) made.connect_mode = connect_mode::direct_peering;
    if (made.transit_encryption_mode.unspecified()) made.transit_encryption_mode = transit_encryption_mode::disabled;
    auto const number = stable_hash{}.add(project).value() % 900'000'000'000U + 100'000'000'000U;
    made.persistence_iam_identity =
        "serviceAccount:" + std::to_string(number) + "-compute@developer.gserviceaccount.com";
}

void fill_instance_settings(instance& made, instance const& before, memorystore::timestamp now)
{
    using memorystore::read_replicas_mode;
    if (made.read_replicas_mode.unspecified()) made.read_replicas_mode = read_replicas_mode::read_replicas_disabled;
    if (is_standard(made) && made.replica_count == 0) made.replica_count = reads_replicas(made) ? 2 : 1;
    fill_persistence(made, now);
    fill_maintenance(made, before, now);
}

void fill_ready_instance(instance& made)
{
    // An address that belongs to the name: the same in every run.
    auto const hash = static_cast<std::uint32_t>(stable_hash{}.add(made.name).value());
    unsigned short const length = reads_replicas(made) ? 28 : 29;
    boost::asio::ip::network_v4 range(boost::asio::ip::address_v4(0x0a000000U | (hash & 0x00fffff0U)), length);
    if (auto const wanted = network_of(made.reserved_ip_range)) {
        range = wanted->canonical();
    } else if (made.reserved_ip_range.empty()) {
        made.reserved_ip_range = range.to_string();
    }
    auto const encrypted = made.transit_encryption_mode == memorystore::transit_encryption_mode::server_authentication;
    made.host = boost::asio::ip::address_v4(range.network().to_uint() + 3).to_string();
    made.port = encrypted ? 6378 : 6379;
    place_instance_nodes(made);
}

void place_instance_nodes(instance& made)
{
    made.nodes.clear();
    for (std::int32_t i = 0; i <= made.replica_count; ++i) {
        memorystore::node_info node;
        node.id = "node-" + std::to_string(i);
        node.zone = i % 2 == 0 ? made.location_id : made.alternative_location_id;
        made.nodes.push_back(std::move(node));
    }
    if (!reads_replicas(made)) return;
    boost::system::error_code ec;
    auto const host = boost::asio::ip::make_address_v4(made.host, ec);
    made.read_endpoint = boost::asio::ip::address_v4(host.to_uint() + 1).to_string();
    made.read_endpoint_port = made.port;
}

void reschedule_instance(
    instance& made, memorystore::reschedule_maintenance_request const& request, memorystore::timestamp now)
{
    if (request.reschedule_type == memorystore::reschedule_type::immediate) {
        made.maintenance_schedule.reset();
        return;
    }
    if (request.schedule_time) {
        made.maintenance_schedule = instance_schedule_at(*request.schedule_time);
        return;
    }
    constexpr auto week = 7 * 24h;
    auto start = later(now, week);
    if (made.maintenance_schedule && made.maintenance_schedule->start_time) {
        start = later(*made.maintenance_schedule->start_time, week);
    } else if (made.maintenance_policy && !made.maintenance_policy->weekly_maintenance_window.empty()) {
        start = next_window(made.maintenance_policy->weekly_maintenance_window[0], now.time_point());
    }
    made.maintenance_schedule = instance_schedule_at(start);
}

}  // namespace backbeat::emulation
