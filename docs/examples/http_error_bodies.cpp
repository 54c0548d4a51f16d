//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The example of docs/http-client.md that reads error bodies: an instance is deleted that is still being created.

#include <backbeat/emulator.hpp>
#include <backbeat/http/client.hpp>

#include <boost/asio.hpp>

#include <cstdlib>

using namespace std::chrono_literals;
namespace asio = boost::asio;
namespace http = backbeat::http;
using boost::system::error_code;

// [bodies
// As `http::classifier`, except that a 400 that says FAILED_PRECONDITION means "not yet".
struct by_body {
    backbeat::verdict operator()(
        backbeat::attempt const& ended, error_code const& error, http::response const& got) const
    {
        auto judged = http::classifier{http::verb::delete_}(ended, error, got);
        if (got.result() == http::status::bad_request && got.body().find("FAILED_PRECONDITION") != std::string::npos) {
            judged.kind = backbeat::verdict_kind::retry;
            judged.delivered = backbeat::delivery::rejected;  // the server did not act
        }
        return judged;
    }
};

asio::awaitable<http::response> remove(http::client& redis, std::string target)
{
    http::request const message(http::verb::delete_, target, 11);
    backbeat::retry_options const patient{.initial_backoff = 100ms, .maximum_retries = 20};
    by_body const judge;
    co_return co_await redis.async_send(message, patient, backbeat::classify(judge));
}
// bodies]

asio::awaitable<bool> create_and_remove(http::client& redis)
{
    auto const created = co_await redis.async_post(
        "/v1/projects/p/locations/l/instances?instanceId=cache",
        R"({"tier": "BASIC", "memorySizeGb": 1})",
        "application/json");
    auto const removed = co_await remove(redis, "/v1/projects/p/locations/l/instances/cache");
    co_return created.result() == http::status::ok&& removed.result() == http::status::ok;
}

int main()
{
    backbeat::emulator_options slow;
    slow.operation_time = 2s;
    backbeat::emulator const google(slow);
    asio::io_context context;
    http::client redis(context.get_executor(), google.url());
    auto done = asio::co_spawn(context, create_and_remove(redis), asio::use_future);
    context.run();
    // The instance takes two seconds, so that the first answer is a 400.
    return done.get() && google.total_effects() == 2 && google.total_requests() > 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
