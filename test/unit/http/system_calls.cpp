//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "system_calls.hpp"

#include <dlfcn.h>
#include <netdb.h>
#include <sys/socket.h>

#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <string_view>

namespace backbeat::test {

namespace {

std::mutex resolver_mutex;
std::condition_variable resolver_released;
bool resolver_held = false;
int lookups_held = 0;

thread_local int next_error = 0;
thread_local std::size_t sent = 0;
thread_local int connections = 0;

template <class Function>
Function* original(char const* name)
{
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

bool refuse()
{
    if (next_error == 0) return false;
    errno = next_error;
    next_error = 0;
    return true;
}

ssize_t count(ssize_t result)
{
    if (result > 0) sent += static_cast<std::size_t>(result);
    return result;
}

}  // namespace

void hold_resolver()
{
    std::lock_guard const lock(resolver_mutex);
    resolver_held = true;
    lookups_held = 0;
}

void release_resolver()
{
    std::lock_guard const lock(resolver_mutex);
    resolver_held = false;
    resolver_released.notify_all();
}

int held_lookups()
{
    std::lock_guard const lock(resolver_mutex);
    return lookups_held;
}

void fail_next_send(int error)
{
    next_error = error;
}

int connections_begun()
{
    return connections;
}

std::size_t bytes_sent()
{
    return sent;
}

}  // namespace backbeat::test

using namespace backbeat::test;

extern "C" int getaddrinfo(char const* node, char const* service, addrinfo const* hints, addrinfo** result)
{
    static auto* const real = original<decltype(getaddrinfo)>("getaddrinfo");
    std::string_view const name = node != nullptr ? node : "";
    if (name == "missing.test") return EAI_NONAME;
    if (name == "busy.test") return EAI_AGAIN;
    if (name == "hang.test") {
        std::unique_lock lock(resolver_mutex);
        ++lookups_held;
        resolver_released.wait(lock, [] { return !resolver_held; });
        return real("127.0.0.1", service, hints, result);
    }
    if (name != "two.test") return real(node, service, hints, result);
    auto const error = real("127.0.0.2", service, hints, result);
    if (error != 0) return error;
    return real("127.0.0.1", service, hints, &(*result)->ai_next);
}

extern "C" int connect(int descriptor, sockaddr const* address, socklen_t size)
{
    static auto* const real = original<decltype(connect)>("connect");
    ++connections;
    return real(descriptor, address, size);
}

extern "C" ssize_t send(int descriptor, void const* data, size_t size, int flags)
{
    static auto* const real = original<decltype(send)>("send");
    return refuse() ? -1 : count(real(descriptor, data, size, flags));
}

extern "C" ssize_t sendmsg(int descriptor, msghdr const* message, int flags)
{
    static auto* const real = original<decltype(sendmsg)>("sendmsg");
    return refuse() ? -1 : count(real(descriptor, message, flags));
}
