//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_MEASURE_HPP
#define BACKBEAT_TEST_BENCH_MEASURE_HPP

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bench {

// The number of blocks that this process allocated so far, by whatever function: Asio uses `aligned_alloc`, which a
// replaced `operator new` does not see.
[[nodiscard]] std::uint64_t allocations() noexcept;

// The processor time that this process used so far, user and system, in nanoseconds.
[[nodiscard]] double processor_time() noexcept;

struct sample {
    double nanoseconds = 0;  // of the processor
    double wall_nanoseconds = 0;
    double allocations = 0;
};

struct contender {
    std::string name;
    std::function<void()> run;
};

// Runs all contenders once to warm up, and then in turns, `rounds` times each. Returns the medians, per unit of work.
[[nodiscard]] std::vector<sample> measure(std::vector<contender> const& contenders, double units, int rounds);

struct row {
    std::string name;
    double value = 0;
    std::string unit;
    std::string baseline;
    double ratio = 0;
};

void print(std::vector<row> const& rows);

void write_json(std::vector<row> const& rows, std::string const& path);

}  // namespace bench

#endif
