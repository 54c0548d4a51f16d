//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "targets.hpp"

namespace bench {

namespace {

constexpr auto value = target::of::value;
constexpr auto ratio = target::of::ratio;
constexpr auto at_most = target::kind::at_most;
constexpr auto at_least = target::kind::at_least;

constexpr target targets[] = {
    {"happy/ns", value, at_most, 1},
    {"happy/allocations", value, at_most, 0},
    {"happy/inline_ns", value, at_most, 5},
    {"happy/inline_allocations", value, at_most, 0},
    {"wheel/happy/ns", value, at_most, 1},
    {"wheel/happy/allocations", value, at_most, 0},
    {"waits/ratio_to_floor", value, at_most, 1.15},
    {"waits/ratio_to_awaitable_loop", value, at_most, 0.45},
    {"waits/pool/ns_per_attempt", ratio, at_most, 1.10},
    {"waits/pool/allocations_per_attempt", value, at_most, 0},
    {"waits/slot/ns_per_attempt", ratio, at_most, 1.30},
    {"waits/allocations_per_operation", value, at_most, 1},
    {"further_attempts/allocations", value, at_most, 0},
    {"scale/10000/ns_per_attempt", ratio, at_most, 1.05},
    {"grid/1000/ns_per_attempt", ratio, at_most, 0.15},
    {"suspended/ratio_to_floor", value, at_most, 1.25},
    {"suspended/pool/ratio_to_floor", value, at_most, 1.15},
    {"suspended_1000000/ratio_to_floor", value, at_most, 1.25},
    {"suspended_1000000/pool/ratio_to_floor", value, at_most, 1.15},
    {"wheel/waits/ratio_to_floor", value, at_most, 0.20},
    {"wheel/suspended/bytes_apart", value, at_most, 128},
    {"wheel/suspended_1000000/bytes_apart", value, at_most, 128},
    {"wheel/suspended/slot/bytes_added", value, at_most, 96},
    {"wheel/suspended_1000000/resident", value, at_most, 160},
    {"cancel/ns", value, at_most, 150},
    {"wheel/cancel/ns", value, at_most, 150},
    {"budget/ns", value, at_most, 20},
    {"http/requests_per_cpu_second", ratio, at_least, 0.97},
    {"http/cpu_ratio_to_curl", value, at_most, 1}};

}  // namespace

bool target::reached_by(row const& r) const noexcept
{
    // What happens once a process, such as the growth of a vector, is not what a limit is about.
    constexpr double once = 0.0005;
    auto const measured = what == of::value ? r.value : r.ratio;
    return how == kind::at_most ? measured <= limit + once : measured >= limit;
}

target const* find_target(row const& r) noexcept
{
    for (auto const& each : targets)
        if (r.name == each.name) return &each;
    return nullptr;
}

}  // namespace bench
