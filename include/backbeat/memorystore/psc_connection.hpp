//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_PSC_CONNECTION_HPP
#define BACKBEAT_MEMORYSTORE_PSC_CONNECTION_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/open_enum.hpp>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <boost/json/object.hpp>

#include <cstdint>
#include <string>

namespace backbeat::memorystore {

/// What a connection to a cluster is for.
enum class connection_type : std::int32_t {
    connection_type_unspecified = 0,
    connection_type_discovery = 1,
    connection_type_primary = 2,
    connection_type_reader = 3
};
BOOST_DESCRIBE_ENUM(
    connection_type,
    connection_type_unspecified,
    connection_type_discovery,
    connection_type_primary,
    connection_type_reader)

/// Whether a connection to a cluster is there. The service looks only now and then.
enum class psc_connection_status : std::int32_t {
    psc_connection_status_unspecified = 0,
    psc_connection_status_active = 1,
    psc_connection_status_not_found = 2
};
BOOST_DESCRIBE_ENUM(
    psc_connection_status,
    psc_connection_status_unspecified,
    psc_connection_status_active,
    psc_connection_status_not_found)

/// A connection to a cluster through Private Service Connect.
class psc_connection {
public:
    psc_connection() = default;

    std::string psc_connection_id;
    /// The IP address in the consumer's network.
    std::string address;
    /// `projects/{project}/regions/{region}/forwardingRules/{rule}`.
    std::string forwarding_rule;
    /// The consumer's project.
    std::string project_id;
    /// `projects/{project}/global/networks/{network}`: the consumer's.
    std::string network;
    /// `projects/{project}/regions/{region}/serviceAttachments/{attachment}`: what it connects to.
    std::string service_attachment;
    /// Output only.
    open_enum<memorystore::psc_connection_status> psc_connection_status;
    /// Output only: the port at `address`.
    std::int32_t port = 0;
    /// Output only.
    open_enum<memorystore::connection_type> connection_type;

    boost::json::object unknown_fields;
    friend bool operator==(psc_connection const&, psc_connection const&) = default;
};
BOOST_DESCRIBE_STRUCT(
    psc_connection,
    (),
    (psc_connection_id,
     address,
     forwarding_rule,
     project_id,
     network,
     service_attachment,
     psc_connection_status,
     port,
     connection_type))

/// A connection to a cluster through Private Service Connect, which the service made: output only but for
/// `project_id` and `network`.
class psc_auto_connection {
public:
    psc_auto_connection() = default;

    std::string psc_connection_id;
    /// The IP address in the consumer's network.
    std::string address;
    /// `projects/{project}/regions/{region}/forwardingRules/{rule}`.
    std::string forwarding_rule;
    /// The consumer's project.
    std::string project_id;
    /// `projects/{project}/global/networks/{network}`: the consumer's.
    std::string network;
    /// `projects/{project}/regions/{region}/serviceAttachments/{attachment}`: what it connects to.
    std::string service_attachment;
    open_enum<memorystore::psc_connection_status> psc_connection_status;
    open_enum<memorystore::connection_type> connection_type;

    boost::json::object unknown_fields;
    friend bool operator==(psc_auto_connection const&, psc_auto_connection const&) = default;
};
BOOST_DESCRIBE_STRUCT(
    psc_auto_connection,
    (),
    (psc_connection_id,
     address,
     forwarding_rule,
     project_id,
     network,
     service_attachment,
     psc_connection_status,
     connection_type))

/// What a customer's own connection to a cluster has to connect to. Output only.
class psc_service_attachment {
public:
    psc_service_attachment() = default;

    std::string service_attachment;
    /// What a connection to it is for.
    open_enum<memorystore::connection_type> connection_type;

    boost::json::object unknown_fields;
    friend bool operator==(psc_service_attachment const&, psc_service_attachment const&) = default;
};
BOOST_DESCRIBE_STRUCT(psc_service_attachment, (), (service_attachment, connection_type))

}  // namespace backbeat::memorystore

#endif
