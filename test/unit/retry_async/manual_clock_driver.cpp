//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/async_retry.hpp>
#include <backbeat/detail/manual_context.hpp>
#include <backbeat/manual_clock.hpp>
#include <backbeat/manual_clock_driver.hpp>
#include <backbeat/retry_errc.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;
using backbeat::jitter;
using backbeat::manual_clock;
using backbeat::manual_clock_driver;
using backbeat::retry_options;
using boost::asio::error::connection_refused;
using boost::asio::error::operation_aborted;
using boost::system::error_code;
using std::chrono::nanoseconds;

using timer = boost::asio::basic_waitable_timer<manual_clock>;
using times = std::vector<std::int64_t>;

constexpr auto never = (manual_clock::time_point::max)();

std::int64_t now_ns()
{
    return manual_clock::now().time_since_epoch().count();
}

std::int64_t ns(nanoseconds value)
{
    return value.count();
}

class manual_clock_drivers : public testing::Test {
protected:
    manual_clock_drivers() { manual_clock::reset(); }

    boost::asio::io_context context;
    manual_clock_driver driver{context};

    // When the handlers made by `note` ran.
    times noted;
    error_code noted_error;

    auto note()
    {
        return [this](error_code error) {
            noted.push_back(now_ns());
            noted_error = error;
        };
    }

    std::unique_ptr<timer> note_after(nanoseconds time)
    {
        auto result = std::make_unique<timer>(context, time);
        result->async_wait(note());
        return result;
    }

    // Begins in this thread, goes on in another one, to and fro, holds the time meanwhile, and ends in the context.
    std::thread start_real_operation()
    {
        return std::thread([this, held = driver.hold_time()]() mutable {
            for (int i = 0; i != 20; ++i) {
                auto const answer = std::make_shared<std::promise<void>>();
                boost::asio::post(context, [answer] { answer->set_value(); });
                if (answer->get_future().wait_for(10s) != std::future_status::ready) break;
            }
            boost::asio::post(context, [this] { real_operation_ended = now_ns(); });
            held.reset();
        });
    }

    std::optional<std::int64_t> real_operation_ended;

    // An operation that always fails, at the time at which it is started, and notes it.
    auto failing_operation()
    {
        return [this](auto token) {
            noted.push_back(now_ns());
            return boost::asio::async_initiate<decltype(token), void(error_code)>(
                [this](auto handler) {
                    boost::asio::post(
                        context, [h = std::move(handler)]() mutable { std::move(h)(connection_refused); });
                },
                token);
        };
    }
};

TEST_F(manual_clock_drivers, pass_the_documented_waits_exactly)
{
    std::optional<error_code> result;
    backbeat::async_retry<manual_clock>(
        context.get_executor(),
        failing_operation(),
        retry_options{.maximum_backoff = 8s, .jitter = jitter::none},
        [&](error_code error) { result = error; });
    driver.run();
    EXPECT_EQ(noted, (times{0, ns(1s), ns(3s), ns(7s), ns(15s), ns(23s)}));
    EXPECT_EQ(result, connection_refused);
    EXPECT_EQ(now_ns(), ns(23s));
    EXPECT_TRUE(context.stopped());
}

TEST_F(manual_clock_drivers, pass_the_default_waits_with_their_jitter)
{
    bool done = false;
    backbeat::async_retry<manual_clock>(context.get_executor(), failing_operation(), [&](error_code) { done = true; });
    driver.run();
    EXPECT_TRUE(done);
    ASSERT_EQ(noted.size(), 6u);
    for (std::size_t n = 0; n != 5; ++n) {
        auto const wait = noted[n + 1] - noted[n];
        EXPECT_GE(wait, ns(1s) << n);
        // The end is rounded up to `wait_resolution`.
        EXPECT_LE(wait, (ns(1s) << n) + ns(1s) + ns(1ms));
    }
}

TEST_F(manual_clock_drivers, cut_off_an_attempt_that_hangs_at_its_time_limit)
{
    timer hangs(context, never);
    std::optional<error_code> result;
    int attempts = 0;
    backbeat::async_retry<manual_clock>(
        context.get_executor(),
        [&](auto token) {
            ++attempts;
            return hangs.async_wait(std::move(token));
        },
        retry_options{.jitter = jitter::none, .maximum_retries = 2, .attempt_timeout = 10s},
        [&](error_code error) { result = error; });
    driver.run();
    EXPECT_EQ(result, backbeat::retry_errc::attempt_timeout);
    EXPECT_EQ(attempts, 3);
    EXPECT_EQ(now_ns(), ns(10s + 1s + 10s + 2s + 10s));
}

TEST_F(manual_clock_drivers, pass_the_waits_of_many_operations_in_order)
{
    constexpr int operations = 1000;
    std::vector<std::int64_t> ends(operations);
    for (int i = 0; i != operations; ++i) {
        // Each waits for its own time, three times.
        retry_options const options{
            .initial_backoff = 1s + i * 1ms,
            .multiplier = 1,
            .jitter = jitter::none,
            .maximum_retries = 3,
            .wait_resolution = 0s};
        auto const end = [&ends, i](error_code) { ends[static_cast<std::size_t>(i)] = now_ns(); };
        backbeat::async_retry<manual_clock>(context.get_executor(), failing_operation(), options, end);
    }
    driver.run();
    for (int i = 0; i != operations; ++i) EXPECT_EQ(ends[static_cast<std::size_t>(i)], ns(3 * (1s + i * 1ms))) << i;
    EXPECT_EQ(noted.size(), 4u * operations);
    EXPECT_TRUE(std::is_sorted(noted.begin(), noted.end()));
}

TEST_F(manual_clock_drivers, stop_in_the_middle_and_go_on)
{
    backbeat::async_retry<manual_clock>(
        context.get_executor(), failing_operation(), retry_options{.jitter = jitter::none}, [](error_code) {});
    driver.run_for(2s);
    EXPECT_EQ(noted, (times{0, ns(1s)}));
    EXPECT_EQ(now_ns(), ns(2s));
    EXPECT_FALSE(context.stopped());
    driver.run_for(1s - 1ns);
    EXPECT_EQ(noted.size(), 2u);
    driver.run_for(1ns);
    EXPECT_EQ(noted, (times{0, ns(1s), ns(3s)}));
    driver.run_until(manual_clock::time_point(7s));
    EXPECT_EQ(noted.size(), 4u);
    EXPECT_EQ(now_ns(), ns(7s));
    driver.run();
    EXPECT_EQ(noted.size(), 6u);
    EXPECT_EQ(now_ns(), ns(31s));
}

TEST_F(manual_clock_drivers, let_time_pass_in_which_nothing_happens)
{
    EXPECT_EQ(driver.run_for(3s), 0u);
    EXPECT_EQ(now_ns(), ns(3s));
    EXPECT_TRUE(context.stopped());
    EXPECT_EQ(driver.run_until(manual_clock::time_point(5s)), 0u);
    EXPECT_EQ(now_ns(), ns(5s));
    auto const pending = note_after(10s);
    EXPECT_EQ(driver.run_for(9s), 0u);
    EXPECT_EQ(now_ns(), ns(14s));
    EXPECT_EQ(driver.run(), 1u);
    EXPECT_EQ(noted, times{ns(15s)});
    EXPECT_EQ(driver.run(), 0u);
    EXPECT_EQ(now_ns(), ns(15s));
}

TEST_F(manual_clock_drivers, do_not_move_the_clock_back_or_when_they_only_poll)
{
    manual_clock::advance(10s);
    auto const now = note_after(0s);
    auto const later = note_after(1ns);
    EXPECT_EQ(driver.run_until(manual_clock::time_point(5s)), 1u);
    boost::asio::post(context, [] {});
    EXPECT_EQ(driver.run_for(-1s), 1u);
    boost::asio::post(context, [] {});
    EXPECT_EQ(driver.run_for(0s), 1u);
    boost::asio::post(context, [] {});
    EXPECT_EQ(driver.poll(), 1u);
    EXPECT_EQ(noted, times{ns(10s)});
    EXPECT_EQ(now_ns(), ns(10s));
}

TEST_F(manual_clock_drivers, notice_at_once_what_has_become_due)
{
    // A context that is only polled may need to be polled again.
    for (int i = 1; i <= 200; ++i) {
        auto const due = note_after(1s);
        auto const soon = note_after(2s);
        EXPECT_EQ(driver.poll(), 0u);
        manual_clock::advance(1s);
        EXPECT_EQ(driver.poll(), 1u);
        manual_clock::advance(1s);
        EXPECT_EQ(driver.poll(), 1u);
    }
    EXPECT_EQ(noted.size(), 400u);
}

TEST_F(manual_clock_drivers, run_what_expired_before_it_was_waited_for)
{
    manual_clock::advance(5s);
    timer past(context, manual_clock::time_point(1s));
    past.async_wait(note());
    timer long_past(context, (manual_clock::time_point::min)());
    long_past.async_wait(note());
    EXPECT_EQ(driver.run(), 2u);
    EXPECT_EQ(now_ns(), ns(5s));
}

TEST_F(manual_clock_drivers, never_visit_the_expiry_of_a_cancelled_timer)
{
    auto const first = note_after(1s);
    auto const second = note_after(2s);
    auto const last = note_after(100s);
    first->cancel();
    EXPECT_EQ(driver.poll(), 1u);
    EXPECT_EQ(noted_error, operation_aborted);
    second->async_wait([&](error_code) {
        EXPECT_EQ(now_ns(), ns(2s));
        last->cancel();
    });
    driver.run();
    EXPECT_EQ(noted, (times{0, ns(2s), ns(2s)}));
    EXPECT_EQ(now_ns(), ns(2s));
    EXPECT_TRUE(context.stopped());
}

TEST_F(manual_clock_drivers, follow_a_timer_whose_expiry_is_set_anew)
{
    auto const moved = note_after(10s);
    auto const other = std::make_unique<timer>(context, 3s);
    other->async_wait([&](error_code) {
        moved->expires_after(4s);
        moved->async_wait(note());
    });
    driver.run();
    EXPECT_EQ(noted, (times{ns(3s), ns(7s)}));
}

TEST_F(manual_clock_drivers, run_all_that_follows_at_a_time_before_the_clock_moves)
{
    auto const next = note_after(1s + 1ns);
    timer first(context, 1s);
    std::function<void(int)> nest = [&](int depth) {
        EXPECT_EQ(now_ns(), ns(1s));
        if (depth != 0) boost::asio::post(context, [&nest, depth] { nest(depth - 1); });
    };
    std::optional<timer> at_once;
    first.async_wait([&](error_code) {
        nest(100);
        at_once.emplace(context, 0s);
        at_once->async_wait(note());
    });
    // The timers are three handlers.
    EXPECT_EQ(driver.run(), 103u);
    EXPECT_EQ(noted, (times{ns(1s), ns(1s + 1ns)}));
}

TEST_F(manual_clock_drivers, run_strands_and_coroutines)
{
    auto const strand = boost::asio::make_strand(context);
    boost::asio::co_spawn(
        strand,
        [&]() -> boost::asio::awaitable<void> {
            timer wait(co_await boost::asio::this_coro::executor);
            for (int i = 0; i != 3; ++i) {
                wait.expires_after(1min);
                co_await wait.async_wait(boost::asio::use_awaitable);
                noted.push_back(now_ns());
            }
            auto operation = failing_operation();
            retry_options const options{.jitter = jitter::none, .maximum_retries = 1, .total_timeout = 1h};
            try {
                co_await backbeat::async_retry<manual_clock>(strand, operation, options, boost::asio::use_awaitable);
            } catch (boost::system::system_error const& error) {
                noted_error = error.code();
            }
        },
        boost::asio::detached);
    driver.run();
    EXPECT_EQ(noted, (times{ns(1min), ns(2min), ns(3min), ns(3min), ns(3min + 1s)}));
    EXPECT_EQ(noted_error, connection_refused);
    EXPECT_TRUE(context.stopped());
}

TEST_F(manual_clock_drivers, return_how_many_handlers_ran_and_do_not_count_their_own)
{
    EXPECT_EQ(driver.run(), 0u);
    for (int i = 0; i != 5; ++i) boost::asio::post(context, [] {});
    auto const first = note_after(1s);
    auto const second = note_after(2s);
    EXPECT_EQ(driver.run_for(1s), 6u);
    EXPECT_EQ(driver.run(), 1u);
    // And leave nothing of theirs behind.
    context.restart();
    EXPECT_EQ(context.run(), 0u);
}

TEST_F(manual_clock_drivers, return_when_what_is_pending_cannot_end)
{
    timer endless(context, never);
    endless.async_wait(note());
    EXPECT_EQ(driver.run(), 0u);
    EXPECT_EQ(now_ns(), 0);
    EXPECT_FALSE(context.stopped());

    // From a time that is not zero, too.
    EXPECT_EQ(driver.run_for(5s), 0u);
    EXPECT_EQ(driver.run(), 0u);
    EXPECT_EQ(driver.run_until(never), 0u);
    EXPECT_EQ(now_ns(), ns(5s));

    endless.cancel();
    EXPECT_EQ(driver.run(), 1u);
    EXPECT_EQ(noted_error, operation_aborted);
    EXPECT_TRUE(context.stopped());
}

TEST_F(manual_clock_drivers, reach_the_last_time_there_is)
{
    timer last(context, never - 1ns);
    last.async_wait(note());
    timer distant(context, std::chrono::hours(24 * 365 * 200));
    distant.async_wait(note());
    EXPECT_EQ(driver.run(), 2u);
    EXPECT_EQ(noted, (times{ns(std::chrono::hours(24 * 365 * 200)), ns((nanoseconds::max)()) - 1}));
    EXPECT_EQ(driver.run_for(1h), 0u);
}

TEST_F(manual_clock_drivers, wait_for_nothing_but_this_clock)
{
    boost::asio::steady_timer real(context, 1h);
    real.async_wait(note());
    auto const work = boost::asio::make_work_guard(context);
    auto const pending = note_after(1h);
    EXPECT_EQ(driver.run(), 1u);
    EXPECT_EQ(noted, times{ns(1h)});
    EXPECT_FALSE(context.stopped());
    EXPECT_EQ(driver.run(), 0u);
    EXPECT_EQ(driver.run_for(1h), 0u);
    EXPECT_EQ(now_ns(), ns(2h));
}

TEST_F(manual_clock_drivers, throw_at_what_goes_on_for_ever_without_waiting)
{
    manual_clock_driver strict(context, 1000);
    std::function<void()> again = [&] { boost::asio::post(context, again); };
    manual_clock::advance(90s);
    again();
    for (auto const run : {&manual_clock_driver::run, &manual_clock_driver::poll}) {
        try {
            (strict.*run)();
            ADD_FAILURE();
        } catch (std::runtime_error const& error) {
            EXPECT_STREQ(
                error.what(),
                "manual_clock_driver: more than 1000 handlers ran, and the clock is at 90s; an operation seems to go "
                "on for ever: limit it, or use run_for, or raise maximum_handlers");
        }
    }
    again = [] {};
    EXPECT_GE(strict.run(), 1u);
    EXPECT_TRUE(context.stopped());
}

TEST_F(manual_clock_drivers, throw_at_an_operation_that_is_retried_for_ever_and_can_give_it_a_time)
{
    manual_clock_driver strict(context, 1000);
    retry_options const options{
        .initial_backoff = 1s, .multiplier = 1, .jitter = jitter::none, .maximum_retries = backbeat::unlimited_retries};
    backbeat::async_retry<manual_clock>(context.get_executor(), failing_operation(), options, [](error_code) {});
    strict.run_for(1min);
    EXPECT_EQ(noted.size(), 61u);
    EXPECT_THROW(strict.run(), std::runtime_error);
    EXPECT_GT(noted.size(), 100u);
}

TEST_F(manual_clock_drivers, count_handlers_anew_in_each_call)
{
    manual_clock_driver strict(context, 10);
    for (int call = 0; call != 3; ++call) {
        for (int i = 0; i != 10; ++i) boost::asio::post(context, [] {});
        EXPECT_EQ(strict.run(), 10u);
    }
}

TEST_F(manual_clock_drivers, pass_on_what_a_handler_throws_and_can_be_used_again)
{
    auto const before = note_after(1s);
    timer wait(context, 2s);
    wait.async_wait([](error_code) { throw std::logic_error("no"); });
    auto const after = note_after(3s);
    EXPECT_THROW(driver.run(), std::logic_error);
    EXPECT_EQ(now_ns(), ns(2s));
    EXPECT_EQ(driver.run(), 1u);
    EXPECT_EQ(noted, (times{ns(1s), ns(3s)}));
}

TEST_F(manual_clock_drivers, return_when_a_handler_stops_the_context)
{
    timer stops(context, 2s);
    stops.async_wait([&](error_code) { context.stop(); });
    auto const after = note_after(3s);
    EXPECT_EQ(driver.run_for(10s), 1u);
    EXPECT_EQ(now_ns(), ns(2s));
    EXPECT_EQ(driver.run_for(10s), 1u);
    EXPECT_EQ(noted, times{ns(3s)});
    EXPECT_EQ(now_ns(), ns(12s));
}

TEST_F(manual_clock_drivers, may_be_gone_before_the_context_is_run_again)
{
    auto const pending = note_after(1s);
    {
        manual_clock_driver brief(context);
        boost::asio::post(context, [&] { context.stop(); });
        brief.run();
    }
    EXPECT_EQ(driver.run(), 1u);
}

TEST_F(manual_clock_drivers, hold_the_time_while_a_real_operation_runs)
{
    auto const pending = note_after(1s);
    std::thread real;
    boost::asio::post(context, [&] { real = start_real_operation(); });
    driver.run();
    real.join();
    EXPECT_EQ(real_operation_ended, 0);
    EXPECT_EQ(noted, times{ns(1s)});
}

TEST_F(manual_clock_drivers, hold_the_time_when_nothing_else_is_pending)
{
    auto const held = std::make_unique<manual_clock_driver::hold>(driver.hold_time());
    EXPECT_EQ(driver.poll(), 0u);
    auto real = start_real_operation();
    boost::asio::post(context, [&] { held->reset(); });
    driver.run_for(1h);
    real.join();
    EXPECT_EQ(real_operation_ended, 0);
    EXPECT_EQ(now_ns(), ns(1h));
}

// Nobody but the driver gets at its count, and nobody can let go of it without releasing it.
template <class Hold>
concept gives_away_what_it_holds = requires(Hold& hold)
{
    hold.release();
}
|| requires(Hold& hold)
{
    hold.get();
}
|| requires(Hold& hold)
{
    *hold;
};

TEST_F(manual_clock_drivers, hand_out_holds_that_can_be_moved_and_released_and_nothing_else)
{
    using hold = manual_clock_driver::hold;
    static_assert(!gives_away_what_it_holds<hold>);
    static_assert(!std::is_copy_constructible_v<hold> && !std::is_copy_assignable_v<hold>);
    static_assert(std::is_nothrow_move_constructible_v<hold> && std::is_nothrow_move_assignable_v<hold>);

    // While the time is held, only another thread releases it, after a while of to and fro.
    auto const run_while_held = [&](auto release) {
        auto const begin = now_ns();
        auto const pending = note_after(1s);
        noted.clear();
        std::int64_t released = -1;
        std::thread real([&] {
            for (int i = 0; i != 20; ++i) {
                auto const answer = std::make_shared<std::promise<void>>();
                boost::asio::post(context, [answer] { answer->set_value(); });
                if (answer->get_future().wait_for(1s) != std::future_status::ready) break;
            }
            boost::asio::post(context, [&] {
                released = now_ns();
                release();
            });
        });
        driver.run();
        real.join();
        EXPECT_EQ(released, begin);
        EXPECT_EQ(noted, times{begin + ns(1s)});
        driver.poll();
    };

    auto first = driver.hold_time();
    run_while_held([&] {
        first.reset();
        first.reset();
    });

    // Moved: released once, by the one it was moved to.
    auto from = std::make_optional(driver.hold_time());
    std::optional<hold> to(std::move(*from));
    from->reset();
    from.reset();
    run_while_held([&] { to.reset(); });

    // Assigned to: what was held before is released, and what was assigned is not.
    auto one = driver.hold_time();
    auto other = std::make_optional(driver.hold_time());
    one = std::move(*other);
    other.reset();
    run_while_held([&] { one.reset(); });

    // To itself, which changes nothing.
    auto same = driver.hold_time();
    auto& alias = same;
    same = std::move(alias);
    run_while_held([&] { same.reset(); });

    // Empty from the start: holds nothing.
    hold const empty;
    auto const pending = note_after(1s);
    EXPECT_EQ(driver.run(), 1u);
}

TEST_F(manual_clock_drivers, go_on_after_a_hold_was_released_in_a_handler)
{
    auto const pending = note_after(1s);
    boost::asio::post(
        context, [&] { boost::asio::post(context, [held = driver.hold_time()] { EXPECT_EQ(now_ns(), 0); }); });
    driver.run();
    EXPECT_EQ(noted, times{ns(1s)});
}

TEST_F(manual_clock_drivers, may_be_gone_before_a_hold_is_released)
{
    boost::asio::co_spawn(
        context,
        [this]() -> boost::asio::awaitable<void> {
            auto const held = driver.hold_time();
            timer hangs(co_await boost::asio::this_coro::executor, never);
            co_await hangs.async_wait(boost::asio::use_awaitable);
        },
        boost::asio::detached);
    EXPECT_GE(driver.poll(), 1u);
    // The coroutine is destroyed with the context, which is after the driver.
}

TEST_F(manual_clock_drivers, find_the_next_expiry_even_if_the_context_did_not_look_by_itself)
{
    // As with other reactors, and with epoll when the operating system is slow to wake it.
    backbeat::detail::manual_context looked_at(context, 1000);
    auto const next_expiry = [&] {
        backbeat::detail::nearest_manual_expiry = (nanoseconds::max)();
        return looked_at.next_expiry();
    };
    auto const work = boost::asio::make_work_guard(context);
    EXPECT_EQ(next_expiry(), never);
    auto const last = note_after(9s);
    EXPECT_EQ(next_expiry(), manual_clock::time_point(9s));
    auto const first = note_after(5s);
    EXPECT_EQ(next_expiry(), manual_clock::time_point(5s));
    manual_clock::advance(1s);
    EXPECT_EQ(next_expiry(), manual_clock::time_point(5s));
    first->cancel();
    EXPECT_EQ(next_expiry(), manual_clock::time_point(9s));
    EXPECT_EQ(looked_at.ran(), 1u);
    last->expires_at(never);
    last->async_wait(note());
    EXPECT_EQ(next_expiry(), never);
}

TEST_F(manual_clock_drivers, take_turns_with_two_contexts)
{
    boost::asio::io_context other;
    manual_clock_driver other_driver(other);
    auto const here = note_after(2s);
    timer there(other, 3s);
    there.async_wait(note());
    timer there_before(other, 1s);
    there_before.async_wait(note());
    EXPECT_EQ(driver.run(), 1u);
    EXPECT_EQ(other_driver.run(), 2u);
    EXPECT_EQ(noted, (times{ns(2s), ns(2s), ns(3s)}));
}

TEST_F(manual_clock_drivers, drive_a_context_that_is_meant_for_one_thread)
{
    boost::asio::io_context single(1);
    manual_clock_driver single_driver(single);
    timer wait(single, 1s);
    wait.async_wait([&](error_code) {
        wait.expires_after(1s);
        wait.async_wait(note());
    });
    EXPECT_EQ(single_driver.run(), 2u);
    EXPECT_EQ(noted, times{ns(2s)});
}

}  // namespace
