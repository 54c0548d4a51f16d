//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "random_sources.hpp"

#include <backbeat/attempt.hpp>
#include <backbeat/attempt_record.hpp>
#include <backbeat/attempt_result.hpp>
#include <backbeat/budget.hpp>
#include <backbeat/detail/retry_recorder.hpp>
#include <backbeat/log_observer.hpp>
#include <backbeat/observer_list.hpp>
#include <backbeat/report_line.hpp>
#include <backbeat/retry_errc.hpp>
#include <backbeat/retry_metrics.hpp>
#include <backbeat/retry_observer.hpp>
#include <backbeat/retry_phase.hpp>
#include <backbeat/retry_report.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/errc.hpp>
#include <boost/system/error_code.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iomanip>
#include <limits>
#include <map>
#include <ostream>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

using namespace backbeat;
using namespace backbeat::test;
using namespace std::chrono_literals;
using boost::system::error_code;
using std::chrono::nanoseconds;

namespace {

error_code const reset = boost::asio::error::connection_reset;

attempt_record failed(std::uint32_t number, int status = 503)
{
    return {
        .number = number,
        .duration = 5ms,
        .status = status,
        .delivered = delivery::ambiguous,
        .judged = verdict_kind::retry};
}

retry_report ended(std::uint32_t attempts, stop_reason reason)
{
    retry_report report;
    for (std::uint32_t number = 1; number <= attempts; ++number) {
        report.add_attempt(failed(number));
        if (number != attempts) report.add_wait(1s, wait_origin::backoff);
    }
    report.finish(reason, {}, 2s);
    return report;
}

// Tells of an operation that makes this many attempts, a second apart, as `async_retry` does.
void tell(retry_observer& observer, std::uint32_t attempts, stop_reason reason)
{
    detail::retry_recorder recorder(nullptr, &observer);
    for (std::uint32_t number = 1; number <= attempts; ++number) {
        recorder.before_attempt(attempt(number));
        auto record = failed(number);
        recorder.after_attempt(record);
        if (number == attempts) {
            recorder.at_end(&record, reason, {}, 2s);
            return;
        }
        record.wait = 1s;
        record.origin = wait_origin::backoff;
        recorder.before_wait(record);
    }
    recorder.at_end(nullptr, reason, {}, 2s);
}

std::vector<std::string> lines_of(std::string const& text)
{
    std::vector<std::string> result;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) result.push_back(line);
    return result;
}

}  // namespace

// ---- log_observer ----

TEST(log_observer, writes_a_line_when_an_operation_gives_up)
{
    std::ostringstream out;
    log_observer log(out);
    tell(log, 2, stop_reason::exhausted);
    tell(log, 2, stop_reason::success);
    tell(log, 0, stop_reason::breaker_open);
    EXPECT_EQ(
        out.str(),
        "gave up (exhausted) after 2 attempts in 2s, 1s waiting, worst delivery ambiguous: 503; trail: 503 +1s 503\n"
        "gave up (breaker_open) after 0 attempts in 2s\n");
    EXPECT_EQ(lines_of(out.str()).front(), report_line(ended(2, stop_reason::exhausted)));
}

TEST(log_observer, writes_of_endings_and_retries_when_told_to)
{
    for (auto const level : {log_level::failures, log_level::endings, log_level::retries}) {
        for (int i = 0; i != 11; ++i) {
            auto const reason = static_cast<stop_reason>(i);
            for (std::uint32_t const attempts : {1u, 3u}) {
                SCOPED_TRACE(testing::Message() << to_string(reason) << ' ' << attempts << ' ' << int(level));
                std::vector<log_level> written;
                log_observer log(
                    [&](log_level of_line, std::string_view) { written.push_back(of_line); }, {.level = level});
                tell(log, attempts, reason);

                std::vector<log_level> expected;
                if (level == log_level::retries) expected.assign(attempts - 1, log_level::retries);
                bool const is_plain = reason == stop_reason::success && attempts == 1;
                bool const is_ending = reason == stop_reason::success || reason == stop_reason::cancelled
                    || reason == stop_reason::abandoned;
                if (!is_ending) expected.push_back(log_level::failures);
                if (is_ending && !is_plain && level != log_level::failures) expected.push_back(log_level::endings);
                EXPECT_EQ(written, expected);
            }
        }
    }
}

TEST(log_observer, says_of_a_retry_what_failed_and_when_it_goes_on)
{
    std::ostringstream out;
    log_observer log(out, {.level = log_level::retries});
    auto record = failed(1);
    record.wait = 1'420ms;
    record.origin = wait_origin::backoff;
    log.before_wait(record);
    attempt_record const second{
        .number = 2,
        .error = reset,
        .judged = verdict_kind::throttled,
        .hint = 2s,
        .wait = 2'500ms,
        .origin = wait_origin::hint};
    log.before_wait(second);
    EXPECT_EQ(
        out.str(),
        "attempt 1 failed: 503, ambiguous; retry in 1.42s\n"
        "attempt 2 failed: Connection reset by peer [system:104]; retry in 2.5s (hint)\n");
}

TEST(log_observer, puts_its_name_in_front_of_every_line)
{
    std::ostringstream out;
    log_observer log(out, {.name = "memory\nstore", .level = log_level::retries});
    tell(log, 2, stop_reason::permanent);
    auto const lines = lines_of(out.str());
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0], "memory\\nstore: attempt 1 failed: 503, ambiguous; retry in 1s");
    EXPECT_EQ(lines[1], "memory\\nstore: " + report_line(ended(2, stop_reason::permanent)));
}

TEST(log_observer, needs_somewhere_to_write_to)
{
    try {
        log_observer log{log_observer::sink()};
        FAIL() << "accepted";
    } catch (std::invalid_argument const& refused) {
        EXPECT_STREQ(refused.what(), "the sink of a log_observer is empty; pass a function or a stream");
    }
}

TEST(log_observer, leaves_the_streams_state_alone_and_does_not_depend_on_it)
{
    std::ostringstream out;
    out << std::hex << std::setfill('*') << std::setw(300);
    log_observer log(out);
    tell(log, 17, stop_reason::exhausted);
    EXPECT_EQ(out.str(), report_line(ended(17, stop_reason::exhausted)) + '\n');
    EXPECT_EQ(out.width(), 300);
    EXPECT_EQ(out.fill(), '*');
    EXPECT_EQ(out.flags() & std::ios::basefield, std::ios::hex);
}

TEST(log_observer, writes_each_line_with_one_call)
{
    class counting_buffer final : public std::stringbuf {
    public:
        int calls = 0;

    private:
        std::streamsize xsputn(char const* text, std::streamsize size) override
        {
            ++calls;
            return std::stringbuf::xsputn(text, size);
        }
    };
    counting_buffer buffer;
    std::ostream out(&buffer);
    log_observer log(out, {.name = "name", .level = log_level::retries});
    tell(log, 3, stop_reason::exhausted);
    EXPECT_EQ(buffer.calls, 3);
    EXPECT_EQ(lines_of(buffer.str()).size(), 3u);
}

TEST(log_observer, goes_on_when_its_stream_fails)
{
    // Takes nothing while it is full.
    class full_buffer final : public std::stringbuf {
    public:
        bool full = true;

    private:
        std::streamsize xsputn(char const* text, std::streamsize size) override
        {
            return full ? 0 : std::stringbuf::xsputn(text, size);
        }
    };
    for (bool const throws : {false, true}) {
        full_buffer buffer;
        std::ostream out(&buffer);
        if (throws) out.exceptions(std::ios::badbit | std::ios::failbit);
        log_observer log(out);
        EXPECT_NO_THROW(tell(log, 1, stop_reason::exhausted));
        EXPECT_TRUE(out.bad());
        EXPECT_NO_THROW(tell(log, 1, stop_reason::exhausted));
        EXPECT_EQ(buffer.str(), "");
        buffer.full = false;
        out.clear();
        tell(log, 1, stop_reason::permanent);
        EXPECT_EQ(buffer.str(), report_line(ended(1, stop_reason::permanent)) + '\n');
    }
}

TEST(log_observer, goes_on_when_its_sink_throws)
{
    int calls = 0;
    log_observer log([&](log_level, std::string_view) {
        if (++calls < 3) throw std::runtime_error("the log is full");
    });
    EXPECT_THROW(log.at_end(ended(1, stop_reason::exhausted)), std::runtime_error);
    EXPECT_NO_THROW(tell(log, 1, stop_reason::exhausted)) << "the recorder discards it";
    EXPECT_NO_THROW(log.at_end(ended(1, stop_reason::exhausted)));
    EXPECT_EQ(calls, 3);
}

TEST(log_observer, keeps_the_lines_of_several_threads_apart)
{
    std::ostringstream out;
    log_observer log(out, {.name = "shared", .level = log_level::retries});
    std::vector<std::thread> threads;
    for (int i = 0; i != 4; ++i)
        threads.emplace_back([&] {
            for (int k = 0; k != 200; ++k) tell(log, 3, stop_reason::exhausted);
        });
    for (auto& each : threads) each.join();

    std::map<std::string, int> lines;
    for (auto const& line : lines_of(out.str())) ++lines[line];
    std::map<std::string, int> const expected{
        {"shared: attempt 1 failed: 503, ambiguous; retry in 1s", 800},
        {"shared: attempt 2 failed: 503, ambiguous; retry in 1s", 800},
        {"shared: " + report_line(ended(3, stop_reason::exhausted)), 800}};
    EXPECT_EQ(lines, expected);
}

// ---- observer_list ----

namespace {

// Notes its calls beside those of others, and then throws, if it is to.
class noting_observer final : public retry_observer {
public:
    noting_observer(std::vector<std::string>& calls, std::string name, bool throws = false)
        : calls_(calls), name_(std::move(name)), throws_(throws)
    {}

    void before_attempt(attempt const& starting) override { note("before_attempt", starting.number()); }
    void after_attempt(attempt_record const& record) override { note("after_attempt", record.number); }
    void before_wait(attempt_record const& record) override { note("before_wait", record.number); }
    void at_end(retry_report const& report) override { note("at_end", report.attempts()); }

private:
    void note(std::string const& call, std::uint32_t number)
    {
        calls_.push_back(name_ + ' ' + call + ' ' + std::to_string(number));
        if (throws_) throw std::runtime_error(call);
    }

    std::vector<std::string>& calls_;
    std::string name_;
    bool throws_;
};

}  // namespace

TEST(observer_list, tells_all_in_order_even_if_they_throw)
{
    std::vector<std::string> calls;
    noting_observer a(calls, "a");
    noting_observer b(calls, "b", true);
    noting_observer c(calls, "c");
    observer_list all({&a, nullptr, &b, &c});
    attempt_record record{.number = 2};
    all.before_attempt(attempt(1));
    all.after_attempt(record);
    all.before_wait(record);
    all.at_end(ended(3, stop_reason::exhausted));
    std::vector<std::string> expected;
    for (auto const* const call : {"before_attempt 1", "after_attempt 2", "before_wait 2", "at_end 3"})
        for (auto const* const name : {"a ", "b ", "c "}) expected.push_back(std::string(name) + call);
    EXPECT_EQ(calls, expected);
}

TEST(observer_list, may_be_empty_or_hold_others)
{
    std::vector<std::string> calls;
    noting_observer one(calls, "one");
    observer_list none({});
    observer_list inner({&one, &none});
    observer_list outer({&inner, &one});
    outer.at_end(ended(1, stop_reason::success));
    EXPECT_EQ(calls, (std::vector<std::string>{"one at_end 1", "one at_end 1"}));
}

// ---- attempt_result ----

TEST(attempt_result, is_that_of_the_error_else_of_the_status)
{
    using enum attempt_result;
    using boost::system::errc::make_error_code;
    namespace error = boost::asio::error;
    for (auto [code, expected] : std::initializer_list<std::pair<error_code, attempt_result>>{
             {{}, ok},
             {retry_errc::attempt_timeout, timed_out},
             {retry_errc::deadline, timed_out},
             {retry_errc::unknown_exception, other_error},
             {error::timed_out, timed_out},
             {error::operation_aborted, cancelled},
             {error::connection_refused, connection},
             {error::connection_reset, connection},
             {error::connection_aborted, connection},
             {error::broken_pipe, connection},
             {error::not_connected, connection},
             {error::host_unreachable, connection},
             {error::network_unreachable, connection},
             {error::network_down, connection},
             {error::network_reset, connection},
             {error::eof, connection},
             {error::host_not_found, name_resolution},
             {error::host_not_found_try_again, name_resolution},
             {error::service_not_found, name_resolution},
             {error::access_denied, other_error},
             {error::not_found, other_error},
             {make_error_code(boost::system::errc::connection_reset), connection},
             {std::make_error_code(std::errc::connection_refused), connection},
             {std::make_error_code(std::errc::operation_canceled), cancelled}}) {
        EXPECT_STREQ(to_string(attempt_result_of(code)), to_string(expected)) << code.message();
        EXPECT_EQ(attempt_result_of(attempt_record{.error = code, .status = 503}), code ? expected : status_5xx);
    }
    for (auto [status, expected] : std::initializer_list<std::pair<int, attempt_result>>{
             {0, ok},
             {1, other_status},
             {99, other_status},
             {-503, other_status},
             {100, status_1xx},
             {199, status_1xx},
             {204, status_2xx},
             {301, status_3xx},
             {429, status_4xx},
             {500, status_5xx},
             {599, status_5xx},
             {600, other_status},
             {(std::numeric_limits<int>::min)(), other_status}})
        EXPECT_EQ(attempt_result_of(attempt_record{.status = status}), expected) << status;
}

TEST(attempt_result, has_names)
{
    constexpr char const* names[] = {
        "ok",
        "1xx",
        "2xx",
        "3xx",
        "4xx",
        "5xx",
        "other_status",
        "timed_out",
        "cancelled",
        "name_resolution",
        "connection",
        "other_error",
        "unknown"};
    for (int i = 0; i != 13; ++i) EXPECT_STREQ(to_string(static_cast<attempt_result>(i)), names[i]);
}

// ---- retry_metrics ----

namespace {

using samples = std::map<std::string, std::string>;

// Reads the text format of Prometheus, version 0.0.4, and fails the test where the text is not that.
samples read_metrics(std::string const& text)
{
    static std::regex const help("# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) [^\n]*");
    static std::regex const type("# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary|untyped)");
    static std::regex const sample(
        R"re(([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*")re"
        R"re((?:,[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*")*\})? (-?[0-9]+(?:\.[0-9]+)?))re");
    samples result;
    std::set<std::string> families;
    std::string family;
    std::string kind;
    EXPECT_TRUE(text.ends_with('\n'));
    for (auto const& line : lines_of(text)) {
        std::smatch parts;
        if (std::regex_match(line, parts, help)) {
            family = parts[1];
            kind.clear();
            EXPECT_TRUE(families.insert(family).second) << "comes twice: " << line;
        } else if (std::regex_match(line, parts, type)) {
            EXPECT_EQ(parts[1], family) << line;
            EXPECT_EQ(kind, "") << "has two types: " << line;
            kind = parts[2];
        } else if (std::regex_match(line, parts, sample)) {
            auto const name = parts[1].str();
            auto const suffix = name.substr((std::min)(family.size(), name.size()));
            EXPECT_EQ(name.substr(0, family.size()), family) << "stands in another family: " << line;
            if (kind == "histogram")
                EXPECT_TRUE(suffix == "_bucket" || suffix == "_sum" || suffix == "_count") << line;
            else
                EXPECT_EQ(suffix, "") << line;
            EXPECT_EQ(kind == "counter", family.ends_with("_total")) << line;
            EXPECT_TRUE(result.emplace(name + parts[2].str(), parts[3]).second) << "comes twice: " << line;
        } else {
            ADD_FAILURE() << "not a line of the format: " << line;
        }
    }
    return result;
}

// What is expected of one histogram, found out by looking at each value again for each bucket.
void expect_histogram(
    samples const& actual,
    std::string const& name,
    std::vector<std::uint64_t> const& values,
    std::vector<std::pair<std::string, std::uint64_t>> const& bounds,
    std::function<std::string(std::uint64_t)> const& text_of)
{
    std::uint64_t sum = 0;
    for (auto const value : values) sum += value;
    for (auto const& [bound, number] : bounds) {
        auto const most = number;
        auto const count = std::count_if(values.begin(), values.end(), [&](std::uint64_t v) { return v <= most; });
        EXPECT_EQ(actual.at(name + "_bucket{le=\"" + bound + "\"}"), std::to_string(count)) << name << ' ' << bound;
    }
    EXPECT_EQ(actual.at(name + "_bucket{le=\"+Inf\"}"), std::to_string(values.size())) << name;
    EXPECT_EQ(actual.at(name + "_count"), std::to_string(values.size())) << name;
    EXPECT_EQ(actual.at(name + "_sum"), text_of(sum)) << name;
}

std::string seconds_text(std::uint64_t nanoseconds)
{
    std::ostringstream out;
    out << nanoseconds / 1'000'000'000 << '.' << std::setfill('0') << std::setw(9) << nanoseconds % 1'000'000'000;
    auto text = out.str();
    text.erase(text.find_last_not_of('0') + 1);
    return text.back() == '.' ? text.substr(0, text.size() - 1) : text;
}

constexpr auto ms = [](std::uint64_t value) { return value * 1'000'000; };

// What happened, noted one by one, to compare the counts with.
struct happenings {
    std::map<stop_reason, std::uint64_t> ended;
    std::map<attempt_outcome, std::uint64_t> outcomes;
    std::map<attempt_result, std::uint64_t> results;
    std::map<wait_origin, std::uint64_t> waits;
    std::vector<std::uint64_t> durations;
    std::vector<std::uint64_t> retries;
    std::vector<std::uint64_t> delays;
    std::uint64_t attempts = 0;
    std::uint64_t resends = 0;
    std::uint64_t abandoned = 0;
    std::uint64_t hints = 0;
    std::uint64_t honoured = 0;

    void add(happenings const& other)
    {
        auto const join = [](auto& to, auto const& from) { to.insert(to.end(), from.begin(), from.end()); };
        for (auto [key, count] : other.ended) ended[key] += count;
        for (auto [key, count] : other.outcomes) outcomes[key] += count;
        for (auto [key, count] : other.results) results[key] += count;
        for (auto [key, count] : other.waits) waits[key] += count;
        join(durations, other.durations);
        join(retries, other.retries);
        join(delays, other.delays);
        attempts += other.attempts;
        resends += other.resends;
        abandoned += other.abandoned;
        hints += other.hints;
        honoured += other.honoured;
    }
};

// Tells an observer of one operation, which ends at random in any of the ways that there are, and notes what happened.
class random_operation {
public:
    random_operation(retry_observer& observer, std::mt19937& random, happenings& noted)
        : observer_(observer), random_(random), noted_(noted)
    {}

    void run()
    {
        if (one_in(20)) {
            end(one_in(2) ? stop_reason::breaker_open : stop_reason::abandoned, retry_phase::not_started);
            return;
        }
        std::uint32_t const last = 1 + static_cast<std::uint32_t>(random_() % 9);
        for (std::uint32_t number = 1;; ++number) {
            observer_.before_attempt(attempt(number));
            if (one_in(30)) {
                end(stop_reason::cancelled, retry_phase::attempting);
                return;
            }
            made_ = number;
            ++noted_.attempts;
            if (number > 1) ++noted_.resends;
            if (one_in(15)) {
                ++noted_.abandoned;
                end(stop_reason::abandoned, retry_phase::attempting);
                return;
            }
            auto record = make_an_attempt(number);
            if (number == last) {
                report_.add_attempt(record);
                end(static_cast<stop_reason>(random_() % 12), retry_phase::deciding);
                return;
            }
            wait_after(record);
            if (one_in(12)) {
                auto const passed = nanoseconds(static_cast<std::int64_t>(random_()) % (record.wait.count() + 1));
                now_ += passed;
                delay_ += passed;
                end(one_in(2) ? stop_reason::cancelled : stop_reason::abandoned, retry_phase::waiting);
                return;
            }
            now_ += record.wait;
            delay_ += record.wait;
        }
    }

private:
    bool one_in(unsigned n) { return random_() % n == 0; }

    attempt_record make_an_attempt(std::uint32_t number)
    {
        attempt_record record{.number = number, .start = now_};
        record.duration = nanoseconds(random_() % (one_in(10) ? ms(20'000) : ms(100)));
        record.judged = static_cast<verdict_kind>(random_() % 4);
        if (one_in(2))
            record.status = static_cast<int>(100 + random_() % 600);
        else if (one_in(2))
            record.error = one_in(2) ? error_code(retry_errc::attempt_timeout) : reset;
        if (one_in(3)) record.hint = nanoseconds(random_() % ms(3'000));
        now_ += record.duration;
        observer_.after_attempt(record);

        ++noted_.results[attempt_result_of(record)];
        noted_.durations.push_back(static_cast<std::uint64_t>(record.duration.count()));
        if (record.hint) ++noted_.hints;
        constexpr std::array outcomes{
            attempt_outcome::success,
            attempt_outcome::permanent,
            attempt_outcome::transient,
            attempt_outcome::throttled};
        bool const timed_out = record.judged == verdict_kind::retry && record.error == retry_errc::attempt_timeout;
        ++noted_.outcomes[timed_out ? attempt_outcome::timed_out : outcomes[static_cast<std::size_t>(record.judged)]];
        return record;
    }

    void wait_after(attempt_record& record)
    {
        record.wait = nanoseconds(random_() % ms(2'000) * (one_in(10) ? 100 : 1));
        if (record.hint && one_in(4)) record.wait = *record.hint;
        record.origin = one_in(4) ? wait_origin::hint : wait_origin::backoff;
        report_.add_attempt(record);
        report_.add_wait(record.wait, record.origin);
        observer_.before_wait(record);
        waited_ = true;
        ++noted_.waits[record.origin];
        if (record.hint && record.wait >= *record.hint) ++noted_.honoured;
    }

    void end(stop_reason reason, retry_phase during)
    {
        report_.finish(reason, {}, now_, during);
        observer_.at_end(report_);
        ++noted_.ended[reason];
        if (made_ > 1) noted_.retries.push_back(made_ - 1);
        if (waited_) noted_.delays.push_back(static_cast<std::uint64_t>(delay_.count()));
    }

    retry_observer& observer_;
    std::mt19937& random_;
    happenings& noted_;
    retry_report report_;
    nanoseconds now_{};
    nanoseconds delay_{};
    std::uint32_t made_ = 0;
    bool waited_ = false;
};

void expect_counts(retry_metrics const& metrics, happenings const& noted)
{
    std::uint64_t operations = 0;
    for (int i = 0; i != 12; ++i) {
        auto const reason = static_cast<stop_reason>(i);
        auto const found = noted.ended.find(reason);
        auto const count = found == noted.ended.end() ? 0 : found->second;
        operations += count;
        EXPECT_EQ(metrics.operations(reason), count) << to_string(reason);
    }
    EXPECT_EQ(metrics.operations(), operations);
    std::uint64_t attempts = 0;
    for (auto [outcome, count] : noted.outcomes) {
        attempts += count;
        EXPECT_EQ(metrics.attempts(outcome), count) << static_cast<int>(outcome);
    }
    std::uint64_t results = 0;
    for (auto [result, count] : noted.results) {
        results += count;
        EXPECT_EQ(metrics.attempts(result), count) << to_string(result);
    }
    EXPECT_EQ(results, attempts);
    EXPECT_EQ(metrics.attempts(), noted.attempts);
    EXPECT_EQ(metrics.attempts(), attempts + noted.abandoned);
    EXPECT_EQ(metrics.abandoned_attempts(), noted.abandoned);
    EXPECT_EQ(metrics.retries(), noted.resends);
    for (auto [origin, count] : noted.waits) EXPECT_EQ(metrics.waits(origin), count);
    EXPECT_EQ(metrics.hints(), noted.hints);
    EXPECT_EQ(metrics.honoured_hints(), noted.honoured);
    EXPECT_EQ(metrics.operations_in_flight(), 0);
    EXPECT_EQ(metrics.operations_waiting(), 0);
    EXPECT_EQ(metrics.attempts_in_flight(), 0);

    auto const text = read_metrics(metrics.prometheus_text());
    for (auto [reason, count] : noted.ended)
        EXPECT_EQ(
            text.at("backbeat_operations_total{reason=\"" + std::string(to_string(reason)) + "\"}"),
            std::to_string(count));
    expect_histogram(
        text,
        "backbeat_operation_retries",
        noted.retries,
        {{"1", 1}, {"2", 2}, {"3", 3}, {"4", 4}, {"5", 5}},
        [](std::uint64_t sum) { return std::to_string(sum); });
    expect_histogram(
        text,
        "backbeat_operation_retry_delay_seconds",
        noted.delays,
        {{"0.01", ms(10)},
         {"0.1", ms(100)},
         {"0.5", ms(500)},
         {"1", ms(1000)},
         {"2", ms(2000)},
         {"5", ms(5000)},
         {"10", ms(10'000)},
         {"20", ms(20'000)},
         {"50", ms(50'000)},
         {"100", ms(100'000)},
         {"200", ms(200'000)},
         {"500", ms(500'000)}},
        seconds_text);
    expect_histogram(
        text,
        "backbeat_attempt_duration_seconds",
        noted.durations,
        {{"0.005", ms(5)},
         {"0.01", ms(10)},
         {"0.025", ms(25)},
         {"0.05", ms(50)},
         {"0.075", ms(75)},
         {"0.1", ms(100)},
         {"0.25", ms(250)},
         {"0.5", ms(500)},
         {"0.75", ms(750)},
         {"1", ms(1000)},
         {"2.5", ms(2500)},
         {"5", ms(5000)},
         {"7.5", ms(7500)},
         {"10", ms(10'000)}},
        seconds_text);
    std::uint64_t retried = 0;
    for (auto const each : noted.retries) retried += each;
    EXPECT_EQ(metrics.retries(), retried) << "the histogram and the counter tell the same";
    EXPECT_EQ(text.at("backbeat_attempts_total{outcome=\"abandoned\"}"), std::to_string(noted.abandoned));
    EXPECT_EQ(text.at("backbeat_retries_total"), std::to_string(noted.resends));
}

}  // namespace

TEST(metrics, counts_exactly_whatever_way_operations_end)
{
    std::mt19937 random(96);
    retry_metrics metrics;
    happenings noted;
    for (int i = 0; i != 3'000; ++i) random_operation(metrics, random, noted).run();
    EXPECT_EQ(noted.ended.size(), 12u);
    EXPECT_EQ(noted.outcomes.size(), 5u);
    EXPECT_GT(noted.abandoned, 100u);
    expect_counts(metrics, noted);
}

TEST(metrics, counts_exactly_on_several_threads)
{
    retry_metrics metrics;
    std::array<happenings, 4> noted;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i != noted.size(); ++i)
        threads.emplace_back([&, i] {
            std::mt19937 random(i);
            for (int k = 0; k != 1'000; ++k) random_operation(metrics, random, noted[i]).run();
        });
    std::uint64_t seen = 0;
    for (int i = 0; i != 20; ++i) {
        auto const text = read_metrics(metrics.prometheus_text());
        auto const count = std::stoull(text.at("backbeat_attempt_duration_seconds_count"));
        EXPECT_EQ(text.at("backbeat_attempt_duration_seconds_bucket{le=\"+Inf\"}"), std::to_string(count));
        EXPECT_GE(count, seen) << "a counter went back";
        seen = count;
        EXPECT_GE(metrics.attempts_in_flight(), 0);
        EXPECT_GE(metrics.operations_waiting(), 0);
        EXPECT_GE(metrics.operations_in_flight(), 0);
    }
    for (auto& each : threads) each.join();
    happenings all;
    for (auto const& each : noted) all.add(each);
    expect_counts(metrics, all);
}

TEST(metrics, know_what_is_under_way)
{
    retry_metrics metrics;
    auto const gauges = [&] {
        auto const text = read_metrics(metrics.prometheus_text());
        EXPECT_EQ(text.at("backbeat_operations_in_flight"), std::to_string(metrics.operations_in_flight()));
        EXPECT_EQ(text.at("backbeat_operations_waiting"), std::to_string(metrics.operations_waiting()));
        EXPECT_EQ(text.at("backbeat_attempts_in_flight"), std::to_string(metrics.attempts_in_flight()));
        return std::array{metrics.operations_in_flight(), metrics.operations_waiting(), metrics.attempts_in_flight()};
    };
    using expected = std::array<std::int64_t, 3>;
    auto record = failed(1);
    record.origin = wait_origin::backoff;
    EXPECT_EQ(gauges(), (expected{0, 0, 0}));
    metrics.before_attempt(attempt(1));
    EXPECT_EQ(gauges(), (expected{1, 0, 1}));
    metrics.before_attempt(attempt(1));
    EXPECT_EQ(gauges(), (expected{2, 0, 2}));
    metrics.after_attempt(record);
    EXPECT_EQ(gauges(), (expected{2, 0, 1}));
    metrics.before_wait(record);
    EXPECT_EQ(gauges(), (expected{2, 1, 1}));
    metrics.before_attempt(attempt(2));
    EXPECT_EQ(gauges(), (expected{2, 0, 2}));
    metrics.after_attempt(failed(2));
    metrics.at_end(ended(2, stop_reason::exhausted));
    EXPECT_EQ(gauges(), (expected{1, 0, 1}));
    metrics.after_attempt(failed(1));
    metrics.at_end(ended(1, stop_reason::permanent));
    EXPECT_EQ(gauges(), (expected{0, 0, 0}));
}

TEST(metrics, count_operations_that_have_several_attempts_at_a_time)
{
    retry_metrics metrics;
    retry_report report;
    metrics.before_attempt(attempt(1));
    metrics.before_attempt(attempt(2));
    EXPECT_EQ(metrics.attempts_in_flight(), 2);
    EXPECT_EQ(metrics.operations_in_flight(), 1);
    report.finish(stop_reason::abandoned, {}, 1s, retry_phase::attempting, 2);
    metrics.at_end(report);
    EXPECT_EQ(metrics.attempts(), 2u);
    EXPECT_EQ(metrics.abandoned_attempts(), 2u);
    EXPECT_EQ(metrics.retries(), 1u);

    // The second of three puts the third off, and wins; the third dropped its handler.
    report.clear();
    metrics.before_attempt(attempt(1));
    metrics.before_attempt(attempt(2));
    auto first = failed(1);
    first.wait = 1s;
    first.origin = wait_origin::hint;
    metrics.after_attempt(first);
    metrics.before_wait(first);
    metrics.before_attempt(attempt(3));
    metrics.after_attempt(failed(2));
    report.add_attempt(first);
    report.add_wait(first.wait, first.origin);
    report.add_attempt(failed(2));
    report.finish(stop_reason::success, {}, 2s, retry_phase::attempting, 1);
    metrics.at_end(report);
    EXPECT_EQ(metrics.attempts(), 5u);
    EXPECT_EQ(metrics.abandoned_attempts(), 3u);
    EXPECT_EQ(metrics.retries(), 3u);

    EXPECT_EQ(metrics.attempts_in_flight(), 0);
    EXPECT_EQ(metrics.operations_in_flight(), 0);
    EXPECT_EQ(metrics.operations_waiting(), 0);
    auto const text = read_metrics(metrics.prometheus_text());
    EXPECT_EQ(text.at("backbeat_operation_retries_sum"), "3");
    EXPECT_EQ(text.at("backbeat_operation_retries_count"), "2");
    EXPECT_EQ(text.at("backbeat_operation_retry_delay_seconds_sum"), "1");
}

TEST(metrics, count_no_retries_of_operations_without_any)
{
    retry_metrics metrics;
    tell(metrics, 1, stop_reason::success);
    tell(metrics, 0, stop_reason::invalid_options);
    auto const text = read_metrics(metrics.prometheus_text());
    EXPECT_EQ(text.at("backbeat_operation_retries_count"), "0");
    EXPECT_EQ(text.at("backbeat_operation_retry_delay_seconds_count"), "0");
    EXPECT_EQ(metrics.retries(), 0u);
    EXPECT_EQ(metrics.operations(), 2u);
    EXPECT_EQ(metrics.attempts(), 1u);
}

TEST(metrics, add_up_times)
{
    retry_metrics metrics;
    tell(metrics, 3, stop_reason::exhausted);
    tell(metrics, 2, stop_reason::success);
    EXPECT_EQ(ns(metrics.total_retry_delay()), ns(3s));
    EXPECT_EQ(ns(metrics.total_attempt_duration()), ns(25ms));
    attempt_record const back_in_time{.number = 1, .duration = -5s};
    metrics.after_attempt(back_in_time);
    EXPECT_EQ(ns(metrics.total_attempt_duration()), ns(25ms));
    attempt_record const for_ever{.number = 1, .duration = (nanoseconds::max)()};
    metrics.after_attempt(for_ever);
    EXPECT_EQ(ns(metrics.total_attempt_duration()), ns((nanoseconds::max)()));
    EXPECT_EQ(
        read_metrics(metrics.prometheus_text()).at("backbeat_attempt_duration_seconds_sum"), "9223372036.879775807");
}

TEST(metrics, have_enumerators_only_that_they_know)
{
    retry_metrics metrics;
    EXPECT_EQ(metrics.operations(static_cast<stop_reason>(200)), 0u);
    EXPECT_EQ(metrics.attempts(static_cast<attempt_outcome>(200)), 0u);
    EXPECT_EQ(metrics.attempts(static_cast<attempt_result>(200)), 0u);
    EXPECT_EQ(metrics.waits(static_cast<wait_origin>(200)), 0u);
    retry_report report;
    report.finish(static_cast<stop_reason>(200), {}, 0s);
    metrics.at_end(report);
    EXPECT_EQ(metrics.operations(), 1u);
}

TEST(metrics, print_as_prometheus_reads)
{
    retry_metrics metrics({.prefix = "service_retry", .labels = {{"client", "memorystore"}, {"zone", "a\\b\"c\nd"}}});
    tell(metrics, 3, stop_reason::exhausted);
    auto hinted = failed(1, 429);
    hinted.judged = verdict_kind::throttled;
    hinted.hint = 1s;
    hinted.wait = 1'100ms;
    hinted.origin = wait_origin::hint;
    metrics.before_attempt(attempt(1));
    metrics.after_attempt(hinted);
    metrics.before_wait(hinted);
    auto const text = metrics.prometheus_text();
    read_metrics(text);
    std::ostringstream out;
    out << metrics;
    EXPECT_EQ(out.str(), text);

    constexpr auto labels = R"(client="memorystore",zone="a\\b\"c\nd")";
    std::string expected = R"(# HELP service_retry_operations_total Operations that ended, by the reason.
# TYPE service_retry_operations_total counter
service_retry_operations_total{LABELS,reason="success"} 0
service_retry_operations_total{LABELS,reason="cancelled"} 0
service_retry_operations_total{LABELS,reason="permanent"} 0
service_retry_operations_total{LABELS,reason="not_replayable"} 0
service_retry_operations_total{LABELS,reason="exhausted"} 1
service_retry_operations_total{LABELS,reason="hint_too_long"} 0
service_retry_operations_total{LABELS,reason="deadline"} 0
service_retry_operations_total{LABELS,reason="breaker_open"} 0
service_retry_operations_total{LABELS,reason="budget"} 0
service_retry_operations_total{LABELS,reason="outcome_unknown"} 0
service_retry_operations_total{LABELS,reason="invalid_options"} 0
service_retry_operations_total{LABELS,reason="abandoned"} 0
# HELP service_retry_operations_in_flight Operations that have started and not ended.
# TYPE service_retry_operations_in_flight gauge
service_retry_operations_in_flight{LABELS} 1
# HELP service_retry_operations_waiting Operations that wait for their next attempt.
# TYPE service_retry_operations_waiting gauge
service_retry_operations_waiting{LABELS} 1
# HELP service_retry_operation_retries Retries of an operation. Operations without any are left out.
# TYPE service_retry_operation_retries histogram
service_retry_operation_retries_bucket{LABELS,le="1"} 0
service_retry_operation_retries_bucket{LABELS,le="2"} 1
service_retry_operation_retries_bucket{LABELS,le="3"} 1
service_retry_operation_retries_bucket{LABELS,le="4"} 1
service_retry_operation_retries_bucket{LABELS,le="5"} 1
service_retry_operation_retries_bucket{LABELS,le="+Inf"} 1
service_retry_operation_retries_sum{LABELS} 2
service_retry_operation_retries_count{LABELS} 1
# HELP service_retry_operation_retry_delay_seconds Time that an operation spent in waits, with no active attempt. Operations without any are left out.
# TYPE service_retry_operation_retry_delay_seconds histogram
service_retry_operation_retry_delay_seconds_bucket{LABELS,le="0.01"} 0
service_retry_operation_retry_delay_seconds_bucket{LABELS,le="0.1"} 0
service_retry_operation_retry_delay_seconds_bucket{LABELS,le="0.5"} 0
service_retry_operation_retry_delay_seconds_bucket{LABELS,le="1"} 0
service_retry_operation_retry_delay_seconds_bucket{LABELS,le="2"} 1
service_retry_operation_retry_delay_seconds_bucket{LABELS,le="5"} 1
service_retry_operation_retry_delay_seconds_bucket{LABELS,le="10"} 1
service_retry_operation_retry_delay_seconds_bucket{LABELS,le="20"} 1
service_retry_operation_retry_delay_seconds_bucket{LABELS,le="50"} 1
service_retry_operation_retry_delay_seconds_bucket{LABELS,le="100"} 1
service_retry_operation_retry_delay_seconds_bucket{LABELS,le="200"} 1
service_retry_operation_retry_delay_seconds_bucket{LABELS,le="500"} 1
service_retry_operation_retry_delay_seconds_bucket{LABELS,le="+Inf"} 1
service_retry_operation_retry_delay_seconds_sum{LABELS} 2
service_retry_operation_retry_delay_seconds_count{LABELS} 1
# HELP service_retry_attempts_total Attempts that ended, by how they were judged.
# TYPE service_retry_attempts_total counter
service_retry_attempts_total{LABELS,outcome="success"} 0
service_retry_attempts_total{LABELS,outcome="permanent"} 0
service_retry_attempts_total{LABELS,outcome="transient"} 3
service_retry_attempts_total{LABELS,outcome="throttled"} 1
service_retry_attempts_total{LABELS,outcome="timed_out"} 0
service_retry_attempts_total{LABELS,outcome="abandoned"} 0
# HELP service_retry_attempt_results_total Attempts that ended, by their error or status.
# TYPE service_retry_attempt_results_total counter
service_retry_attempt_results_total{LABELS,result="ok"} 0
service_retry_attempt_results_total{LABELS,result="1xx"} 0
service_retry_attempt_results_total{LABELS,result="2xx"} 0
service_retry_attempt_results_total{LABELS,result="3xx"} 0
service_retry_attempt_results_total{LABELS,result="4xx"} 1
service_retry_attempt_results_total{LABELS,result="5xx"} 3
service_retry_attempt_results_total{LABELS,result="other_status"} 0
service_retry_attempt_results_total{LABELS,result="timed_out"} 0
service_retry_attempt_results_total{LABELS,result="cancelled"} 0
service_retry_attempt_results_total{LABELS,result="name_resolution"} 0
service_retry_attempt_results_total{LABELS,result="connection"} 0
service_retry_attempt_results_total{LABELS,result="other_error"} 0
# HELP service_retry_attempt_duration_seconds How long an attempt took.
# TYPE service_retry_attempt_duration_seconds histogram
service_retry_attempt_duration_seconds_bucket{LABELS,le="0.005"} 4
service_retry_attempt_duration_seconds_bucket{LABELS,le="0.01"} 4
service_retry_attempt_duration_seconds_bucket{LABELS,le="0.025"} 4
service_retry_attempt_duration_seconds_bucket{LABELS,le="0.05"} 4
service_retry_attempt_duration_seconds_bucket{LABELS,le="0.075"} 4
service_retry_attempt_duration_seconds_bucket{LABELS,le="0.1"} 4
service_retry_attempt_duration_seconds_bucket{LABELS,le="0.25"} 4
service_retry_attempt_duration_seconds_bucket{LABELS,le="0.5"} 4
service_retry_attempt_duration_seconds_bucket{LABELS,le="0.75"} 4
service_retry_attempt_duration_seconds_bucket{LABELS,le="1"} 4
service_retry_attempt_duration_seconds_bucket{LABELS,le="2.5"} 4
service_retry_attempt_duration_seconds_bucket{LABELS,le="5"} 4
service_retry_attempt_duration_seconds_bucket{LABELS,le="7.5"} 4
service_retry_attempt_duration_seconds_bucket{LABELS,le="10"} 4
service_retry_attempt_duration_seconds_bucket{LABELS,le="+Inf"} 4
service_retry_attempt_duration_seconds_sum{LABELS} 0.02
service_retry_attempt_duration_seconds_count{LABELS} 4
# HELP service_retry_attempts_in_flight Attempts that have started and not ended.
# TYPE service_retry_attempts_in_flight gauge
service_retry_attempts_in_flight{LABELS} 0
# HELP service_retry_retries_total Attempts after the first of their operation, once they have ended.
# TYPE service_retry_retries_total counter
service_retry_retries_total{LABELS} 2
# HELP service_retry_waits_total Waits that were begun, by what chose their length.
# TYPE service_retry_waits_total counter
service_retry_waits_total{LABELS,origin="backoff"} 2
service_retry_waits_total{LABELS,origin="hint"} 1
# HELP service_retry_hints_total Attempts at whose end the server asked for a wait.
# TYPE service_retry_hints_total counter
service_retry_hints_total{LABELS} 1
# HELP service_retry_hints_honoured_total Hints that were followed by a wait no shorter than asked for.
# TYPE service_retry_hints_honoured_total counter
service_retry_hints_honoured_total{LABELS} 1
)";
    for (std::size_t at = 0; (at = expected.find("LABELS", at)) != std::string::npos;) expected.replace(at, 6, labels);
    EXPECT_EQ(text, expected);
}

TEST(metrics, need_no_labels)
{
    retry_metrics metrics;
    tell(metrics, 2, stop_reason::success);
    auto const text = read_metrics(metrics.prometheus_text());
    EXPECT_EQ(text.at("backbeat_retries_total"), "1");
    EXPECT_EQ(text.at("backbeat_operations_total{reason=\"success\"}"), "1");
    EXPECT_STREQ(retry_metrics::content_type, "text/plain; version=0.0.4; charset=utf-8");
}

TEST(metrics, refuse_names_and_labels_that_prometheus_would_not_read)
{
    auto const refusal = [](std::vector<metric_label> const& labels, std::string_view prefix) {
        try {
            retry_metrics metrics({.prefix = prefix, .labels = labels});
            return std::string("accepted");
        } catch (std::invalid_argument const& refused) {
            return std::string(refused.what());
        }
    };
    std::string const as_prefix =
        " of retry_metrics cannot begin the name of a metric; it must be letters, digits and underscores, and not "
        "begin with a digit, like 'backbeat' (colons are reserved for recording rules)";
    for (auto [prefix, shown] : std::initializer_list<std::pair<std::string_view, std::string>>{
             {"", "''"},
             {"1x", "'1x'"},
             {"a-b", "'a-b'"},
             {"a:b", "'a:b'"},
             {"a\nb", "'a\\nb'"},
             {"\xc3\xa9", "'\xc3\xa9'"}})
        EXPECT_EQ(refusal({}, prefix), "the prefix " + shown + as_prefix);
    for (auto const* const prefix : {"a", "_", "A9", "my_service", "backbeat_"})
        EXPECT_EQ(refusal({}, prefix), "accepted") << prefix;

    for (auto const* const name : {"", "9a", "a b", "a:b", "a-b", "\xc3\xa9"})
        EXPECT_EQ(
            refusal({{"fine", "x"}, {name, "x"}}, "p"),
            "the label '" + std::string(name)
                + "' of retry_metrics has no valid name; it must be letters, digits and underscores, and not begin "
                  "with a digit");
    EXPECT_EQ(
        refusal({{"__name__", "x"}}, "p"),
        "the label '__name__' of retry_metrics begins with two underscores, which is reserved for Prometheus itself; "
        "begin it with a letter");
    for (auto const* const name : {"le", "reason", "outcome", "result", "origin"})
        EXPECT_EQ(
            refusal({{name, "x"}}, "p"),
            "the label '" + std::string(name)
                + "' of retry_metrics has a name that metrics of it use themselves; choose another name");
    EXPECT_EQ(
        refusal({{"a", "\xff"}}, "p"), "the label 'a' of retry_metrics has a value that is not UTF-8; it must be");
    EXPECT_EQ(
        refusal({{"a", "x"}, {"b", "x"}, {"a", "y"}}, "p"),
        "the label 'a' of retry_metrics is there more than once; give it one value");
    EXPECT_EQ(refusal({{"a", ""}, {"_b", "\xc3\xa9\n\"\\"}}, "p"), "accepted");
}
