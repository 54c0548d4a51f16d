//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "sections.hpp"

#include <string>
#include <vector>

namespace bench {

namespace {

// A contender and the part of a row's name that says it.
struct variant {
    char const* contender;
    char const* name;
    char const* baseline;
};

constexpr variant variants[] = {
    {"retry-by-value", "waits/by_value/", "floor"},
    {"retry-ref", "waits/reference/", "floor"},
    {"retry-pool", "waits/pool/", "floor"},
    {"retry-slot", "waits/slot/", "floor"},
    {"retry-limits", "waits/limits/", "floor"},
    {"retry-report", "waits/report/", "floor"},
    {"retry-budget", "waits/budget/", "floor"},
    {"retry-any", "waits/any_executor/", "floor"},
    {"retry-awaited", "waits/awaited/", "awaitable-loop"},
    {"retry-coroutine", "waits/coroutine/", "throwing-loop"},
    {"floor-slot", "waits/floor_slot/", "floor"},
    {"co-composed", "waits/co_composed/", "floor"},
    {"wheel-pool", "wheel/waits/pool/", "floor"},
    {"wheel-slot", "wheel/waits/slot/", "floor"},
    {"wheel-limits", "wheel/waits/limits/", "floor"},
    {"wheel-awaited", "wheel/waits/awaited/", "awaitable-loop"},
    {"wheel-coroutine", "wheel/waits/coroutine/", "throwing-loop"}};

void add_rows(session& s, outcomes const& found, variant const& of)
{
    auto const& one = found.at(of.contender);
    auto const& baseline = found.at(of.baseline);
    std::string const prefix = of.name;
    s.add(prefix + "ns_per_attempt", one.ns_per_attempt(), "ns", {of.baseline, baseline.ns_per_attempt()});
    s.add(
        prefix + "allocations_per_attempt",
        one.allocations_per_attempt(),
        "",
        {of.baseline, baseline.allocations_per_attempt()});
}

void add_main_rows(session& s, outcomes const& found, std::string const& contender, std::string const& prefix)
{
    auto const& retry = found.at(contender);
    auto const& floor = found.at("floor");
    auto const& loop = found.at("awaitable-loop");
    s.add(prefix + "ns_per_attempt", retry.ns_per_attempt(), "ns", {"floor", floor.ns_per_attempt()});
    s.add(
        prefix + "allocations_per_attempt",
        retry.allocations_per_attempt(),
        "",
        {"floor", floor.allocations_per_attempt()});
    s.add(
        prefix + "allocations_per_operation",
        retry.allocations_per_operation(),
        "",
        {"floor", floor.allocations_per_operation()});
    auto const to_floor = retry.ns_per_attempt() / floor.ns_per_attempt();
    auto const to_loop = retry.ns_per_attempt() / loop.ns_per_attempt();
    s.add(prefix + "ratio_to_floor", to_floor, "ratio", {"floor", 1});
    s.add(prefix + "ratio_to_awaitable_loop", to_loop, "ratio", {"awaitable-loop", 1});
}

// The same with attempts that go through the scheduler, as those of a socket do.
void add_posted_attempts(session& s, std::size_t operations)
{
    constexpr variant posted[] = {
        {"retry", "waits/posted/", "floor"},
        {"retry-pool", "waits/posted/pool/", "floor"},
        {"retry-slot", "waits/posted/slot/", "floor"},
        {"awaitable-loop", "waits/posted/awaitable_loop/", "floor"},
        {"wheel", "wheel/waits/posted/", "floor"},
        {"wheel-pool", "wheel/waits/posted/pool/", "floor"}};
    std::vector<errand> errands{s.own("floor", "Ap", operations)};
    for (auto const& each : posted) errands.push_back(s.own(each.contender, "Ap", operations));
    auto const found = run_in_rounds(errands, s.settings().rounds(5));
    s.add("waits/posted/floor/ns_per_attempt", found.at("floor").ns_per_attempt(), "ns");
    for (auto const& each : posted) add_rows(s, found, each);
}

// What a further retry allocates: the difference between operations that fail five times and three times.
void add_further_attempts(session& s)
{
    constexpr std::size_t operations = 1'000;
    std::vector<errand> errands;
    for (auto const* const contender : {"retry", "floor"}) {
        for (auto const* const failures : {"3", "5"}) {
            errands.push_back(s.own(contender, "A", operations, {"--failures", failures}));
            errands.back().contender += failures;
        }
    }
    auto const found = run_in_rounds(errands, 3);
    auto const further = [&](std::string const& contender) {
        return (found.at(contender + "5").allocations - found.at(contender + "3").allocations) / (2 * operations);
    };
    s.add("further_attempts/allocations", further("retry"), "", {"floor", further("floor")});
}

}  // namespace

void waits_section(session& s)
{
    std::size_t const operations = 100'000;
    std::vector<errand> errands;
    for (auto const* const contender : {"floor", "retry", "wheel", "awaitable-loop"})
        errands.push_back(s.own(contender, "A", operations));
    // What throws takes longest, and is farthest from what it is compared with.
    if (!s.settings().quick) {
        errands.push_back(s.own("throwing-loop", "A", operations));
        errands.back().rounds = 3;
    }
    for (auto const& each : variants) {
        bool const throws = std::string(each.contender).ends_with("-coroutine");
        if (throws && s.settings().quick) continue;
        errands.push_back(s.own(each.contender, "A", operations));
        errands.back().may_fail = std::string(each.contender) == "co-composed";
        if (s.settings().quick) errands.back().rounds = 1;
        if (throws) errands.back().rounds = 3;
    }
    auto const found = run_in_rounds(errands, s.settings().rounds(9));
    s.add("waits/floor/ns_per_attempt", found.at("floor").ns_per_attempt(), "ns");
    auto const loop = found.at("awaitable-loop").ns_per_attempt();
    s.add("waits/awaitable_loop/ns_per_attempt", loop, "ns", {"floor", found.at("floor").ns_per_attempt()});
    add_main_rows(s, found, "retry", "waits/");
    add_main_rows(s, found, "wheel", "wheel/waits/");
    for (auto const& each : variants) {
        if (found.contains(each.contender)) add_rows(s, found, each);
    }
    add_posted_attempts(s, operations);
    add_further_attempts(s);
}

}  // namespace bench
