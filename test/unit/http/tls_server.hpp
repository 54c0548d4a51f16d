//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_UNIT_HTTP_TLS_SERVER_HPP
#define BACKBEAT_TEST_UNIT_HTTP_TLS_SERVER_HPP

#include "scripted_server.hpp"
#include "test_certificate.hpp"

#include <openssl/ssl.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace backbeat::test {

struct tls_server_options {
    int version = TLS1_3_VERSION;
    std::string client_authority{};  // in PEM; if it is not empty, the server insists on a certificate by it
    std::size_t tickets = 2;  // for each handshake; TLS 1.3 only
};

// Like `scripted_server`, but it speaks one version of TLS, and tells what it saw of each handshake.
class tls_server {
public:
    struct handshake {
        int version = 0;
        bool resumed = false;
        std::string client;  // the common name in its certificate
    };

    tls_server(script each, test_certificate const& certificate, tls_server_options const& options = {});
    tls_server(tls_server const&) = delete;
    tls_server& operator=(tls_server const&) = delete;
    ~tls_server();

    [[nodiscard]] std::string url() const { return "https://127.0.0.1:" + std::to_string(port_); }

    // Those that succeeded, in the order in which they did.
    [[nodiscard]] std::vector<handshake> handshakes() const;

    // The next client's first words are answered with a reset.
    void reset_next() { reset_next_ = true; }

private:
    void accept_all();
    void serve(peer& client);

    script script_;
    std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> tls_;
    std::atomic<bool> reset_next_ = false;
    int listener_ = -1;
    std::uint16_t port_ = 0;
    mutable std::mutex mutex_;
    bool stopping_ = false;
    std::vector<handshake> handshakes_;
    std::vector<std::shared_ptr<peer>> peers_;
    std::vector<std::thread> threads_;
    std::thread acceptor_;
};

}  // namespace backbeat::test

#endif
