//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Operations on several threads. ThreadSanitizer runs this.

#include "async_outcome.hpp"
#include "tested_timers.hpp"

#include <backbeat/async_retry.hpp>

#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;
using backbeat::async_retry;
using boost::asio::error::connection_refused;
using boost::system::error_code;

using strand_type = boost::asio::strand<boost::asio::thread_pool::executor_type>;

constexpr int operations = 2000;

// An attempt takes between nothing and a few time limits; it ends earlier when it is cancelled.
class slow {
public:
    slow(strand_type const& strand, int seed) : timer_(std::make_unique<boost::asio::steady_timer>(strand)), seed_(seed)
    {}

    template <class Token>
    auto operator()(backbeat::attempt const& current, Token&& token)
    {
        timer_->expires_after((seed_ + static_cast<int>(current.number())) % 7 * 50us);
        auto const fails = current.number() % 3 != 0;
        return boost::asio::async_initiate<Token, void(error_code, int)>(
            [fails](auto handler, boost::asio::steady_timer* timer) {
                // What the handler is associated with reaches the wait, whose completion is rewritten.
                timer->async_wait(rewriting<decltype(handler)>{std::move(handler), fails});
            },
            token,
            timer_.get());
    }

private:
    template <class Handler>
    struct rewriting {
        using executor_type = boost::asio::associated_executor_t<Handler>;
        using allocator_type = boost::asio::associated_allocator_t<Handler>;
        using cancellation_slot_type = boost::asio::associated_cancellation_slot_t<Handler>;

        Handler handler;
        bool fails;

        executor_type get_executor() const noexcept { return boost::asio::get_associated_executor(handler); }
        allocator_type get_allocator() const noexcept { return boost::asio::get_associated_allocator(handler); }
        cancellation_slot_type get_cancellation_slot() const noexcept
        {
            return boost::asio::get_associated_cancellation_slot(handler);
        }

        void operator()(error_code error)
        {
            std::move(handler)(error || !fails ? error : error_code(connection_refused), 42);
        }
    };

    std::unique_ptr<boost::asio::steady_timer> timer_;
    int seed_;
};

struct retrying {
    retrying(boost::asio::thread_pool& pool, int seed) : strand(boost::asio::make_strand(pool)), operation(strand, seed)
    {}

    strand_type strand;
    slow operation;
    boost::asio::cancellation_signal signal;
    backbeat::retry_report report;
    int calls = 0;  // written on the strand, read when all threads are gone
};

backbeat::retry_options const quick{
    .initial_backoff = 100us,
    .maximum_backoff = 1ms,
    .maximum_retries = 20,
    .attempt_timeout = 120us,
    .total_timeout = 1min,
    .timers = backbeat::test::tested_timers};

TEST(threads, timed_operations_on_strands_started_from_outside)
{
    boost::asio::thread_pool pool(4);
    std::vector<std::unique_ptr<retrying>> all;
    for (int i = 0; i != operations; ++i) all.push_back(std::make_unique<retrying>(pool, i));
    for (auto const& r : all) {
        async_retry(
            std::ref(r->operation),
            quick,
            backbeat::report_to(r->report),
            boost::asio::bind_executor(r->strand, [r = r.get()](error_code, int) {
                EXPECT_TRUE(r->strand.running_in_this_thread());
                ++r->calls;
            }));
    }
    pool.join();
    for (auto const& r : all) {
        EXPECT_EQ(r->calls, 1);
        EXPECT_TRUE(r->report.reason());
    }
}

TEST(threads, timed_operations_on_strands_cancelled_on_them)
{
    boost::asio::thread_pool pool(4);
    std::vector<std::unique_ptr<retrying>> all;
    for (int i = 0; i != operations; ++i) all.push_back(std::make_unique<retrying>(pool, i));
    for (auto const& r : all) {
        async_retry(
            r->strand,
            std::ref(r->operation),
            quick,
            backbeat::report_to(r->report),
            boost::asio::bind_cancellation_slot(r->signal.slot(), [r = r.get()](error_code, int) { ++r->calls; }));
    }
    for (auto const& r : all)
        boost::asio::post(r->strand, [r = r.get()] { r->signal.emit(boost::asio::cancellation_type::total); });
    pool.join();
    for (auto const& r : all) EXPECT_EQ(r->calls, 1);
}

TEST(threads, timed_operations_whose_handlers_run_on_a_strand_of_their_own)
{
    boost::asio::thread_pool pool(4);
    boost::asio::thread_pool others(2);
    std::atomic<int> calls = 0;
    for (int i = 0; i != operations; ++i) {
        auto const strand = boost::asio::make_strand(others);
        auto refused = [&pool](auto&& token) {
            return backbeat::test::async_outcome(
                pool.get_executor(), error_code(connection_refused), 42, std::forward<decltype(token)>(token));
        };
        async_retry(
            pool.get_executor(), refused, quick, boost::asio::bind_executor(strand, [&](error_code, int) { ++calls; }));
    }
    pool.join();
    others.join();
    EXPECT_EQ(calls, operations);
}

// The first attempt ends in the thread that starts the operation, and all else is on the strand.
TEST(threads, operations_that_fail_in_place_started_from_outside_and_cancelled_on_their_strands)
{
    struct started {
        explicit started(boost::asio::thread_pool& pool) : strand(boost::asio::make_strand(pool)) {}

        strand_type strand;
        boost::asio::cancellation_signal signal;
        std::atomic<int> attempts = 0;
        int calls = 0;
    };
    boost::asio::thread_pool pool(4);
    std::vector<std::unique_ptr<started>> all;
    for (int i = 0; i != operations; ++i) all.push_back(std::make_unique<started>(pool));
    for (int i = 0; i != operations; ++i) {
        auto* const s = all[static_cast<std::size_t>(i)].get();
        async_retry(
            s->strand,
            [s](auto&& token) {
                return boost::asio::async_initiate<decltype(token), void(error_code)>(
                    [s](auto handler) {
                        s->attempts.fetch_add(1, std::memory_order_relaxed);
                        std::move(handler)(error_code(connection_refused));
                    },
                    token);
            },
            {.initial_backoff = i % 3 * 1us,
             .jitter = backbeat::jitter::none,
             .maximum_retries = 10,
             .timers = backbeat::test::tested_timers},
            boost::asio::bind_cancellation_slot(s->signal.slot(), [s](error_code) {
                EXPECT_TRUE(s->strand.running_in_this_thread());
                ++s->calls;
            }));
        if (i % 2 == 0) {
            boost::asio::post(s->strand, [s] { s->signal.emit(boost::asio::cancellation_type::terminal); });
        } else {
            // Nothing that orders this thread and the strand: what this one does too late is a race.
            while (s->attempts.load(std::memory_order_relaxed) < 2) std::this_thread::yield();
        }
    }
    pool.join();
    for (std::size_t i = 0; i != all.size(); ++i) {
        EXPECT_EQ(all[i]->calls, 1);
        auto const attempts = all[i]->attempts.load();
        EXPECT_TRUE(i % 2 == 0 ? attempts <= 11 : attempts == 11) << attempts;
    }
}

// Nothing but one chain of steps: it needs no strand, even though the first attempt may end while it is initiated.
TEST(threads, operations_without_time_limit_need_no_strand)
{
    boost::asio::thread_pool pool(4);
    std::atomic<int> calls = 0;
    for (int i = 0; i != operations; ++i) {
        auto refused = [&pool](backbeat::attempt const&, auto&& token) {
            return backbeat::test::async_outcome(
                pool.get_executor(), error_code(connection_refused), 42, std::forward<decltype(token)>(token));
        };
        async_retry(
            pool.get_executor(),
            refused,
            {.initial_backoff = i % 2 == 0 ? 0us : 50us,
             .maximum_retries = 10,
             .timers = backbeat::test::tested_timers},
            [&](error_code error, int) {
                EXPECT_EQ(error, connection_refused);
                ++calls;
            });
    }
    pool.join();
    EXPECT_EQ(calls, operations);
}

}  // namespace
