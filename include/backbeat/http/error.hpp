//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_HTTP_ERROR_HPP
#define BACKBEAT_HTTP_ERROR_HPP

#include <backbeat/config.hpp>

#include <boost/system/error_category.hpp>
#include <boost/system/error_code.hpp>

#include <type_traits>

namespace backbeat::http {

/**
 * \brief Errors of `client` that neither Asio nor Beast has a code for.
 * \details
 * The others are theirs: a refused connection is `boost::asio::error::connection_refused`, a body past the limit is
 * `boost::beast::http::error::body_limit`, a truncated one is `boost::beast::http::error::partial_message`. A TLS
 * connection that ends inside a message without saying so, which anybody on the way can bring about, is
 * `boost::asio::ssl::error::stream_truncated`; after a complete message it is no error. An attempt that took longer
 * than `client_options::attempt_timeout` ends with `backbeat::retry_errc::attempt_timeout`.
 */
enum class errc : int {
    /// Resolving, connecting and the handshake took longer than `client_options::connect_timeout`. Nothing was sent.
    connect_timeout = 1,

    /// What the server answered does not start like HTTP/1.
    not_http,

    /// The server did not answer the TLS handshake with TLS. It probably expects plain HTTP.
    not_tls,

    /// The request's target is not one: it does not start with a slash, or holds white space or a control character.
    invalid_target,

    /// A header field of the request has a name or a value that would break the header. Nothing was sent.
    invalid_field,

    /// The client was closed before the request was started.
    client_closed
};

/// The category of `errc`, named "backbeat.http".
[[nodiscard]] boost::system::error_category const& http_category() noexcept;

/**
 * \brief The category of certificate errors, named "backbeat.http.certificate".
 * \details
 * The values are OpenSSL's `X509_V_ERR_...`; the message says why the server's certificate was not accepted, for
 * example "the server's certificate is not trusted: self-signed certificate" or "...: hostname mismatch".
 */
[[nodiscard]] boost::system::error_category const& certificate_category() noexcept;

/**
 * \brief Says whether an error means that the server's certificate was not accepted.
 * \details
 * True for the codes of `certificate_category`, and for OpenSSL's own "certificate verify failed", which whoever uses
 * `boost::asio::ssl::stream` directly gets.
 */
[[nodiscard]] bool is_certificate_error(boost::system::error_code const& error) noexcept;

/// Makes an error code of the value.
[[nodiscard]] inline boost::system::error_code make_error_code(errc value) noexcept
{
    return {static_cast<int>(value), http_category()};
}

}  // namespace backbeat::http

template <>
struct boost::system::is_error_code_enum<backbeat::http::errc> : std::true_type {};

#endif
