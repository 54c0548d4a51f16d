//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_SUPPORT_SCRIPTED_SERVER_HPP
#define BACKBEAT_TEST_SUPPORT_SCRIPTED_SERVER_HPP

#include "test_certificate.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

struct ssl_st;
struct ssl_ctx_st;

namespace backbeat::test {

// After this long a test that waits has failed.
inline constexpr std::chrono::seconds patience{20};

// Lets one thread wait for another.
class gate {
public:
    void open()
    {
        std::call_once(once_, [this] { promise_.set_value(); });
    }

    // False: nobody opened it. A process that is to do so has to start first.
    bool wait() const { return future_.wait_for(3 * patience) == std::future_status::ready; }
    bool is_open() const { return future_.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }

private:
    std::once_flag once_;
    std::promise<void> promise_;
    std::shared_future<void> future_{promise_.get_future()};
};

// The server's end of a connection, in blocking calls.
class peer {
public:
    peer(int descriptor, ssl_ctx_st* tls);
    peer(peer const&) = delete;
    peer& operator=(peer const&) = delete;
    ~peer();

    // TLS servers only. False: the client did not like it.
    bool handshake();

    // Reads a request with its body (of the length that it states, or chunked). Empty: the client closed the connection.
    std::string read_request();

    // What was read of a request that did not come to its end.
    [[nodiscard]] std::string const& unfinished() const noexcept { return buffer_; }

    void write(std::string_view bytes);

    // Waits until the client closes the connection.
    void wait_for_close();

    // Closes: orderly (TLS: with close_notify), or without close_notify, or with a TCP reset.
    void close();
    void close_without_notify();
    void reset();

    // Unblocks whoever waits in one of the above, from another thread.
    void interrupt();

    // The name that the client asked for in the TLS handshake.
    [[nodiscard]] std::string server_name() const;

private:
    std::size_t read_some(char* to, std::size_t size);

    std::mutex closing_;  // so that `interrupt` does not hit a descriptor that somebody else has by now
    int descriptor_;
    ssl_st* tls_ = nullptr;
    std::string buffer_;
};

using script = std::function<void(peer&)>;

// Listens on 127.0.0.1. Each connection runs the next script in a thread of its own, the last one again and again. When
// a script returns, its connection is closed.
class scripted_server {
public:
    explicit scripted_server(std::vector<script> scripts);

    // With TLS. The scripts begin after the handshake, unless `handshake` is false.
    scripted_server(std::vector<script> scripts, test_certificate const& certificate, bool handshake = true);

    scripted_server(scripted_server const&) = delete;
    scripted_server& operator=(scripted_server const&) = delete;
    ~scripted_server();

    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    [[nodiscard]] std::string url(std::string_view host = "127.0.0.1") const;
    [[nodiscard]] int accepted() const noexcept { return accepted_; }

private:
    void listen();
    void accept_all();

    std::vector<script> scripts_;
    std::shared_ptr<ssl_ctx_st> tls_;
    bool handshake_ = true;
    int listener_ = -1;
    std::uint16_t port_ = 0;
    std::atomic<int> accepted_ = 0;
    std::atomic<bool> stopping_ = false;
    std::mutex mutex_;
    std::vector<std::shared_ptr<peer>> peers_;
    std::vector<std::thread> threads_;
    std::thread acceptor_;
};

// A port of 127.0.0.1 on which connections hang: its queue is full and nobody accepts.
class hanging_port {
public:
    hanging_port();
    hanging_port(hanging_port const&) = delete;
    hanging_port& operator=(hanging_port const&) = delete;
    ~hanging_port();

    [[nodiscard]] std::string url(std::string_view scheme = "http") const;

private:
    std::vector<int> descriptors_;
    std::uint16_t port_ = 0;
};

// A port of 127.0.0.1 on which nobody listens.
[[nodiscard]] std::uint16_t refused_port();

// A response with this body and its length.
[[nodiscard]] std::string answer(int status, std::string_view body = {}, std::string_view more_fields = {});

// A script that answers each request of a connection with the next of these, the last one again and again.
[[nodiscard]] script answering(std::vector<std::string> answers);

}  // namespace backbeat::test

#endif
