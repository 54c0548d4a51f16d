//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Prints the table of docs/hedging.md: what hedging gains and costs, of 2000 requests each, in virtual time.

#include <backbeat/async_hedge.hpp>
#include <backbeat/manual_clock.hpp>
#include <backbeat/manual_clock_driver.hpp>
#include <backbeat/retry_budget.hpp>

#include <boost/asio.hpp>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

using namespace std::chrono_literals;
namespace asio = boost::asio;
using clock_type = backbeat::manual_clock;
using timer = asio::basic_waitable_timer<clock_type>;
using std::chrono::milliseconds;

struct totals {
    double attempts = 0;  // a request
    milliseconds median{}, percentile_99{};
};

// A request every 10 ms. An answer takes 20 to 100 ms; of a hundred, `slow` take ten times as long.
totals run(char const* what, unsigned slow, backbeat::hedge_options const& options)
{
    clock_type::reset();
    asio::io_context context;
    std::mt19937 random(1);
    int attempts = 0;
    std::vector<milliseconds> times;
    auto const answer = [&](auto token) {
        ++attempts;
        auto const usual = milliseconds(20 + random() % 81);
        auto waiting = std::make_shared<timer>(context, random() % 100 < slow ? usual * 10 : usual);
        return waiting->async_wait(asio::consign(std::move(token), waiting));
    };
    auto const request = [&]() -> asio::awaitable<void> {
        auto const start = clock_type::now();
        co_await backbeat::async_hedge<clock_type>(answer, options, asio::use_awaitable);
        times.push_back(std::chrono::duration_cast<milliseconds>(clock_type::now() - start));
    };
    auto const all = [&]() -> asio::awaitable<void> {
        timer next(context, 0s);
        for (int i = 0; i != 2000; ++i) {
            asio::co_spawn(context, request, asio::detached);
            next.expires_at(next.expiry() + 10ms);
            co_await next.async_wait(asio::use_awaitable);
        }
    };
    asio::co_spawn(context, all, asio::detached);
    backbeat::manual_clock_driver(context).run();

    std::sort(times.begin(), times.end());
    totals const result{attempts / 2000.0, times[times.size() / 2], times[times.size() * 99 / 100]};
    std::printf(
        "  %-26s%8.2f%13d%10d\n",
        what,
        result.attempts,
        static_cast<int>(result.median.count()),
        static_cast<int>(result.percentile_99.count()));
    return result;
}

int main()
{
    backbeat::retry_budget budget, budget_in_trouble;
    backbeat::latency_tracker latency, latency_in_trouble;
    std::puts("                            attempts    median ms   99 % ms");
    std::puts("2 answers in 100 are slow");
    auto const plain = run("not hedged", 2, {.maximum_attempts = 1});
    auto const hedged = run("delay = 100 ms", 2, {.delay = 100ms});
    run("delay = 0", 2, {.delay = 0ms});
    run("latency", 2, {.delay = 100ms, .latency = &latency});
    run("budget", 2, {.delay = 100ms, .budget = &budget});
    std::puts("all answers are slow");
    run("not hedged", 100, {.maximum_attempts = 1});
    auto const doubled = run("delay = 100 ms", 100, {.delay = 100ms});
    run("latency", 100, {.delay = 100ms, .latency = &latency_in_trouble});
    auto const limited = run("budget", 100, {.delay = 100ms, .budget = &budget_in_trouble});

    bool const gains = hedged.percentile_99 * 3 < plain.percentile_99 && hedged.attempts < 1.1;
    return gains && doubled.attempts > 1.9 && limited.attempts < 1.3 ? 0 : 1;
}
