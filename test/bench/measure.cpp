//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "measure.hpp"

#include "median.hpp"

#include <cstddef>

namespace bench {

std::vector<sample> measure(std::vector<contender> const& contenders, double units, int rounds)
{
    std::vector<std::vector<double>> times(contenders.size());
    std::vector<std::vector<double>> wall_times(contenders.size());
    std::vector<std::vector<double>> counts(contenders.size());
    for (int round = -1; round != rounds; ++round) {
        for (std::size_t i = 0; i != contenders.size(); ++i) {
            auto const allocated = allocations();
            auto const started = wall_time();
            auto const begun = processor_time();
            contenders[i].run();
            auto const used = processor_time() - begun;
            auto const passed = wall_time() - started;
            if (round < 0) continue;
            times[i].push_back(used / units);
            wall_times[i].push_back(passed / units);
            counts[i].push_back(static_cast<double>(allocations() - allocated) / units);
        }
    }
    std::vector<sample> result;
    for (std::size_t i = 0; i != contenders.size(); ++i)
        result.push_back({median(times[i]), median(wall_times[i]), median(counts[i])});
    return result;
}

}  // namespace bench
