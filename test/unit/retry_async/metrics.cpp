//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

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
