//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_ROW_HPP
#define BACKBEAT_TEST_BENCH_ROW_HPP

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

struct row {
    std::string name;
    double value = 0;
    std::string unit;
    std::string baseline;  // of the same run; empty: there is none
    double ratio = 0;  // to the baseline
};

void print_heading(std::string const& section);

// From the one with this index on, each beside what is to be reached, if that is known.
void print_rows(std::vector<row> const& rows, std::size_t from);

void write_json(std::vector<row> const& rows, std::string const& path);

}  // namespace bench

#endif
