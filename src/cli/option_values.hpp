//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_OPTION_VALUES_HPP
#define BACKBEAT_SRC_CLI_OPTION_VALUES_HPP

#include "option_set.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace backbeat::cli {

// The values that options take. What is wrong is said in one sentence, with what would be right. Every `add_` function
// shows the value that the target has as the default, unless it is told what to show.

[[nodiscard]] std::chrono::nanoseconds duration_value(std::string_view flag, std::string const& text);
[[nodiscard]] std::uint64_t count_value(
    std::string_view flag, std::string const& text, std::uint64_t least, std::uint64_t most);
[[nodiscard]] double number_value(std::string_view flag, std::string const& text);

void add_text(
    option_set& options, std::string const& name, std::string placeholder, std::string& target, std::string help);
void add_duration(option_set& options, std::string const& name, std::chrono::nanoseconds& target, std::string help);
void add_duration(
    option_set& options,
    std::string const& name,
    std::optional<std::chrono::nanoseconds>& target,
    std::string initial,
    std::string help);
void add_count(
    option_set& options,
    std::string const& name,
    std::uint64_t& target,
    std::uint64_t least,
    std::uint64_t most,
    std::string help);
void add_number(option_set& options, std::string const& name, double& target, std::string help);

}  // namespace backbeat::cli

#endif
