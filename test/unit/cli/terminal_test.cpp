//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/emulator.hpp>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat::test {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view wipe = "\r\x1b[K";

// What the program writes on a terminal of that width, which is its standard error alone.
std::string written_on_terminal(std::vector<std::string> words, unsigned short columns)
{
    int terminal = -1;
    int inside = -1;
    winsize size{};
    size.ws_row = 24;
    size.ws_col = columns;
    if (::openpty(&terminal, &inside, nullptr, nullptr, &size) != 0) throw std::runtime_error("openpty");
    words.insert(words.begin(), BACKBEAT_EXECUTABLE);
    std::vector<char*> arguments;
    for (auto& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, inside, STDERR_FILENO);
    ::posix_spawn_file_actions_addclose(&actions, terminal);
    ::posix_spawn_file_actions_addclose(&actions, inside);
    pid_t child = 0;
    auto const problem = ::posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(inside);
    if (problem != 0) throw std::runtime_error("posix_spawn");

    std::string text;
    std::array<char, 4096> some{};
    // The terminal ends with an error when nobody has it open any more.
    for (;;) {
        pollfd ready{terminal, POLLIN, 0};
        if (::poll(&ready, 1, 60'000) <= 0) {
            ADD_FAILURE() << "it does not end: " << text;
            ::kill(child, SIGKILL);
            break;
        }
        auto const size_read = ::read(terminal, some.data(), some.size());
        if (size_read <= 0) break;
        text.append(some.data(), static_cast<std::size_t>(size_read));
    }
    ::close(terminal);
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0) << text;
    return text;
}

std::vector<std::string> lines_of(std::string_view text)
{
    std::vector<std::string> result;
    for (auto at = text.find(wipe); at != text.npos;) {
        auto const next = text.find(wipe, at + wipe.size());
        result.emplace_back(text.substr(at + wipe.size(), next - at - wipe.size()));
        at = next;
    }
    return result;
}

class cli_terminal : public testing::Test {
protected:
    std::vector<std::string> lines(unsigned short columns)
    {
        emulator_options slow;
        slow.operation_time = 2s;
        emulator const server(slow);
        auto const text = written_on_terminal(
            {"instances",
             "create",
             "a-long-name-for-an-instance",
             "--project",
             "p",
             "--region",
             "us-central1",
             "--endpoint",
             server.url(),
             "--wait",
             "--initial-poll-interval",
             "50ms"},
            columns);
        EXPECT_TRUE(text.starts_with(wipe)) << text;
        return lines_of(text);
    }
};

TEST_F(cli_terminal, shows_how_a_wait_goes_and_leaves_nothing)
{
    auto const all = lines(120);
    ASSERT_GE(all.size(), 2u);
    EXPECT_TRUE(all.back().empty()) << all.back();
    auto const& last = all[all.size() - 2];
    EXPECT_TRUE(last.starts_with("create a-long-name-for-an-instance: ")) << last;
    EXPECT_NE(last.find(" poll"), std::string::npos) << last;
}

TEST_F(cli_terminal, fits_the_line_to_the_width)
{
    auto const all = lines(20);
    ASSERT_GE(all.size(), 2u);
    EXPECT_EQ(all[all.size() - 2], "create a-long-name-");
    for (auto const& line : all) EXPECT_LE(line.size(), 19u) << line;
}

}  // namespace
}  // namespace backbeat::test
