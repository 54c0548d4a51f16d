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

#include <cstdint>
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

/// One quota of which more was asked than there is.
class quota_violation {
public:
    quota_violation() = default;

    /// Whose quota it is, such as `project:p`.
    std::string subject;
    std::string description;
    /// Such as `redis.googleapis.com`.
    std::string api_service;
    std::string quota_metric;
    std::string quota_id;
    std::map<std::string, std::string> quota_dimensions;
    /// How much there is.
    std::int64_t quota_value = 0;
    /// How much there is going to be. Empty: the quota is not about to change.
    std::optional<std::int64_t> future_quota_value;

    boost::json::object unknown_fields;
    friend bool operator==(quota_violation const&, quota_violation const&) = default;
};

BOOST_DESCRIBE_STRUCT(
    quota_violation,
    (),
    (subject, description, api_service, quota_metric, quota_id, quota_dimensions, quota_value, future_quota_value))

/// Which quotas are used up: `google.rpc.QuotaFailure`.
class quota_failure {
public:
    static constexpr std::string_view type_name = "google.rpc.QuotaFailure";
    quota_failure() = default;

    std::vector<quota_violation> violations;

    boost::json::object unknown_fields;
    friend bool operator==(quota_failure const&, quota_failure const&) = default;
};

BOOST_DESCRIBE_STRUCT(quota_failure, (), (violations))

/// A text in the language of the user: `google.rpc.LocalizedMessage`.
class localized_message {
public:
    static constexpr std::string_view type_name = "google.rpc.LocalizedMessage";
    localized_message() = default;

    /// The language, such as `en-US`.
    std::string locale;
    std::string message;

    boost::json::object unknown_fields;
    friend bool operator==(localized_message const&, localized_message const&) = default;
};

BOOST_DESCRIBE_STRUCT(localized_message, (), (locale, message))

/// One field of a request that is wrong.
class field_violation {
public:
    field_violation() = default;

    /// Its path, such as `instance.memory_size_gb`.
    std::string field;
    std::string description;
    std::string reason;
    std::optional<memorystore::rpc::localized_message> localized_message;

    boost::json::object unknown_fields;
    friend bool operator==(field_violation const&, field_violation const&) = default;
};

BOOST_DESCRIBE_STRUCT(field_violation, (), (field, description, reason, localized_message))

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

/// A page to read.
class help_link {
public:
    help_link() = default;

    std::string description;
    std::string url;

    boost::json::object unknown_fields;
    friend bool operator==(help_link const&, help_link const&) = default;
};

BOOST_DESCRIBE_STRUCT(help_link, (), (description, url))

/// Where to read about an error: `google.rpc.Help`.
class help {
public:
    static constexpr std::string_view type_name = "google.rpc.Help";
    help() = default;

    std::vector<help_link> links;

    boost::json::object unknown_fields;
    friend bool operator==(help const&, help const&) = default;
};

BOOST_DESCRIBE_STRUCT(help, (), (links))

}  // namespace backbeat::memorystore::rpc

#endif
