//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_NEAREST_NAME_HPP
#define BACKBEAT_SRC_EMULATOR_NEAREST_NAME_HPP

#include <backbeat/memorystore/detail/nearest_name.hpp>

namespace backbeat::emulation {

using memorystore::detail::nearest_name;
using memorystore::detail::typing_distance;

}  // namespace backbeat::emulation

#endif
