//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_LIST_BACKUP_COLLECTIONS_RESPONSE_HPP
#define BACKBEAT_MEMORYSTORE_LIST_BACKUP_COLLECTIONS_RESPONSE_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/backup_collection.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace backbeat::memorystore {

/// Backup collections of a location, or of all of them: `google.cloud.redis.cluster.v1.ListBackupCollectionsResponse`.
class list_backup_collections_response {
public:
    static constexpr std::string_view type_name = "google.cloud.redis.cluster.v1.ListBackupCollectionsResponse";
    list_backup_collections_response() = default;

    std::vector<backup_collection> backup_collections;
    /// What to ask for the next page with. Empty: this was the last.
    std::string next_page_token;
    /// Locations that could not be asked: what they hold is missing here.
    std::vector<std::string> unreachable;

    boost::json::object unknown_fields;
    friend bool operator==(list_backup_collections_response const&, list_backup_collections_response const&) = default;
};
BOOST_DESCRIBE_STRUCT(list_backup_collections_response, (), (backup_collections, next_page_token, unreachable))

}  // namespace backbeat::memorystore

#endif
