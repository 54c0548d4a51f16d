//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Coroutines with a stack of their own, and tokens that later Boosts have.

#include "async_outcome.hpp"
#include "retry_scenario.hpp"
#include "tested_timers.hpp"

#include <backbeat/async_retry.hpp>

#include <boost/asio/append.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/spawn.hpp>

#if __has_include(<boost/asio/cancel_after.hpp>)
#include <boost/asio/cancel_after.hpp>
#endif

#include <gtest/gtest.h>

#include <exception>
#include <memory>
#include <string>
#include <tuple>

namespace {

using namespace std::chrono_literals;
using namespace backbeat::test;
using backbeat::async_retry;
using backbeat::manual_clock;
using boost::asio::error::connection_refused;
using boost::asio::error::operation_aborted;
using boost::system::error_code;

class stackful : public testing::Test {
protected:
    stackful() { manual_clock::reset(); }

    boost::asio::io_context context;
    int attempts = 0;

    // Fails until the given attempt.
    auto operation(int succeeds_at)
    {
        return [this, succeeds_at](auto&& token) {
            auto const error = ++attempts == succeeds_at ? error_code() : error_code(connection_refused);
            return async_outcome(context.get_executor(), error, attempts, std::forward<decltype(token)>(token));
        };
    }

    template <class Body>
    void spawn(Body body)
    {
        boost::asio::spawn(context, std::move(body), [this](std::exception_ptr error) {
            ended = true;
            thrown = error;
        });
        poll_all(context);
    }

    bool ended = false;
    std::exception_ptr thrown;
};

TEST_F(stackful, coroutines_wait_for_retries)
{
    int result = 0;
    spawn([&](boost::asio::yield_context yield) {
        auto owning = [op = operation(3), owned = std::make_unique<int>(1)](auto&& token) mutable {
            return op(std::forward<decltype(token)>(token));
        };
        result = async_retry<manual_clock>(
            std::move(owning),
            {.jitter = backbeat::jitter::none, .attempt_timeout = 1min, .timers = tested_timers},
            yield);
    });
    EXPECT_FALSE(ended);
    manual_clock::advance(1s);
    poll_all(context);
    manual_clock::advance(2s);
    poll_all(context);
    EXPECT_TRUE(ended);
    EXPECT_EQ(result, 3);
}

TEST_F(stackful, coroutines_get_the_error_thrown_or_written)
{
    error_code written;
    spawn([&](boost::asio::yield_context yield) {
        auto failing = operation(0);
        std::ignore =
            async_retry<manual_clock>(failing, {.maximum_retries = 0, .timers = tested_timers}, yield[written]);
        std::ignore = async_retry<manual_clock>(failing, {.maximum_retries = 0, .timers = tested_timers}, yield);
    });
    EXPECT_TRUE(ended);
    EXPECT_EQ(written, connection_refused);
    try {
        ASSERT_TRUE(thrown);
        std::rethrow_exception(thrown);
    } catch (boost::system::system_error const& e) {
        EXPECT_EQ(e.code(), connection_refused);
    }
}

TEST_F(stackful, coroutines_can_be_cancelled_in_a_wait)
{
    boost::asio::cancellation_signal signal;
    error_code written;
    boost::asio::spawn(
        context,
        [&](boost::asio::yield_context yield) {
            std::ignore = async_retry<manual_clock>(operation(0), yield[written]);
        },
        boost::asio::bind_cancellation_slot(signal.slot(), [this](std::exception_ptr) { ended = true; }));
    poll_all(context);
    EXPECT_FALSE(ended);
    signal.emit(boost::asio::cancellation_type::terminal);
    poll_all(context);
    EXPECT_TRUE(ended);
    EXPECT_EQ(written, operation_aborted);
    EXPECT_EQ(attempts, 1);
}

TEST_F(stackful, coroutines_are_unwound_with_their_context)
{
    auto const alive = std::make_shared<int>(1);
    {
        boost::asio::io_context shorter;
        boost::asio::spawn(
            shorter,
            [&, alive](boost::asio::yield_context yield) {
                std::ignore = async_retry<manual_clock>(
                    [&](auto&& token) {
                        return async_outcome(
                            shorter.get_executor(),
                            error_code(connection_refused),
                            1,
                            std::forward<decltype(token)>(token));
                    },
                    yield);
            },
            [](std::exception_ptr) {});
        poll_all(shorter);
        EXPECT_GT(alive.use_count(), 1);
    }
    EXPECT_EQ(alive.use_count(), 1);
}

TEST_F(stackful, append_adds_to_the_completion)
{
    std::string seen;
    async_retry<manual_clock>(
        context.get_executor(),
        operation(1),
        {},
        boost::asio::append(
            [&](error_code error, int result, std::string appended) {
                EXPECT_FALSE(error);
                seen = std::to_string(result) + appended;
            },
            " of one"));
    poll_all(context);
    EXPECT_EQ(seen, "1 of one");
}

#if __has_include(<boost/asio/cancel_after.hpp>)
TEST_F(stackful, cancel_after_ends_a_wait)
{
    error_code ended_with;
    auto const failing = operation(0);
    async_retry(
        context.get_executor(),
        failing,
        {.initial_backoff = 1h, .maximum_backoff = 1h, .timers = tested_timers},
        boost::asio::cancel_after(1ns, [&](error_code error, int) { ended_with = error; }));
    context.run();
    EXPECT_EQ(ended_with, operation_aborted);
    EXPECT_EQ(attempts, 1);
}
#endif

}  // namespace
