//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// What Asio asks of a composed operation: where things run, where memory comes from, and what is left when it ends
// early, by an exception or with its context.

#include "async_outcome.hpp"
#include "brittle.hpp"
#include "counting_allocator.hpp"
#include "retry_scenario.hpp"
#include "tested_timers.hpp"
#include "tracker_executor.hpp"

#include <backbeat/async_retry.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/version.hpp>

#if BOOST_ASIO_VERSION >= 102800
#include <boost/asio/associated_immediate_executor.hpp>
#include <boost/asio/bind_immediate_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/system_executor.hpp>
#endif

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <memory_resource>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;
using namespace backbeat::test;
using backbeat::async_retry;
using backbeat::attempt;
using backbeat::manual_clock;
using backbeat::verdict;
using boost::asio::error::connection_refused;
using boost::system::error_code;

// ---- Where things run ----

class executors : public testing::Test {
protected:
    executors() { manual_clock::reset(); }

    boost::asio::io_context context;
    execution_log io;
    execution_log handlers;
    tracker_executor io_executor{context.get_executor(), io};
    tracker_executor handler_executor{context.get_executor(), handlers};
    scripted_operation operation{io_executor};  // so its own executor is tracked, too
    int calls = 0;
    bool on_handler_executor = false;
    bool on_io_executor = false;

    auto handler()
    {
        return [this](error_code, int) {
            ++calls;
            on_handler_executor = handlers.running != 0;
            on_io_executor = io.running != 0;
        };
    }

    inline static backbeat::retry_options const options{
        .jitter = backbeat::jitter::none, .maximum_retries = 1, .timers = tested_timers};

    void fail_twice()
    {
        poll_all(context);
        operation.complete(connection_refused);
        poll_all(context);
        EXPECT_EQ(calls, 0);
        manual_clock::advance(1s);
        poll_all(context);
        operation.complete(connection_refused);
        poll_all(context);
        EXPECT_EQ(calls, 1);
    }
};

TEST_F(executors, of_the_handler_runs_the_handler_and_all_that_is_the_callers)
{
    for (auto const timeout : {0s, 10s}) {
        calls = 0;
        operation.attempts.clear();
        int classified = 0;
        auto classifier = [&](error_code, int) {
            ++classified;
            EXPECT_NE(handlers.running, 0);
            return verdict::retry();
        };
        recording_observer observer;
        observer.hook = [&](std::string const& event) {
            EXPECT_TRUE(handlers.running != 0 || (event == "attempt 1" && timeout == 0s)) << event;
        };
        operation.during_initiation = [&] { EXPECT_TRUE(handlers.running != 0 || operation.attempts.size() == 1); };
        async_retry<manual_clock>(
            io_executor,
            std::ref(operation),
            {.jitter = backbeat::jitter::none,
             .maximum_retries = 1,
             .attempt_timeout = timeout,
             .timers = tested_timers,
             .observer = &observer},
            backbeat::classify(std::ref(classifier)),
            boost::asio::bind_executor(handler_executor, handler()));
        fail_twice();
        EXPECT_TRUE(on_handler_executor);
        EXPECT_EQ(classified, 2);
        EXPECT_GT(io.executed, 0);
    }
}

TEST_F(executors, an_argument_comes_first_and_runs_a_handler_that_has_none)
{
    execution_log other;
    scripted_operation of_another(tracker_executor(context.get_executor(), other));
    async_retry<manual_clock>(io_executor, std::ref(of_another), options, handler());
    of_another.script = {{connection_refused, 0, true}};
    poll_all(context);
    of_another.complete_now(connection_refused);
    manual_clock::advance(1s);
    poll_all(context);
    EXPECT_EQ(calls, 1);
    EXPECT_TRUE(on_io_executor);
    EXPECT_EQ(other.executed, 0);
}

TEST_F(executors, without_an_argument_the_handlers_own_is_taken)
{
    scripted_operation of_io(io_executor);
    of_io.script = {{connection_refused, 0, true}, {connection_refused, 0, true}};
    async_retry<manual_clock>(std::ref(of_io), options, boost::asio::bind_executor(handler_executor, handler()));
    poll_all(context);
    manual_clock::advance(1s);
    poll_all(context);
    EXPECT_EQ(calls, 1);
    EXPECT_TRUE(on_handler_executor);
    EXPECT_EQ(io.executed, 0);
}

TEST_F(executors, without_either_the_operations_own_is_taken)
{
    async_retry<manual_clock>(std::ref(operation), options, handler());
    fail_twice();
    EXPECT_TRUE(on_io_executor);
}

TEST_F(executors, without_a_context_carry_no_timer)
{
    boost::asio::any_completion_handler<void(error_code, int)> erased =
        boost::asio::bind_executor(handler_executor, handler());
    async_retry<manual_clock>(std::ref(operation), options, std::move(erased));
    fail_twice();
    EXPECT_TRUE(on_handler_executor);
    EXPECT_GT(io.executed, 0);
}

TEST_F(executors, without_a_context_and_with_time_limits)
{
    boost::asio::any_completion_handler<void(error_code, int)> erased =
        boost::asio::bind_executor(handler_executor, handler());
    async_retry<manual_clock>(
        std::ref(operation),
        {.jitter = backbeat::jitter::none, .maximum_retries = 1, .attempt_timeout = 10s, .timers = tested_timers},
        std::move(erased));
    fail_twice();
    EXPECT_TRUE(on_handler_executor);
}

TEST_F(executors, of_the_handler_completes_an_operation_with_invalid_options)
{
    async_retry<manual_clock>(
        io_executor, std::ref(operation), {.multiplier = 0}, boost::asio::bind_executor(handler_executor, handler()));
    EXPECT_EQ(calls, 0);
    poll_all(context);
    EXPECT_EQ(calls, 1);
    EXPECT_TRUE(on_handler_executor);
}

#if BOOST_ASIO_VERSION >= 102800
TEST_F(executors, that_are_immediate_complete_an_operation_with_invalid_options_at_once)
{
    boost::asio::system_executor const inline_executor;
    async_retry<manual_clock>(
        io_executor,
        std::ref(operation),
        {.multiplier = 0},
        boost::asio::bind_immediate_executor(inline_executor, handler()));
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(poll_all(context), 0u);
}

// An attempt that fails at once, through an immediate executor that runs inline, would recurse a million times.
TEST_F(executors, that_are_immediate_are_not_used_between_attempts)
{
    int attempts = 0;
    auto immediate = [&](auto&& token) {
        return boost::asio::async_initiate<decltype(token), void(error_code, int)>(
            [&](auto completion) {
                ++attempts;
                auto const executor =
                    boost::asio::get_associated_immediate_executor(completion, context.get_executor());
                boost::asio::dispatch(executor, [completion = std::move(completion)]() mutable {
                    std::move(completion)(error_code(connection_refused), 1);
                });
            },
            token);
    };
    async_retry<manual_clock>(
        context.get_executor(),
        immediate,
        {.initial_backoff = 0s, .maximum_retries = 100'000, .timers = tested_timers},
        boost::asio::bind_immediate_executor(boost::asio::system_executor(), handler()));
    EXPECT_EQ(calls, 0);
    poll_all(context);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(attempts, 100'001);
}
#endif

TEST(initiation, never_calls_the_handler_even_if_the_attempt_completes_inside_it)
{
    for (auto const timeout : {0s, 10s}) {
        for (bool const from_the_executor : {false, true}) {
            for (auto const& [error, reason] :
                 {std::pair{error_code(), "success"}, std::pair{error_code(connection_refused), "exhausted"}}) {
                retry_scenario s;
                s.options.attempt_timeout = timeout;
                s.options.maximum_retries = 0;
                s.operation->script = {{error, 7, true}};
                if (from_the_executor)
                    boost::asio::post(*s.context, [&] { s.start(); });
                else
                    s.start();
                s.poll();
                EXPECT_EQ(s.calls, 1);
                EXPECT_EQ(s.result, 7);
                EXPECT_STREQ(s.reason(), reason);
                EXPECT_FALSE(s.called_inside_the_initiation());
            }
        }
    }
}

TEST(initiation, decides_nothing_inside_the_callers_function)
{
    retry_scenario s;
    s.operation->script = {{connection_refused, 7, true}};
    bool classified = false;
    s.classifier = [&](attempt const&, error_code, int) {
        classified = true;
        return verdict::permanent();
    };
    s.start();
    EXPECT_FALSE(classified);
    s.poll();
    EXPECT_TRUE(classified);
}

TEST(work, is_outstanding_until_the_handler_has_been_called)
{
    for (auto const timeout : {0s, 10s}) {
        retry_scenario s;
        s.options.attempt_timeout = timeout;
        s.start();
        s.poll();
        EXPECT_FALSE(s.context->stopped());
        s.operation->complete(connection_refused);
        s.poll();
        EXPECT_FALSE(s.context->stopped());
        s.advance(1s);
        EXPECT_EQ(s.attempts(), 2u);
        EXPECT_FALSE(s.context->stopped());
        s.operation->complete({});
        s.poll();
        EXPECT_EQ(s.calls, 1);
        EXPECT_TRUE(s.context->stopped());
    }
}

// ---- Attempts that complete inside their initiation ----

TEST(inline_completion, a_million_times_neither_recurses_nor_starves)
{
    constexpr std::uint32_t count = 1'000'000;
    boost::asio::io_context context;
    std::uint32_t attempts = 0;
    std::uint32_t at_other_work = 0;
    std::uintptr_t lowest = UINTPTR_MAX;
    std::uintptr_t highest = 0;
    auto operation = [&](auto&& token) {
        return boost::asio::async_initiate<decltype(token), void(error_code)>(
            [&](auto handler) {
                ++attempts;
                auto const here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
                if (attempts > 1) {
                    lowest = std::min(lowest, here);
                    highest = std::max(highest, here);
                }
                if (attempts == 10) boost::asio::post(context, [&] { at_other_work = attempts; });
                std::move(handler)(attempts == count ? error_code() : error_code(connection_refused));
            },
            token);
    };
    bool completed = false;
    async_retry(
        context.get_executor(),
        operation,
        {.initial_backoff = 0s, .maximum_retries = backbeat::unlimited_retries, .timers = tested_timers},
        [&](error_code error) {
            EXPECT_FALSE(error);
            completed = true;
        });
    EXPECT_EQ(attempts, 1u);
    context.run();
    EXPECT_TRUE(completed);
    EXPECT_EQ(attempts, count);
    EXPECT_LE(highest - lowest, 4096u);
    EXPECT_LT(at_other_work, 20u);
    EXPECT_GE(at_other_work, 10u);
}

TEST(inline_completion, of_timed_attempts_does_not_recurse)
{
    constexpr std::uint32_t count = 10'000;
    retry_scenario s;
    s.options.initial_backoff = 0s;
    s.options.attempt_timeout = 10s;
    s.options.maximum_retries = backbeat::unlimited_retries;
    s.operation->script.assign(count, {connection_refused, 0, true});
    s.operation->script.push_back({error_code(), 7, true});
    s.options.observer = nullptr;
    std::uintptr_t lowest = UINTPTR_MAX;
    std::uintptr_t highest = 0;
    s.operation->during_initiation = [&] {
        auto const here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
        lowest = std::min(lowest, here);
        highest = std::max(highest, here);
    };
    s.start();
    s.poll();
    EXPECT_EQ(s.calls, 1);
    EXPECT_EQ(s.result, 7);
    EXPECT_EQ(s.attempts(), count + 1);
    EXPECT_LE(highest - lowest, 4096u);
}

// ---- Memory ----

// Runs an operation of many attempts, waits and time limits, and returns how often its allocator was asked.
template <class IoExecutor, class Bind>
std::size_t allocations(
    boost::asio::io_context& context, IoExecutor const& executor, std::chrono::seconds timeout, Bind bind)
{
    manual_clock::reset();
    allocation_log log;
    auto refused = [&](attempt const& current, auto&& token) {
        auto const inside = current.number() % 2 == 0;
        return boost::asio::async_initiate<decltype(token), void(error_code, int)>(
            [&context, inside](auto handler) {
                if (inside) {
                    std::move(handler)(connection_refused, 0);
                    return;
                }
                auto const where = boost::asio::get_associated_executor(handler, context.get_executor());
                auto completion = [h = std::move(handler)]() mutable { std::move(h)(connection_refused, 0); };
                boost::asio::post(context, boost::asio::bind_executor(where, std::move(completion)));
            },
            token);
    };
    bool completed = false;
    async_retry<manual_clock>(
        executor,
        refused,
        {.initial_backoff = 0s,
         .maximum_backoff = 1s,
         .maximum_jitter = 1s,
         .maximum_retries = 50,
         .attempt_timeout = timeout,
         .timers = tested_timers},
        bind(boost::asio::bind_allocator(counting_allocator<>(log), [&](error_code error, int) {
            completed = true;
            EXPECT_EQ(error, connection_refused);
            EXPECT_EQ(log.live, 0u);
        })));
    for (int i = 0; i != 60; ++i) {
        poll_all(context);
        manual_clock::advance(1s);
    }
    EXPECT_TRUE(completed);
    EXPECT_LE(log.largest, 1020u) << "Asio's recycling allocator keeps no larger blocks";
    return log.allocations;
}

TEST(memory, is_one_block_an_operation_and_none_an_attempt)
{
    boost::asio::io_context context;
    auto const strand = boost::asio::make_strand(context);
    auto const as_it_is = [](auto handler) { return handler; };
    auto const on_strand = [&](auto handler) { return boost::asio::bind_executor(strand, std::move(handler)); };
    boost::asio::any_io_executor const any = context.get_executor();
    for (auto const timeout : {0s, 10s}) {
        EXPECT_EQ(allocations(context, context.get_executor(), timeout, as_it_is), 1u);
        EXPECT_EQ(allocations(context, any, timeout, as_it_is), 1u);
        EXPECT_EQ(allocations(context, boost::asio::any_io_executor(strand), timeout, as_it_is), 1u);
        EXPECT_EQ(allocations(context, context.get_executor(), timeout, on_strand), 1u);
        EXPECT_EQ(allocations(context, any, timeout, on_strand), 1u);
    }
}

// A function that fails an attempt. Made of the handler by its type, for what Asio queues to be known to own it.
template <class Handler>
struct failure {
    using allocator_type = boost::asio::associated_allocator_t<Handler>;
    [[nodiscard]] allocator_type get_allocator() const noexcept
    {
        return boost::asio::get_associated_allocator(handler);
    }

    void operator()() { std::move(handler)(connection_refused); }

    Handler handler;
};

template <class Handler>
struct failure_in_two_steps : failure<Handler> {
    void operator()() { boost::asio::post(executor, failure<Handler>{std::move(this->handler)}); }

    boost::asio::io_context::executor_type executor;
};

// Made of a handler by its type, which it does not own.
template <class Handler>
struct claiming {
    using allocator_type = boost::asio::associated_allocator_t<Handler>;
    [[nodiscard]] allocator_type get_allocator() const noexcept { return allocator; }

    void operator()() { ++*called; }

    int* called;
    allocator_type allocator;
};

// An operation of ten attempts that fail.
class memory_for_waits : public testing::Test {
protected:
    memory_for_waits() { manual_clock::reset(); }

    static constexpr std::size_t attempts = 10;

    allocation_log& log = stateless_counting_allocator<>::log();
    std::vector<std::shared_ptr<int>> kept;

    static void post_failure(boost::asio::io_context::executor_type const& executor, auto handler)
    {
        boost::asio::post(executor, failure<decltype(handler)>{std::move(handler)});
    }

    // Returns how often its allocator was asked. `start` is given the handler of an attempt.
    template <class Start>
    std::size_t allocations(std::chrono::seconds timeout, Start start)
    {
        log = {};
        boost::asio::io_context context;
        auto operation = [&](auto&& token) {
            return boost::asio::async_initiate<decltype(token), void(error_code)>(
                [&](auto handler) { start(context.get_executor(), std::move(handler)); }, token);
        };
        bool completed = false;
        async_retry<manual_clock>(
            context.get_executor(),
            operation,
            {.maximum_backoff = 1s,
             .maximum_retries = attempts - 1,
             .attempt_timeout = timeout,
             .timers = tested_timers},
            boost::asio::bind_allocator(stateless_counting_allocator<>(), [&](error_code error) {
                completed = true;
                EXPECT_EQ(error, connection_refused);
                EXPECT_EQ(log.live, kept.size());
            }));
        for (std::size_t i = 0; i != 2 * attempts; ++i) {
            poll_all(context);
            manual_clock::advance(2s);
        }
        EXPECT_TRUE(completed);
        return log.allocations;
    }

    // Its places are too small to lend.
    static std::size_t if_on_wheel(std::size_t number) { return tested_timers == backbeat::timers::wheel ? number : 0; }
};

TEST_F(memory_for_waits, is_lent_to_what_asio_queues_for_an_attempt)
{
    auto const posted = [](auto const& executor, auto handler) { post_failure(executor, std::move(handler)); };
    EXPECT_EQ(allocations(0s, posted), 1 + if_on_wheel(attempts));
    // Then the timer is there.
    EXPECT_EQ(allocations(1h, posted), 1 + attempts);
}

TEST_F(memory_for_waits, is_lent_to_nothing_that_does_not_own_the_handler)
{
    auto const beside_others = [](auto const& executor, auto handler) {
        auto const allocator = boost::asio::get_associated_allocator(handler);
        boost::asio::post(executor, boost::asio::bind_allocator(allocator, [] {}));
        boost::asio::post(executor, boost::asio::bind_allocator(allocator, [] {}));
        post_failure(executor, std::move(handler));
    };
    EXPECT_EQ(allocations(0s, beside_others), 1 + 2 * attempts + if_on_wheel(attempts));
}

TEST_F(memory_for_waits, is_not_lent_to_a_later_step_of_an_attempt)
{
    auto const in_two_steps = [](auto const& executor, auto handler) {
        boost::asio::post(executor, failure_in_two_steps<decltype(handler)>{{std::move(handler)}, executor});
    };
    EXPECT_EQ(allocations(0s, in_two_steps), 1 + attempts + if_on_wheel(attempts));
}

TEST_F(memory_for_waits, is_not_lent_to_what_may_outlive_an_attempt)
{
    auto const keeping = [this](auto const& executor, auto handler) {
        kept.push_back(std::allocate_shared<int>(boost::asio::get_associated_allocator(handler), 5));
        post_failure(executor, std::move(handler));
    };
    EXPECT_EQ(allocations(0s, keeping), 1 + attempts + if_on_wheel(attempts));
    for (auto const& each : kept) EXPECT_EQ(*each, 5);
}

// A context of its own for the other one, which is run when the operation is over.
TEST_F(memory_for_waits, is_left_to_who_does_not_give_it_back)
{
    arena from;
    boost::asio::io_context context;
    boost::asio::io_context late;
    int called_late = 0;
    int completed = 0;
    auto operation = [&](auto&& token) {
        return boost::asio::async_initiate<decltype(token), void(error_code)>(
            [&](auto handler) {
                boost::asio::post(late, claiming<decltype(handler)>{&called_late, handler.get_allocator()});
                std::move(handler)(error_code());
            },
            token);
    };
    async_retry(
        context.get_executor(),
        operation,
        {.timers = tested_timers},
        boost::asio::bind_allocator(packing_allocator<>(from), [&](error_code error) {
            ++completed;
            EXPECT_FALSE(error);
        }));
    poll_all(context);
    EXPECT_EQ(completed, 1);
    EXPECT_EQ(late.poll(), 1u);
    EXPECT_EQ(called_late, 1);
}

TEST(memory, of_an_attempt_converts_to_the_callers_allocator)
{
    boost::asio::io_context context;
    std::pmr::monotonic_buffer_resource resource;
    std::size_t seen = 0;
    auto operation = [&](auto&& token) {
        return boost::asio::async_initiate<decltype(token), void(error_code)>(
            [&](auto handler) {
                std::pmr::vector<char> const bytes(3, 'x', boost::asio::get_associated_allocator(handler));
                EXPECT_EQ(bytes.get_allocator().resource(), &resource);
                seen = bytes.size();
                std::move(handler)(error_code());
            },
            token);
    };
    bool completed = false;
    async_retry(
        context.get_executor(),
        operation,
        boost::asio::bind_allocator(
            std::pmr::polymorphic_allocator<>(&resource), [&](error_code error) { completed = !error; }));
    poll_all(context);
    EXPECT_TRUE(completed);
    EXPECT_EQ(seen, 3u);
}

TEST(memory, is_released_before_the_handler_is_called)
{
    boost::asio::io_context context;
    single_block block;
    auto twice_inside = [&, calls = 0](auto&& token) mutable {
        ++calls;
        return boost::asio::async_initiate<decltype(token), void(error_code)>(
            [last = calls == 2](auto handler) {
                std::move(handler)(last ? error_code() : error_code(connection_refused));
            },
            token);
    };
    int completed = 0;
    auto last = [&](error_code) { ++completed; };
    auto first = [&](error_code error) {
        ++completed;
        EXPECT_FALSE(error);
        EXPECT_FALSE(block.used);
        async_retry(
            context.get_executor(),
            twice_inside,
            {.initial_backoff = 0s, .timers = tested_timers},
            boost::asio::bind_allocator(single_block_allocator<>(block), last));
        EXPECT_TRUE(block.used);
    };
    async_retry(
        context.get_executor(),
        twice_inside,
        {.initial_backoff = 0s, .timers = tested_timers},
        boost::asio::bind_allocator(single_block_allocator<>(block), first));
    EXPECT_TRUE(block.used);
    poll_all(context);
    EXPECT_EQ(completed, 2);
    EXPECT_FALSE(block.used);
}

TEST(memory, that_cannot_be_had_is_an_exception_of_the_initiating_function)
{
    boost::asio::io_context context;
    single_block block;
    block.used = true;
    auto operation = [&](auto&& token) {
        return async_outcome(context.get_executor(), error_code(), 1, std::forward<decltype(token)>(token));
    };
    auto const start = [&] {
        async_retry(
            context.get_executor(),
            operation,
            boost::asio::bind_allocator(single_block_allocator<>(block), [](error_code, int) { FAIL(); }));
    };
    EXPECT_THROW(start(), std::bad_alloc);
    EXPECT_EQ(poll_all(context), 0u);
}

// ---- Contexts that are destroyed ----

class abandoned : public testing::Test {
protected:
    abandoned() { manual_clock::reset(); }

    boost::asio::cancellation_signal signal;
    recording_observer observer;
    backbeat::retry_report report;
    std::shared_ptr<int> owned = std::make_shared<int>(1);
    std::unique_ptr<boost::asio::io_context> context = std::make_unique<boost::asio::io_context>();

    // Its attempts take an hour.
    void start(backbeat::retry_options options, int failures = 0)
    {
        options.observer = &observer;
        auto slow = [failures, timer = std::make_shared<boost::asio::basic_waitable_timer<manual_clock>>(*context)](
                        attempt const& current, auto&& token) {
            auto const fails = static_cast<int>(current.number()) <= failures;
            timer->expires_after(fails ? 0h : 1h);
            return boost::asio::async_initiate<decltype(token), void(error_code)>(
                [timer, fails](auto handler) {
                    auto const where = boost::asio::get_associated_executor(handler, timer->get_executor());
                    timer->async_wait(
                        boost::asio::bind_executor(where, [h = std::move(handler), fails](error_code) mutable {
                            std::move(h)(fails ? error_code(connection_refused) : error_code());
                        }));
                },
                token);
        };
        async_retry<manual_clock>(
            context->get_executor(),
            slow,
            options,
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
        signal.emit(boost::asio::cancellation_type::terminal);
    }
};

TEST_F(abandoned, during_an_attempt)
{
    start({});
    poll_all(*context);
    destroy_context("abandoned after 0");
}

TEST_F(abandoned, during_a_timed_attempt)
{
    start({.attempt_timeout = 10s, .timers = tested_timers});
    poll_all(*context);
    destroy_context("abandoned after 0");
}

TEST_F(abandoned, when_a_time_out_has_fired)
{
    start({.attempt_timeout = 10s, .timers = tested_timers});
    poll_all(*context);
    manual_clock::advance(10s);
    context->poll_one();
    destroy_context("abandoned after 0");
}

TEST_F(abandoned, during_a_wait)
{
    start({}, 1);
    poll_all(*context);
    EXPECT_EQ(report.attempts(), 1u);
    destroy_context("abandoned after 1");
}

TEST_F(abandoned, during_a_wait_of_no_length)
{
    start({.initial_backoff = 0s, .timers = tested_timers}, 1);
    while (observer.events.back() != "wait 0s") ASSERT_EQ(context->poll_one(), 1u);
    destroy_context("abandoned after 1");
}

TEST_F(abandoned, before_the_start)
{
    start({.attempt_timeout = 10s, .timers = tested_timers});
    EXPECT_TRUE(observer.events.empty());
    destroy_context("abandoned after 0");
}

TEST_F(abandoned, after_the_callers_signal)
{
    start({.attempt_timeout = 10s, .timers = tested_timers});
    poll_all(*context);
    signal.~cancellation_signal();
    new (&signal) boost::asio::cancellation_signal;
    destroy_context("abandoned after 0");
}

TEST_F(abandoned, without_completing_when_options_are_invalid)
{
    auto operation = [this](auto&& token) {
        return async_outcome(context->get_executor(), error_code(), 1, std::forward<decltype(token)>(token));
    };
    async_retry(context->get_executor(), operation, {.multiplier = 0}, [alive = owned](error_code, int) { FAIL(); });
    context.reset();
    EXPECT_EQ(owned.use_count(), 1);
}

// ---- Exceptions ----

class exceptions : public testing::Test {
protected:
    exceptions() { manual_clock::reset(); }

    boost::asio::io_context context;
    allocation_log log;
    recording_observer observer;
    std::vector<std::uint32_t> attempts;
    std::uint32_t throws_in = 1;
    bool completes_first = false;
    int calls = 0;
    std::string message;

    template <class Disposition, class Thrown>
    void start(std::chrono::seconds timeout, Thrown thrown)
    {
        auto operation = [this, thrown](attempt const& current, auto&& token) {
            attempts.push_back(current.number());
            return boost::asio::async_initiate<decltype(token), void(Disposition, int)>(
                [this, thrown](auto handler) {
                    bool const throws = attempts.back() == throws_in;
                    if (!throws || completes_first) {
                        Disposition disposition;
                        if (!completes_first)
                            backbeat::detail::assign_error(disposition, error_code(connection_refused));
                        std::move(handler)(std::move(disposition), 5);
                    }
                    if (throws) throw thrown;
                },
                token);
        };
        async_retry<manual_clock>(
            context.get_executor(),
            operation,
            {.initial_backoff = 0s,
             .maximum_retries = 2,
             .attempt_timeout = timeout,
             .timers = tested_timers,
             .observer = &observer},
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

TEST_F(exceptions, of_the_operation_leave_through_the_initiating_function_at_first)
{
    EXPECT_THROW(start<error_code>(0s, std::runtime_error("thrown")), std::runtime_error);
    EXPECT_EQ(log.live, 0u);
    EXPECT_EQ(poll_all(context), 0u);
    EXPECT_EQ(calls, 0);
    EXPECT_EQ(observer.events.back(), "abandoned after 0");
}

TEST_F(exceptions, of_the_operation_leave_through_run_later)
{
    throws_in = 2;
    start<error_code>(0s, std::runtime_error("thrown"));
    EXPECT_THROW(poll_all(context), std::runtime_error);
    EXPECT_EQ(log.live, 0u);
    poll_all(context);
    EXPECT_EQ(calls, 0);
    EXPECT_EQ(observer.events.back(), "abandoned after 1");
}

TEST_F(exceptions, of_a_timed_operation_leave_through_run)
{
    for (std::uint32_t const in : {1u, 2u}) {
        throws_in = in;
        attempts.clear();
        start<error_code>(10s, std::runtime_error("thrown"));
        EXPECT_THROW(poll_all(context), std::runtime_error);
        poll_all(context);
        EXPECT_EQ(log.live, 0u);
        EXPECT_EQ(calls, 0);
        EXPECT_EQ(attempts.size(), in);
        EXPECT_TRUE(context.stopped());
        EXPECT_EQ(observer.events.back(), "abandoned after " + std::to_string(in - 1));
    }
}

TEST_F(exceptions, of_an_operation_that_completes_with_exceptions_are_its_failure)
{
    for (auto const timeout : {0s, 10s}) {
        for (std::uint32_t const in : {1u, 2u}) {
            throws_in = in;
            calls = 0;
            attempts.clear();
            start<std::exception_ptr>(timeout, std::runtime_error("thrown"));
            EXPECT_EQ(calls, 0);
            poll_all(context);
            EXPECT_EQ(calls, 1);
            EXPECT_EQ(message, "thrown");
            EXPECT_EQ(attempts.size(), in);
            EXPECT_EQ(log.live, 0u);
            EXPECT_EQ(observer.events.back(), "permanent after " + std::to_string(in));
        }
    }
}

TEST_F(exceptions, with_an_error_code_are_retried)
{
    start<std::exception_ptr>(0s, boost::system::system_error(connection_refused));
    poll_all(context);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(attempts.size(), 3u);
    EXPECT_EQ(observer.events.back(), "exhausted after 3");
}

TEST_F(exceptions, after_the_operation_has_completed_change_nothing)
{
    completes_first = true;
    start<error_code>(0s, std::runtime_error("thrown"));
    poll_all(context);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(observer.events.back(), "success after 1");
}

TEST(exceptions_of, an_initiation_that_keeps_the_handler_leave_and_the_attempt_goes_on)
{
    boost::asio::io_context context;
    int attempts = 0;
    auto operation = [&](auto&& token) {
        return boost::asio::async_initiate<decltype(token), void(error_code)>(
            [&](auto handler) {
                boost::asio::post(
                    context, [handler = std::move(handler)]() mutable { std::move(handler)(error_code()); });
                ++attempts;
                throw std::runtime_error("thrown");
            },
            token);
    };
    int calls = 0;
    EXPECT_THROW(async_retry(context.get_executor(), operation, [&](error_code) { ++calls; }), std::runtime_error);
    EXPECT_EQ(calls, 0);
    context.run();
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(attempts, 1);
}

TEST(exceptions_of, the_classifier_leave_through_run)
{
    for (auto const timeout : {0s, 10s}) {
        retry_scenario s;
        s.options.attempt_timeout = timeout;
        s.classifier = [](attempt const&, error_code, int) -> verdict { throw std::runtime_error("thrown"); };
        s.start();
        s.poll();
        s.operation->complete({}, 7);
        EXPECT_THROW(s.poll(), std::runtime_error);
        s.poll();
        EXPECT_EQ(s.calls, 0);
        EXPECT_EQ(s.observer.events.back(), "abandoned after 0");
        EXPECT_FALSE(s.signal.slot().has_handler());
        EXPECT_TRUE(s.context->stopped());
    }
}

TEST(exceptions_of, the_classifier_leave_through_run_after_a_later_attempt_too)
{
    for (auto const timeout : {0s, 10s}) {
        retry_scenario s;
        s.options.attempt_timeout = timeout;
        s.options.initial_backoff = 0s;
        s.classifier = [](attempt const& current, error_code, int) -> verdict {
            if (current.number() == 2) throw std::runtime_error("thrown");
            return verdict::retry();
        };
        s.operation->script = {{connection_refused}};
        s.start();
        s.poll();
        s.operation->complete({}, 7);
        EXPECT_THROW(s.poll(), std::runtime_error);
        s.poll();
        EXPECT_EQ(s.calls, 0);
        EXPECT_EQ(s.observer.events.back(), "abandoned after 1");
        EXPECT_FALSE(s.signal.slot().has_handler());
        EXPECT_TRUE(s.context->stopped());
    }
}

TEST(exceptions_of, the_classifier_are_a_completion_of_an_operation_with_exceptions)
{
    for (std::uint32_t const throws_at : {1u, 2u}) {
        boost::asio::io_context context;
        auto operation = [&](auto&& token) {
            return async_outcome(context.get_executor(), std::exception_ptr(), 1, std::forward<decltype(token)>(token));
        };
        auto classifier = [&](attempt const& current, std::exception_ptr const&, int) -> verdict {
            if (current.number() == throws_at) throw std::runtime_error("thrown");
            return verdict::retry();
        };
        std::exception_ptr error;
        backbeat::retry_report report;
        async_retry(
            context.get_executor(),
            operation,
            {.initial_backoff = 0s, .timers = tested_timers},
            backbeat::classify(classifier),
            backbeat::report_to(report),
            [&](std::exception_ptr e, int) { error = e; });
        poll_all(context);
        EXPECT_THROW(std::rethrow_exception(error), std::runtime_error);
        EXPECT_EQ(report.attempts(), throws_at);
        EXPECT_EQ(report.reason(), backbeat::stop_reason::permanent);
    }
}

// A loop over the moment of the failure, until there is none: whatever throws where, nothing leaks, and nobody waits.
template <class Disposition>
void break_results_everywhere(std::chrono::seconds timeout, bool at_once)
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
            async_retry<manual_clock>(
                context.get_executor(),
                operation,
                {.jitter = backbeat::jitter::none, .attempt_timeout = timeout, .timers = tested_timers},
                backbeat::report_to(report),
                boost::asio::bind_allocator(counting_allocator<>(log), [&](Disposition disposition, brittle const&) {
                    // An operation with exceptions completes with one of its own first attempt's.
                    completed = !disposition;
                }));
            poll_all(context);
            manual_clock::advance(1s);
            poll_all(context);
        };
        bool threw = false;
        try {
            drive();
        } catch (std::runtime_error const&) {
            threw = true;
        }
        manual_clock::advance(1h);
        EXPECT_NO_THROW(poll_all(context));
        EXPECT_EQ(log.live, 0u) << fails_at;
        EXPECT_EQ(countdown.use_count(), 1) << fails_at;
        EXPECT_TRUE(report.reason()) << fails_at;
        completed = completed && !threw;
    }
}

TEST(exceptions_of, a_result_that_is_moved_leak_nothing)
{
    for (auto const timeout : {0s, 10s}) {
        for (bool const at_once : {false, true}) {
            break_results_everywhere<error_code>(timeout, at_once);
            break_results_everywhere<std::exception_ptr>(timeout, at_once);
        }
    }
}

TEST(exceptions_of, the_handler_leave_through_run)
{
    boost::asio::io_context context;
    allocation_log log;
    auto operation = [&](auto&& token) {
        return async_outcome(context.get_executor(), error_code(), 1, std::forward<decltype(token)>(token));
    };
    async_retry(
        context.get_executor(), operation, boost::asio::bind_allocator(counting_allocator<>(log), [](error_code, int) {
            throw std::runtime_error("thrown");
        }));
    EXPECT_THROW(context.run(), std::runtime_error);
    EXPECT_EQ(log.live, 0u);
    EXPECT_EQ(context.run(), 0u);
}

TEST(exceptions_of, an_observer_are_discarded)
{
    retry_scenario s;
    s.observer.hook = [](std::string const&) { throw std::runtime_error("thrown"); };
    s.operation->script = {{connection_refused}, {}};
    s.start();
    s.poll();
    s.advance(1s);
    EXPECT_EQ(s.calls, 1);
    EXPECT_STREQ(s.reason(), "success");
}

TEST(initiation, that_drops_its_handler_ends_the_operation_without_a_call)
{
    for (auto const timeout : {0s, 10s}) {
        for (std::size_t const in : {1u, 2u}) {
            retry_scenario s;
            s.options.attempt_timeout = timeout;
            s.options.initial_backoff = 0s;
            s.operation->script = {{connection_refused}};
            s.operation->during_initiation = [&] {
                if (s.attempts() == in) s.operation->abandon();
            };
            s.start();
            s.poll();
            EXPECT_EQ(s.calls, 0);
            EXPECT_EQ(s.attempts(), in);
            EXPECT_EQ(s.observer.events.back(), "abandoned after " + std::to_string(in - 1));
            EXPECT_FALSE(s.signal.slot().has_handler());
            EXPECT_TRUE(s.context->stopped());
        }
    }
}

// ---- Observers ----

TEST(observers, are_told_everything_in_order)
{
    retry_scenario s;
    s.options.maximum_retries = 2;
    s.operation->script = {{connection_refused, 1}, {connection_refused, 2}, {connection_refused, 3}};
    s.start();
    s.poll();
    s.advance(1s);
    s.advance(2s);
    EXPECT_EQ(
        s.observer.events,
        (std::vector<std::string>{
            "attempt 1",
            "ended 1",
            "wait 1s",
            "attempt 2",
            "ended 2",
            "wait 2s",
            "attempt 3",
            "ended 3",
            "exhausted after 3"}));
    auto const records = s.report.records();
    ASSERT_EQ(records.size(), 3u);
    EXPECT_EQ(records[1].start, 1s);
    EXPECT_EQ(records[1].error, connection_refused);
    EXPECT_EQ(records[1].wait, 2s);
    EXPECT_EQ(records[2].wait, 0s);
    EXPECT_EQ(s.report.total_waited(), 3s);
    EXPECT_EQ(s.report.elapsed(), 3s);
}

TEST(observers, are_told_of_a_success_at_once)
{
    retry_scenario s;
    s.operation->script = {{}};
    s.start();
    s.poll();
    EXPECT_EQ(s.observer.events, (std::vector<std::string>{"attempt 1", "ended 1", "success after 1"}));
}

TEST(observers, need_no_report_of_the_callers)
{
    retry_scenario s;
    std::vector<std::uint32_t> attempts;
    struct counting : backbeat::retry_observer {
        std::vector<std::uint32_t> ended;
        void at_end(backbeat::retry_report const& report) override { ended.push_back(report.attempts()); }
    } observer;
    s.operation->script = {{}, {connection_refused}, {}};
    for (int i = 0; i != 2; ++i) {
        async_retry<manual_clock>(
            s.context->get_executor(),
            std::ref(*s.operation),
            {.jitter = backbeat::jitter::none, .timers = tested_timers, .observer = &observer},
            [](error_code error, int) { EXPECT_FALSE(error); });
        s.poll();
        s.advance(1s);
    }
    EXPECT_EQ(observer.ended, (std::vector<std::uint32_t>{1, 2}));
}

}  // namespace
