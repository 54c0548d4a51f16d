//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "run_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

namespace backbeat::test {

namespace {

void check_error(int error, char const* what)
{
    if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

std::vector<char*> pointers(std::vector<std::string>& words)
{
    std::vector<char*> result;
    result.reserve(words.size() + 1);
    for (auto& word : words) result.push_back(word.data());
    result.push_back(nullptr);
    return result;
}

}  // namespace

running_process::running_process(
    std::vector<std::string> command, std::vector<std::string> environment, std::chrono::seconds time_limit)
    : end_(std::chrono::steady_clock::now() + time_limit)
{
    for (auto const* const* variable = environ; *variable != nullptr; ++variable)
        if (std::string_view(*variable).substr(0, 21) != "GOOGLE_CLOUD_PROJECT=") environment.emplace_back(*variable);
    int out[2];
    int err[2];
    check_error(::pipe2(out, O_CLOEXEC) == 0 ? 0 : errno, "pipe");
    check_error(::pipe2(err, O_CLOEXEC) == 0 ? 0 : errno, "pipe");
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
    auto const problem = ::posix_spawn(
        &id_, command.front().c_str(), &actions, nullptr, pointers(command).data(), pointers(environment).data());
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(out[1]);
    ::close(err[1]);
    out_ = out[0];
    err_ = err[0];
    check_error(problem, command.front().c_str());
}

running_process::~running_process()
{
    if (id_ > 0) {
        ::kill(id_, SIGKILL);
        ::waitpid(id_, nullptr, 0);
    }
    for (auto const descriptor : {out_, err_})
        if (descriptor >= 0) ::close(descriptor);
}

// False: both pipes are closed, or the time is over.
bool running_process::read_some()
{
    auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
        result_.timed_out = true;
        return false;
    }
    pollfd waiting[] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};
    if (out_ < 0 && err_ < 0) return false;
    if (::poll(waiting, 2, static_cast<int>(left.count())) < 0 && errno != EINTR) return false;
    auto const take = [](short events, int& descriptor, std::string& text) {
        if (events == 0) return;
        char buffer[4096];
        auto const count = ::read(descriptor, buffer, sizeof buffer);
        if (count > 0) {
            text.append(buffer, static_cast<std::size_t>(count));
        } else {
            ::close(descriptor);
            descriptor = -1;
        }
    };
    take(waiting[0].revents, out_, result_.out);
    take(waiting[1].revents, err_, result_.err);
    return true;
}

std::string running_process::read_line()
{
    for (;;) {
        if (auto const end = result_.out.find('\n'); end != std::string::npos) return result_.out.substr(0, end);
        if (!read_some()) return {};
    }
}

void running_process::signal(int number) const
{
    ::kill(id_, number);
}

process_result running_process::finish()
{
    while (read_some()) {}
    if (result_.timed_out) ::kill(id_, SIGKILL);
    int status = 0;
    ::waitpid(id_, &status, 0);
    id_ = -1;
    result_.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return std::move(result_);
}

process_result run_process(
    std::vector<std::string> command, std::vector<std::string> environment, std::chrono::seconds time_limit)
{
    running_process process(std::move(command), std::move(environment), time_limit);
    return process.finish();
}

}  // namespace backbeat::test
