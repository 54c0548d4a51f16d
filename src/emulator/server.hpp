//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_SERVER_HPP
#define BACKBEAT_SRC_EMULATOR_SERVER_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace backbeat::emulation {

class service;
struct server_identity;

struct server_limits {
    std::size_t header = 16 * 1024;
    std::size_t body = 1024 * 1024;
    std::chrono::nanoseconds idle = std::chrono::minutes(5);
};

// Speaks HTTP/1.1 with any number of clients in one thread of its own, and asks a service what to answer.
class server {
public:
    server(service& answers, server_limits const& limits);
    ~server();

    // Binds an address (a number or a name), and returns the port. With an identity the clients must speak TLS.
    // Throws boost::system::system_error.
    std::uint16_t listen(std::string const& host, std::uint16_t port, server_identity const* identity);

    // Begins to accept.
    void start();

    // Ends every connection, answers that are being written first. Any number of times, from any thread but its own.
    void stop() noexcept;

    [[nodiscard]] std::size_t open_connections() const noexcept;
    [[nodiscard]] std::size_t peak_connections() const noexcept;

private:
    class impl;
    std::unique_ptr<impl> impl_;
};

}  // namespace backbeat::emulation

#endif
