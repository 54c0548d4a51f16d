//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Every completion token. What awaits is written as users are advised to write it, and runs under AddressSanitizer:
// g++ 12 destroys what is written otherwise twice.

#include "async_outcome.hpp"
#include "counting_allocator.hpp"
#include "retry_scenario.hpp"
#include "tested_timers.hpp"

#include <backbeat/async_retry.hpp>
#include <backbeat/detail/executors.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/consign.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include <gtest/gtest.h>

#include <exception>
#include <future>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>

namespace {

using namespace std::chrono_literals;
using namespace backbeat::test;
using backbeat::async_retry;
using boost::asio::awaitable;
using boost::asio::error::connection_refused;
using boost::asio::error::operation_aborted;
using boost::system::error_code;

backbeat::retry_options const without_waits{.initial_backoff = 0s, .timers = tested_timers};

// Fails twice, then succeeds with 42. What it owns tells when it is used after its end.
class flaky {
public:
    flaky(boost::asio::any_io_executor executor, std::shared_ptr<int> calls)
        : executor_(std::move(executor)), calls_(std::move(calls))
    {}

    template <class Token>
    auto operator()(Token&& token)
    {
        ++*calls_;
        return async_outcome(
            executor_,
            *calls_ % 3 == 0 ? error_code() : error_code(connection_refused),
            42,
            std::forward<Token>(token));
    }

private:
    boost::asio::any_io_executor executor_;
    std::shared_ptr<int> calls_;
};

class tokens : public testing::Test {
protected:
    boost::asio::io_context context;
    boost::asio::any_io_executor executor = context.get_executor();
    std::shared_ptr<int> calls = std::make_shared<int>(0);
    flaky operation{executor, calls};
    int result = 0;

    auto into_result()
    {
        return [this](error_code error, int value) {
            EXPECT_FALSE(error);
            result = value;
        };
    }

    void expect_done()
    {
        poll_all(context);
        EXPECT_EQ(result, 42);
        EXPECT_EQ(*calls, 3);
    }

    // Runs a coroutine to its end.
    template <class Body>
    void run(Body body)
    {
        bool ended = false;
        boost::asio::co_spawn(context, std::move(body), [&](std::exception_ptr error) {
            ended = true;
            if (error) std::rethrow_exception(error);
        });
        poll_all(context);
        EXPECT_TRUE(ended);
    }
};

TEST_F(tokens, callback)
{
    async_retry(executor, operation, without_waits, into_result());
    expect_done();
}

TEST_F(tokens, callback_as_an_lvalue)
{
    auto handler = into_result();
    async_retry(executor, operation, without_waits, handler);
    expect_done();
}

TEST_F(tokens, callback_that_can_only_be_moved)
{
    auto handler = [this, owned = std::make_unique<int>(42)](error_code, int) { result = *owned; };
    async_retry(executor, operation, without_waits, std::move(handler));
    expect_done();
}

TEST_F(tokens, use_future)
{
    auto future = async_retry(executor, operation, without_waits, boost::asio::use_future);
    poll_all(context);
    EXPECT_EQ(future.get(), 42);

    backbeat::retry_options const one_attempt{.maximum_retries = 0, .timers = tested_timers};
    auto failed = async_retry(executor, operation, one_attempt, boost::asio::use_future);
    poll_all(context);
    EXPECT_THROW(failed.get(), boost::system::system_error);
}

// Asio does not document what executor this is. If it were not recognised, retries would wait in a hidden thread pool.
template <class Signature, class Token>
void expect_use_of_thread_pool_recognised(Token token)
{
    bool asked = false;
    auto const initiation = [&asked]<class Handler>(Handler&&) {
        using executor = backbeat::detail::own_executor<std::decay_t<Handler>>;
        static_assert(backbeat::detail::is_promise_executor<executor>);
        static_assert(!backbeat::detail::can_carry_timer<executor>);
        asked = true;
    };
    static_cast<void>(boost::asio::async_initiate<Token, Signature>(initiation, token));
    EXPECT_TRUE(asked);
}

TEST_F(tokens, use_future_brings_an_executor_that_is_recognised)
{
    using boost::asio::use_future;
    expect_use_of_thread_pool_recognised<void()>(use_future);
    expect_use_of_thread_pool_recognised<void(int)>(use_future);
    expect_use_of_thread_pool_recognised<void(error_code)>(use_future);
    expect_use_of_thread_pool_recognised<void(error_code, int)>(use_future);
    expect_use_of_thread_pool_recognised<void(error_code, int, std::string)>(use_future);
    expect_use_of_thread_pool_recognised<void(std::exception_ptr)>(use_future);
    expect_use_of_thread_pool_recognised<void(std::exception_ptr, int)>(use_future);
    expect_use_of_thread_pool_recognised<void(std::exception_ptr, int, std::string)>(use_future);
    expect_use_of_thread_pool_recognised<void(error_code, int)>(use_future[std::allocator<int>()]);
    expect_use_of_thread_pool_recognised<void(error_code, int)>(use_future([](error_code, int) { return 1; }));
}

TEST_F(tokens, deferred_as_an_rvalue)
{
    auto retry = async_retry(executor, operation, without_waits, boost::asio::deferred);
    poll_all(context);
    EXPECT_EQ(*calls, 0);
    std::move(retry)(into_result());
    expect_done();
}

TEST_F(tokens, deferred_as_an_lvalue_twice)
{
    auto retry = async_retry(executor, operation, without_waits, boost::asio::deferred);
    retry(into_result());
    expect_done();
    result = 0;
    *calls = 0;
    retry(into_result());
    expect_done();
}

TEST_F(tokens, deferred_outlives_what_it_was_made_of)
{
    auto retry = [this] {
        flaky local(executor, calls);
        backbeat::retry_options options = without_waits;
        auto classifier = [alive = std::make_shared<int>(1)](error_code error, int) {
            EXPECT_EQ(*alive, 1);
            return error ? backbeat::verdict::retry() : backbeat::verdict::done();
        };
        return async_retry(executor, local, options, backbeat::classify(classifier), boost::asio::deferred);
    }();
    std::move(retry)(into_result());
    expect_done();
}

TEST_F(tokens, the_default_is_deferred)
{
    auto retry = async_retry(executor, operation, without_waits);
    static_assert(boost::asio::is_async_operation<decltype(retry)>::value);
    std::move(retry)(into_result());
    expect_done();
}

TEST_F(tokens, the_default_without_options)
{
    auto retry = async_retry(executor, operation);
    std::move(retry)(boost::asio::detached);
    poll_all(context);
    EXPECT_EQ(*calls, 1);
}

TEST_F(tokens, detached)
{
    async_retry(executor, operation, without_waits, boost::asio::detached);
    poll_all(context);
    EXPECT_EQ(*calls, 3);
}

TEST_F(tokens, bind_executor)
{
    auto const strand = boost::asio::make_strand(context);
    async_retry(operation, without_waits, boost::asio::bind_executor(strand, [&](error_code, int value) {
                    EXPECT_TRUE(strand.running_in_this_thread());
                    result = value;
                }));
    expect_done();
}

TEST_F(tokens, bind_executor_to_deferred)
{
    auto const strand = boost::asio::make_strand(context);
    auto retry = async_retry(operation, without_waits, boost::asio::bind_executor(strand, boost::asio::deferred));
    std::move(retry)([&](error_code, int value) {
        EXPECT_TRUE(strand.running_in_this_thread());
        result = value;
    });
    expect_done();
}

TEST_F(tokens, bind_allocator)
{
    allocation_log log;
    async_retry(
        executor, operation, without_waits, boost::asio::bind_allocator(counting_allocator<>(log), into_result()));
    EXPECT_EQ(log.live, 1u);
    expect_done();
    EXPECT_EQ(log.allocations, 1u);
    EXPECT_EQ(log.live, 0u);
}

TEST_F(tokens, bind_cancellation_slot)
{
    boost::asio::cancellation_signal signal;
    error_code ended_with;
    async_retry(executor, operation, boost::asio::bind_cancellation_slot(signal.slot(), [&](error_code error, int) {
                    ended_with = error;
                }));
    poll_all(context);
    signal.emit(boost::asio::cancellation_type::total);
    poll_all(context);
    EXPECT_EQ(ended_with, operation_aborted);
}

TEST_F(tokens, any_completion_handler)
{
    boost::asio::any_completion_handler<void(error_code, int)> handler = into_result();
    async_retry(executor, operation, without_waits, std::move(handler));
    expect_done();
}

TEST_F(tokens, consign)
{
    auto owned = std::make_shared<int>(42);
    std::weak_ptr<int> const watched = owned;
    async_retry(
        executor,
        operation,
        without_waits,
        boost::asio::consign(
            [&](error_code, int value) {
                EXPECT_FALSE(watched.expired());
                result = value;
            },
            std::move(owned)));
    EXPECT_FALSE(watched.expired());
    expect_done();
    EXPECT_TRUE(watched.expired());
}

TEST_F(tokens, use_awaitable)
{
    run([this]() -> awaitable<void> {
        result = co_await async_retry(operation, without_waits, boost::asio::use_awaitable);
    });
    expect_done();
}

TEST_F(tokens, use_awaitable_and_designated_initialisers)
{
    run([this]() -> awaitable<void> {
        result = co_await async_retry(
            operation,
            {.initial_backoff = 0s, .maximum_backoff = 32s, .maximum_retries = 8, .timers = tested_timers},
            boost::asio::use_awaitable);
    });
    expect_done();
}

TEST_F(tokens, the_default_and_designated_initialisers)
{
    run([this]() -> awaitable<void> {
        result = co_await async_retry(
            operation, {.initial_backoff = 0s, .maximum_backoff = 32s, .maximum_retries = 8, .timers = tested_timers});
    });
    expect_done();
}

TEST_F(tokens, awaited_with_everything)
{
    run([this]() -> awaitable<void> {
        backbeat::retry_report report;
        auto classifier = [alive = std::make_shared<int>(1)](error_code error, int) {
            EXPECT_EQ(*alive, 1);
            return error ? backbeat::verdict::retry() : backbeat::verdict::done();
        };
        result = co_await async_retry(
            executor,
            operation,
            without_waits,
            backbeat::classify(classifier),
            backbeat::report_to(report),
            boost::asio::use_awaitable);
        EXPECT_EQ(report.attempts(), 3u);
    });
    expect_done();
}

TEST_F(tokens, awaited_with_a_named_lambda_that_owns_something)
{
    run([this]() -> awaitable<void> {
        auto const count = calls.use_count();
        auto list = [inner = operation, owned = std::make_unique<std::string>("a"), text = std::string(100, 'x')](
                        auto&& token) mutable {
            EXPECT_EQ(text.size(), 100u);
            EXPECT_EQ(*owned, "a");
            return inner(std::forward<decltype(token)>(token));
        };
        result = co_await async_retry(std::ref(list), without_waits);
        auto copyable = [inner = operation, owned = std::make_shared<std::string>("a")](auto&& token) mutable {
            EXPECT_EQ(*owned, "a");
            return inner(std::forward<decltype(token)>(token));
        };
        *calls = 0;
        result = co_await async_retry(copyable, without_waits);
        EXPECT_EQ(calls.use_count(), count + 2);
    });
    expect_done();
}

TEST_F(tokens, an_awaited_error_is_thrown)
{
    run([this]() -> awaitable<void> {
        error_code error;
        try {
            co_await async_retry(operation, {.maximum_retries = 0, .timers = tested_timers});
        } catch (boost::system::system_error const& e) {
            error = e.code();
        }
        EXPECT_EQ(error, connection_refused);
    });
}

TEST_F(tokens, as_tuple)
{
    run([this]() -> awaitable<void> {
        auto const completion =
            co_await async_retry(operation, without_waits, boost::asio::as_tuple(boost::asio::use_awaitable));
        EXPECT_FALSE(std::get<0>(completion));
        result = std::get<1>(completion);
        auto const again = co_await async_retry(
            operation, {.maximum_retries = 0, .timers = tested_timers}, boost::asio::as_tuple(boost::asio::deferred));
        EXPECT_EQ(std::get<0>(again), connection_refused);
        *calls = 3;
    });
    expect_done();
}

TEST_F(tokens, redirect_error)
{
    run([this]() -> awaitable<void> {
        error_code error;
        result = co_await async_retry(
            operation, without_waits, boost::asio::redirect_error(boost::asio::use_awaitable, error));
        EXPECT_FALSE(error);
        co_await async_retry(
            operation,
            {.maximum_retries = 0, .timers = tested_timers},
            boost::asio::redirect_error(boost::asio::use_awaitable, error));
        EXPECT_EQ(error, connection_refused);
        *calls = 3;
    });
    expect_done();
}

// Those tokens leave nothing behind in a coroutine, so g++ 12 may have the lambda in place.
TEST_F(tokens, that_cannot_be_awaited_accept_a_lambda_in_place_that_owns_something)
{
    async_retry(
        executor,
        [inner = operation](auto&& token) mutable { return inner(std::forward<decltype(token)>(token)); },
        without_waits,
        backbeat::classify([alive = std::make_shared<int>(1)](error_code error, int) {
            return error ? backbeat::verdict::retry() : backbeat::verdict::done();
        }),
        into_result());
    expect_done();
    async_retry(
        executor,
        [inner = operation](auto&& token) mutable { return inner(std::forward<decltype(token)>(token)); },
        without_waits,
        boost::asio::detached);
    auto future = async_retry(
        executor,
        [inner = operation](auto&& token) mutable { return inner(std::forward<decltype(token)>(token)); },
        without_waits,
        boost::asio::use_future);
    poll_all(context);
    EXPECT_EQ(future.get(), 42);
}

// Boost 1.81 cannot await a deferred operation that completes with an exception and a result.
TEST_F(tokens, the_default_of_operations_that_return_awaitables)
{
    run([this]() -> awaitable<void> {
        auto list = [this]() -> awaitable<std::string> {
            auto value = co_await operation(boost::asio::use_awaitable);
            co_return std::to_string(value);
        };
        std::string const text = co_await async_retry(list, without_waits);
        EXPECT_EQ(text, "42");
        result = 42;

        auto nothing = [this]() -> awaitable<void> {
            int value = co_await operation(boost::asio::use_awaitable);
            EXPECT_EQ(value, 42);
        };
        co_await async_retry(nothing, without_waits);
        EXPECT_EQ(*calls, 6);
        *calls = 3;
    });
    expect_done();
}

TEST_F(tokens, a_retry_is_an_operation_that_can_be_retried)
{
    auto inner = [this](auto&& token) {
        return async_retry(
            executor, operation, {.maximum_retries = 0, .timers = tested_timers}, std::forward<decltype(token)>(token));
    };
    async_retry(executor, inner, without_waits, into_result());
    expect_done();
}

}  // namespace
