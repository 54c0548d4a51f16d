//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "run_process.hpp"
#include "sections.hpp"

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bench {

namespace {

using namespace std::chrono_literals;

// The number that stands before or after `word` in a tool's summary.
std::optional<double> number_beside(std::string const& text, std::string const& word, bool before)
{
    auto const at = text.find(word);
    if (at == std::string::npos) return std::nullopt;
    std::string digits;
    auto begin = at + word.size();
    if (before) {
        begin = text.rfind('\n', at);
        begin = begin == std::string::npos ? 0 : begin;
    }
    for (auto i = begin; i != text.size() && (!before || i != at); ++i) {
        if (text[i] >= '0' && text[i] <= '9')
            digits.push_back(text[i]);
        else if (text[i] != ',' && !digits.empty())
            break;
    }
    if (digits.empty()) return std::nullopt;
    return std::strtod(digits.c_str(), nullptr);
}

// In user space, of a whole process. Empty: the tool is not there, or the processor does not count.
std::optional<double> by_perf(std::vector<std::string> const& command)
{
    std::vector<std::string> all{"/bin/sh", "-c", "exec perf stat -e instructions:u -- \"$@\"", "sh"};
    all.insert(all.end(), command.begin(), command.end());
    auto const ended = backbeat::test::run_process(all, {"LC_ALL=C"}, 300s);
    if (ended.status != 0) return std::nullopt;
    return number_beside(ended.err, "instructions:u", true);
}

std::optional<double> by_callgrind(std::vector<std::string> const& command)
{
    std::vector<std::string> all{
        "/bin/sh", "-c", "exec valgrind --tool=callgrind --callgrind-out-file=/dev/null \"$@\"", "sh"};
    all.insert(all.end(), command.begin(), command.end());
    auto const ended = backbeat::test::run_process(all, {"LC_ALL=C"}, 300s);
    if (ended.status != 0) return std::nullopt;
    return number_beside(ended.err, "Collected : ", false);
}

// The difference between two runs is what the additional operations took, whatever it takes to start a process.
template <class Counter>
std::optional<double> an_attempt(session const& s, std::string const& contender, Counter const& count)
{
    constexpr std::size_t fewer = 10'000;
    constexpr std::size_t more = 30'000;
    auto const few = count(s.own(contender, "A", fewer).command);
    auto const many = few ? count(s.own(contender, "A", more).command) : std::nullopt;
    if (!many) return std::nullopt;
    return (*many - *few) / ((more - fewer) * 4);
}

}  // namespace

void instructions_section(session& s)
{
    bool const have_perf = by_perf({"/bin/true"}).has_value();
    if (!have_perf && !s.settings().instructions) {
        std::printf("Not measured: perf stat counts no instructions here. --instructions asks valgrind.\n");
        return;
    }
    std::map<std::string, double> found;
    std::vector<std::pair<std::string, std::string>> const wanted{
        {"floor", "floor/"},
        {"retry", ""},
        {"retry-slot", "slot/"},
        {"retry-limits", "limits/"},
        {"retry-awaited", "awaited/"},
        {"awaitable-loop", "awaitable_loop/"},
        {"wheel", "wheel/"}};
    for (auto const& [contender, name] : wanted) {
        auto const count = have_perf ? an_attempt(s, contender, by_perf) : an_attempt(s, contender, by_callgrind);
        if (!count) {
            std::printf(
                "Not measured: neither perf stat nor valgrind counts the instructions of %s.\n", contender.c_str());
            return;
        }
        found[contender] = *count;
    }
    for (auto const& [contender, name] : wanted)
        s.add("instructions/" + name + "per_attempt", found[contender], "", {"floor", found["floor"]});
}

}  // namespace bench
