//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "counting_allocator.hpp"
#include "retry_scenario.hpp"

#include <backbeat/async_retry.hpp>
#include <backbeat/manual_clock.hpp>
#include <backbeat/wheel_resolution.hpp>

#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

// What the timing wheel does for `async_retry` beyond what the other tests say, which all run on it as well.

namespace {

using namespace backbeat::test;
using namespace std::chrono_literals;
using backbeat::async_retry;
using backbeat::manual_clock;
using backbeat::retry_options;
using backbeat::timers;
using boost::asio::error::connection_refused;
using boost::asio::error::operation_aborted;
using boost::system::error_code;

TEST(on_the_wheel, waits_end_at_the_next_tick_and_never_early)
{
    for (auto const resolution : {1ms, 7ms}) {
        retry_scenario s;
        backbeat::set_wheel_resolution(*s.context, resolution);
        s.options.timers = timers::wheel;
        s.options.initial_backoff = 15ms + 300us;
        s.options.wait_resolution = 0s;
        s.operation->script = {{connection_refused}, {}};
        s.start();
        s.poll();
        auto const end = resolution == 1ms ? 16ms : 21ms;
        s.advance(end - 1ns);
        EXPECT_EQ(s.attempts(), 1u);
        s.advance(1ns);
        EXPECT_EQ(s.attempts(), 2u);
        EXPECT_EQ(s.report.total_waited(), 15ms + 300us);
    }
}

TEST(on_the_wheel, a_deadline_is_not_slept_through)
{
    retry_scenario s;
    s.options.timers = timers::wheel;
    s.options.initial_backoff = 1500us;
    s.options.total_timeout = 1600us;
    s.options.wait_resolution = 0s;
    s.operation->script = {{connection_refused}, {}};
    s.start();
    s.poll();  // the next tick is at 2 ms
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.report.elapsed(), 0s);
    EXPECT_EQ(s.error, connection_refused);
    EXPECT_STREQ(s.reason(), "deadline");
}

// A timer would have to be cancelled, and its handler waited for.
TEST(on_the_wheel, a_time_limit_is_over_when_the_attempt_is)
{
    retry_scenario s;
    s.options.timers = timers::wheel;
    s.options.attempt_timeout = 10s;
    s.start();
    s.poll();
    s.operation->complete({}, 7);
    s.context->restart();
    ASSERT_EQ(s.context->poll_one(), 1u);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.result, 7);
}

TEST(on_the_wheel, nothing_is_left_that_run_would_wait_for)
{
    boost::asio::io_context context;
    boost::asio::cancellation_signal signal;
    scripted_operation operation(context.get_executor());
    operation.script = {{connection_refused}};
    error_code result;
    async_retry(
        std::ref(operation),
        {.initial_backoff = 1h, .maximum_backoff = 1h, .timers = timers::wheel},
        boost::asio::bind_cancellation_slot(signal.slot(), [&](error_code error, int) { result = error; }));
    context.poll();
    boost::asio::post(context, [&] {
        signal.emit(boost::asio::cancellation_type::total);
        EXPECT_FALSE(result) << "called inside the emission";
    });
    context.run();
    EXPECT_EQ(result, operation_aborted);
}

TEST(on_the_wheel, what_a_handler_throws_does_not_keep_others_waiting)
{
    manual_clock::reset();
    boost::asio::io_context context;
    int called = 0;
    std::vector<std::unique_ptr<scripted_operation>> operations;
    for (int i = 0; i != 200; ++i) {
        operations.push_back(std::make_unique<scripted_operation>(context.get_executor()));
        operations.back()->script = {{connection_refused}, {{}, 0, true}};
        async_retry<manual_clock>(
            std::ref(*operations.back()),
            {.jitter = backbeat::jitter::none, .timers = timers::wheel},
            [&called, i](error_code, int) {
                ++called;
                if (i == 100) throw std::runtime_error("of the handler");
            });
    }
    poll_all(context);
    manual_clock::advance(1s);
    EXPECT_THROW(poll_all(context), std::runtime_error);
    poll_all(context);
    EXPECT_EQ(called, 200);
}

// On several threads, on the strands of each.
TEST(on_the_wheel, operations_with_time_limits_run_on_their_strands)
{
    constexpr int count = 200;
    boost::asio::thread_pool pool(4);
    std::atomic<int> ended = 0;
    std::atomic<int> outside = 0;
    retry_options const options{
        .initial_backoff = 100us,
        .maximum_backoff = 1ms,
        .maximum_retries = 5,
        .attempt_timeout = 2ms,
        .timers = timers::wheel};
    for (int i = 0; i != count; ++i) {
        auto const strand = boost::asio::make_strand(pool);
        // The first attempt never ends by itself.
        auto stuck = [strand, &outside](backbeat::attempt const& current, auto&& token) {
            return boost::asio::async_initiate<decltype(token), void(error_code)>(
                [strand, &outside](auto handler, bool first) {
                    if (!strand.running_in_this_thread()) ++outside;
                    if (!first) {
                        boost::asio::post(
                            strand, [h = std::move(handler)]() mutable { std::move(h)(connection_refused); });
                        return;
                    }
                    auto timer = std::make_shared<boost::asio::steady_timer>(strand, 1h);
                    auto const slot = boost::asio::get_associated_cancellation_slot(handler);
                    timer->async_wait(boost::asio::bind_cancellation_slot(
                        slot, [timer, h = std::move(handler)](error_code error) mutable { std::move(h)(error); }));
                },
                token,
                current.number() == 1);
        };
        async_retry(strand, stuck, options, [strand, &ended, &outside](error_code error) {
            if (error != connection_refused || !strand.running_in_this_thread()) ++outside;
            ++ended;
        });
    }
    pool.join();
    EXPECT_EQ(ended, count);
    EXPECT_EQ(outside, 0);
}

// Off the strand the wheel only hands the operation's next step to it. Here that is done while the strand is busy with
// what cancels the operation, or while the context is destroyed.
class handed_to_a_strand : public testing::Test {
protected:
    handed_to_a_strand() { manual_clock::reset(); }

    template <class Then>
    void when_due(std::chrono::nanoseconds attempt_timeout, Then then)
    {
        async_retry<manual_clock>(
            strand,
            std::ref(operation),
            {.jitter = backbeat::jitter::none, .attempt_timeout = attempt_timeout, .timers = timers::wheel},
            boost::asio::bind_cancellation_slot(signal.slot(), [this](error_code error, int) {
                ++calls;
                result = error;
            }));
        poll_all(context);
        boost::asio::post(strand, [this, then] {
            manual_clock::advance(1s);
            // Not on this thread, on which the strand would let it through.
            std::thread([this] { poll_all(context); }).join();
            then();
        });
        poll_all(context);
    }

    boost::asio::cancellation_signal signal;
    boost::asio::io_context context;
    boost::asio::strand<boost::asio::io_context::executor_type> strand = boost::asio::make_strand(context);
    scripted_operation operation{context.get_executor()};
    int calls = 0;
    error_code result;
};

TEST_F(handed_to_a_strand, a_wait_that_is_over_is_cancelled_before_the_attempt)
{
    operation.script = {{connection_refused}};
    when_due(0s, [this] {
        EXPECT_EQ(operation.attempts.size(), 1u);
        signal.emit(boost::asio::cancellation_type::total);
        EXPECT_EQ(calls, 0);
    });
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(result, operation_aborted);
    EXPECT_EQ(operation.attempts.size(), 1u);
}

TEST_F(handed_to_a_strand, a_time_limit_that_is_over_is_outranked_by_a_cancel)
{
    when_due(1s, [this] {
        signal.emit(boost::asio::cancellation_type::total);
        EXPECT_EQ(calls, 0);
    });
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(result, operation_aborted);
    ASSERT_EQ(operation.attempts.size(), 1u);
    EXPECT_EQ(operation.attempts[0].cancelled.front(), boost::asio::cancellation_type::total);
}

TEST_F(handed_to_a_strand, a_time_limit_that_is_over_is_too_late_for_an_attempt_that_ended)
{
    when_due(1s, [this] { operation.complete({}, 7); });
    EXPECT_EQ(calls, 1);
    EXPECT_FALSE(result);
}

TEST_F(handed_to_a_strand, a_wait_that_is_not_over_is_cancelled_at_once)
{
    operation.script = {{connection_refused}};
    when_due(0s, [this] { EXPECT_EQ(operation.attempts.size(), 1u); });
    EXPECT_EQ(operation.attempts.size(), 2u);
    operation.complete(connection_refused);
    poll_all(context);
    signal.emit(boost::asio::cancellation_type::total);
    EXPECT_EQ(calls, 0);
    poll_all(context);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(result, operation_aborted);
}

TEST_F(handed_to_a_strand, a_step_is_dropped_with_the_context)
{
    operation.script = {{connection_refused}};
    when_due(0s, [this] { context.stop(); });
    EXPECT_EQ(calls, 0);
}

// A step is posted to the strand, and the context is destroyed before it runs. The strand drops the step first, and with
// it the operation, and Asio frees its own part, from the same allocator, afterwards. What lies right behind the state is
// not its own.
TEST(on_a_strand, what_is_posted_may_be_dropped_with_the_context)
{
    for (auto const kind : {timers::asio, timers::wheel}) {
        for (auto const limit : {0s, 10s}) {
            arena blocks;
            int calls = 0;
            {
                boost::asio::io_context context;
                auto const strand = boost::asio::make_strand(context);
                auto inside = [](auto&& token) {
                    return boost::asio::async_initiate<decltype(token), void(error_code)>(
                        [](auto handler) { std::move(handler)(connection_refused); }, token);
                };
                async_retry(
                    strand,
                    inside,
                    {.attempt_timeout = limit, .timers = kind},
                    boost::asio::bind_allocator(packing_allocator<>(blocks), [&calls](error_code) { ++calls; }));
            }
            EXPECT_EQ(blocks.live, 0);
            EXPECT_EQ(calls, 0);
        }
    }
}

// Of what follows, all but the operation's own share is subtracted: the handler, the operation, what is kept of its
// results.
class held {
public:
    struct callback {
        held* owner;
        void operator()(error_code) const { ++owner->calls; }
    };

    struct refused {
        boost::asio::io_context* context;
        void* unused = nullptr;

        using executor_type = boost::asio::io_context::executor_type;
        [[nodiscard]] executor_type get_executor() const noexcept { return context->get_executor(); }

        template <class Token>
        auto operator()(Token&& token)
        {
            return boost::asio::async_initiate<Token, void(error_code)>(
                [](auto handler) { std::move(handler)(connection_refused); }, token);
        }
    };

    std::size_t bytes(retry_options const& options, bool with_slot = false)
    {
        allocation_log log;
        boost::asio::cancellation_signal signal;
        boost::asio::io_context context;
        auto const start = [&](auto handler) {
            async_retry(refused{&context}, std::cref(options), std::move(handler));
        };
        auto handler = boost::asio::bind_allocator(counting_allocator<>(log), callback{this});
        auto const apart = sizeof(handler) + sizeof(refused) + sizeof(error_code);
        if (with_slot)
            start(boost::asio::bind_cancellation_slot(signal.slot(), std::move(handler)));
        else
            start(std::move(handler));
        context.poll();
        EXPECT_EQ(log.allocations, 1u);
        EXPECT_EQ(calls, 0);
        return log.largest - apart - (with_slot ? sizeof(signal.slot()) : 0);
    }

    int calls = 0;
};

// The numbers are those of g++ and clang on 64 bits. `./run bench` compares them with what others take.
TEST(memory_of_a_wait, is_small)
{
    EXPECT_LE(held().bytes({.initial_backoff = 1h, .maximum_backoff = 1h, .timers = timers::wheel}), 96u);
    EXPECT_LE(held().bytes({.initial_backoff = 1h, .maximum_backoff = 1h, .timers = timers::asio}), 184u);
}

TEST(memory_of_a_wait, grows_with_what_is_used)
{
    retry_options const plain{.initial_backoff = 1h, .maximum_backoff = 1h, .timers = timers::wheel};
    auto const bytes = held().bytes(plain);
    EXPECT_LE(held().bytes(plain, true), bytes + 32);
    auto limited = plain;
    limited.attempt_timeout = 1min;
    EXPECT_GT(held().bytes(limited), bytes);
    EXPECT_LE(held().bytes(limited), bytes + 96);
}

}  // namespace
