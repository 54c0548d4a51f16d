//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "contender.hpp"

#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>
#include <system_error>

// Where `./run bench` writes how the peers are started.
#ifndef BACKBEAT_BENCH_PEERS
#define BACKBEAT_BENCH_PEERS "build/bench-peers"
#endif

namespace bench {

namespace {

// A program that is told numbers of requests, a line each, and answers each with a line of JSON. Its standard input and
// output are one socket: what is written to that when the program has ended is an error, and no signal.
class undici final : public http_contender {
public:
    explicit undici(std::string const& command)
    {
        std::array<int, 2> ends{};
        check_system(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()));
        socket_ = ends[0];
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
        ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        std::string shell = "/bin/sh";
        std::string option = "-c";
        std::string line = "exec " + command;
        std::array<char*, 4> arguments{shell.data(), option.data(), line.data(), nullptr};
        auto const error = ::posix_spawn(&process_, shell.c_str(), &actions, nullptr, arguments.data(), environ);
        ::posix_spawn_file_actions_destroy(&actions);
        ::close(ends[1]);
        if (error == 0) return;
        ::close(socket_);
        throw std::system_error(error, std::generic_category(), "/bin/sh");
    }

    // Its input ends, and so does it.
    ~undici() override
    {
        ::close(socket_);
        while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {}
    }

    void run(std::size_t requests) override { cost_ = ask(requests); }

    [[nodiscard]] http_cost cost_of(std::size_t requests) override
    {
        run(requests);
        return cost_;
    }

private:
    static void check_system(int result)
    {
        if (result < 0) throw std::system_error(errno, std::generic_category(), "socketpair");
    }

    [[nodiscard]] http_cost ask(std::size_t requests) const
    {
        auto const line = std::to_string(requests) + '\n';
        if (::send(socket_, line.data(), line.size(), MSG_NOSIGNAL) != static_cast<::ssize_t>(line.size()))
            throw std::runtime_error("undici has ended");
        auto const answer = read_line();
        http_cost result{.allocations = std::numeric_limits<double>::quiet_NaN()};
        if (std::sscanf(
                answer.c_str(), R"({"cpu_ns":%lf,"wall_ns":%lf)", &result.cpu_nanoseconds, &result.wall_nanoseconds)
            != 2)
            throw std::runtime_error("undici says: " + answer);
        return result;
    }

    [[nodiscard]] std::string read_line() const
    {
        std::string result;
        while (!result.ends_with('\n')) {
            char next = 0;
            auto const count = ::read(socket_, &next, 1);
            if (count < 0 && errno == EINTR) continue;
            if (count != 1) throw std::runtime_error("undici has ended without an answer");
            result += next;
        }
        return result;
    }

    int socket_ = -1;
    ::pid_t process_ = -1;
    http_cost cost_;
};

}  // namespace

std::unique_ptr<http_contender> make_undici(http_target const& target)
{
    std::ifstream file(BACKBEAT_BENCH_PEERS "/undici.http");
    std::string command;
    if (!std::getline(file, command)) return nullptr;
    command += ' ' + origin_of(target) + target.path + ' ' + std::to_string(in_flight) + ' '
        + std::to_string(target.body_size);
    if (target.tls) command += " '" + target.authority_file + '\'';
    return std::make_unique<undici>(command);
}

}  // namespace bench
