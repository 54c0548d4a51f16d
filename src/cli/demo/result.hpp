//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_DEMO_RESULT_HPP
#define BACKBEAT_SRC_CLI_DEMO_RESULT_HPP

#include "account.hpp"
#include "request.hpp"
#include "settings.hpp"
#include "tally.hpp"

#include <backbeat/fault_rule.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace backbeat::cli::demo {

// How a demonstration went.
struct result {
    settings chosen;
    std::vector<fault_rule> faults;  // scaled
    std::vector<std::uint64_t> fired;
    std::vector<request> requests;
    tally counts;
    account settled;
    std::size_t most_connections = 0;
    std::size_t most_threads = 0;
    std::chrono::nanoseconds elapsed{};
};

// The request that says most: the one with the most attempts, of those the longest. Null: there is none.
[[nodiscard]] request const* most_eventful(result const& shown);

}  // namespace backbeat::cli::demo

#endif
