//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "instance_rules.hpp"

#include "error_reply.hpp"
#include "stable_hash.hpp"

#include <backbeat/memorystore/error_details.hpp>
#include <backbeat/memorystore/json.hpp>

#include <boost/asio/ip/network_v4.hpp>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace backbeat::emulation {

using memorystore::instance;

namespace {

constexpr std::array<std::string_view, 6> redis_versions{
    "REDIS_3_2", "REDIS_4_0", "REDIS_5_0", "REDIS_6_X", "REDIS_7_0", "REDIS_7_2"};

constexpr std::int32_t maximum_memory_size_gb = 300;
constexpr std::int32_t least_read_replica_memory_size_gb = 5;
constexpr std::int32_t maximum_replicas = 5;

// Gathers violations, so that a caller learns of all of them at once.
class violations {
public:
    void add(std::string field, std::string description)
    {
        if (!text_.empty()) text_ += ' ';
        text_ += description;
        memorystore::rpc::field_violation violation;
        violation.field = std::move(field);
        violation.description = std::move(description);
        details_.field_violations.push_back(std::move(violation));
    }

    void check() const
    {
        if (details_.field_violations.empty()) return;
        throw api_error(memorystore::rpc_code::invalid_argument, text_, {memorystore::any::pack(details_)});
    }

private:
    std::string text_;
    memorystore::rpc::bad_request details_;
};

bool is_standard(instance const& made)
{
    return made.tier == memorystore::tier::standard_ha;
}

bool reads_replicas(instance const& made)
{
    return made.read_replicas_mode == memorystore::read_replicas_mode::read_replicas_enabled;
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

}  // namespace

bool is_instance_id(std::string_view id) noexcept
{
    auto const is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    auto const is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (id.empty() || id.size() > 40 || !is_letter(id.front()) || id.back() == '-') return false;
    return std::all_of(id.begin(), id.end(), [&](char c) { return is_letter(c) || is_digit(c) || c == '-'; });
}

void clear_output_only(instance& made)
{
    made.name.clear();
    made.host.clear();
    made.port = 0;
    made.current_location_id.clear();
    made.create_time.reset();
    made.state = {};
    made.status_message.clear();
    made.persistence_iam_identity.clear();
    made.server_ca_certs.clear();
    made.maintenance_schedule.reset();
    made.nodes.clear();
    made.read_endpoint.clear();
    made.read_endpoint_port = 0;
    made.suspension_reasons.clear();
    made.available_maintenance_versions.clear();
    made.satisfies_pzi.reset();
    made.satisfies_pzs.reset();
    made.tags.clear();
    if (made.persistence_config) made.persistence_config->rdb_next_snapshot_time.reset();
    if (made.maintenance_policy) {
        made.maintenance_policy->create_time.reset();
        made.maintenance_policy->update_time.reset();
    }
}

void check_new_instance(std::string_view instance_id, instance const& made)
{
    violations found;
    if (!is_instance_id(instance_id)) {
        found.add(
            "instanceId",
            "The instance id '" + std::string(instance_id.substr(0, 64))
                + "' must have 1 to 40 lower case letters, digits and hyphens, begin with a letter "
                  "and end with a letter or a digit.");
    }
    if (made.tier.unspecified()) found.add("instance.tier", "The tier must be given: BASIC or STANDARD_HA.");
    if (made.memory_size_gb < 1 || made.memory_size_gb > maximum_memory_size_gb)
        found.add("instance.memorySizeGb", "The memory size must be from 1 to 300 GB.");
    if (!made.redis_version.empty()
        && std::find(redis_versions.begin(), redis_versions.end(), made.redis_version) == redis_versions.end()) {
        found.add(
            "instance.redisVersion",
            "The Redis version must be one of REDIS_3_2, REDIS_4_0, REDIS_5_0, REDIS_6_X, REDIS_7_0, REDIS_7_2.");
    }
    if (!made.alternative_location_id.empty()) {
        if (!is_standard(made))
            found.add("instance.alternativeLocationId", "An alternative zone needs the tier STANDARD_HA.");
        if (made.alternative_location_id == made.location_id)
            found.add("instance.alternativeLocationId", "The alternative zone must not be the zone itself.");
    }
    check_replicas(made, found);
    found.check();
}

void fill_new_instance(instance& made, std::string_view project, std::string_view region)
{
    using namespace memorystore;
    auto const zone = [region](char letter) { return std::string(region) + '-' + letter; };
    auto const standard = is_standard(made);
    if (made.location_id.empty()) made.location_id = zone(made.alternative_location_id == zone('a') ? 'b' : 'a');
    if (standard && made.alternative_location_id.empty())
        made.alternative_location_id = zone(made.location_id == zone('b') ? 'a' : 'b');
    made.current_location_id = made.location_id;
    if (made.redis_version.empty()) made.redis_version = "REDIS_7_0";
    if (made.authorized_network.empty())
        made.authorized_network = "projects/" + std::string(project) + "/global/networks/default";
    if (made.connect_mode.unspecified()) made.connect_mode = connect_mode::direct_peering;
    if (made.transit_encryption_mode.unspecified()) made.transit_encryption_mode = transit_encryption_mode::disabled;
    if (made.read_replicas_mode.unspecified()) made.read_replicas_mode = read_replicas_mode::read_replicas_disabled;
    if (standard && made.replica_count == 0) made.replica_count = reads_replicas(made) ? 2 : 1;
    if (!made.persistence_config) {
        made.persistence_config.emplace();
        made.persistence_config->persistence_mode = persistence_mode::disabled;
    }
    auto const number = stable_hash{}.add(project).value() % 900'000'000'000U + 100'000'000'000U;
    made.persistence_iam_identity =
        "serviceAccount:" + std::to_string(number) + "-compute@developer.gserviceaccount.com";
}

void fill_ready_instance(instance& made)
{
    // An address that belongs to the name: the same in every run.
    auto const hash = stable_hash{}.add(made.name).value();
    boost::asio::ip::network_v4 range(
        boost::asio::ip::address_v4(0x0a000000U | (static_cast<std::uint32_t>(hash) & 0x00fffff8U)), 29);
    boost::system::error_code ec;
    if (auto const wanted = boost::asio::ip::make_network_v4(made.reserved_ip_range, ec); !ec) {
        range = wanted.canonical();
    } else if (made.reserved_ip_range.empty()) {
        made.reserved_ip_range = range.to_string();
    }
    auto const address = [&range](unsigned offset) {
        return boost::asio::ip::address_v4(range.network().to_uint() + offset).to_string();
    };
    auto const encrypted = made.transit_encryption_mode == memorystore::transit_encryption_mode::server_authentication;
    made.host = address(3);
    made.port = encrypted ? 6378 : 6379;
    if (reads_replicas(made)) {
        made.read_endpoint = address(4);
        made.read_endpoint_port = made.port;
    }
    for (std::int32_t i = 0; i <= made.replica_count; ++i) {
        memorystore::node_info node;
        node.id = "node-" + std::to_string(i);
        node.zone = i % 2 == 0 ? made.location_id : made.alternative_location_id;
        made.nodes.push_back(std::move(node));
    }
}

}  // namespace backbeat::emulation
