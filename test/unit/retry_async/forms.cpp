//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The forms that an operation may have, and what becomes of its results.

#include "async_outcome.hpp"
#include "retry_scenario.hpp"
#include "tested_timers.hpp"

#include <backbeat/async_retry.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/system/system_error.hpp>

#include <gtest/gtest.h>

#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct reply {
    int status = 0;
    [[nodiscard]] int result_int() const { return status; }
};

}  // namespace

template <>
struct backbeat::result_traits<reply> {
    static verdict classify(reply const& r)
    {
        auto judged = r.status >= 500 ? verdict::retry() : verdict::done();
        judged.status = r.status;
        return judged;
    }
};

namespace {

using namespace std::chrono_literals;
using namespace backbeat::test;
using backbeat::async_retry;
using backbeat::attempt;
using backbeat::manual_clock;
using backbeat::retry_errc;
using backbeat::verdict;
using boost::asio::awaitable;
using boost::asio::deferred;
using boost::asio::error::connection_refused;
using boost::system::error_code;
using boost::system::system_error;

backbeat::retry_options const at_once{.initial_backoff = 0s, .timers = tested_timers};

class forms : public testing::Test {
protected:
    boost::asio::io_context context;
    boost::asio::any_io_executor executor = context.get_executor();
    std::vector<std::string> calls;

    [[nodiscard]] error_code next(std::string call)
    {
        calls.push_back(std::move(call));
        return calls.size() < 3 ? error_code(connection_refused) : error_code();
    }

    // Retries until the third attempt, and returns its result.
    template <class Operation>
    int retry(Operation& operation)
    {
        int result = -1;
        async_retry(executor, std::ref(operation), at_once, [&](auto disposition, int value) {
            EXPECT_FALSE(disposition);
            result = value;
        });
        poll_all(context);
        return result;
    }
};

TEST_F(forms, attempt_and_token)
{
    auto operation = [&](attempt const& current, auto&& token) {
        return async_outcome(
            executor, next(std::to_string(current.number())), 42, std::forward<decltype(token)>(token));
    };
    EXPECT_EQ(retry(operation), 42);
    EXPECT_EQ(calls, (std::vector<std::string>{"1", "2", "3"}));
}

TEST_F(forms, token)
{
    auto operation = [&](auto&& token) {
        return async_outcome(executor, next(""), 42, std::forward<decltype(token)>(token));
    };
    EXPECT_EQ(retry(operation), 42);
    EXPECT_EQ(calls.size(), 3u);
}

TEST_F(forms, nothing_returning_a_deferred_operation)
{
    auto operation = [&] { return async_outcome(executor, next(""), 42, deferred); };
    EXPECT_EQ(retry(operation), 42);
    EXPECT_EQ(calls.size(), 3u);
}

TEST_F(forms, attempt_returning_a_deferred_operation)
{
    auto operation = [&](attempt const& current) {
        return async_outcome(executor, next(std::to_string(current.number())), 42, deferred);
    };
    EXPECT_EQ(retry(operation), 42);
    EXPECT_EQ(calls, (std::vector<std::string>{"1", "2", "3"}));
}

TEST_F(forms, a_deferred_operation_itself)
{
    auto operation = async_outcome(executor, error_code(), 42, deferred);
    EXPECT_EQ(retry(operation), 42);
}

TEST_F(forms, nothing_returning_an_awaitable)
{
    auto operation = [&]() -> awaitable<int> {
        if (auto const error = next("")) throw system_error(error);
        co_return 42;
    };
    EXPECT_EQ(retry(operation), 42);
    EXPECT_EQ(calls.size(), 3u);
}

TEST_F(forms, attempt_returning_an_awaitable)
{
    auto operation = [&](attempt const& current) -> awaitable<int> {
        auto const error = next(std::to_string(current.number()));
        if (error) throw system_error(error);
        co_return 42;
    };
    EXPECT_EQ(retry(operation), 42);
    EXPECT_EQ(calls, (std::vector<std::string>{"1", "2", "3"}));
}

TEST_F(forms, returning_an_awaitable_of_nothing)
{
    auto operation = [&]() -> awaitable<void> {
        if (auto const error = next("")) throw system_error(error);
        co_return;
    };
    int completed = 0;
    async_retry(executor, operation, at_once, [&](std::exception_ptr error) {
        EXPECT_FALSE(error);
        ++completed;
    });
    poll_all(context);
    EXPECT_EQ(completed, 1);
    EXPECT_EQ(calls.size(), 3u);
}

TEST_F(forms, a_move_only_operation_by_reference)
{
    auto operation = [this, owned = std::make_unique<int>(42)](auto&& token) {
        return async_outcome(executor, next(""), *owned, std::forward<decltype(token)>(token));
    };
    EXPECT_EQ(retry(operation), 42);
}

TEST_F(forms, a_move_only_operation_moved)
{
    auto operation = [this, owned = std::make_unique<int>(42)](auto&& token) {
        return async_outcome(executor, next(""), *owned, std::forward<decltype(token)>(token));
    };
    int result = 0;
    async_retry(executor, std::move(operation), at_once, [&](error_code, int value) { result = value; });
    poll_all(context);
    EXPECT_EQ(result, 42);
}

// Called as an lvalue: an operation that may only be called once is not one.
TEST_F(forms, are_called_as_lvalues)
{
    struct counting {
        boost::asio::any_io_executor executor;
        int calls = 0;
        auto operator()() &
        {
            ++calls;
            return async_outcome(executor, calls < 3 ? error_code(connection_refused) : error_code(), calls, deferred);
        }
    } operation{executor};
    EXPECT_EQ(retry(operation), 3);
    EXPECT_EQ(operation.calls, 3);
}

template <class... Forms>
struct overloaded : Forms... {
    using Forms::operator()...;
};

TEST_F(forms, are_tested_in_a_fixed_order)
{
    auto attempt_and_token = [&](attempt const&, auto&& token) {
        return async_outcome(executor, next("attempt and token"), 42, std::forward<decltype(token)>(token));
    };
    auto nothing = [&] { return async_outcome(executor, next("nothing"), 42, deferred); };
    auto token = [&](auto&& t) requires(!std::is_same_v<std::decay_t<decltype(t)>, attempt>)
    {
        return async_outcome(executor, next("token"), 42, std::forward<decltype(t)>(t));
    };
    auto attempt_alone = [&](attempt const&) { return async_outcome(executor, next("attempt"), 42, deferred); };

    overloaded<decltype(attempt_and_token), decltype(nothing), decltype(token), decltype(attempt_alone)> all{
        attempt_and_token, nothing, token, attempt_alone};
    EXPECT_EQ(retry(all), 42);
    EXPECT_EQ(calls, std::vector<std::string>(3, "attempt and token"));

    calls.clear();
    overloaded<decltype(nothing), decltype(token), decltype(attempt_alone)> three{nothing, token, attempt_alone};
    EXPECT_EQ(retry(three), 42);
    EXPECT_EQ(calls, std::vector<std::string>(3, "nothing"));

    calls.clear();
    overloaded<decltype(token), decltype(attempt_alone)> two{token, attempt_alone};
    EXPECT_EQ(retry(two), 42);
    EXPECT_EQ(calls, std::vector<std::string>(3, "token"));
}

// A callable that takes nothing and returns something else is not of that form.
TEST_F(forms, that_return_nothing_useful_are_passed_over)
{
    auto nothing = [] { return 1; };
    auto attempt_alone = [&](attempt const&) { return async_outcome(executor, next("attempt"), 42, deferred); };
    overloaded<decltype(nothing), decltype(attempt_alone)> operation{nothing, attempt_alone};
    EXPECT_EQ(retry(operation), 42);
    EXPECT_EQ(calls, std::vector<std::string>(3, "attempt"));
}

TEST_F(forms, an_awaitable_can_be_timed_out)
{
    manual_clock::reset();
    auto operation = [&]() -> awaitable<int> {
        boost::asio::basic_waitable_timer<manual_clock> never(executor, manual_clock::time_point::max());
        co_await never.async_wait(boost::asio::use_awaitable);
        co_return 1;
    };
    std::exception_ptr error;
    backbeat::retry_report report;
    async_retry<manual_clock>(
        executor,
        operation,
        {.jitter = backbeat::jitter::none, .maximum_retries = 1, .attempt_timeout = 10s, .timers = tested_timers},
        backbeat::report_to(report),
        [&](std::exception_ptr e, int) { error = e; });
    poll_all(context);
    for (auto const step : {10s, 1s, 10s}) {
        EXPECT_FALSE(error);
        manual_clock::advance(step);
        poll_all(context);
    }
    ASSERT_TRUE(error);
    EXPECT_EQ(backbeat::detail::failure_of(error).code, retry_errc::attempt_timeout);
    EXPECT_EQ(report.attempts(), 2u);
}

TEST_F(forms, an_awaitable_can_be_cancelled_on_its_last_step)
{
    for (auto const type : every_cancellation_type) {
        manual_clock::reset();
        boost::asio::cancellation_signal signal;
        auto operation = [&]() -> awaitable<int> {
            boost::asio::basic_waitable_timer<manual_clock> soon(executor, manual_clock::now() + 1s);
            co_await soon.async_wait(boost::asio::use_awaitable);
            co_return 1;
        };
        int result = 0;
        async_retry<manual_clock>(
            executor, operation, boost::asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr, int value) {
                result = value;
            }));
        poll_all(context);
        manual_clock::advance(1s);
        // From outside the executor: the emission stands behind the coroutine's last step in the queue.
        boost::asio::post(executor, [] {});
        context.restart();
        context.poll_one();
        signal.emit(type);
        poll_all(context);
        EXPECT_TRUE(result == 1 || type == boost::asio::cancellation_type::terminal);
    }
}

TEST_F(forms, move_only_results_and_handlers)
{
    auto operation = [&](auto&& token) {
        auto const error = next("");
        return async_outcome(
            executor,
            error,
            std::make_unique<std::string>(error ? "failed" : "done"),
            std::forward<decltype(token)>(token));
    };
    std::string result;
    async_retry(
        executor,
        operation,
        at_once,
        [&, owned = std::make_unique<int>(1)](error_code error, std::unique_ptr<std::string> value) mutable {
            EXPECT_FALSE(error);
            result = *value;
        });
    poll_all(context);
    EXPECT_EQ(result, "done");
}

TEST_F(forms, the_last_error_and_its_results_are_delivered_when_exhausted)
{
    auto operation = [&](attempt const& current, auto&& token) {
        return async_outcome(
            executor,
            error_code(connection_refused),
            std::make_unique<int>(static_cast<int>(current.number())),
            std::forward<decltype(token)>(token));
    };
    backbeat::retry_report report;
    int result = 0;
    async_retry(
        executor, operation, at_once, backbeat::report_to(report), [&](error_code error, std::unique_ptr<int> value) {
            EXPECT_EQ(error, connection_refused);
            result = *value;
            EXPECT_EQ(report.reason(), backbeat::stop_reason::exhausted);
            EXPECT_EQ(report.error(), connection_refused);
        });
    poll_all(context);
    EXPECT_EQ(result, 6);
    EXPECT_EQ(report.attempts(), 6u);
}

TEST_F(forms, the_last_reply_is_delivered_without_an_error_when_exhausted)
{
    auto operation = [&](attempt const& current, auto&& token) {
        return async_outcome(
            executor,
            error_code(),
            reply{500 + static_cast<int>(current.number())},
            std::forward<decltype(token)>(token));
    };
    backbeat::retry_report report;
    int status = 0;
    async_retry(executor, operation, at_once, backbeat::report_to(report), [&](error_code error, reply const& last) {
        EXPECT_FALSE(error);
        status = last.status;
    });
    poll_all(context);
    EXPECT_EQ(status, 506);
    EXPECT_EQ(report.reason(), backbeat::stop_reason::exhausted);
    EXPECT_FALSE(report.error());
    EXPECT_EQ(report.records().back().status, 506);
}

TEST_F(forms, invalid_options_are_reported_and_no_attempt_is_made)
{
    auto operation = [&](auto&& token) {
        return async_outcome(executor, next(""), 42, std::forward<decltype(token)>(token));
    };
    backbeat::retry_report report;
    recording_observer observer;
    int completed = 0;
    backbeat::retry_options const options{.maximum_backoff = 500ms, .timers = tested_timers, .observer = &observer};
    async_retry(executor, operation, std::cref(options), backbeat::report_to(report), [&](error_code error, int value) {
        ++completed;
        EXPECT_EQ(error, retry_errc::invalid_options);
        EXPECT_EQ(
            error.message(),
            "maximum_backoff is below initial_backoff; raise maximum_backoff or lower initial_backoff");
        EXPECT_EQ(value, 0);
    });
    EXPECT_EQ(completed, 0);
    poll_all(context);
    EXPECT_EQ(completed, 1);
    EXPECT_TRUE(calls.empty());
    EXPECT_EQ(report.reason(), backbeat::stop_reason::invalid_options);
    EXPECT_EQ(report.error(), retry_errc::invalid_options);
    EXPECT_EQ(observer.events, std::vector<std::string>{"invalid_options after 0"});
}

TEST_F(forms, invalid_options_are_an_exception_in_an_operation_with_exceptions)
{
    auto operation = [&]() -> awaitable<int> { co_return 42; };
    std::exception_ptr error;
    async_retry(executor, operation, {.multiplier = 0.5}, [&](std::exception_ptr e, int) { error = e; });
    poll_all(context);
    ASSERT_TRUE(error);
    EXPECT_EQ(backbeat::detail::failure_of(error).code, retry_errc::invalid_options);
}

struct no_default {
    explicit no_default(int v) : value(v) {}
    int value;
};

TEST_F(forms, invalid_options_are_thrown_where_there_is_nothing_to_complete_with)
{
    auto operation = [&](auto&& token) {
        return async_outcome(executor, next(""), no_default(1), std::forward<decltype(token)>(token));
    };
    auto const start = [&] {
        async_retry(executor, operation, {.attempt_timeout = -1s}, [](error_code, no_default) { FAIL(); });
    };
    try {
        start();
        FAIL() << "nothing was thrown";
    } catch (system_error const& e) {
        EXPECT_EQ(e.code(), retry_errc::invalid_options);
        EXPECT_NE(std::string(e.what()).find("attempt_timeout is negative"), std::string::npos);
    }
    poll_all(context);
    EXPECT_TRUE(calls.empty());
}

TEST_F(forms, results_without_a_default_work_like_others)
{
    auto operation = [&](auto&& token) {
        return async_outcome(executor, next(""), no_default(7), std::forward<decltype(token)>(token));
    };
    int result = 0;
    backbeat::retry_options const options{
        .initial_backoff = 0s, .attempt_timeout = 1h, .total_timeout = 2h, .timers = tested_timers};
    async_retry<manual_clock>(
        executor, operation, options, [&](error_code, no_default value) { result = value.value; });
    poll_all(context);
    EXPECT_EQ(result, 7);
    EXPECT_EQ(calls.size(), 3u);
}

TEST_F(forms, results_without_a_default_make_one_attempt_where_others_make_none)
{
    manual_clock::reset();
    std::optional<std::chrono::nanoseconds> limit;
    auto told = boost::asio::cancellation_type::none;
    auto operation = [&](attempt const& current, auto&& token) {
        limit = current.time_limit();
        return boost::asio::async_initiate<decltype(token), void(error_code, no_default)>(
            [&](auto handler) {
                boost::asio::get_associated_cancellation_slot(handler).assign([&](auto type) { told = type; });
                boost::asio::post(context, [handler = std::move(handler)]() mutable {
                    std::move(handler)(error_code(connection_refused), no_default(7));
                });
            },
            token);
    };
    for (bool const cancel : {true, false}) {
        boost::asio::cancellation_signal signal;
        backbeat::retry_report report;
        int result = 0;
        async_retry<manual_clock>(
            executor,
            operation,
            {.total_timeout = 2s, .timers = tested_timers},
            backbeat::report_to(report),
            boost::asio::bind_cancellation_slot(signal.slot(), [&](error_code error, no_default value) {
                EXPECT_EQ(error, connection_refused);
                result = value.value;
            }));
        if (cancel)
            signal.emit(boost::asio::cancellation_type::total);
        else
            manual_clock::advance(3s);
        poll_all(context);
        EXPECT_EQ(result, 7);
        EXPECT_EQ(limit, cancel ? 2s : 1ns);
        EXPECT_EQ(told, cancel ? boost::asio::cancellation_type::total : boost::asio::cancellation_type::none);
        told = boost::asio::cancellation_type::none;
        EXPECT_EQ(report.reason(), cancel ? backbeat::stop_reason::cancelled : backbeat::stop_reason::deadline);
        EXPECT_EQ(report.attempts(), 1u);
    }
}

TEST_F(forms, results_without_a_default_make_an_attempt_that_is_told_of_a_cancellation_before_it)
{
    manual_clock::reset();
    for (auto const limit : {0s, 10s}) {
        boost::asio::cancellation_signal signal;
        recording_observer observer;
        observer.hook = [&](std::string const& event) {
            if (event == "attempt 1") signal.emit(boost::asio::cancellation_type::partial);
        };
        auto told = boost::asio::cancellation_type::none;
        auto operation = [&](auto&& token) {
            return boost::asio::async_initiate<decltype(token), void(error_code, no_default)>(
                [&](auto handler) {
                    auto slot = boost::asio::get_associated_cancellation_slot(handler);
                    slot.assign([&, handler = std::move(handler)](auto type) mutable {
                        told = type;
                        boost::asio::post(context, [handler = std::move(handler)]() mutable {
                            std::move(handler)(error_code(boost::asio::error::operation_aborted), no_default(7));
                        });
                    });
                },
                token);
        };
        int result = 0;
        async_retry<manual_clock>(
            executor,
            operation,
            {.attempt_timeout = limit, .timers = tested_timers, .observer = &observer},
            boost::asio::bind_cancellation_slot(
                signal.slot(), [&](error_code, no_default value) { result = value.value; }));
        poll_all(context);
        EXPECT_EQ(told, boost::asio::cancellation_type::partial);
        EXPECT_EQ(result, 7);
        EXPECT_EQ(observer.events.back(), "cancelled after 1");
    }
}

TEST_F(forms, classifiers_may_ask_for_the_attempt)
{
    auto operation = [&](attempt const& current, auto&& token) {
        current.report(backbeat::delivery::rejected);
        return async_outcome(executor, error_code(), 42, std::forward<decltype(token)>(token));
    };
    auto until_the_second = [](attempt const& current, error_code, int) {
        EXPECT_EQ(current.delivered(), backbeat::delivery::rejected);
        return current.number() == 2 ? verdict::done() : verdict::retry();
    };
    backbeat::retry_report report;
    async_retry(
        executor,
        operation,
        at_once,
        backbeat::classify(until_the_second),
        backbeat::report_to(report),
        [](error_code, int) {});
    poll_all(context);
    EXPECT_EQ(report.attempts(), 2u);
    EXPECT_EQ(report.worst_delivery(), backbeat::delivery::rejected);
}

TEST_F(forms, an_ambiguous_delivery_stops_what_is_not_replayable)
{
    auto operation = [&](attempt const& current, auto&& token) {
        current.report(current.number() == 1 ? backbeat::delivery::ambiguous : backbeat::delivery::not_sent);
        EXPECT_TRUE(current.number() == 1 || current.worst_delivery() == backbeat::delivery::ambiguous);
        return async_outcome(
            executor,
            error_code(connection_refused),
            static_cast<int>(current.number()),
            std::forward<decltype(token)>(token));
    };
    auto second_is_not_replayable = [](attempt const& current, error_code, int) {
        return verdict{.kind = backbeat::verdict_kind::retry, .replayable = current.number() == 1};
    };
    backbeat::retry_report report;
    int result = 0;
    async_retry(
        executor,
        operation,
        at_once,
        backbeat::classify(second_is_not_replayable),
        backbeat::report_to(report),
        [&](error_code, int value) { result = value; });
    poll_all(context);
    EXPECT_EQ(result, 2);
    EXPECT_EQ(report.reason(), backbeat::stop_reason::not_replayable);
}

}  // namespace
