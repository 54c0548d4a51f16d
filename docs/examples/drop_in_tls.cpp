//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The second example of docs/drop-in.md, run against the emulator: a certificate that is not trusted, then a 503.

// [tls
#include <backbeat/async_retry.hpp>
#include <backbeat/http/classifier.hpp>

#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast.hpp>

using namespace std::chrono_literals;
namespace asio = boost::asio;
namespace http = boost::beast::http;
using response = http::response<http::string_body>;

asio::awaitable<response> get(asio::ssl::context& tls, std::string host, std::string port, std::string target)
{
    asio::ssl::stream<boost::beast::tcp_stream> stream(co_await asio::this_coro::executor, tls);
    if (SSL_set_tlsext_host_name(stream.native_handle(), host.c_str()) != 1) throw std::bad_alloc();
    stream.set_verify_mode(asio::ssl::verify_peer);
    stream.set_verify_callback(asio::ssl::host_name_verification(host));
    asio::ip::tcp::resolver resolver(stream.get_executor());
    auto const addresses = co_await resolver.async_resolve(host, port, asio::use_awaitable);
    co_await stream.next_layer().async_connect(addresses, asio::use_awaitable);
    co_await stream.async_handshake(asio::ssl::stream_base::client, asio::use_awaitable);
    http::request<http::empty_body> request(http::verb::get, target, 11);
    request.set(http::field::host, host);
    co_await http::async_write(stream, request, asio::use_awaitable);
    boost::beast::flat_buffer buffer;
    response answer;
    co_await http::async_read(stream, buffer, answer, asio::use_awaitable);
    co_return answer;
}

asio::awaitable<response> list(asio::ssl::context& tls, std::string host, std::string port)
{
    auto attempt = [&] { return get(tls, host, port, "/v1/projects/p/locations/-/instances"); };
    backbeat::http::classifier const judge{http::verb::get};
    co_return co_await backbeat::async_retry(attempt, {.attempt_timeout = 10s}, backbeat::classify(judge));
}
// tls]

#include <backbeat/emulator.hpp>
#include <backbeat/fault_rule.hpp>
#include <backbeat/http/error.hpp>

int main()
{
    backbeat::emulator_options with_tls;
    with_tls.tls = true;
    backbeat::emulator server(with_tls);
    auto const port = server.tls_url().substr(server.tls_url().rfind(':') + 1);
    server.set_faults({backbeat::parse_fault_rule("status=503 first=1")});

    asio::ssl::context tls(asio::ssl::context::tls_client);
    asio::io_context context;
    auto const listed = [&] {
        auto result = asio::co_spawn(context, list(tls, "localhost", port), asio::use_future);
        context.restart();
        context.run();
        return result;
    };
    // Not repeated: that the certificate is not trusted will not change.
    bool refused = false;
    try {
        listed().get();
    } catch (boost::system::system_error const& error) {
        refused = backbeat::http::is_certificate_error(error.code());
    }
    tls.add_certificate_authority(asio::buffer(server.ca_certificate()));
    auto const answered = listed().get().result() == http::status::ok && server.total_requests() == 2;
    return refused && answered ? 0 : 1;
}
