//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_MICRO_REGISTRATIONS_HPP
#define BACKBEAT_TEST_BENCH_MICRO_REGISTRATIONS_HPP

namespace bench {

// call/posted/CONTENDER and call/inline/CONTENDER, with the counters `bare_ns`, `over_bare_ns` and `allocations`.
void register_calls();

}  // namespace bench

#endif
