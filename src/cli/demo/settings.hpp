//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_DEMO_SETTINGS_HPP
#define BACKBEAT_SRC_CLI_DEMO_SETTINGS_HPP

#include <backbeat/fault_rule.hpp>
#include <backbeat/retry_options.hpp>

#include <cstdint>
#include <vector>

namespace backbeat::cli::demo {

// 30 % of the requests: 503, 429 with a hint, reset connections, and delays.
[[nodiscard]] std::vector<fault_rule> default_faults();

// What a demonstration is made of.
struct settings {
    std::uint64_t requests = 1000;
    std::uint64_t concurrency = 200;
    std::uint64_t seed = 1;

    // Every time of the policy and of the faults is multiplied by it, so that the demonstration ends soon.
    double time_scale = 0.2;

    std::vector<fault_rule> faults = default_faults();
};

// The documented policy, scaled.
[[nodiscard]] retry_options scaled_policy(double scale);

// The rules with their delays scaled, and their hints too: those then come as `retry-after-ms`, which is finer.
[[nodiscard]] std::vector<fault_rule> scaled_faults(std::vector<fault_rule> rules, double scale);

}  // namespace backbeat::cli::demo

#endif
