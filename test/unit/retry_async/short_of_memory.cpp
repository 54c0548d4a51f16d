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

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <list>
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

    template <class Handler>
    auto cancellable(Handler handler)
    {
        return boost::asio::bind_cancellation_slot(signal.slot(), std::move(handler));
    }

    template <class Handler>
    auto with_allocator(Handler handler)
    {
        return boost::asio::bind_allocator(std::pmr::polymorphic_allocator<char>(resource), std::move(handler));
    }

    // Each function that is given to it is allocated. If there is no memory when Asio gives it the handler of a wait or
    // of an attempt, that is destroyed: to the operation the same as a context that is shut down, when slots may be gone.
    boost::asio::any_io_executor erased()
    {
        may_be_abandoned = true;
        return context.get_executor();
    }

    bool may_be_abandoned = false;

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

    // Each attempt ends when it is cancelled.
    auto operation_that_hangs()
    {
        return [this](auto&& token) {
            return boost::asio::async_initiate<decltype(token), void(error_code)>(
                [this](auto handler) { timers.emplace_back(context, 1h).async_wait(std::move(handler)); }, token);
        };
    }

    std::list<boost::asio::basic_waitable_timer<manual_clock>> timers;
};

// What `meanwhile` does, it does a second after the start.
template <class Start, class Meanwhile>
void fail_each_allocation(Start start, Meanwhile meanwhile)
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
            bool threw_to_caller = false;
            auto const call = [&](auto function) {
                try {
                    function();
                } catch (std::bad_alloc const&) {
                    threw = threw_to_caller = true;
                }
            };
            call([&] { start(around, std::move(handler)); });
            for (int turn = 0; turn != 20; ++turn) {
                try {
                    poll_all(around.context);
                } catch (std::bad_alloc const&) {
                    threw = true;
                }
                if (turn == 1) call([&] { meanwhile(around); });
                manual_clock::advance(1s);
            }
            failed = failing->has_failed();
            failing.reset();
            bool const abandoned = around.may_be_abandoned && !called && !threw_to_caller;
            if (abandoned) around.timers.clear();
            poll_all(around.context);
            EXPECT_TRUE(around.context.stopped()) << "something is left in the context";
            EXPECT_TRUE(abandoned || !around.signal.slot().has_handler());
            // Where an attempt lost its handler so, others of a hedge go on.
            EXPECT_TRUE(called != threw || (around.may_be_abandoned && called));
        }
        EXPECT_TRUE(watched.expired()) << "the handler leaks";
        if (!failed) {
            EXPECT_TRUE(called);
            EXPECT_GT(n, 2);
            return;
        }
    }
}

template <class Start>
void fail_each_allocation(Start start)
{
    fail_each_allocation(start, [](surroundings&) {});
}

void cancel(surroundings& around)
{
    around.signal.emit(boost::asio::cancellation_type::terminal);
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
            around.cancellable(around.with_allocator(std::move(handler))));
    });
}

// The allocator gives the state back at once, where Asio's own keeps it: so a use after that is seen.
TEST(short_of_memory, a_retry_with_an_allocator_leaks_nothing)
{
    fail_each_allocation([](surroundings& around, auto handler) {
        async_retry<manual_clock>(
            around.context.get_executor(), around.operation(), two_retries, around.with_allocator(std::move(handler)));
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
            around.cancellable(around.with_allocator(std::move(handler))));
    });
}

TEST(short_of_memory, a_retry_with_a_slot_leaks_nothing)
{
    fail_each_allocation([](surroundings& around, auto handler) {
        async_retry<manual_clock>(
            around.context.get_executor(), around.operation(), two_retries, around.cancellable(std::move(handler)));
    });
}

TEST(short_of_memory, a_retry_on_an_erased_executor_leaks_nothing)
{
    for (auto const& options : {two_retries, limited})
        fail_each_allocation(
            [&](surroundings& around, auto handler) {
                async_retry<manual_clock>(
                    around.erased(), around.operation(), options, around.cancellable(std::move(handler)));
            },
            cancel);
}

TEST(short_of_memory, a_retry_whose_attempt_is_cancelled_leaks_nothing)
{
    fail_each_allocation(
        [](surroundings& around, auto handler) {
            async_retry<manual_clock>(
                around.erased(), around.operation_that_hangs(), two_retries, around.cancellable(std::move(handler)));
        },
        cancel);
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
            around.cancellable(around.with_allocator(std::move(handler))));
    });
}

TEST(short_of_memory, a_hedge_on_an_erased_executor_leaks_nothing)
{
    fail_each_allocation(
        [](surroundings& around, auto handler) {
            async_hedge<manual_clock>(
                around.erased(),
                around.operation(),
                {.delay = 3s, .maximum_attempts = 3},
                around.cancellable(std::move(handler)));
        },
        cancel);
}

TEST(short_of_memory, a_hedge_whose_attempts_are_cancelled_leaks_nothing)
{
    fail_each_allocation(
        [](surroundings& around, auto handler) {
            async_hedge<manual_clock>(
                around.erased(),
                around.operation_that_hangs(),
                {.delay = 500ms, .maximum_attempts = 3},
                around.cancellable(std::move(handler)));
        },
        cancel);
}

}  // namespace
