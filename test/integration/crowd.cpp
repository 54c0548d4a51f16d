//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Ten thousand requests in backoff at once on one thread. Time is virtual for the waits, and real for the sockets, so
// that all of them have failed before the first of them is tried again, however slow the machine is.

#include <backbeat/async_retry.hpp>
#include <backbeat/emulator.hpp>
#include <backbeat/fault_rule.hpp>
#include <backbeat/http/client.hpp>
#include <backbeat/manual_clock.hpp>
#include <backbeat/retry_observer.hpp>

#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;
using backbeat::manual_clock;
using boost::system::error_code;

constexpr std::size_t crowd = 10'000;
constexpr std::size_t maximum_connections = 256;

// Counts what waits. All its calls come from one thread.
class waiting_counter : public backbeat::retry_observer {
public:
    void before_attempt(backbeat::attempt const& starting) override
    {
        if (starting.number() > 1) --waiting;
    }

    void before_wait(backbeat::attempt_record const& ended) override
    {
        ++waiting;
        statuses_before_waits.push_back(ended.status);
        shortest = (std::min)(shortest, ended.wait);
        longest = (std::max)(longest, ended.wait);
    }

    void at_end(backbeat::retry_report const& report) override
    {
        ++operations_ended;
        attempts += report.attempts();
        if (report.reason() == backbeat::stop_reason::success && report.attempts() == 3) ++third_time_lucky;
    }

    std::size_t waiting = 0;
    std::size_t operations_ended = 0;
    std::size_t attempts = 0;
    std::size_t third_time_lucky = 0;
    std::vector<int> statuses_before_waits;
    std::chrono::nanoseconds shortest = (std::chrono::nanoseconds::max)();
    std::chrono::nanoseconds longest{};
};

// Runs what is ready, and what the network brings, until the condition holds. Gives up when nothing came for a minute.
template <class Condition>
[[nodiscard]] bool poll_until(boost::asio::io_context& context, Condition const& condition)
{
    auto limit = std::chrono::steady_clock::now() + 60s;
    while (!condition()) {
        context.restart();
        if (context.poll() != 0) {
            limit = std::chrono::steady_clock::now() + 60s;
        } else {
            if (std::chrono::steady_clock::now() > limit) return false;
            std::this_thread::yield();
        }
    }
    return true;
}

TEST(crowd, ten_thousand_requests_back_off_at_once_on_one_thread_and_hold_no_connection)
{
    manual_clock::reset();
    backbeat::emulator google;
    google.set_faults({backbeat::parse_fault_rule("status=503 first=" + std::to_string(2 * crowd))});

    boost::asio::io_context context(1);
    backbeat::http::client_options settings;
    settings.maximum_connections = maximum_connections;
    // All of them are started at once, and wait for their turn in the pool.
    settings.attempt_timeout = 0ns;
    backbeat::http::client client(context.get_executor(), google.url(), settings);

    waiting_counter counter;
    backbeat::retry_options const options{.observer = &counter};
    backbeat::http::request const list(backbeat::http::verb::get, "/v1/projects/p/locations/-/instances", 11);
    backbeat::http::classifier const by_method{backbeat::http::verb::get};
    auto attempt_list = [&](backbeat::attempt const& current, auto token) {
        return client.async_request(current, list, std::move(token));
    };
    std::size_t listed = 0;
    for (std::size_t i = 0; i != crowd; ++i) {
        backbeat::async_retry<manual_clock>(
            context.get_executor(),
            attempt_list,
            std::cref(options),
            backbeat::classify(by_method),
            [&](error_code ec, backbeat::http::response const& response) {
                if (!ec && response.result_int() == 200) ++listed;
            });
    }

    for (int wave = 1; wave <= 2; ++wave) {
        auto const failures = static_cast<std::size_t>(wave) * crowd;
        ASSERT_TRUE(poll_until(context, [&] { return counter.statuses_before_waits.size() == failures; }))
            << counter.statuses_before_waits.size() << " attempts failed";
        EXPECT_EQ(counter.waiting, crowd);
        EXPECT_EQ(google.total_requests(), failures);
        EXPECT_LE(client.open_connections(), maximum_connections);
        EXPECT_EQ(client.idle_connections(), client.open_connections()) << "a request that waits holds a connection";
        EXPECT_EQ(client.queued_requests(), 0u);
        EXPECT_EQ(listed, 0u);
        // No wait of this wave ends before its shortest possible backoff: 1 s, then 2 s.
        manual_clock::advance(wave * 1s - 1ms);
        context.restart();
        context.poll();
        EXPECT_EQ(counter.waiting, crowd);
        manual_clock::advance(wave * 1s + 1s);
    }
    ASSERT_TRUE(poll_until(context, [&] { return counter.operations_ended == crowd; }))
        << counter.operations_ended << " ended";

    EXPECT_EQ(listed, crowd);
    EXPECT_EQ(counter.attempts, 3 * crowd);
    EXPECT_EQ(counter.third_time_lucky, crowd);
    EXPECT_EQ(counter.statuses_before_waits, std::vector<int>(2 * crowd, 503));
    EXPECT_GE(counter.shortest, 1s);
    EXPECT_LE(counter.longest, 3s);
    EXPECT_EQ(google.total_requests(), 3 * crowd);
    EXPECT_LE(google.peak_connections(), maximum_connections);
    manual_clock::reset();
}

}  // namespace
