//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_SUPPORT_STEPPED_SERVER_HPP
#define BACKBEAT_TEST_SUPPORT_STEPPED_SERVER_HPP

#include "test_certificate.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct ssl_st;
struct ssl_ctx_st;
struct bio_st;

namespace backbeat::test {

// The server's end of a connection, which never waits: for tests whose client runs in the same thread, so that they
// decide between any two bytes what happens next.
class stepped_peer {
public:
    stepped_peer(int descriptor, ssl_ctx_st* tls);
    stepped_peer(stepped_peer const&) = delete;
    stepped_peer& operator=(stepped_peer const&) = delete;
    ~stepped_peer();

    // Takes what has come, and carries the TLS handshake on.
    void read();

    // The TLS handshake is done. Without TLS there is none.
    [[nodiscard]] bool is_ready() const;

    // The client has ended the connection.
    [[nodiscard]] bool is_ended() const noexcept { return ended_; }

    // What has come, without TLS, and was not taken by `take_request`.
    [[nodiscard]] std::string const& received() const noexcept { return received_; }

    // The first request of what has come, with its body (of the length that it states), once it is whole.
    std::optional<std::string> take_request();

    // These bytes as they travel: with TLS in records of their own.
    [[nodiscard]] std::string on_the_wire(std::string_view bytes);

    // As they are, TLS or not; only what the system takes at once. Returns how much that is.
    std::size_t send_some(std::string_view wire);

    // Both of the above. Throws if the system does not take all of it.
    void send(std::string_view bytes);

    // TLS: says that nothing more comes, and leaves the connection open.
    void send_close_notify();

    // Closes the sending side alone.
    void shut_down();

    // Closes both, without TLS's notice. What came and was not read would turn it into a reset.
    void close();

    // With a TCP reset.
    void reset();

private:
    int descriptor_;
    bool ended_ = false;
    ssl_st* tls_ = nullptr;
    bio_st* in_ = nullptr;  // of TLS, which owns both
    bio_st* out_ = nullptr;
    std::string received_;
};

// Listens on 127.0.0.1, and never waits.
class stepped_server {
public:
    stepped_server();

    // With TLS.
    explicit stepped_server(test_certificate const& certificate);

    stepped_server(stepped_server const&) = delete;
    stepped_server& operator=(stepped_server const&) = delete;
    ~stepped_server();

    [[nodiscard]] std::string url() const;

    // The number of connections so far.
    [[nodiscard]] int accepted() const noexcept { return accepted_; }

    // The next connection. Null: there is none yet.
    std::shared_ptr<stepped_peer> accept();

private:
    void listen();

    std::unique_ptr<ssl_ctx_st, void (*)(ssl_ctx_st*)> tls_;
    int listener_ = -1;
    std::uint16_t port_ = 0;
    int accepted_ = 0;
};

}  // namespace backbeat::test

#endif
