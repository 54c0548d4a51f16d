//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The examples of docs/credentials.md, run against an emulator that wants a token. The first that is got is a stale one.

// [first
#include <backbeat/http/client.hpp>
#include <backbeat/memorystore/token_provider.hpp>

#include <boost/asio.hpp>

namespace asio = boost::asio;
namespace http = backbeat::http;
namespace memorystore = backbeat::memorystore;

asio::awaitable<http::response> list(http::client& redis, memorystore::token_provider tokens)
{
    http::request message(http::verb::get, "/v1/projects/p/locations/-/instances", 11);
    auto token = co_await tokens.async_get_token();
    message.set(http::field::authorization, "Bearer " + token.value);
    auto answer = co_await redis.async_send(message);
    if (answer.result() == http::status::unauthorized) {
        // Rejected before its time: another one, which all that were rejected share.
        token = co_await tokens.async_refresh_token(token);
        message.set(http::field::authorization, "Bearer " + token.value);
        answer = co_await redis.async_send(message);
    }
    co_return answer;
}
// first]

#include <backbeat/emulator.hpp>
#include <backbeat/emulator_options.hpp>

#include <cstdlib>
#include <iostream>

using namespace std::chrono_literals;

// [default
memorystore::token_provider whoever_the_machine_says(asio::any_io_executor executor)
{
    auto const who = memorystore::credentials::application_default();
    return memorystore::token_provider(executor, who);
}
// default]

// [custom
// Tokens that another program leaves somewhere, each good for ten minutes.
class left_tokens {
public:
    asio::awaitable<memorystore::access_token> next()
    {
        auto const value = count_++ == 0 ? "stale" : "fresh";
        co_return memorystore::access_token(value, std::chrono::system_clock::now() + 10min);
    }

private:
    int count_ = 0;
};

memorystore::token_provider make_provider(asio::any_io_executor executor, left_tokens& tokens)
{
    auto next = [&tokens] { return tokens.next(); };
    auto const who = memorystore::credentials::custom(next, "tokens of the other program");
    return memorystore::token_provider(executor, who);
}
// custom]

// [errors
asio::awaitable<bool> is_ready(memorystore::token_provider tokens, std::ostream& log)
{
    bool ready = false;
    try {
        auto const token = co_await tokens.async_get_token();
        log << "requests are sent by: " << tokens.describe() << '\n';
        ready = true;
    } catch (memorystore::error const& problem) {
        log << problem.what() << '\n';
    }
    co_return ready;
}
// errors]

int main()
{
    backbeat::emulator_options strict;
    strict.required_token = "fresh";
    backbeat::emulator google(strict);

    asio::io_context context;
    http::client redis(context.get_executor(), google.url());
    left_tokens left;
    auto tokens = make_provider(context.get_executor(), left);
    auto listed = asio::co_spawn(context, list(redis, tokens), asio::use_future);
    context.run();

    context.restart();
    auto ready = asio::co_spawn(context, is_ready(tokens, std::cout), asio::use_future);
    ::setenv("GOOGLE_APPLICATION_CREDENTIALS", "/no/such/key.json", 1);
    auto nobody = whoever_the_machine_says(context.get_executor());
    auto not_ready = asio::co_spawn(context, is_ready(nobody, std::cout), asio::use_future);
    context.run();

    bool const as_documented =
        listed.get().result() == http::status::ok && google.total_requests() == 2 && ready.get() && !not_ready.get();
    return as_documented ? EXIT_SUCCESS : EXIT_FAILURE;
}
