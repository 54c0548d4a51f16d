//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_SETTINGS_HPP
#define BACKBEAT_TEST_BENCH_SETTINGS_HPP

#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

// Wrong usage.
class settings_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct settings {
    std::string json_file;

    // Where the contender program and the one with Google Benchmark are.
    std::string programs;

    // Where NAME.command files name the programs of peers.
    std::string peers;

    // Only what has rows whose names begin so.
    std::string only;

    bool quick = false;
    bool instructions = false;

    [[nodiscard]] int rounds(int of_full_run) const noexcept { return quick ? (of_full_run + 2) / 3 : of_full_run; }
};

// Of `FILE.json [--quick] [--instructions] [--only PREFIX]`.
[[nodiscard]] settings parse_settings(std::string const& program, std::vector<std::string> const& words);

}  // namespace bench

#endif
