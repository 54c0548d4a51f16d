//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "sections.hpp"

#include <cstddef>
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

void hundred_thousand(session& s)
{
    constexpr std::size_t operations = 100'000;
    std::string const wait = s.settings().quick ? "2000" : "3000";
    std::vector<errand> errands;
    std::vector<errand> exact;
    for (auto const* const contender :
         {"floor",
          "floor-slot",
          "retry",
          "retry-by-value",
          "retry-pool",
          "retry-any",
          "retry-slot",
          "retry-limits",
          "retry-awaited",
          "retry-coroutine",
          "awaitable-loop",
          "wheel",
          "wheel-pool",
          "wheel-slot",
          "wheel-limits",
          "wheel-awaited",
          "co-composed"}) {
        errands.push_back(s.own(contender, "B", operations, {"--wait", wait}));
        errands.back().may_fail = std::string(contender) == "co-composed";
        // Pools have asked for everything beforehand.
        if (std::string_view(contender).ends_with("-pool")) continue;
        exact.push_back(s.own(contender, "B", 10'000, {"--wait", "2000", "--asked"}));
        exact.back().may_fail = errands.back().may_fail;
    }
    // What needs a stack for each is asked for fewer.
    errands.push_back(s.own("spawn", "B", 10'000, {"--wait", wait}));
    errands.back().may_fail = true;
    errands.push_back(s.own("thread", "B", 5'000, {"--wait", wait}));
    errands.back().may_fail = true;

    auto const found = run_in_rounds(errands, s.settings().quick ? 1 : 3);
    auto const asked = run_in_rounds(exact, 1);
    add_rows(s, found, asked, "retry", "suspended/");
    add_ratio(s, found, "retry", "suspended/");
    add_rows(s, found, asked, "retry-pool", "suspended/pool/");
    add_ratio(s, found, "retry-pool", "suspended/pool/");
    add_rows(s, found, asked, "retry-by-value", "suspended/by_value/");
    add_rows(s, found, asked, "retry-any", "suspended/any_executor/");
    add_rows(s, found, asked, "retry-slot", "suspended/slot/");
    add_rows(s, found, asked, "floor-slot", "suspended/floor_slot/");
    add_rows(s, found, asked, "retry-limits", "suspended/limits/");
    add_rows(s, found, asked, "retry-awaited", "suspended/awaited/");
    add_rows(s, found, asked, "retry-coroutine", "suspended/coroutine/");
    add_rows(s, found, asked, "awaitable-loop", "suspended/awaitable_loop/");
    add_rows(s, found, asked, "co-composed", "suspended/co_composed/");
    add_rows(s, found, asked, "spawn", "suspended/spawn/");
    add_rows(s, found, asked, "thread", "suspended/thread/");
    add_rows(s, found, asked, "wheel", "wheel/suspended/");
    add_ratio(s, found, "wheel", "wheel/suspended/");
    add_rows(s, found, asked, "wheel-pool", "wheel/suspended/pool/");
    add_rows(s, found, asked, "wheel-slot", "wheel/suspended/slot/");
    s.add("wheel/suspended/slot/bytes_added", found.at("wheel-slot").bytes() - found.at("wheel").bytes(), "B");
    add_rows(s, found, asked, "wheel-limits", "wheel/suspended/limits/");
    add_rows(s, found, asked, "wheel-awaited", "wheel/suspended/awaited/");
}

void a_million(session& s)
{
    constexpr std::size_t operations = 1'000'000;
    std::vector<errand> errands;
    for (auto const* const contender : {"floor", "retry", "retry-pool", "awaitable-loop", "wheel", "wheel-pool"})
        errands.push_back(s.own(contender, "B", operations, {"--wait", "6000"}));
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
