//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "tls_server.hpp"

#include "check.hpp"

#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>

namespace backbeat::test {

namespace {

using bio_pointer = std::unique_ptr<BIO, decltype(&BIO_free)>;
using certificate_pointer = std::unique_ptr<X509, decltype(&X509_free)>;
using key_pointer = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

// The stream of the handshake that this thread is at: `peer` keeps it to itself.
thread_local SSL const* shaking_hands = nullptr;

bio_pointer reader(std::string const& text)
{
    return {::BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), &BIO_free};
}

certificate_pointer certificate_of(std::string const& pem)
{
    return {::PEM_read_bio_X509(reader(pem).get(), nullptr, nullptr, nullptr), &X509_free};
}

std::string common_name(X509* certificate)
{
    if (certificate == nullptr) return {};
    char name[100] = {};
    ::X509_NAME_get_text_by_NID(::X509_get_subject_name(certificate), NID_commonName, name, sizeof name);
    return name;
}

}  // namespace

tls_server::tls_server(script each, test_certificate const& certificate, tls_server_options const& options)
    : script_(std::move(each)), tls_(::SSL_CTX_new(::TLS_server_method()), &SSL_CTX_free)
{
    auto* const tls = tls_.get();
    key_pointer const key(
        ::PEM_read_bio_PrivateKey(reader(certificate.key).get(), nullptr, nullptr, nullptr), &EVP_PKEY_free);
    check(::SSL_CTX_use_certificate(tls, certificate_of(certificate.certificate).get()) == 1, "certificate");
    check(::SSL_CTX_use_PrivateKey(tls, key.get()) == 1, "key");
    // Versions before 1.2 need signatures that OpenSSL otherwise refuses.
    if (options.version < TLS1_2_VERSION) ::SSL_CTX_set_security_level(tls, 0);
    check(::SSL_CTX_set_min_proto_version(tls, options.version) == 1, "version");
    check(::SSL_CTX_set_max_proto_version(tls, options.version) == 1, "version");
    check(::SSL_CTX_set_num_tickets(tls, options.tickets) == 1, "tickets");
    check(::SSL_CTX_set_session_id_context(tls, reinterpret_cast<unsigned char const*>("test"), 4) == 1, "context");
    if (!options.client_authority.empty()) {
        auto const authority = certificate_of(options.client_authority);
        check(::X509_STORE_add_cert(::SSL_CTX_get_cert_store(tls), authority.get()) == 1, "authority");
        ::SSL_CTX_set_verify(tls, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    }
    ::SSL_CTX_set_info_callback(tls, [](SSL const* stream, int, int) { shaking_hands = stream; });

    // OpenSSL writes to sockets without MSG_NOSIGNAL.
    std::signal(SIGPIPE, SIG_IGN);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    check(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0, "bind");
    check(::listen(listener_, 128) == 0, "listen");
    check(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0, "getsockname");
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
}

tls_server::~tls_server()
{
    {
        std::lock_guard const lock(mutex_);
        stopping_ = true;
        for (auto const& each : peers_) each->interrupt();
    }
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    ::close(listener_);
    for (auto& each : threads_) each.join();
}

std::vector<tls_server::handshake> tls_server::handshakes() const
{
    std::lock_guard const lock(mutex_);
    return handshakes_;
}

void tls_server::accept_all()
{
    for (;;) {
        auto const descriptor = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (descriptor < 0) return;
        if (reset_next_.exchange(false)) {
            peer refused(descriptor, nullptr);
            char byte = 0;
            ::recv(descriptor, &byte, 1, MSG_PEEK);
            refused.reset();
            continue;
        }
        auto const client = std::make_shared<peer>(descriptor, tls_.get());
        std::lock_guard const lock(mutex_);
        if (stopping_) return;
        peers_.push_back(client);
        threads_.emplace_back([this, client] { serve(*client); });
    }
}

void tls_server::serve(peer& client)
{
    // Not closed before the server is: with TLS 1.3 the request may be here, and a reset would overtake the alert.
    if (!client.handshake()) return;
    certificate_pointer const shown(::SSL_get1_peer_certificate(shaking_hands), &X509_free);
    handshake const seen{
        ::SSL_version(shaking_hands), ::SSL_session_reused(shaking_hands) == 1, common_name(shown.get())};
    {
        std::lock_guard const lock(mutex_);
        handshakes_.push_back(seen);
    }
    script_(client);
    client.close();
}

}  // namespace backbeat::test
