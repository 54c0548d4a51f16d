//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Two bytes, of which the first says what is asked and how the connection ends and the second how the rest is split,
// and then what the server sends: to a request, and once that is answered to a second one.

#include "require.hpp"

#include <backbeat/http/client.hpp>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace {

using backbeat::fuzz::require;
namespace http = backbeat::http;

int server = -1;  // the other end of the connection that was made last

void hang_up(bool reset)
{
    char unread[4096];
    // A socket that is closed with something unread in it resets the connection.
    while (!reset && ::recv(server, unread, sizeof unread, MSG_DONTWAIT) > 0) {}
    ::close(std::exchange(server, -1));
}

}  // namespace

// In place of the system's: what the client takes for a connection over TCP is a pair of sockets, which needs no port.
extern "C" int socket(int /*domain*/, int type, int /*protocol*/) noexcept
{
    int ends[2];
    if (::socketpair(AF_UNIX, type, 0, ends) != 0) return -1;
    if (server != -1) ::close(server);
    server = ends[1];
    return ends[0];
}

extern "C" int connect(int /*socket*/, sockaddr const* /*to*/, socklen_t /*size*/)
{
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    if (size < 2) return 0;
    auto const is_head = (data[0] & 1) != 0, resets = (data[0] & 2) != 0, drips = (data[0] & 4) != 0;
    std::uint32_t split = data[1];
    std::string_view rest(reinterpret_cast<char const*>(data) + 2, size - 2);

    http::client_options options;
    options.header_limit = 512;
    options.body_limit = 1024;
    options.accept_gzip = (data[0] & 8) != 0;
    boost::asio::io_context context(1);
    auto const work = boost::asio::make_work_guard(context);
    http::client client(context.get_executor(), "http://127.0.0.1", options);
    int started = 0, ended = 0;
    auto const ask = [&] {
        ++started;
        http::request message(is_head ? http::verb::head : http::verb::get, "/", 11);
        client.async_request(std::move(message), [&](boost::system::error_code error, http::response answer) {
            ++ended;
            require(!error || answer.result_int() == 0, "there is no response beside an error");
            require(answer.body().size() <= (is_head ? 0 : options.body_limit), "a body has a limit");
            std::size_t header = 0;
            for (auto const& field : answer) header += field.name_string().size() + field.value().size();
            require(header <= 2 * options.header_limit, "a header has a limit");
        });
        context.poll();
    };
    auto const send = [&](std::string_view bytes) {
        if (server != -1) static_cast<void>(::send(server, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL));
        context.poll();
        if (ended == 1 && started == 1) ask();
    };

    ask();
    for (auto left = rest; !left.empty();) {
        split = split * 1664525U + 1013904223U;
        auto const piece = left.substr(0, data[1] == 0 ? left.size() : 1 + (split >> 16) % data[1]);
        send(piece);
        left.remove_prefix(piece.size());
    }
    // A server that goes on for ever must not be listened to for ever.
    std::string const endless(drips && !rest.empty() ? 4096 : 0, rest.empty() ? ' ' : rest.back());
    for (int i = 0; i != 32 && !endless.empty() && ended != started; ++i) send(endless);
    require(endless.empty() || ended == started, "what is read has a limit");

    for (int i = 0; i != 4 && ended != started; ++i) {
        if (server != -1) hang_up(resets);
        context.poll();
    }
    require(ended == started, "the end of a connection ends its request");
    if (server != -1) hang_up(false);
    return 0;
}
