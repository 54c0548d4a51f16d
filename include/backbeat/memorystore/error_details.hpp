//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_ERROR_DETAILS_HPP
#define BACKBEAT_MEMORYSTORE_ERROR_DETAILS_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/duration.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The messages of the package `google.rpc` that come as details of an error.
namespace backbeat::memorystore::rpc {

/// When to come back: `google.rpc.RetryInfo`.
class retry_info {
public:
    static constexpr std::string_view type_name = "google.rpc.RetryInfo";
    retry_info() = default;

    std::optional<duration> retry_delay;

    boost::json::object unknown_fields;
    friend bool operator==(retry_info const&, retry_info const&) = default;
};

BOOST_DESCRIBE_STRUCT(retry_info, (), (retry_delay))

/// The cause, for programs: `google.rpc.ErrorInfo`.
class error_info {
public:
    static constexpr std::string_view type_name = "google.rpc.ErrorInfo";
    error_info() = default;

    /// Such as `RATE_LIMIT_EXCEEDED`.
    std::string reason;
    /// Whose reason it is, such as `googleapis.com`.
    std::string domain;
    std::map<std::string, std::string> metadata;

    boost::json::object unknown_fields;
    friend bool operator==(error_info const&, error_info const&) = default;
};

BOOST_DESCRIBE_STRUCT(error_info, (), (reason, domain, metadata))

/// One field of a request that is wrong.
class field_violation {
public:
    field_violation() = default;

    /// Its path, such as `instance.memory_size_gb`.
    std::string field;
    std::string description;
    std::string reason;

    boost::json::object unknown_fields;
    friend bool operator==(field_violation const&, field_violation const&) = default;
};

BOOST_DESCRIBE_STRUCT(field_violation, (), (field, description, reason))

/// What is wrong with a request: `google.rpc.BadRequest`.
class bad_request {
public:
    static constexpr std::string_view type_name = "google.rpc.BadRequest";
    bad_request() = default;

    std::vector<field_violation> field_violations;

    boost::json::object unknown_fields;
    friend bool operator==(bad_request const&, bad_request const&) = default;
};

BOOST_DESCRIBE_STRUCT(bad_request, (), (field_violations))

/// One thing that would have to be otherwise for a request to be carried out.
class precondition_violation {
public:
    precondition_violation() = default;

    std::string type;
    std::string subject;
    std::string description;

    boost::json::object unknown_fields;
    friend bool operator==(precondition_violation const&, precondition_violation const&) = default;
};

BOOST_DESCRIBE_STRUCT(precondition_violation, (), (type, subject, description))

/// Why a request cannot be carried out now: `google.rpc.PreconditionFailure`.
class precondition_failure {
public:
    static constexpr std::string_view type_name = "google.rpc.PreconditionFailure";
    precondition_failure() = default;

    std::vector<precondition_violation> violations;

    boost::json::object unknown_fields;
    friend bool operator==(precondition_failure const&, precondition_failure const&) = default;
};

BOOST_DESCRIBE_STRUCT(precondition_failure, (), (violations))

/// Which resource an error is about: `google.rpc.ResourceInfo`.
class resource_info {
public:
    static constexpr std::string_view type_name = "google.rpc.ResourceInfo";
    resource_info() = default;

    std::string resource_type;
    std::string resource_name;
    std::string owner;
    std::string description;

    boost::json::object unknown_fields;
    friend bool operator==(resource_info const&, resource_info const&) = default;
};

BOOST_DESCRIBE_STRUCT(resource_info, (), (resource_type, resource_name, owner, description))

}  // namespace backbeat::memorystore::rpc

#endif
