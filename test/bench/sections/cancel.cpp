//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "sections.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

void cancel_section(session& s)
{
    constexpr std::size_t operations = 100'000;
    std::vector<errand> errands;
    for (auto const* const contender :
         {"floor-slot", "retry-slot", "wheel-slot", "awaitable-loop-slot", "co-composed-slot"}) {
        errands.push_back(s.own(contender, "E", operations));
        errands.back().may_fail = std::string(contender) == "co-composed-slot";
        if (std::string(contender) == "awaitable-loop-slot") errands.back().rounds = 1;
    }
    auto const found = run_in_rounds(errands, s.settings().rounds(7));
    auto const floor = found.at("floor-slot").ns_per_operation();
    s.add("cancel/floor/ns", floor, "ns");
    s.add("cancel/ns", found.at("retry-slot").ns_per_operation(), "ns", {"floor", floor});
    s.add("wheel/cancel/ns", found.at("wheel-slot").ns_per_operation(), "ns", {"floor", floor});
    s.add("cancel/awaitable_loop/ns", found.at("awaitable-loop-slot").ns_per_operation(), "ns", {"floor", floor});
    if (auto const composed = found.find("co-composed-slot"); composed != found.end())
        s.add("cancel/co_composed/ns", composed->second.ns_per_operation(), "ns", {"floor", floor});
}

}  // namespace bench
