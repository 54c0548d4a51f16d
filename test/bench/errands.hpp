//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_ERRANDS_HPP
#define BACKBEAT_TEST_BENCH_ERRANDS_HPP

#include <limits>
#include <map>
#include <string>
#include <vector>

namespace bench {

// A run of a contender program.
struct errand {
    std::string contender;
    std::vector<std::string> command;

    // It takes part in so many rounds only.
    int rounds = (std::numeric_limits<int>::max)();

    // What is not ours may be missing or unable.
    bool may_fail = false;
};

// What a contender program answered; of several runs, the medians. Negative: it cannot say.
struct outcome {
    double operations = 0;
    double attempts = 0;
    double processor_ns = 0;
    double wall_ns = 0;
    double start_processor_ns = -1;
    double allocations = -1;
    double resident = -1;
    double asked = -1;
    double given = 0;

    [[nodiscard]] double ns_per_attempt() const noexcept { return processor_ns / attempts; }
    [[nodiscard]] double ns_per_operation() const noexcept { return processor_ns / operations; }
    [[nodiscard]] double allocations_per_attempt() const noexcept { return allocations / attempts; }
    [[nodiscard]] double allocations_per_operation() const noexcept { return allocations / operations; }
    [[nodiscard]] double bytes() const noexcept { return resident / operations; }
    [[nodiscard]] double asked_bytes() const noexcept { return asked / operations; }
};

using outcomes = std::map<std::string, outcome>;

// Runs all once a round, in another order in each. An errand that may fail and does is left out, with a sentence.
// Throws if another fails.
[[nodiscard]] outcomes run_in_rounds(std::vector<errand> const& errands, int rounds);

}  // namespace bench

#endif
