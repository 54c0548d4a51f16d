//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_DEMO_OUTPUT_HPP
#define BACKBEAT_SRC_CLI_DEMO_OUTPUT_HPP

#include "../output.hpp"
#include "result.hpp"

#include <string>
#include <vector>

namespace backbeat::cli::demo {

// What is going to happen, for people.
[[nodiscard]] std::string introduction(settings const& chosen, std::vector<fault_rule> const& faults);

// What happened.
[[nodiscard]] std::string shown(result const& happened, output_format format);

// The attempts of one request, and its waits, in time.
[[nodiscard]] std::string timeline(request const& one, retry_options const& policy);

}  // namespace backbeat::cli::demo

#endif
