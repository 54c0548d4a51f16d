//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_LIST_LOCATIONS_RESPONSE_HPP
#define BACKBEAT_MEMORYSTORE_LIST_LOCATIONS_RESPONSE_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/location.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace backbeat::memorystore {

/// Locations of a project: `google.cloud.location.ListLocationsResponse`.
class list_locations_response {
public:
    static constexpr std::string_view type_name = "google.cloud.location.ListLocationsResponse";
    list_locations_response() = default;

    std::vector<location> locations;
    /// What to ask for the next page with. Empty: this was the last.
    std::string next_page_token;

    boost::json::object unknown_fields;
    friend bool operator==(list_locations_response const&, list_locations_response const&) = default;
};
BOOST_DESCRIBE_STRUCT(list_locations_response, (), (locations, next_page_token))

}  // namespace backbeat::memorystore

#endif
