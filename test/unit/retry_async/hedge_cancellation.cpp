//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Cancellation of hedged operations at every point at which they can stand, and at its edges: with the event that would
// end the step already under way. And attempts that vanish.

#include "hedge_scenario.hpp"

#include <boost/asio/basic_waitable_timer.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;
using namespace backbeat::test;
using backbeat::retry_errc;
using backbeat::verdict;
using boost::asio::cancellation_type;
using boost::asio::error::connection_refused;
using boost::asio::error::connection_reset;
using boost::asio::error::invalid_argument;
using boost::asio::error::operation_aborted;
using boost::system::error_code;

using types = std::vector<cancellation_type>;
using texts = std::vector<std::string>;

template <class Body>
void for_every_type_of_cancellation(Body const& body)
{
    for (auto const type : every_cancellation_type) {
        SCOPED_TRACE("cancellation type " + std::to_string(static_cast<int>(type)));
        hedge_scenario scenario;
        body(scenario, type);
    }
}

// Two attempts run.
void start_two(hedge_scenario& s)
{
    s.start();
    s.advance(1s);
    ASSERT_EQ(s.operation->running(), 2u);
}

// The first attempt has failed, and a server has asked to wait for 5 s. Nothing runs.
void start_waiting(hedge_scenario& s)
{
    s.classifier = [](backbeat::attempt const&, error_code error, int value) {
        return value == 2 ? verdict::retry(5s) : backbeat::default_classifier{}(error, value);
    };
    s.start();
    s.complete(1, connection_refused, 2);
    ASSERT_EQ(s.calls, 0);
    ASSERT_EQ(s.operation->running(), 0u);
}

TEST(cancelling, reaches_all_running_attempts_unchanged_and_starts_no_other)
{
    for_every_type_of_cancellation([](hedge_scenario& s, cancellation_type type) {
        start_two(s);
        for (std::uint32_t i = 1; i != 3; ++i) s.operation->reactions[i] = when_cancelled::ignores;
        s.cancel(type);
        EXPECT_EQ(s.told(1), types{type});
        EXPECT_EQ(s.told(2), types{type});
        s.advance(1h);
        EXPECT_EQ(s.calls, 0) << "all are waited for";
        s.complete(2, operation_aborted, 1002);
        s.advance(1h);
        EXPECT_EQ(s.calls, 0);
        s.complete(1, operation_aborted, 1001);
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, operation_aborted);
        EXPECT_EQ(s.result, 1001) << "what came last";
        EXPECT_STREQ(s.reason(), "cancelled");
        EXPECT_EQ(s.attempts(), 2u);
        EXPECT_TRUE(s.context->stopped());
    });
}

TEST(cancelling, delivers_the_failure_that_comes_last_as_it_is)
{
    for (auto const& with : {error_code(connection_reset), error_code(invalid_argument)}) {
        for_every_type_of_cancellation([&, e = with](hedge_scenario& s, cancellation_type type) {
            start_two(s);
            s.operation->reactions[2] = when_cancelled::ignores;
            s.cancel(type);
            s.poll();
            s.complete(2, e, 1002);
            EXPECT_EQ(s.error, e);
            EXPECT_EQ(s.result, 1002);
            EXPECT_STREQ(s.reason(), "cancelled");
        });
    }
}

TEST(cancelling, does_not_undo_a_success)
{
    for_every_type_of_cancellation([](hedge_scenario& s, cancellation_type type) {
        start_two(s);
        s.operation->reactions = {{1, when_cancelled::ignores}, {2, when_cancelled::succeeds}};
        s.cancel(type);
        s.poll();
        EXPECT_EQ(s.told(1), (types{type, cancellation_type::terminal})) << "it lost";
        EXPECT_EQ(s.calls, 0);
        s.complete(1, operation_aborted);
        EXPECT_EQ(s.calls, 1);
        EXPECT_FALSE(s.error);
        EXPECT_EQ(s.result, 42);
        EXPECT_STREQ(s.reason(), "success");
    });
}

TEST(cancelling, is_overtaken_by_a_success_that_was_under_way)
{
    for_every_type_of_cancellation([](hedge_scenario& s, cancellation_type type) {
        start_two(s);
        s.operation->complete(2, {}, 7);
        s.cancel(type);
        EXPECT_EQ(s.calls, 0);
        s.poll();
        EXPECT_FALSE(s.error);
        EXPECT_EQ(s.result, 7);
        EXPECT_STREQ(s.reason(), "success");
    });
}

TEST(cancelling, together_with_a_failure_that_was_under_way_starts_no_other)
{
    for_every_type_of_cancellation([](hedge_scenario& s, cancellation_type type) {
        s.start();
        s.operation->complete(1, connection_refused, 7);
        s.cancel(type);
        EXPECT_EQ(s.calls, 0);
        s.advance(1h);
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, connection_refused);
        EXPECT_EQ(s.result, 7);
        EXPECT_STREQ(s.reason(), "cancelled");
        EXPECT_EQ(s.attempts(), 1u);
    });
}

TEST(cancelling, while_losers_are_waited_for_reaches_them_and_changes_nothing)
{
    for_every_type_of_cancellation([](hedge_scenario& s, cancellation_type type) {
        start_two(s);
        s.operation->reactions[1] = when_cancelled::ignores;
        s.complete(2, {}, 7);
        s.cancel(type);
        EXPECT_EQ(s.told(1), (types{cancellation_type::terminal, type}));
        s.complete(1, operation_aborted);
        EXPECT_EQ(s.calls, 1);
        EXPECT_FALSE(s.error);
        EXPECT_EQ(s.result, 7);
        EXPECT_STREQ(s.reason(), "success");
    });
}

TEST(cancelling, after_a_permanent_failure_changes_nothing)
{
    for_every_type_of_cancellation([](hedge_scenario& s, cancellation_type type) {
        start_two(s);
        s.operation->reactions[1] = when_cancelled::ignores;
        s.complete(2, invalid_argument, 1002);
        s.cancel(type);
        s.complete(1, operation_aborted);
        EXPECT_EQ(s.error, invalid_argument);
        EXPECT_EQ(s.result, 1002);
        EXPECT_STREQ(s.reason(), "permanent");
    });
}

TEST(cancelling, when_the_last_attempt_ended_but_the_timer_did_not_yet_changes_nothing)
{
    for_every_type_of_cancellation([](hedge_scenario& s, cancellation_type type) {
        s.options.maximum_attempts = 1;
        s.options.attempt_timeout = 10s;
        s.start();
        s.operation->complete(1, connection_refused, 7);
        s.context->restart();
        ASSERT_EQ(s.context->poll_one(), 1u);
        EXPECT_EQ(s.calls, 0);
        s.cancel(type);
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, connection_refused);
        EXPECT_EQ(s.result, 7);
        EXPECT_STREQ(s.reason(), "exhausted");
    });
}

TEST(cancelling, between_the_end_of_the_delay_and_the_hedge_starts_no_hedge)
{
    for_every_type_of_cancellation([](hedge_scenario& s, cancellation_type type) {
        s.operation->reactions[1] = when_cancelled::ignores;
        s.start();
        boost::asio::basic_waitable_timer<backbeat::manual_clock> earlier(*s.context);
        earlier.expires_at(backbeat::manual_clock::time_point(500ms));
        earlier.async_wait([&](error_code) { s.cancel(type); });
        s.advance(1s);
        EXPECT_EQ(s.told(1), types{type});
        EXPECT_EQ(s.attempts(), 1u);
        s.complete(1, operation_aborted);
        EXPECT_STREQ(s.reason(), "cancelled");
    });
}

TEST(cancelling, before_the_start_starts_no_attempt)
{
    for_every_type_of_cancellation([](hedge_scenario& s, cancellation_type type) {
        s.start_only();
        EXPECT_EQ(s.attempts(), 0u);
        s.cancel(type);
        EXPECT_EQ(s.calls, 0);
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, operation_aborted);
        EXPECT_EQ(s.result, 0);
        EXPECT_STREQ(s.reason(), "cancelled");
        EXPECT_EQ(s.attempts(), 0u);
        EXPECT_EQ(s.observer.events, texts{"cancelled after 0"});
    });
}

TEST(cancelling, before_a_start_that_comes_too_late_is_not_reported_as_a_deadline)
{
    hedge_scenario s;
    s.options.total_timeout = 1s;
    s.start_only();
    s.cancel();
    s.advance(1s);
    EXPECT_EQ(s.error, operation_aborted);
    EXPECT_STREQ(s.reason(), "cancelled");
}

TEST(cancelling, where_nothing_runs_completes_at_once_with_the_other_results_of_the_last)
{
    for_every_type_of_cancellation([](hedge_scenario& s, cancellation_type type) {
        start_waiting(s);
        s.advance(400ms);
        s.cancel(type);
        EXPECT_EQ(s.calls, 0);
        s.cancel(type);
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, operation_aborted);
        EXPECT_EQ(s.result, 2);
        EXPECT_STREQ(s.reason(), "cancelled");
        EXPECT_EQ(s.report.elapsed(), 400ms);
        EXPECT_EQ(s.report.phase(), backbeat::retry_phase::waiting);
        EXPECT_EQ(s.attempts(), 1u);
        EXPECT_TRUE(s.context->stopped());
    });
}

TEST(cancelling, between_the_end_of_a_wait_and_the_next_attempt_starts_no_attempt)
{
    for_every_type_of_cancellation([](hedge_scenario& s, cancellation_type type) {
        start_waiting(s);
        s.advance(1s);  // The timer, which waited for the hedge, waits for the end of the hint now.
        boost::asio::basic_waitable_timer<backbeat::manual_clock> earlier(*s.context);
        earlier.expires_at(backbeat::manual_clock::time_point(4s));
        earlier.async_wait([&](error_code) { s.cancel(type); });
        s.advance(5s);
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, operation_aborted);
        EXPECT_EQ(s.result, 2);
        EXPECT_EQ(s.attempts(), 1u);
    });
}

TEST(cancelling, of_type_none_has_no_effect)
{
    hedge_scenario s;
    s.start();
    s.cancel(cancellation_type::none);
    EXPECT_TRUE(s.told(1).empty());
    s.advance(1s);
    EXPECT_EQ(s.attempts(), 2u);
}

TEST(cancelling, after_completion_has_no_effect)
{
    hedge_scenario s;
    s.start();
    EXPECT_TRUE(s.signal.slot().has_handler());
    s.complete(1, {}, 7);
    EXPECT_EQ(s.calls, 1);
    EXPECT_FALSE(s.signal.slot().has_handler());
    s.cancel();
    s.poll();
    EXPECT_EQ(s.calls, 1);
}

TEST(cancelling, twice_with_different_types_passes_both_on)
{
    hedge_scenario s;
    for (std::uint32_t i = 1; i != 3; ++i) s.operation->reactions[i] = when_cancelled::ignores;
    start_two(s);
    s.cancel(cancellation_type::total);
    s.cancel(cancellation_type::terminal);
    EXPECT_EQ(s.told(1), (types{cancellation_type::total, cancellation_type::terminal}));
    EXPECT_EQ(s.told(2), (types{cancellation_type::total, cancellation_type::terminal}));
}

TEST(cancelling, does_not_call_the_handler_inside_the_emission)
{
    for_every_type_of_cancellation([](hedge_scenario& s, cancellation_type type) {
        for (std::uint32_t i = 1; i != 3; ++i) s.operation->reactions[i] = when_cancelled::aborts_inside_the_emission;
        start_two(s);
        s.cancel(type);
        EXPECT_EQ(s.calls, 0);
        EXPECT_EQ(s.operation->running(), 0u);
        s.cancel(type);
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, operation_aborted);
        EXPECT_EQ(s.result, -1);
        EXPECT_STREQ(s.reason(), "cancelled");
    });
}

TEST(cancelling, when_one_attempt_completes_inside_the_emission_and_the_other_later)
{
    for (std::uint32_t const inside : {1u, 2u}) {
        for_every_type_of_cancellation([&](hedge_scenario& s, cancellation_type type) {
            s.options.maximum_attempts = 2;  // so that no timer waits
            s.operation->reactions[inside] = when_cancelled::aborts_inside_the_emission;
            start_two(s);
            s.cancel(type);
            s.poll();
            EXPECT_EQ(s.calls, 1);
            EXPECT_STREQ(s.reason(), "cancelled");
            EXPECT_EQ(s.report.attempts(), 2u);
        });
    }
}

TEST(cancelling, outranks_a_time_out_that_fired_before)
{
    for_every_type_of_cancellation([](hedge_scenario& s, cancellation_type type) {
        s.options.maximum_attempts = 1;
        s.options.attempt_timeout = 10s;
        s.operation->reactions[1] = when_cancelled::ignores;
        s.start();
        s.advance(10s);
        s.cancel(type);
        EXPECT_EQ(s.told(1), (types{cancellation_type::terminal, type}));
        s.complete(1, operation_aborted);
        EXPECT_EQ(s.error, operation_aborted);
        EXPECT_STREQ(s.reason(), "cancelled");
    });
}

TEST(cancelling, outranks_a_deadline_that_passes_after)
{
    for_every_type_of_cancellation([](hedge_scenario& s, cancellation_type type) {
        s.options.total_timeout = 10s;
        for (std::uint32_t i = 1; i != 3; ++i) s.operation->reactions[i] = when_cancelled::ignores;
        start_two(s);
        s.cancel(type);
        s.advance(10s);
        EXPECT_EQ(s.told(1), (types{type, cancellation_type::terminal})) << "it may not have honoured the first";
        EXPECT_EQ(s.told(2), (types{type, cancellation_type::terminal}));
        s.complete(1, operation_aborted);
        s.complete(2, operation_aborted);
        EXPECT_EQ(s.error, operation_aborted);
        EXPECT_STREQ(s.reason(), "cancelled");
    });
}

TEST(cancelling, outranks_a_time_out_that_fired_but_was_not_handled)
{
    for_every_type_of_cancellation([](hedge_scenario& s, cancellation_type type) {
        s.options.total_timeout = 1500ms;
        start_two(s);
        s.pass(10s);
        s.cancel(type);
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, operation_aborted);
        EXPECT_STREQ(s.reason(), "cancelled");
    });
}

TEST(cancelling, from_inside_the_initiation_of_an_attempt_stops_after_it)
{
    for (auto const reaction :
         {when_cancelled::aborts, when_cancelled::aborts_inside_the_emission, when_cancelled::succeeds}) {
        for (bool const early : {false, true}) {
            for (std::uint32_t const in : {1u, 2u}) {
                for_every_type_of_cancellation([&](hedge_scenario& s, cancellation_type type) {
                    s.operation->reactions[in] = reaction;
                    (early ? s.operation->before_taking_the_slot
                           : s.operation->during_initiation) = [&, in](std::uint32_t number) {
                        if (number == in) s.cancel(type);
                    };
                    s.start();
                    s.advance(1s);
                    s.advance(1h);
                    EXPECT_FALSE(s.called_inside_the_initiation());
                    EXPECT_EQ(s.calls, 1);
                    EXPECT_EQ(s.attempts(), in);
                    EXPECT_EQ(s.told(in), types{type});
                    if (in == 2 && reaction != when_cancelled::succeeds) {
                        EXPECT_EQ(s.told(1), types{type});
                    }
                    EXPECT_STREQ(s.reason(), reaction == when_cancelled::succeeds ? "success" : "cancelled");
                });
            }
        }
    }
}

TEST(cancelling, from_inside_the_classifier_starts_no_other_and_delivers_the_failure)
{
    for_every_type_of_cancellation([](hedge_scenario& s, cancellation_type type) {
        s.classifier = [&](backbeat::attempt const&, error_code, int) {
            s.cancel(type);
            return verdict::retry();
        };
        s.start();
        s.complete(1, connection_refused, 7);
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, connection_refused);
        EXPECT_EQ(s.result, 7);
        EXPECT_STREQ(s.reason(), "cancelled");
        EXPECT_EQ(s.attempts(), 1u);
    });
}

TEST(cancelling, from_inside_the_classifier_does_not_undo_a_success)
{
    for_every_type_of_cancellation([](hedge_scenario& s, cancellation_type type) {
        start_two(s);
        s.classifier = [&](backbeat::attempt const& current, error_code, int) {
            if (current.number() == 2) s.cancel(type);
            return verdict::done();
        };
        s.complete(2, {}, 7);
        EXPECT_EQ(s.told(1), (types{type, cancellation_type::terminal}));
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.result, 7);
        EXPECT_STREQ(s.reason(), "success");
    });
}

TEST(cancelling, from_inside_an_observer_ends_the_operation)
{
    struct expectation {
        char const* at;
        error_code error;
        int result;
        std::size_t attempts;
    };
    for (auto const& [at, error, result, attempts] :
         {expectation{"attempt 1", operation_aborted, 0, 0},
          expectation{"ended 1", connection_refused, 2, 1},
          expectation{"wait 5s", operation_aborted, 2, 1},
          expectation{"attempt 2", operation_aborted, 2, 1},
          expectation{"attempt 3", operation_aborted, -1, 2},
          expectation{"ended 2", connection_reset, 8, 2}}) {
        SCOPED_TRACE(at);
        std::string const event = at;
        for_every_type_of_cancellation([&, e = error, r = result, n = attempts](
                                           hedge_scenario& s, cancellation_type type) {
            s.classifier = [](backbeat::attempt const& current, error_code ended_with, int value) {
                return current.number() == 1 ? verdict::retry(5s) : backbeat::default_classifier{}(ended_with, value);
            };
            s.operation->script = {{1, {connection_refused, 2}}};
            s.observer.hook = [&](std::string const& now) {
                if (now == event) s.cancel(type);
            };
            s.start();
            s.advance(5s);
            s.advance(1s);
            if (event == "ended 2") {
                s.operation->abandon(3);
                s.complete(2, connection_reset, 8);
            }
            EXPECT_EQ(s.calls, 1);
            EXPECT_EQ(s.error, e);
            EXPECT_EQ(s.result, r);
            if (event != "ended 2") {
                EXPECT_EQ(s.attempts(), n);
            }
            EXPECT_STREQ(s.reason(), "cancelled");
        });
    }
}

TEST(cancelling, passes_on_what_a_cancellation_handler_throws_and_tells_the_others)
{
    for (bool const by_a_winner : {false, true}) {
        hedge_scenario s;
        auto throwing = [&](backbeat::attempt const& current, auto&& token) {
            return boost::asio::async_initiate<decltype(token), void(error_code, int)>(
                [&](auto handler) {
                    if (current.number() == 1) {
                        boost::asio::get_associated_cancellation_slot(handler).assign(
                            [](cancellation_type) { throw std::runtime_error("thrown"); });
                    }
                    (*s.operation)(current, [h = std::move(handler)](error_code error, int value) mutable {
                        std::move(h)(error, value);
                    });
                },
                token);
        };
        backbeat::async_hedge<backbeat::manual_clock>(
            s.context->get_executor(),
            throwing,
            {.delay = 1s},
            boost::asio::bind_cancellation_slot(s.signal.slot(), [&](error_code error, int value) {
                ++s.calls;
                s.error = error;
                s.result = value;
            }));
        s.poll();
        s.advance(1s);
        if (by_a_winner) {
            s.operation->complete(2, {}, 7);
            EXPECT_THROW(s.poll(), std::runtime_error);
            s.complete(1, connection_refused);
            EXPECT_EQ(s.result, 7);
        } else {
            EXPECT_THROW(s.cancel(), std::runtime_error);
            s.complete(2, connection_refused);
            s.complete(1, connection_refused, 8);
            EXPECT_EQ(s.result, 8);
        }
        EXPECT_EQ(s.calls, 1);
    }
}

// ---- Attempts that destroy their handler without calling it ----

TEST(dropped_handlers, of_all_attempts_end_the_operation_without_a_call)
{
    for (bool const timed : {false, true}) {
        for (std::uint32_t const count : {1u, 2u, 3u}) {
            hedge_scenario s;
            s.options.maximum_attempts = count;
            s.options.delay = 0s;
            if (timed) s.options.total_timeout = 1h;
            s.start();
            ASSERT_EQ(s.operation->running(), count);
            for (std::uint32_t i = 1; i <= count; ++i) {
                EXPECT_TRUE(s.observer.events.back() == "attempt " + std::to_string(count));
                s.operation->abandon(i);
                s.poll();
            }
            EXPECT_EQ(s.calls, 0);
            EXPECT_EQ(s.observer.events.back(), "abandoned after 0");
            EXPECT_EQ(s.report.unfinished(), count);
            EXPECT_TRUE(s.context->stopped());
            s.cancel();
        }
    }
}

TEST(dropped_handlers, start_no_other_attempt)
{
    hedge_scenario s;
    s.options.maximum_attempts = 2;
    s.start();
    s.operation->abandon(1);
    s.advance(1h);
    EXPECT_EQ(s.attempts(), 1u);
    EXPECT_EQ(s.observer.events.back(), "abandoned after 0");
}

TEST(dropped_handlers, leave_the_other_attempts)
{
    for (auto const& with : {error_code(), error_code(connection_refused), error_code(invalid_argument)}) {
        for (bool const first : {true, false}) {
            hedge_scenario s;
            start_two(s);
            s.operation->abandon(first ? 1 : 2);
            s.advance(1h);
            EXPECT_EQ(s.attempts(), 2u);
            s.complete(first ? 2 : 1, with, 7);
            EXPECT_EQ(s.calls, 1);
            EXPECT_EQ(s.error, with);
            EXPECT_EQ(s.result, 7);
            EXPECT_STREQ(s.reason(), !with ? "success" : with == invalid_argument ? "permanent" : "exhausted");
        }
    }
}

TEST(dropped_handlers, of_losers_do_not_lose_the_winner)
{
    for (bool const later : {false, true}) {
        for (bool const timed : {false, true}) {
            hedge_scenario s;
            s.options.maximum_attempts = 2;
            if (timed) s.options.total_timeout = 1h;
            s.operation->reactions[1] = later ? when_cancelled::ignores : when_cancelled::drops_its_handler;
            start_two(s);
            s.complete(2, {}, 7);
            if (later) {
                EXPECT_EQ(s.calls, 0);
                s.operation->abandon(1);
                EXPECT_EQ(s.calls, 0) << "not from inside the destructor of a handler";
                s.poll();
            }
            EXPECT_EQ(s.calls, 1);
            EXPECT_EQ(s.result, 7);
            EXPECT_STREQ(s.reason(), "success");
            EXPECT_TRUE(s.context->stopped());
        }
    }
}

TEST(dropped_handlers, after_a_failure_deliver_the_failure)
{
    hedge_scenario s;
    s.options.maximum_attempts = 2;
    start_two(s);
    s.complete(2, connection_refused, 1002);
    s.operation->abandon(1);
    s.poll();
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, connection_refused);
    EXPECT_EQ(s.result, 1002);
    EXPECT_STREQ(s.reason(), "exhausted");
}

TEST(dropped_handlers, leave_the_deadline_the_reason_where_it_ends_another_attempt)
{
    hedge_scenario s;
    s.options.total_timeout = 5s;
    start_two(s);
    s.operation->abandon(2);
    s.advance(4s);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, backbeat::retry_errc::deadline);
    EXPECT_STREQ(s.reason(), "deadline");
    EXPECT_EQ(s.report.unfinished(), 1u);
}

TEST(dropped_handlers, leave_a_hint_that_is_too_long_the_reason_whichever_comes_first)
{
    for (bool const drop_first : {true, false}) {
        hedge_scenario s;
        s.options.maximum_hint = 1s;
        s.classifier = [](backbeat::attempt const&, error_code, int) { return verdict::retry(10s); };
        start_two(s);
        if (drop_first) s.operation->abandon(2);
        s.complete(1, connection_refused);
        if (!drop_first) s.operation->abandon(2);
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, connection_refused);
        EXPECT_STREQ(s.reason(), "hint_too_long");
    }
}

TEST(dropped_handlers, leave_what_must_not_be_repeated_the_reason_whichever_comes_first)
{
    for (bool const drop_first : {true, false}) {
        hedge_scenario s;
        s.classifier = [](backbeat::attempt const&, error_code, int) {
            return verdict{
                .kind = backbeat::verdict_kind::retry, .delivered = backbeat::delivery::ambiguous, .replayable = false};
        };
        start_two(s);
        if (drop_first) s.operation->abandon(2);
        s.complete(1, connection_refused);
        if (!drop_first) s.operation->abandon(2);
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, connection_refused);
        EXPECT_STREQ(s.reason(), "not_replayable");
    }
}

TEST(dropped_handlers, leave_the_budget_the_reason_if_it_refused_before_and_do_not_ask_it_after)
{
    for (bool const drop_first : {true, false}) {
        hedge_scenario s;
        s.options.budget = &s.budget;
        s.budget.left = 1;
        start_two(s);
        if (drop_first) s.operation->abandon(2);
        s.complete(1, connection_refused);
        if (!drop_first) s.operation->abandon(2);
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_STREQ(s.reason(), drop_first ? "exhausted" : "budget");
        EXPECT_EQ(s.budget.events.back(), drop_first ? "transient 0" : "refused after transient");
    }
}

TEST(dropped_handlers, are_the_reason_where_the_budget_refused_an_earlier_attempt_only)
{
    hedge_scenario s;
    s.options.maximum_attempts = 4;
    s.options.budget = &s.budget;
    s.budget.left = 1;
    start_two(s);
    s.complete(1, connection_refused);
    EXPECT_EQ(s.budget.events.back(), "refused after transient");
    s.budget.left = 1;
    s.complete(2, connection_refused);
    ASSERT_EQ(s.attempts(), 3u);
    s.operation->abandon(3);
    s.poll();
    EXPECT_EQ(s.calls, 1);
    EXPECT_STREQ(s.reason(), "exhausted");
}

TEST(dropped_handlers, give_back_what_the_attempt_cost_that_they_keep_from_starting)
{
    hedge_scenario s;
    s.options.budget = &s.budget;
    s.classifier = [](backbeat::attempt const&, error_code error, int) {
        return error ? verdict::retry(5s) : verdict::done();
    };
    start_two(s);
    s.complete(1, connection_refused);
    s.operation->abandon(2);
    s.poll();
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, connection_refused);
    EXPECT_STREQ(s.reason(), "exhausted");
    EXPECT_EQ(s.budget.events.back(), "given back 1");
}

TEST(dropped_handlers, inside_the_emission_of_the_callers_signal)
{
    for_every_type_of_cancellation([](hedge_scenario& s, cancellation_type type) {
        for (std::uint32_t i = 1; i != 3; ++i) s.operation->reactions[i] = when_cancelled::drops_its_handler;
        start_two(s);
        s.cancel(type);
        s.poll();
        EXPECT_EQ(s.calls, 0);
        EXPECT_EQ(s.observer.events.back(), "abandoned after 0");
        EXPECT_FALSE(s.signal.slot().has_handler());
    });
}

TEST(dropped_handlers, inside_the_emission_of_the_callers_signal_of_one_attempt)
{
    for_every_type_of_cancellation([](hedge_scenario& s, cancellation_type type) {
        s.operation->reactions[1] = when_cancelled::drops_its_handler;
        start_two(s);
        s.cancel(type);
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, operation_aborted);
        EXPECT_STREQ(s.reason(), "cancelled");
    });
}

TEST(dropped_handlers, inside_the_initiation)
{
    for (std::uint32_t const in : {1u, 2u}) {
        hedge_scenario s;
        s.operation->during_initiation = [&](std::uint32_t number) {
            if (number == in) s.operation->abandon(in);
        };
        s.start();
        s.advance(1s);
        s.advance(1h);
        EXPECT_EQ(s.attempts(), in);
        if (in == 2) s.complete(1, {}, 7);
        EXPECT_EQ(s.calls, in == 2 ? 1 : 0);
        EXPECT_EQ(s.observer.events.back(), in == 2 ? "success after 1" : "abandoned after 0");
        EXPECT_FALSE(s.signal.slot().has_handler());
        EXPECT_TRUE(s.context->stopped());
    }
}

TEST(dropped_handlers, by_the_end_of_an_attempts_time)
{
    hedge_scenario s;
    s.options.maximum_attempts = 1;
    s.options.attempt_timeout = 1s;
    s.operation->reactions[1] = when_cancelled::drops_its_handler;
    s.start();
    s.advance(1s);
    EXPECT_EQ(s.calls, 0);
    EXPECT_EQ(s.observer.events.back(), "abandoned after 0");
    EXPECT_TRUE(s.context->stopped());
}

// ---- Whatever happens, in whatever order ----

TEST(whatever_happens, an_operation_ends_once_with_nothing_left_and_its_books_balanced)
{
    int successes = 0;
    int failures = 0;
    for (std::uint32_t seed = 0; seed != 3000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        auto const pick = [&](unsigned below) { return static_cast<unsigned>(random() % below); };
        hedge_scenario s;
        s.options.maximum_attempts = 1 + pick(4);
        s.options.delay = pick(3) * 1s;
        s.options.attempt_timeout = pick(3) * 1500ms;
        s.options.total_timeout = pick(3) * 4s;
        s.options.budget = &s.budget;
        s.budget.left = static_cast<int>(pick(4));
        s.classifier = [](backbeat::attempt const&, error_code error, int value) {
            if (value == 1) return verdict::throttled();
            if (value == 2) return verdict::retry(2s);
            return backbeat::default_classifier{}(error, value);
        };
        for (std::uint32_t i = 1; i != 5; ++i) {
            s.operation->reactions[i] = static_cast<when_cancelled>(pick(pick(4) == 0 ? 5 : 4));
            if (pick(5) == 0)
                s.operation->script[i] = {pick(2) == 0 ? connection_refused : error_code(), 7, pick(2) == 0};
        }
        s.operation->during_initiation = [&](std::uint32_t number) {
            if (pick(20) == 0) s.cancel();
            if (number > 1 && s.operation->running(1) && pick(10) == 0) s.operation->complete_now(1, {}, 9);
        };
        bool dropped = false;
        s.start_only();
        for (int step = 0; step != 40; ++step) {
            auto const number = 1 + pick(4);
            auto const happens = pick(12);
            if (happens < 3) {
                s.poll();
            } else if (happens < 6) {
                s.advance(pick(4) * 500ms);
            } else if (happens == 6 && pick(4) == 0) {
                s.cancel(every_cancellation_type[pick(3)]);
            } else if (!s.operation->running(number)) {
                s.context->restart();
                s.context->poll_one();
            } else if (happens == 7) {
                s.operation->complete(number, {}, 100);
            } else if (happens == 8) {
                s.operation->complete_now(number, connection_refused, static_cast<int>(pick(3)));
            } else if (happens == 9) {
                s.operation->complete(number, connection_reset, static_cast<int>(pick(3)));
            } else if (happens == 10 && pick(3) == 0) {
                s.operation->complete(number, invalid_argument);
            } else if (happens == 11 && pick(6) == 0) {
                s.operation->abandon(number);
                dropped = true;
            }
            ASSERT_LE(s.calls, 1);
            if (s.calls == 1) {
                ASSERT_EQ(s.operation->running(), 0u);
            }
        }
        // What still runs ends now.
        for (int i = 0; i != 20 && s.calls == 0; ++i) {
            for (std::uint32_t number = 1; number != 5; ++number)
                if (s.operation->running(number)) s.operation->complete(number, connection_refused);
            s.advance(5s);
        }
        for (auto const& [number, reaction] : s.operation->reactions)
            dropped = dropped || (reaction == when_cancelled::drops_its_handler && number <= s.attempts());
        ASSERT_TRUE(s.calls == 1 || dropped);
        ASSERT_EQ(s.operation->running(), 0u);
        ASSERT_TRUE(s.context->stopped());
        ASSERT_FALSE(s.called_inside_the_initiation());
        ASSERT_LE(s.attempts(), s.options.maximum_attempts);
        ASSERT_TRUE(s.report.reason());

        std::ptrdiff_t bought = 0;
        for (auto const& event : s.budget.events) {
            bought += event.starts_with("granted") ? 1 : 0;
            bought -= event.starts_with("given back") ? 1 : 0;
        }
        ASSERT_EQ(bought, s.attempts() == 0 ? 0 : static_cast<std::ptrdiff_t>(s.attempts()) - 1);
        if (s.calls == 0) continue;
        ASSERT_EQ(s.report.reason() == backbeat::stop_reason::success, !s.error);
        (s.error ? failures : successes)++;
    }
    EXPECT_GT(successes, 500);
    EXPECT_GT(failures, 500);
}

}  // namespace
