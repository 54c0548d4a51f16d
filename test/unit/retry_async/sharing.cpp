//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Operations that share a budget and a circuit breaker: what is taken, and that it comes back however they end.

#include "retry_scenario.hpp"

#include <backbeat/async_retry.hpp>
#include <backbeat/circuit_breaker.hpp>
#include <backbeat/retry_budget.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>

namespace {

using namespace std::chrono_literals;
using namespace backbeat::test;
using backbeat::attempt_outcome;
using backbeat::circuit_breaker;
using backbeat::manual_clock;
using backbeat::retry_budget;
using backbeat::retry_errc;
using backbeat::verdict;
using boost::asio::error::connection_refused;
using boost::asio::error::operation_aborted;
using boost::system::error_code;

std::chrono::nanoseconds now()
{
    return manual_clock::now().time_since_epoch();
}

// Three tokens, of which a retry costs one, and nothing that would fill them up.
constexpr backbeat::retry_budget_options three_tokens{
    .deposit = 0, .minimum_capacity = 3, .capacity_per_success = 0, .refill_interval = 0s};

class budgets : public testing::Test {
protected:
    budgets() { manual_clock::reset(); }

    retry_budget budget{three_tokens};

    void expect_balance(double tokens) { EXPECT_DOUBLE_EQ(budget.balance(now()), tokens); }
};

TEST_F(budgets, refuse_a_retry_that_is_then_not_slept_for)
{
    retry_scenario s;
    s.options.budget = &budget;
    s.operation->script.assign(9, {connection_refused, 7});
    s.start();
    s.poll();
    s.advance(1s);
    s.advance(2s);
    expect_balance(0);
    EXPECT_EQ(s.calls, 0);
    s.advance(4s);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, connection_refused);
    EXPECT_EQ(s.result, 7);
    EXPECT_STREQ(s.reason(), "budget");
    EXPECT_EQ(s.report.attempts(), 4u);
    EXPECT_EQ(s.report.elapsed(), 7s);
    EXPECT_EQ(s.report.total_waited(), 7s);
}

TEST_F(budgets, refuse_an_unwatched_operation_too)
{
    retry_scenario s;
    s.options.budget = &budget;
    s.operation->script.assign(9, {connection_refused});
    s.start_unwatched();
    s.poll();
    for (int i = 0; i != 3; ++i) s.advance(10s);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.attempts(), 4u);
}

TEST_F(budgets, get_back_what_a_cancelled_wait_took)
{
    retry_scenario s;
    s.options.budget = &budget;
    s.operation->script = {{connection_refused}};
    s.start();
    s.poll();
    expect_balance(2);
    s.cancel();
    s.poll();
    EXPECT_EQ(s.error, operation_aborted);
    expect_balance(3);
}

TEST_F(budgets, get_back_what_a_wait_took_that_was_cancelled_when_it_had_ended)
{
    retry_scenario s;
    s.options.budget = &budget;
    s.operation->script = {{connection_refused}};
    s.start();
    s.poll();
    // The handler of this timer, which expires before the wait, finds the wait's handler ready behind it.
    boost::asio::basic_waitable_timer<manual_clock> earlier(*s.context);
    earlier.expires_at(manual_clock::time_point(500ms));
    earlier.async_wait([&](error_code) { s.cancel(); });
    s.advance(1s);
    EXPECT_EQ(s.attempts(), 1u);
    EXPECT_EQ(s.error, operation_aborted);
    expect_balance(3);
}

TEST_F(budgets, get_back_what_a_wait_took_that_ended_past_the_deadline)
{
    retry_scenario s;
    s.options.budget = &budget;
    s.options.total_timeout = 10s;
    s.operation->script = {{connection_refused}};
    s.start();
    s.poll();
    expect_balance(2);
    s.advance(11s);
    EXPECT_STREQ(s.reason(), "deadline");
    expect_balance(3);
}

TEST_F(budgets, get_back_what_an_abandoned_wait_took)
{
    retry_scenario s;
    s.options.budget = &budget;
    s.operation->script = {{connection_refused}};
    s.start();
    s.poll();
    expect_balance(2);
    s.destroy_context();
    expect_balance(3);
    EXPECT_STREQ(s.reason(), "abandoned");
}

TEST_F(budgets, get_back_what_a_retry_took_that_an_observer_cancelled_as_it_was_about_to_start)
{
    retry_scenario s;
    s.options.budget = &budget;
    s.observer.hook = [&](std::string const& event) {
        if (event == "attempt 2") s.cancel();
    };
    s.operation->script = {{connection_refused}};
    s.start();
    s.poll();
    expect_balance(2);
    s.advance(1s);
    EXPECT_EQ(s.attempts(), 1u);
    EXPECT_EQ(s.error, operation_aborted);
    expect_balance(3);
}

TEST_F(budgets, get_nothing_back_for_a_retry_that_was_made)
{
    for (bool const cancel : {false, true}) {
        retry_budget fresh(three_tokens);
        retry_scenario s;
        s.options.budget = &fresh;
        s.operation->script = {{connection_refused}};
        s.start();
        s.poll();
        s.advance(1s);
        ASSERT_TRUE(s.operation->running());
        cancel ? s.cancel() : s.destroy_context();
        if (cancel) s.poll();
        EXPECT_DOUBLE_EQ(fresh.balance(now()), 2);
    }
}

TEST_F(budgets, are_funded_by_success)
{
    retry_budget funded;
    retry_scenario s;
    s.options.budget = &funded;
    s.operation->script = {{connection_refused}, {}};
    s.start();
    s.poll();
    EXPECT_DOUBLE_EQ(funded.balance(now()), 4);
    s.advance(1s);
    EXPECT_EQ(s.calls, 1);
    EXPECT_NEAR(funded.balance(now()), 4.3, 0.001);  // 0.25 of the success, 0.05 of a second
}

class breakers : public testing::Test {
protected:
    breakers() { manual_clock::reset(); }

    circuit_breaker breaker{{.failure_ratio = 1, .minimum_throughput = 2, .open_time = 10s}};

    void open()
    {
        for (int i = 0; i != 2; ++i) breaker.record(*breaker.try_acquire(now()), attempt_outcome::transient, now());
        ASSERT_FALSE(breaker.try_acquire(now()));
    }
};

TEST_F(breakers, that_are_open_make_no_attempt)
{
    for (bool const limited : {false, true}) {
        retry_scenario s;
        breaker.reset();
        open();
        s.options.breaker = &breaker;
        if (limited) s.options.total_timeout = 1min;
        s.start();
        EXPECT_FALSE(s.called_inside_the_initiation());
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.attempts(), 0u);
        EXPECT_EQ(s.error, error_code(retry_errc::breaker_open));
        EXPECT_EQ(s.error.message(), "the circuit breaker is open");
        EXPECT_EQ(s.result, 0);
        EXPECT_STREQ(s.reason(), "breaker_open");
        EXPECT_EQ(s.observer.events, std::vector<std::string>{"breaker_open after 0"});
    }
}

TEST_F(breakers, that_are_open_can_be_cancelled_before_they_say_so)
{
    retry_scenario s;
    open();
    s.options.breaker = &breaker;
    s.start();
    s.cancel();
    s.poll();
    EXPECT_EQ(s.error, operation_aborted);
    EXPECT_STREQ(s.reason(), "cancelled");
}

TEST_F(breakers, that_open_end_the_operation_with_its_last_result_and_no_wait)
{
    retry_scenario s;
    s.options.breaker = &breaker;
    s.operation->script = {{connection_refused, 1}, {connection_refused, 2}};
    s.start();
    s.poll();
    s.advance(1s);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, connection_refused);
    EXPECT_EQ(s.result, 2);
    EXPECT_STREQ(s.reason(), "breaker_open");
    EXPECT_EQ(s.report.elapsed(), 1s);
}

TEST_F(breakers, that_opened_during_a_wait_end_the_operation_after_it)
{
    retry_scenario s;
    s.options.breaker = &breaker;
    s.operation->script = {{connection_refused, 1}};
    s.start();
    s.poll();
    breaker.record(*breaker.try_acquire(now()), attempt_outcome::transient, now());
    s.advance(1s);
    EXPECT_EQ(s.attempts(), 1u);
    EXPECT_EQ(s.error, connection_refused);
    EXPECT_EQ(s.result, 1);
    EXPECT_STREQ(s.reason(), "breaker_open");
}

TEST_F(breakers, close_when_the_trial_succeeds)
{
    retry_scenario s;
    open();
    s.pass(10s);
    s.options.breaker = &breaker;
    s.start();
    s.poll();
    ASSERT_TRUE(s.operation->running());
    EXPECT_FALSE(breaker.try_acquire(now()));
    s.operation->complete({});
    s.poll();
    EXPECT_STREQ(s.reason(), "success");
    EXPECT_TRUE(breaker.try_acquire(now()));
}

TEST_F(breakers, get_the_place_of_a_trial_back_that_did_not_end)
{
    open();
    for (bool const cancel : {false, true}) {
        retry_scenario s;
        s.pass(10s);
        s.options.breaker = &breaker;
        s.start();
        s.poll();
        ASSERT_TRUE(s.operation->running());
        EXPECT_FALSE(breaker.try_acquire(now()));
        cancel ? s.cancel() : s.destroy_context();
        if (cancel) s.poll();
        auto const place = breaker.try_acquire(now());
        EXPECT_TRUE(place);
        breaker.release(*place);
    }
}

TEST_F(breakers, get_the_place_of_an_attempt_back_whose_initiation_throws)
{
    open();
    manual_clock::advance(10s);
    boost::asio::io_context context;
    auto operation = [](auto&& token) {
        return boost::asio::async_initiate<decltype(token), void(error_code)>(
            [](auto const&) { throw std::runtime_error("thrown"); }, token);
    };
    EXPECT_THROW(
        backbeat::async_retry<manual_clock>(
            context.get_executor(), operation, {.breaker = &breaker}, [](error_code) { FAIL(); }),
        std::runtime_error);
    EXPECT_TRUE(breaker.try_acquire(now()));
}

struct unmakeable {
    explicit unmakeable(int) {}
};

TEST_F(breakers, that_are_open_are_an_exception_where_there_is_nothing_to_complete_with)
{
    open();
    boost::asio::io_context context;
    auto operation = [](auto&& token) {
        return boost::asio::async_initiate<decltype(token), void(error_code, unmakeable)>(
            [](auto const&) { FAIL(); }, token);
    };
    try {
        backbeat::async_retry<manual_clock>(
            context.get_executor(), operation, {.breaker = &breaker}, [](error_code, unmakeable) { FAIL(); });
        FAIL();
    } catch (boost::system::system_error const& e) {
        EXPECT_EQ(e.code(), error_code(retry_errc::breaker_open));
    }
}

// The order of composition, from the outside in: total time-out ( retry ( breaker ( attempt time-out ( operation )))).
TEST_F(breakers, are_told_of_time_outs_and_asked_before_each_attempt)
{
    retry_scenario s;
    s.options.attempt_timeout = 3s;
    s.options.total_timeout = 1h;
    s.options.breaker = &breaker;
    s.start();
    s.poll();
    s.advance(3s);  // the first attempt times out
    s.advance(1s);
    EXPECT_EQ(s.attempts(), 2u);
    s.advance(3s);  // and the second, at which the breaker opens
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, error_code(retry_errc::attempt_timeout));
    EXPECT_STREQ(s.reason(), "breaker_open");
}

}  // namespace
