//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_SUPPORT_EMULATOR_CLIENT_HPP
#define BACKBEAT_TEST_SUPPORT_EMULATOR_CLIENT_HPP

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace backbeat::test {

// One blocking connection that sends whatever a test wants to send. It shares nothing with the library's own client.
class emulator_client {
public:
    struct reply {
        boost::system::error_code error;
        int status = 0;
        std::string body;
        boost::beast::http::fields fields;

        [[nodiscard]] boost::json::value json() const { return boost::json::parse(body); }
    };

    // `url` is what emulator::url or tls_url returned. With a CA: the server must prove to be `host`.
    // Throws boost::system::system_error.
    explicit emulator_client(std::string_view url, std::string const& ca = {}, std::string const& host = "127.0.0.1")
    {
        auto const port = url.substr(url.rfind(':') + 1);
        socket_.connect(
            {boost::asio::ip::address_v4::loopback(), static_cast<unsigned short>(std::stoi(std::string(port)))});
        socket_.set_option(boost::asio::ip::tcp::no_delay(true));
        if (ca.empty()) return;
        auto& context = tls_context_.emplace(boost::asio::ssl::context::tls_client);
        context.add_certificate_authority(boost::asio::buffer(ca));
        tls_ = std::make_unique<tls_stream>(socket_, context);
        tls_->set_verify_mode(boost::asio::ssl::verify_peer);
        tls_->set_verify_callback(boost::asio::ssl::host_name_verification(host));
        tls_->handshake(boost::asio::ssl::stream_base::client);
    }

    boost::system::error_code write(std::string_view text)
    {
        boost::system::error_code ec;
        if (tls_) {
            boost::asio::write(*tls_, boost::asio::buffer(text), ec);
        } else {
            boost::asio::write(socket_, boost::asio::buffer(text), ec);
        }
        return ec;
    }

    reply read(bool head = false)
    {
        boost::beast::http::response_parser<boost::beast::http::string_body> parser;
        parser.skip(head);
        parser.body_limit(boost::none);
        reply result;
        if (tls_) {
            boost::beast::http::read(*tls_, buffer_, parser, result.error);
        } else {
            boost::beast::http::read(socket_, buffer_, parser, result.error);
        }
        if (!parser.is_header_done()) return result;
        result.status = static_cast<int>(parser.get().result_int());
        result.body = parser.get().body();
        result.fields = parser.get().base();
        return result;
    }

    reply send(
        std::string const& method,
        std::string const& target,
        std::optional<std::string> const& body = {},
        std::string const& fields = {})
    {
        auto text = method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + fields;
        if (body) text += "Content-Length: " + std::to_string(body->size()) + "\r\n";
        reply failed;
        failed.error = write(text + "\r\n" + body.value_or(""));
        return failed.error ? failed : read(method == "HEAD");
    }

    reply get(std::string const& target) { return send("GET", target); }
    reply post(std::string const& target, std::string const& body) { return send("POST", target, body); }

    void close() { socket_.close(); }
    boost::asio::ip::tcp::socket& socket() { return socket_; }

private:
    using tls_stream = boost::asio::ssl::stream<boost::asio::ip::tcp::socket&>;

    boost::asio::io_context context_{1};
    boost::asio::ip::tcp::socket socket_{context_};
    std::optional<boost::asio::ssl::context> tls_context_;
    std::unique_ptr<tls_stream> tls_;
    boost::beast::flat_buffer buffer_;
};

}  // namespace backbeat::test

#endif
