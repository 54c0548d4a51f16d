//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_TESTED_TIMERS_HPP
#define BACKBEAT_TEST_TESTED_TIMERS_HPP

#include <backbeat/timers.hpp>

#include <cstdlib>
#include <string_view>

namespace backbeat::test {

// What wakes the operations under test up. The tests of `async_retry` run with each kind.
[[nodiscard]] inline timers read_tested_timers()
{
    char const* const name = std::getenv("BACKBEAT_TEST_TIMERS");
    return name != nullptr && std::string_view(name) == "wheel" ? timers::wheel : timers::asio;
}

inline timers const tested_timers = read_tested_timers();

}  // namespace backbeat::test

#endif
