//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_MEASURE_HPP
#define BACKBEAT_TEST_BENCH_MEASURE_HPP

#include "metering.hpp"
#include "row.hpp"

#include <functional>
#include <string>
#include <vector>

namespace bench {

struct sample {
    double nanoseconds = 0;  // of the processor
    double wall_nanoseconds = 0;
    double allocations = 0;
};

struct contender {
    std::string name;
    std::function<void()> run;
};

// In this process. Runs all contenders once to warm up, and then in turns, `rounds` times each. Returns the medians, per
// unit of work.
[[nodiscard]] std::vector<sample> measure(std::vector<contender> const& contenders, double units, int rounds);

}  // namespace bench

#endif
