//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "option_values.hpp"

#include "exit_status.hpp"
#include "text.hpp"

#include <backbeat/detail/duration_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace backbeat::cli {

namespace {

[[noreturn]] void refuse(std::string_view flag, std::string const& text, std::string const& problem)
{
    throw usage_error(fmt::format("{} '{}': {}", flag, printable(text), problem));
}

bool is_bare_number(std::string const& text) noexcept
{
    return !text.empty() && text.front() != '.' && text.back() != '.' && std::count(text.begin(), text.end(), '.') <= 1
        && std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

}  // namespace

std::chrono::nanoseconds duration_value(std::string_view flag, std::string const& text)
{
    if (auto const value = backbeat::detail::parse_duration(text)) return *value;
    std::string syntax = backbeat::detail::duration_syntax;
    if (is_bare_number(text))
        refuse(flag, text, fmt::format("the unit is missing, write {0}s or {0}ms; {1}", text, syntax));
    if (text.substr(0, 1) == "-") refuse(flag, text, "the duration is negative; " + syntax);
    refuse(flag, text, syntax);
}

std::uint64_t count_value(std::string_view flag, std::string const& text, std::uint64_t least, std::uint64_t most)
{
    std::uint64_t value = 0;
    auto const end = text.data() + text.size();
    auto const [stop, problem] = std::from_chars(text.data(), end, value);
    if (problem != std::errc() || stop != end || value < least || value > most)
        refuse(flag, text, fmt::format("must be a whole number from {} to {}", least, most));
    return value;
}

double number_value(std::string_view flag, std::string const& text)
{
    double value = 0;
    auto const end = text.data() + text.size();
    auto const [stop, problem] = std::from_chars(text.data(), end, value);
    if (problem != std::errc() || stop != end) refuse(flag, text, "must be a number, like 2 or 1.5");
    return value;
}

void add_text(
    option_set& options, std::string const& name, std::string placeholder, std::string& target, std::string help)
{
    options.value(
        name, std::move(placeholder), std::move(help), target, [&target](std::string const& text) { target = text; });
}

void add_duration(option_set& options, std::string const& name, std::chrono::nanoseconds& target, std::string help)
{
    options.value(
        name,
        "DURATION",
        std::move(help),
        backbeat::detail::duration_text(target),
        [name, &target](std::string const& text) { target = duration_value(name, text); });
}

void add_duration(
    option_set& options,
    std::string const& name,
    std::optional<std::chrono::nanoseconds>& target,
    std::string initial,
    std::string help)
{
    options.value(name, "DURATION", std::move(help), std::move(initial), [name, &target](std::string const& text) {
        target = duration_value(name, text);
    });
}

void add_count(
    option_set& options,
    std::string const& name,
    std::uint64_t& target,
    std::uint64_t least,
    std::uint64_t most,
    std::string help)
{
    options.value(
        name, "N", std::move(help), std::to_string(target), [name, &target, least, most](std::string const& text) {
            target = count_value(name, text, least, most);
        });
}

void add_number(option_set& options, std::string const& name, double& target, std::string help)
{
    options.value(name, "NUMBER", std::move(help), fmt::format("{}", target), [name, &target](std::string const& text) {
        target = number_value(name, text);
    });
}

}  // namespace backbeat::cli
