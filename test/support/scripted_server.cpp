//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "scripted_server.hpp"

#include "check.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <stdexcept>

namespace backbeat::test {

namespace {

int make_listener(std::uint16_t& port, int backlog)
{
    auto const descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    check(descriptor >= 0, "socket");
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    check(::bind(descriptor, reinterpret_cast<sockaddr*>(&address), size) == 0, "bind");
    if (backlog >= 0) check(::listen(descriptor, backlog) == 0, "listen");
    check(::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0, "getsockname");
    port = ntohs(address.sin_port);
    return descriptor;
}

}  // namespace

peer::peer(int descriptor, ssl_ctx_st* tls) : descriptor_(descriptor)
{
    timeval const limit{patience.count(), 0};
    ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ::setsockopt(descriptor_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (tls == nullptr) return;
    tls_ = ::SSL_new(tls);
    ::SSL_set_fd(tls_, descriptor_);
}

peer::~peer()
{
    close_without_notify();
    if (tls_ != nullptr) ::SSL_free(tls_);
}

bool peer::handshake()
{
    return tls_ == nullptr || ::SSL_accept(tls_) == 1;
}

std::size_t peer::read_some(char* to, std::size_t size)
{
    if (descriptor_ < 0) return 0;
    auto const count = tls_ != nullptr ? ::SSL_read(tls_, to, static_cast<int>(size))
                                       : static_cast<int>(::read(descriptor_, to, size));
    return count > 0 ? static_cast<std::size_t>(count) : 0;
}

std::string peer::read_request()
{
    auto wanted = std::string::npos;
    for (;;) {
        auto const end = buffer_.find("\r\n\r\n");
        if (wanted == std::string::npos && end != std::string::npos) {
            wanted = end + 4;
            auto head = buffer_.substr(0, end);
            std::transform(head.begin(), head.end(), head.begin(), [](unsigned char c) { return std::tolower(c); });
            if (auto const at = head.find("\r\ncontent-length: "); at != std::string::npos)
                wanted += std::stoul(head.substr(at + 18));
            if (head.find("\r\ntransfer-encoding: chunked") != std::string::npos) {
                auto const last = buffer_.find("\r\n0\r\n\r\n", end + 2);
                wanted = last == std::string::npos ? last : last + 7;
            }
        }
        if (buffer_.size() >= wanted) {
            auto const request = buffer_.substr(0, wanted);
            buffer_.erase(0, wanted);
            return request;
        }
        char bytes[16384];
        auto const count = read_some(bytes, sizeof bytes);
        if (count == 0) return {};
        buffer_.append(bytes, count);
    }
}

void peer::write(std::string_view bytes)
{
    while (!bytes.empty() && descriptor_ >= 0) {
        auto const count = tls_ != nullptr ? ::SSL_write(tls_, bytes.data(), static_cast<int>(bytes.size()))
                                           : static_cast<int>(::write(descriptor_, bytes.data(), bytes.size()));
        if (count <= 0) return;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

void peer::wait_for_close()
{
    char bytes[16384];
    while (read_some(bytes, sizeof bytes) != 0) {}
}

void peer::close()
{
    if (tls_ != nullptr && descriptor_ >= 0) ::SSL_shutdown(tls_);
    close_without_notify();
}

void peer::close_without_notify()
{
    std::lock_guard const lock(closing_);
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    descriptor_ = -1;
}

void peer::reset()
{
    linger const abortive{1, 0};
    ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &abortive, sizeof abortive);
    close_without_notify();
}

void peer::interrupt()
{
    std::lock_guard const lock(closing_);
    if (descriptor_ >= 0) ::shutdown(descriptor_, SHUT_RDWR);
}

std::string peer::server_name() const
{
    auto const* const name = ::SSL_get_servername(tls_, TLSEXT_NAMETYPE_host_name);
    return name != nullptr ? name : "";
}

scripted_server::scripted_server(std::vector<script> scripts) : scripts_(std::move(scripts))
{
    listen();
}

scripted_server::scripted_server(std::vector<script> scripts, test_certificate const& certificate, bool handshake)
    : scripts_(std::move(scripts)), tls_(::SSL_CTX_new(::TLS_server_method()), &::SSL_CTX_free), handshake_(handshake)
{
    auto* const bio =
        ::BIO_new_mem_buf(certificate.certificate.data(), static_cast<int>(certificate.certificate.size()));
    auto* const leaf = ::PEM_read_bio_X509(bio, nullptr, nullptr, nullptr);
    ::BIO_free(bio);
    auto* const key_bio = ::BIO_new_mem_buf(certificate.key.data(), static_cast<int>(certificate.key.size()));
    auto* const key = ::PEM_read_bio_PrivateKey(key_bio, nullptr, nullptr, nullptr);
    ::BIO_free(key_bio);
    check(::SSL_CTX_use_certificate(tls_.get(), leaf) == 1, "certificate");
    check(::SSL_CTX_use_PrivateKey(tls_.get(), key) == 1, "key");
    ::X509_free(leaf);
    ::EVP_PKEY_free(key);
    listen();
}

void scripted_server::listen()
{
    // OpenSSL writes to sockets without MSG_NOSIGNAL.
    std::signal(SIGPIPE, SIG_IGN);
    listener_ = make_listener(port_, 128);
    acceptor_ = std::thread([this] { accept_all(); });
}

void scripted_server::accept_all()
{
    for (;;) {
        auto const descriptor = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (descriptor < 0) return;
        std::lock_guard const lock(mutex_);
        if (stopping_) {
            ::close(descriptor);
            return;
        }
        auto const index = std::min(static_cast<std::size_t>(accepted_++), scripts_.size() - 1);
        auto const end = std::make_shared<peer>(descriptor, tls_.get());
        peers_.push_back(end);
        threads_.emplace_back([this, end, index] {
            if (handshake_ && !end->handshake()) return;
            scripts_[index](*end);
            end->close();
        });
    }
}

scripted_server::~scripted_server()
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

std::string scripted_server::url(std::string_view host) const
{
    return std::string(tls_ ? "https://" : "http://") + std::string(host) + ":" + std::to_string(port_);
}

hanging_port::hanging_port()
{
    descriptors_.push_back(make_listener(port_, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port_);
    // Until one does not get through.
    for (int i = 0; i != 16; ++i) {
        auto const descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        descriptors_.push_back(descriptor);
        ::connect(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address);
        pollfd connected{descriptor, POLLOUT, 0};
        if (::poll(&connected, 1, 100) == 0) return;
    }
    throw std::runtime_error("the queue of a listening socket does not fill");
}

hanging_port::~hanging_port()
{
    for (auto const each : descriptors_) ::close(each);
}

std::string hanging_port::url(std::string_view scheme) const
{
    return std::string(scheme) + "://127.0.0.1:" + std::to_string(port_);
}

std::uint16_t refused_port()
{
    // Bound, so that nobody else gets it, and not listening.
    static std::uint16_t port = 0;
    static int const descriptor = make_listener(port, -1);
    static_cast<void>(descriptor);
    return port;
}

std::string answer(int status, std::string_view body, std::string_view more_fields)
{
    return "HTTP/1.1 " + std::to_string(status) + " Text\r\nContent-Length: " + std::to_string(body.size()) + "\r\n"
        + std::string(more_fields) + "\r\n" + std::string(body);
}

script answering(std::vector<std::string> answers)
{
    return [answers = std::move(answers)](peer& client) {
        for (std::size_t i = 0; !client.read_request().empty(); ++i)
            client.write(answers[std::min(i, answers.size() - 1)]);
    };
}

}  // namespace backbeat::test
