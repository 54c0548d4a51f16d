//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_LOCATION_HPP
#define BACKBEAT_MEMORYSTORE_LOCATION_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/any.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace backbeat::memorystore {

/// What is known of a zone: nothing so far. `google.cloud.redis.v1.ZoneMetadata`.
class zone_metadata {
public:
    static constexpr std::string_view type_name = "google.cloud.redis.v1.ZoneMetadata";
    zone_metadata() = default;

    boost::json::object unknown_fields;
    friend bool operator==(zone_metadata const&, zone_metadata const&) = default;
};
BOOST_DESCRIBE_STRUCT(zone_metadata, (), ())

/// What a location has to offer: `google.cloud.redis.v1.LocationMetadata`.
class location_metadata {
public:
    static constexpr std::string_view type_name = "google.cloud.redis.v1.LocationMetadata";
    location_metadata() = default;

    /// The zones of the region, by name.
    std::map<std::string, zone_metadata> available_zones;

    boost::json::object unknown_fields;
    friend bool operator==(location_metadata const&, location_metadata const&) = default;
};
BOOST_DESCRIBE_STRUCT(location_metadata, (), (available_zones))

/// A region where there can be instances and clusters: `google.cloud.location.Location`.
class location {
public:
    static constexpr std::string_view type_name = "google.cloud.location.Location";
    location() = default;

    /// `projects/{project}/locations/{region}`.
    std::string name;
    /// Such as `us-central1`.
    std::string location_id;
    std::string display_name;
    std::map<std::string, std::string> labels;
    /// A `location_metadata`.
    std::optional<any> metadata;

    boost::json::object unknown_fields;
    friend bool operator==(location const&, location const&) = default;
};
BOOST_DESCRIBE_STRUCT(location, (), (name, location_id, display_name, labels, metadata))

}  // namespace backbeat::memorystore

#endif
