//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The example of the README, run against the emulator. A test compares the text.

// clang-format off
// [readme
#include <backbeat/async_retry.hpp>
#include <backbeat/http/client.hpp>
#include <boost/asio.hpp>
#include <iostream>

using namespace std::chrono_literals;

boost::asio::awaitable<void> list_instances(backbeat::http::client& redis)
{
    auto list = [&] { return redis.async_get("/v1/projects/my-project/locations/-/instances"); };

    // Waits 1-2 s, 2-3 s, 4-5 s, ... at most 32 s, after each 5xx, 429 or broken connection.
    auto response = co_await backbeat::async_retry(list, {.maximum_backoff = 32s, .maximum_retries = 8});

    std::cout << response.result_int() << ' ' << response.body() << '\n';
}
// readme]
// clang-format on

#include <backbeat/emulator.hpp>
#include <backbeat/fault_rule.hpp>

#include <cstdlib>

// The example has to get through a failing server: the first answer is a 503.
int main()
{
    backbeat::emulator google;
    google.set_faults({backbeat::parse_fault_rule("status=503 first=1")});

    boost::asio::io_context context;
    backbeat::http::client redis(context.get_executor(), google.url());
    boost::asio::co_spawn(context, list_instances(redis), [](std::exception_ptr error) {
        if (error) std::rethrow_exception(error);
    });
    context.run();
    return google.total_requests() == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
