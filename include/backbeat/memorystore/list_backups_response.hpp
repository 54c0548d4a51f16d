//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_LIST_BACKUPS_RESPONSE_HPP
#define BACKBEAT_MEMORYSTORE_LIST_BACKUPS_RESPONSE_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/backup.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace backbeat::memorystore {

/// Backups of a collection: `google.cloud.redis.cluster.v1.ListBackupsResponse`.
class list_backups_response {
public:
    static constexpr std::string_view type_name = "google.cloud.redis.cluster.v1.ListBackupsResponse";
    list_backups_response() = default;

    std::vector<backup> backups;
    /// What to ask for the next page with. Empty: this was the last.
    std::string next_page_token;
    /// What could not be asked: what it holds is missing here.
    std::vector<std::string> unreachable;

    boost::json::object unknown_fields;
    friend bool operator==(list_backups_response const&, list_backups_response const&) = default;
};
BOOST_DESCRIBE_STRUCT(list_backups_response, (), (backups, next_page_token, unreachable))

}  // namespace backbeat::memorystore

#endif
