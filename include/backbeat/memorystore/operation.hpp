//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_OPERATION_HPP
#define BACKBEAT_MEMORYSTORE_OPERATION_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/any.hpp>
#include <backbeat/memorystore/status.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace backbeat::memorystore {

/// What an operation on an instance is doing: `google.cloud.redis.v1.OperationMetadata`.
class operation_metadata {
public:
    static constexpr std::string_view type_name = "google.cloud.redis.v1.OperationMetadata";
    operation_metadata() = default;

    std::optional<timestamp> create_time;
    std::optional<timestamp> end_time;
    /// The name of the resource.
    std::string target;
    /// `create`, `update`, `delete`, ...
    std::string verb;
    std::string status_detail;
    bool cancel_requested = false;
    std::string api_version;

    boost::json::object unknown_fields;
    friend bool operator==(operation_metadata const&, operation_metadata const&) = default;
};

BOOST_DESCRIBE_STRUCT(
    operation_metadata, (), (create_time, end_time, target, verb, status_detail, cancel_requested, api_version))

/// What an operation on a cluster or a backup is doing: `google.cloud.redis.cluster.v1.OperationMetadata`.
class cluster_operation_metadata {
public:
    static constexpr std::string_view type_name = "google.cloud.redis.cluster.v1.OperationMetadata";
    cluster_operation_metadata() = default;

    std::optional<timestamp> create_time;
    std::optional<timestamp> end_time;
    /// The name of the resource.
    std::string target;
    /// `create`, `update`, `delete`, ...
    std::string verb;
    std::string status_message;
    bool requested_cancellation = false;
    std::string api_version;

    boost::json::object unknown_fields;
    friend bool operator==(cluster_operation_metadata const&, cluster_operation_metadata const&) = default;
};

BOOST_DESCRIBE_STRUCT(
    cluster_operation_metadata,
    (),
    (create_time, end_time, target, verb, status_message, requested_cancellation, api_version))

/// The result of an operation that has none: `google.protobuf.Empty`.
class empty {
public:
    static constexpr std::string_view type_name = "google.protobuf.Empty";
    empty() = default;

    boost::json::object unknown_fields;
    friend bool operator==(empty const&, empty const&) = default;
};

BOOST_DESCRIBE_STRUCT(empty, (), ())

/// A long-running operation: `google.longrunning.Operation`.
class operation {
public:
    static constexpr std::string_view type_name = "google.longrunning.Operation";
    operation() = default;

    /// `projects/{project}/locations/{region}/operations/{operation}`: enough to find it again.
    std::string name;
    /// What it is doing: an `operation_metadata`; for a cluster or a backup, a `cluster_operation_metadata`.
    std::optional<any> metadata;
    /// Whether it has ended: then `error` or `response` is set.
    bool done = false;
    /// Why it failed.
    std::optional<rpc::status> error;
    /// What it made: an `instance`, a `cluster` or a `backup`; `empty` after a delete.
    std::optional<any> response;

    /**
     * \brief What it made, if that is a `Message`.
     * \details
     * \code
     * if (auto const made = ended.response_as<instance>()) connect(made->host, made->port);
     * \endcode
     * \throws json_error It made a `Message`, and that cannot be read.
     */
    template <class Message>
    [[nodiscard]] std::optional<Message> response_as() const
    {
        if (!response) return {};
        return response->unpack<Message>();
    }

    /// What it is doing, such as `create`, of whichever kind its metadata are. Empty: they do not say.
    [[nodiscard]] std::string verb() const;

    /// The name of the resource that it is about, of whichever kind its metadata are. Empty: they do not say.
    [[nodiscard]] std::string target() const;

    boost::json::object unknown_fields;
    friend bool operator==(operation const&, operation const&) = default;
};

BOOST_DESCRIBE_STRUCT(operation, (), (name, metadata, done, error, response))

}  // namespace backbeat::memorystore

#endif
