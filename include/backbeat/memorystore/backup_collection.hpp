//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_BACKUP_COLLECTION_HPP
#define BACKBEAT_MEMORYSTORE_BACKUP_COLLECTION_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace backbeat::memorystore {

/// What the backups of a cluster are in: `google.cloud.redis.cluster.v1.BackupCollection`. Output only.
class backup_collection {
public:
    static constexpr std::string_view type_name = "google.cloud.redis.cluster.v1.BackupCollection";
    backup_collection() = default;

    /// `projects/{project}/locations/{region}/backupCollections/{collection}`.
    std::string name;
    std::string uid;
    /// `projects/{project}/locations/{region}/clusters/{cluster}`.
    std::string cluster;
    std::string cluster_uid;
    std::string kms_key;
    std::optional<timestamp> create_time;

    boost::json::object unknown_fields;
    friend bool operator==(backup_collection const&, backup_collection const&) = default;
};
BOOST_DESCRIBE_STRUCT(backup_collection, (), (name, uid, cluster, cluster_uid, kms_key, create_time))

}  // namespace backbeat::memorystore

#endif
