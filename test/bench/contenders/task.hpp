//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_CONTENDERS_TASK_HPP
#define BACKBEAT_TEST_BENCH_CONTENDERS_TASK_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace bench {

enum class scenario : std::uint8_t {
    throughput,  // A, A16 and MT: all operations at once
    capacity,  // B: all operations are suspended together
    calls,  // C: one call after the other
    cancellation  // E: as B, and then all are cancelled
};

// Where an attempt completes.
enum class completion : std::uint8_t {
    in_place,  // inside its initiation
    posted  // through the scheduler: scenarios whose names end in p
};

// The wait before retry n is `initial` * 2^n and up to `jitter` more, at most `cap`.
struct wait_law {
    std::chrono::nanoseconds initial{};
    std::chrono::nanoseconds jitter{};
    std::chrono::nanoseconds cap{};
};

struct task {
    bench::scenario scenario = scenario::throughput;
    bench::completion completion = completion::in_place;
    std::size_t operations = 0;
    std::uint32_t failures = 0;
    wait_law law;
    unsigned threads = 1;

    // Each thread has a context of its own; else all run the same one.
    bool shards = false;

    // Bytes asked of malloc are counted instead of those resident.
    bool asked = false;
};

struct measurement {
    std::uint64_t attempts = 0;
    double processor_ns = 0;
    double wall_ns = 0;

    // Until all were suspended.
    double start_processor_ns = 0;

    std::int64_t allocations = -1;
    std::int64_t resident = -1;
    std::int64_t asked = -1;

    // What one operation keeps of what the caller gave it: the handler, the operation, and the results of its attempts.
    std::size_t given = 0;
};

}  // namespace bench

#endif
