//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The source of docs/http-client.md: an access token that has been replaced is fetched anew, and the request goes through.

#include <backbeat/emulator.hpp>
#include <backbeat/fault_rule.hpp>
#include <backbeat/http/client.hpp>

#include <boost/asio.hpp>

#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>

using namespace std::chrono_literals;

// [source
namespace asio = boost::asio;
namespace http = backbeat::http;

class token_cache {
public:
    asio::awaitable<std::string> field(std::string rejected)
    {
        // Nobody else has fetched another one since.
        if (field_.empty() || field_ == rejected) field_ = "Bearer " + co_await fetch();
        co_return field_;
    }

private:
    asio::awaitable<std::string> fetch();

    std::string field_ = "Bearer of-yesterday";
};

asio::awaitable<http::response> list(http::client& redis, token_cache& tokens, backbeat::retry_options options)
{
    http::request const message(http::verb::get, "/v1/projects/p/locations/-/instances", 11);
    auto source = [&tokens](std::string rejected) { return tokens.field(std::move(rejected)); };
    co_return co_await redis.async_send(message, options, http::authorize_with(source));
}
// source]

// Stands for a request to a token endpoint.
asio::awaitable<std::string> token_cache::fetch()
{
    std::cout << "fetching a token\n";
    co_return "of-today";
}

int main()
{
    backbeat::emulator_options settings;
    settings.required_token = "of-today";
    backbeat::emulator google(std::move(settings));
    google.set_faults({backbeat::parse_fault_rule("status=503 first=1")});

    asio::io_context context;
    http::client redis(context.get_executor(), google.url());
    token_cache tokens;
    auto listed = asio::co_spawn(context, list(redis, tokens, {.initial_backoff = 10ms}), asio::use_future);
    context.run();
    auto const status = listed.get().result_int();
    std::cout << google.total_requests() << " requests, and at last " << status << '\n';
    return status == 200 ? EXIT_SUCCESS : EXIT_FAILURE;
}
