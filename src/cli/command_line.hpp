//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_COMMAND_LINE_HPP
#define BACKBEAT_SRC_CLI_COMMAND_LINE_HPP

#include <string>
#include <vector>

namespace backbeat::cli {

// Runs the command that the words (those after the program's name) say, and returns the exit status.
[[nodiscard]] int run(std::vector<std::string> const& words);

}  // namespace backbeat::cli

#endif
