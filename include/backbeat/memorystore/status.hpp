//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_STATUS_HPP
#define BACKBEAT_MEMORYSTORE_STATUS_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/any.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat::memorystore {

namespace rpc {

/// An error inside a message, such as that of a failed operation: `google.rpc.Status`.
class status {
public:
    static constexpr std::string_view type_name = "google.rpc.Status";
    status() = default;

    /// The number of an `rpc_code`; not an HTTP status.
    std::int32_t code = 0;
    std::string message;
    /// What is known beyond the message; `error_details.hpp` has the types.
    std::vector<any> details;

    boost::json::object unknown_fields;
    friend bool operator==(status const&, status const&) = default;
};

BOOST_DESCRIBE_STRUCT(status, (), (code, message, details))

}  // namespace rpc

/// The error in the body of an HTTP response.
class error_body {
public:
    error_body() = default;

    /// The HTTP status; not an `rpc_code`.
    std::int32_t code = 0;
    std::string message;
    /// The name of an `rpc_code`, such as `NOT_FOUND`.
    std::string status;
    /// What is known beyond the message; `error_details.hpp` has the types.
    std::vector<any> details;

    boost::json::object unknown_fields;
    friend bool operator==(error_body const&, error_body const&) = default;
};

BOOST_DESCRIBE_STRUCT(error_body, (), (code, message, status, details))

/// The body of an HTTP response that is an error: `{"error": {...}}`.
class error_envelope {
public:
    error_envelope() = default;

    std::optional<error_body> error;

    boost::json::object unknown_fields;
    friend bool operator==(error_envelope const&, error_envelope const&) = default;
};

BOOST_DESCRIBE_STRUCT(error_envelope, (), (error))

}  // namespace backbeat::memorystore

#endif
