//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "connection.hpp"

#include "tls_error.hpp"

#include <backbeat/http/error.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/verify_mode.hpp>
#include <boost/system/system_error.hpp>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <utility>

namespace backbeat::http::detail {

namespace {

void check_openssl(int result, char const* what)
{
    if (result == 1) return;
    auto const error = static_cast<int>(::ERR_get_error());
    throw boost::system::system_error(error, boost::asio::error::get_ssl_category(), what);
}

}  // namespace

boost::asio::ssl::context make_tls_context(client_options const& options)
{
    namespace ssl = boost::asio::ssl;
    ssl::context context(ssl::context::tls_client);
    check_openssl(::SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION) == 1, "TLS 1.2");
    context.set_verify_mode(options.verify ? ssl::verify_peer : ssl::verify_none);

    boost::system::error_code error;
    if (!options.ca_file.empty()) {
        context.load_verify_file(options.ca_file, error);
        if (error)
            throw boost::system::system_error(
                error, "client_options::ca_file: no certificates in '" + options.ca_file + "'");
    }
    if (!options.ca_certificate.empty()) {
        context.add_certificate_authority(boost::asio::buffer(options.ca_certificate), error);
        if (error)
            throw boost::system::system_error(error, "client_options::ca_certificate: no certificate in PEM form");
    }
    if (options.verify && options.ca_file.empty() && options.ca_certificate.empty()) {
        context.set_default_verify_paths(error);
        if (error) throw boost::system::system_error(error, "the system's certificates cannot be read");
    }
    return context;
}

connection::connection(boost::asio::ip::tcp::socket connected, boost::asio::ssl::context* tls, origin const& to)
    : socket_(std::move(connected))
{
    boost::system::error_code ignored;
    socket_.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
    // For `is_alive`: without it a synchronous receive would wait.
    socket_.non_blocking(true, ignored);
    if (tls == nullptr) return;
    tls_.emplace(socket_, *tls);
    auto* const native = tls_->native_handle();
    auto* const parameters = ::SSL_get0_param(native);
    // OpenSSL's own check of the name, and not a callback of Asio: so the result says what was wrong.
    if (to.is_address) {
        check_openssl(::X509_VERIFY_PARAM_set1_ip_asc(parameters, to.host.c_str()), "the server's address");
    } else {
        ::X509_VERIFY_PARAM_set_hostflags(parameters, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
        check_openssl(::X509_VERIFY_PARAM_set1_host(parameters, to.host.data(), to.host.size()), "the server's name");
        // Not for an address: RFC 6066 has names only.
        check_openssl(static_cast<int>(SSL_set_tlsext_host_name(native, to.host.c_str())), "the server's name");
    }
}

void connection::close() noexcept
{
    boost::system::error_code ignored;
    socket_.close(ignored);
}

boost::system::error_code connection::explain_handshake(boost::system::error_code error)
{
    // The result, and not the error: a wrong signature, for example, is reported as an error of the cryptography.
    auto* const native = tls_->native_handle();
    auto const result = ::SSL_get_verify_result(native);
    if (result != X509_V_OK && ::SSL_get_verify_mode(native) != SSL_VERIFY_NONE)
        return {static_cast<int>(result), certificate_category()};
    return speaks_no_tls(error) ? make_error_code(errc::not_tls) : error;
}

bool connection::is_drained()
{
    if (buffer.size() != 0) return false;
    if (!tls_) return true;
    auto* const native = tls_->native_handle();
    return ::SSL_has_pending(native) == 0 && ::BIO_ctrl_pending(::SSL_get_rbio(native)) == 0;
}

bool connection::is_alive()
{
    char byte = 0;
    boost::system::error_code error;
    socket_.receive(boost::asio::buffer(&byte, 1), boost::asio::ip::tcp::socket::message_peek, error);
    return error == boost::asio::error::would_block;
}

}  // namespace backbeat::http::detail
