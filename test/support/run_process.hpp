//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_SUPPORT_RUN_PROCESS_HPP
#define BACKBEAT_TEST_SUPPORT_RUN_PROCESS_HPP

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat::test {

// How a process ended, and what it wrote.
struct process_result {
    // Its exit status; of one that a signal ended, the negative number of the signal.
    int status = 0;
    bool timed_out = false;
    std::string out;
    std::string err;
};

// A process with its output in pipes. It has the environment of the test, without GOOGLE_CLOUD_PROJECT, and these.
class running_process {
public:
    explicit running_process(
        std::vector<std::string> command,
        std::vector<std::string> environment = {},
        std::chrono::seconds time_limit = std::chrono::seconds(240));
    running_process(running_process const&) = delete;
    running_process& operator=(running_process const&) = delete;
    ~running_process();

    // Reads until standard output has a line, and returns it without its end. Empty: there is none.
    std::string read_line();

    void signal(int number) const;

    // Reads on until the process ends. At the time limit it is killed.
    process_result finish();

private:
    bool read_some();

    int id_ = -1;
    int out_ = -1;
    int err_ = -1;
    std::chrono::steady_clock::time_point end_;
    process_result result_;
};

[[nodiscard]] process_result run_process(
    std::vector<std::string> command,
    std::vector<std::string> environment = {},
    std::chrono::seconds time_limit = std::chrono::seconds(240));

}  // namespace backbeat::test

#endif
