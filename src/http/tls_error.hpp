//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_HTTP_TLS_ERROR_HPP
#define BACKBEAT_SRC_HTTP_TLS_ERROR_HPP

#include <boost/system/error_code.hpp>

namespace backbeat::http::detail {

// The handshake failed in a way that tells of a peer that does not speak TLS at all.
[[nodiscard]] bool speaks_no_tls(boost::system::error_code const& error) noexcept;

// The two ends do not fit together, and will not do so the next time: certificates, versions, ciphers, no TLS.
[[nodiscard]] bool is_permanent_tls_error(boost::system::error_code const& error) noexcept;

// The server does not accept the client's certificate, or that it has none.
[[nodiscard]] bool refuses_client(boost::system::error_code const& error) noexcept;

}  // namespace backbeat::http::detail

#endif
