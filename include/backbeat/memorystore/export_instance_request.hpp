//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_EXPORT_INSTANCE_REQUEST_HPP
#define BACKBEAT_MEMORYSTORE_EXPORT_INSTANCE_REQUEST_HPP

#include <backbeat/config.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace backbeat::memorystore {

/// An object in Cloud Storage to write to.
class gcs_destination {
public:
    gcs_destination() = default;

    /// Such as `gs://bucket/object.rdb`.
    std::string uri;

    boost::json::object unknown_fields;
    friend bool operator==(gcs_destination const&, gcs_destination const&) = default;
};
BOOST_DESCRIBE_STRUCT(gcs_destination, (), (uri))

/// Where an export goes.
class output_config {
public:
    output_config() = default;

    std::optional<memorystore::gcs_destination> gcs_destination;

    boost::json::object unknown_fields;
    friend bool operator==(output_config const&, output_config const&) = default;
};
BOOST_DESCRIBE_STRUCT(output_config, (), (gcs_destination))

/// Copies the data of an instance to Cloud Storage: `google.cloud.redis.v1.ExportInstanceRequest`.
class export_instance_request {
public:
    static constexpr std::string_view type_name = "google.cloud.redis.v1.ExportInstanceRequest";
    export_instance_request() = default;

    /// An export to this object, such as `gs://bucket/object.rdb`.
    [[nodiscard]] static export_instance_request to(std::string uri)
    {
        export_instance_request result;
        result.output_config.emplace().gcs_destination.emplace().uri = std::move(uri);
        return result;
    }

    std::optional<memorystore::output_config> output_config;

    boost::json::object unknown_fields;
    friend bool operator==(export_instance_request const&, export_instance_request const&) = default;
};
BOOST_DESCRIBE_STRUCT(export_instance_request, (), (output_config))

}  // namespace backbeat::memorystore

#endif
