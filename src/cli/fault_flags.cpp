//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "fault_flags.hpp"

#include "exit_status.hpp"
#include "option_set.hpp"
#include "text.hpp"

#include <fmt/format.h>

#include <utility>

namespace backbeat::cli {

void fault_flags::add_to(option_set& options, std::string help, std::string initial)
{
    options.values("--fault", "RULE", std::move(help), std::move(initial), [this](std::string const& text) {
        try {
            rules_.push_back(parse_fault_rule(text));
        } catch (fault_error const& error) {
            throw usage_error(fmt::format("--fault '{}': {}", printable(text), error.what()));
        }
    });
}

}  // namespace backbeat::cli
