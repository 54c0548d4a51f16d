//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_UNIT_HTTP_CLIENT_FIXTURE_HPP
#define BACKBEAT_TEST_UNIT_HTTP_CLIENT_FIXTURE_HPP

#include "scripted_server.hpp"
#include "tested_client_options.hpp"

#include <backbeat/attempt.hpp>
#include <backbeat/http/client.hpp>
#include <backbeat/retry_options.hpp>
#include <backbeat/retry_report.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/system/error_code.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace backbeat::test {

// One attempt of a request, and what came of it.
struct call {
    explicit call(http::request to_send) : message(std::move(to_send)) {}
    explicit call(std::string target) : message(http::verb::get, target, 11) {}

    void start(http::client& client, std::optional<http::idempotency> replay = {})
    {
        client.async_request(
            current,
            message,
            replay.value_or(http::idempotency_of(message.method())),
            boost::asio::bind_cancellation_slot(signal.slot(), [this](boost::system::error_code e, http::response r) {
                ++completions;
                error = e;
                response = std::move(r);
            }));
        EXPECT_EQ(completions, 0) << "completed inside the initiating function";
    }

    [[nodiscard]] bool done() const { return completions != 0; }
    [[nodiscard]] std::optional<delivery> delivered() const { return current.delivered(); }
    [[nodiscard]] unsigned status() const { return response.result_int(); }

    attempt current{1};
    http::request message;
    boost::asio::cancellation_signal signal;
    int completions = 0;
    boost::system::error_code error;
    http::response response;
};

[[nodiscard]] inline http::request make_request(http::verb method, std::string target = "/", std::string body = {})
{
    http::request result(method, target, 11);
    result.body() = std::move(body);
    return result;
}

class client_fixture : public ::testing::Test {
protected:
    // Runs the context until the condition holds. False: patience ran out.
    template <class Condition>
    bool run_until(Condition condition)
    {
        auto const end = std::chrono::steady_clock::now() + patience;
        while (!condition()) {
            if (std::chrono::steady_clock::now() > end) return false;
            context.restart();
            context.run_one_for(std::chrono::milliseconds(5));
        }
        return true;
    }

    template <class... Calls>
    void run(Calls&... calls)
    {
        ASSERT_TRUE(run_until([&] { return (calls.done() && ...); })) << "a request hangs";
    }

    // Starts it and runs it to its end.
    call& send(http::client& client, call& started, std::optional<http::idempotency> replay = {})
    {
        started.start(client, replay);
        run(started);
        return started;
    }

    // Runs what is ready, until nothing is.
    void settle()
    {
        for (int quiet = 0; quiet != 3;) {
            context.restart();
            quiet = context.poll() == 0 ? quiet + 1 : 0;
        }
    }

    // After its end, every operation has let go of its connection.
    void expect_no_leftovers(http::client const& client)
    {
        settle();
        EXPECT_EQ(client.open_connections(), client.idle_connections());
        EXPECT_EQ(client.queued_requests(), 0u);
    }

    boost::asio::io_context context{1};
};

// Retries at once, as far as a test can tell.
[[nodiscard]] inline retry_options quick(std::uint32_t retries = 5)
{
    return {
        .initial_backoff = std::chrono::milliseconds(1),
        .maximum_backoff = std::chrono::milliseconds(2),
        .maximum_retries = retries};
}

// One operation after another, each with a handler that keeps what it completes with.
class sending_fixture : public client_fixture {
protected:
    template <class Response>
    auto store(Response& into)
    {
        return [this, &into](boost::system::error_code e, Response r) {
            ++completions;
            error = e;
            into = std::move(r);
        };
    }

    auto store() { return store(response); }

    void finish()
    {
        ASSERT_TRUE(run_until([this] { return completions != 0; })) << "a request hangs";
        settle();
        EXPECT_EQ(completions, 1);
        completions = 0;
    }

    int completions = 0;
    boost::system::error_code error;
    http::response response;
    retry_report report;
};

}  // namespace backbeat::test

#endif
