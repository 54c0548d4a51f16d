//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_UNIT_HTTP_SYSTEM_CALLS_HPP
#define BACKBEAT_TEST_UNIT_HTTP_SYSTEM_CALLS_HPP

#include <atomic>
#include <cstddef>

// This test program has its own `getaddrinfo`, `connect` and `send`, which stand before those of the C library, so that
// what a network does rarely can be had at will:
//
//     hang.test     the look-up does not return before `release_resolver()`
//     missing.test  does not exist
//     busy.test     the name server does not answer
//     two.test      127.0.0.2, where nobody listens, and 127.0.0.1
namespace backbeat::test {

// Makes the look-ups of hang.test hang, and counts those that do.
void hold_resolver();
void release_resolver();
[[nodiscard]] int held_lookups();

// The next call of `send` by this thread fails with this error (zero: no longer).
void fail_next_send(int error);

// The connections that this thread has begun.
[[nodiscard]] int connections_begun();

// The bytes that this thread has sent.
[[nodiscard]] std::size_t bytes_sent();

}  // namespace backbeat::test

#endif
