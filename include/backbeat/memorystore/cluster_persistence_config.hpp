//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_CLUSTER_PERSISTENCE_CONFIG_HPP
#define BACKBEAT_MEMORYSTORE_CLUSTER_PERSISTENCE_CONFIG_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/open_enum.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>

namespace backbeat::memorystore {

/// Whether and how the data of a cluster is written to disk.
enum class cluster_persistence_mode : std::int32_t { persistence_mode_unspecified = 0, disabled = 1, rdb = 2, aof = 3 };
BOOST_DESCRIBE_ENUM(cluster_persistence_mode, persistence_mode_unspecified, disabled, rdb, aof)

/// How often snapshots of a cluster are taken. The numbers are not those of `rdb_snapshot_period`.
enum class cluster_rdb_snapshot_period : std::int32_t {
    snapshot_period_unspecified = 0,
    one_hour = 1,
    six_hours = 2,
    twelve_hours = 3,
    twenty_four_hours = 4
};
BOOST_DESCRIBE_ENUM(
    cluster_rdb_snapshot_period, snapshot_period_unspecified, one_hour, six_hours, twelve_hours, twenty_four_hours)

/// When what was appended to the file is forced to disk. Unspecified: every second.
enum class append_fsync : std::int32_t { append_fsync_unspecified = 0, no = 1, everysec = 2, always = 3 };
BOOST_DESCRIBE_ENUM(append_fsync, append_fsync_unspecified, no, everysec, always)

/// How snapshots of a cluster are taken.
class rdb_config {
public:
    rdb_config() = default;

    open_enum<cluster_rdb_snapshot_period> rdb_snapshot_period;
    /// When the first is taken, and what later ones are aligned to. Empty: now.
    std::optional<timestamp> rdb_snapshot_start_time;

    boost::json::object unknown_fields;
    friend bool operator==(rdb_config const&, rdb_config const&) = default;
};
BOOST_DESCRIBE_STRUCT(rdb_config, (), (rdb_snapshot_period, rdb_snapshot_start_time))

/// How the commands to a cluster are appended to a file.
class aof_config {
public:
    aof_config() = default;

    open_enum<memorystore::append_fsync> append_fsync;

    boost::json::object unknown_fields;
    friend bool operator==(aof_config const&, aof_config const&) = default;
};
BOOST_DESCRIBE_STRUCT(aof_config, (), (append_fsync))

/// How the data of a cluster is written to disk.
class cluster_persistence_config {
public:
    cluster_persistence_config() = default;

    open_enum<cluster_persistence_mode> mode;
    /// Ignored unless `mode` is `rdb`.
    std::optional<memorystore::rdb_config> rdb_config;
    /// Ignored unless `mode` is `aof`.
    std::optional<memorystore::aof_config> aof_config;

    boost::json::object unknown_fields;
    friend bool operator==(cluster_persistence_config const&, cluster_persistence_config const&) = default;
};
BOOST_DESCRIBE_STRUCT(cluster_persistence_config, (), (mode, rdb_config, aof_config))

}  // namespace backbeat::memorystore

#endif
