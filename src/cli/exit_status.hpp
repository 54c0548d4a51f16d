//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_EXIT_STATUS_HPP
#define BACKBEAT_SRC_CLI_EXIT_STATUS_HPP

#include <stdexcept>
#include <string>

namespace backbeat::cli {

// What the program ends with. A signal that ends it adds its number to 128, as shells do.
enum exit_status : int { exit_success = 0, exit_failure = 1, exit_usage = 2, exit_signal = 128 };

// The command line is wrong. The text is a sentence that says what was wrong and what would be right.
class usage_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// A usage error in the words of the library, which calls options and the fields of messages by their own names. They
// are the names of flags too.
class field_error : public usage_error {
public:
    using usage_error::usage_error;
};

// What the command line asked for did not work. The text says what failed, why, and after how many attempts.
class command_failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// SIGINT or SIGTERM came before the command had ended.
class interrupted : public std::runtime_error {
public:
    // `outcome` is what became of the work, where that is worth knowing.
    explicit interrupted(int signal, std::string const& outcome = {}) : std::runtime_error(outcome), signal_(signal) {}

    [[nodiscard]] int signal() const noexcept { return signal_; }

private:
    int signal_;
};

}  // namespace backbeat::cli

#endif
