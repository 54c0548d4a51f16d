//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_INSTANCE_REQUESTS_HPP
#define BACKBEAT_SRC_EMULATOR_INSTANCE_REQUESTS_HPP

#include <backbeat/memorystore/reschedule_maintenance_request.hpp>

#include <string>

namespace backbeat::emulation {

// What the bodies of the custom methods of instances say. Each function reads one kind of body and throws api_error
// for one that is malformed, that has what the message does not have, or that lacks what the method needs.

// A URI in Cloud Storage, to write to and to read from.
void check_export_request(std::string const& body);
void check_import_request(std::string const& body);

// There is no data to protect.
void check_failover_request(std::string const& body);

// The version to upgrade to; one that exists.
[[nodiscard]] std::string read_upgrade_request(std::string const& body);

// With a time where the type is `specific_time`, and else without one.
[[nodiscard]] memorystore::reschedule_maintenance_request read_reschedule_request(std::string const& body);

}  // namespace backbeat::emulation

#endif
