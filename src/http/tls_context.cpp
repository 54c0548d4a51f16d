//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "tls_context.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/verify_mode.hpp>
#include <boost/system/system_error.hpp>

#include <openssl/err.h>

#include <cstddef>
#include <string>

namespace backbeat::http::detail {

namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;
using boost::system::system_error;

// A server of TLS 1.3 gives two for each handshake, and each connection uses one up.
constexpr std::size_t session_limit = 32;

// Asio has taken the slot that OpenSSL calls the application's data.
int sessions_index()
{
    static int const index = ::SSL_CTX_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
    return index;
}

int on_new_session(SSL* of, SSL_SESSION* session) noexcept
{
    auto* const cache = static_cast<session_cache*>(::SSL_CTX_get_ex_data(::SSL_get_SSL_CTX(of), sessions_index()));
    cache->put(session_pointer(session));
    return 1;  // it is ours now
}

// OpenSSL would ask at the terminal.
int no_password(char*, int, int, void* asked) noexcept
{
    *static_cast<bool*>(asked) = true;
    return -1;
}

void trust(ssl::context& context, client_options const& options)
{
    context.set_verify_mode(options.verify ? ssl::verify_peer : ssl::verify_none);
    error_code error;
    if (!options.ca_file.empty()) {
        context.load_verify_file(options.ca_file, error);
        if (error) throw system_error(error, "client_options::ca_file: no certificates in '" + options.ca_file + "'");
    }
    if (!options.ca_certificate.empty()) {
        context.add_certificate_authority(boost::asio::buffer(options.ca_certificate), error);
        if (error)
            throw system_error(
                error,
                "client_options::ca_certificate: no certificate in PEM form; the name of a file belongs into ca_file");
    }
    if (options.verify && options.ca_file.empty() && options.ca_certificate.empty()) {
        context.set_default_verify_paths(error);
        if (error) throw system_error(error, "the system's certificates cannot be read");
    }
}

void prove_identity(ssl::context& context, client_options const& options)
{
    if (options.certificate_file.empty()) return;
    error_code error;
    context.use_certificate_chain_file(options.certificate_file, error);
    if (error)
        throw system_error(
            error, "client_options::certificate_file: no certificate in '" + options.certificate_file + "'");
    auto* const native = context.native_handle();
    bool asked = false;
    ::SSL_CTX_set_default_passwd_cb(native, &no_password);
    ::SSL_CTX_set_default_passwd_cb_userdata(native, &asked);
    auto const apart = !options.private_key_file.empty();
    auto const& key_file = apart ? options.private_key_file : options.certificate_file;
    context.use_private_key_file(key_file, ssl::context::pem, error);
    ::SSL_CTX_set_default_passwd_cb(native, nullptr);
    ::SSL_CTX_set_default_passwd_cb_userdata(native, nullptr);
    if (error)
        throw system_error(
            error,
            std::string("client_options::") + (apart ? "private_key_file" : "certificate_file")
                + (asked ? ": a key without a password is needed, and there is one with a password in '"
                         : ": no key of the certificate in '")
                + key_file + "'" + (apart || asked ? "" : "; if it is in another file, name that as private_key_file"));
}

}  // namespace

tls_context::tls_context(client_options const& options) : context_(ssl::context::tls_client), sessions_(session_limit)
{
    auto* const native = context_.native_handle();
    if (::SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION) != 1
        || ::SSL_CTX_set_ex_data(native, sessions_index(), &sessions_) != 1)
        throw system_error(
            static_cast<int>(::ERR_get_error()), boost::asio::error::get_ssl_category(), "OpenSSL cannot be set up");
    trust(context_, options);
    prove_identity(context_, options);
    ::SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    ::SSL_CTX_sess_set_new_cb(native, &on_new_session);
}

}  // namespace backbeat::http::detail
