//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "arguments.hpp"

#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

namespace {

template <class Number>
Number number_of(std::string const& word)
{
    Number result{};
    auto const* const end = word.data() + word.size();
    auto const [stopped, problem] = std::from_chars(word.data(), end, result);
    if (problem != std::errc{} || stopped != end) throw usage_error("'" + word + "' is no number");
    return result;
}

struct scenario_name {
    std::string_view name;
    bench::scenario scenario;
    std::uint32_t failures;
    unsigned threads;
    int stretch;  // of the waits
};

constexpr scenario_name scenario_names[] = {
    {"A", scenario::throughput, 3, 1, 1},
    {"A16", scenario::throughput, 3, 1, 16},
    {"B", scenario::capacity, 1, 1, 0},
    {"C", scenario::calls, 0, 1, 1},
    {"E", scenario::cancellation, 1, 1, 0},
    {"MT", scenario::throughput, 3, 2, 1}};

}  // namespace

contender_arguments parse_arguments(std::vector<std::string> const& words)
{
    using namespace std::chrono_literals;
    if (words.size() < 2) throw usage_error("a contender and a scenario are needed");
    contender_arguments result{.contender = words[0], .scenario = words[1], .task = {}};
    bool const posted = result.scenario.ends_with('p');
    auto const name = std::string_view(result.scenario).substr(0, result.scenario.size() - (posted ? 1 : 0));
    scenario_name const* found = nullptr;
    for (auto const& each : scenario_names)
        if (each.name == name) found = &each;
    if (found == nullptr) throw usage_error("there is no scenario '" + result.scenario + "'");

    auto& task = result.task;
    task.scenario = found->scenario;
    task.completion = posted ? completion::posted : completion::in_place;
    task.failures = found->failures;
    task.threads = found->threads;
    std::chrono::milliseconds wait = 10s;
    for (std::size_t i = 2; i != words.size(); ++i) {
        auto const& word = words[i];
        auto const value = [&]() -> std::string const& {
            if (++i == words.size()) throw usage_error(word + " needs a value");
            return words[i];
        };
        if (word == "--operations")
            task.operations = number_of<std::size_t>(value());
        else if (word == "--failures")
            task.failures = number_of<std::uint32_t>(value());
        else if (word == "--threads")
            task.threads = number_of<unsigned>(value());
        else if (word == "--wait")
            wait = std::chrono::milliseconds(number_of<std::uint32_t>(value()));
        else if (word == "--shards")
            task.shards = true;
        else if (word == "--asked")
            task.asked = true;
        else
            throw usage_error("there is no argument '" + word + "'");
    }
    if (task.operations == 0) throw usage_error("--operations is needed, and not zero");
    if (task.threads == 0) throw usage_error("--threads is at least 1");
    if (found->stretch != 0)
        task.law = {found->stretch * 1ms, found->stretch * 1ms, found->stretch * 8ms};
    else
        task.law = {wait, wait / 10, 2 * wait};
    return result;
}

}  // namespace bench
