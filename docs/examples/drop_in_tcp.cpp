//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The first example of docs/drop-in.md, run against the emulator: first a 503 comes, then a reset.

// [tcp
#include <backbeat/async_retry.hpp>
#include <backbeat/http/classifier.hpp>

#include <boost/asio.hpp>
#include <boost/beast.hpp>

using namespace std::chrono_literals;
namespace asio = boost::asio;
namespace http = boost::beast::http;
using response = http::response<http::string_body>;

// One attempt, as it was before.
asio::awaitable<response> get(std::string host, std::string port, std::string target)
{
    boost::beast::tcp_stream stream(co_await asio::this_coro::executor);
    asio::ip::tcp::resolver resolver(stream.get_executor());
    auto const addresses = co_await resolver.async_resolve(host, port, asio::use_awaitable);
    co_await stream.async_connect(addresses, asio::use_awaitable);

    http::request<http::empty_body> request(http::verb::get, target, 11);
    request.set(http::field::host, host);
    co_await http::async_write(stream, request, asio::use_awaitable);

    boost::beast::flat_buffer buffer;
    response answer;
    co_await http::async_read(stream, buffer, answer, asio::use_awaitable);
    co_return answer;
}

asio::awaitable<response> get_with_retries(std::string host, std::string port, std::string target)
{
    auto attempt = [&] { return get(host, port, target); };
    backbeat::retry_options const options{.attempt_timeout = 10s, .total_timeout = 60s};
    backbeat::http::classifier const judge{http::verb::get};
    co_return co_await backbeat::async_retry(attempt, options, backbeat::classify(judge));
}
// tcp]

#include <backbeat/emulator.hpp>
#include <backbeat/fault_rule.hpp>

int main()
{
    backbeat::emulator server;
    auto const port = server.url().substr(server.url().rfind(':') + 1);
    server.set_faults(
        {backbeat::parse_fault_rule("status=503 retry-after=1 first=1"), backbeat::parse_fault_rule("reset first=1")});
    asio::io_context context;
    auto list = asio::co_spawn(
        context, get_with_retries("127.0.0.1", port, "/v1/projects/p/locations/-/instances"), asio::use_future);
    context.run();
    return list.get().result() == http::status::ok && server.total_requests() == 3 ? 0 : 1;
}
