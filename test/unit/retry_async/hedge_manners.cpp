//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// What Asio asks of a composed operation, of one whose parts overlap: tokens, executors, memory, contexts that are
// destroyed, exceptions, threads.

#include "async_outcome.hpp"
#include "brittle.hpp"
#include "counting_allocator.hpp"
#include "hedge_scenario.hpp"
#include "tracker_executor.hpp"

#include <backbeat/async_hedge.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <exception>
#include <future>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;
using namespace backbeat::test;
using backbeat::async_hedge;
using backbeat::attempt;
using backbeat::hedge_options;
using backbeat::manual_clock;
using backbeat::verdict;
using boost::asio::awaitable;
using boost::asio::cancellation_type;
using boost::asio::error::connection_refused;
using boost::asio::error::operation_aborted;
using boost::system::error_code;

using types = std::vector<cancellation_type>;

// ---- Completion tokens and forms of the operation ----

// The first attempt takes an hour, or until it is cancelled; the second answers 42. What it owns tells when it is used
// after its end.
class slow_at_first {
public:
    using timer = boost::asio::basic_waitable_timer<manual_clock>;

    slow_at_first(boost::asio::any_io_executor executor, std::shared_ptr<int> calls)
        : executor_(std::move(executor)), calls_(std::move(calls))
    {}

    template <class Token>
    auto operator()(Token&& token)
    {
        ++*calls_;
        return boost::asio::async_initiate<Token, void(error_code, int)>(
            [](auto handler, boost::asio::any_io_executor const& executor, bool slow) {
                auto waiting = std::make_unique<timer>(executor, slow ? 1h : 0h);
                auto& started = *waiting;
                auto const slot = boost::asio::get_associated_cancellation_slot(handler);
                auto const where = boost::asio::get_associated_executor(handler, executor);
                auto completion = [h = std::move(handler), w = std::move(waiting)](error_code error) mutable {
                    w.reset();
                    std::move(h)(error, error ? -1 : 42);
                };
                started.async_wait(boost::asio::bind_cancellation_slot(
                    slot, boost::asio::bind_executor(where, std::move(completion))));
            },
            token,
            executor_,
            *calls_ % 2 == 1);
    }

private:
    boost::asio::any_io_executor executor_;
    std::shared_ptr<int> calls_;
};

class hedge_tokens : public testing::Test {
protected:
    hedge_tokens() { manual_clock::reset(); }

    static constexpr hedge_options soon{.delay = 50ms};

    boost::asio::io_context context;
    boost::asio::any_io_executor executor = context.get_executor();
    std::shared_ptr<int> calls = std::make_shared<int>(0);
    slow_at_first operation{executor, calls};
    int result = 0;

    auto into_result()
    {
        return [this](error_code error, int value) {
            EXPECT_FALSE(error);
            result = value;
        };
    }

    void pass()
    {
        poll_all(context);
        manual_clock::advance(50ms);
        poll_all(context);
    }

    void expect_done()
    {
        pass();
        EXPECT_EQ(result, 42);
        EXPECT_EQ(*calls, 2);
        EXPECT_TRUE(context.stopped());
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
        pass();
        EXPECT_TRUE(ended);
    }
};

TEST_F(hedge_tokens, callback)
{
    async_hedge<manual_clock>(executor, operation, soon, into_result());
    expect_done();
}

TEST_F(hedge_tokens, callback_that_can_only_be_moved)
{
    auto handler = [this, owned = std::make_unique<int>(42)](error_code, int) { result = *owned; };
    async_hedge<manual_clock>(executor, operation, soon, std::move(handler));
    expect_done();
}

TEST_F(hedge_tokens, use_future)
{
    auto future = async_hedge<manual_clock>(executor, operation, soon, boost::asio::use_future);
    pass();
    EXPECT_EQ(future.get(), 42);
}

TEST_F(hedge_tokens, deferred_twice)
{
    auto hedge = async_hedge<manual_clock>(executor, operation, soon, boost::asio::deferred);
    poll_all(context);
    EXPECT_EQ(*calls, 0);
    hedge(into_result());
    expect_done();
    result = 0;
    *calls = 0;
    std::move(hedge)(into_result());
    expect_done();
}

TEST_F(hedge_tokens, the_default_is_deferred)
{
    auto hedge = async_hedge<manual_clock>(executor, operation, soon);
    static_assert(boost::asio::is_async_operation<decltype(hedge)>::value);
    std::move(hedge)(into_result());
    expect_done();
}

TEST_F(hedge_tokens, the_default_without_options)
{
    auto hedge = async_hedge<manual_clock>(executor, operation);
    std::move(hedge)(into_result());
    poll_all(context);
    manual_clock::advance(2s);
    expect_done();
}

TEST_F(hedge_tokens, detached)
{
    async_hedge<manual_clock>(executor, operation, soon, boost::asio::detached);
    pass();
    EXPECT_EQ(*calls, 2);
    EXPECT_TRUE(context.stopped());
}

TEST_F(hedge_tokens, any_completion_handler)
{
    boost::asio::any_completion_handler<void(error_code, int)> handler = into_result();
    async_hedge<manual_clock>(executor, operation, soon, std::move(handler));
    expect_done();
}

TEST_F(hedge_tokens, bind_executor)
{
    auto const strand = boost::asio::make_strand(context);
    async_hedge<manual_clock>(operation, soon, boost::asio::bind_executor(strand, [&](error_code, int value) {
                                  EXPECT_TRUE(strand.running_in_this_thread());
                                  result = value;
                              }));
    expect_done();
}

TEST_F(hedge_tokens, use_awaitable_with_everything)
{
    run([this]() -> awaitable<void> {
        backbeat::retry_report report;
        auto classifier = [alive = std::make_shared<int>(1)](error_code error, int) {
            EXPECT_EQ(*alive, 1);
            return error ? verdict::retry() : verdict::done();
        };
        result = co_await async_hedge<manual_clock>(
            executor,
            operation,
            {.delay = 50ms, .maximum_attempts = 2},
            backbeat::classify(classifier),
            backbeat::report_to(report),
            boost::asio::use_awaitable);
        EXPECT_EQ(report.attempts(), 2u);
    });
    expect_done();
}

TEST_F(hedge_tokens, the_default_awaited)
{
    run([this]() -> awaitable<void> { result = co_await async_hedge<manual_clock>(operation, {.delay = 50ms}); });
    expect_done();
}

TEST_F(hedge_tokens, as_tuple)
{
    run([this]() -> awaitable<void> {
        auto const completion =
            co_await async_hedge<manual_clock>(operation, soon, boost::asio::as_tuple(boost::asio::use_awaitable));
        EXPECT_FALSE(std::get<0>(completion));
        result = std::get<1>(completion);
    });
    expect_done();
}

TEST_F(hedge_tokens, operations_that_return_awaitables)
{
    run([this]() -> awaitable<void> {
        auto list = [this]() -> awaitable<std::string> {
            auto value = co_await operation(boost::asio::use_awaitable);
            co_return std::to_string(value);
        };
        std::string const text = co_await async_hedge<manual_clock>(list, soon);
        EXPECT_EQ(text, "42");
        result = 42;
    });
    expect_done();
}

TEST_F(hedge_tokens, operations_that_take_the_attempt_and_return_awaitables)
{
    std::vector<std::uint32_t> numbers;
    run([&, this]() -> awaitable<void> {
        auto list = [&, this](attempt const& current) -> awaitable<void> {
            numbers.push_back(current.number());
            int value = co_await operation(boost::asio::use_awaitable);
            result = value;
        };
        co_await async_hedge<manual_clock>(list, soon);
    });
    EXPECT_EQ(numbers, (std::vector<std::uint32_t>{1, 2}));
    expect_done();
}

TEST_F(hedge_tokens, operations_that_return_deferred_operations)
{
    auto list = [this] { return operation(boost::asio::deferred); };
    async_hedge<manual_clock>(executor, list, soon, into_result());
    expect_done();
}

// ---- Where things run ----

TEST(hedge_executors, of_the_handler_runs_the_handler_and_all_that_is_the_callers)
{
    manual_clock::reset();
    boost::asio::io_context context;
    execution_log io;
    execution_log handlers;
    tracker_executor const io_executor{context.get_executor(), io};
    tracker_executor const handler_executor{context.get_executor(), handlers};
    overlapping_operation operation{context.get_executor()};
    operation.during_initiation = [&](std::uint32_t) { EXPECT_NE(handlers.running, 0); };
    int classified = 0;
    auto classifier = [&](error_code error, int) {
        ++classified;
        EXPECT_NE(handlers.running, 0);
        return error ? verdict::retry() : verdict::done();
    };
    recording_observer observer;
    observer.hook = [&](std::string const&) { EXPECT_NE(handlers.running, 0); };
    bool on_handler_executor = false;
    async_hedge<manual_clock>(
        io_executor,
        std::ref(operation),
        {.delay = 1s, .maximum_attempts = 3, .observer = &observer},
        backbeat::classify(std::ref(classifier)),
        boost::asio::bind_executor(
            handler_executor, [&](error_code, int) { on_handler_executor = handlers.running != 0; }));
    EXPECT_EQ(operation.attempts.size(), 0u) << "the start is dispatched";
    poll_all(context);
    manual_clock::advance(1s);
    poll_all(context);
    operation.complete(1, connection_refused);
    poll_all(context);
    EXPECT_EQ(operation.running(), 2u);
    operation.complete(2, {}, 7);
    poll_all(context);
    EXPECT_TRUE(on_handler_executor);
    EXPECT_EQ(classified, 3);
    EXPECT_GT(io.executed, 0);
}

TEST(hedge_executors, without_a_context_carry_no_timer)
{
    manual_clock::reset();
    boost::asio::io_context context;
    execution_log handlers;
    tracker_executor const handler_executor{context.get_executor(), handlers};
    overlapping_operation operation{context.get_executor()};
    bool on_handler_executor = false;
    boost::asio::any_completion_handler<void(error_code, int)> erased = boost::asio::bind_executor(
        handler_executor, [&](error_code, int) { on_handler_executor = handlers.running != 0; });
    async_hedge<manual_clock>(std::ref(operation), {.delay = 1s}, std::move(erased));
    poll_all(context);
    manual_clock::advance(1s);
    poll_all(context);
    operation.complete(2, {}, 7);
    poll_all(context);
    EXPECT_TRUE(on_handler_executor);
}

TEST(hedge_executors, complete_invalid_options_on_that_of_the_handler)
{
    boost::asio::io_context context;
    execution_log handlers;
    tracker_executor const handler_executor{context.get_executor(), handlers};
    overlapping_operation operation{context.get_executor()};
    bool on_handler_executor = false;
    async_hedge(
        context.get_executor(),
        std::ref(operation),
        {.maximum_attempts = 0},
        boost::asio::bind_executor(
            handler_executor, [&](error_code, int) { on_handler_executor = handlers.running != 0; }));
    EXPECT_FALSE(on_handler_executor);
    poll_all(context);
    EXPECT_TRUE(on_handler_executor);
}

TEST(hedge_initiation, never_calls_the_handler_even_if_attempts_complete_inside_it)
{
    for (bool const from_the_executor : {false, true}) {
        for (auto const delay : {0s, 1s}) {
            for (auto const& error : {error_code(), error_code(connection_refused)}) {
                hedge_scenario s;
                s.options.delay = delay;
                for (std::uint32_t i = 1; i != 4; ++i) s.operation->script[i] = {error, 7, true};
                if (from_the_executor)
                    boost::asio::post(*s.context, [&] { s.start_only(); });
                else
                    s.start_only();
                s.poll();
                EXPECT_EQ(s.calls, 1);
                EXPECT_EQ(s.result, 7);
                EXPECT_EQ(s.attempts(), error ? 3u : 1u);
                EXPECT_STREQ(s.reason(), error ? "exhausted" : "success");
                EXPECT_FALSE(s.called_inside_the_initiation());
            }
        }
    }
}

TEST(hedge_initiation, of_an_attempt_in_which_another_completes)
{
    for (auto const& error : {error_code(), error_code(connection_refused)}) {
        hedge_scenario s;
        s.operation->during_initiation = [&, e = error](std::uint32_t number) {
            if (number == 2) s.operation->complete_now(1, e, 7);
        };
        s.start();
        s.advance(1s);
        EXPECT_EQ(s.calls, error ? 0 : 1);
        EXPECT_EQ(s.attempts(), error ? 3u : 2u);
        if (!error) {
            EXPECT_EQ(s.told(2), types{cancellation_type::terminal});
        }
    }
}

TEST(hedge_work, is_outstanding_until_the_handler_has_been_called)
{
    hedge_scenario s;
    s.options.maximum_attempts = 2;
    s.operation->reactions[1] = when_cancelled::ignores;
    s.start();
    EXPECT_FALSE(s.context->stopped());
    s.advance(1s);
    EXPECT_FALSE(s.context->stopped());
    s.complete(2, {}, 7);
    EXPECT_FALSE(s.context->stopped()) << "no timer waits, and the loser runs elsewhere";
    s.complete(1, operation_aborted);
    EXPECT_EQ(s.calls, 1);
    EXPECT_TRUE(s.context->stopped());
}

// ---- Results that cannot be made up ----

struct hedged_reply {
    explicit hedged_reply(int v) noexcept : value(v) {}
    int value;
};

class without_empty_results : public testing::Test {
protected:
    hedge_scenario s;
    int value = 0;

    void start(std::chrono::nanoseconds total_timeout = {})
    {
        auto replying = [this](attempt const& current, auto&& token) {
            return boost::asio::async_initiate<decltype(token), void(error_code, hedged_reply)>(
                [this, &current](auto handler) {
                    auto const slot = boost::asio::get_associated_cancellation_slot(handler);
                    auto adapted = [h = std::move(handler)](error_code error, int result) mutable {
                        std::move(h)(error, hedged_reply(result));
                    };
                    (*s.operation)(current, boost::asio::bind_cancellation_slot(slot, std::move(adapted)));
                },
                token);
        };
        async_hedge<manual_clock>(
            s.context->get_executor(),
            replying,
            {.delay = 1s, .total_timeout = total_timeout, .observer = &s.observer},
            backbeat::report_to(s.report),
            boost::asio::bind_cancellation_slot(s.signal.slot(), [this](error_code error, hedged_reply const& with) {
                ++s.calls;
                s.error = error;
                value = with.value;
            }));
    }
};

TEST_F(without_empty_results, one_attempt_is_made_and_cancelled_where_the_start_comes_too_late)
{
    start();
    s.cancel(cancellation_type::total);
    s.operation->reactions[1] = when_cancelled::ignores;
    s.poll();
    EXPECT_EQ(s.attempts(), 1u);
    EXPECT_EQ(s.told(1), types{cancellation_type::total});
    s.advance(1h);
    EXPECT_EQ(s.attempts(), 1u);
    s.complete(1, connection_refused, 7);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, connection_refused);
    EXPECT_EQ(value, 7);
    EXPECT_STREQ(s.reason(), "cancelled");
}

TEST_F(without_empty_results, one_attempt_is_made_where_the_observer_cancels_it)
{
    s.observer.hook = [&](std::string const& event) {
        if (event == "attempt 1") s.cancel();
    };
    start();
    s.poll();
    EXPECT_EQ(s.attempts(), 1u);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, operation_aborted);
    EXPECT_EQ(value, -1);
    EXPECT_STREQ(s.reason(), "cancelled");
}

TEST_F(without_empty_results, one_attempt_is_made_and_cut_off_where_no_time_is_left)
{
    start(1s);
    s.advance(1s);
    EXPECT_EQ(s.operation->seen(1).time_limit, 1ns);
    EXPECT_EQ(s.told(1), types{cancellation_type::terminal});
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.error, backbeat::retry_errc::deadline);
    EXPECT_EQ(value, -1);
}

TEST_F(without_empty_results, hedging_is_as_usual)
{
    start();
    s.poll();
    s.advance(1s);
    s.complete(2, {}, 7);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(value, 7);
}

// ---- Memory ----

template <class IoExecutor, class Bind>
void expect_one_allocation(boost::asio::io_context& context, IoExecutor const& executor, Bind bind)
{
    manual_clock::reset();
    allocation_log log;
    overlapping_operation operation{context.get_executor()};
    backbeat::latency_tracker latency;
    recording_budget budget;
    auto throttled = [](error_code error, int value) {
        return value == 1 ? verdict::retry(500ms) : error ? verdict::retry() : verdict::done();
    };
    bool completed = false;
    async_hedge<manual_clock>(
        executor,
        std::ref(operation),
        {.delay = 1s,
         .maximum_attempts = 4,
         .latency = &latency,
         .attempt_timeout = 1500ms,
         .total_timeout = 1h,
         .budget = &budget},
        backbeat::classify(throttled),
        bind(boost::asio::bind_allocator(counting_allocator<>(log), [&](error_code error, int) {
            completed = true;
            EXPECT_FALSE(error);
            EXPECT_EQ(log.live, 0u) << "it is released before the handler is called";
        })));
    poll_all(context);
    manual_clock::advance(1s);
    poll_all(context);
    operation.complete(1, connection_refused, 1);
    poll_all(context);
    manual_clock::advance(500ms);
    poll_all(context);
    manual_clock::advance(1s);
    poll_all(context);
    EXPECT_EQ(operation.attempts.size(), 4u);
    operation.complete(3, {}, 7);
    poll_all(context);
    EXPECT_TRUE(completed);
    EXPECT_EQ(log.allocations, 1u);
}

TEST(hedge_memory, is_one_block_an_operation_and_none_an_attempt)
{
    boost::asio::io_context context;
    auto const strand = boost::asio::make_strand(context);
    auto const as_it_is = [](auto handler) { return handler; };
    auto const on_strand = [&](auto handler) { return boost::asio::bind_executor(strand, std::move(handler)); };
    boost::asio::any_io_executor const any = context.get_executor();
    expect_one_allocation(context, context.get_executor(), as_it_is);
    expect_one_allocation(context, any, as_it_is);
    expect_one_allocation(context, boost::asio::any_io_executor(strand), as_it_is);
    expect_one_allocation(context, context.get_executor(), on_strand);
    expect_one_allocation(context, any, on_strand);
}

TEST(hedge_memory, of_two_attempts_is_a_block_that_asio_recycles)
{
    boost::asio::io_context context;
    boost::asio::any_io_executor const any = context.get_executor();
    auto operation = [&](auto&& token) {
        return async_outcome(any, error_code(), 1, std::forward<decltype(token)>(token));
    };
    allocation_log log;
    auto handler = boost::asio::bind_allocator(counting_allocator<>(log), [](error_code, int) {});
    async_hedge(context.get_executor(), operation, handler);
    async_hedge(any, operation, handler);
    EXPECT_LE(log.largest, 1020u);
    poll_all(context);
    EXPECT_EQ(log.allocations, 2u);
}

TEST(hedge_memory, of_a_cancellation_that_attempts_answer_at_once_is_the_same_block)
{
    for (bool const timed : {false, true}) {
        hedge_scenario s;
        allocation_log log;
        for (std::uint32_t i = 1; i != 3; ++i) s.operation->reactions[i] = when_cancelled::aborts_inside_the_emission;
        async_hedge<manual_clock>(
            s.context->get_executor(),
            std::ref(*s.operation),
            {.delay = 0s, .total_timeout = timed ? 10s : 0s},
            boost::asio::bind_cancellation_slot(
                s.signal.slot(),
                boost::asio::bind_allocator(counting_allocator<>(log), [&](error_code, int) { ++s.calls; })));
        s.poll();
        EXPECT_EQ(s.attempts(), 2u);
        s.cancel();
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_EQ(log.allocations, 1u);
    }
}

TEST(hedge_memory, can_be_used_by_what_the_handler_starts)
{
    manual_clock::reset();
    boost::asio::io_context context;
    single_block block;
    auto operation = [&](auto&& token) {
        return async_outcome(context.get_executor(), error_code(), 1, std::forward<decltype(token)>(token));
    };
    int completed = 0;
    auto last = [&](error_code, int) { ++completed; };
    auto first = [&](error_code, int) {
        ++completed;
        EXPECT_FALSE(block.used);
        async_hedge<manual_clock>(
            context.get_executor(), operation, boost::asio::bind_allocator(single_block_allocator<>(block), last));
        EXPECT_TRUE(block.used);
    };
    async_hedge<manual_clock>(
        context.get_executor(), operation, boost::asio::bind_allocator(single_block_allocator<>(block), first));
    poll_all(context);
    EXPECT_EQ(completed, 2);
    EXPECT_FALSE(block.used);
}

TEST(hedge_memory, that_a_cancellation_handler_holds_is_released_with_its_attempt)
{
    hedge_scenario s;
    std::vector<std::weak_ptr<int>> held;
    auto holding = [&](attempt const& current, auto&& token) {
        return boost::asio::async_initiate<decltype(token), void(error_code, int)>(
            [&](auto handler) {
                auto owned = std::make_shared<int>(1);
                held.push_back(owned);
                boost::asio::get_associated_cancellation_slot(handler).assign([owned](cancellation_type) {});
                (*s.operation)(current, [h = std::move(handler)](error_code error, int value) mutable {
                    std::move(h)(error, value);
                });
            },
            token);
    };
    async_hedge<manual_clock>(s.context->get_executor(), holding, {.delay = 1s}, [&](error_code, int) { ++s.calls; });
    s.poll();
    EXPECT_FALSE(held[0].expired());
    s.complete(1, connection_refused);
    EXPECT_TRUE(held[0].expired());
    EXPECT_FALSE(held[1].expired());
    s.complete(2, {}, 7);
    EXPECT_EQ(s.calls, 1);
    EXPECT_TRUE(held[1].expired());
}

// Throws at the n-th allocation.
template <class T = void>
struct failing_allocator : counting_allocator<T> {
    using value_type = T;
    failing_allocator(allocation_log& log, std::size_t fails_at) noexcept
        : counting_allocator<T>(log), fails_at_(fails_at)
    {}

    template <class U>
    failing_allocator(failing_allocator<U> const& other) noexcept
        : counting_allocator<T>(other), fails_at_(other.fails_at_)
    {}

    [[nodiscard]] T* allocate(std::size_t n)
    {
        if (this->log_->allocations + 1 == fails_at_) {
            ++this->log_->allocations;
            throw std::bad_alloc();
        }
        return counting_allocator<T>::allocate(n);
    }

    std::size_t fails_at_;
};

// Attempts take their memory from the handler's allocator, as operations of Asio do.
TEST(hedge_memory, that_cannot_be_had_leaks_nothing_and_nobody_waits)
{
    bool completed = false;
    for (std::size_t fails_at = 1; !completed; ++fails_at) {
        ASSERT_LT(fails_at, 20u);
        manual_clock::reset();
        boost::asio::io_context context;
        allocation_log log;
        auto const alive = std::make_shared<int>(1);
        std::vector<std::unique_ptr<slow_at_first::timer>> timers;
        auto operation = [&](attempt const& current, auto&& token) {
            timers.push_back(
                std::make_unique<slow_at_first::timer>(context.get_executor(), current.number() == 3 ? 0h : 1h));
            return timers.back()->async_wait(std::forward<decltype(token)>(token));
        };
        backbeat::retry_report report;
        auto const drive = [&] {
            async_hedge<manual_clock>(
                context.get_executor(),
                operation,
                {.delay = 1s, .maximum_attempts = 3},
                backbeat::report_to(report),
                boost::asio::bind_allocator(failing_allocator<>(log, fails_at), [&, alive](error_code error) {
                    EXPECT_FALSE(error);
                    completed = true;
                }));
            for (int i = 0; i != 3; ++i) {
                poll_all(context);
                manual_clock::advance(1s);
            }
        };
        bool threw = false;
        try {
            drive();
        } catch (std::bad_alloc const&) {
            threw = true;
        }
        EXPECT_NO_THROW(poll_all(context));
        EXPECT_NE(threw, completed) << fails_at;
        EXPECT_EQ(log.live, 0u) << fails_at;
        EXPECT_EQ(alive.use_count(), 1) << fails_at;
        EXPECT_TRUE(context.stopped());
        if (fails_at > 1) {
            EXPECT_EQ(report.reason(), completed ? backbeat::stop_reason::success : backbeat::stop_reason::abandoned);
        }
    }
}

// ---- Contexts that are destroyed ----

class abandoned_hedge : public testing::Test {
protected:
    abandoned_hedge() { manual_clock::reset(); }

    std::shared_ptr<int> const owned = std::make_shared<int>(1);
    boost::asio::cancellation_signal signal;
    recording_observer observer;
    recording_budget budget;
    backbeat::retry_report report;
    std::unique_ptr<boost::asio::io_context> context = std::make_unique<boost::asio::io_context>();
    // Attempts whose handlers are in the context, and which take an hour. Those that are to fail do so at once.
    std::uint32_t failing = 0;

    void start(hedge_options options)
    {
        options.observer = &observer;
        options.budget = &budget;
        auto operation = [this](attempt const& current, auto&& token) {
            return boost::asio::async_initiate<decltype(token), void(error_code)>(
                [this, fails = current.number() == failing](auto handler) {
                    auto timer = std::make_unique<slow_at_first::timer>(context->get_executor(), fails ? 0h : 1h);
                    auto& waiting = *timer;
                    auto const slot = boost::asio::get_associated_cancellation_slot(handler);
                    auto completion = [h = std::move(handler), t = std::move(timer), fails](error_code error) mutable {
                        t.reset();
                        std::move(h)(fails ? error_code(connection_refused) : error);
                    };
                    waiting.async_wait(boost::asio::bind_cancellation_slot(slot, std::move(completion)));
                },
                token);
        };
        auto classifier = [](error_code error) { return error ? verdict::retry(10s) : verdict::done(); };
        async_hedge<manual_clock>(
            context->get_executor(),
            operation,
            options,
            backbeat::classify(classifier),
            backbeat::report_to(report),
            boost::asio::bind_cancellation_slot(signal.slot(), [alive = owned](error_code) { FAIL(); }));
        EXPECT_EQ(owned.use_count(), 2);
    }

    void destroy_context(char const* last_event)
    {
        context.reset();
        EXPECT_EQ(owned.use_count(), 1);
        EXPECT_EQ(observer.events.back(), last_event);
        EXPECT_EQ(report.reason(), backbeat::stop_reason::abandoned);
        signal.emit(cancellation_type::terminal);
    }
};

TEST_F(abandoned_hedge, before_the_start)
{
    start({});
    EXPECT_TRUE(observer.events.empty());
    destroy_context("abandoned after 0");
    EXPECT_EQ(report.phase(), backbeat::retry_phase::not_started);
}

TEST_F(abandoned_hedge, during_the_first_attempt)
{
    start({.delay = 1s});
    poll_all(*context);
    destroy_context("abandoned after 0");
    EXPECT_EQ(report.phase(), backbeat::retry_phase::attempting);
    EXPECT_EQ(report.unfinished(), 1u);
}

TEST_F(abandoned_hedge, during_several_attempts_with_and_without_a_timer)
{
    for (auto const total : {0s, 1000s}) {
        context = std::make_unique<boost::asio::io_context>();
        manual_clock::reset();
        start({.delay = 0s, .maximum_attempts = 3, .total_timeout = total});
        poll_all(*context);
        EXPECT_EQ(observer.events.back(), "attempt 3");
        destroy_context("abandoned after 0");
        EXPECT_EQ(report.unfinished(), 3u);
    }
}

TEST_F(abandoned_hedge, when_the_delay_has_passed)
{
    start({.delay = 1s});
    poll_all(*context);
    manual_clock::advance(1s);
    context->restart();
    context->poll_one();
    destroy_context("abandoned after 0");
}

TEST_F(abandoned_hedge, when_a_time_limit_has_been_enforced)
{
    start({.delay = 1s, .attempt_timeout = 10s});
    poll_all(*context);
    manual_clock::advance(1s);
    poll_all(*context);
    manual_clock::advance(9s);
    context->restart();
    while (context->poll_one() == 0) {}
    destroy_context("abandoned after 0");
}

TEST_F(abandoned_hedge, in_a_wait_gives_back_what_the_next_attempt_cost)
{
    failing = 1;
    start({.delay = 1s});
    poll_all(*context);
    EXPECT_EQ(budget.events.back(), "granted after transient");
    destroy_context("abandoned after 1");
    EXPECT_EQ(budget.events.back(), "given back 1");
    EXPECT_EQ(report.phase(), backbeat::retry_phase::waiting);
}

TEST_F(abandoned_hedge, in_a_wait_beside_an_attempt)
{
    failing = 2;
    start({.delay = 1s, .maximum_attempts = 3});
    poll_all(*context);
    manual_clock::advance(1s);
    poll_all(*context);
    destroy_context("abandoned after 1");
    EXPECT_EQ(report.unfinished(), 1u);
}

TEST_F(abandoned_hedge, with_a_failure_that_could_be_delivered)
{
    failing = 2;
    start({.delay = 1s});
    poll_all(*context);
    manual_clock::advance(1s);
    poll_all(*context);
    destroy_context("abandoned after 1");
}

TEST_F(abandoned_hedge, while_a_loser_is_waited_for)
{
    hedge_scenario s;
    s.operation->reactions[1] = when_cancelled::ignores;
    s.start();
    s.advance(1s);
    s.complete(2, {}, 7);
    EXPECT_EQ(s.calls, 0);
    s.destroy_context();
    EXPECT_EQ(s.calls, 0);
    EXPECT_EQ(s.observer.events.back(), "abandoned after 1");
}

TEST_F(abandoned_hedge, after_the_callers_signal)
{
    start({.delay = 1s});
    poll_all(*context);
    signal.~cancellation_signal();
    new (&signal) boost::asio::cancellation_signal;
    destroy_context("abandoned after 0");
}

TEST_F(abandoned_hedge, with_invalid_options)
{
    start({.maximum_attempts = 0});
    context.reset();
    EXPECT_EQ(owned.use_count(), 1);
}

// ---- Exceptions ----

class hedge_exceptions : public testing::Test {
protected:
    hedge_exceptions() { manual_clock::reset(); }
    ~hedge_exceptions() override { operation.abandon_all(); }

    boost::asio::io_context context;
    overlapping_operation operation{context.get_executor()};
    allocation_log log;
    recording_observer observer;
    std::uint32_t throws_in = 1;
    bool completes_first = false;
    int calls = 0;
    std::string message;

    // The attempt `throws_in` throws, the others are those of `operation`.
    template <class Disposition, class Thrown>
    void start(Thrown thrown, std::uint32_t maximum = 3)
    {
        auto throwing = [this, thrown](attempt const& current, auto&& token) {
            return boost::asio::async_initiate<decltype(token), void(Disposition, int)>(
                [this, thrown, &current](auto handler) {
                    if (current.number() == throws_in && !completes_first) throw thrown;
                    auto const slot = boost::asio::get_associated_cancellation_slot(handler);
                    auto adapted = [h = std::move(handler)](error_code error, int value) mutable {
                        Disposition disposition{};
                        if (error) backbeat::detail::assign_error(disposition, error);
                        std::move(h)(std::move(disposition), value);
                    };
                    operation(current, boost::asio::bind_cancellation_slot(slot, std::move(adapted)));
                    if (current.number() != throws_in) return;
                    operation.complete_now(current.number(), {}, 5);
                    throw thrown;
                },
                token);
        };
        async_hedge<manual_clock>(
            context.get_executor(),
            throwing,
            {.delay = 1s, .maximum_attempts = maximum, .total_timeout = 1h, .observer = &observer},
            boost::asio::bind_allocator(counting_allocator<>(log), [this](Disposition disposition, int) {
                ++calls;
                if constexpr (std::is_same_v<Disposition, std::exception_ptr>) {
                    try {
                        if (disposition) std::rethrow_exception(disposition);
                    } catch (std::exception const& e) {
                        message = e.what();
                    }
                } else {
                    message = disposition.message();
                }
            }));
    }
};

TEST_F(hedge_exceptions, of_the_first_attempt_leave_through_run)
{
    start<error_code>(std::runtime_error("thrown"));
    EXPECT_THROW(poll_all(context), std::runtime_error);
    EXPECT_EQ(log.live, 0u);
    EXPECT_NO_THROW(poll_all(context));
    EXPECT_EQ(calls, 0);
    EXPECT_EQ(observer.events.back(), "abandoned after 0");
    EXPECT_TRUE(context.stopped());
}

TEST_F(hedge_exceptions, of_a_later_attempt_cancel_those_that_run)
{
    throws_in = 2;
    operation.reactions[1] = when_cancelled::ignores;
    start<error_code>(std::runtime_error("thrown"));
    poll_all(context);
    manual_clock::advance(1s);
    EXPECT_THROW(poll_all(context), std::runtime_error);
    EXPECT_EQ(operation.seen(1).cancelled, types{cancellation_type::terminal});
    EXPECT_NO_THROW(poll_all(context));
    EXPECT_EQ(log.live, 1u) << "the attempt runs yet";
    operation.complete(1, {}, 7);
    poll_all(context);
    EXPECT_EQ(log.live, 0u);
    EXPECT_EQ(calls, 0);
    EXPECT_EQ(observer.events.back(), "abandoned after 0");
    EXPECT_TRUE(context.stopped());
}

TEST_F(hedge_exceptions, of_an_operation_that_completes_with_exceptions_are_its_failure)
{
    start<std::exception_ptr>(std::runtime_error("thrown"));
    poll_all(context);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(message, "thrown");
    EXPECT_EQ(log.live, 0u);
    EXPECT_EQ(observer.events.back(), "permanent after 1");
}

TEST_F(hedge_exceptions, with_an_error_code_are_retried)
{
    start<std::exception_ptr>(boost::system::system_error(connection_refused));
    poll_all(context);
    EXPECT_EQ(operation.attempts.size(), 1u);
    operation.complete(2, {}, 7);
    poll_all(context);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(message, "");
}

TEST_F(hedge_exceptions, after_the_operation_has_completed_change_nothing)
{
    completes_first = true;
    start<error_code>(std::runtime_error("thrown"));
    poll_all(context);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(message, "Success");
    EXPECT_EQ(observer.events.back(), "success after 1");
}

TEST(hedge_exceptions_of, an_initiation_that_keeps_the_handler_leave_through_run_and_the_attempt_goes_on)
{
    hedge_scenario s;
    s.operation->during_initiation = [](std::uint32_t number) {
        if (number == 1) throw std::runtime_error("thrown");
    };
    s.start_only();
    EXPECT_THROW(s.poll(), std::runtime_error);
    s.poll();
    EXPECT_TRUE(s.operation->running(1));
    s.advance(1s);
    EXPECT_EQ(s.attempts(), 2u);
    s.complete(1, {}, 7);
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.result, 7);
}

TEST(hedge_exceptions_of, the_classifier_leave_through_run_and_cancel_the_other_attempts)
{
    hedge_scenario s;
    s.classifier = [](attempt const&, error_code, int) -> verdict { throw std::runtime_error("thrown"); };
    s.start();
    s.advance(1s);
    s.operation->complete(1, {}, 7);
    EXPECT_THROW(s.poll(), std::runtime_error);
    s.poll();
    EXPECT_EQ(s.told(2), types{cancellation_type::terminal});
    EXPECT_EQ(s.calls, 0);
    EXPECT_EQ(s.observer.events.back(), "abandoned after 0");
    EXPECT_FALSE(s.signal.slot().has_handler());
    EXPECT_TRUE(s.context->stopped());
}

TEST(hedge_exceptions_of, the_classifier_are_a_completion_of_an_operation_with_exceptions)
{
    boost::asio::io_context context;
    auto operation = [&](auto&& token) {
        return async_outcome(context.get_executor(), std::exception_ptr(), 1, std::forward<decltype(token)>(token));
    };
    auto classifier = [](std::exception_ptr const&, int) -> verdict { throw std::runtime_error("thrown"); };
    std::exception_ptr error;
    async_hedge(context.get_executor(), operation, backbeat::classify(classifier), [&](std::exception_ptr e, int) {
        error = e;
    });
    poll_all(context);
    EXPECT_THROW(std::rethrow_exception(error), std::runtime_error);
}

TEST(hedge_exceptions_of, the_handler_leave_through_run)
{
    boost::asio::io_context context;
    allocation_log log;
    auto operation = [&](auto&& token) {
        return async_outcome(context.get_executor(), error_code(), 1, std::forward<decltype(token)>(token));
    };
    async_hedge<manual_clock>(
        context.get_executor(), operation, boost::asio::bind_allocator(counting_allocator<>(log), [](error_code, int) {
            throw std::runtime_error("thrown");
        }));
    EXPECT_THROW(poll_all(context), std::runtime_error);
    EXPECT_EQ(log.live, 0u);
    EXPECT_EQ(poll_all(context), 0u);
}

TEST(hedge_exceptions_of, an_observer_are_discarded)
{
    hedge_scenario s;
    s.observer.hook = [](std::string const&) { throw std::runtime_error("thrown"); };
    s.start();
    s.advance(1s);
    s.complete(2, {}, 7);
    EXPECT_EQ(s.calls, 1);
    EXPECT_STREQ(s.reason(), "success");
}

// A loop over the moment of the failure, until there is none: whatever throws where, nothing leaks, and nobody waits.
template <class Disposition>
void break_hedged_results_everywhere(bool at_once, std::chrono::seconds delay)
{
    bool completed = false;
    for (int fails_at = 1; !completed; ++fails_at) {
        ASSERT_LT(fails_at, 100);
        manual_clock::reset();
        boost::asio::io_context context;
        allocation_log log;
        auto const countdown = std::make_shared<int>(fails_at);
        int attempts = 0;
        auto operation = [&](auto&& token) {
            return boost::asio::async_initiate<decltype(token), void(Disposition, brittle)>(
                [&](auto handler) {
                    Disposition disposition{};
                    if (++attempts == 1) backbeat::detail::assign_error(disposition, error_code(connection_refused));
                    auto complete = [handler = std::move(handler), disposition, countdown]() mutable {
                        std::move(handler)(disposition, brittle(countdown));
                    };
                    at_once ? complete() : boost::asio::post(context, std::move(complete));
                },
                token);
        };
        backbeat::retry_report report;
        auto const drive = [&] {
            async_hedge<manual_clock>(
                context.get_executor(),
                operation,
                {.delay = delay, .maximum_attempts = 3, .total_timeout = 10s},
                backbeat::report_to(report),
                boost::asio::bind_allocator(counting_allocator<>(log), [&](Disposition disposition, brittle const&) {
                    completed = !disposition;
                }));
            poll_all(context);
        };
        bool threw = false;
        try {
            drive();
        } catch (std::runtime_error const&) {
            threw = true;
        }
        manual_clock::advance(1h);
        while (!context.stopped()) {
            // The other attempts' results break as well.
            try {
                poll_all(context);
            } catch (std::runtime_error const&) {
                threw = true;
            }
        }
        EXPECT_EQ(log.live, 0u) << fails_at;
        EXPECT_EQ(countdown.use_count(), 1) << fails_at;
        EXPECT_TRUE(report.reason()) << fails_at;
        completed = completed && !threw;
    }
}

TEST(hedge_exceptions_of, a_result_that_is_moved_leak_nothing)
{
    for (bool const at_once : {false, true}) {
        for (auto const delay : {0s, 1s}) {
            break_hedged_results_everywhere<error_code>(at_once, delay);
            break_hedged_results_everywhere<std::exception_ptr>(at_once, delay);
        }
    }
}

// ---- Threads ----

struct hedging {
    hedging(boost::asio::thread_pool& pool, int number) : strand(boost::asio::make_strand(pool)), seed(number) {}

    boost::asio::strand<boost::asio::thread_pool::executor_type> strand;
    int seed;
    std::vector<std::unique_ptr<boost::asio::steady_timer>> timers;
    boost::asio::cancellation_signal signal;
    backbeat::retry_report report;
    int calls = 0;  // written on the strand, read when all threads are gone

    // An attempt takes between nothing and a few delays, and may fail.
    template <class Token>
    auto operator()(attempt const& current, Token&& token)
    {
        auto const dice = (seed * 7 + static_cast<int>(current.number()) * 5) % 11;
        timers.push_back(std::make_unique<boost::asio::steady_timer>(strand, dice * 50us));
        return timers.back()->async_wait(std::forward<Token>(token));
    }
};

TEST(hedge_threads, operations_on_strands_started_from_outside_and_cancelled_on_them)
{
    backbeat::latency_tracker latency;
    boost::asio::thread_pool pool(4);
    std::vector<std::unique_ptr<hedging>> all;
    for (int i = 0; i != 2000; ++i) all.push_back(std::make_unique<hedging>(pool, i));
    for (auto const& h : all) {
        async_hedge(
            h->strand,
            std::ref(*h),
            {.delay = 100us,
             .maximum_attempts = 4,
             .latency = &latency,
             .attempt_timeout = 300us,
             .total_timeout = 1min},
            backbeat::report_to(h->report),
            boost::asio::bind_executor(
                h->strand, boost::asio::bind_cancellation_slot(h->signal.slot(), [h = h.get()](error_code) {
                    EXPECT_TRUE(h->strand.running_in_this_thread());
                    ++h->calls;
                })));
        if (h->seed % 3 == 0) boost::asio::post(h->strand, [h = h.get()] { h->signal.emit(cancellation_type::total); });
    }
    pool.join();
    for (auto const& h : all) {
        EXPECT_EQ(h->calls, 1);
        EXPECT_TRUE(h->report.reason());
    }
}

}  // namespace
