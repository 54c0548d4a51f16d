//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_LOCATIONS_API_HPP
#define BACKBEAT_SRC_EMULATOR_LOCATIONS_API_HPP

#include "api_engine.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace backbeat::emulation {

// The methods of projects.locations.
void add_locations_api(api_engine& engine);

// The zones of a region, such as `us-central1-a`; of one that is not known, three. At least two.
[[nodiscard]] std::vector<std::string> zones_of(std::string_view region);

// Throws api_error for a zone where a region should be, which is easily mistaken for one. Any other name is that of a
// location here.
void check_location(api_call const& call);

}  // namespace backbeat::emulation

#endif
