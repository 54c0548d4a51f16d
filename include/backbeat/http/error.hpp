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

    /// The request's target is not one: it does not start with a slash, or holds white space, a control character or a
    /// fragment. An empty one is `/`. Nothing was sent.
    invalid_target,

    /// A header field of the request has a name or a value that would break the header. Nothing was sent.
    invalid_field,

    /// The client was closed, or was being closed, before the operation was started. Nothing was sent.
    client_closed,

    /// No connection became free within `client_options::queue_timeout`. Nothing was sent.
    queue_timeout,

    /// The server sent more than 64 interim responses (1xx), and no end is in sight.
    too_many_interim_responses,

    /// A body whose size is not known before it is read cannot be sent with HTTP/1.0. Nothing was sent.
    unknown_body_size,

    /// The body of the request gave more or fewer bytes than its size, which the header tells.
    body_size_mismatch,

    /// The probe of `reconcile_with` could not tell whether the request was carried out, or failed at that.
    outcome_unknown,

    /// The probe of `reconcile_with` says that it is too early to tell whether the request was carried out.
    unsettled,

    /// The body says that it is gzip and is not, or it is damaged. One that is cut off is Beast's `partial_message`.
    bad_gzip,

    /// The request's method is not a word, or is CONNECT, which is for proxies. Nothing was sent.
    invalid_method
};

/// The category of `errc`, named "backbeat.http". The time-outs are equivalent to `boost::system::errc::timed_out`.
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
