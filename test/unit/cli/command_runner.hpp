//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_UNIT_CLI_COMMAND_RUNNER_HPP
#define BACKBEAT_TEST_UNIT_CLI_COMMAND_RUNNER_HPP

#include "run_process.hpp"

#include <string>
#include <utility>
#include <vector>

namespace backbeat::test {

[[nodiscard]] inline std::vector<std::string> backbeat_command(std::vector<std::string> words)
{
    words.insert(words.begin(), BACKBEAT_EXECUTABLE);
    return words;
}

// Runs the program that was built, to its end.
[[nodiscard]] inline process_result run_backbeat(
    std::vector<std::string> words, std::vector<std::string> environment = {})
{
    return run_process(backbeat_command(std::move(words)), std::move(environment));
}

}  // namespace backbeat::test

#endif
