//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Cancellation at every point at which an operation can stand, and at its edges: with the event that would end the
// step already under way.

#include "retry_scenario.hpp"

#include <boost/asio/basic_waitable_timer.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;
using namespace backbeat::test;
using backbeat::retry_errc;
using boost::asio::cancellation_type;
using boost::asio::error::connection_refused;
using boost::asio::error::operation_aborted;

using types = std::vector<cancellation_type>;

template <class Body>
void for_every_type(Body const& body)
{
    for (auto const type : every_cancellation_type) {
        SCOPED_TRACE("cancellation type " + std::to_string(static_cast<int>(type)));
        retry_scenario scenario;
        body(scenario, type);
    }
}

TEST(cancellation, of_a_running_attempt_is_forwarded_unchanged_and_its_completion_delivered)
{
    for_every_type([](retry_scenario& s, cancellation_type type) {
        s.start();
        s.poll();
        s.cancel(type);
        EXPECT_EQ(s.calls, 0);
        s.poll();
        EXPECT_EQ(s.last_attempt().cancelled, types{type});
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, operation_aborted);
        EXPECT_EQ(s.result, -1);
        EXPECT_STREQ(s.reason(), "cancelled");
        EXPECT_EQ(s.attempts(), 1u);
    });
}

TEST(cancellation, of_an_attempt_that_ignores_it_delivers_what_the_attempt_gives_and_starts_no_other)
{
    for_every_type([](retry_scenario& s, cancellation_type type) {
        s.operation->reaction = when_cancelled::ignores;
        s.start();
        s.cancel(type);
        s.advance(1h);
        EXPECT_EQ(s.calls, 0);
        s.operation->complete(connection_refused, 7);
        s.advance(1h);
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, connection_refused);
        EXPECT_EQ(s.result, 7);
        EXPECT_STREQ(s.reason(), "cancelled");
        EXPECT_EQ(s.report.error(), connection_refused);
        EXPECT_EQ(s.attempts(), 1u);
    });
}

TEST(cancellation, of_an_attempt_that_succeeds_all_the_same_is_a_success)
{
    for_every_type([](retry_scenario& s, cancellation_type type) {
        s.operation->reaction = when_cancelled::succeeds;
        s.start();
        s.cancel(type);
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_FALSE(s.error);
        EXPECT_EQ(s.result, 42);
        EXPECT_STREQ(s.reason(), "success");
    });
}

TEST(cancellation, of_an_attempt_that_was_about_to_fail_delivers_its_failure)
{
    for_every_type([](retry_scenario& s, cancellation_type type) {
        s.start();
        s.operation->complete(connection_refused, 7);
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

TEST(cancellation, of_an_attempt_that_was_about_to_succeed_is_a_success)
{
    for_every_type([](retry_scenario& s, cancellation_type type) {
        s.start();
        s.operation->complete({}, 7);
        s.cancel(type);
        s.poll();
        EXPECT_FALSE(s.error);
        EXPECT_EQ(s.result, 7);
        EXPECT_STREQ(s.reason(), "success");
    });
}

TEST(cancellation, of_an_attempt_that_fails_for_good_is_reported_as_cancellation)
{
    for_every_type([](retry_scenario& s, cancellation_type type) {
        s.operation->reaction = when_cancelled::ignores;
        s.start();
        s.cancel(type);
        s.operation->complete(boost::asio::error::invalid_argument);
        s.poll();
        EXPECT_EQ(s.error, boost::asio::error::invalid_argument);
        EXPECT_STREQ(s.reason(), "cancelled");
    });
}

TEST(cancellation, of_an_attempt_that_completes_inside_the_emission_does_not_call_the_handler_there)
{
    for_every_type([](retry_scenario& s, cancellation_type type) {
        s.operation->reaction = when_cancelled::aborts_inside_the_emission;
        s.start();
        s.poll();
        s.cancel(type);
        EXPECT_EQ(s.calls, 0);
        s.cancel(type);
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, operation_aborted);
        EXPECT_STREQ(s.reason(), "cancelled");
    });
}

TEST(cancellation, of_a_timed_attempt_that_completes_inside_the_emission)
{
    for_every_type([](retry_scenario& s, cancellation_type type) {
        s.options.attempt_timeout = 10s;
        s.operation->reaction = when_cancelled::aborts_inside_the_emission;
        s.start();
        s.poll();
        s.cancel(type);
        EXPECT_EQ(s.calls, 0);
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, operation_aborted);
        EXPECT_STREQ(s.reason(), "cancelled");
        EXPECT_EQ(s.context->poll(), 0u);
    });
}

TEST(cancellation, of_an_attempt_that_completes_inside_the_emission_while_its_time_out_has_fired)
{
    for_every_type([](retry_scenario& s, cancellation_type type) {
        s.options.attempt_timeout = 10s;
        s.operation->reaction = when_cancelled::aborts_inside_the_emission;
        s.start();
        s.poll();
        s.pass(10s);
        s.cancel(type);
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, operation_aborted);
        EXPECT_STREQ(s.reason(), "cancelled");
    });
}

TEST(cancellation, of_an_attempt_that_drops_its_handler_ends_without_a_call)
{
    for_every_type([](retry_scenario& s, cancellation_type type) {
        s.operation->reaction = when_cancelled::drops_its_handler;
        s.start();
        s.poll();
        s.cancel(type);
        s.poll();
        EXPECT_EQ(s.calls, 0);
        EXPECT_EQ(s.observer.events.back(), "abandoned after 0");
    });
}

TEST(cancellation, of_a_wait_ends_it_at_once_with_the_other_results_of_the_last_attempt)
{
    for_every_type([](retry_scenario& s, cancellation_type type) {
        s.start();
        s.operation->complete(connection_refused, 7);
        s.advance(400ms);
        EXPECT_EQ(s.calls, 0);
        s.cancel(type);
        EXPECT_EQ(s.calls, 0);
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, operation_aborted);
        EXPECT_EQ(s.result, 7);
        EXPECT_STREQ(s.reason(), "cancelled");
        EXPECT_EQ(s.report.elapsed(), 400ms);
        EXPECT_EQ(s.attempts(), 1u);
    });
}

TEST(cancellation, of_an_unwatched_wait)
{
    for_every_type([](retry_scenario& s, cancellation_type type) {
        s.start_unwatched();
        s.operation->complete(connection_refused, 7);
        s.poll();
        s.cancel(type);
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, operation_aborted);
        EXPECT_EQ(s.result, 7);
        EXPECT_EQ(s.attempts(), 1u);
    });
}

TEST(cancellation, between_the_end_of_a_wait_and_the_next_attempt_starts_no_attempt)
{
    for_every_type([](retry_scenario& s, cancellation_type type) {
        s.start();
        s.operation->complete(connection_refused, 7);
        s.poll();
        s.pass(1s);
        s.context->restart();
        // The context runs what stands in its queue, then looks at its timers: the wait's handler is behind this one
        // only if the expiry was seen before. So this handler cancels when the wait's is known to be ready.
        auto const canceller = [&] { s.cancel(type); };
        boost::asio::basic_waitable_timer<backbeat::manual_clock> earlier(*s.context);
        earlier.expires_at(backbeat::manual_clock::time_point(500ms));
        earlier.async_wait([&](boost::system::error_code) { canceller(); });
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, operation_aborted);
        EXPECT_EQ(s.result, 7);
        EXPECT_STREQ(s.reason(), "cancelled");
        EXPECT_EQ(s.attempts(), 1u);
    });
}

TEST(cancellation, between_a_wait_of_no_length_and_the_next_attempt_starts_no_attempt)
{
    for_every_type([](retry_scenario& s, cancellation_type type) {
        s.options.initial_backoff = 0s;
        s.start();
        s.operation->complete(connection_refused, 7);
        s.context->restart();
        while (s.observer.events.back() != "wait 0s") ASSERT_EQ(s.context->poll_one(), 1u);
        s.cancel(type);
        s.poll();
        EXPECT_EQ(s.error, operation_aborted);
        EXPECT_EQ(s.result, 7);
        EXPECT_STREQ(s.reason(), "cancelled");
        EXPECT_EQ(s.attempts(), 1u);
    });
}

TEST(cancellation, before_the_start_of_a_timed_operation_starts_no_attempt)
{
    for_every_type([](retry_scenario& s, cancellation_type type) {
        s.options.attempt_timeout = 10s;
        s.start();
        EXPECT_EQ(s.attempts(), 0u);
        s.cancel(type);
        EXPECT_EQ(s.calls, 0);
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, operation_aborted);
        EXPECT_EQ(s.result, 0);
        EXPECT_STREQ(s.reason(), "cancelled");
        EXPECT_EQ(s.attempts(), 0u);
        EXPECT_EQ(s.observer.events, std::vector<std::string>{"cancelled after 0"});
    });
}

TEST(cancellation, outranks_a_time_out_that_fired_before)
{
    for_every_type([](retry_scenario& s, cancellation_type type) {
        s.options.attempt_timeout = 10s;
        s.operation->reaction = when_cancelled::ignores;
        s.start();
        s.poll();
        s.advance(10s);
        EXPECT_EQ(s.last_attempt().cancelled, types{cancellation_type::terminal});
        s.cancel(type);
        EXPECT_EQ(s.last_attempt().cancelled, (types{cancellation_type::terminal, type}));
        s.operation->complete(operation_aborted);
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, operation_aborted);
        EXPECT_STREQ(s.reason(), "cancelled");
    });
}

TEST(cancellation, outranks_a_time_out_that_fires_after)
{
    for_every_type([](retry_scenario& s, cancellation_type type) {
        s.options.total_timeout = 10s;
        s.operation->reaction = when_cancelled::ignores;
        s.start();
        s.poll();
        s.cancel(type);
        s.advance(10s);
        EXPECT_EQ(s.last_attempt().cancelled, (types{type, cancellation_type::terminal}));
        s.operation->complete(operation_aborted);
        s.poll();
        EXPECT_EQ(s.error, operation_aborted);
        EXPECT_STREQ(s.reason(), "cancelled");
    });
}

TEST(cancellation, outranks_a_time_out_that_fired_but_was_not_handled)
{
    for_every_type([](retry_scenario& s, cancellation_type type) {
        s.options.attempt_timeout = 10s;
        s.start();
        s.poll();
        s.pass(10s);
        s.cancel(type);
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, operation_aborted);
        EXPECT_STREQ(s.reason(), "cancelled");
        EXPECT_EQ(s.attempts(), 1u);
    });
}

TEST(cancellation, when_the_timed_attempt_ended_but_its_timer_did_not_yet)
{
    for_every_type([](retry_scenario& s, cancellation_type type) {
        s.options.timers = backbeat::timers::asio;  // the wheel gives the node back at once
        s.options.attempt_timeout = 10s;
        s.start();
        s.poll();
        s.operation->complete(connection_refused, 7);
        s.context->restart();
        ASSERT_EQ(s.context->poll_one(), 1u);
        EXPECT_EQ(s.calls, 0);
        s.cancel(type);
        s.poll();
        EXPECT_EQ(s.error, connection_refused);
        EXPECT_EQ(s.result, 7);
        EXPECT_STREQ(s.reason(), "cancelled");
    });
}

TEST(cancellation, after_completion_has_no_effect)
{
    for_every_type([](retry_scenario& s, cancellation_type type) {
        s.start();
        EXPECT_TRUE(s.signal.slot().has_handler());
        s.operation->complete({}, 7);
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_FALSE(s.signal.slot().has_handler());
        s.cancel(type);
        s.poll();
        EXPECT_EQ(s.calls, 1);
    });
}

TEST(cancellation, of_type_none_has_no_effect)
{
    retry_scenario s;
    s.start();
    s.cancel(cancellation_type::none);
    EXPECT_TRUE(s.last_attempt().cancelled.empty());
    s.operation->complete(connection_refused);
    s.poll();
    s.cancel(cancellation_type::none);
    s.advance(1s);
    EXPECT_EQ(s.attempts(), 2u);
}

TEST(cancellation, from_inside_the_initiation_of_an_attempt_stops_after_it)
{
    for (auto const reaction :
         {when_cancelled::aborts, when_cancelled::aborts_inside_the_emission, when_cancelled::succeeds}) {
        for (auto const timeout : {0s, 10s}) {
            for (std::size_t const in : {1u, 2u}) {
                for_every_type([&](retry_scenario& s, cancellation_type type) {
                    s.options.attempt_timeout = timeout;
                    s.operation->reaction = reaction;
                    s.operation->during_initiation = [&] {
                        if (s.attempts() == in) s.cancel(type);
                    };
                    if (in == 2) s.operation->script = {{connection_refused}};
                    s.start();
                    EXPECT_FALSE(s.called_inside_the_initiation());
                    s.poll();
                    s.advance(1s);
                    EXPECT_EQ(s.calls, 1);
                    EXPECT_EQ(s.attempts(), in);
                    EXPECT_EQ(s.last_attempt().cancelled, types{type});
                    if (reaction == when_cancelled::succeeds)
                        EXPECT_STREQ(s.reason(), "success");
                    else
                        EXPECT_STREQ(s.reason(), "cancelled");
                });
            }
        }
    }
}

TEST(cancellation, from_inside_the_initiation_of_an_attempt_that_drops_its_handler)
{
    retry_scenario s;
    s.operation->reaction = when_cancelled::drops_its_handler;
    s.operation->during_initiation = [&, alive = std::make_shared<int>(1)] {
        s.cancel();
        EXPECT_EQ(*alive, 1);
    };
    s.start();
    s.poll();
    EXPECT_EQ(s.calls, 0);
    EXPECT_EQ(s.observer.events.back(), "abandoned after 0");
}

TEST(cancellation, from_inside_the_classifier_begins_no_wait)
{
    for_every_type([](retry_scenario& s, cancellation_type type) {
        s.classifier = [&](backbeat::attempt const&, boost::system::error_code, int) {
            s.cancel(type);
            return backbeat::verdict::retry();
        };
        s.start();
        s.operation->complete(connection_refused, 7);
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(s.error, connection_refused);
        EXPECT_EQ(s.result, 7);
        EXPECT_STREQ(s.reason(), "cancelled");
        EXPECT_EQ(s.attempts(), 1u);
    });
}

TEST(cancellation, from_inside_the_classifier_does_not_undo_a_success)
{
    for_every_type([](retry_scenario& s, cancellation_type type) {
        s.classifier = [&](backbeat::attempt const&, boost::system::error_code, int) {
            s.cancel(type);
            return backbeat::verdict::done();
        };
        s.start();
        s.operation->complete({}, 7);
        s.poll();
        EXPECT_FALSE(s.error);
        EXPECT_STREQ(s.reason(), "success");
    });
}

TEST(cancellation, from_inside_an_observer_ends_the_operation_at_once)
{
    struct expectation {
        char const* at;
        boost::system::error_code error;
        int result;
        std::size_t attempts;
    };
    for (auto const timeout : {0s, 10s}) {
        for (auto const& [at, error, result, attempts] :
             {expectation{"attempt 1", operation_aborted, 0, 0},
              expectation{"ended 1", connection_refused, 7, 1},
              expectation{"wait 1s", operation_aborted, 7, 1},
              expectation{"attempt 2", operation_aborted, 7, 1},
              expectation{"ended 2", connection_refused, 8, 2}}) {
            SCOPED_TRACE(at);
            std::string const event = at;
            for_every_type([&, e = error, r = result, n = attempts](retry_scenario& s, cancellation_type type) {
                s.options.attempt_timeout = timeout;
                s.operation->script = {{connection_refused, 7}, {connection_refused, 8}};
                s.observer.hook = [&](std::string const& now) {
                    if (now == event) s.cancel(type);
                };
                s.start();
                EXPECT_EQ(s.calls, 0);
                s.poll();
                if (event == "attempt 2" || event == "ended 2") s.advance(1s);
                EXPECT_EQ(s.calls, 1);
                EXPECT_EQ(s.error, e);
                EXPECT_EQ(s.result, r);
                EXPECT_EQ(s.attempts(), n);
                EXPECT_STREQ(s.reason(), "cancelled");
            });
        }
    }
}

TEST(cancellation, after_the_attempt_dropped_its_handler_finds_nothing)
{
    for (auto const timeout : {0s, 10s}) {
        retry_scenario s;
        s.options.attempt_timeout = timeout;
        s.start();
        s.poll();
        s.operation->abandon();
        s.poll();
        EXPECT_EQ(s.calls, 0);
        EXPECT_EQ(s.observer.events.back(), "abandoned after 0");
        s.cancel();
    }
}

}  // namespace
