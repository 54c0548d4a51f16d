//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_MUTATION_FLAGS_HPP
#define BACKBEAT_SRC_CLI_MUTATION_FLAGS_HPP

#include <backbeat/memorystore/mutation_options.hpp>

namespace backbeat::cli {

class option_set;

// How a change is made safe to repeat.
class mutation_flags {
public:
    void add_to(option_set& options);

    [[nodiscard]] memorystore::mutation_options const& chosen() const noexcept { return options_; }

private:
    memorystore::mutation_options options_;
};

}  // namespace backbeat::cli

#endif
