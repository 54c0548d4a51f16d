//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "output.hpp"

#include "exit_status.hpp"
#include "option_set.hpp"
#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace backbeat::cli {

namespace {

void append_row(
    std::string& text,
    std::vector<std::string> const& cells,
    std::vector<std::size_t> const& widths,
    std::size_t first_number)
{
    std::string line;
    for (std::size_t i = 0; i != cells.size(); ++i) {
        auto const cell = printable(cells[i]);
        line += (i < first_number ? padded(cell, widths[i]) : right_aligned(cell, widths[i])) + "  ";
    }
    text.append(line, 0, line.find_last_not_of(' ') + 1).push_back('\n');
}

void append_csv_row(std::string& text, std::vector<std::string> const& cells)
{
    for (std::size_t i = 0; i != cells.size(); ++i) {
        if (i != 0) text += ',';
        if (cells[i].find_first_of(",\"\r\n") == std::string::npos) {
            text += cells[i];
            continue;
        }
        text += '"';
        for (auto const c : cells[i]) text.append(c == '"' ? 2 : 1, c);
        text += '"';
    }
    text += '\n';
}

}  // namespace

void add_output(option_set& options, output_format& target)
{
    options.value(
        "--output",
        "FORMAT",
        "How the result is written: table, json, csv.",
        "table",
        [&target](std::string const& text) {
            if (text == "table")
                target = output_format::table;
            else if (text == "json")
                target = output_format::json;
            else if (text == "csv")
                target = output_format::csv;
            else
                throw usage_error(fmt::format("--output '{}': must be table, json or csv", printable(text)));
        });
    options.choices({"table", "json", "csv"});
}

std::string table::text() const
{
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i != columns.size(); ++i) {
        auto width = cli::columns(columns[i]);
        for (auto const& row : rows) width = (std::max)(width, cli::columns(row[i]));
        widths.push_back(width);
    }
    std::string result;
    append_row(result, columns, widths, first_number);
    for (auto const& row : rows) append_row(result, row, widths, first_number);
    return result;
}

std::string table::record() const
{
    std::string result;
    if (rows.empty()) return result;
    std::size_t width = 0;
    for (auto const& name : columns) width = (std::max)(width, name.size());
    for (std::size_t i = 0; i != columns.size(); ++i)
        if (!rows.front()[i].empty()) result += padded(columns[i], width) + "  " + printable(rows.front()[i]) + "\n";
    return result;
}

std::string table::csv() const
{
    std::string result;
    append_csv_row(result, columns);
    for (auto const& row : rows) append_csv_row(result, row);
    return result;
}

void write_result(std::string_view text)
{
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw command_failure(fmt::format("the result cannot be written to standard output: {}", std::strerror(errno)));
}

void note(std::string_view line)
{
    auto const text = fmt::format("{}\n", line);
    std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace backbeat::cli
