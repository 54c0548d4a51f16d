//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_COMPLETION_HPP
#define BACKBEAT_SRC_CLI_COMPLETION_HPP

#include "command.hpp"

#include <string>
#include <vector>

namespace backbeat::cli {

// The script that has bash complete these commands, their flags, and the values of flags that are known.
[[nodiscard]] std::string bash_completion(std::vector<command_entry> const& commands);

}  // namespace backbeat::cli

#endif
