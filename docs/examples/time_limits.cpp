//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// How operations end that are given too little time. Prints the table of docs/time-limits.md.

#include <backbeat/async_retry.hpp>
#include <backbeat/manual_clock.hpp>
#include <backbeat/manual_clock_driver.hpp>

#include <boost/asio.hpp>

#include <iomanip>
#include <iostream>

using namespace std::chrono_literals;
namespace asio = boost::asio;
using timer = asio::basic_waitable_timer<backbeat::manual_clock>;

asio::awaitable<void> hangs()
{
    timer for_long(co_await asio::this_coro::executor, 1h);
    co_await for_long.async_wait(asio::use_awaitable);
}

asio::awaitable<void> is_refused()
{
    throw boost::system::system_error(asio::error::connection_refused);
    co_return;
}

asio::awaitable<void> ignores_cancellation()
{
    timer for_3_s(co_await asio::this_coro::executor, 3s);
    co_await for_3_s.async_wait(asio::bind_cancellation_slot(asio::cancellation_slot(), asio::use_awaitable));
}

// Prints how the operation ended, and returns when.
std::chrono::nanoseconds row(char const* each, asio::awaitable<void> (*attempt)(), backbeat::retry_options options)
{
    asio::io_context context;
    backbeat::manual_clock_driver driver(context);
    backbeat::retry_report report;
    options.jitter = backbeat::jitter::none;
    backbeat::async_retry<backbeat::manual_clock>(
        context.get_executor(), attempt, options, backbeat::report_to(report), [](std::exception_ptr) {});
    driver.run();
    std::cout << std::setw(20) << each << std::setw(9) << options.attempt_timeout / 1s << std::setw(7)
              << options.total_timeout / 1s << std::setw(9) << report.elapsed() / 1s << std::setw(10)
              << report.attempts() << std::setw(11) << to_string(*report.reason()) << "  "
              << (report.error() ? report.error().message() : "none") << '\n';
    return report.elapsed();
}

int main()
{
    std::cout << "        each attempt  attempt  total  ends at  attempts     reason  error\n";
    bool const as_documented = row("hangs", hangs, {.maximum_retries = 2, .attempt_timeout = 2s}) == 9s
        && row("hangs", hangs, {.total_timeout = 10s}) == 10s
        && row("hangs", hangs, {.attempt_timeout = 2s, .total_timeout = 10s}) == 9s
        && row("hangs", hangs, {.attempt_timeout = 4s, .total_timeout = 12s}) == 12s
        && row("is refused", is_refused, {.total_timeout = 10s}) == 7s
        && row("ignores cancellation", ignores_cancellation, {.attempt_timeout = 2s}) == 3s;
    return as_documented ? 0 : 1;
}
