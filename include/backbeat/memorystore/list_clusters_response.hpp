//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_LIST_CLUSTERS_RESPONSE_HPP
#define BACKBEAT_MEMORYSTORE_LIST_CLUSTERS_RESPONSE_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/cluster.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace backbeat::memorystore {

/// Clusters of a location, or of all of them: `google.cloud.redis.cluster.v1.ListClustersResponse`.
class list_clusters_response {
public:
    static constexpr std::string_view type_name = "google.cloud.redis.cluster.v1.ListClustersResponse";
    list_clusters_response() = default;

    std::vector<cluster> clusters;
    /// What to ask for the next page with. Empty: this was the last.
    std::string next_page_token;
    /// Locations that could not be asked: what they hold is missing here.
    std::vector<std::string> unreachable;

    boost::json::object unknown_fields;
    friend bool operator==(list_clusters_response const&, list_clusters_response const&) = default;
};
BOOST_DESCRIBE_STRUCT(list_clusters_response, (), (clusters, next_page_token, unreachable))

}  // namespace backbeat::memorystore

#endif
