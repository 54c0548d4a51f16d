//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_CLUSTER_ENDPOINT_HPP
#define BACKBEAT_MEMORYSTORE_CLUSTER_ENDPOINT_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/psc_connection.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace backbeat::memorystore {

/// A network that a cluster is to be reached from.
class psc_config {
public:
    psc_config() = default;

    /// `projects/{project}/global/networks/{network}`.
    std::string network;

    boost::json::object unknown_fields;
    friend bool operator==(psc_config const&, psc_config const&) = default;
};
BOOST_DESCRIBE_STRUCT(psc_config, (), (network))

/// Where clients of Redis find a cluster. Output only.
class discovery_endpoint {
public:
    discovery_endpoint() = default;

    /// An IP address or the name of a host.
    std::string address;
    std::int32_t port = 0;
    /// The network that it is in.
    std::optional<memorystore::psc_config> psc_config;

    boost::json::object unknown_fields;
    friend bool operator==(discovery_endpoint const&, discovery_endpoint const&) = default;
};
BOOST_DESCRIBE_STRUCT(discovery_endpoint, (), (address, port, psc_config))

/// A connection of a cluster endpoint: one of the two.
class connection_detail {
public:
    connection_detail() = default;

    /// Made by the service.
    std::optional<memorystore::psc_auto_connection> psc_auto_connection;
    /// Made by the customer.
    std::optional<memorystore::psc_connection> psc_connection;

    boost::json::object unknown_fields;
    friend bool operator==(connection_detail const&, connection_detail const&) = default;
};
BOOST_DESCRIBE_STRUCT(connection_detail, (), (psc_auto_connection, psc_connection))

/// The connections to a cluster in one network: one for each of its service attachments.
class cluster_endpoint {
public:
    cluster_endpoint() = default;

    std::vector<connection_detail> connections;

    boost::json::object unknown_fields;
    friend bool operator==(cluster_endpoint const&, cluster_endpoint const&) = default;
};
BOOST_DESCRIBE_STRUCT(cluster_endpoint, (), (connections))

}  // namespace backbeat::memorystore

#endif
