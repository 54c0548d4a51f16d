//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_IMPORT_INSTANCE_REQUEST_HPP
#define BACKBEAT_MEMORYSTORE_IMPORT_INSTANCE_REQUEST_HPP

#include <backbeat/config.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace backbeat::memorystore {

/// An object in Cloud Storage to read from.
class gcs_source {
public:
    gcs_source() = default;

    /// Such as `gs://bucket/object.rdb`.
    std::string uri;

    boost::json::object unknown_fields;
    friend bool operator==(gcs_source const&, gcs_source const&) = default;
};
BOOST_DESCRIBE_STRUCT(gcs_source, (), (uri))

/// Where an import comes from.
class input_config {
public:
    input_config() = default;

    std::optional<memorystore::gcs_source> gcs_source;

    boost::json::object unknown_fields;
    friend bool operator==(input_config const&, input_config const&) = default;
};
BOOST_DESCRIBE_STRUCT(input_config, (), (gcs_source))

/// Replaces the data of an instance by what is in Cloud Storage: `google.cloud.redis.v1.ImportInstanceRequest`.
class import_instance_request {
public:
    static constexpr std::string_view type_name = "google.cloud.redis.v1.ImportInstanceRequest";
    import_instance_request() = default;

    /// An import from this object, such as `gs://bucket/object.rdb`.
    [[nodiscard]] static import_instance_request from(std::string uri)
    {
        import_instance_request result;
        result.input_config.emplace().gcs_source.emplace().uri = std::move(uri);
        return result;
    }

    std::optional<memorystore::input_config> input_config;

    boost::json::object unknown_fields;
    friend bool operator==(import_instance_request const&, import_instance_request const&) = default;
};
BOOST_DESCRIBE_STRUCT(import_instance_request, (), (input_config))

}  // namespace backbeat::memorystore

#endif
