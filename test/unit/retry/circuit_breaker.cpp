//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "random_sources.hpp"

#include <backbeat/circuit_breaker.hpp>
#include <backbeat/retry_errc.hpp>

#include <boost/system/system_error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <type_traits>
#include <vector>

using namespace backbeat;
using namespace backbeat::test;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;

namespace {

constexpr auto success = attempt_outcome::success;
constexpr auto permanent = attempt_outcome::permanent;
constexpr auto transient = attempt_outcome::transient;
constexpr auto throttled = attempt_outcome::throttled;
constexpr auto timed_out = attempt_outcome::timed_out;

constexpr auto closed = circuit_state::closed;
constexpr auto opened = circuit_state::open;
constexpr auto half_open = circuit_state::half_open;

constexpr auto longest = (nanoseconds::max)();
constexpr auto infinity = std::numeric_limits<double>::infinity();
constexpr auto not_a_number = std::numeric_limits<double>::quiet_NaN();

using permit = circuit_breaker::permit;

static_assert(std::is_trivially_destructible_v<circuit_breaker_options>);
static_assert(std::is_aggregate_v<circuit_breaker_options>);
static_assert(std::is_trivially_copyable_v<permit> && std::is_default_constructible_v<permit> && sizeof(permit) <= 8);

// One whole attempt. False: it was not admitted.
bool attempt(circuit_breaker& breaker, attempt_outcome outcome, nanoseconds now)
{
    auto const given = breaker.try_acquire(now);
    if (given) breaker.record(*given, outcome, now);
    return given.has_value();
}

class noting_observer final : public circuit_observer {
public:
    std::vector<circuit_change> changes;

    void state_changed(circuit_breaker const& breaker, circuit_change const& change) override
    {
        changes.push_back(change);
        state_seen = breaker.state(change.at);  // would never return if it were called under the lock
    }

    std::optional<circuit_state> state_seen;
};

// Opens at the first failure, for 10 s, 20 s, 40 s and then 60 s.
constexpr circuit_breaker_options touchy{.failure_ratio = 1, .minimum_throughput = 1, .open_time = 10s};

// Lets a trial fail as soon as one is admitted, and says how long that took.
nanoseconds open_time_until_a_failed_trial(circuit_breaker& breaker, nanoseconds& now)
{
    auto const since = now;
    while (!breaker.would_admit(now)) now += 500ms;
    EXPECT_TRUE(attempt(breaker, transient, now));
    return now - since;
}

}  // namespace

TEST(circuit_breaker, has_the_documented_defaults)
{
    circuit_breaker_options const options;
    EXPECT_EQ(options.failure_ratio, 0.5);
    EXPECT_EQ(ns(options.window), ns(30s));
    EXPECT_EQ(options.minimum_throughput, 20u);
    EXPECT_EQ(ns(options.open_time), ns(5s));
    EXPECT_EQ(options.multiplier, 2);
    EXPECT_EQ(ns(options.maximum_open_time), ns(60s));
    EXPECT_EQ(options.jitter_ratio, 0);
    EXPECT_EQ(options.trial_attempts, 1u);
    EXPECT_EQ(options.trial_successes, 1u);
    EXPECT_EQ(ns(options.trial_timeout), ns(60s));
    EXPECT_TRUE(options.count_throttled);
    EXPECT_EQ(options.observer, nullptr);
    EXPECT_EQ(options.random, nullptr);
    EXPECT_FALSE(validate(options));
}

TEST(circuit_breaker, reports_each_contradiction_with_the_field_and_the_remedy)
{
    constexpr std::string_view failure_ratio =
        "failure_ratio is not above 0 and at most 1; 0.5 opens the breaker when half of the attempts failed";
    constexpr std::string_view window = "window is not above zero; 30 s is usual";
    constexpr std::string_view open_time = "open_time is not above zero; 5 s is usual";
    constexpr std::string_view multiplier =
        "multiplier is not a finite number of at least 1; 1 keeps the open time constant, 2 is usual";
    constexpr std::string_view jitter_ratio =
        "jitter_ratio is not between 0 and 1; 0 adds nothing to the open time, 1 at most doubles it";
    struct {
        circuit_breaker_options options;
        std::string_view message;
    } const cases[] = {
        {{.failure_ratio = 0}, failure_ratio},
        {{.failure_ratio = -0.5}, failure_ratio},
        {{.failure_ratio = std::nextafter(1.0, 2.0)}, failure_ratio},
        {{.failure_ratio = not_a_number}, failure_ratio},
        {{.window = 0s}, window},
        {{.window = -1ns}, window},
        {{.minimum_throughput = 0},
         "minimum_throughput is zero; it must be 1 (a single failure can open the breaker) or more, 20 is usual"},
        {{.open_time = 0s}, open_time},
        {{.open_time = -1ns}, open_time},
        {{.multiplier = std::nextafter(1.0, 0.0)}, multiplier},
        {{.multiplier = infinity}, multiplier},
        {{.multiplier = not_a_number}, multiplier},
        {{.open_time = 2s, .maximum_open_time = 2s - 1ns},
         "maximum_open_time is below open_time; raise maximum_open_time or lower open_time"},
        {{.jitter_ratio = -0.1}, jitter_ratio},
        {{.jitter_ratio = std::nextafter(1.0, 2.0)}, jitter_ratio},
        {{.jitter_ratio = not_a_number}, jitter_ratio},
        {{.trial_attempts = 0}, "trial_attempts is zero, so the breaker would never close again; it must be 1 or more"},
        {{.trial_successes = 0},
         "trial_successes is zero; it must be 1 (the first success closes the breaker) or more"},
        {{.trial_timeout = -1ns}, "trial_timeout is negative; it must be zero (no limit) or more"},
    };
    for (auto const& each : cases) {
        auto const error = validate(each.options);
        EXPECT_EQ(error, retry_errc::invalid_options);
        EXPECT_EQ(error.message(), each.message);
        try {
            circuit_breaker const breaker(each.options);
            ADD_FAILURE() << "accepted although: " << each.message;
        } catch (boost::system::system_error const& thrown) {
            EXPECT_EQ(thrown.code(), error);
            EXPECT_EQ(thrown.code().message(), each.message);
        }
    }
}

TEST(circuit_breaker, accepts_the_extremes_that_are_valid)
{
    circuit_breaker breaker{
        {.failure_ratio = 1,
         .window = 1ns,
         .minimum_throughput = 1,
         .open_time = longest,
         .multiplier = 1e300,
         .maximum_open_time = longest,
         .jitter_ratio = 1,
         .trial_timeout = 0s}};
    EXPECT_TRUE(attempt(breaker, transient, nanoseconds::min()));
    EXPECT_EQ(breaker.state(nanoseconds::min()), opened);
    breaker.reset();
    EXPECT_TRUE(attempt(breaker, transient, 1s));
    EXPECT_FALSE(breaker.would_admit(longest - 1ns));
}

TEST(circuit_breaker, opens_at_the_ratio_and_not_before)
{
    struct {
        double ratio;
        int attempts;
        int failures;
        bool opens;
    } const cases[] = {
        {0.5, 20, 10, true},
        {0.5, 20, 9, false},
        {0.5, 21, 10, false},
        {0.1, 30, 3, true},
        {0.1, 31, 3, false},
        {0.07, 100, 7, true},  // 0.07 * 100 is above 7
        {0.29, 100, 29, true},
        {1.0 / 3, 21, 7, true},
        {1, 20, 20, true},
        {1, 20, 19, false},
        {1e-9, 20, 1, true},
    };
    for (auto const& each : cases) {
        SCOPED_TRACE(testing::Message() << each.failures << " of " << each.attempts << " at " << each.ratio);
        circuit_breaker breaker{{.failure_ratio = each.ratio}};
        // The failures come last, so that no earlier failure meets the condition.
        for (int i = 0; i != each.attempts - each.failures; ++i) EXPECT_TRUE(attempt(breaker, success, 1s));
        for (int i = 0; i != each.failures - 1; ++i) EXPECT_TRUE(attempt(breaker, transient, 1s));
        EXPECT_EQ(breaker.state(1s), closed);
        EXPECT_TRUE(attempt(breaker, transient, 1s));
        EXPECT_EQ(breaker.state(1s), each.opens ? opened : closed);
        EXPECT_EQ(breaker.try_acquire(1s).has_value(), !each.opens);
    }
}

TEST(circuit_breaker, does_not_open_below_the_minimum_throughput)
{
    circuit_breaker breaker;
    for (int i = 0; i != 19; ++i) EXPECT_TRUE(attempt(breaker, transient, 1s));
    EXPECT_EQ(breaker.state(1s), closed);
    EXPECT_TRUE(attempt(breaker, transient, 1s));
    EXPECT_EQ(breaker.state(1s), opened);
}

TEST(circuit_breaker, does_not_open_at_a_success)
{
    circuit_breaker breaker;
    for (int i = 0; i != 19; ++i) EXPECT_TRUE(attempt(breaker, transient, 1s));
    EXPECT_TRUE(attempt(breaker, success, 1s));
    EXPECT_EQ(breaker.state(1s), closed);
    EXPECT_TRUE(attempt(breaker, transient, 1s));
    EXPECT_EQ(breaker.state(1s), opened);
}

TEST(circuit_breaker, takes_each_outcome_for_what_it_says_of_the_server)
{
    struct {
        attempt_outcome outcome;
        bool count_throttled;
        bool fails;
    } const cases[] = {
        {success, true, false},
        {permanent, true, false},
        {transient, true, true},
        {timed_out, true, true},
        {throttled, true, true},
        {throttled, false, false},
    };
    for (auto const& each : cases) {
        SCOPED_TRACE(testing::Message() << static_cast<int>(each.outcome) << ' ' << each.count_throttled);
        auto options = touchy;
        options.count_throttled = each.count_throttled;
        circuit_breaker breaker(options);
        EXPECT_TRUE(attempt(breaker, each.outcome, 1s));
        EXPECT_EQ(breaker.state(1s), each.fails ? opened : closed);
    }
}

TEST(circuit_breaker, counts_a_throttled_attempt_neither_way_if_so_told)
{
    circuit_breaker breaker{{.minimum_throughput = 2, .open_time = 10s, .count_throttled = false}};
    for (int i = 0; i != 100; ++i) EXPECT_TRUE(attempt(breaker, throttled, 1s));
    EXPECT_TRUE(attempt(breaker, transient, 1s));
    EXPECT_EQ(breaker.state(1s), closed);
    EXPECT_TRUE(attempt(breaker, transient, 1s));
    EXPECT_EQ(breaker.state(1s), opened);

    EXPECT_TRUE(attempt(breaker, throttled, 11s));
    EXPECT_EQ(breaker.state(11s), half_open);
    EXPECT_TRUE(attempt(breaker, success, 11s));
    EXPECT_EQ(breaker.state(11s), closed);
}

TEST(circuit_breaker, forgets_what_is_older_than_the_window)
{
    // On both sides of the clock's epoch, and across it.
    for (auto const begin : std::vector<nanoseconds>{0ns, 1'000'003ns, -990ms, -5s, -1h, 1000h}) {
        SCOPED_TRACE(begin.count());
        circuit_breaker_options const options{.window = 16s, .minimum_throughput = 2};
        circuit_breaker in_time(options);
        EXPECT_TRUE(attempt(in_time, transient, begin));
        EXPECT_TRUE(attempt(in_time, transient, begin + 15s));
        EXPECT_EQ(in_time.state(begin + 15s), opened);

        for (auto const age : {16s, 17s, 31s, 1000s, 100'000s}) {
            circuit_breaker late(options);
            EXPECT_TRUE(attempt(late, transient, begin));
            EXPECT_TRUE(attempt(late, transient, begin + age));
            EXPECT_EQ(late.state(begin + age), closed) << age.count();
        }
    }
}

TEST(circuit_breaker, slides_its_window_attempt_by_attempt)
{
    // Wherever the steps of the window lie, two failures 16 s apart do not meet, and two that are 15 s apart do.
    circuit_breaker breaker{{.failure_ratio = 1, .window = 16s, .minimum_throughput = 2}};
    nanoseconds now = 3s;
    for (; now < 1h; now += 16s + 7ms) {
        EXPECT_TRUE(attempt(breaker, transient, now));
        EXPECT_EQ(breaker.state(now), closed) << now.count();
    }
    now -= 1s + 7ms;
    EXPECT_TRUE(attempt(breaker, transient, now));
    EXPECT_EQ(breaker.state(now), opened);
}

TEST(circuit_breaker, takes_a_time_that_goes_back_for_no_time_passed)
{
    circuit_breaker breaker{{.window = 16s, .minimum_throughput = 3}};
    EXPECT_TRUE(attempt(breaker, transient, 100s));
    EXPECT_TRUE(attempt(breaker, transient, 50s));
    EXPECT_TRUE(attempt(breaker, transient, 99s));
    EXPECT_EQ(breaker.state(99s), opened);
}

TEST(circuit_breaker, admits_nothing_while_open_and_one_trial_after)
{
    circuit_breaker breaker(touchy);
    EXPECT_TRUE(attempt(breaker, transient, 1s));
    for (auto const now : {1s, 5s, 10s}) {
        EXPECT_FALSE(breaker.would_admit(now));
        EXPECT_FALSE(breaker.try_acquire(now));
        EXPECT_EQ(breaker.state(now), opened);
    }
    EXPECT_FALSE(breaker.would_admit(11s - 1ns));
    EXPECT_TRUE(breaker.would_admit(11s));
    EXPECT_EQ(breaker.state(11s), half_open);

    auto const trial = breaker.try_acquire(11s);
    ASSERT_TRUE(trial);
    EXPECT_FALSE(breaker.try_acquire(11s));
    EXPECT_FALSE(breaker.would_admit(12s));
    EXPECT_EQ(breaker.state(11s), half_open);
    breaker.record(*trial, success, 12s);
    EXPECT_EQ(breaker.state(12s), closed);
    EXPECT_TRUE(breaker.try_acquire(12s));
    EXPECT_TRUE(breaker.try_acquire(12s));
}

TEST(circuit_breaker, asks_without_taking)
{
    circuit_breaker breaker(touchy);
    EXPECT_TRUE(attempt(breaker, transient, 0s));
    for (int i = 0; i != 3; ++i) EXPECT_TRUE(breaker.would_admit(10s));
    EXPECT_FALSE(breaker.try_acquire(9s));
    EXPECT_TRUE(breaker.try_acquire(10s));
}

TEST(circuit_breaker, stays_open_longer_each_time_that_a_trial_fails_until_the_maximum)
{
    circuit_breaker breaker(touchy);
    nanoseconds now = 0s;
    for (int round = 0; round != 2; ++round) {
        EXPECT_TRUE(attempt(breaker, transient, now));
        for (auto const expected : {10s, 20s, 40s, 60s, 60s, 60s})
            EXPECT_EQ(ns(open_time_until_a_failed_trial(breaker, now)), ns(expected));
        // Closed, it starts anew.
        while (!breaker.would_admit(now)) now += 1s;
        EXPECT_TRUE(attempt(breaker, success, now));
        EXPECT_EQ(breaker.state(now), closed);
    }
}

TEST(circuit_breaker, can_stay_open_equally_long_each_time)
{
    auto options = touchy;
    options.multiplier = 1;
    circuit_breaker breaker(options);
    nanoseconds now = 0s;
    EXPECT_TRUE(attempt(breaker, transient, now));
    for (int i = 0; i != 100; ++i) EXPECT_EQ(ns(open_time_until_a_failed_trial(breaker, now)), ns(10s));
}

TEST(circuit_breaker, adds_chance_to_its_open_time_and_never_takes_from_it)
{
    struct {
        std::uint64_t random;
        double ratio;
        nanoseconds expected;
    } const cases[] = {
        {no_jitter, 0.25, 10s},
        {half_jitter, 0.25, 11250ms},
        {all_jitter, 0.25, 12500ms},
        {all_jitter, 1, 20s},
        {all_jitter, 0, 10s},
    };
    for (auto const& each : cases) {
        constant_source random(each.random);
        auto options = touchy;
        options.jitter_ratio = each.ratio;
        options.random = &random;
        circuit_breaker breaker(options);
        EXPECT_TRUE(attempt(breaker, transient, 1s));
        EXPECT_FALSE(breaker.would_admit(1s + each.expected - 1ns));
        EXPECT_TRUE(breaker.would_admit(1s + each.expected));
    }
}

TEST(circuit_breaker, has_random_numbers_of_its_own)
{
    auto options = touchy;
    options.jitter_ratio = 1;
    std::vector<nanoseconds> open_times;
    for (int i = 0; i != 20; ++i) {
        circuit_breaker breaker(options);
        EXPECT_TRUE(attempt(breaker, transient, 0s));
        nanoseconds time = 10s;
        while (!breaker.would_admit(time)) time += 1ms;
        EXPECT_LE(ns(time), ns(20s));
        open_times.push_back(time);
    }
    auto const [least, most] = std::minmax_element(open_times.begin(), open_times.end());
    // Wrong once in 10^14 runs: all twenty within a fifth of the range.
    EXPECT_GT(ns(*most - *least), ns(2s));
}

TEST(circuit_breaker, admits_as_many_trials_at_a_time_as_it_was_told)
{
    auto options = touchy;
    options.trial_attempts = 3;
    options.trial_successes = 5;
    circuit_breaker breaker(options);
    EXPECT_TRUE(attempt(breaker, transient, 0s));
    std::vector<permit> running;
    for (int i = 0; i != 3; ++i) running.push_back(breaker.try_acquire(10s).value());
    EXPECT_FALSE(breaker.try_acquire(10s));
    for (int i = 0; i != 4; ++i) {
        EXPECT_EQ(breaker.state(10s), half_open);
        breaker.record(running.front(), success, 10s);
        running.erase(running.begin());
        if (i == 3) break;
        running.push_back(breaker.try_acquire(10s).value());
        EXPECT_FALSE(breaker.try_acquire(10s));
    }
    EXPECT_EQ(breaker.state(10s), half_open);
    breaker.record(running.front(), success, 10s);
    EXPECT_EQ(breaker.state(10s), closed);
}

TEST(circuit_breaker, opens_again_at_the_first_trial_that_fails_whatever_the_others_do)
{
    auto options = touchy;
    options.trial_attempts = 3;
    options.trial_successes = 2;
    circuit_breaker breaker(options);
    EXPECT_TRUE(attempt(breaker, transient, 0s));
    auto const first = breaker.try_acquire(10s).value();
    auto const second = breaker.try_acquire(10s).value();
    auto const third = breaker.try_acquire(10s).value();
    breaker.record(first, success, 11s);
    breaker.record(second, timed_out, 12s);
    EXPECT_EQ(breaker.state(12s), opened);
    breaker.record(third, success, 13s);
    EXPECT_EQ(breaker.state(13s), opened);
    EXPECT_FALSE(breaker.would_admit(32s - 1ns));
    EXPECT_TRUE(breaker.would_admit(32s));

    // Its successes before do not count any more.
    EXPECT_TRUE(attempt(breaker, success, 32s));
    EXPECT_EQ(breaker.state(32s), half_open);
    EXPECT_TRUE(attempt(breaker, success, 32s));
    EXPECT_EQ(breaker.state(32s), closed);
}

TEST(circuit_breaker, gives_the_place_of_a_released_trial_to_another)
{
    circuit_breaker breaker(touchy);
    EXPECT_TRUE(attempt(breaker, transient, 0s));
    for (int i = 0; i != 10; ++i) {
        auto const trial = breaker.try_acquire(10s);
        ASSERT_TRUE(trial);
        EXPECT_FALSE(breaker.try_acquire(10s));
        breaker.release(*trial);
        EXPECT_EQ(breaker.state(10s), half_open);
    }
    EXPECT_TRUE(attempt(breaker, success, 10s));
    EXPECT_EQ(breaker.state(10s), closed);
}

TEST(circuit_breaker, does_not_count_what_was_released)
{
    circuit_breaker breaker{{.minimum_throughput = 2}};
    for (int i = 0; i != 10; ++i) breaker.release(breaker.try_acquire(0s).value());
    EXPECT_TRUE(attempt(breaker, transient, 0s));
    EXPECT_EQ(breaker.state(0s), closed);
}

TEST(circuit_breaker, is_not_disturbed_by_attempts_of_an_earlier_state)
{
    circuit_breaker_options const options{.minimum_throughput = 2, .open_time = 10s};
    circuit_breaker breaker(options);
    std::vector<permit> late;
    for (int i = 0; i != 10; ++i) late.push_back(breaker.try_acquire(0s).value());
    auto const record_all = [&](attempt_outcome outcome, nanoseconds now) {
        for (auto const each : late) breaker.record(each, outcome, now);
        for (auto const each : late) breaker.release(each);
    };
    EXPECT_TRUE(attempt(breaker, transient, 0s));
    EXPECT_TRUE(attempt(breaker, transient, 0s));

    record_all(success, 5s);
    EXPECT_EQ(breaker.state(5s), opened);
    record_all(transient, 5s);
    EXPECT_FALSE(breaker.would_admit(10s - 1ns));
    EXPECT_TRUE(breaker.would_admit(10s));

    auto const trial = breaker.try_acquire(10s).value();
    record_all(success, 10s);
    record_all(transient, 10s);
    EXPECT_EQ(breaker.state(10s), half_open);
    EXPECT_FALSE(breaker.try_acquire(10s));

    breaker.record(trial, success, 10s);
    record_all(transient, 10s);
    EXPECT_EQ(breaker.state(10s), closed);

    // The window is empty, too: what was counted before it opened is gone.
    EXPECT_TRUE(attempt(breaker, transient, 10s));
    EXPECT_EQ(breaker.state(10s), closed);
}

TEST(circuit_breaker, ignores_a_permit_that_was_never_given)
{
    circuit_breaker breaker(touchy);
    breaker.record(permit(), transient, 0s);
    breaker.release(permit());
    EXPECT_EQ(breaker.state(0s), closed);
}

TEST(circuit_breaker, takes_the_place_of_a_trial_that_never_ends)
{
    auto options = touchy;
    options.trial_attempts = 2;
    options.trial_timeout = 7s;
    circuit_breaker breaker(options);
    EXPECT_TRUE(attempt(breaker, transient, 0s));
    auto const hangs = breaker.try_acquire(10s).value();
    auto const hangs_too = breaker.try_acquire(11s).value();
    EXPECT_FALSE(breaker.would_admit(18s - 1ns));
    EXPECT_TRUE(breaker.would_admit(18s));
    EXPECT_EQ(breaker.state(18s), half_open);

    auto const next = breaker.try_acquire(18s).value();
    breaker.record(hangs, transient, 19s);
    breaker.release(hangs_too);
    EXPECT_EQ(breaker.state(19s), half_open);
    auto const other = breaker.try_acquire(19s).value();
    EXPECT_FALSE(breaker.try_acquire(19s));
    breaker.release(other);
    breaker.record(next, success, 20s);
    EXPECT_EQ(breaker.state(20s), closed);
}

TEST(circuit_breaker, waits_for_a_trial_for_ever_if_so_told)
{
    auto options = touchy;
    options.trial_timeout = 0s;
    circuit_breaker breaker(options);
    EXPECT_TRUE(attempt(breaker, transient, 0s));
    auto const slow = breaker.try_acquire(10s).value();
    EXPECT_FALSE(breaker.would_admit(longest));
    breaker.record(slow, success, 1000h);
    EXPECT_EQ(breaker.state(1000h), closed);
}

TEST(circuit_breaker, stays_open_or_closed_by_hand_until_told_otherwise)
{
    circuit_breaker breaker(touchy);
    auto const running = breaker.try_acquire(0s).value();
    breaker.force_open();
    EXPECT_EQ(breaker.state(0s), opened);
    EXPECT_FALSE(breaker.would_admit(longest));
    EXPECT_FALSE(breaker.try_acquire(1000h));
    breaker.record(running, success, 1000h);
    EXPECT_EQ(breaker.state(1000h), opened);

    breaker.force_closed();
    for (int i = 0; i != 100; ++i) EXPECT_TRUE(attempt(breaker, transient, 1000h));
    EXPECT_EQ(breaker.state(1000h), closed);
    auto const running_too = breaker.try_acquire(1000h).value();

    breaker.reset();
    breaker.record(running_too, transient, 1000h);
    EXPECT_EQ(breaker.state(1000h), closed);
    EXPECT_TRUE(attempt(breaker, transient, 1000h));
    EXPECT_EQ(breaker.state(1000h), opened);
    EXPECT_TRUE(breaker.would_admit(1000h + 10s));

    breaker.reset();
    EXPECT_EQ(breaker.state(1000h), closed);
    EXPECT_TRUE(breaker.try_acquire(1000h));
}

TEST(circuit_breaker, forgets_its_failed_trials_when_it_is_reset)
{
    circuit_breaker breaker(touchy);
    EXPECT_TRUE(attempt(breaker, transient, 0s));
    EXPECT_TRUE(attempt(breaker, transient, 10s));
    EXPECT_FALSE(breaker.would_admit(20s));
    breaker.reset();
    EXPECT_TRUE(attempt(breaker, transient, 20s));
    EXPECT_FALSE(breaker.would_admit(30s - 1ns));
    EXPECT_TRUE(breaker.would_admit(30s));
}

TEST(circuit_breaker, tells_its_observer_of_every_change_once)
{
    noting_observer observer;
    auto options = touchy;
    options.observer = &observer;
    circuit_breaker breaker(options);
    EXPECT_TRUE(attempt(breaker, transient, 1s));
    EXPECT_EQ(observer.state_seen, opened);
    EXPECT_FALSE(breaker.try_acquire(2s));
    EXPECT_TRUE(attempt(breaker, transient, 12s));
    EXPECT_TRUE(attempt(breaker, success, 40s));
    breaker.force_open();
    breaker.force_open();
    breaker.force_closed();
    breaker.reset();
    EXPECT_EQ(
        observer.changes,
        (std::vector<circuit_change>{
            {closed, opened, 1s, 1},
            {opened, half_open, 12s, 2},
            {half_open, opened, 12s, 3},
            {opened, half_open, 40s, 4},
            {half_open, closed, 40s, 5},
            {closed, opened, 40s, 6},
            {opened, closed, 40s, 7}}));
}

TEST(circuit_breaker, discards_what_its_observer_throws)
{
    struct throwing_observer final : circuit_observer {
        void state_changed(circuit_breaker const&, circuit_change const&) override { throw std::runtime_error("no"); }
    } observer;
    auto options = touchy;
    options.observer = &observer;
    circuit_breaker breaker(options);
    EXPECT_TRUE(attempt(breaker, transient, 0s));
    EXPECT_EQ(breaker.state(0s), opened);
    EXPECT_TRUE(attempt(breaker, success, 10s));
    EXPECT_EQ(breaker.state(10s), closed);
    breaker.force_open();
    EXPECT_EQ(breaker.state(10s), opened);
}

TEST(circuit_breaker, names_its_states)
{
    EXPECT_STREQ(to_string(closed), "closed");
    EXPECT_STREQ(to_string(opened), "open");
    EXPECT_STREQ(to_string(half_open), "half_open");
    EXPECT_STREQ(to_string(static_cast<circuit_state>(17)), "unknown");
}

TEST(circuit_breaker, admits_no_more_trials_than_it_was_told_to_any_number_of_threads)
{
    constexpr int threads = 4;
    constexpr int successes = 2'000;
    constexpr int limit = 2;
    auto options = touchy;
    options.trial_attempts = limit;
    options.trial_successes = threads * successes;
    circuit_breaker breaker(options);
    EXPECT_TRUE(attempt(breaker, transient, 0s));

    std::atomic<int> running{0};
    std::atomic<int> most{0};
    std::atomic<int> not_half_open{0};
    auto const work = [&] {
        for (int i = 0; i != 2 * successes; ++i) {
            auto given = breaker.try_acquire(10s);
            for (; !given; given = breaker.try_acquire(10s)) std::this_thread::yield();
            auto const now_running = ++running;
            for (auto seen = most.load(); seen < now_running && !most.compare_exchange_weak(seen, now_running);) {}
            if (breaker.state(10s) != half_open) ++not_half_open;
            --running;
            if (i % 2 == 0)
                breaker.release(*given);
            else
                breaker.record(*given, success, 10s);
        }
    };
    std::vector<std::thread> all;
    for (int i = 0; i != threads; ++i) all.emplace_back(work);
    for (auto& each : all) each.join();
    EXPECT_LE(most, limit);
    EXPECT_EQ(not_half_open, 0);
    EXPECT_EQ(breaker.state(10s), closed);
}

TEST(circuit_breaker, goes_from_state_to_state_one_at_a_time_under_any_number_of_threads)
{
    struct locking_observer final : circuit_observer {
        void state_changed(circuit_breaker const&, circuit_change const& change) override
        {
            std::lock_guard const lock(mutex);
            changes.push_back(change);
        }

        std::mutex mutex;
        std::vector<circuit_change> changes;
    } observer;
    circuit_breaker breaker{
        {.window = 100us,
         .minimum_throughput = 4,
         .open_time = 10us,
         .maximum_open_time = 40us,
         .trial_attempts = 2,
         .trial_successes = 2,
         .observer = &observer}};
    std::atomic<std::int64_t> time{0};
    auto const work = [&](std::uint64_t seed) {
        detail::split_mix random(seed);
        for (int i = 0; i != 10'000; ++i) {
            nanoseconds const now(time.fetch_add(1'000));
            auto const given = breaker.try_acquire(now);
            if (!given) continue;
            auto const choice = random.next() % 8;
            if (choice == 0)
                breaker.release(*given);
            else
                breaker.record(*given, choice < 5 ? success : transient, now);
        }
    };
    std::vector<std::thread> all;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) all.emplace_back(work, seed);
    for (auto& each : all) each.join();

    auto& changes = observer.changes;
    std::sort(changes.begin(), changes.end(), [](auto const& a, auto const& b) { return a.number < b.number; });
    // Every way there is was taken, many times.
    ASSERT_GT(changes.size(), 100u);
    auto before = closed;
    std::uint64_t number = 0;
    for (auto const& each : changes) {
        EXPECT_EQ(each.number, ++number);
        EXPECT_EQ(each.from, before);
        EXPECT_TRUE(each.to == (each.from == closed ? opened : half_open) || each.from == half_open);
        EXPECT_NE(each.to, each.from);
        before = each.to;
    }
    auto const last = nanoseconds(time.load()) + 1h;
    EXPECT_EQ(breaker.state(last), before == opened ? half_open : before);
}
