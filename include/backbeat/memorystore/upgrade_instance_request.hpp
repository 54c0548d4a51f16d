//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_UPGRADE_INSTANCE_REQUEST_HPP
#define BACKBEAT_MEMORYSTORE_UPGRADE_INSTANCE_REQUEST_HPP

#include <backbeat/config.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace backbeat::memorystore {

/// Gives an instance a newer version of Redis: `google.cloud.redis.v1.UpgradeInstanceRequest`.
class upgrade_instance_request {
public:
    static constexpr std::string_view type_name = "google.cloud.redis.v1.UpgradeInstanceRequest";
    upgrade_instance_request() = default;

    /// Such as `REDIS_7_2`.
    std::string redis_version;

    boost::json::object unknown_fields;
    friend bool operator==(upgrade_instance_request const&, upgrade_instance_request const&) = default;
};
BOOST_DESCRIBE_STRUCT(upgrade_instance_request, (), (redis_version))

}  // namespace backbeat::memorystore

#endif
