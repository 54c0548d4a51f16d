//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Each allocation fails once, whoever makes it: Asio in the middle of starting a wait, the caller's slot, the state.
// Whatever happens then, nothing leaks, nothing is freed twice, and the context comes to its end.

#include "failing_allocation.hpp"
#include "retry_scenario.hpp"
#include "tested_timers.hpp"

#include <backbeat/async_hedge.hpp>
#include <backbeat/async_retry.hpp>

#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <memory_resource>
#include <new>
#include <optional>

namespace {

using namespace std::chrono_literals;
using backbeat::async_hedge;
using backbeat::async_retry;
using backbeat::manual_clock;
using backbeat::test::failing_allocation;
using backbeat::test::poll_all;
using backbeat::test::tested_timers;
using boost::asio::error::connection_refused;
using boost::system::error_code;

struct surroundings {
    boost::asio::io_context context;
    boost::asio::cancellation_signal signal;
    std::pmr::memory_resource* resource = std::pmr::new_delete_resource();
    backbeat::retry_report report;

    // Fails each attempt before its initiation returns.
    static auto operation_in_place()
    {
        return [](auto&& token) {
            return boost::asio::async_initiate<decltype(token), void(error_code)>(
                [](auto handler) { std::move(handler)(error_code(connection_refused)); }, token);
        };
    }

    // Fails each attempt after a trip through the context.
    auto operation()
    {
        return [this](auto&& token) {
            return boost::asio::async_initiate<decltype(token), void(error_code)>(
                [this](auto handler) {
                    boost::asio::post(context, [handler = std::move(handler)]() mutable {
                        std::move(handler)(error_code(connection_refused));
                    });
                },
                token);
        };
    }
};

template <class Start>
void fail_each_allocation(Start start)
{
    for (long n = 0;; ++n) {
        SCOPED_TRACE(n);
        ASSERT_LT(n, 200);
        manual_clock::reset();
        bool failed = false;
        auto owned = std::make_shared<int>(1);
        std::weak_ptr<int> const watched = owned;
        bool called = false;
        bool threw = false;
        {
            surroundings around;
            auto handler = [owned, &called](error_code) { called = true; };
            owned.reset();
            std::optional<failing_allocation> failing(n);
            try {
                start(around, std::move(handler));
            } catch (std::bad_alloc const&) {
                threw = true;
            }
            for (int turn = 0; turn != 20; ++turn) {
                try {
                    poll_all(around.context);
                } catch (std::bad_alloc const&) {
                    threw = true;
                }
                manual_clock::advance(1s);
            }
            failed = failing->has_failed();
            failing.reset();
            poll_all(around.context);
            EXPECT_TRUE(around.context.stopped()) << "something is left in the context";
            EXPECT_FALSE(around.signal.slot().has_handler());
            EXPECT_TRUE(called || threw);
        }
        EXPECT_TRUE(watched.expired()) << "the handler leaks";
        if (!failed) {
            EXPECT_TRUE(called);
            EXPECT_GT(n, 2);
            return;
        }
    }
}

backbeat::retry_options const two_retries{
    .jitter = backbeat::jitter::none, .maximum_retries = 2, .timers = tested_timers};
backbeat::retry_options const limited{
    .jitter = backbeat::jitter::none,
    .maximum_retries = 2,
    .attempt_timeout = 1s,
    .total_timeout = 1h,
    .timers = tested_timers};

TEST(short_of_memory, a_retry_leaks_nothing)
{
    fail_each_allocation([](surroundings& around, auto handler) {
        async_retry<manual_clock>(around.context.get_executor(), around.operation(), two_retries, std::move(handler));
    });
}

TEST(short_of_memory, a_retry_that_fails_in_place_leaks_nothing)
{
    fail_each_allocation([](surroundings& around, auto handler) {
        async_retry<manual_clock>(
            around.context.get_executor(),
            surroundings::operation_in_place(),
            two_retries,
            boost::asio::bind_cancellation_slot(
                around.signal.slot(),
                boost::asio::bind_allocator(
                    std::pmr::polymorphic_allocator<char>(around.resource), std::move(handler))));
    });
}

// The allocator gives the state back at once, where Asio's own keeps it: so a use after that is seen.
TEST(short_of_memory, a_retry_with_an_allocator_leaks_nothing)
{
    fail_each_allocation([](surroundings& around, auto handler) {
        async_retry<manual_clock>(
            around.context.get_executor(),
            around.operation(),
            two_retries,
            boost::asio::bind_allocator(std::pmr::polymorphic_allocator<char>(around.resource), std::move(handler)));
    });
}

TEST(short_of_memory, a_retry_with_time_limits_leaks_nothing)
{
    fail_each_allocation([](surroundings& around, auto handler) {
        async_retry<manual_clock>(around.context.get_executor(), around.operation(), limited, std::move(handler));
    });
}

TEST(short_of_memory, a_retry_with_a_slot_a_report_and_an_allocator_leaks_nothing)
{
    fail_each_allocation([](surroundings& around, auto handler) {
        async_retry<manual_clock>(
            around.context.get_executor(),
            around.operation(),
            limited,
            backbeat::report_to(around.report),
            boost::asio::bind_cancellation_slot(
                around.signal.slot(),
                boost::asio::bind_allocator(
                    std::pmr::polymorphic_allocator<char>(around.resource), std::move(handler))));
    });
}

TEST(short_of_memory, a_retry_with_a_slot_leaks_nothing)
{
    fail_each_allocation([](surroundings& around, auto handler) {
        async_retry<manual_clock>(
            around.context.get_executor(),
            around.operation(),
            two_retries,
            boost::asio::bind_cancellation_slot(around.signal.slot(), std::move(handler)));
    });
}

TEST(short_of_memory, a_hedge_leaks_nothing)
{
    fail_each_allocation([](surroundings& around, auto handler) {
        async_hedge<manual_clock>(
            around.context.get_executor(),
            around.operation(),
            {.delay = 1s, .maximum_attempts = 3, .attempt_timeout = 1s},
            std::move(handler));
    });
}

TEST(short_of_memory, a_hedge_with_a_slot_a_report_and_an_allocator_leaks_nothing)
{
    fail_each_allocation([](surroundings& around, auto handler) {
        async_hedge<manual_clock>(
            around.context.get_executor(),
            around.operation(),
            {.delay = 1s, .maximum_attempts = 3},
            backbeat::report_to(around.report),
            boost::asio::bind_cancellation_slot(
                around.signal.slot(),
                boost::asio::bind_allocator(
                    std::pmr::polymorphic_allocator<char>(around.resource), std::move(handler))));
    });
}

}  // namespace
