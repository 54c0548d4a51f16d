//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The test of docs/testing.md: what certain retry settings do to a server that is down for a while, in virtual time.

// [virtual_time
#include <backbeat/async_retry.hpp>
#include <backbeat/manual_clock_driver.hpp>

#include <boost/asio.hpp>

#include <iostream>
#include <vector>

using namespace std::chrono_literals;
using backbeat::manual_clock;

// The settings under test, as the program uses them.
constexpr backbeat::retry_options settings{
    .initial_backoff = 500ms, .maximum_backoff = 4s, .maximum_retries = 10, .total_timeout = 15s};

// Lets one operation call a server that is down for a time, and returns when its attempts were made.
std::vector<std::chrono::nanoseconds> attempts_if_down_for(std::chrono::nanoseconds down, backbeat::retry_options with)
{
    boost::asio::io_context context;
    backbeat::manual_clock_driver driver(context);
    auto const begin = manual_clock::now();
    std::vector<std::chrono::nanoseconds> attempts;

    auto call = [&]() -> boost::asio::awaitable<void> {
        attempts.push_back(manual_clock::now() - begin);
        if (attempts.back() < down) throw boost::system::system_error(boost::asio::error::connection_refused);
        co_return;
    };
    backbeat::async_retry<manual_clock>(context.get_executor(), call, with, [](std::exception_ptr) {});
    driver.run();
    return attempts;
}

int main()
{
    using times = std::vector<std::chrono::nanoseconds>;
    auto exact = settings;
    exact.jitter = backbeat::jitter::none;

    // It succeeds with the first attempt after the server is back.
    if (attempts_if_down_for(3s, exact) != times{0s, 500ms, 1500ms, 3500ms}) return 1;
    // It gives up when the next wait would end past the total time-out, and does not wait for that.
    if (attempts_if_down_for(1h, exact) != times{0s, 500ms, 1500ms, 3500ms, 7500ms, 11500ms}) return 2;
    // Jitter adds to the waits, so there cannot be more attempts than without.
    if (attempts_if_down_for(1h, settings).size() > 6) return 3;
    std::cout << "The settings do as expected, and it took " << manual_clock::now().time_since_epoch() / 1s
              << " virtual seconds\n";
}
// virtual_time]
