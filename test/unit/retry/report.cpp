//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "random_sources.hpp"

#include <backbeat/attempt.hpp>
#include <backbeat/detail/retry_recorder.hpp>
#include <backbeat/retry_errc.hpp>
#include <backbeat/retry_observer.hpp>
#include <backbeat/retry_options.hpp>
#include <backbeat/retry_report.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/error_code.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

using namespace backbeat;
using namespace backbeat::test;
using namespace std::chrono_literals;
using boost::system::error_code;
using detail::retry_recorder;
using std::chrono::nanoseconds;

#if defined(__SANITIZE_THREAD__)
#define BACKBEAT_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define BACKBEAT_THREAD_SANITIZER
#endif
#endif

namespace {

std::atomic<std::size_t> allocations{0};

#if defined(BACKBEAT_THREAD_SANITIZER)

}  // namespace

// ThreadSanitizer has its own operator new, and calls this for every block.
extern "C" void __sanitizer_malloc_hook(void const volatile*, std::size_t)
{
    allocations.fetch_add(1, std::memory_order_relaxed);
}

#else

void* count_and_allocate(std::size_t size) noexcept
{
    allocations.fetch_add(1, std::memory_order_relaxed);
    return std::malloc(size == 0 ? 1 : size);
}

}  // namespace

void* operator new(std::size_t size)
{
    if (auto* const block = count_and_allocate(size); block != nullptr) return block;
    throw std::bad_alloc();
}

void* operator new(std::size_t size, std::nothrow_t const&) noexcept
{
    return count_and_allocate(size);
}
void operator delete(void* block) noexcept
{
    std::free(block);
}
void operator delete(void* block, std::size_t) noexcept
{
    std::free(block);
}
void operator delete(void* block, std::nothrow_t const&) noexcept
{
    std::free(block);
}

#endif

namespace {

error_code const reset = boost::asio::error::connection_reset;

attempt_record failed(std::uint32_t number)
{
    return {.number = number, .start = number * 1s, .duration = 5ms, .error = reset, .judged = verdict_kind::retry};
}

// A report of an operation that made so many attempts, each but the last followed by a wait of `number` ms.
retry_report report_of(std::uint32_t attempts)
{
    retry_report report;
    for (std::uint32_t number = 1; number <= attempts; ++number) {
        report.add_attempt(failed(number));
        if (number != attempts) report.add_wait(number * 1ms, wait_origin::backoff);
    }
    return report;
}

std::string printed(retry_report const& report)
{
    std::ostringstream out;
    out << report;
    return out.str();
}

void expect_empty(retry_report const& report)
{
    EXPECT_EQ(report.attempts(), 0u);
    EXPECT_EQ(report.retries(), 0u);
    EXPECT_EQ(report.omitted(), 0u);
    EXPECT_EQ(ns(report.total_waited()), 0);
    EXPECT_EQ(ns(report.elapsed()), 0);
    EXPECT_EQ(report.reason(), std::nullopt);
    EXPECT_FALSE(report.error());
    EXPECT_EQ(report.worst_delivery(), std::nullopt);
    EXPECT_TRUE(report.records().empty());
}

}  // namespace

TEST(report, starts_empty)
{
    expect_empty(retry_report());
}

TEST(report, keeps_the_first_four_and_the_last_twelve_attempts)
{
    for (std::uint32_t attempts = 0; attempts <= 100; ++attempts) {
        SCOPED_TRACE(attempts);
        std::vector<std::uint32_t> expected;
        for (std::uint32_t number = 1; number <= attempts; ++number)
            if (number <= 4 || number + 12 > attempts) expected.push_back(number);

        auto const report = report_of(attempts);
        auto const records = report.records();
        ASSERT_EQ(records.size(), expected.size());
        for (std::size_t i = 0; i != records.size(); ++i) {
            EXPECT_EQ(records[i].number, expected[i]);
            EXPECT_EQ(ns(records[i].start), ns(expected[i] * 1s));
            EXPECT_EQ(records[i].error, reset);
            bool const is_last = expected[i] == attempts;
            EXPECT_EQ(ns(records[i].wait), is_last ? 0 : ns(expected[i] * 1ms));
            EXPECT_EQ(records[i].origin, is_last ? wait_origin::none : wait_origin::backoff);
        }
        EXPECT_EQ(report.omitted(), attempts <= 16 ? 0 : attempts - 16);
        EXPECT_EQ(report.omitted() + records.size(), attempts);
    }
}

TEST(report, counts_and_sums_exactly_whatever_was_omitted)
{
    for (std::uint32_t attempts = 1; attempts <= 100; ++attempts) {
        auto const report = report_of(attempts);
        EXPECT_EQ(report.attempts(), attempts);
        EXPECT_EQ(report.retries(), attempts - 1);
        EXPECT_EQ(ns(report.total_waited()), ns(attempts * (attempts - 1) / 2 * 1ms));
    }
    auto const long_one = report_of(100'000);
    EXPECT_EQ(long_one.attempts(), 100'000u);
    EXPECT_EQ(long_one.omitted(), 99'984u);
    EXPECT_EQ(ns(long_one.total_waited()), ns(4'999'950s));
    EXPECT_EQ(long_one.records().size(), 16u);
    EXPECT_EQ(long_one.records()[4].number, 99'989u);
}

TEST(report, the_sum_of_the_waits_saturates)
{
    retry_report report;
    report.add_attempt(failed(1));
    report.add_wait((nanoseconds::max)() - 1ns, wait_origin::hint);
    EXPECT_EQ(ns(report.total_waited()), ns((nanoseconds::max)()) - 1);
    report.add_attempt(failed(2));
    report.add_wait(2s, wait_origin::backoff);
    EXPECT_EQ(ns(report.total_waited()), ns((nanoseconds::max)()));
    report.add_attempt(failed(3));
    report.add_wait(0s, wait_origin::backoff);
    EXPECT_EQ(ns(report.total_waited()), ns((nanoseconds::max)()));
}

TEST(report, keeps_everything_that_a_record_says)
{
    attempt_record const record{
        .number = 1,
        .start = 2ms,
        .duration = 3ms,
        .error = retry_errc::attempt_timeout,
        .status = 503,
        .delivered = delivery::ambiguous,
        .judged = verdict_kind::throttled,
        .hint = 4s};
    retry_report report;
    report.add_attempt(record);
    report.add_wait(5s, wait_origin::hint);
    auto const kept = report.records().at(0);
    EXPECT_EQ(kept.number, 1u);
    EXPECT_EQ(ns(kept.start), ns(2ms));
    EXPECT_EQ(ns(kept.duration), ns(3ms));
    EXPECT_EQ(kept.error, retry_errc::attempt_timeout);
    EXPECT_EQ(kept.status, 503);
    EXPECT_EQ(kept.delivered, delivery::ambiguous);
    EXPECT_EQ(kept.judged, verdict_kind::throttled);
    EXPECT_EQ(kept.hint, 4s);
    EXPECT_EQ(ns(kept.wait), ns(5s));
    EXPECT_EQ(kept.origin, wait_origin::hint);
}

TEST(report, remembers_the_worst_delivery_of_attempts_that_it_omitted)
{
    retry_report report;
    for (std::uint32_t number = 1; number <= 40; ++number) {
        auto record = failed(number);
        record.delivered = number == 10 ? delivery::ambiguous : delivery::rejected;
        report.add_attempt(record);
        EXPECT_EQ(report.worst_delivery(), number < 10 ? delivery::rejected : delivery::ambiguous);
    }
}

TEST(report, knows_how_the_operation_ended)
{
    auto report = report_of(3);
    EXPECT_EQ(report.reason(), std::nullopt);
    report.finish(stop_reason::exhausted, reset, 7s);
    EXPECT_EQ(report.reason(), stop_reason::exhausted);
    EXPECT_EQ(report.error(), reset);
    EXPECT_EQ(ns(report.elapsed()), ns(7s));
    EXPECT_EQ(report.attempts(), 3u);
}

TEST(report, is_empty_again_after_clear)
{
    for (std::uint32_t const attempts : {0u, 1u, 2u, 16u, 17u, 100u}) {
        auto report = report_of(attempts);
        report.finish(stop_reason::exhausted, reset, 7s);
        report.clear();
        expect_empty(report);
        EXPECT_EQ(printed(report), "running after 0 attempts in 0s\n");

        // What it held before does not show in what it holds next.
        for (std::uint32_t number = 1; number <= 30; ++number) report.add_attempt(failed(number));
        auto const records = report.records();
        ASSERT_EQ(records.size(), 16u);
        EXPECT_EQ(records[3].number, 4u);
        EXPECT_EQ(records[4].number, 19u);
        EXPECT_EQ(records[15].number, 30u);
        EXPECT_EQ(ns(report.total_waited()), 0);
    }
}

TEST(report, is_a_value)
{
    auto const original = report_of(50);
    auto copy = original;
    copy.add_attempt(failed(51));
    EXPECT_EQ(original.attempts(), 50u);
    EXPECT_EQ(original.records().back().number, 50u);
    EXPECT_EQ(copy.records().back().number, 51u);
    static_assert(std::is_nothrow_move_constructible_v<retry_report>);
}

TEST(report, allocates_nothing_for_an_operation_that_succeeds_at_its_first_attempt)
{
    auto const before = allocations.load();
    retry_report report;
    report.add_attempt({.number = 1, .duration = 3ms, .status = 200, .delivered = delivery::responded});
    report.finish(stop_reason::success, {}, 3ms);
    auto const after = allocations.load();
    EXPECT_EQ(after - before, 0u);
    EXPECT_EQ(report.attempts(), 1u);
    ASSERT_EQ(report.records().size(), 1u);
    EXPECT_GT(allocations.load(), after) << "the test does not count";
}

TEST(report, allocates_once_whatever_the_number_of_attempts)
{
    retry_report report;
    auto const before = allocations.load();
    for (std::uint32_t number = 1; number <= 1'000; ++number) {
        report.add_attempt(failed(number));
        report.add_wait(1s, wait_origin::backoff);
    }
    EXPECT_EQ(allocations.load() - before, 1u);
    report.clear();
    for (std::uint32_t number = 1; number <= 1'000; ++number) report.add_attempt(failed(number));
    EXPECT_EQ(allocations.load() - before, 1u);
}

TEST(report, prints_a_line_an_attempt_and_a_summary)
{
    retry_report report;
    report.add_attempt(
        {.number = 1,
         .duration = 3'100us,
         .status = 503,
         .delivered = delivery::rejected,
         .judged = verdict_kind::retry});
    report.add_wait(1'420ms, wait_origin::backoff);
    report.add_attempt(
        {.number = 2, .start = 1'424ms, .duration = 2'800us, .status = 200, .delivered = delivery::responded});
    EXPECT_EQ(
        printed(report),
        "attempt 1  at 0s  took 3.1ms  503  rejected  waited 1.42s (backoff)\n"
        "attempt 2  at 1.424s  took 2.8ms  200  responded\n"
        "running after 2 attempts in 0s, of which 1.42s waiting\n");
    report.finish(stop_reason::success, {}, 1'427ms);
    EXPECT_EQ(
        printed(report),
        "attempt 1  at 0s  took 3.1ms  503  rejected  waited 1.42s (backoff)\n"
        "attempt 2  at 1.424s  took 2.8ms  200  responded\n"
        "success after 2 attempts in 1.427s, of which 1.42s waiting\n");
}

TEST(report, prints_hints_errors_and_the_reason)
{
    retry_report report;
    report.add_attempt(
        {.number = 1,
         .duration = 12ms,
         .status = 429,
         .delivered = delivery::rejected,
         .judged = verdict_kind::throttled,
         .hint = 2s});
    report.add_wait(2'300ms, wait_origin::hint);
    report.add_attempt(
        {.number = 2,
         .start = 2'312ms,
         .duration = 10s,
         .error = retry_errc::attempt_timeout,
         .delivered = delivery::ambiguous,
         .judged = verdict_kind::retry});
    report.finish(stop_reason::not_replayable, retry_errc::attempt_timeout, 12'312ms);
    EXPECT_EQ(
        printed(report),
        "attempt 1  at 0s  took 12ms  429  rejected  asked to wait 2s  waited 2.3s (hint)\n"
        "attempt 2  at 2.312s  took 10s  the attempt took longer than attempt_timeout  ambiguous\n"
        "not_replayable after 2 attempts in 12.31s, of which 2.3s waiting: "
        "the attempt took longer than attempt_timeout\n");
}

TEST(report, prints_one_attempt_in_the_singular_and_a_success_without_error)
{
    retry_report report;
    report.add_attempt({.number = 1, .duration = 40us});
    report.finish(stop_reason::success, reset, 40us);
    EXPECT_EQ(printed(report), "attempt 1  at 0s  took 40us\nsuccess after 1 attempt in 40us\n");
}

TEST(report, prints_operations_that_made_no_attempt)
{
    retry_report report;
    report.finish(stop_reason::invalid_options, validate({.initial_backoff = -1s}), 0s);
    EXPECT_EQ(
        printed(report),
        "invalid_options after 0 attempts in 0s: "
        "initial_backoff is negative; it must be zero (retry without delay) or more\n");
}

TEST(report, prints_how_many_attempts_it_left_out_and_where)
{
    auto report = report_of(20);
    report.finish(stop_reason::exhausted, reset, 21s);
    std::string expected;
    for (std::uint32_t const number : {1u, 2u, 3u, 4u, 9u, 10u, 11u, 12u, 13u, 14u, 15u, 16u, 17u, 18u, 19u, 20u}) {
        if (number == 9) expected += "... 4 attempts ...\n";
        auto const n = std::to_string(number);
        expected += "attempt " + n + "  at " + n + "s  took 5ms  " + reset.message();
        expected += number == 20 ? "\n" : "  waited " + n + "ms (backoff)\n";
    }
    expected += "exhausted after 20 attempts in 21s, of which 190ms waiting: " + reset.message() + '\n';
    EXPECT_EQ(printed(report), expected);
    EXPECT_EQ(printed(report_of(16)).find("..."), std::string::npos);
}

TEST(report, every_stop_reason_and_delivery_is_printed_as_it_is_spelled)
{
    constexpr char const* reasons[] = {
        "success",
        "cancelled",
        "permanent",
        "not_replayable",
        "exhausted",
        "hint_too_long",
        "deadline",
        "invalid_options",
        "abandoned",
        "unknown"};
    for (int i = 0; i != 10; ++i) EXPECT_STREQ(to_string(static_cast<stop_reason>(i)), reasons[i]);
    constexpr char const* deliveries[] = {"not_sent", "rejected", "ambiguous", "responded", "unknown"};
    for (int i = 0; i != 5; ++i) EXPECT_STREQ(to_string(static_cast<delivery>(i)), deliveries[i]);
}

namespace {

class listing_observer : public retry_observer {
public:
    void before_attempt(attempt const& starting) override { say("before_attempt", starting.number()); }
    void after_attempt(attempt_record const& ended) override { say("after_attempt", ended.number); }
    void before_wait(attempt_record const& ended) override { say("before_wait", ended.number); }
    void at_end(retry_report const& report) override
    {
        say("at_end", report.attempts());
        last = report;
        seen = &report;
    }

    std::string calls;
    retry_report last;
    retry_report const* seen = nullptr;

private:
    void say(char const* what, std::uint32_t number) { calls += what + (' ' + std::to_string(number)) + '\n'; }
};

class throwing_observer final : public listing_observer {
public:
    void before_attempt(attempt const& starting) override
    {
        listing_observer::before_attempt(starting);
        throw std::runtime_error("before_attempt");
    }
    void after_attempt(attempt_record const& ended) override
    {
        listing_observer::after_attempt(ended);
        throw 42;
    }
    void before_wait(attempt_record const& ended) override
    {
        listing_observer::before_wait(ended);
        throw std::runtime_error("before_wait");
    }
    void at_end(retry_report const& report) override
    {
        listing_observer::at_end(report);
        throw std::bad_alloc();
    }
};

// What `async_retry` tells its recorder about an operation that succeeds at its second attempt.
void record_a_success_after_a_failure(retry_recorder& recorder)
{
    recorder.before_attempt(attempt(1));
    auto first = failed(1);
    recorder.after_attempt(first);
    first.wait = 2s;
    first.origin = wait_origin::backoff;
    recorder.before_wait(first);
    recorder.before_attempt(attempt(2));
    attempt_record const second{.number = 2, .start = 2s, .duration = 1ms};
    recorder.after_attempt(second);
    recorder.at_end(&second, stop_reason::success, {}, 2'001ms);
}

void expect_a_success_after_a_failure(retry_report const& report)
{
    EXPECT_EQ(report.attempts(), 2u);
    EXPECT_EQ(ns(report.total_waited()), ns(2s));
    EXPECT_EQ(report.reason(), stop_reason::success);
    EXPECT_EQ(ns(report.elapsed()), ns(2'001ms));
    auto const records = report.records();
    ASSERT_EQ(records.size(), 2u);
    EXPECT_EQ(ns(records[0].wait), ns(2s));
    EXPECT_EQ(records[0].origin, wait_origin::backoff);
    EXPECT_EQ(records[0].error, reset);
    EXPECT_EQ(ns(records[1].start), ns(2s));
    EXPECT_FALSE(records[1].error);
}

constexpr char const* calls_of_a_success_after_a_failure = "before_attempt 1\n"
                                                           "after_attempt 1\n"
                                                           "before_wait 1\n"
                                                           "before_attempt 2\n"
                                                           "after_attempt 2\n"
                                                           "at_end 2\n";

}  // namespace

TEST(recorder, writes_to_the_callers_report_and_clears_it_first)
{
    auto report = report_of(20);
    report.finish(stop_reason::exhausted, reset, 21s);
    retry_recorder recorder(&report, nullptr);
    expect_empty(report);
    EXPECT_TRUE(recorder.active());
    record_a_success_after_a_failure(recorder);
    expect_a_success_after_a_failure(report);
}

TEST(recorder, tells_the_observer_each_step_and_gives_it_the_report)
{
    listing_observer observer;
    retry_recorder recorder(nullptr, &observer);
    EXPECT_TRUE(recorder.active());
    record_a_success_after_a_failure(recorder);
    EXPECT_EQ(observer.calls, calls_of_a_success_after_a_failure);
    expect_a_success_after_a_failure(observer.last);
}

TEST(recorder, gives_the_observer_the_callers_own_report)
{
    listing_observer observer;
    retry_report report;
    retry_recorder recorder(&report, &observer);
    record_a_success_after_a_failure(recorder);
    EXPECT_EQ(observer.seen, &report);
    expect_a_success_after_a_failure(report);
}

TEST(recorder, an_observer_that_throws_changes_nothing)
{
    throwing_observer observer;
    retry_report report;
    retry_recorder recorder(&report, &observer);
    EXPECT_NO_THROW(record_a_success_after_a_failure(recorder));
    EXPECT_EQ(observer.calls, calls_of_a_success_after_a_failure);
    expect_a_success_after_a_failure(report);

    throwing_observer without_report;
    retry_recorder other(nullptr, &without_report);
    EXPECT_NO_THROW(record_a_success_after_a_failure(other));
    expect_a_success_after_a_failure(without_report.last);
}

TEST(recorder, an_observer_that_overrides_nothing_is_told_nothing)
{
    retry_observer observer;
    retry_recorder recorder(nullptr, &observer);
    EXPECT_NO_THROW(record_a_success_after_a_failure(recorder));
}

TEST(recorder, has_nothing_to_do_without_report_and_observer)
{
    retry_recorder recorder(nullptr, nullptr);
    EXPECT_FALSE(recorder.active());
}

TEST(recorder, tells_of_an_operation_that_made_no_attempt)
{
    listing_observer observer;
    retry_recorder recorder(nullptr, &observer);
    recorder.at_end(nullptr, stop_reason::invalid_options, retry_errc::invalid_options, {});
    EXPECT_EQ(observer.calls, "at_end 0\n");
    EXPECT_EQ(observer.last.reason(), stop_reason::invalid_options);
    EXPECT_EQ(observer.last.error(), retry_errc::invalid_options);
}

TEST(recorder, allocates_nothing_for_an_operation_that_succeeds_at_its_first_attempt)
{
    class counting_observer final : public retry_observer {
    public:
        void at_end(retry_report const& report) override { attempts += report.attempts(); }
        std::uint32_t attempts = 0;
    };
    counting_observer observer;
    retry_report report;
    auto const before = allocations.load();
    for (auto* const of_the_caller : {&report, static_cast<retry_report*>(nullptr)}) {
        retry_recorder recorder(of_the_caller, &observer);
        recorder.before_attempt(attempt(1));
        attempt_record const record{.number = 1, .duration = 1ms};
        recorder.after_attempt(record);
        recorder.at_end(&record, stop_reason::success, {}, 1ms);
    }
    EXPECT_EQ(allocations.load() - before, 0u);
    EXPECT_EQ(observer.attempts, 2u);
}
