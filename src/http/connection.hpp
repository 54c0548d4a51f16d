//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_HTTP_CONNECTION_HPP
#define BACKBEAT_SRC_HTTP_CONNECTION_HPP

#include "origin.hpp"
#include "tls_context.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>

namespace backbeat::http::detail {

// A TCP connection, perhaps with TLS on it, and what was read from it too early. Made for one use after another, until
// something goes wrong: then it is thrown away, since neither a socket nor a TLS stream can be trusted after that.
class connection {
public:
    // The socket is connected. `tls` is null for plain TCP. Throws boost::system::system_error if OpenSSL refuses to
    // make a stream.
    connection(boost::asio::ip::tcp::socket connected, tls_context* tls, origin const& to);
    connection(connection const&) = delete;
    connection& operator=(connection const&) = delete;
    ~connection();

    [[nodiscard]] bool uses_tls() const noexcept { return tls_.has_value(); }
    [[nodiscard]] bool uses_tls_1_3();

    // What is under way ends soon, and nobody is to use the connection any more.
    void close() noexcept;

    template <class Handler>
    void async_handshake(Handler handler)
    {
        tls_->async_handshake(boost::asio::ssl::stream_base::client, std::move(handler));
    }

    // To be called with its result. Says better than OpenSSL's packed error why it failed.
    [[nodiscard]] boost::system::error_code end_handshake(boost::system::error_code error);

    template <class Handler>
    void async_write_some(boost::asio::const_buffer bytes, Handler handler)
    {
        if (tls_)
            tls_->async_write_some(bytes, std::move(handler));
        else
            socket_.async_write_some(bytes, std::move(handler));
    }

    // What the socket takes at once. `would_block`: nothing, or there is TLS, which may have to read before it writes.
    [[nodiscard]] std::size_t write_at_once(boost::asio::const_buffer bytes, boost::system::error_code& error);

    // Read into `buffer`, whose prepared part the handler has to commit.
    template <class Handler>
    void async_read_some_of_socket(Handler handler)
    {
        socket_.async_read_some(buffer.prepare(read_size), std::move(handler));
    }

    template <class Handler>
    void async_read_some_of_tls(Handler handler)
    {
        tls_->async_read_some(buffer.prepare(read_size), std::move(handler));
    }

    // Nothing is left over: neither in the buffer, nor in the TLS stream, where a peek at the socket would not see it.
    [[nodiscard]] bool is_drained();

    // The server neither closed the connection nor said anything that nobody asked for.
    [[nodiscard]] bool is_alive();

    boost::beast::flat_buffer buffer;
    std::chrono::steady_clock::time_point idle_since{};

private:
    static constexpr std::size_t read_size = 16 * 1024;

    boost::asio::ip::tcp::socket socket_;
    tls_context* context_;
    std::optional<boost::asio::ssl::stream<boost::asio::ip::tcp::socket&>> tls_;
};

}  // namespace backbeat::http::detail

#endif
