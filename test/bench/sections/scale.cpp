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

void scale_section(session& s)
{
    for (std::size_t const operations : {1'000, 10'000, 100'000, 1'000'000}) {
        if (s.settings().quick && operations > 100'000) continue;
        std::vector<errand> errands;
        for (auto const* const contender : {"floor", "retry", "retry-pool", "wheel"})
            errands.push_back(s.own(contender, "A", operations));
        auto const found = run_in_rounds(errands, s.settings().rounds(operations < 1'000'000 ? 9 : 3));
        auto const floor = found.at("floor").ns_per_attempt();
        auto const prefix = "scale/" + std::to_string(operations) + "/";
        s.add(prefix + "floor/ns_per_attempt", floor, "ns");
        s.add(prefix + "ns_per_attempt", found.at("retry").ns_per_attempt(), "ns", {"floor", floor});
        s.add(prefix + "pool/ns_per_attempt", found.at("retry-pool").ns_per_attempt(), "ns", {"floor", floor});
        s.add(prefix + "wheel/ns_per_attempt", found.at("wheel").ns_per_attempt(), "ns", {"floor", floor});
    }
}

}  // namespace bench
