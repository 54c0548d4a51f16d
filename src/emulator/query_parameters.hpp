//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_QUERY_PARAMETERS_HPP
#define BACKBEAT_SRC_EMULATOR_QUERY_PARAMETERS_HPP

#include "api_call.hpp"

#include <string_view>

namespace backbeat::emulation {

// Whether a query parameter is one that every method of Google's APIs has: it says how to answer, not what to do. All
// those with a dollar sign are.
[[nodiscard]] bool is_system_parameter(std::string_view name) noexcept;

// Throws api_error for a query parameter that the method does not have, as Google's front end refuses it.
void check_query_parameters(api_call const& call);

}  // namespace backbeat::emulation

#endif
