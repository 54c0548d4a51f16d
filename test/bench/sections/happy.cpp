//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "../micro_results.hpp"
#include "sections.hpp"

#include <string>

namespace bench {

namespace {

struct call_variant {
    char const* contender;
    char const* name;
    char const* baseline;

    // Whether one that completes inside its initiation is called, too. Those of others call their handler there.
    bool inline_too = true;
};

// `happy/ns` is that of the operation by reference: what is kept of the caller's is two pointers, as in the floor.
constexpr call_variant call_variants[] = {
    {"retry-ref", "happy/", "floor"},
    {"wheel-ref", "wheel/happy/", "floor"},
    {"retry", "happy/operation_by_value/", "floor"},
    {"retry-by-value", "happy/options_by_value/", "floor"},
    {"retry-pool", "happy/pool/", "floor"},
    {"retry-slot", "happy/slot/", "floor-slot"},
    {"retry-limits", "happy/limits/", "floor"},
    {"retry-report", "happy/report/", "floor"},
    {"retry-budget", "happy/budget/", "floor"},
    {"retry-any", "happy/any_executor/", "floor"},
    {"retry-awaited", "happy/awaited/", "awaitable-loop"},
    {"retry-coroutine", "happy/coroutine/", "throwing-loop"},
    {"co-composed", "happy/co_composed/", "floor", false},
    {"spawn", "happy/spawn/", "floor", false}};

}  // namespace

void happy_section(session& s)
{
    std::string wanted = "^call/(posted|inline)/(floor|floor-slot|awaitable-loop|throwing-loop";
    for (auto const& each : call_variants) wanted += std::string("|") + each.contender;
    auto const found = run_micro(s, wanted + ")/", s.settings().quick ? 1 : 5);
    if (found.empty()) return;
    auto const figure = [&](std::string const& how, std::string const& contender, char const* key) {
        return found.at("call/" + how + "/" + contender).at(key);
    };
    s.add("happy/bare_call", figure("posted", "retry-ref", "bare_ns"), "ns");
    for (auto const& each : call_variants) {
        if (!found.contains(std::string("call/posted/") + each.contender)) continue;
        std::string const name = each.name;
        s.add(
            name + "ns",
            figure("posted", each.contender, "over_bare_ns"),
            "ns more",
            {each.baseline, figure("posted", each.baseline, "over_bare_ns")});
        s.add(name + "allocations", figure("posted", each.contender, "allocations"), "");
        if (!each.inline_too) continue;
        // Also over the attempt that is posted: the handler is never called inside the initiation, so one post it must
        // be.
        s.add(name + "inline_ns", figure("inline", each.contender, "over_bare_ns"), "ns more");
        s.add(name + "inline_allocations", figure("inline", each.contender, "allocations"), "");
    }
}

}  // namespace bench
