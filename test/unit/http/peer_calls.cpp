//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "peer_calls.hpp"

#include <dlfcn.h>
#include <netdb.h>
#include <sys/socket.h>

#include <string_view>

namespace backbeat::test {

namespace {

thread_local std::size_t received = 0;

template <class Function>
Function* original(char const* name)
{
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

ssize_t count(ssize_t result, int flags)
{
    if (result > 0 && (flags & MSG_PEEK) == 0) received += static_cast<std::size_t>(result);
    return result;
}

}  // namespace

std::size_t bytes_received() noexcept
{
    return received;
}

}  // namespace backbeat::test

using namespace backbeat::test;

extern "C" int getaddrinfo(char const* node, char const* service, addrinfo const* hints, addrinfo** result)
{
    static auto* const real = original<decltype(getaddrinfo)>("getaddrinfo");
    constexpr std::string_view zone = "loopback.test";
    std::string_view const name = node != nullptr ? node : "";
    auto const is_ours = name.size() >= zone.size() && name.substr(name.size() - zone.size()) == zone;
    return real(is_ours ? "127.0.0.1" : node, service, hints, result);
}

// Asio takes the one or the other, as its version has it.
extern "C" ssize_t recv(int descriptor, void* data, size_t size, int flags)
{
    static auto* const real = original<decltype(recv)>("recv");
    return count(real(descriptor, data, size, flags), flags);
}

extern "C" ssize_t recvmsg(int descriptor, msghdr* message, int flags)
{
    static auto* const real = original<decltype(recvmsg)>("recvmsg");
    return count(real(descriptor, message, flags), flags);
}
