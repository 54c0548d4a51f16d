//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_MEDIAN_HPP
#define BACKBEAT_TEST_BENCH_MEDIAN_HPP

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace bench {

// Of none: not a number.
[[nodiscard]] inline double median(std::vector<double> values)
{
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 != 0) return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace bench

#endif
