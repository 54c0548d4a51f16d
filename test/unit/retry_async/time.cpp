//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Waits and time limits, in virtual time.

#include "retry_scenario.hpp"
#include "tested_timers.hpp"

#include <backbeat/async_retry.hpp>

#include <gtest/gtest.h>

// A clock that moves on each time that it is read: what is decided from two readings shows.
struct restless_clock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<restless_clock>;
    static constexpr bool is_steady = true;
    static time_point now() noexcept { return time_point(duration(time += step)); }
    inline static std::int64_t time = 0;
    inline static std::int64_t step = 1;
};

template <>
struct boost::asio::wait_traits<restless_clock> {
    static std::chrono::nanoseconds to_wait_duration(std::chrono::nanoseconds const&) { return {}; }
    static std::chrono::nanoseconds to_wait_duration(restless_clock::time_point const&) { return {}; }
};

namespace {

using namespace std::chrono_literals;
using namespace backbeat::test;
using backbeat::retry_errc;
using backbeat::verdict;
using boost::asio::cancellation_type;
using boost::asio::error::connection_refused;
using boost::asio::error::operation_aborted;

using types = std::vector<cancellation_type>;

TEST(waits, follow_the_documented_backoff)
{
    retry_scenario s;
    s.options.maximum_backoff = 4s;
    s.operation->script.assign(6, {connection_refused});
    s.start();
    s.poll();
    std::size_t expected = 1;
    for (auto const wait : {1s, 2s, 4s, 4s, 4s}) {
        EXPECT_EQ(s.attempts(), expected);
        s.advance(wait - 1ns);
        EXPECT_EQ(s.attempts(), expected);
        s.advance(1ns);
        EXPECT_EQ(s.attempts(), ++expected);
    }
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, connection_refused);
    EXPECT_STREQ(s.reason(), "exhausted");
    EXPECT_EQ(s.report.total_waited(), 15s);
}

TEST(waits, of_no_length_arm_no_timer)
{
    retry_scenario s;
    s.options.initial_backoff = 0s;
    s.options.maximum_retries = 100;
    s.operation->script.assign(101, {connection_refused});
    s.start();
    // The context looks at its timers in `poll` after it has run what is ready, so one pass sees no timer at all.
    s.context->poll();
    EXPECT_EQ(s.attempts(), 101u);
    EXPECT_STREQ(s.reason(), "exhausted");
    EXPECT_EQ(s.report.elapsed(), 0s);
    EXPECT_EQ(s.report.total_waited(), 0s);
}

TEST(waits, end_on_the_grid_and_the_report_has_them_exact)
{
    retry_scenario s;
    s.options.initial_backoff = 1s + 300us;
    s.options.wait_resolution = 10ms;
    s.operation->script = {{connection_refused}, {}};
    s.pass(123ns);
    s.start();
    s.poll();
    s.advance(1s + 9ms);
    EXPECT_EQ(s.attempts(), 1u);
    s.pass(1ms - 124ns);
    s.poll();
    EXPECT_EQ(s.attempts(), 1u);
    s.advance(1ns);
    EXPECT_EQ(s.attempts(), 2u);
    EXPECT_EQ(s.report.total_waited(), 1s + 300us);
}

TEST(waits, shorter_than_sixteen_times_the_grid_are_exact)
{
    retry_scenario s;
    s.options.initial_backoff = 15ms + 300us;
    s.options.timers = backbeat::timers::asio;
    s.operation->script = {{connection_refused}, {}};
    s.start();
    s.poll();
    s.advance(15ms + 300us - 1ns);
    EXPECT_EQ(s.attempts(), 1u);
    s.advance(1ns);
    EXPECT_EQ(s.attempts(), 2u);
}

TEST(waits, are_as_long_as_the_server_asks)
{
    retry_scenario s;
    s.classifier = [](backbeat::attempt const&, boost::system::error_code error, int) {
        return error ? verdict::throttled(3s) : verdict::done();
    };
    s.operation->script = {{connection_refused}, {}};
    s.start();
    s.poll();
    s.advance(3s - 1ns);
    EXPECT_EQ(s.attempts(), 1u);
    s.advance(1ns);
    EXPECT_EQ(s.attempts(), 2u);
    EXPECT_STREQ(s.reason(), "success");
    ASSERT_EQ(s.report.records().size(), 2u);
    EXPECT_EQ(s.report.records()[0].origin, backbeat::wait_origin::hint);
    EXPECT_EQ(s.report.records()[0].hint, 3s);
}

TEST(waits, asked_for_that_are_too_long_end_the_operation)
{
    retry_scenario s;
    s.classifier = [](backbeat::attempt const&, boost::system::error_code, int) { return verdict::retry(6min); };
    s.start();
    s.operation->complete(connection_refused, 7);
    s.poll();
    EXPECT_EQ(s.error, connection_refused);
    EXPECT_EQ(s.result, 7);
    EXPECT_STREQ(s.reason(), "hint_too_long");
}

TEST(attempt_timeout, sends_terminal_cancellation_and_waits_for_the_attempt)
{
    retry_scenario s;
    s.options.attempt_timeout = 10s;
    s.operation->reaction = when_cancelled::ignores;
    s.start();
    s.poll();
    EXPECT_EQ(s.last_attempt().time_limit, 10s);
    s.advance(10s - 1ns);
    EXPECT_TRUE(s.last_attempt().cancelled.empty());
    s.advance(1ns);
    EXPECT_EQ(s.last_attempt().cancelled, types{cancellation_type::terminal});
    s.advance(1h);
    EXPECT_EQ(s.calls, 0);
    EXPECT_EQ(s.attempts(), 1u);
    s.operation->complete(operation_aborted);
    s.poll();
    EXPECT_EQ(s.observer.events.back(), "wait 1s");
    s.advance(1s);
    EXPECT_EQ(s.attempts(), 2u);
    EXPECT_EQ(s.report.records()[0].error, retry_errc::attempt_timeout);
    EXPECT_EQ(s.report.records()[0].duration, 1h + 10s);
}

TEST(attempt_timeout, that_ends_every_attempt_is_what_the_operation_completes_with)
{
    retry_scenario s;
    s.options.attempt_timeout = 10s;
    s.options.maximum_retries = 1;
    s.start();
    s.poll();
    s.advance(10s);
    s.advance(1s);
    s.advance(10s);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, retry_errc::attempt_timeout);
    EXPECT_EQ(s.result, -1);
    EXPECT_STREQ(s.reason(), "exhausted");
    EXPECT_EQ(s.report.error(), retry_errc::attempt_timeout);
    EXPECT_EQ(s.report.elapsed(), 21s);
}

TEST(attempt_timeout, of_an_attempt_that_completes_inside_the_emission)
{
    retry_scenario s;
    s.options.attempt_timeout = 10s;
    s.options.maximum_retries = 0;
    s.operation->reaction = when_cancelled::aborts_inside_the_emission;
    s.start();
    s.poll();
    s.advance(10s);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, retry_errc::attempt_timeout);
    EXPECT_STREQ(s.reason(), "exhausted");
}

TEST(attempt_timeout, of_an_attempt_that_drops_its_handler_ends_without_a_call)
{
    retry_scenario s;
    s.options.attempt_timeout = 10s;
    s.operation->reaction = when_cancelled::drops_its_handler;
    s.start();
    s.poll();
    s.advance(10s);
    EXPECT_EQ(s.calls, 0);
    EXPECT_EQ(s.observer.events.back(), "abandoned after 0");
}

TEST(attempt_timeout, lets_a_late_success_stand)
{
    retry_scenario s;
    s.options.attempt_timeout = 10s;
    s.operation->reaction = when_cancelled::succeeds;
    s.start();
    s.poll();
    s.advance(10s);
    EXPECT_EQ(s.calls, 1);
    EXPECT_FALSE(s.error);
    EXPECT_EQ(s.result, 42);
    EXPECT_STREQ(s.reason(), "success");
}

TEST(attempt_timeout, lets_a_late_failure_stand)
{
    retry_scenario s;
    s.options.attempt_timeout = 10s;
    s.options.maximum_retries = 0;
    s.operation->reaction = when_cancelled::ignores;
    s.start();
    s.poll();
    s.advance(10s);
    s.operation->complete(connection_refused, 7);
    s.poll();
    EXPECT_EQ(s.error, connection_refused);
    EXPECT_EQ(s.result, 7);
    EXPECT_STREQ(s.reason(), "exhausted");
}

TEST(attempt_timeout, is_not_blamed_for_an_abort_before_it)
{
    retry_scenario s;
    s.options.attempt_timeout = 10s;
    s.start();
    s.poll();
    s.operation->complete(operation_aborted);
    s.pass(5s);
    s.poll();
    EXPECT_EQ(s.error, operation_aborted);
    EXPECT_STREQ(s.reason(), "permanent");
}

TEST(attempt_timeout, is_not_blamed_for_an_abort_of_a_later_attempt)
{
    retry_scenario s;
    s.options.attempt_timeout = 10s;
    s.start();
    s.poll();
    s.advance(10s);
    s.advance(1s);
    ASSERT_EQ(s.attempts(), 2u);
    s.operation->complete(operation_aborted);
    s.poll();
    EXPECT_EQ(s.error, operation_aborted);
    EXPECT_STREQ(s.reason(), "permanent");
}

TEST(attempt_timeout, that_fires_when_the_success_is_on_its_way_changes_nothing)
{
    retry_scenario s;
    s.options.attempt_timeout = 10s;
    s.start();
    s.poll();
    s.operation->complete({}, 7);
    s.pass(10s);
    s.poll();
    EXPECT_EQ(s.calls, 1);
    EXPECT_FALSE(s.error);
    EXPECT_EQ(s.result, 7);
    EXPECT_STREQ(s.reason(), "success");
}

TEST(attempt_timeout, leaves_no_timer_behind)
{
    retry_scenario s;
    s.options.attempt_timeout = 10s;
    s.start();
    s.poll();
    s.operation->complete({}, 7);
    s.poll();
    EXPECT_EQ(s.calls, 1);
    EXPECT_TRUE(s.context->stopped());
    s.advance(1h);
    EXPECT_EQ(s.calls, 1);
}

TEST(attempt_timeout, shrinks_to_what_the_total_leaves)
{
    retry_scenario s;
    s.options.attempt_timeout = 10s;
    s.options.total_timeout = 25s;
    s.options.maximum_retries = backbeat::unlimited_retries;
    s.start();
    s.poll();
    s.advance(10s);
    s.advance(1s);
    s.advance(10s);
    s.advance(2s);
    ASSERT_EQ(s.attempts(), 3u);
    EXPECT_EQ(s.operation->attempts[0].time_limit, 10s);
    EXPECT_EQ(s.operation->attempts[1].time_limit, 10s);
    EXPECT_EQ(s.operation->attempts[2].time_limit, 2s);
    s.advance(2s - 1ns);
    EXPECT_EQ(s.calls, 0);
    s.advance(1ns);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, retry_errc::deadline);
    EXPECT_STREQ(s.reason(), "deadline");
    EXPECT_EQ(s.report.elapsed(), 25s);
}

TEST(attempt_timeout, that_ends_before_the_total_is_retried_and_not_final)
{
    retry_scenario s;
    s.options.attempt_timeout = 10s;
    s.options.total_timeout = 25s;
    s.start();
    s.poll();
    s.advance(10s);
    EXPECT_EQ(s.observer.events.back(), "wait 1s");
}

TEST(total_timeout, ends_an_attempt_for_good)
{
    retry_scenario s;
    s.options.total_timeout = 10s;
    s.start();
    s.poll();
    EXPECT_EQ(s.last_attempt().time_limit, 10s);
    s.advance(10s);
    EXPECT_EQ(s.last_attempt().cancelled, types{cancellation_type::terminal});
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, retry_errc::deadline);
    EXPECT_EQ(s.result, -1);
    EXPECT_STREQ(s.reason(), "deadline");
    EXPECT_EQ(s.report.error(), retry_errc::deadline);
}

TEST(total_timeout, lets_a_late_success_stand)
{
    retry_scenario s;
    s.options.total_timeout = 10s;
    s.operation->reaction = when_cancelled::succeeds;
    s.start();
    s.poll();
    s.advance(10s);
    EXPECT_FALSE(s.error);
    EXPECT_STREQ(s.reason(), "success");
}

TEST(total_timeout, lets_a_late_failure_stand_and_starts_no_other_attempt)
{
    retry_scenario s;
    s.options.total_timeout = 10s;
    s.operation->reaction = when_cancelled::ignores;
    s.start();
    s.poll();
    s.advance(10s);
    s.operation->complete(connection_refused, 7);
    s.poll();
    EXPECT_EQ(s.error, connection_refused);
    EXPECT_EQ(s.result, 7);
    EXPECT_STREQ(s.reason(), "deadline");
}

TEST(total_timeout, that_a_wait_would_reach_ends_the_operation_before_the_wait)
{
    for (auto const& [total, begins] : {std::pair{1s + 0ns, false}, std::pair{1s + 1ns, true}}) {
        retry_scenario s;
        s.options.total_timeout = total;
        s.start();
        s.poll();
        s.operation->complete(connection_refused, 7);
        s.poll();
        EXPECT_EQ(s.calls, begins ? 0 : 1);
        if (begins) continue;
        EXPECT_EQ(s.error, connection_refused);
        EXPECT_EQ(s.result, 7);
        EXPECT_STREQ(s.reason(), "deadline");
        EXPECT_EQ(s.report.elapsed(), 0s);
    }
}

TEST(total_timeout, is_compared_with_the_rounded_end_of_a_wait)
{
    retry_scenario s;
    s.options.initial_backoff = 1s + 300us;
    s.options.total_timeout = 1s + 900us;
    s.start();
    s.poll();
    s.operation->complete(connection_refused);
    s.poll();
    EXPECT_EQ(s.calls, 1);
    EXPECT_STREQ(s.reason(), "deadline");
}

TEST(total_timeout, that_passed_during_a_wake_up_starts_no_attempt)
{
    retry_scenario s;
    s.options.total_timeout = 2s;
    s.start();
    s.poll();
    s.operation->complete(connection_refused, 7);
    s.poll();
    s.advance(2s);
    EXPECT_EQ(s.attempts(), 1u);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, connection_refused);
    EXPECT_EQ(s.result, 7);
    EXPECT_STREQ(s.reason(), "deadline");
}

TEST(total_timeout, that_passed_before_the_start_starts_no_attempt)
{
    retry_scenario s;
    s.options.total_timeout = 2s;
    s.start();
    s.advance(2s);
    EXPECT_EQ(s.attempts(), 0u);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, retry_errc::deadline);
    EXPECT_EQ(s.result, 0);
    EXPECT_STREQ(s.reason(), "deadline");
    EXPECT_FALSE(s.called_inside_the_initiation());
}

TEST(total_timeout, shrinks_by_the_time_before_the_start)
{
    retry_scenario s;
    s.options.total_timeout = 2s;
    s.start();
    s.advance(500ms);
    EXPECT_EQ(s.last_attempt().time_limit, 1500ms);
}

TEST(total_timeout, can_be_too_far_away_to_be_represented)
{
    retry_scenario s;
    s.options.total_timeout = (std::chrono::nanoseconds::max)();
    s.options.attempt_timeout = (std::chrono::nanoseconds::max)();
    s.pass(1h);
    s.operation->script = {{connection_refused}, {}};
    s.start();
    s.poll();
    s.advance(1s);
    EXPECT_EQ(s.attempts(), 2u);
    EXPECT_STREQ(s.reason(), "success");
}

TEST(time_limits, of_an_attempt_are_never_zero_or_negative)
{
    for (std::int64_t total = 1; total != 40; ++total) {
        SCOPED_TRACE(total);
        restless_clock::time = 0;
        boost::asio::io_context context;
        int calls = 0;
        int attempts = 0;
        auto refused = [&](backbeat::attempt const& current, auto&& token) {
            ++attempts;
            EXPECT_TRUE(current.time_limit());
            EXPECT_GT(*current.time_limit(), 0ns);
            return boost::asio::async_initiate<decltype(token), void(boost::system::error_code)>(
                [&context](auto handler) {
                    boost::asio::post(
                        context, [h = std::move(handler)]() mutable { std::move(h)(connection_refused); });
                },
                token);
        };
        backbeat::retry_options const options{
            .initial_backoff = 0s,
            .maximum_retries = 100,
            .total_timeout = std::chrono::nanoseconds(total),
            .timers = tested_timers};
        backbeat::async_retry<restless_clock>(
            context.get_executor(), refused, options, [&](boost::system::error_code) { ++calls; });
        poll_all(context);
        EXPECT_EQ(calls, 1);
    }
}

}  // namespace
