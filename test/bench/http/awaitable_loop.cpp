//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "beast_stream.hpp"
#include "contender.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>

#include <chrono>
#include <exception>
#include <list>

namespace bench {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;

template <class Stream>
class awaitable_loop final : public http_contender {
public:
    explicit awaitable_loop(http_target const& target) : target_(target)
    {
        for (std::size_t i = 0; i != in_flight; ++i)
            connections_.push_back({connect<Stream>(context_, tls_, target_), {}});
    }

    void run(std::size_t requests) override
    {
        left_ = requests;
        for (auto& each : connections_) {
            asio::co_spawn(context_, get_all(each), [](std::exception_ptr failure) {
                if (failure) std::rethrow_exception(failure);
            });
        }
        context_.restart();
        context_.run();
    }

private:
    struct connection {
        Stream stream;
        beast::flat_buffer buffer;
    };

    asio::awaitable<void> get_all(connection& on)
    {
        auto const request = make_get(target_);
        while (left_ != 0) {
            --left_;
            co_await get_one(on, request);
        }
    }

    asio::awaitable<void> get_one(connection& on, get_request const& request)
    {
        for (;;) {
            beast::get_lowest_layer(on.stream).expires_after(std::chrono::seconds(60));
            co_await beast::http::async_write(on.stream, request, asio::use_awaitable);
            beast::http::response<beast::http::string_body> response;
            co_await beast::http::async_read(on.stream, on.buffer, response, asio::use_awaitable);
            if (is_refusal(response.result_int())) continue;
            check_response(target_, response.result_int(), response.body().size());
            co_return;
        }
    }

    http_target target_;
    asio::io_context context_{1};
    asio::ssl::context tls_ = make_tls(target_);
    std::size_t left_ = 0;
    std::list<connection> connections_;
};

}  // namespace

std::unique_ptr<http_contender> make_awaitable_loop(http_target const& target)
{
    if (target.tls) return std::make_unique<awaitable_loop<beast::ssl_stream<beast::tcp_stream>>>(target);
    return std::make_unique<awaitable_loop<beast::tcp_stream>>(target);
}

}  // namespace bench
