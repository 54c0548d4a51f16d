//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "tls_error.hpp"

#include <backbeat/http/error.hpp>

#include <boost/asio/ssl/error.hpp>
#include <boost/system/errc.hpp>
#include <boost/system/error_condition.hpp>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <string>

namespace backbeat::http {

namespace {

class http_category_type final : public boost::system::error_category {
public:
    constexpr http_category_type() noexcept : error_category(0x6261636b68747470) {}

    char const* name() const noexcept override { return "backbeat.http"; }

    std::string message(int value) const override
    {
        switch (static_cast<errc>(value)) {
        case errc::connect_timeout:
            return "resolving, connecting and the TLS handshake took longer than connect_timeout";
        case errc::not_http: return "the server does not speak HTTP: its answer does not start with HTTP/1";
        case errc::not_tls: return "the server does not speak TLS; if it expects plain HTTP, use an http:// URL";
        case errc::invalid_target:
            return "the target of the request must start with '/' and have no white space, control characters or '#'; "
                   "percent-encode them";
        case errc::invalid_method:
            return "the method of the request is not a word of letters, or is CONNECT, which is for proxies";
        case errc::invalid_field:
            return "a header field of the request has an empty or malformed name, or a line break or NUL in its value";
        case errc::client_closed: return "the HTTP client was closed";
        case errc::queue_timeout: return "no connection became free within queue_timeout";
        case errc::too_many_interim_responses: return "the server sent too many interim responses (1xx)";
        case errc::unknown_body_size:
            return "a body whose size is not known before it is read cannot be sent with HTTP/1.0; use HTTP/1.1";
        case errc::body_size_mismatch: return "the body of the request gave more or fewer bytes than its size";
        case errc::outcome_unknown:
            return "the request may or may not have been carried out, and the probe could not tell which";
        case errc::unsettled: return "it is too early to tell whether the request was carried out";
        case errc::bad_gzip: return "the body says that it is gzip and is not, or it is damaged";
        }
        return "unknown error of backbeat.http";
    }

    boost::system::error_condition default_error_condition(int value) const noexcept override
    {
        auto const is = [value](errc each) { return value == static_cast<int>(each); };
        if (is(errc::connect_timeout) || is(errc::queue_timeout))
            return boost::system::errc::make_error_condition(boost::system::errc::timed_out);
        return {value, *this};
    }
};

class certificate_category_type final : public boost::system::error_category {
public:
    constexpr certificate_category_type() noexcept : error_category(0x6261636b63657274) {}

    char const* name() const noexcept override { return "backbeat.http.certificate"; }

    std::string message(int value) const override
    {
        return std::string("the server's certificate is not trusted: ") + X509_verify_cert_error_string(value);
    }
};

constexpr http_category_type the_http_category;
constexpr certificate_category_type the_certificate_category;

// The error codes of Asio's TLS streams are OpenSSL's packed errors. Returns 0 if the error is none.
unsigned long packed_error(boost::system::error_code const& error) noexcept
{
    if (error.category() != boost::asio::error::get_ssl_category()) return 0;
    return static_cast<unsigned int>(error.value());
}

// Returns 0 if the error is not one of libssl.
int ssl_reason(boost::system::error_code const& error) noexcept
{
    auto const packed = packed_error(error);
    return ERR_GET_LIB(packed) == ERR_LIB_SSL ? ERR_GET_REASON(packed) : 0;
}

// Such as a certificate with a signature that does not fit the authority's key.
bool is_cryptography_error(boost::system::error_code const& error) noexcept
{
    auto const library = ERR_GET_LIB(packed_error(error));
    return library != 0 && library != ERR_LIB_SSL && library != ERR_LIB_SYS;
}

}  // namespace

boost::system::error_category const& http_category() noexcept
{
    return the_http_category;
}

boost::system::error_category const& certificate_category() noexcept
{
    return the_certificate_category;
}

bool is_certificate_error(boost::system::error_code const& error) noexcept
{
    return error.category() == certificate_category() || ssl_reason(error) == SSL_R_CERTIFICATE_VERIFY_FAILED;
}

namespace detail {

bool speaks_no_tls(boost::system::error_code const& error) noexcept
{
    switch (ssl_reason(error)) {
    case SSL_R_WRONG_VERSION_NUMBER:
    case SSL_R_HTTP_REQUEST:
    case SSL_R_HTTPS_PROXY_REQUEST:
    case SSL_R_UNKNOWN_PROTOCOL:
    case SSL_R_PACKET_LENGTH_TOO_LONG: return true;
    default: return false;
    }
}

bool is_permanent_tls_error(boost::system::error_code const& error) noexcept
{
    if (is_cryptography_error(error) || refuses_client(error)) return true;
    switch (ssl_reason(error)) {
    case SSL_R_CERTIFICATE_VERIFY_FAILED:
    case SSL_R_UNSUPPORTED_PROTOCOL:
    case SSL_R_NO_SHARED_CIPHER:
    case SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
    case SSL_R_TLSV1_ALERT_INSUFFICIENT_SECURITY:
    case SSL_R_TLSV1_UNRECOGNIZED_NAME:
    case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE: return true;
    default: return speaks_no_tls(error);
    }
}

bool refuses_client(boost::system::error_code const& error) noexcept
{
    switch (ssl_reason(error)) {
    case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
    case SSL_R_TLSV1_ALERT_DECRYPT_ERROR:
    case SSL_R_TLSV1_ALERT_ACCESS_DENIED:
    case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
    case SSL_R_SSLV3_ALERT_NO_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN: return true;
    default: return false;
    }
}

}  // namespace detail

}  // namespace backbeat::http
