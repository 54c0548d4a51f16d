//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_FAULT_FLAGS_HPP
#define BACKBEAT_SRC_CLI_FAULT_FLAGS_HPP

#include <backbeat/fault_rule.hpp>

#include <string>
#include <vector>

namespace backbeat::cli {

class option_set;

// The flag --fault, which says a rule of the emulator and can be repeated.
class fault_flags {
public:
    void add_to(option_set& options, std::string help, std::string initial);

    // The rules that were given, in order.
    [[nodiscard]] std::vector<fault_rule> const& chosen() const noexcept { return rules_; }

private:
    std::vector<fault_rule> rules_;
};

}  // namespace backbeat::cli

#endif
