//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_UNIT_HTTP_SYSTEM_CALLS_HPP
#define BACKBEAT_TEST_UNIT_HTTP_SYSTEM_CALLS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>

// This test program has its own `getaddrinfo`, `connect`, `send` and so on, which stand before those of the C library,
// so that what a network does rarely can be had at will:
//
//     hang.test     the look-up does not return before `release_resolver()`
//     missing.test  does not exist
//     busy.test     the name server does not answer
//     two.test      127.0.0.2, where nobody listens, and 127.0.0.1
//     twice.test    127.0.0.1, and once more 127.0.0.1
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

// The sockets that this thread opens from now on take little at a time.
void use_small_send_buffers(bool small);

// What a client calls on its way, in sets.
enum class system_call : std::uint16_t {
    look_up = 1 << 0,  // getaddrinfo, by whatever thread
    open = 1 << 1,  // socket
    watch = 1 << 2,  // epoll_ctl, to add a descriptor
    block = 1 << 3,  // ioctl, to make a descriptor non-blocking
    option = 1 << 4,  // setsockopt
    connect = 1 << 5,
    poll = 1 << 6,
    connected = 1 << 7,  // getsockopt, for the end of a connect that took its time
    send = 1 << 8,  // and sendmsg
    receive = 1 << 9,  // recv and recvmsg
    peek = 1 << 10  // recv that leaves the bytes where they are
};

[[nodiscard]] constexpr system_call operator|(system_call one, system_call other) noexcept
{
    return static_cast<system_call>(static_cast<unsigned>(one) | static_cast<unsigned>(other));
}

[[nodiscard]] constexpr bool includes(system_call set, system_call one) noexcept
{
    return (static_cast<unsigned>(set) & static_cast<unsigned>(one)) != 0;
}

// How a call fails.
enum class failing : std::uint8_t {
    at_once,  // with the error, and nothing was done
    broken,  // likewise, and the connection is down from now on, which the other end sees
    closed,  // it says that the other end closed the connection, which is down
    one_byte,  // does not fail, but sends or receives no more than a byte
    one_byte_then_broken  // likewise, and the next of that socket finds the connection down
};

struct fault {
    failing how = failing::at_once;
    int error = 0;  // of a look-up: EAI_...
    system_call at{};
    bool lasting = false;  // strikes all from the first that it strikes
};

// The first call that a fault struck, and what this thread had done by then, since the fault was planted.
struct strike {
    system_call at{};
    int opened = 0;  // sockets
    int begun = 0;  // connections
    std::size_t sent = 0;  // bytes, those of this call included
    std::size_t received = 0;
};

// Strikes this thread's calls of the fault's set, after this many that are spared. Replaces the one before.
void plant(fault const& planted, int spared);

// No fault from now on. Returns what the last one struck.
std::optional<strike> uproot();

}  // namespace backbeat::test

#endif
