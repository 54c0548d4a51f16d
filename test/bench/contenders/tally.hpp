//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_CONTENDERS_TALLY_HPP
#define BACKBEAT_TEST_BENCH_CONTENDERS_TALLY_HPP

#include "task.hpp"

#include <cstdint>

namespace bench {

// What happened on this thread.
struct tally {
    std::uint64_t attempts = 0;
    std::uint64_t right = 0;
    std::uint64_t wrong = 0;
};

inline thread_local constinit tally my_tally{};

// To be called by a thread when its work is done.
void hand_in_tally() noexcept;

// Returns what was handed in and what is this thread's, and sets both to zero.
[[nodiscard]] tally take_tally() noexcept;

// Throws unless each operation ended right, after as many attempts as it needs. An operation does not succeed before
// its failures are used up, so the sum says it of each.
void check_tally(tally const&, task const&);

}  // namespace bench

#endif
