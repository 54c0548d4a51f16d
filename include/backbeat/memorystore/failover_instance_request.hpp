//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_FAILOVER_INSTANCE_REQUEST_HPP
#define BACKBEAT_MEMORYSTORE_FAILOVER_INSTANCE_REQUEST_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/open_enum.hpp>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <boost/json/object.hpp>

#include <cstdint>
#include <string_view>

namespace backbeat::memorystore {

/// What a failover may lose. Unspecified: `limited_data_loss`.
enum class data_protection_mode : std::int32_t {
    data_protection_mode_unspecified = 0,
    limited_data_loss = 1,
    force_data_loss = 2
};
BOOST_DESCRIBE_ENUM(data_protection_mode, data_protection_mode_unspecified, limited_data_loss, force_data_loss)

/// Makes the replica of an instance the primary: `google.cloud.redis.v1.FailoverInstanceRequest`.
class failover_instance_request {
public:
    static constexpr std::string_view type_name = "google.cloud.redis.v1.FailoverInstanceRequest";
    failover_instance_request() = default;

    open_enum<memorystore::data_protection_mode> data_protection_mode;

    boost::json::object unknown_fields;
    friend bool operator==(failover_instance_request const&, failover_instance_request const&) = default;
};
BOOST_DESCRIBE_STRUCT(failover_instance_request, (), (data_protection_mode))

}  // namespace backbeat::memorystore

#endif
