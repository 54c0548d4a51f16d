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

namespace {

struct setting {
    char const* name;
    std::vector<std::string> arguments;
};

}  // namespace

void threads_section(session& s)
{
    constexpr std::size_t operations = 100'000;
    setting const ways[] = {{"one", {}}, {"shared", {"--threads", "2"}}, {"shards", {"--threads", "2", "--shards"}}};
    std::vector<errand> errands;
    for (auto const* const contender : {"floor", "retry", "retry-budget", "wheel"}) {
        for (auto const& way : ways) {
            errands.push_back(s.own(contender, "A", operations, way.arguments));
            errands.back().contender += std::string("/") + way.name;
        }
    }
    auto const found = run_in_rounds(errands, s.settings().rounds(5));
    auto const wall_ms = [&](std::string const& contender, std::string const& way) {
        return found.at(contender + "/" + way).wall_ns / 1e6;
    };
    auto const cost = [&](std::string const& contender, std::string const& way) {
        return found.at(contender + "/" + way).ns_per_attempt();
    };
    for (auto const* const contender : {"floor", "retry", "retry-budget", "wheel"}) {
        std::string const prefix = std::string("threads/") + contender + "/";
        auto const one = "1 thread";
        s.add(prefix + "one/wall", wall_ms(contender, "one"), "ms", {"floor", wall_ms("floor", "one")});
        s.add(prefix + "shared/wall", wall_ms(contender, "shared"), "ms", {one, wall_ms(contender, "one")});
        s.add(prefix + "shards/wall", wall_ms(contender, "shards"), "ms", {one, wall_ms(contender, "one")});
        s.add(prefix + "shared/ns_per_attempt", cost(contender, "shared"), "ns", {one, cost(contender, "one")});
        s.add(prefix + "shards/ns_per_attempt", cost(contender, "shards"), "ns", {one, cost(contender, "one")});
    }
    s.add(
        "threads/budget_added/ns_per_attempt",
        cost("retry-budget", "shards") - cost("retry", "shards"),
        "ns",
        {"1 thread", cost("retry-budget", "one") - cost("retry", "one")});
}

}  // namespace bench
