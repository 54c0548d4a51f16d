//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_HTTP_BEAST_STREAM_HPP
#define BACKBEAT_TEST_BENCH_HTTP_BEAST_STREAM_HPP

#include "contender.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <boost/beast/core/string_type.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>

#include <string>
#include <type_traits>

// What the two loops on Beast have in common. Their streams are a socket or a `tcp_stream`, perhaps with TLS on it.
namespace bench {

using get_request = boost::beast::http::request<boost::beast::http::empty_body>;

[[nodiscard]] inline get_request make_get(http_target const& target)
{
    namespace http = boost::beast::http;
    get_request result(http::verb::get, target.path, 11);
    result.set(http::field::host, "127.0.0.1:" + std::to_string(target.port));
    result.set(http::field::user_agent, boost::beast::string_view(http_user_agent.data(), http_user_agent.size()));
    return result;
}

[[nodiscard]] inline boost::asio::ssl::context make_tls(http_target const& target)
{
    namespace ssl = boost::asio::ssl;
    ssl::context result(ssl::context::tls_client);
    result.set_verify_mode(ssl::verify_peer);
    result.set_verify_callback(ssl::host_name_verification("127.0.0.1"));
    if (target.tls) result.load_verify_file(target.authority_file);
    return result;
}

template <class Stream>
[[nodiscard]] Stream connect(
    boost::asio::io_context& context, boost::asio::ssl::context& tls, http_target const& target)
{
    using boost::asio::ip::tcp;
    constexpr auto with_tls = requires(Stream & each)
    {
        each.handshake(boost::asio::ssl::stream_base::client);
    };
    auto stream = [&] {
        if constexpr (with_tls)
            return Stream(context, tls);
        else
            return Stream(context);
    }();
    auto& lowest = boost::beast::get_lowest_layer(stream);
    auto& socket = [&lowest]() -> tcp::socket& {
        if constexpr (std::is_same_v<decltype(lowest), tcp::socket&>)
            return lowest;
        else
            return lowest.socket();
    }();
    socket.connect({boost::asio::ip::address_v4::loopback(), target.port});
    socket.set_option(tcp::no_delay(true));
    if constexpr (with_tls) stream.handshake(boost::asio::ssl::stream_base::client);
    return stream;
}

}  // namespace bench

#endif
