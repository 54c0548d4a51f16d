//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// An operation begins every second for a minute, and every attempt fails from the 10th second to the 40th.

#include <backbeat/async_retry.hpp>
#include <backbeat/circuit_breaker.hpp>
#include <backbeat/manual_clock.hpp>
#include <backbeat/manual_clock_driver.hpp>

#include <boost/asio.hpp>

#include <iostream>

using namespace std::chrono_literals;
namespace asio = boost::asio;
using clock_type = backbeat::manual_clock;

struct watcher final : backbeat::circuit_observer, backbeat::retry_observer {
    std::uint32_t attempts = 0, succeeded = 0;

    void state_changed(backbeat::circuit_breaker const&, backbeat::circuit_change const& change) override
    {
        std::cout << change.at / 1s << " s: " << to_string(change.from) << " -> " << to_string(change.to) << '\n';
    }

    void at_end(backbeat::retry_report const& report) override
    {
        attempts += report.attempts();
        succeeded += report.reason() == backbeat::stop_reason::success;
    }
};

void one_minute(char const* title, backbeat::retry_options options, watcher& watching)
{
    clock_type::reset();
    options.jitter = backbeat::jitter::none;
    options.observer = &watching;
    asio::io_context context;
    backbeat::manual_clock_driver driver(context);
    auto const ask = []() -> asio::awaitable<void> {
        auto const now = clock_type::now().time_since_epoch();
        if (now >= 10s && now < 40s) throw boost::system::system_error(asio::error::connection_refused);
        co_return;
    };
    for (auto begin = 0s; begin != 60s; ++begin) {
        driver.run_until(clock_type::time_point(begin));
        backbeat::async_retry<clock_type>(context.get_executor(), ask, options, asio::detached);
    }
    driver.run();
    std::cout << title << ": " << watching.succeeded << " of 60 succeeded, " << watching.attempts << " attempts\n";
}

int main()
{
    watcher without, with;
    one_minute("without a breaker", {.maximum_retries = 2}, without);
    // [breaker
    // One for all operations that call the same server. It outlives them.
    backbeat::circuit_breaker breaker({.window = 10s, .minimum_throughput = 5, .open_time = 5s, .observer = &with});
    backbeat::retry_options const options{.maximum_retries = 2, .breaker = &breaker};
    // breaker]
    one_minute("with a breaker", options, with);
    return with.attempts < without.attempts / 2 ? 0 : 1;
}
