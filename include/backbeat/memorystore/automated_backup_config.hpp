//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_AUTOMATED_BACKUP_CONFIG_HPP
#define BACKBEAT_MEMORYSTORE_AUTOMATED_BACKUP_CONFIG_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/duration.hpp>
#include <backbeat/memorystore/open_enum.hpp>
#include <backbeat/memorystore/time_of_day.hpp>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>

namespace backbeat::memorystore {

/// Whether the service takes backups of its own accord.
enum class automated_backup_mode : std::int32_t { automated_backup_mode_unspecified = 0, disabled = 1, enabled = 2 };
BOOST_DESCRIBE_ENUM(automated_backup_mode, automated_backup_mode_unspecified, disabled, enabled)

/// Backups once a day.
class fixed_frequency_schedule {
public:
    fixed_frequency_schedule() = default;

    /// On the hour.
    std::optional<time_of_day> start_time;

    boost::json::object unknown_fields;
    friend bool operator==(fixed_frequency_schedule const&, fixed_frequency_schedule const&) = default;
};
BOOST_DESCRIBE_STRUCT(fixed_frequency_schedule, (), (start_time))

/// The backups of a cluster that the service takes of its own accord.
class automated_backup_config {
public:
    automated_backup_config() = default;

    /// If `disabled`, the rest is ignored.
    open_enum<memorystore::automated_backup_mode> automated_backup_mode;
    std::optional<memorystore::fixed_frequency_schedule> fixed_frequency_schedule;
    /// How long a backup is kept: 1 to 365 days. Empty: 35 days.
    std::optional<duration> retention;

    boost::json::object unknown_fields;
    friend bool operator==(automated_backup_config const&, automated_backup_config const&) = default;
};
BOOST_DESCRIBE_STRUCT(automated_backup_config, (), (automated_backup_mode, fixed_frequency_schedule, retention))

}  // namespace backbeat::memorystore

#endif
