//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "json_reader.hpp"
#include "random_sources.hpp"

#include <backbeat/attempt.hpp>
#include <backbeat/detail/decimal_text.hpp>
#include <backbeat/detail/escaped_text.hpp>
#include <backbeat/detail/retry_recorder.hpp>
#include <backbeat/detail/utf8.hpp>
#include <backbeat/report_json.hpp>
#include <backbeat/report_line.hpp>
#include <backbeat/report_lines.hpp>
#include <backbeat/retry_errc.hpp>
#include <backbeat/retry_metrics.hpp>
#include <backbeat/retry_observer.hpp>
#include <backbeat/retry_options.hpp>
#include <backbeat/retry_phase.hpp>
#include <backbeat/retry_report.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/error_category.hpp>
#include <boost/system/error_code.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <iomanip>
#include <iterator>
#include <limits>
#include <locale>
#include <map>
#include <new>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
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
    EXPECT_EQ(ns(report.time_waited()), 0);
    EXPECT_EQ(report.reason(), std::nullopt);
    EXPECT_EQ(report.phase(), retry_phase::not_started);
    EXPECT_EQ(report.unfinished(), 0u);
    EXPECT_EQ(report.waits(), 0u);
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
        EXPECT_EQ(report.waits(), attempts - 1);
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
        "breaker_open",
        "budget",
        "outcome_unknown",
        "invalid_options",
        "abandoned",
        "unknown"};
    for (int i = 0; i != 13; ++i) EXPECT_STREQ(to_string(static_cast<stop_reason>(i)), reasons[i]);
    constexpr char const* deliveries[] = {"not_sent", "rejected", "ambiguous", "responded", "unknown"};
    for (int i = 0; i != 5; ++i) EXPECT_STREQ(to_string(static_cast<delivery>(i)), deliveries[i]);
}

// ---- How it ended, and what was under way then ----

TEST(report, tells_from_its_records_what_the_end_met)
{
    retry_report report;
    report.finish(stop_reason::invalid_options, retry_errc::invalid_options, 0s);
    EXPECT_EQ(report.phase(), retry_phase::not_started);

    report.add_attempt(failed(1));
    report.finish(stop_reason::permanent, reset, 1s);
    EXPECT_EQ(report.phase(), retry_phase::deciding);

    report.add_wait(0s, wait_origin::backoff);
    report.finish(stop_reason::cancelled, reset, 1s);
    EXPECT_EQ(report.phase(), retry_phase::waiting);
    EXPECT_EQ(report.unfinished(), 0u);
}

TEST(report, believes_what_it_is_told_about_the_end)
{
    auto report = report_of(3);
    report.finish(stop_reason::abandoned, {}, 9s, retry_phase::attempting);
    EXPECT_EQ(report.phase(), retry_phase::attempting);
    EXPECT_EQ(report.unfinished(), 1u);
    EXPECT_EQ(report.attempts(), 3u);
    report.finish(stop_reason::abandoned, {}, 9s, retry_phase::attempting, 2);
    EXPECT_EQ(report.unfinished(), 2u);
    report.finish(stop_reason::abandoned, {}, 9s, retry_phase::deciding);
    EXPECT_EQ(report.phase(), retry_phase::deciding);
    EXPECT_EQ(report.unfinished(), 0u);
}

TEST(report, every_phase_is_printed_as_it_is_spelled)
{
    constexpr char const* phases[] = {"not_started", "attempting", "deciding", "waiting", "unknown"};
    for (int i = 0; i != 5; ++i) EXPECT_STREQ(to_string(static_cast<retry_phase>(i)), phases[i]);
}

TEST(report, counts_of_a_wait_that_was_cut_short_what_passed)
{
    // One attempt, from 1 s to 3 s, and a wait of 10 s after another one of 5 s.
    retry_report before;
    before.add_attempt({.number = 1});
    before.add_wait(5s, wait_origin::hint);
    before.add_attempt({.number = 2, .start = 5s, .duration = 2s, .judged = verdict_kind::retry});
    before.add_wait(10s, wait_origin::backoff);
    EXPECT_EQ(ns(before.time_waited()), ns(15s)) << "while it runs, all that was chosen";

    for (auto [elapsed, passed] : {std::pair{7s, 0s}, {8s, 1s}, {17s, 10s}, {18s, 10s}, {6s, 0s}, {0s, 0s}}) {
        auto report = before;
        report.finish(stop_reason::cancelled, boost::asio::error::operation_aborted, elapsed);
        EXPECT_EQ(ns(report.last_wait_passed()), ns(passed)) << ns(elapsed);
        EXPECT_EQ(ns(report.time_waited()), ns(5s + passed)) << ns(elapsed);
        EXPECT_EQ(ns(report.total_waited()), ns(15s));
    }

    auto attempting = before;
    attempting.finish(stop_reason::abandoned, {}, 17s, retry_phase::attempting);
    EXPECT_EQ(ns(attempting.time_waited()), ns(15s));
    EXPECT_EQ(ns(report_of(4).time_waited()), ns(6ms));
}

TEST(report, the_time_waited_survives_the_largest_numbers)
{
    constexpr auto most = (nanoseconds::max)();
    retry_report report;
    report.add_attempt({.number = 1, .start = most, .duration = most});
    report.add_wait(most, wait_origin::hint);
    report.finish(stop_reason::cancelled, {}, most);
    EXPECT_EQ(ns(report.time_waited()), 0);
    report.add_attempt({.number = 2, .duration = 0s});
    report.add_wait(most, wait_origin::hint);
    report.finish(stop_reason::cancelled, {}, most);
    EXPECT_EQ(ns(report.time_waited()), ns(most));
}

// ---- Its forms as text ----

namespace {

// Says what a test wants, like a category of a library that passes on what a server said.
class saying_category final : public boost::system::error_category {
public:
    char const* name() const noexcept override { return name_.c_str(); }
    std::string message(int) const override
    {
        if (throws) throw std::runtime_error("no message");
        return says;
    }

    std::string name_ = "test";
    std::string says;
    bool throws = false;
};

std::string line_saying(std::string_view message)
{
    saying_category category;
    category.says = message;
    retry_report report;
    report.add_attempt({.number = 1, .error = error_code(7, category), .judged = verdict_kind::permanent});
    report.finish(stop_reason::permanent, error_code(7, category), 1s);
    return report_line(report);
}

std::map<std::string, std::string> json_of(retry_report const& report)
{
    auto const text = report_json(report);
    auto scalars = json_reader::read(text);
    EXPECT_TRUE(scalars.has_value()) << text;
    return scalars.value_or(std::map<std::string, std::string>());
}

// Text of a kind that trips up those who escape it: control characters, quotes, broken and unusual UTF-8.
std::string hostile_text(std::mt19937& random)
{
    constexpr std::string_view valid[] = {
        "\n",
        "\r",
        "\t",
        "\x1b[2J",
        "\"",
        "\\",
        "\x7f",
        "\xc2\x9b",
        "\xe2\x80\xa8",
        "\xe2\x80\xae",
        "\xc3\xa9",
        "\xf0\x9f\x98\x80",
        "a",
        " ",
        "%s"};
    constexpr std::string_view broken[] = {
        "\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x80", "\xf0"};
    bool const breaks = random() % 2 == 0;
    std::string text;
    for (auto size = random() % 60; size != 0; --size) {
        text += valid[random() % std::size(valid)];
        if (!breaks) continue;
        text += broken[random() % std::size(broken)];
        text += static_cast<char>(static_cast<unsigned char>(random() % 256));
    }
    // The messages of error codes end at a zero, as far as Boost.System is concerned.
    std::erase(text, '\0');
    return text;
}

// A report that is as long as it can be, with all that is hostile about it.
retry_report hostile_report(saying_category& category, std::mt19937& random)
{
    category.name_ = hostile_text(random);
    category.says = hostile_text(random) + (random() % 2 == 0 ? std::string(random() % 2000, 'x') : std::string());
    retry_report report;
    auto const attempts = static_cast<std::uint32_t>(random() % 30);
    auto const time = [&] { return nanoseconds(static_cast<std::int64_t>(random()) << random() % 32); };
    for (std::uint32_t i = 1; i <= attempts; ++i) {
        attempt_record record{.number = i, .start = time(), .duration = time()};
        record.judged = static_cast<verdict_kind>(random() % 4);
        record.status = random() % 3 == 0 ? static_cast<int>(random()) : 0;
        if (random() % 4 != 0) record.error = error_code(static_cast<int>(random()), category);
        if (random() % 2 == 0) record.delivered = static_cast<delivery>(random() % 4);
        if (random() % 2 == 0) record.hint = time();
        report.add_attempt(record);
        if (i != attempts || random() % 2 == 0) report.add_wait(time(), static_cast<wait_origin>(1 + random() % 2));
    }
    if (random() % 8 != 0) {
        auto const during = random() % 2 == 0 ? std::optional(retry_phase::attempting) : std::nullopt;
        report.finish(
            static_cast<stop_reason>(random() % 12),
            random() % 2 == 0 ? error_code(static_cast<int>(random()), category) : error_code(),
            time(),
            during);
    }
    return report;
}

// Whether a text stays on its line and does nothing to a terminal.
::testing::AssertionResult is_harmless(std::string_view text)
{
    if (!is_well_formed_utf8(text)) return ::testing::AssertionFailure() << "not UTF-8: " << text;
    for (char const c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            return ::testing::AssertionFailure() << "has the control character " << int{c} << ": " << text;
    for (std::string_view const c :
         {"\xc2\x85", "\xc2\x9b", "\xe2\x80\xa8", "\xe2\x80\xa9", "\xe2\x80\xae", "\xe2\x81\xa6"})
        if (text.find(c) != std::string_view::npos) return ::testing::AssertionFailure() << "not escaped: " << text;
    return ::testing::AssertionSuccess();
}

}  // namespace

TEST(report_lines, are_what_a_stream_prints)
{
    auto report = report_of(20);
    report.finish(stop_reason::exhausted, reset, 21s);
    EXPECT_EQ(report_lines(report), printed(report));
}

TEST(report_lines, tell_of_a_wait_that_was_cut_short_and_of_an_attempt_without_end)
{
    auto report = report_of(1);
    report.add_wait(64s, wait_origin::backoff);
    report.finish(stop_reason::cancelled, boost::asio::error::operation_aborted, 3'005ms);
    EXPECT_EQ(
        report_lines(report),
        "attempt 1  at 1s  took 5ms  Connection reset by peer  waited 2s of 64s (backoff)\n"
        "cancelled after 1 attempt in 3.005s, of which 2s waiting: Operation canceled\n");
    report.finish(stop_reason::abandoned, {}, 66s, retry_phase::attempting);
    EXPECT_EQ(
        report_lines(report),
        "attempt 1  at 1s  took 5ms  Connection reset by peer  waited 64s (backoff)\n"
        "abandoned after 1 attempt in 66s, of which 64s waiting, 1 unfinished\n");
}

TEST(report_lines, do_not_depend_on_the_streams_state_and_do_not_change_it)
{
    class grouping final : public std::numpunct<char> {
        char do_thousands_sep() const override { return '.'; }
        char do_decimal_point() const override { return ','; }
        std::string do_grouping() const override { return "\1"; }
    };
    auto const report = report_of(1'000);
    std::ostringstream out;
    out.imbue(std::locale(std::locale::classic(), new grouping));
    out << std::hex << std::showbase << std::showpos << std::uppercase << std::scientific << std::setprecision(1)
        << std::setfill('*');
    auto const flags = out.flags();
    out << report;
    EXPECT_EQ(out.str(), report_lines(report));
    EXPECT_NE(out.str().find("... 984 attempts ...\n"), std::string::npos);
    EXPECT_EQ(out.flags(), flags);
    EXPECT_EQ(out.fill(), '*');
    EXPECT_EQ(out.precision(), 1);
}

TEST(report_lines, escape_what_an_error_says)
{
    saying_category category;
    category.says = "it says:\nattempt 2  at 0s  took 1s  200\x1b[2K";
    retry_report report;
    report.add_attempt({.number = 1, .error = error_code(7, category)});
    report.finish(stop_reason::permanent, error_code(7, category), 1s);
    EXPECT_EQ(
        report_lines(report),
        "attempt 1  at 0s  took 0s  it says:\\nattempt 2  at 0s  took 1s  200\\x1b[2K\n"
        "permanent after 1 attempt in 1s: it says:\\nattempt 2  at 0s  took 1s  200\\x1b[2K\n");
}

TEST(report_line, says_everything_at_once)
{
    retry_report report;
    EXPECT_EQ(report_line(report), "running after 0 attempts in 0s");
    report.finish(stop_reason::breaker_open, retry_errc::breaker_open, 0s);
    EXPECT_EQ(
        report_line(report),
        "gave up (breaker_open) after 0 attempts in 0s: the circuit breaker is open [backbeat.retry:4]");

    report.clear();
    report.add_attempt(
        {.number = 1, .duration = 3ms, .status = 503, .delivered = delivery::ambiguous, .judged = verdict_kind::retry});
    EXPECT_EQ(report_line(report), "running after 1 attempt in 0s, worst delivery ambiguous: 503");
    auto alone = report;
    alone.finish(stop_reason::not_replayable, {}, 3ms);
    EXPECT_EQ(report_line(alone), "gave up (not_replayable) after 1 attempt in 3ms, worst delivery ambiguous: 503");

    report.add_wait(1'200ms, wait_origin::backoff);
    report.add_attempt({.number = 2, .start = 1'203ms, .error = reset, .judged = verdict_kind::retry, .hint = 2s});
    report.add_wait(2'400ms, wait_origin::hint);
    report.add_attempt({.number = 3, .start = 3'603ms, .error = reset, .judged = verdict_kind::retry});
    auto exhausted = report;
    exhausted.finish(stop_reason::exhausted, reset, 3'604ms);
    EXPECT_EQ(
        report_line(exhausted),
        "gave up (exhausted) after 3 attempts in 3.604s, 3.6s waiting, worst delivery ambiguous: Connection reset by "
        "peer [system:104]; trail: 503 +1.2s system:104 +2.4s(hint) system:104");

    report.add_wait(64s, wait_origin::backoff);
    auto cancelled = report;
    cancelled.finish(stop_reason::cancelled, boost::asio::error::operation_aborted, 5'603ms);
    EXPECT_EQ(
        report_line(cancelled),
        "cancelled after 3 attempts in 5.603s, 5.6s waiting, worst delivery ambiguous: Connection reset by peer "
        "[system:104]; trail: 503 +1.2s system:104 +2.4s(hint) system:104 +2s(of 64s)");

    report.add_attempt({.number = 4, .start = 70s, .status = 200, .delivered = delivery::responded});
    report.finish(stop_reason::success, {}, 71s);
    EXPECT_EQ(
        report_line(report),
        "succeeded after 4 attempts in 71s, 67.6s waiting, worst delivery ambiguous; trail: 503 +1.2s system:104 "
        "+2.4s(hint) system:104 +64s 200");
}

TEST(report_line, tells_of_attempts_that_did_not_end)
{
    retry_report report;
    report.finish(stop_reason::abandoned, {}, 2s, retry_phase::attempting);
    EXPECT_EQ(report_line(report), "abandoned after 0 attempts in 2s; trail: unfinished");
    report = report_of(1);
    report.add_wait(1s, wait_origin::backoff);
    report.finish(stop_reason::abandoned, {}, 3s, retry_phase::attempting);
    EXPECT_EQ(
        report_line(report),
        "abandoned after 1 attempt in 3s, 1s waiting: Connection reset by peer [system:104]; trail: system:104 +1s "
        "unfinished");
}

TEST(report_line, names_attempts_that_say_nothing_by_how_they_were_judged)
{
    retry_report report;
    report.add_attempt({.number = 1, .judged = verdict_kind::throttled});
    report.add_wait(0s, wait_origin::backoff);
    report.add_attempt({.number = 2});
    report.finish(stop_reason::success, {}, 0s);
    EXPECT_EQ(report_line(report), "succeeded after 2 attempts in 0s; trail: failed +0s ok");
    report.finish(stop_reason::deadline, retry_errc::deadline, 0s);
    EXPECT_EQ(
        report_line(report),
        "gave up (deadline) after 2 attempts in 0s: total_timeout expired during an attempt [backbeat.retry:2]; "
        "trail: failed +0s ok");
}

TEST(report_line, gives_a_status_before_an_error)
{
    retry_report report;
    report.add_attempt({.number = 1, .error = reset, .status = 200, .judged = verdict_kind::retry});
    report.add_wait(0s, wait_origin::backoff);
    report.add_attempt({.number = 2, .error = reset, .status = 200, .judged = verdict_kind::retry});
    report.finish(stop_reason::exhausted, reset, 1s);
    EXPECT_EQ(
        report_line(report),
        "gave up (exhausted) after 2 attempts in 1s: 200 Connection reset by peer [system:104]; trail: 200 +0s 200");
}

TEST(report_line, says_where_attempts_are_left_out)
{
    auto report = report_of(20);
    report.finish(stop_reason::exhausted, reset, 21s);
    EXPECT_NE(
        report_line(report).find("+3ms system:104 +4ms (4 omitted) system:104 +9ms system:104"), std::string::npos)
        << report_line(report);
}

TEST(report_line, begins_with_how_the_operation_ended)
{
    auto report = report_of(1);
    for (int i = 0; i != 11; ++i) {
        auto const reason = static_cast<stop_reason>(i);
        report.finish(reason, reset, 1s);
        std::string const name = to_string(reason);
        auto const start = reason == stop_reason::success                          ? "succeeded after"
            : reason == stop_reason::cancelled || reason == stop_reason::abandoned ? name + " after"
                                                                                   : "gave up (" + name + ") after";
        EXPECT_EQ(report_line(report).substr(0, start.size()), start);
    }
}

TEST(report_line, escapes_what_an_error_says)
{
    for (auto [says, shown] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
             {"", ""},
             {"plain, with 100 % of it", "plain, with 100 % of it"},
             {"a\nb\r\n\tc", "a\\nb\\r\\n\\tc"},
             {"\x1b[31mred\x07\x7f", "\\x1b[31mred\\x07\\x7f"},
             {"C:\\new", "C:\\\\new"},
             {"d\xc3\xa9j\xc3\xa0 \xe2\x82\xac \xf0\x9f\x98\x80", "d\xc3\xa9j\xc3\xa0 \xe2\x82\xac \xf0\x9f\x98\x80"},
             {"\xc2\x85 \xc2\x9b \xc2\xa0", "\\u0085 \\u009b \xc2\xa0"},
             {"\xe2\x80\xa8 \xe2\x80\xa9 \xe2\x80\xae \xe2\x81\xa9", "\\u2028 \\u2029 \\u202e \\u2069"},
             {"\xff \xc0\x80 \xe2\x82", "\\xff \\xc0\\x80 \\xe2\\x82"}}) {
        auto const expected = "gave up (permanent) after 1 attempt in 1s: " + std::string(shown) + " [test:7]";
        EXPECT_EQ(line_saying(says), expected);
    }
}

TEST(report_line, cuts_long_messages_between_characters)
{
    auto const head = std::string("gave up (permanent) after 1 attempt in 1s: ");
    EXPECT_EQ(line_saying(std::string(200, 'x')), head + std::string(200, 'x') + " [test:7]");
    EXPECT_EQ(line_saying(std::string(201, 'x')), head + std::string(197, 'x') + "... [test:7]");
    std::string euros;
    for (int i = 0; i != 100; ++i) euros += "\xe2\x82\xac";
    EXPECT_EQ(line_saying(euros), head + euros.substr(0, 195) + "... [test:7]");
    EXPECT_EQ(line_saying(std::string(300, '\n')).size(), head.size() + 196 + 3 + 9);
}

TEST(report_line, has_a_text_for_a_category_that_throws)
{
    saying_category category;
    category.throws = true;
    retry_report report;
    report.add_attempt({.number = 1, .error = error_code(7, category), .judged = verdict_kind::retry});
    report.finish(stop_reason::exhausted, error_code(7, category), 1s);
    EXPECT_EQ(
        report_line(report),
        "gave up (exhausted) after 1 attempt in 1s: No message text available for error 7 [test:7]");
    EXPECT_EQ(json_of(report)["error/message"], "\"No message text available for error 7");
    EXPECT_NO_THROW(static_cast<void>(report_lines(report)));
}

TEST(report_line, stays_one_harmless_line_of_bounded_length_whatever_it_has_to_report)
{
    std::mt19937 random(20260101);
    std::size_t longest = 0;
    for (int i = 0; i != 1'500; ++i) {
        saying_category category;
        auto const report = hostile_report(category, random);
        auto const line = report_line(report);
        ASSERT_TRUE(is_harmless(line));
        ASSERT_LE(line.size(), 1536u);
        longest = (std::max)(longest, line.size());
        auto lines = report_lines(report);
        ASSERT_TRUE(lines.ends_with('\n'));
        std::replace(lines.begin(), lines.end(), '\n', ' ');
        ASSERT_TRUE(is_harmless(lines));
    }
    EXPECT_GT(longest, 1000u) << "the test does not come near the bound";
}

TEST(report_line, keeps_its_bound_with_the_largest_numbers)
{
    saying_category category;
    category.name_ = std::string(100, '\n');
    category.says = std::string(1000, '\x01');
    constexpr auto most = (nanoseconds::max)();
    retry_report report;
    for (std::uint32_t i = 1; i <= 100; ++i) {
        report.add_attempt(
            {.number = i,
             .start = i == 100 ? 1s : most,
             .duration = i == 100 ? 1s : most,
             .error = error_code((std::numeric_limits<int>::min)(), category),
             .delivered = delivery::responded,
             .judged = verdict_kind::retry});
        report.add_wait(most, wait_origin::hint);
    }
    report.finish(stop_reason::not_replayable, error_code(1, category), most - 1s, retry_phase::waiting);
    EXPECT_LE(report_line(report).size(), 1536u);
    EXPECT_GT(report_line(report).size(), 1200u);
}

TEST(report_json, has_all_members_of_an_empty_report)
{
    EXPECT_EQ(
        report_json(retry_report()),
        R"({"reason":null,"phase":null,"attempts":0,"retries":0,"unfinished":0,"elapsed_seconds":0,)"
        R"("waited_seconds":0,"worst_delivery":null,"error":null,"omitted":0,"records":[]})");
}

TEST(report_json, says_everything)
{
    retry_report report;
    report.add_attempt(
        {.number = 1,
         .duration = 3'100us,
         .status = 503,
         .delivered = delivery::ambiguous,
         .judged = verdict_kind::throttled,
         .hint = 1s});
    report.add_wait(1'200'000'001ns, wait_origin::hint);
    report.add_attempt({.number = 2, .start = 1'204ms, .duration = 5ms, .error = reset, .judged = verdict_kind::retry});
    report.finish(stop_reason::budget, reset, 1'209ms);
    EXPECT_EQ(
        report_json(report),
        R"({"reason":"budget","phase":"deciding","attempts":2,"retries":1,"unfinished":0,"elapsed_seconds":1.209,)"
        R"("waited_seconds":1.200000001,"worst_delivery":"ambiguous","error":{"category":"system","value":104,)"
        R"("message":"Connection reset by peer"},"omitted":0,"records":[)"
        R"({"number":1,"start_seconds":0,"duration_seconds":0.0031,"status":503,"error":null,"delivery":"ambiguous",)"
        R"("verdict":"throttled","hint_seconds":1,"wait_seconds":1.200000001,"wait_origin":"hint"},)"
        R"({"number":2,"start_seconds":1.204,"duration_seconds":0.005,"status":null,"error":{"category":"system",)"
        R"("value":104,"message":"Connection reset by peer"},"delivery":null,"verdict":"retry","hint_seconds":null,)"
        R"("wait_seconds":null,"wait_origin":null}]})");
}

TEST(report_json, counts_what_it_omits)
{
    auto report = report_of(100);
    report.finish(stop_reason::abandoned, {}, 101s, retry_phase::attempting);
    auto json = json_of(report);
    EXPECT_EQ(json["attempts"], "100");
    EXPECT_EQ(json["omitted"], "84");
    EXPECT_EQ(json["unfinished"], "1");
    EXPECT_EQ(json["phase"], "\"attempting");
    EXPECT_EQ(json["waited_seconds"], "4.95");
    EXPECT_EQ(json["records/3/number"], "4");
    EXPECT_EQ(json["records/4/number"], "89");
    EXPECT_EQ(json["records/15/number"], "100");
    EXPECT_EQ(json.count("records/16/number"), 0u);
}

TEST(report_json, spells_every_enumerator)
{
    retry_report report;
    for (int i = 0; i != 4; ++i) {
        report.add_attempt(
            {.number = static_cast<std::uint32_t>(i + 1),
             .delivered = static_cast<delivery>(i),
             .judged = static_cast<verdict_kind>(i)});
        report.add_wait(0s, static_cast<wait_origin>(i % 3));
    }
    report.finish(stop_reason::exhausted, {}, 0s);
    auto json = json_of(report);
    EXPECT_EQ(json["records/0/verdict"] + json["records/1/verdict"], "\"done\"permanent");
    EXPECT_EQ(json["records/2/verdict"] + json["records/3/verdict"], "\"retry\"throttled");
    EXPECT_EQ(json["records/0/wait_origin"], "null");
    EXPECT_EQ(json["records/1/wait_origin"] + json["records/2/wait_origin"], "\"backoff\"hint");
    EXPECT_EQ(json["records/1/wait_seconds"], "0");
    EXPECT_EQ(json["records/0/delivery"] + json["records/3/delivery"], "\"not_sent\"responded");
    for (int i = 0; i != 11; ++i) {
        report.finish(static_cast<stop_reason>(i), {}, 0s);
        EXPECT_EQ(json_of(report)["reason"], std::string("\"") + to_string(static_cast<stop_reason>(i)));
    }
}

TEST(report_json, prints_seconds_without_loss)
{
    for (auto [duration, expected] : std::initializer_list<std::pair<nanoseconds, char const*>>{
             {0s, "0"},
             {1ns, "0.000000001"},
             {10ns, "0.00000001"},
             {999'999'999ns, "0.999999999"},
             {1s, "1"},
             {1'500ms, "1.5"},
             {100s, "100"},
             {123'456'789'012'345'678ns, "123456789.012345678"},
             {(nanoseconds::max)(), "9223372036.854775807"},
             {-1ns, "-0.000000001"},
             {-1'500ms, "-1.5"},
             {(nanoseconds::min)(), "-9223372036.854775808"}}) {
        std::string text;
        detail::append_seconds(text, duration);
        EXPECT_EQ(text, expected);
        retry_report report;
        report.finish(stop_reason::success, {}, duration);
        EXPECT_EQ(json_of(report)["elapsed_seconds"], expected);
    }
}

TEST(report_json, replaces_what_is_not_utf8_and_keeps_all_else)
{
    for (auto [says, read] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
             {"quotes \" and \\ and / \b\f\n\r\t\x01\x7f", "quotes \" and \\ and / \b\f\n\r\t\x01\x7f"},
             {"\xc2\x9b \xe2\x80\xa8 \xf0\x9f\x98\x80", "\xc2\x9b \xe2\x80\xa8 \xf0\x9f\x98\x80"},
             {"\xff", "\xef\xbf\xbd"},
             {"a\xe2\x82z", "a\xef\xbf\xbdz"},
             {"\xf0\x9f\x98", "\xef\xbf\xbd"},
             {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},
             {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}}) {
        saying_category category;
        category.says = says;
        retry_report report;
        report.finish(stop_reason::permanent, error_code(-1, category), 0s);
        auto json = json_of(report);
        EXPECT_EQ(json["error/message"], '"' + std::string(read));
        EXPECT_EQ(json["error/value"], "-1");
        EXPECT_EQ(json["error/category"], "\"test");
    }
}

TEST(report_json, is_json_whatever_it_has_to_report)
{
    std::mt19937 random(8259);
    int compared = 0;
    for (int i = 0; i != 500; ++i) {
        saying_category category;
        auto const report = hostile_report(category, random);
        auto const text = report_json(report);
        auto const json = json_reader::read(text);
        ASSERT_TRUE(json) << text;
        ASSERT_TRUE(is_harmless(text));
        ASSERT_EQ(json->at("attempts"), std::to_string(report.attempts()));
        if (report.error() && category.says.size() < 512 && is_well_formed_utf8(category.says)) {
            ASSERT_EQ(json->at("error/message"), '"' + category.says);
            ++compared;
        }
    }
    EXPECT_GT(compared, 10);
}

TEST(json_reader, refuses_what_is_not_json)
{
    for (auto const* const text : {"",          "{",           "{}x",      "{\"a\":1,}",   "{\"a\" 1}",
                                   "{a:1}",     "[1 2]",       "01",       "1.",           ".5",
                                   "+1",        "1e",          "nan",      "\"a\nb\"",     "\"\\x\"",
                                   "\"\\u12\"", "\"\\ud800\"", "\"\xff\"", "\"\xc0\x80\"", "{\"a\":1,\"a\":2}"})
        EXPECT_FALSE(json_reader::read(text)) << text;
    auto const read = json_reader::read(R"( {"a": [ -1.5e+3 , true ], "b": {"c": "\u00e9\n"}} )");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->at("a/0"), "-1.5e3");
    EXPECT_EQ(read->at("b/c"), "\"\xc3\xa9\n");
}

TEST(utf8, agrees_with_another_way_to_decode_it)
{
    std::mt19937 random(42);
    std::size_t valid = 0;
    for (int i = 0; i != 200'000; ++i) {
        std::string text;
        for (auto size = 1 + random() % 4; size != 0; --size)
            text += static_cast<char>(
                static_cast<unsigned char>(random() % 3 == 0 ? random() % 256 : 0x80 + random() % 128));
        ASSERT_EQ(detail::is_utf8(text), is_well_formed_utf8(text)) << ::testing::PrintToString(text);
        if (detail::is_utf8(text)) ++valid;
    }
    EXPECT_GT(valid, 1'000u);
}

TEST(metrics, count_without_allocating)
{
    retry_metrics metrics;
    auto report = report_of(3);
    report.finish(stop_reason::exhausted, reset, 9s);
    auto record = failed(1);
    record.hint = 1s;
    record.origin = wait_origin::hint;
    auto const before = allocations.load();
    metrics.before_attempt(attempt(1));
    metrics.after_attempt(record);
    metrics.before_wait(record);
    metrics.at_end(report);
    EXPECT_EQ(allocations.load() - before, 0u);
    EXPECT_EQ(metrics.operations(), 1u);
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
    record_a_success_after_a_failure(recorder);
    expect_a_success_after_a_failure(report);
}

TEST(recorder, tells_the_observer_each_step_and_gives_it_the_report)
{
    listing_observer observer;
    retry_recorder recorder(nullptr, &observer);
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
