//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_ENCRYPTION_INFO_HPP
#define BACKBEAT_MEMORYSTORE_ENCRYPTION_INFO_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/open_enum.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace backbeat::memorystore {

/// Whose key encrypts the data at rest.
enum class encryption_type : std::int32_t {
    type_unspecified = 0,
    google_default_encryption = 1,
    customer_managed_encryption = 2
};
BOOST_DESCRIBE_ENUM(encryption_type, type_unspecified, google_default_encryption, customer_managed_encryption)

/// What has become of a customer's key, as the service sees it.
enum class kms_key_state : std::int32_t {
    kms_key_state_unspecified = 0,
    enabled = 1,
    permission_denied = 2,
    disabled = 3,
    destroyed = 4,
    destroy_scheduled = 5,
    ekm_key_unreachable_detected = 6,
    billing_disabled = 7,
    unknown_failure = 8
};
BOOST_DESCRIBE_ENUM(
    kms_key_state,
    kms_key_state_unspecified,
    enabled,
    permission_denied,
    disabled,
    destroyed,
    destroy_scheduled,
    ekm_key_unreachable_detected,
    billing_disabled,
    unknown_failure)

/// How the data of a cluster or of a backup is encrypted at rest. Output only.
class encryption_info {
public:
    encryption_info() = default;

    open_enum<memorystore::encryption_type> encryption_type;
    /// Empty unless the key is the customer's.
    std::vector<std::string> kms_key_versions;
    /// The state of the key's primary version. Backups do not have it.
    open_enum<kms_key_state> kms_key_primary_state;
    std::optional<timestamp> last_update_time;

    boost::json::object unknown_fields;
    friend bool operator==(encryption_info const&, encryption_info const&) = default;
};
BOOST_DESCRIBE_STRUCT(encryption_info, (), (encryption_type, kms_key_versions, kms_key_primary_state, last_update_time))

}  // namespace backbeat::memorystore

#endif
