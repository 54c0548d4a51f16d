//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The example of docs/hedging.md, in virtual time: the first answer is lost, the second takes 20 ms.

#include <backbeat/async_hedge.hpp>
#include <backbeat/async_retry.hpp>
#include <backbeat/manual_clock.hpp>
#include <backbeat/manual_clock_driver.hpp>
#include <backbeat/retry_budget.hpp>

#include <boost/asio.hpp>

using namespace std::chrono_literals;
namespace asio = boost::asio;
using clock_type = backbeat::manual_clock;
int requests = 0;

// Each attempt has a timer of its own: attempts overlap.
asio::awaitable<int> ask()
{
    asio::basic_waitable_timer<clock_type> answer(co_await asio::this_coro::executor, ++requests == 1 ? 1h : 20ms);
    co_await answer.async_wait(asio::use_awaitable);
    co_return 200;
}

asio::awaitable<void> example(int& status)
{
    // [hedging
    backbeat::latency_tracker latency;  // one for each kind of request
    backbeat::retry_budget budget;  // one for each server: that of all its further attempts
    backbeat::hedge_options const hedging{.delay = 200ms, .latency = &latency, .total_timeout = 10s, .budget = &budget};

    status = co_await backbeat::async_hedge<clock_type>(ask, hedging);
    // hedging]

    // [retried
    auto hedged = [&](auto&& token) {
        return backbeat::async_hedge<clock_type>(ask, hedging, std::forward<decltype(token)>(token));
    };
    status += co_await backbeat::async_retry<clock_type>(hedged, {.maximum_retries = 3});
    // retried]
}

int main()
{
    asio::io_context context;
    int status = 0;
    asio::co_spawn(context, example(status), asio::detached);
    backbeat::manual_clock_driver(context).run();
    // 220 ms and 20 ms, instead of an hour.
    return status == 400 && requests == 3 && clock_type::now().time_since_epoch() == 240ms ? 0 : 1;
}
