//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_INSTANCE_RULES_HPP
#define BACKBEAT_SRC_EMULATOR_INSTANCE_RULES_HPP

#include <backbeat/memorystore/instance.hpp>

#include <string>
#include <string_view>

namespace backbeat::emulation {

// Letters, digits and hyphens, from a letter to a letter or digit, at most 40.
[[nodiscard]] bool is_instance_id(std::string_view id) noexcept;

// Removes what only the service may set.
void clear_output_only(memorystore::instance& instance);

// Refuses what the service would refuse in a new instance, with all violations at once. Throws api_error.
void check_new_instance(std::string_view instance_id, memorystore::instance const& instance);

// Sets what the service sets at once in a new instance, and where the caller left the choice to it.
void fill_new_instance(memorystore::instance& instance, std::string_view project, std::string_view region);

// Sets what the service sets when a new instance is ready: where it can be reached.
void fill_ready_instance(memorystore::instance& instance);

}  // namespace backbeat::emulation

#endif
