//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "command_runner.hpp"

#include <gtest/gtest.h>

#include <string>

namespace backbeat::test {
namespace {

// What bash offers for the last of these words, one a line.
std::string completed(std::string const& words)
{
    auto const script = std::string("set -u\nsource <('") + BACKBEAT_EXECUTABLE + "' completion bash)\nCOMP_WORDS=("
        + words
        + ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_backbeat\nprintf '%s\\n' ${COMPREPLY[@]+\"${COMPREPLY[@]}\"}\n";
    auto const ended = run_process({"/usr/bin/env", "bash", "-c", script});
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_EQ(ended.err, "");
    return ended.out;
}

TEST(cli_completion, is_a_script_that_bash_can_read)
{
    auto const ended = run_process(
        {"/usr/bin/env", "bash", "-c", std::string("'") + BACKBEAT_EXECUTABLE + "' completion bash | bash -n"});
    EXPECT_EQ(ended.status, 0);
    EXPECT_EQ(ended.err, "");
}

TEST(cli_completion, completes_commands)
{
    EXPECT_EQ(completed("backbeat in"), "instances\n");
    EXPECT_EQ(completed("backbeat ba"), "backup-collections\nbackups\n");
    EXPECT_EQ(completed("backbeat instances up"), "update\nupgrade\n");
    EXPECT_EQ(completed("backbeat operations ''"), "list\nget\nwait\ncancel\ndelete\n--help\n");
}

TEST(cli_completion, completes_the_flags_of_the_command_and_their_values)
{
    EXPECT_EQ(completed("backbeat instances create a --mem"), "--memory-size-gb\n");
    EXPECT_EQ(completed("backbeat instances get a --mem"), "\n");
    EXPECT_EQ(completed("backbeat demo --conc"), "--concurrency\n");
    EXPECT_EQ(completed("backbeat instances create a --tier ''"), "BASIC\nSTANDARD_HA\n");
    EXPECT_EQ(completed("backbeat instances create a --tier = S"), "STANDARD_HA\n");
    EXPECT_EQ(completed("backbeat clusters list --output ="), "table\njson\ncsv\n");
    EXPECT_EQ(completed("backbeat instances create a --memory-size-gb ''"), "\n");
    EXPECT_EQ(completed("backbeat instances list --ca-file /dev/nul"), "/dev/null\n");
}

}  // namespace
}  // namespace backbeat::test
