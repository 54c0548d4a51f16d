//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "row.hpp"

#include "targets.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace bench {

namespace {

// Four significant digits, and no exponent.
std::string text_of(double number)
{
    auto const magnitude = std::abs(number);
    int const decimals = magnitude >= 1000 ? 0 : magnitude >= 100 ? 1 : magnitude >= 10 ? 2 : 3;
    std::array<char, 64> buffer{};
    auto const length = std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, number);
    return {buffer.data(), static_cast<std::size_t>(length)};
}

std::string text_of(target const& aim, row const& r)
{
    std::array<char, 64> buffer{};
    auto const length = std::snprintf(
        buffer.data(),
        buffer.size(),
        "%s %g%s %s",
        aim.how == target::kind::at_most ? "<=" : ">=",
        aim.limit,
        aim.what == target::of::ratio ? " x" : "",
        aim.reached_by(r) ? "ok" : "over");
    return {buffer.data(), static_cast<std::size_t>(length)};
}

// JSON has no numbers but finite ones.
std::string json_of(double number)
{
    if (!std::isfinite(number)) return "null";
    std::array<char, 64> buffer{};
    auto const [end, problem] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
    if (problem != std::errc{}) return "null";
    return {buffer.data(), end};
}

}  // namespace

void print_heading(std::string const& section)
{
    std::printf(
        "\n%s\n%-42s %9s %-9s %7s %-14s %s\n", section.c_str(), "", "value", "unit", "ratio", "baseline", "target");
    std::fflush(stdout);
}

void print_rows(std::vector<row> const& rows, std::size_t from)
{
    for (auto i = from; i != rows.size(); ++i) {
        auto const& r = rows[i];
        auto const* const aim = find_target(r);
        auto const ratio = r.baseline.empty() ? std::string() : text_of(r.ratio);
        std::printf(
            "%-42s %9s %-9s %7s %-14s %s\n",
            r.name.c_str(),
            text_of(r.value).c_str(),
            r.unit.c_str(),
            ratio.c_str(),
            r.baseline.c_str(),
            aim == nullptr ? "" : text_of(*aim, r).c_str());
    }
    std::fflush(stdout);
}

void write_json(std::vector<row> const& rows, std::string const& path)
{
    std::ofstream out(path);
    out << "{\"rows\":[";
    char const* separator = "";
    for (auto const& r : rows) {
        out << separator << "\n  {\"name\":\"" << r.name << "\",\"value\":" << json_of(r.value) << ",\"unit\":\""
            << r.unit << "\",\"baseline\":\"" << r.baseline << "\",\"ratio\":" << json_of(r.ratio) << '}';
        separator = ",";
    }
    out << "\n]}\n";
    if (!out.flush()) throw std::runtime_error("cannot write " + path);
}

}  // namespace bench
