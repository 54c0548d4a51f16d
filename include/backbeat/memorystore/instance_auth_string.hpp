//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_INSTANCE_AUTH_STRING_HPP
#define BACKBEAT_MEMORYSTORE_INSTANCE_AUTH_STRING_HPP

#include <backbeat/config.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace backbeat::memorystore {

/// The password of an instance: `google.cloud.redis.v1.InstanceAuthString`.
class instance_auth_string {
public:
    static constexpr std::string_view type_name = "google.cloud.redis.v1.InstanceAuthString";
    instance_auth_string() = default;

    /// Empty: the instance asks for none.
    std::string auth_string;

    boost::json::object unknown_fields;
    friend bool operator==(instance_auth_string const&, instance_auth_string const&) = default;
};
BOOST_DESCRIBE_STRUCT(instance_auth_string, (), (auth_string))

}  // namespace backbeat::memorystore

#endif
