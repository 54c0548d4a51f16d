//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_HTTP_BACKOFF_MEMORY_HPP
#define BACKBEAT_TEST_BENCH_HTTP_BACKOFF_MEMORY_HPP

#include "contender.hpp"
#include "measure.hpp"

#include <string>
#include <vector>

namespace bench {

// What a request takes that waits for its next attempt: the memory of 10,000, and how many connections there are then.
// The target refuses all requests.
void requests_in_backoff(std::vector<row>& rows, http_target const& target, std::string const& prefix);

}  // namespace bench

#endif
