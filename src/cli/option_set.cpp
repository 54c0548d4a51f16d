//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "option_set.hpp"

#include "exit_status.hpp"
#include "nearest.hpp"
#include "text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace backbeat::cli {

namespace {

constexpr std::size_t help_width = 100;
constexpr std::size_t help_indent = 32;

bool is_flag(std::string const& word) noexcept
{
    return word.size() > 1 && word.front() == '-';
}

// What cannot be a value, where -1 can: it may be a wrong one, but it is what was meant.
bool starts_flag(std::string const& word) noexcept
{
    return word.substr(0, 2) == "--";
}

}  // namespace

option_set::option_set(std::string command, std::string purpose)
    : command_(std::move(command)), purpose_(std::move(purpose)), section_("Flags")
{}

void option_set::section(std::string title)
{
    section_ = std::move(title);
}

void option_set::argument(std::string const& placeholder, std::string& target, std::string help)
{
    argument(
        placeholder, [&target](std::string const& text) { target = text; }, std::move(help));
}

void option_set::argument(std::string const& placeholder, taker take, std::string help)
{
    options_.push_back(
        {kind::argument, placeholder, placeholder, std::move(help), {}, "Arguments", nullptr, std::move(take)});
}

void option_set::flag(std::string name, bool& target, std::string help)
{
    options_.push_back({kind::flag, std::move(name), {}, std::move(help), {}, section_, &target, {}});
}

void option_set::value(std::string name, std::string placeholder, std::string help, std::string initial, taker take)
{
    options_.push_back(
        {kind::value,
         std::move(name),
         std::move(placeholder),
         std::move(help),
         std::move(initial),
         section_,
         nullptr,
         std::move(take)});
}

void option_set::values(std::string name, std::string placeholder, std::string help, std::string initial, taker take)
{
    options_.push_back(
        {kind::values,
         std::move(name),
         std::move(placeholder),
         std::move(help),
         std::move(initial),
         section_,
         nullptr,
         std::move(take)});
}

void option_set::choices(std::vector<std::string> words)
{
    options_.back().choices = std::move(words);
}

std::vector<option_set::completion> option_set::completions() const
{
    std::vector<completion> result{{"--help", false, false, {}}};
    for (auto const& each : options_) {
        if (each.is == kind::argument) continue;
        result.push_back({each.name, each.is != kind::flag, each.placeholder == "FILE", each.choices});
    }
    return result;
}

std::vector<std::string> option_set::value_flags() const
{
    std::vector<std::string> result;
    for (auto const& each : options_)
        if (each.is == kind::value || each.is == kind::values) result.push_back(each.name);
    return result;
}

option_set::option const* option_set::find(std::string_view name) const
{
    for (auto const& each : options_)
        if (each.is != kind::argument && each.name == name) return &each;
    return nullptr;
}

void option_set::refuse_flag(std::string_view name) const
{
    std::vector<std::string> known{"--help"};
    for (auto const& each : options_)
        if (each.is != kind::argument) known.push_back(each.name);
    throw usage_error("there is no flag '" + printable(name) + "'" + did_you_mean(name, known));
}

// Looks at the flags before CLI11 does. It would take the flag that follows for the value of one whose value was
// forgotten, and complain of a missing argument before it complains of a mistyped flag.
void option_set::check_flags(std::vector<std::string> const& words) const
{
    for (auto word = words.begin(); word != words.end(); ++word) {
        if (*word == "--") return;
        if (!is_flag(*word)) continue;
        auto const equals = word->find('=');
        auto const name = word->substr(0, equals);
        auto const* const known = find(name);
        if (known == nullptr) refuse_flag(name);
        auto const has_value = equals != std::string::npos;
        if (known->is == kind::flag) {
            if (has_value) throw usage_error(name + " takes no value");
            continue;
        }
        auto const missing = has_value ? equals + 1 == word->size()
                                       : word + 1 == words.end() || (word + 1)->empty() || starts_flag(*(word + 1));
        if (missing) throw usage_error(fmt::format("{0} needs a value: {0} {1}", name, known->placeholder));
        if (!has_value) ++word;
    }
}

bool option_set::parse(std::vector<std::string> const& words) const
{
    auto const end_of_flags = std::find(words.begin(), words.end(), "--");
    for (auto word = words.begin(); word != end_of_flags; ++word)
        if (*word == "--help" || *word == "-h") return false;
    check_flags(words);

    CLI::App app;
    app.set_help_flag();
    std::string missing;
    for (auto const& each : options_) {
        switch (each.is) {
        case kind::argument: app.add_option_function<std::string>(each.name, each.take); break;
        case kind::flag: app.add_flag(each.name, *each.set); break;
        case kind::value:
            app.add_option_function<std::string>(each.name, each.take)
                ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
            break;
        case kind::values:
            app.add_option_function<std::vector<std::string>>(
                   each.name,
                   [&each](std::vector<std::string> const& texts) {
                       for (auto const& text : texts) each.take(text);
                   })
                ->allow_extra_args(false);
            break;
        }
    }
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (CLI::ExtrasError const&) {
        throw usage_error("too many arguments: '" + printable(app.remaining().front()) + "' is left over");
    } catch (CLI::ParseError const& error) {
        throw usage_error(error.what());
    }
    for (auto const& each : options_) {
        if (each.is == kind::argument && app.count(each.name) == 0)
            throw usage_error(each.placeholder + " is missing: " + each.help);
    }
    return true;
}

std::string option_set::usage() const
{
    auto text = "usage: " + command_;
    for (auto const& each : options_)
        if (each.is == kind::argument) text += " " + each.placeholder;
    return text + " [FLAGS]";
}

std::string option_set::help() const
{
    auto text = wrapped(purpose_, 0, help_width) + "\n" + usage() + "\n";
    std::string_view section;
    auto const entry = [&text](std::string const& left, std::string const& right) {
        auto const line = "  " + left;
        auto const fits = line.size() + 2 <= help_indent;
        text += fits ? padded(line, help_indent) : line + "\n" + std::string(help_indent, ' ');
        text += wrapped(right, help_indent, help_width);
    };
    for (auto const& each : options_) {
        if (each.section != section) {
            section = each.section;
            text += "\n" + each.section + "\n";
        }
        auto right = each.help;
        if (each.is == kind::values) right += " Repeatable.";
        if (!each.initial.empty()) right += " Default: " + each.initial + ".";
        auto const is_argument = each.is == kind::argument || each.placeholder.empty();
        entry(is_argument ? each.name : each.name + " " + each.placeholder, right);
    }
    text += "\n";
    entry("--help", "Prints this.");
    return text;
}

}  // namespace backbeat::cli
