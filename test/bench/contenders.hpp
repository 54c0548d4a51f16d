//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_CONTENDERS_HPP
#define BACKBEAT_TEST_BENCH_CONTENDERS_HPP

#include <cstddef>

// Ways to do the same work: many operations on one thread, each of which fails `failures` times and then succeeds. An
// attempt goes once through the scheduler. Waits are 1, 2, 4, ... ms and up to 1 ms of jitter, at most 8 ms.
namespace bench {

struct work {
    std::size_t operations = 0;
    std::size_t failures = 0;

    // One after the other, instead of all at once.
    bool sequential = false;
};

// `async_retry` with a callback, on the io_context's own executor.
void run_retry(work);

// `async_retry` from a coroutine, with the default token.
void run_retry_awaited(work);

// The attempts without anything around them. `failures` must be zero.
void run_bare(work);

// The floor: a state machine of callbacks on `steady_timer`, written by hand for this very work, without abstraction,
// cancellation, limits or a report.
void run_floor(work);

// What users write today: a loop in an `awaitable` with a `steady_timer`.
void run_awaitable_loop(work);

}  // namespace bench

#endif
