//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_HTTP_TLS_CONTEXT_HPP
#define BACKBEAT_SRC_HTTP_TLS_CONTEXT_HPP

#include "session_cache.hpp"

#include <backbeat/http/client_options.hpp>

#include <boost/asio/ssl/context.hpp>

namespace backbeat::http::detail {

// What the TLS connections of a client share: certificates, and the sessions of the server. Outlives them.
class tls_context {
public:
    // Throws boost::system::system_error if certificates or the key cannot be used.
    explicit tls_context(client_options const& options);
    tls_context(tls_context const&) = delete;
    tls_context& operator=(tls_context const&) = delete;

    [[nodiscard]] boost::asio::ssl::context& native() noexcept { return context_; }
    [[nodiscard]] session_cache& sessions() noexcept { return sessions_; }

private:
    boost::asio::ssl::context context_;
    session_cache sessions_;
};

}  // namespace backbeat::http::detail

#endif
