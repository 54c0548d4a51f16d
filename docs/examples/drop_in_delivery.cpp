//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The third example of docs/drop-in.md: a POST whose first connection ends before the handshake does.

#include <backbeat/async_retry.hpp>
#include <backbeat/emulator.hpp>
#include <backbeat/http/classifier.hpp>

#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast.hpp>

using namespace std::chrono_literals;
namespace asio = boost::asio;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;
using request = http::request<http::string_body>;
using response = http::response<http::string_body>;
using tls_stream = asio::ssl::stream<boost::beast::tcp_stream>;

// A listener that hangs up on the first who comes, as a server does that is being restarted, and then the server.
struct origin {
    backbeat::emulator& server;
    tcp::acceptor restarting;
    asio::ssl::context tls{asio::ssl::context::tls_client};

    origin(asio::io_context& context, backbeat::emulator& emulated)
        : server(emulated), restarting(context, {asio::ip::address_v4::loopback(), 0})
    {
        tls.set_verify_mode(asio::ssl::verify_peer);
        tls.add_certificate_authority(asio::buffer(server.ca_certificate()));
        restarting.async_accept([this](boost::system::error_code, tcp::socket) { restarting.close(); });
    }

    [[nodiscard]] asio::awaitable<void> async_connect(tls_stream& stream)
    {
        auto const url = server.tls_url();
        auto const port = static_cast<unsigned short>(std::stoi(url.substr(url.rfind(':') + 1)));
        tcp::endpoint const there(asio::ip::address_v4::loopback(), port);
        auto const endpoint = restarting.is_open() ? restarting.local_endpoint() : there;
        co_await stream.next_layer().async_connect(endpoint, asio::use_awaitable);
        co_await stream.async_handshake(asio::ssl::stream_base::client, asio::use_awaitable);
    }
};

// [delivery
asio::awaitable<response> post(backbeat::attempt const& attempt, origin& server, request const& message)
{
    tls_stream stream(co_await asio::this_coro::executor, server.tls);
    try {
        co_await server.async_connect(stream);  // resolves, connects, shakes hands
    } catch (...) {
        attempt.report(backbeat::delivery::not_sent);
        throw;
    }
    boost::beast::flat_buffer buffer;
    response answer;
    co_await http::async_write(stream, message, asio::use_awaitable);
    co_await http::async_read(stream, buffer, answer, asio::use_awaitable);
    co_return answer;
}

asio::awaitable<response> post_with_retries(origin& server, request const& message)
{
    auto attempt = [&](backbeat::attempt const& now) { return post(now, server, message); };
    backbeat::http::classifier const judge{http::verb::post};
    co_return co_await backbeat::async_retry(attempt, {.attempt_timeout = 10s}, backbeat::classify(judge));
}
// delivery]

int main()
{
    backbeat::emulator_options with_tls;
    with_tls.tls = true;
    backbeat::emulator server(with_tls);
    asio::io_context context;
    origin there(context, server);

    request message(http::verb::post, "/v1/projects/p/locations/l/instances?instanceId=i", 11);
    message.set(http::field::host, "localhost");
    message.set(http::field::content_type, "application/json");
    message.body() = R"({"tier": "BASIC", "memorySizeGb": 1})";
    message.prepare_payload();
    auto posted = asio::co_spawn(context, post_with_retries(there, message), asio::use_future);
    context.run();
    return posted.get().result() == http::status::ok && server.total_effects() == 1 ? 0 : 1;
}
