//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_CONTENDERS_ARGUMENTS_HPP
#define BACKBEAT_TEST_BENCH_CONTENDERS_ARGUMENTS_HPP

#include "task.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

// Wrong usage: the program ends with status 2.
class usage_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct contender_arguments {
    std::string contender;
    std::string scenario;
    bench::task task;
};

// Of `CONTENDER SCENARIO --operations N [--failures K] [--threads T] [--shards] [--wait MILLISECONDS] [--asked]`.
// SCENARIO is A, A16, B, C, Cp, E or MT. `--wait` is the first wait in B and E.
[[nodiscard]] contender_arguments parse_arguments(std::vector<std::string> const& words);

}  // namespace bench

#endif
