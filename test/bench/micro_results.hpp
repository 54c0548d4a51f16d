//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_MICRO_RESULTS_HPP
#define BACKBEAT_TEST_BENCH_MICRO_RESULTS_HPP

#include "session.hpp"

#include <map>
#include <string>

namespace bench {

// The medians of a benchmark's repetitions by what Google Benchmark calls them: "cpu_time", "real_time" and its counters.
using micro_result = std::map<std::string, double>;

// Runs the benchmarks of the program with Google Benchmark whose names match, in turns. Empty where there is no such
// program, with a sentence.
[[nodiscard]] std::map<std::string, micro_result> run_micro(session&, std::string const& filter, int repetitions);

}  // namespace bench

#endif
