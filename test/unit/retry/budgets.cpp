//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/aws_retry_quota.hpp>
#include <backbeat/budget.hpp>
#include <backbeat/budget_registry.hpp>
#include <backbeat/detail/last_second.hpp>
#include <backbeat/finagle_retry_budget.hpp>
#include <backbeat/grpc_retry_throttle.hpp>
#include <backbeat/retry_budget.hpp>
#include <backbeat/retry_errc.hpp>
#include <backbeat/retry_schedule.hpp>

#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

using namespace backbeat;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;

namespace {

constexpr auto infinity = std::numeric_limits<double>::infinity();
constexpr auto not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr auto success = attempt_outcome::success;
constexpr auto permanent = attempt_outcome::permanent;
constexpr auto transient = attempt_outcome::transient;
constexpr auto throttled = attempt_outcome::throttled;
constexpr auto timed_out = attempt_outcome::timed_out;

static_assert(std::is_trivially_destructible_v<retry_budget_options>);
static_assert(std::is_trivially_destructible_v<grpc_retry_throttle_options>);
static_assert(std::is_trivially_destructible_v<aws_retry_quota_options>);
static_assert(std::is_trivially_destructible_v<finagle_retry_budget_options>);

// The retries granted until one is refused, or until there seems to be no end of them.
int drain(budget& shared, nanoseconds now, attempt_outcome outcome = transient)
{
    int granted = 0;
    while (granted != 10'000'000 && shared.try_withdraw(outcome, now)) ++granted;
    return granted;
}

void succeed(budget& shared, int times, nanoseconds now)
{
    for (int i = 0; i != times; ++i) shared.attempt_ended(success, 0, now);
}

template <class Budget>
struct contradiction {
    typename Budget::options_type options;
    std::string_view message;
};

template <class Budget>
void expect_invalid(std::vector<contradiction<Budget>> const& contradictions)
{
    for (auto const& each : contradictions) {
        SCOPED_TRACE(each.message);
        auto const error = validate(each.options);
        EXPECT_EQ(error, retry_errc::invalid_options);
        EXPECT_EQ(error.message(), each.message);
        try {
            Budget const made(each.options);
            ADD_FAILURE() << "was made of invalid options";
        } catch (boost::system::system_error const& thrown) {
            EXPECT_EQ(thrown.code(), retry_errc::invalid_options);
            EXPECT_EQ(thrown.code().message(), each.message);
        }
    }
}

template <class Budget>
void expect_valid(std::vector<typename Budget::options_type> const& valid)
{
    for (std::size_t i = 0; i != valid.size(); ++i) {
        SCOPED_TRACE(i);
        EXPECT_FALSE(validate(valid[i])) << validate(valid[i]).message();
        EXPECT_NO_THROW(Budget{valid[i]});
    }
}

// Runs the same function on several threads, which start together.
template <class Function>
void on_threads(int count, Function function)
{
    std::atomic<int> waiting{count};
    std::vector<std::thread> threads;
    for (int i = 0; i != count; ++i) {
        threads.emplace_back([&waiting, &function, i] {
            waiting.fetch_sub(1);
            while (waiting.load() != 0) std::this_thread::yield();
            function(i);
        });
    }
    for (auto& each : threads) each.join();
}

}  // namespace

// retry_budget

TEST(retry_budget, has_the_documented_defaults)
{
    retry_budget_options const options;
    EXPECT_EQ(options.deposit, 0.25);
    EXPECT_EQ(options.cost, 1);
    EXPECT_EQ(options.throttled_cost, 0.5);
    EXPECT_EQ(options.minimum_capacity, 5);
    EXPECT_EQ(options.capacity_per_success, 0.25);
    EXPECT_EQ(options.refill_interval, 20s);
}

TEST(retry_budget, starts_full_and_refuses_what_it_cannot_pay)
{
    retry_budget tokens;
    EXPECT_EQ(tokens.balance(0s), 5);
    EXPECT_EQ(drain(tokens, 0s), 5);
    EXPECT_EQ(tokens.balance(0s), 0);
    EXPECT_FALSE(tokens.try_withdraw(throttled, 0s));
    EXPECT_EQ(tokens.granted(), 5u);
    EXPECT_EQ(tokens.refused(), 2u);
}

TEST(retry_budget, charges_half_of_it_for_a_throttled_attempt_only)
{
    retry_budget tokens;
    EXPECT_EQ(drain(tokens, 0s, throttled), 10);

    retry_budget others;
    EXPECT_EQ(others.try_withdraw(timed_out, 0s), 1'000'000u);
    EXPECT_EQ(others.try_withdraw(transient, 0s), 1'000'000u);
    EXPECT_EQ(others.try_withdraw(throttled, 0s), 500'000u);
    EXPECT_EQ(others.balance(0s), 2.5);
}

TEST(retry_budget, a_refusal_takes_nothing)
{
    retry_budget tokens({.refill_interval = 0s});
    EXPECT_EQ(drain(tokens, 0s, throttled), 10);
    succeed(tokens, 3, 0s);
    EXPECT_FALSE(tokens.try_withdraw(transient, 0s));
    EXPECT_EQ(tokens.balance(0s), 0.75);
    EXPECT_TRUE(tokens.try_withdraw(throttled, 0s));
    EXPECT_EQ(tokens.balance(0s), 0.25);
}

TEST(retry_budget, is_paid_into_by_attempts_that_are_done_or_permanent_and_by_no_others)
{
    for (auto const& [outcome, expected] :
         {std::pair{success, 1.0}, {permanent, 1.0}, {transient, 0.0}, {throttled, 0.0}, {timed_out, 0.0}}) {
        SCOPED_TRACE(static_cast<int>(outcome));
        retry_budget tokens;
        drain(tokens, 0s);
        for (int i = 0; i != 4; ++i) tokens.attempt_ended(outcome, 0, 0s);
        EXPECT_EQ(tokens.balance(0s), expected);
        EXPECT_EQ(drain(tokens, 0s), static_cast<int>(expected));
    }
}

TEST(retry_budget, a_retry_that_succeeds_pays_in_as_much_as_any_attempt)
{
    retry_budget tokens;
    drain(tokens, 0s);
    tokens.attempt_ended(success, 1'000'000, 0s);
    EXPECT_EQ(tokens.balance(0s), 0.25);
}

TEST(retry_budget, gets_back_what_was_not_used_as_far_as_there_is_room)
{
    retry_budget tokens;
    auto const taken = tokens.try_withdraw(throttled, 0s);
    ASSERT_TRUE(taken);
    EXPECT_EQ(tokens.balance(0s), 4.5);
    tokens.give_back(*taken, 0s);
    EXPECT_EQ(tokens.balance(0s), 5);
    tokens.give_back(*taken, 0s);
    EXPECT_EQ(tokens.balance(0s), 5);
}

TEST(retry_budget, holds_no_more_than_five_tokens_or_a_quarter_of_the_last_seconds_successes)
{
    for (auto const& [successes, expected] :
         {std::pair{0, 5.0}, {1, 5.0}, {19, 5.0}, {20, 5.0}, {21, 5.25}, {40, 10.0}, {4000, 1000.0}}) {
        SCOPED_TRACE(successes);
        retry_budget tokens;
        succeed(tokens, successes, 0s);
        EXPECT_EQ(tokens.capacity(0s), expected);
        EXPECT_EQ(tokens.balance(0s), expected);
        EXPECT_EQ(drain(tokens, 0s), static_cast<int>(expected));
    }
}

TEST(retry_budget, counts_permanent_answers_as_successes_of_the_last_second)
{
    retry_budget tokens;
    for (int i = 0; i != 40; ++i) tokens.attempt_ended(permanent, 0, 0s);
    EXPECT_EQ(tokens.capacity(0s), 10);
}

TEST(retry_budget, cannot_spend_in_bad_times_what_it_held_in_good_ones)
{
    retry_budget tokens;
    succeed(tokens, 4000, 0s);
    EXPECT_EQ(tokens.balance(999ms), 1000);
    EXPECT_EQ(tokens.balance(1s), 5);
    EXPECT_EQ(drain(tokens, 1s), 5);
}

TEST(retry_budget, counts_a_success_for_980_milliseconds_at_least_and_for_a_second_at_most)
{
    for (auto const& [at, until] : {
             std::pair{nanoseconds(0ms), nanoseconds(1s)},
             {5s, 6s},
             {20ms, 1020ms},
             {1ns, 1s},
             {10ms, 1s},
             {20ms - 1ns, 1s},
             {-1ns, 980ms},
             {-20ms, 980ms},
             {-1h, 1s - 1h},
         }) {
        SCOPED_TRACE(at.count());
        retry_budget tokens;
        succeed(tokens, 40, at);
        EXPECT_EQ(tokens.capacity(at), 10);
        EXPECT_EQ(tokens.capacity(until - 1ns), 10);
        EXPECT_EQ(tokens.capacity(until), 5);
        EXPECT_EQ(tokens.capacity(until + 1h), 5);
        EXPECT_GE(until - at, 980ms);
        EXPECT_LE(until - at, 1s);
    }
}

TEST(retry_budget, slides_over_the_last_second)
{
    retry_budget tokens;
    // 100 a second for two seconds, then 300 a second.
    for (auto now = nanoseconds(0s); now < 4s; now += 20ms) succeed(tokens, now < 2s ? 2 : 6, now);
    EXPECT_EQ(tokens.capacity(3980ms), 75);

    retry_budget growing;
    for (auto now = nanoseconds(0s); now < 2s; now += 20ms) succeed(growing, 2, now);
    EXPECT_EQ(growing.capacity(1980ms), 25);
    for (auto now = nanoseconds(2s); now < 2500ms; now += 20ms) succeed(growing, 6, now);
    EXPECT_EQ(growing.capacity(2480ms), 50);
    EXPECT_EQ(growing.capacity(2980ms), 37.5);
}

TEST(retry_budget, gets_a_token_in_twenty_seconds_whatever_happens)
{
    retry_budget tokens;
    EXPECT_EQ(drain(tokens, 7s), 5);
    for (auto const& [now, expected] : {
             std::pair{nanoseconds(7s), 0.0},
             {7s + 19'999ns, 0.0},
             {7s + 20'000ns, 0.000001},
             {12s, 0.25},
             {17s, 0.5},
             {27s - 1ns, 0.999999},
             {27s, 1.0},
             {67s, 3.0},
             {107s, 5.0},
             {1000h, 5.0},
         }) {
        SCOPED_TRACE(now.count());
        EXPECT_EQ(tokens.balance(now), expected);
    }
    EXPECT_FALSE(tokens.try_withdraw(transient, 27s - 1ns));
    EXPECT_TRUE(tokens.try_withdraw(transient, 27s));
    EXPECT_EQ(tokens.balance(27s), 0);
    EXPECT_EQ(drain(tokens, 1000h), 5);
}

TEST(retry_budget, refills_do_not_drift)
{
    for (auto const& [interval, step] : {
             std::pair{nanoseconds(20s), nanoseconds(333'333'333)},
             {7s + 1ns, 9'999'991ns},
             {1ms, 17ns},
             {24h, 59min + 7ns},
         }) {
        SCOPED_TRACE(interval.count());
        retry_budget tokens({.throttled_cost = 0.25, .refill_interval = interval});
        nanoseconds const begun = 3h;
        drain(tokens, begun);
        auto const already = tokens.granted();
        auto now = begun;
        for (int i = 0; i != 100'000; ++i) {
            now += step;
            // The answer is thrown away: refusals take up the refills as well.
            static_cast<void>(tokens.try_withdraw(transient, now));
        }
        // In whole numbers, which are exact: long double has 64 bits for less than 2^63 millionths.
        auto const refilled =
            std::floor(static_cast<long double>((now - begun).count()) * 1'000'000 / interval.count());
        auto const spent = static_cast<long double>(tokens.granted() - already) * 1'000'000;
        EXPECT_EQ(std::round(tokens.balance(now) * 1e6), static_cast<double>(refilled - spent));
    }
}

TEST(retry_budget, without_an_interval_is_not_refilled)
{
    retry_budget tokens({.refill_interval = 0s});
    drain(tokens, 0s);
    EXPECT_EQ(tokens.balance(100'000h), 0);
    EXPECT_FALSE(tokens.try_withdraw(throttled, 100'000h));
}

TEST(retry_budget, takes_a_time_that_goes_back_for_no_time_passed)
{
    retry_budget tokens;
    drain(tokens, 100s);
    EXPECT_FALSE(tokens.try_withdraw(throttled, 109s));
    EXPECT_EQ(tokens.balance(109s), 0.45);
    EXPECT_FALSE(tokens.try_withdraw(throttled, 104s));
    EXPECT_EQ(tokens.balance(90s), 0.45);
    EXPECT_EQ(tokens.balance(109s), 0.45);
    EXPECT_EQ(tokens.balance(110s), 0.5);

    // What others counted a moment ahead is counted.
    retry_budget busy;
    succeed(busy, 40, 20ms);
    EXPECT_EQ(busy.capacity(19ms), 10);
    succeed(busy, 40, 5ms);
    EXPECT_EQ(busy.capacity(19ms), 20);
    // A thread that was held up for longer than is remembered counts all the same.
    succeed(busy, 40, 2s);
    succeed(busy, 40, 2s - 1280ms);
    EXPECT_EQ(busy.capacity(2s), 20);
}

TEST(retry_budget, knows_all_times_that_there_are)
{
    for (auto const& [now, later] : {
             std::pair{(nanoseconds::min)(), nanoseconds(0)},
             {(nanoseconds::min)() + 1ns, -1ns},
             {-1ns, (nanoseconds::max)()},
             {0ns, (nanoseconds::max)()},
         }) {
        SCOPED_TRACE(now.count());
        retry_budget tokens;
        succeed(tokens, 40, now);
        EXPECT_EQ(tokens.balance(now), 10);
        EXPECT_EQ(drain(tokens, now), 10);
        EXPECT_EQ(tokens.balance(now), 0);
        EXPECT_EQ(tokens.balance(later), 5);
        EXPECT_EQ(drain(tokens, later), 5);
        succeed(tokens, 40, later);
        EXPECT_EQ(tokens.balance(later), 10);
    }
    // The longest time that there is, at the quickest refill that there is.
    retry_budget often({.refill_interval = 1ms});
    drain(often, (nanoseconds::min)());
    EXPECT_EQ(drain(often, (nanoseconds::max)()), 5);
    EXPECT_EQ(often.balance((nanoseconds::max)()), 0);
}

TEST(retry_budget, keeps_amounts_to_a_millionth)
{
    retry_budget tokens(
        {.deposit = 0.000001,
         .cost = 0.000003,
         .throttled_cost = 1000,
         .minimum_capacity = 1000,
         .capacity_per_success = 0,
         .refill_interval = 0s});
    EXPECT_EQ(drain(tokens, 0s, throttled), 1);
    succeed(tokens, 10, 0s);
    EXPECT_EQ(drain(tokens, 0s), 3);
    EXPECT_EQ(tokens.balance(0s), 0.000001);

    // A tenth has no exact binary form; ten of them are one all the same.
    retry_budget tenths({.deposit = 0.1});
    drain(tenths, 0s);
    succeed(tenths, 10, 0s);
    EXPECT_EQ(tenths.balance(0s), 1);
}

TEST(retry_budget, agrees_with_a_model_of_the_design)
{
    std::mt19937 random(20260901);
    auto const upto = [&random](int n) { return static_cast<int>(random() % static_cast<unsigned>(n + 1)); };
    for (int round = 0; round != 50; ++round) {
        retry_budget tokens;
        // The model in millionths: times of successes, one step after the other. Times are multiples of 20 ms, at which
        // the last second is exact.
        std::deque<nanoseconds> successes;
        std::int64_t balance = 5'000'000;
        std::int64_t capacity = balance;
        nanoseconds now = 0s;
        nanoseconds refilled = now;
        auto const pass = [&](std::int64_t paid_in) {
            while (!successes.empty() && successes.front() <= now - 1s) successes.pop_front();
            capacity = (std::max<std::int64_t>)(5'000'000, 250'000 * static_cast<std::int64_t>(successes.size()));
            balance = (std::min)(balance + (now - refilled) / 20us + paid_in, capacity);
            refilled = now;
        };
        bool begun = false;
        auto const rate = upto(40);
        for (int step = 0; step != 2000; ++step) {
            if (upto(100) == 0) now += upto(3) * 10s;
            now += upto(2) * 20ms;
            // The refill is counted from the first call.
            if (!std::exchange(begun, true)) refilled = now;
            switch (upto(3)) {
            case 0:
                for (int i = upto(rate); i != 0; --i) {
                    tokens.attempt_ended(upto(1) == 0 ? success : permanent, 0, now);
                    successes.push_back(now);
                    pass(250'000);
                }
                break;
            case 1: tokens.attempt_ended(transient, 0, now); break;
            case 2: {
                auto const outcome = std::array{transient, throttled, timed_out}[static_cast<std::size_t>(upto(2))];
                auto const cost = outcome == throttled ? 500'000 : 1'000'000;
                for (int i = upto(3); i != 0; --i) {
                    pass(0);
                    ASSERT_EQ(tokens.try_withdraw(outcome, now).has_value(), balance >= cost);
                    if (balance >= cost) balance -= cost;
                }
                break;
            }
            case 3:
                if (balance + 500'000 > capacity) break;
                tokens.give_back(500'000, now);
                pass(500'000);
                break;
            }
            pass(0);
            ASSERT_EQ(std::llround(tokens.balance(now) * 1e6), balance) << "round " << round << ", step " << step;
            ASSERT_EQ(std::llround(tokens.capacity(now) * 1e6), capacity) << "round " << round << ", step " << step;
        }
    }
}

TEST(retry_budget, retries_a_fifth_that_fails_and_next_to_nothing_when_all_fails)
{
    retry_budget tokens;
    // A hundred operations a second, of which each fifth fails at first.
    int refused = 0;
    nanoseconds now = 0s;
    for (int i = 0; i != 1000; ++i, now += 10ms) {
        bool const fails = i % 5 == 0;
        if (fails) {
            tokens.attempt_ended(transient, 0, now);
            auto const taken = tokens.try_withdraw(transient, now);
            refused += taken ? 0 : 1;
            if (!taken) continue;
        }
        tokens.attempt_ended(success, 0, now);
    }
    EXPECT_EQ(refused, 0);

    // Then everything fails for a minute: what is there, and three tokens of the time that passes.
    auto const before = tokens.granted();
    for (int i = 0; i != 6000; ++i, now += 10ms) {
        tokens.attempt_ended(transient, 0, now);
        static_cast<void>(tokens.try_withdraw(transient, now));
    }
    auto const retries = tokens.granted() - before;
    EXPECT_LE(retries, 25u + 3u);
    EXPECT_GE(retries, 5u + 2u);
}

TEST(retry_budget, a_crowd_of_schedules_spends_no_more_than_there_is)
{
    retry_budget tokens;
    retry_options const options{.jitter = jitter::none, .wait_resolution = 0s, .budget = &tokens};
    int attempts = 0;
    int refused = 0;
    for (int i = 0; i != 1000; ++i) {
        retry_schedule schedule(options, 0s);
        nanoseconds now = 0s;
        for (;;) {
            ASSERT_FALSE(schedule.before_attempt(now));
            ++attempts;
            auto const decision = schedule.after_attempt(verdict::retry(), now);
            if (!decision.retry) {
                refused += decision.reason == stop_reason::budget ? 1 : 0;
                break;
            }
            now = decision.until;
        }
    }
    // Five at first, and one for every twenty seconds: the six attempts of the first end after 31 s.
    EXPECT_GE(attempts, 1005);
    EXPECT_LE(attempts, 1007);
    EXPECT_GE(refused, 998);
}

TEST(retry_budget, says_what_is_wrong_with_its_options)
{
    constexpr std::string_view deposit =
        "deposit is not between 0 and 1000; 0 leaves it to time alone to fill the budget, 0.25 is usual";
    constexpr std::string_view cost = "cost is not between 0.000001 and 1000; 1 is usual";
    constexpr std::string_view throttled_cost = "throttled_cost is not between 0.000001 and 1000; 0.5 is usual";
    constexpr std::string_view minimum_capacity = "minimum_capacity is not between 0.000001 and 1000000; 5 is usual";
    constexpr std::string_view per_success =
        "capacity_per_success is not between 0 and 1000; 0 keeps the capacity constant, 0.25 is usual";
    constexpr std::string_view interval =
        "refill_interval is neither zero (no refill) nor between 1 ms and 24 h; 20 s is usual";
    expect_invalid<retry_budget>({
        {{.deposit = -0.1}, deposit},
        {{.deposit = 1000.1}, deposit},
        {{.deposit = not_a_number}, deposit},
        {{.deposit = infinity}, deposit},
        {{.cost = 0}, cost},
        {{.cost = -1}, cost},
        {{.cost = 0.0000009}, cost},
        {{.cost = 1001}, cost},
        {{.cost = not_a_number}, cost},
        {{.cost = infinity}, cost},
        {{.throttled_cost = 0}, throttled_cost},
        {{.throttled_cost = -1}, throttled_cost},
        {{.throttled_cost = not_a_number}, throttled_cost},
        {{.throttled_cost = infinity}, throttled_cost},
        {{.minimum_capacity = 0}, minimum_capacity},
        {{.minimum_capacity = -5}, minimum_capacity},
        {{.minimum_capacity = 1'000'001}, minimum_capacity},
        {{.minimum_capacity = not_a_number}, minimum_capacity},
        {{.minimum_capacity = infinity}, minimum_capacity},
        {{.minimum_capacity = 0.9},
         "minimum_capacity is below cost, so an idle client could never retry; raise minimum_capacity or lower cost"},
        {{.throttled_cost = 6},
         "minimum_capacity is below throttled_cost, so an idle client could never retry; raise minimum_capacity or "
         "lower throttled_cost"},
        {{.capacity_per_success = -0.25}, per_success},
        {{.capacity_per_success = 1001}, per_success},
        {{.capacity_per_success = not_a_number}, per_success},
        {{.refill_interval = -1ns}, interval},
        {{.refill_interval = 1ms - 1ns}, interval},
        {{.refill_interval = 24h + 1ns}, interval},
        {{.refill_interval = (nanoseconds::max)()}, interval},
        {{.refill_interval = (nanoseconds::min)()}, interval},
        // The first in the order of the fields.
        {{.deposit = -1, .cost = 0}, deposit},
    });
}

TEST(retry_budget, takes_all_options_that_make_sense)
{
    expect_valid<retry_budget>({
        {},
        {.deposit = 0},
        {.deposit = 1000,
         .cost = 1000,
         .throttled_cost = 1000,
         .minimum_capacity = 1'000'000,
         .capacity_per_success = 1000,
         .refill_interval = 24h},
        {.cost = 0.000001,
         .throttled_cost = 0.000001,
         .minimum_capacity = 0.000001,
         .capacity_per_success = 0,
         .refill_interval = 1ms},
        {.minimum_capacity = 1},
        {.refill_interval = 0s},
    });
    EXPECT_EQ(retry_budget({.deposit = 0.1}).options().deposit, 0.1);
}

TEST(retry_budget, the_books_balance_after_several_threads)
{
    // No capacity is ever reached, so that nothing that is paid in is lost.
    retry_budget tokens(
        {.throttled_cost = 1000, .minimum_capacity = 1'000'000, .capacity_per_success = 0, .refill_interval = 0s});
    EXPECT_EQ(drain(tokens, 0s, throttled), 1000);
    ASSERT_EQ(tokens.balance(0s), 0);
    constexpr int threads = 4;
    constexpr int steps = 20'000;
    std::atomic<std::int64_t> given_back{0};
    on_threads(threads, [&](int thread) {
        std::minstd_rand random(static_cast<unsigned>(thread) + 1);
        for (int i = 0; i != steps; ++i) {
            tokens.attempt_ended(success, 0, 0s);
            auto const taken = tokens.try_withdraw(transient, 0s);
            if (taken && random() % 3 == 0) {
                tokens.give_back(*taken, 0s);
                given_back.fetch_add(1);
            }
        }
    });
    auto const spent = static_cast<double>(tokens.granted() - 1000) - static_cast<double>(given_back.load());
    EXPECT_EQ(tokens.balance(0s), 0.25 * threads * steps - spent);
    EXPECT_EQ(tokens.granted() + tokens.refused(), 1000u + 1 + threads * steps);
    EXPECT_GT(tokens.refused(), 1u);
}

TEST(retry_budget, refills_once_for_several_threads)
{
    retry_budget tokens(
        {.deposit = 0,
         .throttled_cost = 1000,
         .minimum_capacity = 1000,
         .capacity_per_success = 0,
         .refill_interval = 1ms});
    EXPECT_EQ(drain(tokens, 0s, throttled), 1);
    std::atomic<std::int64_t> clock{0};
    std::atomic<std::int64_t> latest{0};
    // Each reads the time, and may be held up: among the threads it goes back again and again.
    on_threads(4, [&](int) {
        for (int i = 0; i != 20'000; ++i) {
            auto const now = clock.fetch_add(1037) + 1037;
            static_cast<void>(tokens.try_withdraw(transient, nanoseconds(now)));
            for (auto seen = latest.load(); seen < now && !latest.compare_exchange_weak(seen, now);) {}
        }
    });
    nanoseconds const end(latest.load());
    auto const refilled = static_cast<double>(end.count());  // a millionth of a token each nanosecond
    EXPECT_EQ(std::round(tokens.balance(end) * 1e6), refilled - static_cast<double>(tokens.granted() - 1) * 1e6);
    EXPECT_GT(tokens.granted(), 50u);
}

TEST(retry_budget, grants_no_more_than_was_paid_for_while_threads_use_it)
{
    retry_budget tokens;
    std::atomic<std::int64_t> clock{0};
    std::atomic<std::int64_t> successes{0};
    std::atomic<std::int64_t> given_back{0};
    on_threads(4, [&](int thread) {
        std::minstd_rand random(static_cast<unsigned>(thread) + 1);
        for (int i = 0; i != 20'000; ++i) {
            nanoseconds const now(clock.fetch_add(100'000));
            if (random() % 2 == 0) {
                tokens.attempt_ended(success, 0, now);
                successes.fetch_add(1);
            } else if (auto const taken = tokens.try_withdraw(throttled, now); taken && random() % 4 == 0) {
                tokens.give_back(*taken, now);
                given_back.fetch_add(1);
            }
        }
    });
    // At first 5, then the successes, and 0.4 in 8 s of refill. About all of it is spent: twice as much was asked for.
    auto const paid = 5 + 0.25 * static_cast<double>(successes.load()) + 0.4;
    auto const spent = 0.5 * static_cast<double>(static_cast<std::int64_t>(tokens.granted()) - given_back.load());
    EXPECT_LE(spent, paid);
    EXPECT_GE(spent, paid * 0.9);
    EXPECT_GT(tokens.refused(), 0u);
}

TEST(retry_budget, loses_no_success_to_several_threads)
{
    retry_budget tokens;
    on_threads(4, [&](int) {
        for (int i = 0; i != 10'000; ++i) tokens.attempt_ended(success, 0, i % 2 == 0 ? 100ms : 900ms);
    });
    // In a slice of its own, for which nothing was added up while they ran.
    EXPECT_EQ(tokens.capacity(950ms), 10'000);
    EXPECT_EQ(tokens.capacity(1100ms), 5'000);
}

TEST(last_second, counts_events_that_come_late_or_early)
{
    detail::last_second events;
    events.add(100ms);
    EXPECT_EQ(events.count(100ms), 1u);
    events.add(60ms);
    EXPECT_EQ(events.count(100ms), 2u);
    events.add(140ms);
    EXPECT_EQ(events.count(100ms), 3u);
    events.add(100ms);
    EXPECT_EQ(events.count(100ms), 4u);
    EXPECT_EQ(events.count(1060ms), 3u);
    EXPECT_EQ(events.count(1100ms), 1u);
    EXPECT_EQ(events.count(1140ms), 0u);
}

// grpc_retry_throttle

TEST(grpc_retry_throttle, has_the_numbers_of_the_example)
{
    grpc_retry_throttle const throttle;
    EXPECT_EQ(throttle.options().max_tokens, 10u);
    EXPECT_EQ(throttle.options().token_ratio, 0.1);
    EXPECT_EQ(throttle.tokens(), 10);
}

TEST(grpc_retry_throttle, takes_a_token_for_each_failure_that_could_be_retried_and_none_for_a_permanent_one)
{
    for (auto const& [outcome, expected] :
         {std::pair{transient, 9.0}, {throttled, 9.0}, {timed_out, 9.0}, {permanent, 10.0}, {success, 10.0}}) {
        SCOPED_TRACE(static_cast<int>(outcome));
        grpc_retry_throttle throttle;
        throttle.attempt_ended(outcome, 0, 0s);
        EXPECT_EQ(throttle.tokens(), expected);
        EXPECT_EQ(throttle.try_withdraw(outcome, 0s), 0u);
        EXPECT_EQ(throttle.tokens(), expected);
        throttle.give_back(0, 0s);
        EXPECT_EQ(throttle.tokens(), expected);
    }
}

TEST(grpc_retry_throttle, refuses_at_half_of_the_tokens)
{
    grpc_retry_throttle throttle;
    for (int i = 0; i != 4; ++i) throttle.attempt_ended(transient, 0, 0s);
    EXPECT_TRUE(throttle.try_withdraw(transient, 0s));
    throttle.attempt_ended(transient, 0, 0s);
    EXPECT_EQ(throttle.tokens(), 5);
    EXPECT_FALSE(throttle.try_withdraw(transient, 0s));
    throttle.attempt_ended(success, 0, 0s);
    EXPECT_TRUE(throttle.try_withdraw(transient, 0s));
    EXPECT_EQ(throttle.granted(), 2u);
    EXPECT_EQ(throttle.refused(), 1u);

    // The half of an odd number is not rounded.
    grpc_retry_throttle odd({.max_tokens = 1, .token_ratio = 0.5});
    odd.attempt_ended(transient, 0, 0s);
    odd.attempt_ended(success, 0, 0s);
    EXPECT_FALSE(odd.try_withdraw(transient, 0s));
    EXPECT_EQ(odd.tokens(), 0.5);
}

TEST(grpc_retry_throttle, ignores_decimal_places_beyond_the_third)
{
    for (auto const& [ratio, expected] : {
             std::pair{0.5466, 0.546},
             {0.001, 0.001},
             {0.0019, 0.001},
             {0.1, 0.1},
             {0.29, 0.29},
             {0.57, 0.57},
             {1.001, 1.001},
             {1.6, 1.6},
             {999.9999, 999.999},
             {1000.0, 1000.0},
             {1e300, 1000.0},
         }) {
        SCOPED_TRACE(ratio);
        grpc_retry_throttle throttle({.max_tokens = 1000, .token_ratio = ratio});
        for (int i = 0; i != 1000; ++i) throttle.attempt_ended(transient, 0, 0s);
        ASSERT_EQ(throttle.tokens(), 0);
        throttle.attempt_ended(success, 0, 0s);
        EXPECT_EQ(throttle.tokens(), expected);
    }
    // However a ratio of three places is stored, it is not cut off.
    grpc_retry_throttle empty({.max_tokens = 1});
    empty.attempt_ended(transient, 0, 0s);
    for (int thousandths = 1; thousandths <= 1'000'000; ++thousandths) {
        grpc_retry_throttle throttle({.max_tokens = 1000, .token_ratio = thousandths / 1000.0}, empty);
        throttle.attempt_ended(success, 0, 0s);
        ASSERT_EQ(throttle.tokens(), thousandths / 1000.0);
    }
}

TEST(grpc_retry_throttle, keeps_its_share_of_tokens_when_it_is_replaced)
{
    grpc_retry_throttle old({.max_tokens = 4, .token_ratio = 1});
    old.attempt_ended(transient, 0, 0s);
    grpc_retry_throttle throttle({.max_tokens = 10, .token_ratio = 3}, old);
    EXPECT_EQ(throttle.tokens(), 7.5);
    EXPECT_EQ(throttle.options().max_tokens, 10u);
    for (int i = 0; i != 3; ++i) throttle.attempt_ended(transient, 0, 0s);
    EXPECT_FALSE(throttle.try_withdraw(transient, 0s));
    throttle.attempt_ended(success, 0, 0s);
    EXPECT_EQ(throttle.tokens(), 7.5);
    EXPECT_EQ(old.tokens(), 3);

    EXPECT_THROW(grpc_retry_throttle({.max_tokens = 0}, old), boost::system::system_error);
}

TEST(grpc_retry_throttle, says_what_is_wrong_with_its_options)
{
    constexpr std::string_view max_tokens = "max_tokens is not between 1 and 1000; gRPC's example has 10";
    constexpr std::string_view token_ratio =
        "token_ratio is not a finite number of at least 0.001; gRPC's example has 0.1";
    expect_invalid<grpc_retry_throttle>({
        {{.max_tokens = 0}, max_tokens},
        {{.max_tokens = 1001}, max_tokens},
        {{.token_ratio = 0}, token_ratio},
        {{.token_ratio = 0.00099}, token_ratio},
        {{.token_ratio = -0.1}, token_ratio},
        {{.token_ratio = not_a_number}, token_ratio},
        {{.token_ratio = infinity}, token_ratio},
        {{.max_tokens = 0, .token_ratio = 0}, max_tokens},
    });
    expect_valid<grpc_retry_throttle>({
        {},
        {.max_tokens = 1, .token_ratio = 0.001},
        {.max_tokens = 1000, .token_ratio = 1e9},
    });
}

TEST(grpc_retry_throttle, the_books_balance_after_several_threads)
{
    grpc_retry_throttle throttle({.max_tokens = 1000, .token_ratio = 0.5});
    for (int i = 0; i != 400; ++i) throttle.attempt_ended(transient, 0, 0s);
    // Between none and all of them at any time, whatever the order: a failure for each two successes.
    on_threads(4, [&](int) {
        for (int i = 0; i != 20'000; ++i) {
            throttle.attempt_ended(transient, 0, 0s);
            static_cast<void>(throttle.try_withdraw(transient, 0s));
            throttle.attempt_ended(permanent, 0, 0s);
            throttle.attempt_ended(success, 0, 0s);
            throttle.attempt_ended(success, 0, 0s);
        }
    });
    EXPECT_EQ(throttle.tokens(), 600);
    EXPECT_EQ(throttle.granted() + throttle.refused(), 80'000u);
}

// aws_retry_quota

TEST(aws_retry_quota, charges_by_the_rules_that_are_chosen)
{
    struct rules {
        aws_retry_quota_options options;
        budget::amount for_transient;
        budget::amount for_throttled;
        budget::amount for_timed_out;
    };
    for (auto const& each : {
             rules{{}, 14, 5, 14},
             rules{aws_retry_quota_options::standard_2_1(), 14, 5, 14},
             rules{aws_retry_quota_options::legacy(), 5, 5, 10},
             rules{{.transient_cost = 10, .timeout_cost = 10}, 10, 5, 10},
         }) {
        aws_retry_quota quota(each.options);
        EXPECT_EQ(quota.tokens(), 500u);
        EXPECT_EQ(quota.try_withdraw(transient, 0s), each.for_transient);
        EXPECT_EQ(quota.try_withdraw(throttled, 0s), each.for_throttled);
        EXPECT_EQ(quota.try_withdraw(timed_out, 0s), each.for_timed_out);
        EXPECT_EQ(quota.tokens(), 500 - each.for_transient - each.for_throttled - each.for_timed_out);
    }
}

TEST(aws_retry_quota, refuses_what_it_cannot_pay_and_takes_nothing_for_it)
{
    aws_retry_quota quota({.initial_tokens = 32});
    EXPECT_EQ(drain(quota, 0s), 2);
    EXPECT_EQ(quota.tokens(), 4u);
    EXPECT_FALSE(quota.try_withdraw(throttled, 0s));
    EXPECT_EQ(quota.tokens(), 4u);
    quota.attempt_ended(success, 0, 0s);
    EXPECT_TRUE(quota.try_withdraw(throttled, 0s));
    EXPECT_EQ(quota.tokens(), 0u);
    EXPECT_EQ(quota.granted(), 3u);
    EXPECT_EQ(quota.refused(), 2u);

    aws_retry_quota none({.initial_tokens = 0});
    EXPECT_EQ(none.tokens(), 0u);
    EXPECT_FALSE(none.try_withdraw(throttled, 0s));
}

TEST(aws_retry_quota, is_paid_back_by_a_retry_that_succeeds_and_by_nothing_else)
{
    aws_retry_quota quota({.initial_tokens = 100});
    for (auto const outcome : {permanent, transient, throttled, timed_out}) {
        quota.attempt_ended(outcome, 14, 0s);
        quota.attempt_ended(outcome, 0, 0s);
        EXPECT_EQ(quota.tokens(), 100u);
    }
    quota.attempt_ended(success, 14, 0s);
    EXPECT_EQ(quota.tokens(), 114u);
    quota.attempt_ended(success, 0, 0s);
    EXPECT_EQ(quota.tokens(), 115u);
    quota.give_back(5, 0s);
    EXPECT_EQ(quota.tokens(), 120u);
}

TEST(aws_retry_quota, never_holds_more_than_its_capacity)
{
    aws_retry_quota quota;
    quota.attempt_ended(success, 0, 0s);
    EXPECT_EQ(quota.tokens(), 500u);
    static_cast<void>(quota.try_withdraw(throttled, 0s));
    quota.attempt_ended(success, 14, 0s);
    EXPECT_EQ(quota.tokens(), 500u);
    quota.give_back((std::numeric_limits<budget::amount>::max)(), 0s);
    EXPECT_EQ(quota.tokens(), 500u);

    aws_retry_quota largest({.capacity = (std::numeric_limits<std::uint32_t>::max)()});
    largest.give_back((std::numeric_limits<budget::amount>::max)(), 0s);
    EXPECT_EQ(largest.tokens(), (std::numeric_limits<std::uint32_t>::max)());
}

TEST(aws_retry_quota, says_what_is_wrong_with_its_options)
{
    expect_invalid<aws_retry_quota>({
        {{.transient_cost = 0},
         "transient_cost is zero, so the quota would limit nothing; it must be 1 or more, 14 is usual"},
        {{.timeout_cost = 0},
         "timeout_cost is zero, so the quota would limit nothing; it must be 1 or more, 14 is usual"},
        {{.throttled_cost = 0},
         "throttled_cost is zero, so the quota would limit nothing; it must be 1 or more, 5 is usual"},
        {{.capacity = 13},
         "capacity is below transient_cost, so nothing could be retried; raise capacity or lower transient_cost"},
        {{.capacity = 0},
         "capacity is below transient_cost, so nothing could be retried; raise capacity or lower transient_cost"},
        {{.timeout_cost = 501},
         "capacity is below timeout_cost, so no time-out could be retried; raise capacity or lower timeout_cost"},
        {{.throttled_cost = 501},
         "capacity is below throttled_cost, so no throttled attempt could be retried; raise capacity or lower "
         "throttled_cost"},
        {{.initial_tokens = 501},
         "initial_tokens is above capacity; lower initial_tokens, or leave it empty to start with all of them"},
    });
    expect_valid<aws_retry_quota>({
        {},
        aws_retry_quota_options::legacy(),
        {.capacity = 14},
        {.capacity = 1, .transient_cost = 1, .timeout_cost = 1, .throttled_cost = 1, .no_retry_increment = 0},
        {.initial_tokens = 500},
    });
}

TEST(aws_retry_quota, the_books_balance_after_several_threads)
{
    aws_retry_quota quota;
    constexpr int threads = 4;
    std::atomic<std::uint32_t> kept{0};
    std::atomic<std::uint64_t> asked{0};
    on_threads(threads, [&](int thread) {
        std::minstd_rand random(static_cast<unsigned>(thread) + 1);
        for (int i = 0; i != 20'000; ++i) {
            auto const outcome = random() % 2 == 0 ? transient : throttled;
            asked.fetch_add(1);
            auto const taken = quota.try_withdraw(outcome, 0s);
            if (!taken) continue;
            switch (random() % 1024) {
            case 0: kept.fetch_add(*taken); break;
            case 1: quota.give_back(*taken, 0s); break;
            default: quota.attempt_ended(success, *taken, 0s); break;
            }
        }
    });
    EXPECT_EQ(quota.tokens(), 500 - kept.load());
    EXPECT_EQ(quota.granted() + quota.refused(), asked.load());
}

// finagle_retry_budget

namespace {

// What Finagle does, without its ring: each amount with the number of the window that it was put into.
class finagle_model {
public:
    finagle_model(std::chrono::milliseconds ttl, std::int64_t reserve) : width_(ttl / 10), reserve_(reserve) {}

    void add(std::int64_t amount, std::chrono::milliseconds now)
    {
        move_on(now);
        amounts_.emplace_back(window_, amount);
    }

    std::int64_t count(std::chrono::milliseconds now)
    {
        move_on(now);
        auto result = reserve_;
        for (auto const& [window, amount] : amounts_)
            if (window > window_ - 10) result += amount;
        return result;
    }

private:
    void move_on(std::chrono::milliseconds now)
    {
        if (!begun_) begin_ = now;
        begun_ = true;
        if (now - begin_ < width_) return;
        window_ += (now - begin_) / width_;
        begin_ = now;
    }

    std::chrono::milliseconds width_;
    std::int64_t reserve_;
    std::chrono::milliseconds begin_{};
    bool begun_ = false;
    std::int64_t window_ = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>> amounts_;
};

}  // namespace

TEST(finagle_retry_budget, allows_a_fifth_of_the_operations_and_ten_a_second_by_default)
{
    finagle_retry_budget tokens;
    EXPECT_EQ(tokens.options().ttl, 10s);
    EXPECT_EQ(tokens.options().min_retries_per_second, 10u);
    EXPECT_EQ(tokens.options().percent_can_retry, 0.2);
    EXPECT_EQ(tokens.balance(0s), 100);
    EXPECT_EQ(tokens.try_withdraw(throttled, 0s), 5000u);
    EXPECT_EQ(drain(tokens, 0s), 99);
    for (int i = 0; i != 4; ++i) tokens.operation_started(0s);
    EXPECT_FALSE(tokens.try_withdraw(transient, 0s));
    tokens.operation_started(0s);
    EXPECT_EQ(tokens.balance(0s), 1);
    EXPECT_EQ(drain(tokens, 0s), 1);
    EXPECT_EQ(tokens.granted(), 101u);
    EXPECT_EQ(tokens.refused(), 3u);
}

TEST(finagle_retry_budget, asks_not_how_an_attempt_ended)
{
    finagle_retry_budget tokens({.min_retries_per_second = 0, .percent_can_retry = 1});
    for (auto const outcome : {success, permanent, transient, throttled, timed_out})
        tokens.attempt_ended(outcome, 0, 0s);
    EXPECT_EQ(tokens.balance(0s), 0);
    for (auto const outcome : {transient, throttled, timed_out}) {
        tokens.operation_started(0s);
        EXPECT_EQ(tokens.try_withdraw(outcome, 0s), 1000u);
    }
}

TEST(finagle_retry_budget, gets_back_what_was_not_used)
{
    finagle_retry_budget tokens({.min_retries_per_second = 0, .percent_can_retry = 0.5});
    tokens.operation_started(0s);
    tokens.operation_started(0s);
    auto const taken = tokens.try_withdraw(transient, 0s);
    ASSERT_EQ(taken, 2000u);
    EXPECT_EQ(tokens.balance(0s), 0);
    tokens.give_back(*taken, 0s);
    EXPECT_EQ(tokens.balance(0s), 1);
    EXPECT_EQ(drain(tokens, 0s), 1);
}

TEST(finagle_retry_budget, forgets_deposits_after_their_time)
{
    finagle_retry_budget tokens({.min_retries_per_second = 0, .percent_can_retry = 1});
    tokens.operation_started(0s);
    for (auto const& [now, expected] :
         {std::pair{nanoseconds(0s), 1}, {9s, 1}, {10s - 1ns, 1}, {10s, 0}, {11s, 0}, {1000h, 0}, {-1h, 1}})
        EXPECT_EQ(tokens.balance(now), expected) << now.count();
    EXPECT_TRUE(tokens.try_withdraw(transient, 10s - 1ns));
    EXPECT_EQ(tokens.balance(10s - 1ns), 0);
    // The deposit is forgotten before the withdrawal is.
    EXPECT_EQ(tokens.balance(11s), -1);
    EXPECT_EQ(tokens.balance(20s), 0);
}

TEST(finagle_retry_budget, begins_a_window_with_the_first_call_after_the_last_one_ended)
{
    finagle_retry_budget tokens({.min_retries_per_second = 0, .percent_can_retry = 1});
    tokens.operation_started(0s);
    // Not at 1 s and not at 2 s, but at 1.9 s: windows go with the calls.
    tokens.operation_started(1900ms);
    EXPECT_EQ(tokens.balance(2899ms), 2);
    tokens.operation_started(2800ms);
    EXPECT_EQ(tokens.balance(10'899ms), 3);
    EXPECT_EQ(tokens.balance(10'900ms), 2);
    EXPECT_EQ(tokens.balance(11'900ms), 0);
}

TEST(finagle_retry_budget, takes_a_time_that_goes_back_for_no_time_passed)
{
    finagle_retry_budget tokens({.min_retries_per_second = 0, .percent_can_retry = 1});
    tokens.operation_started(100s);
    tokens.operation_started(99s);
    EXPECT_EQ(tokens.balance(50s), 2);
    EXPECT_TRUE(tokens.try_withdraw(transient, 50s));
    EXPECT_EQ(tokens.balance(100s), 1);
}

TEST(finagle_retry_budget, agrees_with_a_model_of_finagle)
{
    struct parameters {
        std::chrono::milliseconds ttl;
        std::uint32_t min_retries_per_second;
        double percent_can_retry;
        std::int64_t cost;
    };
    std::mt19937 random(7);
    auto const upto = [&random](int n) { return static_cast<int>(random() % static_cast<unsigned>(n + 1)); };
    for (auto const& each : {
             parameters{10s, 10, 0.2, 5000},
             parameters{1s, 0, 0.5, 2000},
             parameters{60s, 1, 2.5, 400},
             parameters{1009ms, 3, 0.3, 3333},
             parameters{2s, 5, 0, 1},
             parameters{59'999ms, 0, 1000, 1},
         }) {
        for (int round = 0; round != 20; ++round) {
            finagle_retry_budget tokens(
                {.ttl = each.ttl,
                 .min_retries_per_second = each.min_retries_per_second,
                 .percent_can_retry = each.percent_can_retry});
            auto const reserve = each.min_retries_per_second * (each.ttl / 1s) * each.cost;
            finagle_model model(each.ttl, reserve);
            auto now = std::chrono::milliseconds(upto(5000) - 2500);
            auto const longest = static_cast<int>(each.ttl.count()) / (1 + upto(40));
            for (int step = 0; step != 1000; ++step) {
                now += std::chrono::milliseconds(upto(9) == 0 ? upto(longest) : upto(longest / 50));
                if (upto(2) != 0) {
                    tokens.operation_started(now);
                    if (each.percent_can_retry != 0) model.add(1000, now);
                    continue;
                }
                bool const enough = model.count(now) >= each.cost;
                if (enough) model.add(-each.cost, now);
                auto const taken = tokens.try_withdraw(transient, now + 999'999ns);
                ASSERT_EQ(taken.has_value(), enough) << "ttl " << each.ttl.count() << ", step " << step;
                if (taken) {
                    ASSERT_EQ(*taken, each.cost);
                }
                ASSERT_EQ(tokens.balance(now), model.count(now) / each.cost);
            }
        }
    }
}

TEST(finagle_retry_budget, knows_extreme_options_and_times)
{
    // As many as fit in Finagle's Int, and a reserve that does not overflow.
    finagle_retry_budget dear({.ttl = 60s, .min_retries_per_second = 1'000'000, .percent_can_retry = 1e-300});
    EXPECT_EQ(dear.balance(0s), 60'000'000);
    EXPECT_EQ(dear.try_withdraw(transient, 0s), 2'147'483'647u);

    finagle_retry_budget cheap({.percent_can_retry = 1000});
    EXPECT_EQ(cheap.try_withdraw(transient, 0s), 1u);

    for (auto const now : {(nanoseconds::min)(), nanoseconds(0), (nanoseconds::max)()}) {
        finagle_retry_budget tokens({.min_retries_per_second = 0, .percent_can_retry = 1});
        tokens.operation_started(now);
        EXPECT_EQ(tokens.balance((nanoseconds::max)()), now == (nanoseconds::max)() ? 1 : 0);
        EXPECT_EQ(drain(tokens, now), 1);
        EXPECT_EQ(tokens.balance((nanoseconds::max)()), 0);
    }
}

TEST(finagle_retry_budget, says_what_is_wrong_with_its_options)
{
    constexpr std::string_view ttl = "ttl is not between 1 s and 60 s; 10 s is usual";
    constexpr std::string_view reserve = "min_retries_per_second is above 1000000; zero keeps no reserve, 10 is usual";
    constexpr std::string_view percent =
        "percent_can_retry is not between 0 and 1000; 0.2 lets 20 % of the operations be retried";
    expect_invalid<finagle_retry_budget>({
        {{.ttl = 0s}, ttl},
        {{.ttl = 1s - 1ns}, ttl},
        {{.ttl = 60s + 1ns}, ttl},
        {{.ttl = -10s}, ttl},
        {{.min_retries_per_second = 1'000'001}, reserve},
        {{.percent_can_retry = -0.1}, percent},
        {{.percent_can_retry = 1000.1}, percent},
        {{.percent_can_retry = not_a_number}, percent},
        {{.percent_can_retry = infinity}, percent},
        {{.ttl = 0s, .percent_can_retry = -1}, ttl},
    });
    expect_valid<finagle_retry_budget>({
        {},
        {.ttl = 1s, .min_retries_per_second = 0, .percent_can_retry = 0},
        {.ttl = 60s, .min_retries_per_second = 1'000'000, .percent_can_retry = 1000},
    });
}

TEST(finagle_retry_budget, the_books_balance_after_several_threads)
{
    finagle_retry_budget tokens({.min_retries_per_second = 5, .percent_can_retry = 1});
    constexpr int threads = 4;
    constexpr int steps = 20'000;
    std::atomic<std::int64_t> given_back{0};
    on_threads(threads, [&](int thread) {
        std::minstd_rand random(static_cast<unsigned>(thread) + 1);
        for (int i = 0; i != steps; ++i) {
            if (random() % 2 == 0)
                tokens.operation_started(0s);
            else
                tokens.operation_started(500ms);
            for (auto left = 1 + random() % 2; left != 0; --left) {
                auto const taken = tokens.try_withdraw(transient, 0s);
                if (taken && random() % 5 == 0) {
                    tokens.give_back(*taken, 0s);
                    given_back.fetch_add(1);
                }
            }
        }
    });
    auto const granted = static_cast<std::int64_t>(tokens.granted()) - given_back.load();
    EXPECT_EQ(tokens.balance(0s), 50 + threads * steps - granted);
    EXPECT_GT(tokens.refused(), 0u);
}

TEST(finagle_retry_budget, what_threads_put_in_while_time_passes_is_taken_out_exactly_once)
{
    finagle_retry_budget tokens({.ttl = 1s, .min_retries_per_second = 10, .percent_can_retry = 1});
    std::atomic<std::int64_t> clock{0};
    on_threads(4, [&](int thread) {
        std::minstd_rand random(static_cast<unsigned>(thread) + 1);
        for (int i = 0; i != 20'000; ++i) {
            // Some steps skip windows, some skip all of them.
            auto const step =
                std::array<std::int64_t, 4>{0, 3, 120, 1500}[random() % 64 < 61 ? random() % 2 : 2 + random() % 2];
            nanoseconds const now = std::chrono::milliseconds(clock.fetch_add(step) + step);
            tokens.operation_started(now);
            static_cast<void>(tokens.try_withdraw(transient, now));
        }
    });
    nanoseconds const end = std::chrono::milliseconds(clock.load());
    // What a thread that was held up has put into the window that is next to come is found when that has expired.
    for (int window = 0; window != 12; ++window) tokens.operation_started(end + (window + 1) * 100ms);
    EXPECT_EQ(tokens.balance(end + 1h), 10);
    EXPECT_GT(tokens.granted(), 0u);
}

// budget_registry

namespace {

class counted_budget final : public budget {
public:
    explicit counted_budget(std::atomic<int>& count) { count.fetch_add(1); }
    void attempt_ended(attempt_outcome, amount, nanoseconds) noexcept override {}
    std::optional<amount> try_withdraw(attempt_outcome, nanoseconds) noexcept override { return 0; }
    void give_back(amount, nanoseconds) noexcept override {}
};

}  // namespace

TEST(budget_registry, makes_one_budget_for_each_key_and_keeps_it)
{
    budget_registry<> budgets;
    EXPECT_EQ(budgets.size(), 0u);
    EXPECT_EQ(budgets.maximum_keys(), 1024u);
    auto& one = budgets.for_key("one.example");
    auto& two = budgets.for_key(std::string("two.example"));
    EXPECT_NE(&one, &two);
    EXPECT_EQ(budgets.size(), 2u);
    EXPECT_EQ(&budgets.for_key(std::string_view("one.example")), &one);
    EXPECT_EQ(&budgets.for_key(std::string("two.example.x").substr(0, 11)), &two);
    EXPECT_EQ(budgets.size(), 2u);
    EXPECT_EQ(drain(one, 0s), 5);
    EXPECT_EQ(two.balance(0s), 5);

    for (int i = 0; i != 1000; ++i) static_cast<void>(budgets.for_key(std::to_string(i)));
    EXPECT_EQ(&budgets.for_key("one.example"), &one);
    EXPECT_EQ(one.balance(0s), 0);
}

TEST(budget_registry, takes_any_text_for_a_key)
{
    using namespace std::string_view_literals;
    budget_registry<> budgets;
    auto& empty = budgets.for_key("");
    auto& zero = budgets.for_key("\0"sv);
    EXPECT_NE(&empty, &zero);
    EXPECT_EQ(&budgets.for_key({}), &empty);
    EXPECT_EQ(&budgets.for_key("\0"sv), &zero);
}

TEST(budget_registry, gives_one_budget_to_all_keys_that_are_too_many)
{
    budget_registry<> budgets(2);
    auto& one = budgets.for_key("one");
    auto& two = budgets.for_key("two");
    auto& three = budgets.for_key("three");
    EXPECT_EQ(&three, &budgets.overflow());
    EXPECT_EQ(&budgets.for_key("four"), &budgets.overflow());
    EXPECT_NE(&one, &budgets.overflow());
    EXPECT_NE(&two, &budgets.overflow());
    EXPECT_EQ(&budgets.for_key("one"), &one);
    EXPECT_EQ(&budgets.for_key("two"), &two);
    EXPECT_EQ(budgets.size(), 2u);

    budget_registry<> none(0);
    EXPECT_EQ(&none.for_key("one"), &none.overflow());
    EXPECT_EQ(none.size(), 0u);
}

TEST(budget_registry, makes_budgets_of_the_options_given)
{
    budget_registry<> budgets({.minimum_capacity = 9}, 1);
    EXPECT_EQ(budgets.for_key("one").options().minimum_capacity, 9);
    EXPECT_EQ(budgets.overflow().options().minimum_capacity, 9);
    EXPECT_EQ(budgets.maximum_keys(), 1u);

    budget_registry<aws_retry_quota> quotas(aws_retry_quota_options::legacy());
    EXPECT_EQ(quotas.for_key("one").try_withdraw(timed_out, 0s), 10u);
    budget_registry<grpc_retry_throttle> throttles({.max_tokens = 4});
    EXPECT_EQ(throttles.for_key("one").tokens(), 4);
    budget_registry<finagle_retry_budget> twitter;
    EXPECT_EQ(twitter.for_key("one").balance(0s), 100);

    EXPECT_THROW(budget_registry<>({.cost = 0}), boost::system::system_error);
}

TEST(budget_registry, makes_budgets_with_a_function_and_is_unchanged_if_that_throws)
{
    std::atomic<int> made{0};
    bool failing = false;
    budget_registry<counted_budget> budgets(
        [&] {
            if (failing) throw std::bad_alloc();
            return std::make_unique<counted_budget>(made);
        },
        2);
    EXPECT_EQ(made, 1);
    auto& one = budgets.for_key("one");
    EXPECT_EQ(made, 2);
    failing = true;
    EXPECT_THROW(static_cast<void>(budgets.for_key("two")), std::bad_alloc);
    EXPECT_EQ(budgets.size(), 1u);
    EXPECT_EQ(&budgets.for_key("one"), &one);
    failing = false;
    EXPECT_NE(&budgets.for_key("two"), &budgets.overflow());
    EXPECT_EQ(made, 3);
    static_cast<void>(budgets.for_key("three"));
    EXPECT_EQ(made, 3);
}

TEST(budget_registry, refuses_a_function_that_is_empty)
{
    for (std::size_t const maximum_keys : {0u, 2u}) {
        try {
            budget_registry<> budgets(budget_registry<>::factory{}, maximum_keys);
            ADD_FAILURE();
        } catch (std::invalid_argument const& error) {
            EXPECT_STREQ(
                error.what(),
                "budget_registry: the function that makes budgets is empty; pass one that returns a budget");
        }
    }
}

TEST(budget_registry, refuses_a_function_that_returns_null_and_is_unchanged_if_it_does_so_later)
{
    constexpr char const* sentence =
        "budget_registry: the function that makes budgets returned null; it must return a budget each time";
    std::atomic<int> made{0};
    bool failing = true;
    auto const make = [&] { return failing ? nullptr : std::make_unique<counted_budget>(made); };
    try {
        budget_registry<counted_budget> budgets(make, 2);
        ADD_FAILURE();
    } catch (std::invalid_argument const& error) {
        EXPECT_STREQ(error.what(), sentence);
    }

    failing = false;
    budget_registry<counted_budget> budgets(make, 2);
    auto& one = budgets.for_key("one");
    failing = true;
    for (int i = 0; i != 2; ++i) {
        try {
            static_cast<void>(budgets.for_key("two"));
            ADD_FAILURE();
        } catch (std::invalid_argument const& error) {
            EXPECT_STREQ(error.what(), sentence);
        }
    }
    EXPECT_EQ(budgets.size(), 1u);
    EXPECT_EQ(&budgets.for_key("one"), &one);
    int visited = 0;
    budgets.for_each([&](std::string_view, counted_budget const&) { ++visited; });
    EXPECT_EQ(visited, 1);
    failing = false;
    EXPECT_NE(&budgets.for_key("two"), &budgets.overflow());
    EXPECT_EQ(budgets.size(), 2u);
}

TEST(budget_registry, shows_the_budgets_in_the_order_of_their_keys)
{
    budget_registry<> budgets(3);
    for (auto const* key : {"b", "c", "a", "d"}) static_cast<void>(budgets.for_key(key));
    drain(budgets.for_key("c"), 0s);
    std::string seen;
    budgets.for_each([&seen](std::string_view key, retry_budget const& each) {
        seen.append(key).append(std::to_string(each.refused())).append(" ");
    });
    EXPECT_EQ(seen, "a0 b0 c1 ");
}

TEST(budget_registry, gives_several_threads_the_same_budgets)
{
    std::atomic<int> made{0};
    budget_registry<counted_budget> budgets([&made] { return std::make_unique<counted_budget>(made); }, 100);
    std::array<std::vector<budget*>, 4> seen;
    on_threads(4, [&](int thread) {
        auto& mine = seen[static_cast<std::size_t>(thread)];
        for (int i = 0; i != 100; ++i) mine.push_back(&budgets.for_key(std::to_string(i)));
        for (int i = 100; i != 200; ++i) mine.push_back(&budgets.for_key(std::to_string(i)));
    });
    EXPECT_EQ(seen[0], seen[1]);
    EXPECT_EQ(seen[0], seen[2]);
    EXPECT_EQ(seen[0], seen[3]);
    EXPECT_EQ(budgets.size(), 100u);
    EXPECT_EQ(made, 101);
    EXPECT_EQ(std::count(seen[0].begin(), seen[0].end(), &budgets.overflow()), 100);
}
