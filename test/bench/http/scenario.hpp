//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_HTTP_SCENARIO_HPP
#define BACKBEAT_TEST_BENCH_HTTP_SCENARIO_HPP

#include "contender.hpp"
#include "measure.hpp"

#include <vector>

namespace bench {

// Requests to nginx on loopback: over TCP, all answered and one in ten refused, over TLS, and many that wait for their
// next attempt. Where nginx, libcurl or Node is missing, says so and leaves out what needs it.
void http_requests(std::vector<row>& rows, http_effort const& effort = {});

}  // namespace bench

#endif
