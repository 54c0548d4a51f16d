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

connection::connection(boost::asio::ip::tcp::socket connected, tls_context* tls, origin const& to)
    : socket_(std::move(connected)), context_(tls)
{
    boost::system::error_code ignored;
    socket_.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
    // For `is_alive`: without it a synchronous receive would wait.
    socket_.non_blocking(true, ignored);
    if (tls == nullptr) return;
    tls_.emplace(socket_, tls->native());
    auto* const native = tls_->native_handle();
    auto* const parameters = ::SSL_get0_param(native);
    // OpenSSL's own check of the name, and not a callback of Asio: so the result says what was wrong.
    if (to.is_address) {
        check_openssl(::X509_VERIFY_PARAM_set1_ip_asc(parameters, to.host.c_str()), "the server's address");
    } else {
        // RFC 9525, 6.3: only the names that the certificate is for, and not its subject's common name.
        ::X509_VERIFY_PARAM_set_hostflags(
            parameters, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
        check_openssl(::X509_VERIFY_PARAM_set1_host(parameters, to.host.data(), to.host.size()), "the server's name");
        // Not for an address: RFC 6066 has names only.
        check_openssl(static_cast<int>(SSL_set_tlsext_host_name(native, to.host.c_str())), "the server's name");
    }
    if (auto const session = tls->sessions().take()) ::SSL_set_session(native, session.get());
}

connection::~connection()
{
    // Otherwise OpenSSL takes the session for spoilt. After a fatal alert it does so all the same.
    if (tls_) ::SSL_set_shutdown(tls_->native_handle(), SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
}

void connection::close() noexcept
{
    boost::system::error_code ignored;
    socket_.close(ignored);
}

boost::system::error_code connection::end_handshake(boost::system::error_code error)
{
    auto* const native = tls_->native_handle();
    if (!error) {
        // TLS 1.3 sends new tickets.
        if (::SSL_session_reused(native) == 1 && ::SSL_version(native) < TLS1_3_VERSION)
            context_->sessions().put(session_pointer(::SSL_get1_session(native)));
        return {};
    }
    // The result, and not the error: a wrong signature, for example, is reported as an error of the cryptography.
    auto const result = ::SSL_get_verify_result(native);
    if (result != X509_V_OK && ::SSL_get_verify_mode(native) != SSL_VERIFY_NONE)
        return {static_cast<int>(result), certificate_category()};
    return speaks_no_tls(error) ? make_error_code(errc::not_tls) : error;
}

std::size_t connection::write_at_once(boost::asio::const_buffer bytes, boost::system::error_code& error)
{
    if (!tls_ && socket_.non_blocking()) return socket_.write_some(bytes, error);
    error = boost::asio::error::would_block;
    return 0;
}

bool connection::uses_tls_1_3()
{
    return tls_ && ::SSL_version(tls_->native_handle()) >= TLS1_3_VERSION;
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
    // The receive would wait.
    if (!socket_.non_blocking()) return false;
    char byte = 0;
    boost::system::error_code error;
    socket_.receive(boost::asio::buffer(&byte, 1), boost::asio::ip::tcp::socket::message_peek, error);
    if (error == boost::asio::error::would_block) return true;
    // A server of TLS 1.3 sends tickets when it likes. They are not for us, but for OpenSSL, which has to read them: what
    // it then has for us is too much.
    if (error || !tls_) return false;
    tls_->read_some(boost::asio::buffer(&byte, 1), error);
    return error == boost::asio::error::would_block;
}

}  // namespace backbeat::http::detail
