//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "system_calls.hpp"

#include <dlfcn.h>
#include <netdb.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdarg>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

// Where a sanitizer is linked statically, these are its own versions of the functions, which the ones below would
// otherwise hide: ThreadSanitizer would no longer see that who receives comes after who sent.
extern "C" {
[[gnu::weak]] decltype(connect) __interceptor_connect;
[[gnu::weak]] decltype(epoll_ctl) __interceptor_epoll_ctl;
[[gnu::weak]] decltype(getaddrinfo) __interceptor_getaddrinfo;
[[gnu::weak]] decltype(getsockopt) __interceptor_getsockopt;
[[gnu::weak]] decltype(ioctl) __interceptor_ioctl;
[[gnu::weak]] decltype(poll) __interceptor_poll;
[[gnu::weak]] decltype(recv) __interceptor_recv;
[[gnu::weak]] decltype(recvmsg) __interceptor_recvmsg;
[[gnu::weak]] decltype(send) __interceptor_send;
[[gnu::weak]] decltype(sendmsg) __interceptor_sendmsg;
[[gnu::weak]] decltype(setsockopt) __interceptor_setsockopt;
[[gnu::weak]] decltype(socket) __interceptor_socket;
}

namespace backbeat::test {

namespace {

std::mutex resolver_mutex;
std::condition_variable resolver_released;
bool resolver_held = false;
int lookups_held = 0;

// Look-ups are made on a thread of the resolver's.
fault of_look_ups;
int look_ups_spared = 0;
std::optional<strike> struck_look_up;

struct watched {
    int by = -1;
    epoll_event how{};
};

thread_local int next_error = 0;
thread_local std::size_t sent = 0;
thread_local int connections = 0;
thread_local bool small_send_buffers = false;

thread_local fault of_this_thread;
thread_local int spared_yet = 0;
thread_local strike done;
thread_local std::optional<strike> first_struck;
thread_local int doomed = -1;  // a descriptor, whose next call finds the connection down
thread_local std::map<int, watched> watched_descriptors;

template <class Function>
Function* original(Function* sanitizers, char const* name)
{
    return sanitizers != nullptr ? sanitizers : reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

bool strikes(system_call at)
{
    if (!includes(of_this_thread.at, at)) return false;
    if (spared_yet != 0) {
        --spared_yet;
        return false;
    }
    if (!first_struck) {
        first_struck = done;
        first_struck->at = at;
    }
    if (!of_this_thread.lasting) of_this_thread.at = {};
    return true;
}

int fail_with(int error)
{
    errno = error;
    return -1;
}

// The kernel tells once that a descriptor is ready, and again only after it said that it is not. It did not say so, but
// the caller believes it: so it is told again.
void tell_again(int descriptor)
{
    auto const found = watched_descriptors.find(descriptor);
    if (found == watched_descriptors.end()) return;
    auto how = found->second.how;
    ::epoll_ctl(found->second.by, EPOLL_CTL_MOD, descriptor, &how);
}

ssize_t count_sent(ssize_t result)
{
    if (result > 0) {
        sent += static_cast<std::size_t>(result);
        done.sent += static_cast<std::size_t>(result);
    }
    return result;
}

ssize_t count_received(ssize_t result)
{
    if (result > 0) done.received += static_cast<std::size_t>(result);
    return result;
}

constexpr auto all_bytes = static_cast<std::size_t>(-1);

// With a fault that cuts transfers short. One that transfers nothing is neither struck nor counted.
template <class Transfer>
ssize_t transfer_shortened(system_call at, int descriptor, Transfer transfer)
{
    auto const spared = spared_yet != 0;
    auto const result = transfer(spared ? all_bytes : 1);
    if (result <= 0) return result;
    strikes(at);
    if (spared) return result;
    tell_again(descriptor);
    if (of_this_thread.how == failing::one_byte_then_broken) doomed = descriptor;
    return result;
}

// `transfer` is told how many bytes at most.
template <class Transfer>
ssize_t transfer_or_fail(system_call at, int descriptor, Transfer transfer)
{
    if (descriptor == doomed) {
        doomed = -1;
        ::shutdown(descriptor, SHUT_RDWR);
        return fail_with(of_this_thread.error);
    }
    auto const shortens =
        of_this_thread.how == failing::one_byte || of_this_thread.how == failing::one_byte_then_broken;
    if (shortens && includes(of_this_thread.at, at)) return transfer_shortened(at, descriptor, transfer);
    if (!strikes(at)) return transfer(all_bytes);
    if (of_this_thread.how == failing::broken || of_this_thread.how == failing::closed)
        ::shutdown(descriptor, SHUT_RDWR);
    if (of_this_thread.how == failing::closed) return 0;
    if (of_this_thread.error == EAGAIN) tell_again(descriptor);
    return fail_with(of_this_thread.error);
}

// The first bytes of what a message holds.
class part_of_message {
public:
    part_of_message(msghdr const& whole, std::size_t limit) : header_(whole)
    {
        if (limit == all_bytes || whole.msg_iovlen == 0) return;
        first_ = *whole.msg_iov;
        first_.iov_len = std::min(first_.iov_len, limit);
        header_.msg_iov = &first_;
        header_.msg_iovlen = 1;
    }

    msghdr* get() { return &header_; }

private:
    msghdr header_;
    iovec first_{};
};

int error_of_look_up()
{
    std::lock_guard const lock(resolver_mutex);
    if (!includes(of_look_ups.at, system_call::look_up) || look_ups_spared-- > 0) return 0;
    if (!struck_look_up) struck_look_up = strike{.at = system_call::look_up};
    if (!of_look_ups.lasting) of_look_ups.at = {};
    return of_look_ups.error;
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

void use_small_send_buffers(bool small)
{
    small_send_buffers = small;
}

void plant(fault const& planted, int spared)
{
    done = {};
    first_struck.reset();
    doomed = -1;
    of_this_thread = planted;
    spared_yet = spared;
    std::lock_guard const lock(resolver_mutex);
    struck_look_up.reset();
    of_look_ups = planted;
    look_ups_spared = spared;
}

std::optional<strike> uproot()
{
    auto result = first_struck;
    {
        std::lock_guard const lock(resolver_mutex);
        if (struck_look_up) result = struck_look_up;
    }
    plant({}, 0);
    return result;
}

}  // namespace backbeat::test

using namespace backbeat::test;

extern "C" int getaddrinfo(char const* node, char const* service, addrinfo const* hints, addrinfo** result)
{
    static auto* const real = original(&__interceptor_getaddrinfo, "getaddrinfo");
    std::string_view const name = node != nullptr ? node : "";
    if (auto const error = error_of_look_up()) return error;
    if (name == "missing.test") return EAI_NONAME;
    if (name == "busy.test") return EAI_AGAIN;
    if (name == "hang.test") {
        std::unique_lock lock(resolver_mutex);
        ++lookups_held;
        resolver_released.wait(lock, [] { return !resolver_held; });
        return real("127.0.0.1", service, hints, result);
    }
    if (name != "two.test" && name != "twice.test") return real(node, service, hints, result);
    auto const error = real(name == "two.test" ? "127.0.0.2" : "127.0.0.1", service, hints, result);
    if (error != 0) return error;
    return real("127.0.0.1", service, hints, &(*result)->ai_next);
}

extern "C" int socket(int domain, int type, int protocol) noexcept
{
    static auto* const real = original(&__interceptor_socket, "socket");
    if (strikes(system_call::open)) return fail_with(of_this_thread.error);
    auto const descriptor = real(domain, type, protocol);
    if (descriptor < 0) return descriptor;
    ++done.opened;
    watched_descriptors.erase(descriptor);
    if (descriptor == doomed) doomed = -1;
    int const little = 16 * 1024;
    if (small_send_buffers) ::setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &little, sizeof little);
    return descriptor;
}

extern "C" int epoll_ctl(int by, int operation, int descriptor, epoll_event* how) noexcept
{
    static auto* const real = original(&__interceptor_epoll_ctl, "epoll_ctl");
    if (operation == EPOLL_CTL_ADD && strikes(system_call::watch)) return fail_with(of_this_thread.error);
    if (operation != EPOLL_CTL_DEL) watched_descriptors[descriptor] = {by, *how};
    return real(by, operation, descriptor, how);
}

extern "C" int ioctl(int descriptor, unsigned long request, ...) noexcept
{
    static auto* const real = original(&__interceptor_ioctl, "ioctl");
    std::va_list arguments;
    va_start(arguments, request);
    auto* const argument = va_arg(arguments, void*);
    va_end(arguments);
    if (request == FIONBIO && strikes(system_call::block)) return fail_with(of_this_thread.error);
    return real(descriptor, request, argument);
}

extern "C" int setsockopt(int descriptor, int level, int name, void const* value, socklen_t size) noexcept
{
    static auto* const real = original(&__interceptor_setsockopt, "setsockopt");
    if (strikes(system_call::option)) return fail_with(of_this_thread.error);
    return real(descriptor, level, name, value, size);
}

extern "C" int connect(int descriptor, sockaddr const* address, socklen_t size)
{
    static auto* const real = original(&__interceptor_connect, "connect");
    ++connections;
    if (strikes(system_call::connect)) return fail_with(of_this_thread.error);
    ++done.begun;
    return real(descriptor, address, size);
}

extern "C" int poll(pollfd* descriptors, nfds_t count, int timeout)
{
    static auto* const real = original(&__interceptor_poll, "poll");
    if (count == 1 && strikes(system_call::poll)) {
        tell_again(descriptors->fd);
        return 0;
    }
    return real(descriptors, count, timeout);
}

extern "C" int getsockopt(int descriptor, int level, int name, void* value, socklen_t* size) noexcept
{
    static auto* const real = original(&__interceptor_getsockopt, "getsockopt");
    auto const result = real(descriptor, level, name, value, size);
    if (level == SOL_SOCKET && name == SO_ERROR && strikes(system_call::connected))
        *static_cast<int*>(value) = of_this_thread.error;
    return result;
}

extern "C" ssize_t send(int descriptor, void const* data, size_t size, int flags)
{
    static auto* const real = original(&__interceptor_send, "send");
    if (next_error != 0) return fail_with(std::exchange(next_error, 0));
    return transfer_or_fail(system_call::send, descriptor, [=](std::size_t limit) {
        return count_sent(real(descriptor, data, std::min(size, limit), flags));
    });
}

extern "C" ssize_t sendmsg(int descriptor, msghdr const* message, int flags)
{
    static auto* const real = original(&__interceptor_sendmsg, "sendmsg");
    if (next_error != 0) return fail_with(std::exchange(next_error, 0));
    return transfer_or_fail(system_call::send, descriptor, [=](std::size_t limit) {
        return count_sent(real(descriptor, part_of_message(*message, limit).get(), flags));
    });
}

extern "C" ssize_t recv(int descriptor, void* data, size_t size, int flags)
{
    static auto* const real = original(&__interceptor_recv, "recv");
    if ((flags & MSG_PEEK) != 0)
        return transfer_or_fail(
            system_call::peek, descriptor, [=](std::size_t) { return real(descriptor, data, size, flags); });
    return transfer_or_fail(system_call::receive, descriptor, [=](std::size_t limit) {
        return count_received(real(descriptor, data, std::min(size, limit), flags));
    });
}

extern "C" ssize_t recvmsg(int descriptor, msghdr* message, int flags)
{
    static auto* const real = original(&__interceptor_recvmsg, "recvmsg");
    return transfer_or_fail(system_call::receive, descriptor, [=](std::size_t limit) {
        return count_received(real(descriptor, part_of_message(*message, limit).get(), flags));
    });
}
