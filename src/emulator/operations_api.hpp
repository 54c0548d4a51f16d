//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_OPERATIONS_API_HPP
#define BACKBEAT_SRC_EMULATOR_OPERATIONS_API_HPP

#include "api_engine.hpp"

namespace backbeat::emulation {

// The methods of projects.locations.operations.
void add_operations_api(api_engine& engine);

}  // namespace backbeat::emulation

#endif
