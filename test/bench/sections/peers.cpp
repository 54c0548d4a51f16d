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

// Peers and ours in the same rounds.
outcomes run_with_peers(
    session& s,
    std::vector<std::string> const& ours,
    std::string const& scenario,
    std::size_t operations,
    int rounds,
    std::vector<std::string> const& more = {})
{
    auto errands = s.peers(scenario, operations, more);
    if (errands.empty()) return {};
    for (auto const& contender : ours) errands.push_back(s.own(contender, scenario, operations, more));
    return run_in_rounds(errands, s.settings().rounds(rounds));
}

template <class Figure>
void add_rows(session& s, outcomes const& found, std::string const& figure, std::string const& unit, Figure of)
{
    auto const ours = found.find("retry");
    if (ours == found.end()) return;
    for (auto const& [contender, result] : found)
        if (of(result) >= 0) s.add("peers/" + contender + "/" + figure, of(result), unit, {"retry", of(ours->second)});
}

}  // namespace

void peers_section(session& s)
{
    std::size_t const operations = s.settings().quick ? 10'000 : 100'000;
    std::vector<std::string> const ours{"floor", "retry", "wheel", "awaitable-loop"};
    add_rows(s, run_with_peers(s, ours, "A", operations, 3), "ns_per_attempt", "ns", [](outcome const& o) {
        return o.ns_per_attempt();
    });
    // Some need seconds to start as many. Memory is the same each time.
    std::string const wait = s.settings().quick ? "1000" : "4000";
    auto const suspended = run_with_peers(s, ours, "B", operations, 1, {"--wait", wait});
    add_rows(s, suspended, "suspended_bytes", "B", [](outcome const& o) { return o.resident < 0 ? -1 : o.bytes(); });
    auto const calls = run_with_peers(s, {"bare", "retry", "awaitable-loop"}, "C", operations, 3);
    add_rows(s, calls, "call_ns", "ns", [](outcome const& o) { return o.ns_per_operation(); });
}

}  // namespace bench
