//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "hedge_scenario.hpp"
#include "retry_scenario.hpp"

#include <backbeat/observer_list.hpp>
#include <backbeat/report_line.hpp>
#include <backbeat/retry_metrics.hpp>
#include <backbeat/retry_phase.hpp>
#include <backbeat/stop_reason.hpp>

#include <boost/asio/error.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

namespace {

using namespace backbeat::test;
using namespace std::chrono_literals;
using backbeat::retry_metrics;
using backbeat::retry_phase;
using backbeat::stop_reason;
using boost::asio::error::connection_refused;

// One operation of `async_retry`, and how it ends.
struct ending {
    char const* name;
    std::function<void(retry_scenario&)> run;
    stop_reason reason;
    std::uint64_t attempts;
    std::uint64_t abandoned = 0;
    retry_phase phase = retry_phase::deciding;
};

void fail_once(retry_scenario& s)
{
    s.operation->script = {{connection_refused}};
    s.start();
    s.poll();
}

void fail_once_and_start_again(retry_scenario& s)
{
    fail_once(s);
    s.advance(1s);
}

std::function<void()> throws_in(retry_scenario& s, std::size_t attempt)
{
    return [&s, attempt] {
        if (s.attempts() != attempt) return;
        s.operation->abandon();
        throw std::runtime_error("no memory");
    };
}

ending const endings[] = {
    {"a success",
     [](retry_scenario& s) {
         s.operation->script = {{}};
         s.start();
         s.poll();
     },
     stop_reason::success,
     1},
    {"a success after retries",
     [](retry_scenario& s) {
         s.operation->script = {{connection_refused}, {connection_refused}, {}};
         s.start();
         s.poll();
         s.advance(1s);
         s.advance(2s);
     },
     stop_reason::success,
     3},
    {"no retries left",
     [](retry_scenario& s) {
         s.options.maximum_retries = 1;
         s.operation->script = {{connection_refused}, {connection_refused}};
         s.start();
         s.poll();
         s.advance(1s);
     },
     stop_reason::exhausted,
     2},
    {"invalid options",
     [](retry_scenario& s) {
         s.options.initial_backoff = -1s;
         s.start();
         s.poll();
     },
     stop_reason::invalid_options,
     0,
     0,
     retry_phase::not_started},
    {"no time for the wait",
     [](retry_scenario& s) {
         s.options.total_timeout = 1s;
         fail_once(s);
     },
     stop_reason::deadline,
     1},
    {"no time left after the wait",
     [](retry_scenario& s) {
         s.options.total_timeout = 5s;
         fail_once(s);
         s.advance(6s);
     },
     stop_reason::deadline,
     1,
     0,
     retry_phase::waiting},
    {"cancelled in the first attempt",
     [](retry_scenario& s) {
         s.start();
         s.poll();
         s.cancel();
         s.poll();
     },
     stop_reason::cancelled,
     1},
    {"cancelled in a wait",
     [](retry_scenario& s) {
         fail_once(s);
         s.cancel();
         s.poll();
     },
     stop_reason::cancelled,
     1,
     0,
     retry_phase::waiting},
    {"cancelled before the start",
     [](retry_scenario& s) {
         s.options.total_timeout = 1h;
         s.start();
         s.cancel();
         s.poll();
     },
     stop_reason::cancelled,
     0,
     0,
     retry_phase::not_started},
    {"cancelled by the observer before the first attempt",
     [](retry_scenario& s) {
         s.observer.hook = [&s](std::string const& event) {
             if (event == "attempt 1") s.cancel();
         };
         s.start();
         s.poll();
     },
     stop_reason::cancelled,
     0,
     0,
     retry_phase::attempting},
    {"cancelled by the observer before the second attempt",
     [](retry_scenario& s) {
         s.observer.hook = [&s](std::string const& event) {
             if (event == "attempt 2") s.cancel();
         };
         fail_once_and_start_again(s);
     },
     stop_reason::cancelled,
     1,
     0,
     retry_phase::attempting},
    {"cancelled by the observer before the wait",
     [](retry_scenario& s) {
         s.observer.hook = [&s](std::string const& event) {
             if (event == "wait 1s") s.cancel();
         };
         fail_once(s);
     },
     stop_reason::cancelled,
     1,
     0,
     retry_phase::waiting},
    {"abandoned before the start",
     [](retry_scenario& s) {
         s.options.total_timeout = 1h;
         s.start();
         s.destroy_context();
     },
     stop_reason::abandoned,
     0,
     0,
     retry_phase::not_started},
    {"abandoned in the first attempt",
     [](retry_scenario& s) {
         s.start();
         s.poll();
         s.destroy_context();
     },
     stop_reason::abandoned,
     1,
     1,
     retry_phase::attempting},
    {"abandoned in the second attempt",
     [](retry_scenario& s) {
         fail_once_and_start_again(s);
         s.destroy_context();
     },
     stop_reason::abandoned,
     2,
     1,
     retry_phase::attempting},
    {"abandoned in a timed attempt",
     [](retry_scenario& s) {
         s.options.attempt_timeout = 10s;
         fail_once_and_start_again(s);
         s.destroy_context();
     },
     stop_reason::abandoned,
     2,
     1,
     retry_phase::attempting},
    {"abandoned in a wait",
     [](retry_scenario& s) {
         fail_once(s);
         s.destroy_context();
     },
     stop_reason::abandoned,
     1,
     0,
     retry_phase::waiting},
    {"an attempt that drops its handler",
     [](retry_scenario& s) {
         fail_once_and_start_again(s);
         s.operation->abandon();
         s.poll();
     },
     stop_reason::abandoned,
     2,
     1,
     retry_phase::attempting},
    {"an initiating function that throws at first",
     [](retry_scenario& s) {
         s.operation->during_initiation = throws_in(s, 1);
         EXPECT_THROW(s.start(), std::runtime_error);
     },
     stop_reason::abandoned,
     1,
     1,
     retry_phase::attempting},
    {"an initiating function that throws later",
     [](retry_scenario& s) {
         s.operation->during_initiation = throws_in(s, 2);
         EXPECT_THROW(fail_once_and_start_again(s), std::runtime_error);
     },
     stop_reason::abandoned,
     2,
     1,
     retry_phase::attempting},
    {"a classifier that throws",
     [](retry_scenario& s) {
         s.classifier = [](backbeat::attempt const&, boost::system::error_code, int) -> backbeat::verdict {
             throw std::runtime_error("what is that");
         };
         EXPECT_THROW(fail_once(s), std::runtime_error);
     },
     stop_reason::abandoned,
     1,
     1,
     retry_phase::attempting}};

// One operation of `async_hedge`, and how it ends. Its delay is 1 s, and it has up to three attempts.
struct hedge_ending {
    char const* name;
    std::function<void(hedge_scenario&)> run;
    stop_reason reason;
    std::uint64_t attempts;  // that were made
    std::uint64_t abandoned = 0;
    retry_phase phase = retry_phase::deciding;
};

void hedge(hedge_scenario& s)
{
    s.start();
    s.advance(1s);
}

void cancel_when(hedge_scenario& s, char const* event)
{
    s.observer.hook = [&s, event](std::string const& now) {
        if (now == event) s.cancel();
    };
}

void ask_to_wait(hedge_scenario& s)
{
    s.classifier = [](backbeat::attempt const&, boost::system::error_code error, int) {
        return error ? backbeat::verdict::retry(5s) : backbeat::verdict::done();
    };
}

hedge_ending const hedge_endings[] = {
    {"a success",
     [](hedge_scenario& s) {
         s.start();
         s.complete(1, {});
     },
     stop_reason::success,
     1},
    {"a success of the hedge",
     [](hedge_scenario& s) {
         hedge(s);
         s.complete(2, {});
     },
     stop_reason::success,
     2},
    {"a success of the first attempt, after which a loser succeeds, too",
     [](hedge_scenario& s) {
         s.operation->reactions[2] = when_cancelled::succeeds;
         hedge(s);
         s.complete(1, {});
     },
     stop_reason::success,
     2},
    {"failures one after the other",
     [](hedge_scenario& s) {
         s.start();
         for (std::uint32_t i = 1; i != 4; ++i) s.complete(i, connection_refused);
     },
     stop_reason::exhausted,
     3},
    {"failures after a wait",
     [](hedge_scenario& s) {
         ask_to_wait(s);
         s.options.maximum_attempts = 2;
         s.start();
         s.complete(1, connection_refused);
         s.advance(5s);
         s.complete(2, connection_refused);
     },
     stop_reason::exhausted,
     2},
    {"a success beside a wait",
     [](hedge_scenario& s) {
         ask_to_wait(s);
         hedge(s);
         s.complete(1, connection_refused);
         s.complete(2, {});
     },
     stop_reason::success,
     2},
    {"waits of two attempts for one",
     [](hedge_scenario& s) {
         ask_to_wait(s);
         hedge(s);
         s.complete(1, connection_refused);
         s.complete(2, connection_refused);
         s.advance(5s);
         s.complete(3, {});
     },
     stop_reason::success,
     3},
    {"a permanent failure",
     [](hedge_scenario& s) {
         hedge(s);
         s.complete(2, boost::asio::error::invalid_argument);
     },
     stop_reason::permanent,
     2},
    {"a budget that refuses",
     [](hedge_scenario& s) {
         s.options.budget = &s.budget;
         s.budget.left = 0;
         hedge(s);
         s.complete(1, connection_refused);
     },
     stop_reason::budget,
     1},
    {"a deadline",
     [](hedge_scenario& s) {
         s.options.total_timeout = 3s;
         s.options.attempt_timeout = 2s;
         hedge(s);
         s.advance(1s);
         s.advance(1s);
     },
     stop_reason::deadline,
     3},
    {"a deadline before the start",
     [](hedge_scenario& s) {
         s.options.total_timeout = 3s;
         s.start_only();
         s.advance(4s);
     },
     stop_reason::deadline,
     0,
     0,
     retry_phase::not_started},
    {"invalid options",
     [](hedge_scenario& s) {
         s.options.delay = -1s;
         s.start();
     },
     stop_reason::invalid_options,
     0,
     0,
     retry_phase::not_started},
    {"cancelled before the start",
     [](hedge_scenario& s) {
         s.start_only();
         s.cancel();
         s.poll();
     },
     stop_reason::cancelled,
     0,
     0,
     retry_phase::not_started},
    {"cancelled in two attempts",
     [](hedge_scenario& s) {
         hedge(s);
         s.cancel();
         s.poll();
     },
     stop_reason::cancelled,
     2},
    {"cancelled in a wait",
     [](hedge_scenario& s) {
         ask_to_wait(s);
         s.start();
         s.complete(1, connection_refused);
         s.cancel();
         s.poll();
     },
     stop_reason::cancelled,
     1,
     0,
     retry_phase::waiting},
    {"cancelled in a wait beside an attempt",
     [](hedge_scenario& s) {
         ask_to_wait(s);
         hedge(s);
         s.complete(1, connection_refused);
         s.cancel();
         s.poll();
     },
     stop_reason::cancelled,
     2},
    {"cancelled by the observer before the first attempt",
     [](hedge_scenario& s) {
         cancel_when(s, "attempt 1");
         s.start();
     },
     stop_reason::cancelled,
     0,
     0,
     retry_phase::attempting},
    {"cancelled by the observer before the hedge",
     [](hedge_scenario& s) {
         cancel_when(s, "attempt 2");
         hedge(s);
     },
     stop_reason::cancelled,
     1,
     0,
     retry_phase::attempting},
    {"cancelled by the observer before an attempt that follows a wait",
     [](hedge_scenario& s) {
         ask_to_wait(s);
         cancel_when(s, "attempt 2");
         s.start();
         s.complete(1, connection_refused);
         s.advance(5s);
     },
     stop_reason::cancelled,
     1,
     0,
     retry_phase::attempting},
    {"cancelled by the observer after an attempt",
     [](hedge_scenario& s) {
         cancel_when(s, "ended 1");
         hedge(s);
         s.complete(1, connection_refused);
     },
     stop_reason::cancelled,
     2},
    {"cancelled by the observer before a wait",
     [](hedge_scenario& s) {
         ask_to_wait(s);
         cancel_when(s, "wait 5s");
         s.start();
         s.complete(1, connection_refused);
     },
     stop_reason::cancelled,
     1,
     0,
     retry_phase::waiting},
    {"a hedge that drops its handler, and a success",
     [](hedge_scenario& s) {
         hedge(s);
         s.operation->abandon(2);
         s.complete(1, {});
     },
     stop_reason::success,
     2,
     1,
     retry_phase::attempting},
    {"a first attempt that drops its handler, and a failure",
     [](hedge_scenario& s) {
         hedge(s);
         s.operation->abandon(1);
         s.complete(2, connection_refused);
     },
     stop_reason::exhausted,
     2,
     1,
     retry_phase::attempting},
    {"a loser that drops its handler",
     [](hedge_scenario& s) {
         s.operation->reactions[1] = when_cancelled::drops_its_handler;
         hedge(s);
         s.complete(2, {});
     },
     stop_reason::success,
     2,
     1,
     retry_phase::attempting},
    {"a hedge that drops its handler beside a wait",
     [](hedge_scenario& s) {
         ask_to_wait(s);
         hedge(s);
         s.complete(1, connection_refused);
         s.operation->abandon(2);
         s.poll();
     },
     stop_reason::exhausted,
     2,
     1,
     retry_phase::attempting},
    {"all drop their handlers",
     [](hedge_scenario& s) {
         hedge(s);
         s.operation->abandon(1);
         s.operation->abandon(2);
         s.poll();
     },
     stop_reason::abandoned,
     2,
     2,
     retry_phase::attempting},
    {"abandoned before the start",
     [](hedge_scenario& s) {
         s.start_only();
         s.destroy_context();
     },
     stop_reason::abandoned,
     0,
     0,
     retry_phase::not_started},
    {"abandoned in two attempts",
     [](hedge_scenario& s) {
         hedge(s);
         s.destroy_context();
     },
     stop_reason::abandoned,
     2,
     2,
     retry_phase::attempting},
    {"abandoned in a wait",
     [](hedge_scenario& s) {
         ask_to_wait(s);
         s.start();
         s.complete(1, connection_refused);
         s.destroy_context();
     },
     stop_reason::abandoned,
     1,
     0,
     retry_phase::waiting},
    {"abandoned in a wait beside an attempt",
     [](hedge_scenario& s) {
         ask_to_wait(s);
         hedge(s);
         s.complete(1, connection_refused);
         s.destroy_context();
     },
     stop_reason::abandoned,
     2,
     1,
     retry_phase::attempting},
    {"abandoned with a winner, while a loser is waited for",
     [](hedge_scenario& s) {
         s.operation->reactions[1] = when_cancelled::ignores;
         hedge(s);
         s.complete(2, {});
         s.destroy_context();
     },
     stop_reason::abandoned,
     2,
     1,
     retry_phase::attempting},
    {"an initiating function that throws at the hedge",
     [](hedge_scenario& s) {
         s.operation->during_initiation = [&s](std::uint32_t number) {
             if (number != 2) return;
             s.operation->abandon(2);
             throw std::runtime_error("no memory");
         };
         EXPECT_THROW(hedge(s), std::runtime_error);
         s.poll();
     },
     stop_reason::abandoned,
     2,
     2,
     retry_phase::attempting},
    {"a classifier that throws",
     [](hedge_scenario& s) {
         s.classifier = [](backbeat::attempt const&, boost::system::error_code, int) -> backbeat::verdict {
             throw std::runtime_error("what is that");
         };
         hedge(s);
         EXPECT_THROW(s.complete(1, {}), std::runtime_error);
         s.poll();
     },
     stop_reason::abandoned,
     2,
     2,
     retry_phase::attempting}};

}  // namespace

TEST(metrics, count_exactly_however_operations_end)
{
    retry_metrics all;
    std::uint64_t attempts = 0;
    std::uint64_t retries = 0;
    for (auto const& each : endings) {
        SCOPED_TRACE(each.name);
        retry_metrics metrics;
        retry_scenario s;
        backbeat::observer_list observers({&metrics, &s.observer, &all});
        s.options.observer = &observers;
        each.run(s);

        EXPECT_EQ(s.report.reason(), each.reason);
        EXPECT_STREQ(to_string(s.report.phase()), to_string(each.phase)) << report_line(s.report);
        EXPECT_EQ(metrics.operations(), 1u);
        EXPECT_EQ(metrics.operations(each.reason), 1u);
        EXPECT_EQ(metrics.attempts(), each.attempts);
        EXPECT_EQ(metrics.attempts(), s.attempts()) << "as many as the operation saw";
        EXPECT_EQ(metrics.abandoned_attempts(), each.abandoned);
        EXPECT_EQ(metrics.retries(), each.attempts == 0 ? 0 : each.attempts - 1);
        for (auto const* const counted : {&metrics, &all}) {
            EXPECT_EQ(counted->operations_in_flight(), 0);
            EXPECT_EQ(counted->operations_waiting(), 0);
            EXPECT_EQ(counted->attempts_in_flight(), 0);
        }
        attempts += each.attempts;
        retries += metrics.retries();
    }
    EXPECT_EQ(all.operations(), std::size(endings));
    EXPECT_EQ(all.attempts(), attempts);
    EXPECT_EQ(all.retries(), retries);
}

TEST(metrics, count_exactly_however_hedged_operations_end)
{
    for (bool const with_report : {true, false}) {
        retry_metrics all;
        std::uint64_t attempts = 0;
        std::uint64_t retries = 0;
        for (auto const& each : hedge_endings) {
            SCOPED_TRACE(each.name);
            retry_metrics metrics;
            hedge_scenario s;
            s.has_report = with_report;
            backbeat::observer_list observers({&metrics, &s.observer, &all});
            s.options.observer = &observers;
            each.run(s);

            if (with_report) {
                EXPECT_EQ(s.report.reason(), each.reason);
                EXPECT_STREQ(to_string(s.report.phase()), to_string(each.phase)) << report_line(s.report);
            }
            EXPECT_EQ(metrics.operations(), 1u);
            EXPECT_EQ(metrics.operations(each.reason), 1u);
            EXPECT_EQ(metrics.attempts(), each.attempts);
            EXPECT_EQ(metrics.attempts(), s.attempts()) << "as many as the operation saw";
            EXPECT_EQ(metrics.abandoned_attempts(), each.abandoned);
            for (auto const* const counted : {&metrics, &all}) {
                EXPECT_EQ(counted->operations_in_flight(), 0);
                EXPECT_EQ(counted->operations_waiting(), 0);
                EXPECT_EQ(counted->attempts_in_flight(), 0);
            }
            attempts += each.attempts;
            retries += metrics.retries();
        }
        EXPECT_EQ(all.operations(), std::size(hedge_endings));
        EXPECT_EQ(all.attempts(), attempts);
        EXPECT_EQ(all.retries(), retries);
    }
}

TEST(metrics, know_how_long_a_wait_was_that_was_cut_short)
{
    retry_metrics metrics;
    retry_scenario s;
    s.options.observer = &metrics;
    fail_once(s);
    s.advance(250ms);
    s.cancel();
    s.poll();
    EXPECT_EQ(metrics.total_retry_delay(), 250ms);
    EXPECT_EQ(s.report.total_waited(), 1s);
    EXPECT_EQ(s.report.time_waited(), 250ms);
    EXPECT_EQ(
        report_line(s.report),
        "cancelled after 1 attempt in 250ms, 250ms waiting: Connection refused [system:111]; trail: system:111 "
        "+250ms(of 1s)");
}
