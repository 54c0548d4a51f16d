//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_COMMAND_HPP
#define BACKBEAT_SRC_CLI_COMMAND_HPP

#include <memory>
#include <span>
#include <string_view>

namespace backbeat::cli {

class option_set;

// One command of the program: it says which options it has, and is run once they are read.
class command {
public:
    command() = default;
    command(command const&) = delete;
    command& operator=(command const&) = delete;
    virtual ~command() = default;

    virtual void add_options(option_set& options) = 0;

    // Throws `usage_error`, `command_failure` or `interrupted` where it does not succeed.
    virtual void run() = 0;
};

// A command under its name.
struct command_entry {
    std::string_view group;  // empty: the name stands alone
    std::string_view name;
    std::string_view purpose;
    std::unique_ptr<command> (*make)();
};

[[nodiscard]] std::unique_ptr<command> make_demo();
[[nodiscard]] std::unique_ptr<command> make_emulator();

[[nodiscard]] std::span<command_entry const> backup_commands();
[[nodiscard]] std::span<command_entry const> cluster_commands();
[[nodiscard]] std::span<command_entry const> instance_commands();
[[nodiscard]] std::span<command_entry const> location_commands();
[[nodiscard]] std::span<command_entry const> operation_commands();

}  // namespace backbeat::cli

#endif
