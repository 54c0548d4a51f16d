//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_DEMO_ACCOUNT_HPP
#define BACKBEAT_SRC_CLI_DEMO_ACCOUNT_HPP

#include "request.hpp"
#include "tally.hpp"

#include <backbeat/emulator_log.hpp>
#include <backbeat/fault_rule.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace backbeat::cli::demo {

// What the clients say happened, held against what the server says. The two count independently of each other.
struct account {
    // Requests that the server has read: all, by the status of the answer, and those whose answer it lost on purpose.
    std::uint64_t seen = 0;
    std::map<int, std::uint64_t> answered;
    std::uint64_t lost_on_purpose = 0;

    // Requests that ended as they should: once, with a result or a reason.
    std::uint64_t accounted = 0;

    // Sentences on what does not fit together. Empty: every attempt is explained.
    std::vector<std::string> problems;
};

// `fired` is how often each of the faults was applied; of those that refuse connections the log of requests says nothing.
[[nodiscard]] account settle(
    std::vector<request> const& requests,
    tally const& counts,
    std::vector<fault_rule> const& faults,
    std::vector<std::uint64_t> const& fired,
    std::vector<emulator_request> const& log);

}  // namespace backbeat::cli::demo

#endif
