//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_HTTP_COMPARE_HPP
#define BACKBEAT_TEST_BENCH_HTTP_COMPARE_HPP

#include "contender.hpp"
#include "measure.hpp"

#include <string>
#include <vector>

namespace bench {

// All contenders that there are, in turns, and rows with the medians of their rounds. If the target refuses requests,
// it is the client's `async_send` that is compared with the others, else `async_request`, and `async_send` is one of
// these.
void compare(
    std::vector<row>& rows,
    http_target const& target,
    http_effort const& effort,
    std::string const& prefix,
    bool refuses = false);

}  // namespace bench

#endif
