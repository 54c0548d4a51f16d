//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Ten operations that fail at the same time, and share a budget of five retries.

#include <backbeat/async_retry.hpp>
#include <backbeat/budget_registry.hpp>
#include <backbeat/manual_clock.hpp>
#include <backbeat/manual_clock_driver.hpp>

#include <boost/asio.hpp>

#include <list>

using namespace std::chrono_literals;
namespace asio = boost::asio;
using boost::system::error_code;

int main()
{
    asio::io_context context;
    backbeat::manual_clock_driver driver(context);
    std::list<asio::cancellation_signal> signals;
    int refused = 0;
    int cancelled = 0;

    auto const ask = [](auto token) {
        auto const refuse = [](auto handler) {
            asio::post(asio::append(std::move(handler), error_code(asio::error::connection_refused)));
        };
        return asio::async_initiate<decltype(token), void(error_code)>(refuse, token);
    };
    auto const count = [&](error_code error) { ++(error == asio::error::operation_aborted ? cancelled : refused); };

    // [budget
    // One budget for each server, shared by all operations that call it. The registry outlives them.
    backbeat::budget_registry<> budgets;
    auto& budget = budgets.for_key("redis.googleapis.com");
    backbeat::retry_options const options{.maximum_retries = 3, .budget = &budget};
    // budget]

    for (int i = 0; i != 10; ++i) {
        auto const slot = signals.emplace_back().slot();
        backbeat::async_retry<backbeat::manual_clock>(
            context.get_executor(), ask, options, asio::bind_cancellation_slot(slot, count));
    }
    // Those that get no retry end at once. The others wait, and have paid for it.
    driver.poll();
    if (refused != 5 || budget.balance(0s) != 0) return 1;

    // Cancelled, they give it back.
    for (auto& each : signals) each.emit(asio::cancellation_type::terminal);
    driver.poll();
    return cancelled == 5 && budget.balance(0s) == 5 ? 0 : 1;
}
