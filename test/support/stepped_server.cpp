//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "stepped_server.hpp"

#include "check.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>

namespace backbeat::test {

namespace {

using bio_pointer = std::unique_ptr<BIO, decltype(&BIO_free)>;

bio_pointer reader(std::string const& text)
{
    return {::BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), &BIO_free};
}

// What TLS has written.
std::string drain(BIO* out)
{
    char* data = nullptr;
    auto const size = BIO_get_mem_data(out, &data);
    if (size <= 0) return {};
    std::string result(data, static_cast<std::size_t>(size));
    BIO_reset(out);
    return result;
}

}  // namespace

stepped_peer::stepped_peer(int descriptor, ssl_ctx_st* tls) : descriptor_(descriptor)
{
    int const on = 1;
    ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (tls == nullptr) return;
    tls_ = ::SSL_new(tls);
    in_ = ::BIO_new(::BIO_s_mem());
    out_ = ::BIO_new(::BIO_s_mem());
    check(tls_ != nullptr && in_ != nullptr && out_ != nullptr, "TLS");
    ::SSL_set_bio(tls_, in_, out_);
    ::SSL_set_accept_state(tls_);
}

stepped_peer::~stepped_peer()
{
    close();
    if (tls_ != nullptr) ::SSL_free(tls_);
}

bool stepped_peer::is_ready() const
{
    return tls_ == nullptr || ::SSL_is_init_finished(tls_) == 1;
}

void stepped_peer::read()
{
    char bytes[16384];
    while (descriptor_ >= 0 && !ended_) {
        auto const count = ::read(descriptor_, bytes, sizeof bytes);
        if (count < 0 && errno == EAGAIN) break;
        ended_ = count <= 0;
        if (ended_) break;
        if (tls_ != nullptr)
            ::BIO_write(in_, bytes, static_cast<int>(count));
        else
            received_.append(bytes, static_cast<std::size_t>(count));
    }
    if (tls_ == nullptr) return;
    for (;;) {
        auto const count = ::SSL_read(tls_, bytes, sizeof bytes);
        if (count <= 0) break;
        received_.append(bytes, static_cast<std::size_t>(count));
    }
    auto const said = drain(out_);
    check(send_some(said) == said.size() || ended_, "a handshake does not get through");
}

std::optional<std::string> stepped_peer::take_request()
{
    auto const end = received_.find("\r\n\r\n");
    if (end == std::string::npos) return {};
    auto size = end + 4;
    auto head = received_.substr(0, end);
    std::transform(head.begin(), head.end(), head.begin(), [](unsigned char c) { return std::tolower(c); });
    if (auto const at = head.find("\r\ncontent-length: "); at != std::string::npos)
        size += std::stoul(head.substr(at + 18));
    if (received_.size() < size) return {};
    auto result = received_.substr(0, size);
    received_.erase(0, size);
    return result;
}

std::string stepped_peer::on_the_wire(std::string_view bytes)
{
    if (tls_ == nullptr || bytes.empty()) return std::string(bytes);
    check(::SSL_write(tls_, bytes.data(), static_cast<int>(bytes.size())) > 0, "TLS does not write");
    return drain(out_);
}

std::size_t stepped_peer::send_some(std::string_view wire)
{
    std::size_t sent = 0;
    while (sent != wire.size() && descriptor_ >= 0) {
        auto const count = ::send(descriptor_, wire.data() + sent, wire.size() - sent, MSG_NOSIGNAL);
        if (count <= 0) break;
        sent += static_cast<std::size_t>(count);
    }
    return sent;
}

void stepped_peer::send(std::string_view bytes)
{
    auto const wire = on_the_wire(bytes);
    check(send_some(wire) == wire.size(), "the system does not take what is sent");
}

void stepped_peer::send_close_notify()
{
    if (tls_ == nullptr) return;
    ::SSL_shutdown(tls_);
    auto const said = drain(out_);
    check(send_some(said) == said.size(), "the system does not take what is sent");
}

void stepped_peer::shut_down()
{
    ::shutdown(descriptor_, SHUT_WR);
}

void stepped_peer::close()
{
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
}

void stepped_peer::reset()
{
    linger const abortive{1, 0};
    ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &abortive, sizeof abortive);
    close();
}

stepped_server::stepped_server() : tls_(nullptr, &::SSL_CTX_free)
{
    listen();
}

stepped_server::stepped_server(test_certificate const& certificate)
    : tls_(::SSL_CTX_new(::TLS_server_method()), &::SSL_CTX_free)
{
    std::unique_ptr<X509, decltype(&X509_free)> const leaf(
        ::PEM_read_bio_X509(reader(certificate.certificate).get(), nullptr, nullptr, nullptr), &X509_free);
    std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> const key(
        ::PEM_read_bio_PrivateKey(reader(certificate.key).get(), nullptr, nullptr, nullptr), &EVP_PKEY_free);
    check(::SSL_CTX_use_certificate(tls_.get(), leaf.get()) == 1, "certificate");
    check(::SSL_CTX_use_PrivateKey(tls_.get(), key.get()) == 1, "key");
    // What the client reads is to be what the test has sent, and nothing else.
    check(::SSL_CTX_set_num_tickets(tls_.get(), 0) == 1, "tickets");
    listen();
}

void stepped_server::listen()
{
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    check(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0, "bind");
    check(::listen(listener_, 128) == 0, "listen");
    check(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0, "getsockname");
    port_ = ntohs(address.sin_port);
}

stepped_server::~stepped_server()
{
    ::close(listener_);
}

std::string stepped_server::url() const
{
    return (tls_ ? "https://127.0.0.1:" : "http://127.0.0.1:") + std::to_string(port_);
}

std::shared_ptr<stepped_peer> stepped_server::accept()
{
    auto const descriptor = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (descriptor < 0) return nullptr;
    ++accepted_;
    return std::make_shared<stepped_peer>(descriptor, tls_.get());
}

}  // namespace backbeat::test
