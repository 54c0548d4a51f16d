//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_COMMAND_HPP
#define BACKBEAT_SRC_CLI_COMMAND_HPP

#include <memory>

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

[[nodiscard]] std::unique_ptr<command> make_demo();
[[nodiscard]] std::unique_ptr<command> make_emulator();
[[nodiscard]] std::unique_ptr<command> make_instances_list();
[[nodiscard]] std::unique_ptr<command> make_instances_get();
[[nodiscard]] std::unique_ptr<command> make_instances_create();
[[nodiscard]] std::unique_ptr<command> make_instances_delete();
[[nodiscard]] std::unique_ptr<command> make_operations_get();
[[nodiscard]] std::unique_ptr<command> make_operations_wait();

}  // namespace backbeat::cli

#endif
