//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_HTTP_SESSION_CACHE_HPP
#define BACKBEAT_SRC_HTTP_SESSION_CACHE_HPP

#include <openssl/ssl.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace backbeat::http::detail {

struct session_deleter {
    void operator()(SSL_SESSION* session) const noexcept { ::SSL_SESSION_free(session); }
};

using session_pointer = std::unique_ptr<SSL_SESSION, session_deleter>;

// The newest TLS sessions of a server, by which a handshake takes up an earlier one and saves a signature, a check of
// certificates, and with TLS 1.2 a round trip.
//
// What is offered to the server is taken out. So a ticket of TLS 1.3 is used once, as it should be (RFC 8446, C.4: who
// listens cannot tell that two connections are of one client), and a session with which a handshake fails is not tried
// again and again. One of TLS 1.2, of which there are no more to come, is put back after the handshake.
//
// It is not thread-safe: the connections of a client are on one strand, and OpenSSL calls from there.
class session_cache {
public:
    explicit session_cache(std::size_t limit);

    // Drops the oldest if there are too many.
    void put(session_pointer session) noexcept;

    // The newest that can be resumed, or null.
    [[nodiscard]] session_pointer take() noexcept;

private:
    std::size_t limit_;
    std::vector<session_pointer> sessions_;  // the oldest first; never longer than its capacity
};

}  // namespace backbeat::http::detail

#endif
