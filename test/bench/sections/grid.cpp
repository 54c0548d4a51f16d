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

void grid_section(session& s)
{
    for (std::size_t const operations : {1'000, 10'000, 100'000}) {
        std::vector<errand> errands;
        for (auto const* const contender : {"floor", "retry", "retry-grid", "wheel"})
            errands.push_back(s.own(contender, "A16", operations));
        auto const found = run_in_rounds(errands, s.settings().rounds(9));
        auto const floor = found.at("floor").ns_per_attempt();
        auto const prefix = "grid/" + std::to_string(operations) + "/";
        s.add(prefix + "floor_exact/ns_per_attempt", floor, "ns");
        s.add(prefix + "exact/ns_per_attempt", found.at("retry").ns_per_attempt(), "ns", {"floor, exact", floor});
        s.add(prefix + "ns_per_attempt", found.at("retry-grid").ns_per_attempt(), "ns", {"floor, exact", floor});
        s.add(prefix + "wheel/ns_per_attempt", found.at("wheel").ns_per_attempt(), "ns", {"floor, exact", floor});
    }
}

}  // namespace bench
