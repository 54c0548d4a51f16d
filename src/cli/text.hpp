//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_TEXT_HPP
#define BACKBEAT_SRC_CLI_TEXT_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace backbeat::cli {

// The text on one line, for a terminal: control characters, by which a server could move the cursor, become spaces.
[[nodiscard]] std::string printable(std::string_view text);

// The number of columns that text in UTF-8 takes, as far as that is the number of its code points.
[[nodiscard]] std::size_t columns(std::string_view text) noexcept;

// The text, filled with spaces up to a number of columns.
[[nodiscard]] std::string padded(std::string_view text, std::size_t width);

// The same, filled in front.
[[nodiscard]] std::string right_aligned(std::string_view text, std::size_t width);

// The text in lines that end before `width`, all but the first indented, and the last one ended.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

// 12,345
[[nodiscard]] std::string grouped(std::uint64_t number);

// "1 attempt", "2 attempts"
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view noun);

// A duration for people who read many of them: 0 ms, 3.1 ms, 250 ms, 1.42 s, 125 s.
[[nodiscard]] std::string short_time(std::chrono::nanoseconds time);

}  // namespace backbeat::cli

#endif
