//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_UNIT_HTTP_STUCK_LISTENER_HPP
#define BACKBEAT_TEST_UNIT_HTTP_STUCK_LISTENER_HPP

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <stdexcept>

namespace backbeat::test {

// A port on which connections hang, as behind a firewall that drops what it does not like: the queue is full, and
// nobody accepts. Not before `unstick` do they get through, and then only when they try again, which the system does
// after 1 s.
class stuck_listener {
public:
    explicit stuck_listener(char const* address = "127.0.0.1", std::uint16_t port = 0)
    {
        boost::asio::ip::tcp::endpoint at(boost::asio::ip::make_address(address), port);
        listener_ = ::socket(at.protocol().family(), SOCK_STREAM | SOCK_CLOEXEC, 0);
        check(::bind(listener_, at.data(), static_cast<socklen_t>(at.size())) == 0);
        check(::listen(listener_, 0) == 0);
        auto size = static_cast<socklen_t>(at.capacity());
        check(::getsockname(listener_, at.data(), &size) == 0);
        port_ = at.port();
        // A queue of length zero holds one.
        for (auto& each : fillers_) {
            each = ::socket(at.protocol().family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
            ::connect(each, at.data(), static_cast<socklen_t>(at.size()));
        }
        pollfd last{fillers_.back(), POLLOUT, 0};
        check(::poll(&last, 1, 20) == 0);
    }

    stuck_listener(stuck_listener const&) = delete;
    stuck_listener& operator=(stuck_listener const&) = delete;

    ~stuck_listener()
    {
        for (auto const each : fillers_) ::close(each);
        ::close(listener_);
    }

    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

    void unstick() { check(::listen(listener_, 64) == 0); }

private:
    static void check(bool good)
    {
        if (!good) throw std::runtime_error("a listening socket cannot be stuck");
    }

    int listener_ = -1;
    std::array<int, 4> fillers_{};
    std::uint16_t port_ = 0;
};

}  // namespace backbeat::test

#endif
