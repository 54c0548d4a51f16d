//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_UNIT_HTTP_PEER_CALLS_HPP
#define BACKBEAT_TEST_UNIT_HTTP_PEER_CALLS_HPP

#include <cstddef>

// The program with the tests of peers has its own `getaddrinfo` and `recv`, which stand before those of the C library:
// names under "loopback.test" are 127.0.0.1, and what is received is counted.
namespace backbeat::test {

// The bytes that this thread has received, apart from those that it only looked at.
[[nodiscard]] std::size_t bytes_received() noexcept;

}  // namespace backbeat::test

#endif
