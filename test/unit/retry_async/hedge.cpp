//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The rules of hedging, in virtual time.

#include "hedge_scenario.hpp"

#include <backbeat/async_hedge.hpp>
#include <backbeat/async_retry.hpp>
#include <backbeat/latency_tracker.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;
using namespace backbeat::test;
using backbeat::async_hedge;
using backbeat::attempt;
using backbeat::delivery;
using backbeat::hedge_options;
using backbeat::manual_clock;
using backbeat::retry_errc;
using backbeat::verdict;
using backbeat::verdict_kind;
using boost::asio::cancellation_type;
using boost::asio::error::connection_refused;
using boost::asio::error::connection_reset;
using boost::asio::error::invalid_argument;
using boost::asio::error::operation_aborted;
using boost::system::error_code;

using types = std::vector<cancellation_type>;
using texts = std::vector<std::string>;

// A classifier of the answers 1 (throttled) and 2 (failed), each of which asks to come back after so long.
auto hinting(std::optional<std::chrono::nanoseconds> hint)
{
    return [=](attempt const&, error_code error, int value) {
        if (value == 1) return verdict::throttled(hint);
        if (value == 2) return verdict::retry(hint);
        return backbeat::default_classifier{}(error, value);
    };
}

// ---- When attempts start ----

TEST(hedge, of_an_operation_that_answers_in_time_makes_one_attempt)
{
    hedge_scenario s;
    s.start();
    s.advance(1s - 1ns);
    s.complete(1, {}, 7);
    EXPECT_EQ(s.calls, 1);
    EXPECT_FALSE(s.error);
    EXPECT_EQ(s.result, 7);
    EXPECT_STREQ(s.reason(), "success");
    EXPECT_EQ(s.attempts(), 1u);
    EXPECT_TRUE(s.context->stopped());
}

TEST(hedge, starts_the_next_attempt_each_time_the_delay_passes_without_an_answer)
{
    hedge_scenario s;
    s.start();
    EXPECT_EQ(s.attempts(), 1u);
    s.advance(1s - 1ns);
    EXPECT_EQ(s.attempts(), 1u);
    s.advance(1ns);
    EXPECT_EQ(s.attempts(), 2u);
    s.advance(1s - 1ns);
    EXPECT_EQ(s.attempts(), 2u);
    s.advance(1ns);
    EXPECT_EQ(s.attempts(), 3u);
    for (std::uint32_t i = 1; i != 4; ++i) {
        EXPECT_EQ(s.operation->seen(i).number, i);
        EXPECT_TRUE(s.operation->running(i));
        EXPECT_FALSE(s.operation->seen(i).time_limit);
    }
}

TEST(hedge, makes_no_more_than_the_maximum_of_attempts)
{
    for (std::uint32_t maximum = 1; maximum != 17; ++maximum) {
        hedge_scenario s;
        s.options.maximum_attempts = maximum;
        s.start();
        for (int i = 0; i != 20; ++i) s.advance(1s);
        EXPECT_EQ(s.attempts(), maximum);
        s.complete(maximum, {}, 7);
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.report.attempts(), maximum);
        EXPECT_EQ(s.report.omitted(), 0u);
    }
}

TEST(hedge, with_a_delay_of_zero_starts_all_attempts_at_once)
{
    hedge_scenario s;
    s.options.delay = 0s;
    s.start();
    EXPECT_EQ(s.operation->running(), 3u);
    s.complete(3, {}, 7);
    EXPECT_EQ(s.result, 7);
    EXPECT_EQ(s.report.elapsed(), 0s);
}

TEST(hedge, with_a_delay_of_zero_starts_none_after_one_that_succeeded_at_once)
{
    hedge_scenario s;
    s.options.delay = 0s;
    s.operation->script = {{2, {{}, 7, true}}};
    s.start();
    EXPECT_EQ(s.attempts(), 2u);
    EXPECT_EQ(s.result, 7);
}

TEST(hedge, counts_the_delay_from_the_last_start_however_late_it_was)
{
    hedge_scenario s;
    s.start();
    s.advance(5s);
    EXPECT_EQ(s.attempts(), 2u);
    s.advance(1s - 1ns);
    EXPECT_EQ(s.attempts(), 2u);
    s.advance(1ns);
    EXPECT_EQ(s.attempts(), 3u);
}

TEST(hedge, with_the_longest_delay_there_is_never_starts_a_second_attempt)
{
    hedge_scenario s;
    s.pass(1s);
    s.options.delay = (std::chrono::nanoseconds::max)();
    s.options.attempt_timeout = (std::chrono::nanoseconds::max)();
    s.options.total_timeout = (std::chrono::nanoseconds::max)();
    s.start();
    s.advance(100000h);
    EXPECT_EQ(s.attempts(), 1u);
    s.complete(1, {}, 7);
    EXPECT_EQ(s.calls, 1);
}

// ---- Who wins ----

TEST(the_first_success, wins_and_the_others_are_cancelled_with_terminal_and_waited_for)
{
    for (std::uint32_t winner = 1; winner != 4; ++winner) {
        hedge_scenario s;
        for (std::uint32_t i = 1; i != 4; ++i) s.operation->reactions[i] = when_cancelled::ignores;
        s.start();
        s.advance(1s);
        s.advance(1s);
        s.complete(winner, {}, 7);
        std::vector<std::uint32_t> losers;
        for (std::uint32_t i = 1; i != 4; ++i)
            if (i != winner) losers.push_back(i);
        for (auto const loser : losers) EXPECT_EQ(s.told(loser), types{cancellation_type::terminal});
        EXPECT_TRUE(s.told(winner).empty());
        s.advance(1h);
        EXPECT_EQ(s.calls, 0);
        s.complete(losers[1], operation_aborted, -1);
        EXPECT_EQ(s.calls, 0);
        s.complete(losers[0], operation_aborted, -1);
        EXPECT_EQ(s.calls, 1);
        EXPECT_FALSE(s.error);
        EXPECT_EQ(s.result, 7);
        EXPECT_STREQ(s.reason(), "success");
        EXPECT_EQ(s.attempts(), 3u);
        EXPECT_TRUE(s.context->stopped());
    }
}

TEST(the_first_success, stands_whatever_a_loser_ends_with)
{
    for (auto const& with : {error_code(), error_code(connection_reset), error_code(invalid_argument)}) {
        hedge_scenario s;
        s.operation->reactions[1] = when_cancelled::ignores;
        s.start();
        s.advance(1s);
        s.complete(2, {}, 7);
        s.complete(1, with, 8);
        EXPECT_EQ(s.calls, 1);
        EXPECT_FALSE(s.error);
        EXPECT_EQ(s.result, 7);
        EXPECT_STREQ(s.reason(), "success");
        EXPECT_EQ(s.attempts(), 2u);
    }
}

TEST(the_first_success, of_two_that_complete_together_is_the_one_that_came_first)
{
    hedge_scenario s;
    s.start();
    s.advance(1s);
    s.operation->complete(2, {}, 7);
    s.operation->complete(1, {}, 8);
    s.poll();
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.result, 7);
    EXPECT_EQ(s.report.attempts(), 2u);
}

TEST(the_first_success, keeps_a_hedge_that_is_due_at_the_same_time_from_starting)
{
    hedge_scenario s;
    s.start();
    s.pass(1s);
    s.operation->complete(1, {}, 7);
    s.poll();
    EXPECT_EQ(s.attempts(), 1u);
    EXPECT_EQ(s.result, 7);
}

TEST(the_first_success, of_losers_that_complete_inside_the_emission)
{
    hedge_scenario s;
    for (std::uint32_t i = 1; i != 4; ++i) s.operation->reactions[i] = when_cancelled::aborts_inside_the_emission;
    s.options.delay = 0s;
    s.start();
    s.operation->complete_now(2, {}, 7);
    s.poll();
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.result, 7);
    EXPECT_EQ(s.report.attempts(), 3u);
}

// ---- Failures ----

TEST(a_failure, to_be_retried_starts_the_next_attempt_at_once)
{
    hedge_scenario s;
    s.start();
    s.advance(300ms);
    s.complete(1, connection_refused);
    EXPECT_EQ(s.attempts(), 2u);
    EXPECT_EQ(s.operation->seen(2).started, 300ms);
    s.advance(1s - 1ns);
    EXPECT_EQ(s.attempts(), 2u);
    s.advance(1ns);
    EXPECT_EQ(s.attempts(), 3u);
    s.complete(2, connection_refused);
    EXPECT_EQ(s.calls, 0);
    s.complete(3, {}, 7);
    EXPECT_EQ(s.result, 7);
    EXPECT_STREQ(s.reason(), "success");
}

TEST(a_failure, starts_one_attempt_even_if_several_come_together)
{
    hedge_scenario s;
    s.options.maximum_attempts = 4;
    s.start();
    s.advance(1s);
    s.operation->complete(1, connection_refused);
    s.operation->complete(2, connection_refused);
    s.poll();
    EXPECT_EQ(s.attempts(), 4u);
    EXPECT_EQ(s.operation->running(), 2u);
}

TEST(a_failure, of_every_attempt_delivers_the_one_that_came_last)
{
    hedge_scenario s;
    s.options.delay = 0s;
    s.start();
    s.complete(3, connection_refused, 1003);
    s.complete(1, connection_reset, 1001);
    EXPECT_EQ(s.calls, 0);
    s.complete(2, connection_refused, 1002);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, connection_refused);
    EXPECT_EQ(s.result, 1002);
    EXPECT_STREQ(s.reason(), "exhausted");
    EXPECT_EQ(s.report.error(), connection_refused);
}

TEST(a_failure, of_every_attempt_one_after_the_other)
{
    hedge_scenario s;
    s.operation->script = {
        {1, {connection_refused, 1001, true}}, {2, {connection_refused, 1002}}, {3, {connection_reset, 1003, true}}};
    s.start();
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, connection_reset);
    EXPECT_EQ(s.result, 1003);
    EXPECT_STREQ(s.reason(), "exhausted");
    EXPECT_EQ(s.report.elapsed(), 0s);
    EXPECT_EQ(s.report.total_waited(), 0s);
}

TEST(a_failure, that_is_permanent_cancels_the_others_and_is_delivered)
{
    hedge_scenario s;
    s.operation->reactions[1] = when_cancelled::ignores;
    s.start();
    s.advance(1s);
    s.complete(2, invalid_argument, 1002);
    EXPECT_EQ(s.told(1), types{cancellation_type::terminal});
    s.advance(1h);
    EXPECT_EQ(s.calls, 0);
    EXPECT_EQ(s.attempts(), 2u);
    s.complete(1, {}, 7);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, invalid_argument);
    EXPECT_EQ(s.result, 1002);
    EXPECT_STREQ(s.reason(), "permanent");
}

TEST(a_failure, that_must_not_be_repeated_starts_no_other_and_leaves_those_that_run)
{
    for (bool const wins : {true, false}) {
        hedge_scenario s;
        s.classifier = [](attempt const&, error_code error, int) {
            return verdict{
                .kind = error ? verdict_kind::retry : verdict_kind::done,
                .delivered = error ? delivery::ambiguous : delivery::responded,
                .replayable = false};
        };
        s.start();
        s.advance(1s);
        s.complete(1, connection_reset, 1001);
        s.advance(1h);
        EXPECT_EQ(s.attempts(), 2u);
        EXPECT_TRUE(s.told(2).empty());
        s.complete(2, wins ? error_code() : error_code(connection_refused), 1002);
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.result, 1002);
        EXPECT_STREQ(s.reason(), wins ? "success" : "not_replayable");
    }
}

TEST(a_failure, that_leaves_nothing_to_send_starts_no_other_and_leaves_those_that_run)
{
    hedge_scenario s;
    s.classifier = [](attempt const&, error_code error, int) {
        return verdict{.kind = error ? verdict_kind::retry : verdict_kind::done, .spent = true};
    };
    s.start();
    s.advance(1s);
    s.complete(1, connection_reset, 1001);
    s.advance(1h);
    EXPECT_EQ(s.attempts(), 2u);
    s.complete(2, connection_refused, 1002);
    EXPECT_EQ(s.calls, 1);
    EXPECT_STREQ(s.reason(), "not_replayable");
}

TEST(a_failure, of_which_nobody_knows_what_it_did_cancels_the_others_and_is_delivered)
{
    hedge_scenario s;
    s.classifier = [](attempt const&, error_code, int) { return verdict{.kind = verdict_kind::unknown}; };
    s.start();
    s.advance(1s);
    s.complete(2, connection_reset, 1002);
    EXPECT_EQ(s.told(1), types{cancellation_type::terminal});
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.result, 1002);
    EXPECT_STREQ(s.reason(), "outcome_unknown");
}

TEST(a_failure, tells_the_next_attempt_the_worst_delivery)
{
    hedge_scenario s;
    s.operation->deliveries = {{1, delivery::ambiguous}, {2, delivery::not_sent}};
    std::vector<std::optional<delivery>> worst;
    s.classifier = [&](attempt const& current, error_code error, int) {
        worst.push_back(current.worst_delivery());
        return error ? verdict::retry() : verdict::done();
    };
    s.operation->script = {{1, {connection_refused}}, {2, {connection_refused}}, {3, {}}};
    s.start();
    EXPECT_EQ(worst, (std::vector<std::optional<delivery>>{{}, delivery::ambiguous, delivery::ambiguous}));
    EXPECT_EQ(s.report.records()[1].delivered, delivery::not_sent);
    EXPECT_EQ(s.report.worst_delivery(), delivery::ambiguous);
}

// ---- Hints ----

TEST(a_hint, puts_the_next_attempt_off_until_it_has_passed)
{
    for (int const kind : {1, 2}) {
        hedge_scenario s;
        s.classifier = hinting(5s);
        s.start();
        s.complete(1, {}, kind);
        EXPECT_EQ(s.calls, 0);
        s.advance(5s - 1ns);
        EXPECT_EQ(s.attempts(), 1u);
        s.advance(1ns);
        EXPECT_EQ(s.attempts(), 2u);
        s.advance(1s);
        EXPECT_EQ(s.attempts(), 3u) << "the delay counts from the attempt that was put off";
        s.complete(2, {}, 7);
        EXPECT_STREQ(s.reason(), "success");
        EXPECT_EQ(s.report.total_waited(), 5s);
    }
}

TEST(a_hint, puts_off_the_hedge_of_an_attempt_that_runs)
{
    hedge_scenario s;
    s.classifier = hinting(5s);
    s.start();
    s.advance(1s);
    s.advance(500ms);
    s.complete(2, {}, 1);
    s.advance(5s - 1ns);
    EXPECT_EQ(s.attempts(), 2u);
    s.advance(1ns);
    EXPECT_EQ(s.attempts(), 3u);
    s.complete(1, {}, 7);
    EXPECT_EQ(s.result, 7);
}

TEST(a_hint, that_is_shorter_than_the_delay_brings_the_next_attempt_forward)
{
    hedge_scenario s;
    s.options.delay = 10s;
    s.classifier = hinting(2s);
    s.start();
    s.advance(1s);
    s.complete(1, {}, 2);
    s.advance(2s - 1ns);
    EXPECT_EQ(s.attempts(), 1u);
    s.advance(1ns);
    EXPECT_EQ(s.attempts(), 2u);
}

TEST(a_hint, holds_against_a_later_failure_without_one)
{
    hedge_scenario s;
    s.classifier = hinting(5s);
    s.start();
    s.advance(1s);
    s.complete(1, {}, 2);
    s.advance(1s);
    s.complete(2, connection_refused);
    EXPECT_EQ(s.operation->running(), 0u);
    s.advance(4s - 1ns);
    EXPECT_EQ(s.attempts(), 2u);
    s.advance(1ns);
    EXPECT_EQ(s.attempts(), 3u);
}

TEST(a_hint, is_spread_upwards_by_a_quarter_but_no_more_than_a_second)
{
    constant_source largest(std::numeric_limits<std::uint64_t>::max());
    for (auto const& [hint, spread] : {std::pair{2s, 500ms}, std::pair{100s, 1000ms}}) {
        hedge_scenario s;
        s.options.random = &largest;
        s.classifier = hinting(hint);
        s.start();
        s.complete(1, {}, 2);
        s.advance(hint + spread - 1ns);
        EXPECT_EQ(s.attempts(), 1u);
        s.advance(1ns);
        EXPECT_EQ(s.attempts(), 2u);
        s.complete(2, {}, 7);
        EXPECT_EQ(s.report.total_waited(), hint + spread);
    }
}

TEST(a_hint, without_a_source_of_random_numbers_is_never_early)
{
    hedge_scenario s;
    s.options.random = nullptr;
    s.classifier = hinting(4s);
    s.start();
    s.complete(1, {}, 2);
    s.advance(4s - 1ns);
    EXPECT_EQ(s.attempts(), 1u);
    s.advance(1s + 1ns);
    EXPECT_EQ(s.attempts(), 2u);
}

TEST(a_hint, longer_than_the_maximum_starts_no_other_and_leaves_those_that_run)
{
    for (bool const wins : {true, false}) {
        hedge_scenario s;
        s.classifier = hinting(5min + 1ns);
        s.start();
        s.advance(1s);
        s.complete(1, {}, 2);
        s.advance(1h);
        EXPECT_EQ(s.attempts(), 2u);
        s.complete(2, wins ? error_code() : error_code(connection_refused), 1002);
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.result, 1002);
        EXPECT_STREQ(s.reason(), wins ? "success" : "hint_too_long");
    }
}

TEST(a_hint, longer_than_the_maximum_ends_an_operation_of_which_nothing_runs)
{
    hedge_scenario s;
    s.options.maximum_hint = 1s;
    s.classifier = hinting(1s + 1ns);
    s.start();
    s.complete(1, connection_refused, 2);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, connection_refused);
    EXPECT_EQ(s.result, 2);
    EXPECT_STREQ(s.reason(), "hint_too_long");
}

TEST(a_hint, longer_than_the_deadline_leaves_is_not_waited_for)
{
    hedge_scenario s;
    s.options.total_timeout = 10s;
    s.classifier = hinting(8s);
    s.start();
    s.advance(2s);
    s.complete(1, connection_refused, 2);
    EXPECT_EQ(s.told(2), types{});
    s.complete(2, connection_refused, 2);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.result, 2);
    EXPECT_STREQ(s.reason(), "hint_too_long");
    EXPECT_EQ(s.report.elapsed(), 2s);
}

TEST(a_hint, is_ignored_where_the_maximum_is_zero)
{
    hedge_scenario s;
    s.options.maximum_hint = 0s;
    s.classifier = hinting(5s);
    s.start();
    s.complete(1, {}, 2);
    EXPECT_EQ(s.attempts(), 2u);
    s.complete(2, {}, 1);
    EXPECT_EQ(s.attempts(), 2u) << "throttled all the same";
    s.advance(1s);
    EXPECT_EQ(s.attempts(), 3u);
}

TEST(a_hint, that_is_negative_counts_as_none)
{
    hedge_scenario s;
    s.classifier = hinting(-5s);
    s.start();
    s.complete(1, {}, 2);
    EXPECT_EQ(s.attempts(), 2u);
}

TEST(throttling, without_a_hint_puts_the_next_attempt_off_by_the_delay)
{
    hedge_scenario s;
    s.classifier = hinting({});
    s.start();
    s.advance(600ms);
    s.complete(1, {}, 1);
    s.advance(1s - 1ns);
    EXPECT_EQ(s.attempts(), 1u);
    s.advance(1ns);
    EXPECT_EQ(s.attempts(), 2u);
    s.complete(2, {}, 7);
    EXPECT_EQ(s.report.records()[0].wait, 1s);
    EXPECT_EQ(s.report.records()[0].origin, backbeat::wait_origin::backoff);
}

TEST(throttling, with_a_short_hint_puts_the_next_attempt_off_by_the_delay)
{
    hedge_scenario s;
    s.classifier = hinting(1ms);
    s.start();
    s.complete(1, {}, 1);
    s.advance(1s - 1ns);
    EXPECT_EQ(s.attempts(), 1u);
    s.advance(1ns);
    EXPECT_EQ(s.attempts(), 2u);
}

// ---- The budget ----

TEST(the_budget, is_asked_before_each_attempt_but_the_first_and_told_how_attempts_end)
{
    hedge_scenario s;
    s.options.budget = &s.budget;
    s.budget.cost = 5;
    s.start();
    EXPECT_EQ(s.budget.events, (texts{"started"}));
    s.advance(1s);
    s.complete(1, connection_refused);
    s.complete(3, {}, 7);
    EXPECT_EQ(
        s.budget.events,
        (texts{"started", "granted after transient", "transient 0", "granted after transient", "success 5"}));
    EXPECT_EQ(s.report.attempts(), 3u) << "the loser was cancelled, and the budget is not told";
}

TEST(the_budget, is_told_of_every_outcome)
{
    hedge_scenario s;
    s.options.budget = &s.budget;
    s.options.maximum_attempts = 4;
    s.options.attempt_timeout = 3s;
    s.classifier = hinting({});
    s.start();
    s.complete(1, {}, 1);
    s.advance(1s);
    s.complete(2, connection_refused);
    s.budget.events.clear();
    s.operation->reactions[4] = when_cancelled::ignores;
    s.advance(3s);
    EXPECT_EQ(s.budget.events, (texts{"granted after transient", "timed_out 1"}));
    s.complete(4, invalid_argument);
    EXPECT_EQ(s.budget.events.back(), "permanent 1");
}

TEST(the_budget, is_told_what_kind_of_failure_the_next_attempt_follows)
{
    hedge_scenario s;
    s.options.budget = &s.budget;
    s.options.attempt_timeout = 500ms;
    s.classifier = hinting({});
    s.start();
    s.complete(1, {}, 1);
    EXPECT_EQ(s.budget.events, (texts{"started", "throttled 0", "granted after throttled"}));
    s.advance(1s);
    s.budget.events.clear();
    s.advance(500ms);
    EXPECT_EQ(s.budget.events, (texts{"timed_out 1", "granted after timed_out"}));
}

TEST(the_budget, is_told_of_a_loser_that_succeeds_all_the_same)
{
    hedge_scenario s;
    s.options.budget = &s.budget;
    s.operation->reactions = {{1, when_cancelled::succeeds}, {3, when_cancelled::aborts}};
    s.start();
    s.advance(1s);
    s.advance(1s);
    s.budget.events.clear();
    s.complete(2, {}, 7);
    EXPECT_EQ(s.result, 7);
    EXPECT_EQ(s.budget.events, (texts{"success 1", "success 0"}));
}

TEST(the_budget, that_refuses_a_hedge_leaves_those_that_run)
{
    hedge_scenario s;
    s.options.budget = &s.budget;
    s.budget.left = 0;
    s.start();
    s.advance(1s);
    EXPECT_EQ(s.attempts(), 1u);
    s.advance(1h);
    EXPECT_EQ(s.attempts(), 1u);
    EXPECT_EQ(s.budget.events, (texts{"started", "refused after transient"})) << "it is not asked over and over";
    s.complete(1, {}, 7);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.result, 7);
    EXPECT_STREQ(s.reason(), "success");
}

TEST(the_budget, that_refuses_a_hedge_is_asked_again_after_a_failure)
{
    hedge_scenario s;
    s.options.budget = &s.budget;
    s.budget.left = 0;
    s.start();
    s.advance(1s);
    s.budget.left = 1;
    s.advance(1s);
    EXPECT_EQ(s.attempts(), 1u);
    s.complete(1, connection_refused);
    EXPECT_EQ(s.attempts(), 2u);
}

TEST(the_budget, that_refuses_after_the_last_failure_ends_the_operation)
{
    hedge_scenario s;
    s.options.budget = &s.budget;
    s.budget.left = 1;
    s.start();
    s.advance(1s);
    s.complete(2, connection_reset);
    EXPECT_EQ(s.budget.events.back(), "refused after transient");
    EXPECT_EQ(s.calls, 0);
    s.complete(1, connection_refused, 1001);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, connection_refused);
    EXPECT_EQ(s.result, 1001);
    EXPECT_STREQ(s.reason(), "budget");
    EXPECT_EQ(s.attempts(), 2u);
}

TEST(the_budget, refuses_before_a_hint_is_waited_for)
{
    hedge_scenario s;
    s.options.budget = &s.budget;
    s.budget.left = 0;
    s.classifier = hinting(5s);
    s.start();
    s.complete(1, {}, 2);
    EXPECT_EQ(s.calls, 1);
    EXPECT_STREQ(s.reason(), "budget");
    EXPECT_EQ(s.report.total_waited(), 0s);
}

TEST(the_budget, is_asked_once_for_an_attempt_that_two_failures_wait_for)
{
    hedge_scenario s;
    s.options.budget = &s.budget;
    s.classifier = hinting(5s);
    s.start();
    s.advance(1s);
    s.complete(1, {}, 2);
    s.complete(2, {}, 2);
    s.advance(5s);
    EXPECT_EQ(s.attempts(), 3u);
    EXPECT_EQ(s.budget.left, 998);
}

TEST(the_budget, gets_back_what_an_attempt_cost_that_is_not_started)
{
    struct ending {
        char const* name;
        std::function<void(hedge_scenario&)> happens;
        std::string last_event;
    };
    for (auto const& [name, happens, last_event] :
         {ending{"success", [](hedge_scenario& s) { s.complete(1, {}, 7); }, "success 0"},
          ending{"permanent", [](hedge_scenario& s) { s.complete(1, invalid_argument); }, "permanent 0"},
          ending{"cancelled", [](hedge_scenario& s) { s.cancel(); }, ""},
          ending{"deadline", [](hedge_scenario& s) { s.advance(8s + 500ms); }, ""},
          ending{"hint_too_long", [](hedge_scenario& s) { s.complete(1, {}, 3); }, "transient 0"},
          ending{"context", [](hedge_scenario& s) { s.destroy_context(); }, ""}}) {
        SCOPED_TRACE(name);
        hedge_scenario s;
        s.options.budget = &s.budget;
        s.options.total_timeout = 9s;
        s.classifier = [](attempt const& current, error_code error, int value) {
            if (value == 3) return verdict::retry(1h);
            return hinting(5s)(current, error, value);
        };
        s.budget.cost = 3;
        s.start();
        s.advance(1s);
        s.complete(2, {}, 2);
        EXPECT_EQ(s.budget.events.back(), "granted after transient");
        auto const before = s.budget.events.size();
        happens(s);
        std::vector<std::string> const since(
            s.budget.events.begin() + static_cast<std::ptrdiff_t>(before), s.budget.events.end());
        if (last_event.empty()) {
            EXPECT_EQ(since, (texts{"given back 3"}));
        } else {
            EXPECT_EQ(since, (texts{last_event, "given back 3"}));
        }
        EXPECT_EQ(s.attempts(), 2u);
    }
}

TEST(the_budget, gets_back_what_an_attempt_cost_that_the_observer_cancels)
{
    hedge_scenario s;
    s.options.budget = &s.budget;
    s.observer.hook = [&](std::string const& event) {
        if (event == "attempt 2") s.cancel();
    };
    s.start();
    s.advance(1s);
    EXPECT_EQ(s.budget.events, (texts{"started", "granted after transient", "given back 1"}));
    EXPECT_EQ(s.attempts(), 1u);
    EXPECT_STREQ(s.reason(), "cancelled");
}

// ---- Time limits ----

TEST(attempt_timeout, cancels_that_attempt_and_the_next_starts_at_once)
{
    hedge_scenario s;
    s.options.attempt_timeout = 1500ms;
    s.start();
    s.advance(1s);
    s.advance(500ms);
    EXPECT_EQ(s.told(1), types{cancellation_type::terminal});
    EXPECT_TRUE(s.told(2).empty());
    EXPECT_EQ(s.attempts(), 3u);
    EXPECT_EQ(s.operation->seen(3).started, 1500ms);
    EXPECT_EQ(s.operation->seen(3).time_limit, 1500ms);
    s.complete(3, {}, 7);
    EXPECT_STREQ(s.reason(), "success");
    EXPECT_EQ(s.report.records()[0].error, retry_errc::attempt_timeout);
    EXPECT_EQ(s.report.records()[2].error, operation_aborted);
}

TEST(attempt_timeout, of_every_attempt_is_the_error)
{
    hedge_scenario s;
    s.options.attempt_timeout = 1500ms;
    s.start();
    for (int i = 0; i != 10; ++i) s.advance(500ms);
    EXPECT_EQ(s.attempts(), 3u);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, retry_errc::attempt_timeout);
    EXPECT_EQ(s.result, -1);
    EXPECT_STREQ(s.reason(), "exhausted");
    EXPECT_EQ(s.report.elapsed(), 3s);
}

TEST(attempt_timeout, below_the_delay_makes_attempts_follow_one_another)
{
    hedge_scenario s;
    s.options.attempt_timeout = 400ms;
    s.start();
    s.advance(400ms);
    EXPECT_EQ(s.attempts(), 2u);
    EXPECT_EQ(s.operation->running(), 1u);
    s.advance(400ms);
    EXPECT_EQ(s.attempts(), 3u);
    s.advance(400ms);
    EXPECT_EQ(s.error, retry_errc::attempt_timeout);
}

TEST(attempt_timeout, leaves_any_other_completion_of_the_attempt_as_it_is)
{
    for (auto const& with : {error_code(), error_code(connection_reset)}) {
        hedge_scenario s;
        s.options.attempt_timeout = 2s;
        s.options.maximum_attempts = 1;
        s.operation->reactions[1] = when_cancelled::ignores;
        s.start();
        s.advance(2s);
        EXPECT_EQ(s.told(1), types{cancellation_type::terminal});
        s.advance(1h);
        EXPECT_EQ(s.told(1).size(), 1u);
        EXPECT_EQ(s.calls, 0);
        s.complete(1, with, 7);
        EXPECT_EQ(s.error, with);
        EXPECT_EQ(s.result, 7);
        EXPECT_STREQ(s.reason(), with ? "exhausted" : "success");
    }
}

TEST(attempt_timeout, does_not_touch_an_attempt_that_aborts_by_itself_before)
{
    hedge_scenario s;
    s.options.attempt_timeout = 2s;
    s.start();
    s.complete(1, operation_aborted);
    EXPECT_EQ(s.error, operation_aborted);
    EXPECT_STREQ(s.reason(), "permanent");
}

TEST(attempt_timeout, that_comes_with_the_winner_changes_nothing)
{
    hedge_scenario s;
    s.options.attempt_timeout = 2s;
    s.start();
    s.advance(1s);
    s.pass(1s);
    s.operation->complete(2, {}, 7);
    s.poll();
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.result, 7);
    EXPECT_EQ(s.told(1), types{cancellation_type::terminal}) << "once";
}

TEST(total_timeout, cancels_all_attempts_and_is_the_error)
{
    hedge_scenario s;
    s.options.total_timeout = 1500ms;
    s.start();
    EXPECT_EQ(s.operation->seen(1).time_limit, 1500ms);
    s.advance(1s);
    EXPECT_EQ(s.operation->seen(2).time_limit, 500ms);
    s.operation->reactions[2] = when_cancelled::ignores;
    s.advance(500ms);
    EXPECT_EQ(s.told(1), types{cancellation_type::terminal});
    EXPECT_EQ(s.told(2), types{cancellation_type::terminal});
    s.advance(1h);
    EXPECT_EQ(s.calls, 0) << "all are waited for";
    s.complete(2, operation_aborted, -2);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, retry_errc::deadline);
    EXPECT_EQ(s.result, -2);
    EXPECT_STREQ(s.reason(), "deadline");
    EXPECT_EQ(s.attempts(), 2u);
    EXPECT_EQ(s.report.records()[0].error, retry_errc::deadline);
}

TEST(total_timeout, does_not_undo_a_success)
{
    hedge_scenario s;
    s.options.total_timeout = 1500ms;
    s.operation->reactions = {{1, when_cancelled::succeeds}};
    s.start();
    s.advance(1s);
    s.advance(500ms);
    EXPECT_EQ(s.calls, 1);
    EXPECT_FALSE(s.error);
    EXPECT_EQ(s.result, 42);
    EXPECT_STREQ(s.reason(), "success");
    EXPECT_EQ(s.told(2), types{cancellation_type::terminal});
}

TEST(total_timeout, leaves_the_failure_of_an_attempt_as_it_is)
{
    hedge_scenario s;
    s.options.total_timeout = 500ms;
    s.operation->reactions[1] = when_cancelled::ignores;
    s.start();
    s.advance(500ms);
    s.complete(1, connection_reset, 7);
    EXPECT_EQ(s.error, connection_reset);
    EXPECT_EQ(s.result, 7);
    EXPECT_STREQ(s.reason(), "deadline");
    EXPECT_EQ(s.attempts(), 1u);
}

TEST(total_timeout, keeps_the_time_of_an_attempt_short)
{
    hedge_scenario s;
    s.options.total_timeout = 2s;
    s.options.attempt_timeout = 1500ms;
    s.start();
    EXPECT_EQ(s.operation->seen(1).time_limit, 1500ms);
    s.advance(1s);
    EXPECT_EQ(s.operation->seen(2).time_limit, 1s);
    s.advance(500ms);
    EXPECT_EQ(s.operation->seen(3).time_limit, 500ms);
    s.advance(500ms);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, retry_errc::deadline);
    EXPECT_EQ(s.report.records()[0].error, retry_errc::attempt_timeout);
    EXPECT_EQ(s.report.elapsed(), 2s);
}

TEST(total_timeout, starts_no_attempt_after_it_even_if_one_ignores_its_cancellation)
{
    hedge_scenario s;
    s.options.total_timeout = 1500ms;
    s.operation->reactions[1] = when_cancelled::ignores;
    s.start();
    s.pass(2s);
    s.poll();
    EXPECT_EQ(s.attempts(), 1u) << "the context was too busy to hedge in time";
    s.advance(1h);
    EXPECT_EQ(s.attempts(), 1u);
    s.complete(1, operation_aborted);
    EXPECT_EQ(s.error, retry_errc::deadline);
}

TEST(total_timeout, that_is_slept_through_in_a_wait_starts_no_attempt)
{
    hedge_scenario s;
    s.options.total_timeout = 10s;
    s.classifier = hinting(5s);
    s.start();
    s.complete(1, connection_refused, 2);
    s.advance(10s);
    EXPECT_EQ(s.attempts(), 1u);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, connection_refused);
    EXPECT_EQ(s.result, 2);
    EXPECT_STREQ(s.reason(), "deadline");
}

TEST(total_timeout, that_passes_before_the_start_is_the_error)
{
    hedge_scenario s;
    s.options.total_timeout = 1s;
    s.start_only();
    s.advance(1s);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, retry_errc::deadline);
    EXPECT_EQ(s.result, 0);
    EXPECT_STREQ(s.reason(), "deadline");
    EXPECT_EQ(s.attempts(), 0u);
    EXPECT_EQ(s.observer.events, texts{"deadline after 0"});
}

// ---- The tracked latency ----

TEST(the_latency, chooses_the_delay_when_the_tracker_has_enough_samples)
{
    backbeat::latency_tracker latency;
    for (int i = 0; i != 19; ++i) latency.record(100ms, 0s);
    for (auto const& [samples, delay] : {std::pair{19, 1000ms}, std::pair{20, 102ms}}) {
        hedge_scenario s;
        s.options.latency = &latency;
        if (samples == 20) latency.record(100ms, 0s);
        s.start();
        s.advance(delay - 6ms);
        EXPECT_EQ(s.attempts(), 1u) << samples;
        s.advance(12ms);
        EXPECT_EQ(s.attempts(), 2u) << samples;
        s.destroy_context();
    }
}

// What operations have told a tracker that knows nothing else.
class told_latency : public testing::Test {
protected:
    backbeat::latency_tracker latency{{.minimum_samples = 1}};
    hedge_scenario s;

    told_latency() { s.options.latency = &latency; }

    // Empty: nothing was recorded.
    [[nodiscard]] std::optional<std::chrono::nanoseconds> recorded()
    {
        auto const now = manual_clock::now().time_since_epoch();
        EXPECT_FALSE(latency.quantile(0.4, now)) << "more than one sample";
        return latency.quantile(1e-7, now);
    }

    void expect(std::chrono::nanoseconds about)
    {
        ASSERT_TRUE(recorded());
        EXPECT_NEAR(static_cast<double>(recorded()->count()), static_cast<double>(about.count()), 0.07 * 1e9);
    }
};

TEST_F(told_latency, is_that_of_a_first_attempt_that_succeeds)
{
    s.start();
    s.advance(700ms);
    s.complete(1, {}, 7);
    expect(700ms);
}

TEST_F(told_latency, is_that_of_a_first_attempt_that_wins_over_its_hedge_and_not_the_hedges)
{
    s.start();
    s.advance(1s);
    s.advance(100ms);
    s.complete(1, {}, 7);
    expect(1100ms);
}

TEST_F(told_latency, is_the_time_that_a_first_attempt_had_run_when_its_hedge_won)
{
    s.operation->reactions[1] = when_cancelled::ignores;
    s.start();
    s.advance(1s);
    s.advance(10ms);
    s.complete(2, {}, 7);
    s.advance(10s);
    s.complete(1, operation_aborted);
    EXPECT_EQ(s.calls, 1);
    expect(1010ms);
}

TEST_F(told_latency, is_that_of_a_loser_that_succeeds_all_the_same)
{
    s.operation->reactions[1] = when_cancelled::ignores;
    s.start();
    s.advance(1s);
    s.complete(2, {}, 7);
    s.advance(200ms);
    s.complete(1, {}, 8);
    expect(1200ms);
}

TEST_F(told_latency, is_the_time_limit_of_a_first_attempt_that_exceeded_it)
{
    s.options.attempt_timeout = 1500ms;
    s.options.maximum_attempts = 1;
    s.start();
    s.advance(1500ms);
    EXPECT_EQ(s.calls, 1);
    expect(1500ms);
}

TEST_F(told_latency, is_nothing_of_an_attempt_that_fails)
{
    s.start();
    s.advance(1s);
    s.complete(1, connection_refused);
    s.complete(2, connection_refused);
    s.complete(3, connection_refused);
    EXPECT_EQ(s.calls, 1);
    EXPECT_FALSE(recorded());
}

TEST_F(told_latency, is_nothing_of_an_attempt_that_is_given_up_before_the_delay)
{
    s.start();
    s.advance(999ms);
    s.cancel();
    s.poll();
    EXPECT_EQ(s.calls, 1);
    EXPECT_FALSE(recorded());
}

TEST_F(told_latency, is_the_time_that_a_first_attempt_had_run_when_the_caller_cancelled_after_the_delay)
{
    s.options.maximum_attempts = 1;
    s.operation->reactions[1] = when_cancelled::ignores;
    s.start();
    s.advance(1200ms);
    s.cancel();
    s.advance(10s);
    s.complete(1, operation_aborted);
    expect(1200ms);
}

// The loop that kills a tracker which is told of winners alone.
TEST(the_latency, does_not_shrink_because_slow_answers_are_overtaken)
{
    backbeat::latency_tracker latency;
    manual_clock::reset();
    for (int i = 0; i != 100; ++i) latency.record(i < 90 ? 100ms : 400ms, 0s);
    for (int i = 0; i != 500; ++i) {
        // Nine answers in ten take 100 ms, the others 400 ms. A hedge takes 100 ms.
        hedge_scenario s;
        s.options.latency = &latency;
        s.options.quantile = 0.85;
        s.start();
        if (i % 10 != 0) {
            s.advance(100ms);
            s.complete(1, {}, 7);
        } else {
            while (s.attempts() == 1) s.advance(5ms);
            s.advance(100ms);
            s.complete(2, {}, 7);
        }
        ASSERT_EQ(s.calls, 1);
    }
    auto const quantile = latency.quantile(0.85, 0s);
    ASSERT_TRUE(quantile);
    EXPECT_GE(*quantile, 93ms);
    EXPECT_LE(*quantile, 107ms);
    EXPECT_GE(*latency.quantile(0.95, 0s), 180ms) << "the slow ones are still known to be slow";
}

// ---- Report and observer ----

TEST(the_report, has_a_record_an_attempt_in_the_order_in_which_they_completed)
{
    hedge_scenario s;
    s.start();
    s.advance(1s);
    s.advance(200ms);
    s.complete(2, connection_refused, 5);
    s.advance(300ms);
    s.complete(3, {}, 7);
    auto const records = s.report.records();
    ASSERT_EQ(records.size(), 3u);
    EXPECT_EQ(records[0].number, 2u);
    EXPECT_EQ(records[0].start, 1s);
    EXPECT_EQ(records[0].duration, 200ms);
    EXPECT_EQ(records[0].error, connection_refused);
    EXPECT_EQ(records[0].judged, verdict_kind::retry);
    EXPECT_EQ(records[1].number, 3u);
    EXPECT_EQ(records[1].start, 1200ms);
    EXPECT_EQ(records[1].duration, 300ms);
    EXPECT_EQ(records[1].judged, verdict_kind::done);
    EXPECT_EQ(records[2].number, 1u);
    EXPECT_EQ(records[2].start, 0s);
    EXPECT_EQ(records[2].duration, 1500ms);
    EXPECT_EQ(records[2].error, operation_aborted);
    EXPECT_EQ(s.report.attempts(), 3u);
    EXPECT_EQ(s.report.elapsed(), 1500ms);
    EXPECT_FALSE(s.report.error());
}

TEST(the_observer, is_told_everything_in_order)
{
    hedge_scenario s;
    s.classifier = hinting(5s);
    s.start();
    s.advance(1s);
    s.complete(2, {}, 1);
    s.advance(5s);
    s.complete(3, {}, 7);
    EXPECT_EQ(
        s.observer.events,
        (texts{"attempt 1", "attempt 2", "ended 2", "wait 5s", "attempt 3", "ended 3", "ended 1", "success after 3"}));
    EXPECT_EQ(s.report.records()[0].wait, 5s);
    EXPECT_EQ(s.report.records()[0].hint, 5s);
    EXPECT_EQ(s.report.records()[0].origin, backbeat::wait_origin::hint);
    EXPECT_EQ(s.report.total_waited(), 5s);
}

TEST(the_observer, gets_the_whole_report_without_one_of_the_callers)
{
    struct keeping : backbeat::retry_observer {
        std::vector<backbeat::retry_report> reports;
        void at_end(backbeat::retry_report const& report) override { reports.push_back(report); }
    } observer;
    hedge_scenario s;
    for (std::uint32_t const wins : {1u, 3u}) {
        s.operation->attempts.clear();
        s.operation->script = {{1, {wins == 1 ? error_code() : error_code(connection_refused)}}, {3, {}}};
        async_hedge<manual_clock>(
            s.context->get_executor(),
            std::ref(*s.operation),
            {.delay = 1s, .maximum_attempts = 3, .observer = &observer},
            [](error_code error, int) { EXPECT_FALSE(error); });
        s.poll();
        s.advance(1s);
    }
    ASSERT_EQ(observer.reports.size(), 2u);
    EXPECT_EQ(observer.reports[0].records().size(), 1u);
    EXPECT_EQ(observer.reports[1].records().size(), 3u);
    EXPECT_EQ(observer.reports[1].reason(), backbeat::stop_reason::success);
}

TEST(the_classifier, is_asked_about_every_attempt_losers_included)
{
    hedge_scenario s;
    std::vector<std::uint32_t> asked;
    s.classifier = [&](attempt const& current, error_code error, int value) {
        asked.push_back(current.number());
        return backbeat::default_classifier{}(error, value);
    };
    s.start();
    s.advance(1s);
    s.complete(2, {}, 7);
    EXPECT_EQ(asked, (std::vector<std::uint32_t>{2, 1}));
}

// ---- Options ----

TEST(invalid_hedge_options, are_an_error_that_says_what_would_be_right)
{
    struct example {
        hedge_options options;
        char const* message;
    };
    double const nan = std::numeric_limits<double>::quiet_NaN();
    for (auto const& [options, message] :
         {example{{.delay = -1ns}, "delay is negative; it must be zero (all attempts start at once) or more"},
          example{{.maximum_attempts = 0}, "maximum_attempts is zero; it must be 1 (no hedging) or more, 2 is usual"},
          example{
              {.maximum_attempts = 17},
              "maximum_attempts is above 16; each is a copy of the request that the server may carry out, 2 is usual"},
          example{{.quantile = 0}, "quantile is not between 0 and 1, both excluded; 0.95 hedges one attempt in twenty"},
          example{{.quantile = 1}, "quantile is not between 0 and 1, both excluded; 0.95 hedges one attempt in twenty"},
          example{
              {.quantile = nan}, "quantile is not between 0 and 1, both excluded; 0.95 hedges one attempt in twenty"},
          example{{.attempt_timeout = -1ns}, "attempt_timeout is negative; it must be zero (no limit) or more"},
          example{{.total_timeout = -1ns}, "total_timeout is negative; it must be zero (no limit) or more"},
          example{{.maximum_hint = -1ns}, "maximum_hint is negative; it must be zero (hints are ignored) or more"}}) {
        SCOPED_TRACE(message);
        EXPECT_EQ(validate(options), retry_errc::invalid_options);
        EXPECT_EQ(validate(options).message(), message);

        hedge_scenario s;
        s.options = options;
        s.options.observer = &s.observer;
        s.start_only();
        EXPECT_EQ(s.calls, 0);
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, retry_errc::invalid_options);
        EXPECT_EQ(s.error.message(), message);
        EXPECT_EQ(s.attempts(), 0u);
        EXPECT_STREQ(s.reason(), "invalid_options");
        EXPECT_EQ(s.observer.events, texts{"invalid_options after 0"});
    }
    EXPECT_FALSE(validate(hedge_options{}));
    EXPECT_FALSE(validate(hedge_options{.delay = 0s, .maximum_attempts = 16, .quantile = 0.999}));
}

TEST(invalid_hedge_options, are_an_exception_where_there_is_nothing_to_complete_with)
{
    struct no_default {
        explicit no_default(int) {}
    };
    boost::asio::io_context context;
    auto operation = [](auto&& token) {
        return boost::asio::async_initiate<decltype(token), void(error_code, no_default)>([](auto) {}, token);
    };
    auto const start = [&] {
        async_hedge(context.get_executor(), operation, {.maximum_attempts = 0}, [](error_code, no_default) { FAIL(); });
    };
    EXPECT_THROW(start(), boost::system::system_error);
    EXPECT_EQ(poll_all(context), 0u);
}

TEST(hedge_options_of_many_operations, can_be_shared_by_reference)
{
    hedge_scenario s;
    hedge_options const shared{.delay = 1s};
    async_hedge<manual_clock>(
        s.context->get_executor(), std::ref(*s.operation), std::cref(shared), [&](error_code, int value) {
            s.result = value;
        });
    s.poll();
    s.advance(1s);
    EXPECT_EQ(s.attempts(), 2u);
    s.complete(2, {}, 7);
    EXPECT_EQ(s.result, 7);
}

// ---- Composition ----

TEST(retry_of_a_hedged_operation, backs_off_when_all_its_attempts_have_failed)
{
    hedge_scenario s;
    auto hedged = [&](auto&& token) {
        return async_hedge<manual_clock>(std::ref(*s.operation), {.delay = 50ms}, std::forward<decltype(token)>(token));
    };
    int result = 0;
    backbeat::async_retry<manual_clock>(
        s.context->get_executor(),
        hedged,
        {.jitter = backbeat::jitter::none},
        backbeat::report_to(s.report),
        [&](error_code, int value) { result = value; });
    s.poll();
    s.advance(50ms);
    EXPECT_EQ(s.operation->running(), 2u);
    s.complete(1, connection_refused);
    s.complete(2, connection_refused);
    EXPECT_EQ(s.operation->running(), 0u);
    s.operation->attempts.clear();
    s.advance(1s - 1ns);
    EXPECT_EQ(s.attempts(), 0u);
    s.advance(1ns);
    EXPECT_EQ(s.attempts(), 1u);
    s.advance(50ms);
    s.complete(2, {}, 7);
    EXPECT_EQ(result, 7);
    EXPECT_EQ(s.told(1), types{cancellation_type::terminal});
    EXPECT_EQ(s.report.attempts(), 2u);
}

TEST(retry_of_a_hedged_operation, passes_its_time_out_to_all_attempts)
{
    hedge_scenario s;
    auto hedged = [&](auto&& token) {
        return async_hedge<manual_clock>(std::ref(*s.operation), {.delay = 50ms}, std::forward<decltype(token)>(token));
    };
    error_code error;
    backbeat::async_retry<manual_clock>(
        s.context->get_executor(), hedged, {.maximum_retries = 0, .attempt_timeout = 1s}, [&](error_code e, int) {
            error = e;
        });
    s.poll();
    s.advance(50ms);
    s.advance(950ms);
    EXPECT_EQ(s.told(1), types{cancellation_type::terminal});
    EXPECT_EQ(s.told(2), types{cancellation_type::terminal});
    EXPECT_EQ(error, retry_errc::attempt_timeout);
}

}  // namespace
