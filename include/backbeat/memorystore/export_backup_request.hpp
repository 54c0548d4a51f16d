//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_EXPORT_BACKUP_REQUEST_HPP
#define BACKBEAT_MEMORYSTORE_EXPORT_BACKUP_REQUEST_HPP

#include <backbeat/config.hpp>

#include <boost/describe/class.hpp>
#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace backbeat::memorystore {

/// Copies a backup to Cloud Storage: `google.cloud.redis.cluster.v1.ExportBackupRequest`.
class export_backup_request {
public:
    static constexpr std::string_view type_name = "google.cloud.redis.cluster.v1.ExportBackupRequest";
    export_backup_request() = default;

    /// The name of the bucket alone, without `gs://`.
    std::string gcs_bucket;

    boost::json::object unknown_fields;
    friend bool operator==(export_backup_request const&, export_backup_request const&) = default;
};
BOOST_DESCRIBE_STRUCT(export_backup_request, (), (gcs_bucket))

}  // namespace backbeat::memorystore

#endif
