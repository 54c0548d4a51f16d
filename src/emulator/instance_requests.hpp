//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_INSTANCE_REQUESTS_HPP
#define BACKBEAT_SRC_EMULATOR_INSTANCE_REQUESTS_HPP

#include <backbeat/memorystore/timestamp.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace backbeat::emulation {

// What the bodies of the custom methods of instances say. Each function reads one kind of body and throws api_error
// for one that is malformed, that has what the message does not have, or that lacks what the method needs.

// The URI in Cloud Storage that is written by `export` and read by `import`.
[[nodiscard]] std::string read_export_request(std::string const& body);
[[nodiscard]] std::string read_import_request(std::string const& body);

// Only checked: there is no data to protect.
void read_failover_request(std::string const& body);

// The version to upgrade to; one that exists.
[[nodiscard]] std::string read_upgrade_request(std::string const& body);

enum class reschedule_type : std::int32_t {
    reschedule_type_unspecified = 0,
    immediate = 1,
    next_available_window = 2,
    specific_time = 3
};

struct reschedule_request {
    reschedule_type type = reschedule_type::reschedule_type_unspecified;

    // Set with `specific_time`.
    std::optional<memorystore::timestamp> time;
};

[[nodiscard]] reschedule_request read_reschedule_request(std::string const& body);

}  // namespace backbeat::emulation

#endif
