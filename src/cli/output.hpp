//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_OUTPUT_HPP
#define BACKBEAT_SRC_CLI_OUTPUT_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace backbeat::cli {

class option_set;

// How results are written to standard output.
enum class output_format : std::uint8_t { table, json, csv };

void add_output(option_set& options, output_format& target);

// Results as rows under named columns.
class table {
public:
    explicit table(std::vector<std::string> names) : columns(std::move(names)) {}

    // In columns that line up, with two spaces between them.
    [[nodiscard]] std::string text() const;

    // The first row, if any, as lines of "name  value", without the empty ones.
    [[nodiscard]] std::string record() const;

    // RFC 4180, with a plain line end.
    [[nodiscard]] std::string csv() const;

    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;

    // The columns from this one on hold numbers, which stand to the right.
    std::size_t first_number = static_cast<std::size_t>(-1);
};

// Writes to standard output, all of it. Throws `command_failure` if that does not work, as with a full disk.
void write_result(std::string_view text);

// Writes a line to standard error, whatever becomes of it.
void note(std::string_view line);

}  // namespace backbeat::cli

#endif
