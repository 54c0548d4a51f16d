//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "sections.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

namespace {

constexpr double mebibyte = 1024 * 1024;

// The bytes of one that waits without what the caller gave it to keep.
double apart(outcome const& o)
{
    return o.bytes() - o.given;
}

void add_rows(
    session& s, outcomes const& found, outcomes const& asked, std::string const& contender, std::string const& prefix)
{
    auto const one = found.find(contender);
    if (one == found.end()) return;
    auto const& floor = found.at("floor");
    s.add(prefix + "bytes", one->second.bytes(), "B", {"floor", floor.bytes()});
    s.add(prefix + "bytes_apart", apart(one->second), "B", {"floor", apart(floor)});
    if (auto const exact = asked.find(contender); exact != asked.end())
        s.add(prefix + "asked_bytes", exact->second.asked_bytes(), "B", {"floor", asked.at("floor").asked_bytes()});
    s.add(
        prefix + "start_ns",
        one->second.start_processor_ns / one->second.operations,
        "ns",
        {"floor", floor.start_processor_ns / floor.operations});
    s.add(prefix + "ns", one->second.ns_per_operation(), "ns", {"floor", floor.ns_per_operation()});
}

void add_ratio(session& s, outcomes const& found, std::string const& contender, std::string const& prefix)
{
    s.add(
        prefix + "ratio_to_floor", apart(found.at(contender)) / apart(found.at("floor")), "ratio", {"floor, apart", 1});
}

// What is compared with, and ours: the rest says what a feature adds, and is left out of a quick run.
constexpr std::string_view main_contenders[] = {
    "floor", "retry", "retry-pool", "awaitable-loop", "wheel", "wheel-pool", "wheel-slot"};

bool is_main(std::string_view contender)
{
    return std::find(std::begin(main_contenders), std::end(main_contenders), contender) != std::end(main_contenders);
}

struct suspended_variant {
    char const* contender;
    char const* name;
    std::size_t operations = 100'000;
    bool may_fail = false;
};

constexpr suspended_variant suspended_variants[] = {
    {"retry", "suspended/"},
    {"retry-pool", "suspended/pool/"},
    {"retry-by-value", "suspended/by_value/"},
    {"retry-any", "suspended/any_executor/"},
    {"retry-slot", "suspended/slot/"},
    {"floor-slot", "suspended/floor_slot/"},
    {"retry-limits", "suspended/limits/"},
    {"retry-awaited", "suspended/awaited/"},
    {"retry-coroutine", "suspended/coroutine/"},
    {"awaitable-loop", "suspended/awaitable_loop/"},
    {"co-composed", "suspended/co_composed/", 100'000, true},
    // What needs a stack for each is asked for fewer.
    {"spawn", "suspended/spawn/", 10'000, true},
    {"thread", "suspended/thread/", 5'000, true},
    {"wheel", "wheel/suspended/"},
    {"wheel-pool", "wheel/suspended/pool/"},
    {"wheel-slot", "wheel/suspended/slot/"},
    {"wheel-limits", "wheel/suspended/limits/"},
    {"wheel-awaited", "wheel/suspended/awaited/"}};

void hundred_thousand(session& s)
{
    std::vector<errand> errands{s.own("floor", "B", 100'000, {"--wait", "2000"})};
    std::vector<errand> exact{s.own("floor", "B", 10'000, {"--wait", "1000", "--asked"})};
    for (auto const& each : suspended_variants) {
        std::string_view const contender = each.contender;
        if (s.settings().quick && !is_main(contender)) continue;
        errands.push_back(s.own(each.contender, "B", each.operations, {"--wait", "2000"}));
        errands.back().may_fail = each.may_fail;
        // Memory is the same each time.
        if (!is_main(contender)) errands.back().rounds = 1;
        // Pools and stacks are not asked for block by block.
        if (contender.ends_with("-pool") || each.operations < 100'000) continue;
        exact.push_back(s.own(each.contender, "B", 10'000, {"--wait", "1000", "--asked"}));
        exact.back().may_fail = each.may_fail;
    }
    auto const found = run_in_rounds(errands, s.settings().quick ? 1 : 2);
    auto const asked = run_in_rounds(exact, 1);
    for (auto const& each : suspended_variants) add_rows(s, found, asked, each.contender, each.name);
    add_ratio(s, found, "retry", "suspended/");
    add_ratio(s, found, "retry-pool", "suspended/pool/");
    add_ratio(s, found, "wheel", "wheel/suspended/");
    s.add("wheel/suspended/slot/bytes_added", found.at("wheel-slot").bytes() - found.at("wheel").bytes(), "B");
}

void a_million(session& s)
{
    constexpr std::size_t operations = 1'000'000;
    std::vector<errand> errands;
    for (auto const* const contender : {"floor", "retry", "retry-pool", "awaitable-loop", "wheel", "wheel-pool"}) {
        errands.push_back(s.own(contender, "B", operations, {"--wait", "5000"}));
        // On a slow machine it has not started all before the first wait ends.
        errands.back().may_fail = std::string_view(contender) == "awaitable-loop";
    }
    auto const found = run_in_rounds(errands, 1);
    std::string const name = "suspended_1000000/";
    add_rows(s, found, {}, "retry", name);
    add_ratio(s, found, "retry", name);
    add_rows(s, found, {}, "retry-pool", name + "pool/");
    add_ratio(s, found, "retry-pool", name + "pool/");
    add_rows(s, found, {}, "awaitable-loop", name + "awaitable_loop/");
    add_rows(s, found, {}, "wheel", "wheel/" + name);
    add_ratio(s, found, "wheel", "wheel/" + name);
    s.add(
        "wheel/" + name + "resident",
        found.at("wheel").resident / mebibyte,
        "MiB",
        {"floor", found.at("floor").resident / mebibyte});
    add_rows(s, found, {}, "wheel-pool", "wheel/" + name + "pool/");
}

}  // namespace

void suspended_section(session& s)
{
    hundred_thousand(s);
    if (!s.settings().quick) a_million(s);
}

}  // namespace bench
