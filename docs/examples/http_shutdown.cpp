//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The example of docs/http-client.md that ends a service: a SIGTERM comes while a request is being served.

#include <backbeat/emulator.hpp>
#include <backbeat/fault_rule.hpp>
#include <backbeat/http/client.hpp>

#include <boost/asio.hpp>

#include <csignal>
#include <cstdlib>

using namespace std::chrono_literals;
namespace asio = boost::asio;
namespace http = backbeat::http;

// [close
// Lets what was begun come to its end, for 10 s at most.
asio::awaitable<void> close_at_sigterm(http::client& client)
{
    auto const executor = co_await asio::this_coro::executor;
    asio::signal_set signals(executor, SIGTERM);
    co_await signals.async_wait(asio::use_awaitable);

    asio::steady_timer patience(executor, 10s);
    patience.async_wait([&client](boost::system::error_code error) {
        if (!error) client.close();  // ends what still runs with `operation_aborted`
    });
    co_await client.async_close(asio::use_awaitable);
}
// close]

int main()
{
    backbeat::emulator google;
    google.set_faults({backbeat::parse_fault_rule("delay=200ms first=1")});
    asio::io_context context;
    http::client redis(context.get_executor(), google.url());

    boost::system::error_code begun_before;
    boost::system::error_code begun_after;
    auto const ask = [&](boost::system::error_code& end) {
        redis.async_get(
            "/v1/projects/p/locations/-/instances",
            [&end](boost::system::error_code error, http::response const& /*answer*/) { end = error; });
    };
    asio::co_spawn(context, close_at_sigterm(redis), [&](std::exception_ptr) { ask(begun_after); });
    ask(begun_before);
    asio::steady_timer soon(context, 50ms);
    soon.async_wait([](boost::system::error_code) { std::raise(SIGTERM); });
    context.run();
    bool const as_documented =
        !begun_before && begun_after == http::errc::client_closed && google.total_requests() == 1;
    return as_documented ? EXIT_SUCCESS : EXIT_FAILURE;
}
