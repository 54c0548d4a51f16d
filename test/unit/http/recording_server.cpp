//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "recording_server.hpp"

#include "check.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <utility>

namespace backbeat::test {

namespace {

sockaddr_in local_address(std::uint16_t port)
{
    sockaddr_in result{};
    result.sin_family = AF_INET;
    result.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    result.sin_port = htons(port);
    return result;
}

std::shared_ptr<SSL_CTX> make_context(int version, test_certificate const& from)
{
    std::shared_ptr<SSL_CTX> result(::SSL_CTX_new(::TLS_server_method()), &::SSL_CTX_free);
    using bio = std::unique_ptr<BIO, decltype(&::BIO_free)>;
    auto const read = [](std::string const& text) {
        return bio(::BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), &::BIO_free);
    };
    std::unique_ptr<X509, decltype(&::X509_free)> const leaf(
        ::PEM_read_bio_X509(read(from.certificate).get(), nullptr, nullptr, nullptr), &::X509_free);
    std::unique_ptr<EVP_PKEY, decltype(&::EVP_PKEY_free)> const key(
        ::PEM_read_bio_PrivateKey(read(from.key).get(), nullptr, nullptr, nullptr), &::EVP_PKEY_free);
    check(::SSL_CTX_use_certificate(result.get(), leaf.get()) == 1, "certificate");
    check(::SSL_CTX_use_PrivateKey(result.get(), key.get()) == 1, "key");
    check(::SSL_CTX_set_min_proto_version(result.get(), version) == 1, "version");
    check(::SSL_CTX_set_max_proto_version(result.get(), version) == 1, "version");
    return result;
}

}  // namespace

recording_server::recording_server(responder respond, int tls, test_certificate const& certificate)
    : respond_(respond), tls_(tls != 0 ? make_context(tls, certificate) : nullptr)
{
    // OpenSSL writes to sockets without MSG_NOSIGNAL.
    std::signal(SIGPIPE, SIG_IGN);
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    // For all its connections. A client with much to say has to wait in the middle.
    int const little = 16 * 1024;
    int const yes = 1;
    ::setsockopt(listener_, SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
    ::setsockopt(listener_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    auto address = local_address(0);
    socklen_t size = sizeof address;
    check(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0, "bind");
    check(::listen(listener_, 128) == 0, "listen");
    check(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0, "getsockname");
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
}

recording_server::~recording_server()
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

std::string recording_server::url(std::string_view host) const
{
    return std::string(tls_ ? "https://" : "http://") + std::string(host) + ":" + std::to_string(port_);
}

bool recording_server::wait_for_end_of_all()
{
    // Accepted in their order: with this one, all before it have been.
    auto const last = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    auto own = local_address(0);
    socklen_t size = sizeof own;
    check(::bind(last, reinterpret_cast<sockaddr*>(&own), size) == 0, "bind");
    check(::getsockname(last, reinterpret_cast<sockaddr*>(&own), &size) == 0, "getsockname");
    {
        std::lock_guard const lock(mutex_);
        --accepted_;
        --closed_;
        last_port_ = ntohs(own.sin_port);
    }
    auto const address = local_address(port_);
    check(::connect(last, reinterpret_cast<sockaddr const*>(&address), sizeof address) == 0, "connect");
    ::close(last);
    std::unique_lock lock(mutex_);
    if (!one_closed_.wait_for(lock, patience, [this] { return last_port_ == 0 && closed_ == accepted_; })) return false;
    for (auto& each : threads_) each.join();
    threads_.clear();
    peers_.clear();
    return true;
}

std::vector<recording_server::copy> recording_server::take_copies()
{
    std::lock_guard const lock(mutex_);
    return std::exchange(copies_, {});
}

int recording_server::take_accepted()
{
    std::lock_guard const lock(mutex_);
    return accepted_ - std::exchange(accepted_before_, accepted_);
}

void recording_server::accept_all()
{
    for (;;) {
        sockaddr_in from{};
        socklen_t size = sizeof from;
        auto const descriptor = ::accept4(listener_, reinterpret_cast<sockaddr*>(&from), &size, SOCK_CLOEXEC);
        if (descriptor < 0) return;
        auto const client = std::make_shared<peer>(descriptor, tls_.get());
        std::lock_guard const lock(mutex_);
        if (stopping_) return;
        if (ntohs(from.sin_port) == last_port_) last_port_ = 0;
        ++accepted_;
        peers_.push_back(client);
        threads_.emplace_back([this, client] {
            serve(*client);
            std::lock_guard const at_end(mutex_);
            ++closed_;
            one_closed_.notify_all();
        });
    }
}

void recording_server::serve(peer& client)
{
    if (client.handshake()) {
        for (;;) {
            auto const request = client.read_request();
            if (request.empty()) break;
            {
                std::lock_guard const lock(mutex_);
                copies_.push_back({request, true});
            }
            auto const response = respond_(request);
            // In parts, so that there is more than one place at which it can break.
            auto const part = response.size() / 3 + 1;
            for (std::string_view rest = response; !rest.empty(); rest.remove_prefix(std::min(part, rest.size())))
                client.write(rest.substr(0, part));
            if (response.find("Connection: close\r\n") != std::string::npos) break;
        }
        if (!client.unfinished().empty()) {
            std::lock_guard const lock(mutex_);
            copies_.push_back({client.unfinished(), false});
        }
    }
    client.close();
}

}  // namespace backbeat::test
