//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The four forms of an operation, of which docs/retrying.md tells.

#include <backbeat/async_retry.hpp>
#include <backbeat/manual_clock.hpp>
#include <backbeat/manual_clock_driver.hpp>

#include <boost/asio.hpp>

namespace asio = boost::asio;
using boost::system::error_code;
using clock_type = backbeat::manual_clock;

// Lets every second caller in, and says how many there were.
struct server {
    int calls = 0;
    unsigned resent = 0;

    template <class Token>
    auto async_ask(unsigned resend_count, Token token)
    {
        resent += resend_count;
        auto const answer = [this](auto handler) {
            auto const error = ++calls % 2 == 0 ? error_code() : error_code(asio::error::connection_refused);
            asio::post(asio::append(std::move(handler), error, calls));
        };
        return asio::async_initiate<Token, void(error_code, int)>(answer, token);
    }
};

asio::awaitable<int> ask_in_four_ways(server& redis)
{
    // [forms
    // 1. An initiating function that is told about its attempt.
    auto initiating_and_told = [&](backbeat::attempt const& now, auto token) {
        return redis.async_ask(now.resend_count(), std::move(token));
    };
    // 2. A function that returns an awaitable, or a deferred operation.
    auto coroutine = [&]() -> asio::awaitable<int> { co_return co_await redis.async_ask(0, asio::use_awaitable); };
    // 3. An initiating function.
    auto initiating = [&](auto token) { return redis.async_ask(0, std::move(token)); };
    // 4. As the second, but it is told about its attempt.
    auto told = [&](backbeat::attempt const& now) { return redis.async_ask(now.resend_count(), asio::deferred); };
    // forms]
    co_await backbeat::async_retry<clock_type>(initiating_and_told);
    co_await backbeat::async_retry<clock_type>(coroutine);
    co_await backbeat::async_retry<clock_type>(initiating);
    co_return co_await backbeat::async_retry<clock_type>(told);
}

int main()
{
    asio::io_context context;
    backbeat::manual_clock_driver driver(context);
    server redis;
    int last = 0;
    asio::co_spawn(context, ask_in_four_ways(redis), [&](std::exception_ptr, int call) { last = call; });
    driver.run();
    return last == 8 && redis.resent == 2 ? 0 : 1;
}
