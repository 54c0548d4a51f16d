//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_LOOK_HPP
#define BACKBEAT_SRC_MEMORYSTORE_LOOK_HPP

#include "observation.hpp"

#include <backbeat/memorystore/call_options.hpp>
#include <backbeat/memorystore/detail/caller.hpp>

#include <cstdint>
#include <string>

namespace backbeat::memorystore::detail {

using look_handler = result_handler<observation>;

enum class look_at : std::uint8_t { resource, resource_and_operations };

// Looks at a resource and then, if that is wanted, at its operations. Whatever has begun before the last answer is seen,
// but a resource may be older than its operations. The total time-out of the options holds for all requests together.
void look(core_pointer const& core, std::string name, look_at what, call_options const& options, look_handler handler);

}  // namespace backbeat::memorystore::detail

#endif
