//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_BACKUP_HPP
#define BACKBEAT_MEMORYSTORE_BACKUP_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/encryption_info.hpp>
#include <backbeat/memorystore/node_type.hpp>
#include <backbeat/memorystore/open_enum.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat::memorystore {

/// Who had a backup taken.
enum class backup_type : std::int32_t { backup_type_unspecified = 0, on_demand = 1, automated = 2 };
BOOST_DESCRIBE_ENUM(backup_type, backup_type_unspecified, on_demand, automated)

/// What a backup is doing.
enum class backup_state : std::int32_t { state_unspecified = 0, creating = 1, active = 2, deleting = 3, suspended = 4 };
BOOST_DESCRIBE_ENUM(backup_state, state_unspecified, creating, active, deleting, suspended)

/// A file of a backup.
class backup_file {
public:
    backup_file() = default;

    /// Such as `{shard}.rdb`.
    std::string file_name;
    std::int64_t size_bytes = 0;
    std::optional<timestamp> create_time;

    boost::json::object unknown_fields;
    friend bool operator==(backup_file const&, backup_file const&) = default;
};
BOOST_DESCRIBE_STRUCT(backup_file, (), (file_name, size_bytes, create_time))

/// A backup of a cluster: `google.cloud.redis.cluster.v1.Backup`. Output only.
class backup {
public:
    static constexpr std::string_view type_name = "google.cloud.redis.cluster.v1.Backup";
    backup() = default;

    /// `projects/{project}/locations/{region}/backupCollections/{collection}/backups/{backup}`.
    std::string name;
    std::string uid;
    /// `projects/{project}/locations/{region}/clusters/{cluster}`.
    std::string cluster;
    std::string cluster_uid;
    std::optional<timestamp> create_time;
    std::optional<timestamp> expire_time;
    std::int64_t total_size_bytes = 0;
    /// Such as `redis-7.2`.
    std::string engine_version;
    std::vector<backup_file> backup_files;
    /// The cluster's, when the backup was taken.
    open_enum<memorystore::node_type> node_type;
    /// The cluster's, when the backup was taken.
    std::int32_t replica_count = 0;
    /// The cluster's, when the backup was taken.
    std::int32_t shard_count = 0;
    open_enum<memorystore::backup_type> backup_type;
    open_enum<backup_state> state;
    std::optional<memorystore::encryption_info> encryption_info;

    boost::json::object unknown_fields;
    friend bool operator==(backup const&, backup const&) = default;
};
BOOST_DESCRIBE_STRUCT(
    backup,
    (),
    (name,
     uid,
     cluster,
     cluster_uid,
     create_time,
     expire_time,
     total_size_bytes,
     engine_version,
     backup_files,
     node_type,
     replica_count,
     shard_count,
     backup_type,
     state,
     encryption_info))

}  // namespace backbeat::memorystore

#endif
