//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_WAIT_FLAGS_HPP
#define BACKBEAT_SRC_CLI_WAIT_FLAGS_HPP

#include <backbeat/memorystore/wait_options.hpp>

namespace backbeat::cli {

class option_set;

// How often a long-running operation is asked for.
class wait_flags {
public:
    void add_to(option_set& options);

    // What was chosen. Throws `usage_error` if it contradicts itself.
    [[nodiscard]] memorystore::wait_options chosen() const;

private:
    memorystore::wait_options options_;
    bool initial_given_ = false;
    bool maximum_given_ = false;
};

}  // namespace backbeat::cli

#endif
