//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_WAIT_FLAGS_HPP
#define BACKBEAT_SRC_CLI_WAIT_FLAGS_HPP

#include <backbeat/memorystore/wait_options.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace backbeat::cli {

class option_set;

// Says how a long-running operation gets on.
class operation_progress final : public memorystore::operation_observer {
public:
    void at_poll(memorystore::operation const& running, std::chrono::nanoseconds next_poll) override;

    // For a line on a terminal. Empty: nothing is waited for.
    [[nodiscard]] std::string text() const;

private:
    std::string what_;
    std::uint64_t polls_ = 0;
    std::chrono::steady_clock::time_point begun_;
    std::chrono::steady_clock::time_point next_;
};

// Whether a change waits for its operation, and how often that is asked for.
class wait_flags {
public:
    // `optional`: the command need not wait, and has flags for that.
    void add_to(option_set& options, bool optional);

    // Throws `usage_error` if that contradicts itself.
    [[nodiscard]] bool waits() const;

    // What was chosen. Throws `usage_error` if it contradicts itself.
    [[nodiscard]] memorystore::wait_options chosen() const;

private:
    memorystore::wait_options options_;
    bool wait_ = false;
    bool no_wait_ = false;
    bool initial_given_ = false;
    bool maximum_given_ = false;
};

}  // namespace backbeat::cli

#endif
