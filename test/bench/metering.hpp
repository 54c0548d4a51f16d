//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_METERING_HPP
#define BACKBEAT_TEST_BENCH_METERING_HPP

#include <cstddef>
#include <cstdint>

// What this process used so far.
namespace bench {

// The number of blocks that were allocated, by whatever function: Asio uses `aligned_alloc`, which a replaced
// `operator new` does not see. Those of other threads are counted once they called `leave_thread`.
[[nodiscard]] std::uint64_t allocations() noexcept;

// To be called by a thread when its work is done, if its allocations are to be counted.
void leave_thread() noexcept;

// From here on, every block is remembered with the size that was asked for. That is slow and takes memory.
void watch_asked_bytes();

// The sum of the sizes that were asked for, of the blocks that were allocated since then and are not freed.
[[nodiscard]] std::uint64_t asked_bytes() noexcept;

// User and system time, in nanoseconds.
[[nodiscard]] double processor_time() noexcept;

// Of the monotonic clock, in nanoseconds.
[[nodiscard]] double wall_time() noexcept;

// Bytes of memory that are resident.
[[nodiscard]] std::int64_t resident_bytes();

}  // namespace bench

#endif
