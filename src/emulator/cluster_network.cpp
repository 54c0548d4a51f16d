//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "cluster_network.hpp"

#include "resource_rules.hpp"
#include "stable_hash.hpp"

#include <boost/asio/ip/address_v4.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace backbeat::emulation {

using memorystore::cluster;
using memorystore::connection_type;

namespace {

constexpr std::int32_t redis_port = 6379;
constexpr std::size_t maximum_text = 1024;
constexpr std::string_view network_pattern = "projects/*/global/networks/*";
constexpr char const* network_rule = "The network must be like projects/p/global/networks/n.";

// The part with this index of a name like `projects/{project}/locations/{region}/clusters/{cluster}`; empty: none.
std::string part_of(std::string_view name, std::size_t index)
{
    for (; index != 0; --index) {
        auto const slash = name.find('/');
        name.remove_prefix(slash == name.npos ? name.size() : slash + 1);
    }
    return std::string(name.substr(0, name.find('/')));
}

// Belongs to the cluster's incarnation: the same in every run, another after it was deleted and made again.
stable_hash hash_of(cluster const& made)
{
    return stable_hash{}.add(made.name).add(made.uid);
}

std::string digits_of(std::uint64_t number)
{
    return std::to_string(number % 900'000'000'000'000'000U + 100'000'000'000'000'000U);
}

// A cluster is connected to by two attachments: one to find its nodes, and one for the nodes themselves.
std::array<memorystore::psc_service_attachment, 2> attachments_of(cluster const& made)
{
    auto hash = hash_of(made);
    // The attachments are in a project of the service's, which has a number.
    auto const name = "projects/" + std::to_string(hash.add("producer").value() % 900'000'000'000U + 100'000'000'000U)
        + "/regions/" + part_of(made.name, 3) + "/serviceAttachments/gcp-memorystore-auto-"
        + std::to_string(hash.value() & 0xffff'ffffU) + "-psc-sa";
    std::array<memorystore::psc_service_attachment, 2> result;
    result[0].service_attachment = name;
    result[0].connection_type = connection_type::connection_type_discovery;
    result[1].service_attachment = name + "-2";
    return result;
}

template <class Connection>
void settle(Connection& connection, cluster const& made)
{
    connection.psc_connection_status = memorystore::psc_connection_status::psc_connection_status_active;
    connection.connection_type = {};
    for (auto const& each : made.psc_service_attachments)
        if (each.service_attachment == connection.service_attachment) connection.connection_type = each.connection_type;
}

void check_connection(memorystore::psc_connection const& made, std::string const& field, violations& found)
{
    auto const check = [&](char const* name, std::string const& text) {
        if (text.empty() || text.size() > maximum_text)
            found.add(field + "." + name, "A connection needs this text, of at most 1024 bytes.");
    };
    check("pscConnectionId", made.psc_connection_id);
    check("address", made.address);
    check("forwardingRule", made.forwarding_rule);
    check("serviceAttachment", made.service_attachment);
    if (!is_like(made.network, network_pattern)) found.add(field + ".network", network_rule);
}

}  // namespace

void check_networks(cluster const& made, violations& found)
{
    if (made.psc_configs.size() > 1)
        found.add("cluster.pscConfigs", "A cluster is connected to no more than one network.");
    std::size_t index = 0;
    for (auto const& each : made.psc_configs) {
        auto const field = "cluster.pscConfigs[" + std::to_string(index++) + "].network";
        if (!is_like(each.network, network_pattern)) found.add(field, network_rule);
    }
}

void check_endpoints(cluster const& made, violations& found)
{
    for (std::size_t i = 0; i != made.cluster_endpoints.size(); ++i) {
        auto const& connections = made.cluster_endpoints[i].connections;
        auto const endpoint = "cluster.clusterEndpoints[" + std::to_string(i) + "].connections";
        for (std::size_t k = 0; k != connections.size(); ++k) {
            auto const& each = connections[k];
            auto const field = endpoint + "[" + std::to_string(k) + "]";
            if (each.psc_connection.has_value() == each.psc_auto_connection.has_value()) {
                found.add(field, "A connection is a pscConnection or a pscAutoConnection.");
            } else if (each.psc_connection) {
                check_connection(*each.psc_connection, field + ".pscConnection", found);
            } else if (!is_like(each.psc_auto_connection->network, network_pattern)) {
                found.add(field + ".pscAutoConnection.network", network_rule);
            }
        }
    }
}

void fill_endpoints(cluster& made)
{
    for (auto& endpoint : made.cluster_endpoints) {
        for (auto& each : endpoint.connections) {
            if (each.psc_connection) {
                each.psc_connection->port = redis_port;
                settle(*each.psc_connection, made);
            }
            if (each.psc_auto_connection) settle(*each.psc_auto_connection, made);
        }
    }
}

void connect_cluster(cluster& made)
{
    auto const attachments = attachments_of(made);
    made.psc_service_attachments.assign(attachments.begin(), attachments.end());
    fill_endpoints(made);
    made.psc_connections.clear();
    made.discovery_endpoints.clear();
    if (made.psc_configs.empty()) return;

    auto const& network = made.psc_configs.front();
    auto hash = hash_of(made);
    auto const first = 0x0a000000U | (static_cast<std::uint32_t>(hash.value()) & 0x00fffff0U);
    for (std::size_t i = 0; i != attachments.size(); ++i) {
        memorystore::psc_connection connection;
        connection.psc_connection_id = digits_of(hash.add(i).value());
        connection.address = boost::asio::ip::address_v4(first + 2 + static_cast<std::uint32_t>(i)).to_string();
        connection.network = network.network;
        connection.project_id = part_of(network.network, 1);
        connection.forwarding_rule = "projects/" + connection.project_id + "/regions/" + part_of(made.name, 3)
            + "/forwardingRules/sca-auto-fr-" + digits_of(hash.add("rule").value());
        connection.service_attachment = attachments[i].service_attachment;
        connection.port = redis_port;
        settle(connection, made);
        made.psc_connections.push_back(std::move(connection));
    }
    memorystore::discovery_endpoint discovery;
    discovery.address = made.psc_connections.front().address;
    discovery.port = redis_port;
    discovery.psc_config = network;
    made.discovery_endpoints.push_back(std::move(discovery));
}

}  // namespace backbeat::emulation
