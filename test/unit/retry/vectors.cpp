//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// What other libraries' specifications and tests say of retrying, as data: the same schedule and the same budgets that
// drive `async_retry` must answer alike. What is left out stands at the end, with its reason.

#include "random_sources.hpp"

#include <backbeat/aws_retry_quota.hpp>
#include <backbeat/backoff.hpp>
#include <backbeat/finagle_retry_budget.hpp>
#include <backbeat/grpc_retry_throttle.hpp>
#include <backbeat/retry_options.hpp>
#include <backbeat/retry_schedule.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace backbeat;
using namespace backbeat::test;
using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

namespace {

// What a server answered. Classification is not under test here: the classifier's verdict is what is given.
enum class answer : std::uint8_t { success, error, throttling, time_out, permanent };

retry_decision tell(retry_schedule& schedule, answer given, nanoseconds now)
{
    EXPECT_FALSE(schedule.before_attempt(now));
    switch (given) {
    case answer::success: return schedule.after_attempt(verdict::done(), now);
    case answer::error: return schedule.after_attempt(verdict::retry(), now);
    case answer::throttling: return schedule.after_attempt(verdict::throttled(), now);
    case answer::time_out: return schedule.after_attempt(verdict::retry(), now, interruption::attempt_timeout);
    case answer::permanent: return schedule.after_attempt(verdict::permanent(), now);
    }
    return {};
}

// AWS, standard mode

struct expectation {
    answer given;
    std::optional<milliseconds> delay;  // empty: no retry
    stop_reason reason;
    std::uint32_t tokens;
};

expectation retries(answer given, std::uint32_t tokens, milliseconds delay)
{
    return {given, delay, stop_reason::success, tokens};
}

expectation stops(answer given, stop_reason reason, std::uint32_t tokens)
{
    return {given, std::nullopt, reason, tokens};
}

struct aws_parameters {
    nanoseconds base = 50ms;
    nanoseconds throttling_base = 1s;
    nanoseconds cap = 20s;
    std::uint32_t attempts = 3;
    aws_retry_quota_options quota{};
};

struct aws_vector {
    std::string_view name;
    aws_parameters with;
    std::vector<std::vector<expectation>> calls;
};

void expect_aws(aws_vector const& vector)
{
    SCOPED_TRACE(vector.name);
    // The vectors have the factor of the jitter at 1, which is full jitter with the largest random number.
    constant_source all(all_jitter);
    aws_retry_quota quota(vector.with.quota);
    retry_options const options{
        .initial_backoff = vector.with.base,
        .maximum_backoff = vector.with.cap,
        .jitter = jitter::full,
        .throttled_backoff = vector.with.throttling_base,
        .maximum_retries = vector.with.attempts - 1,
        .wait_resolution = 0s,
        .budget = &quota,
        .random = &all};
    ASSERT_FALSE(validate(options)) << validate(options).message();

    nanoseconds now = 0s;
    for (auto const& call : vector.calls) {
        retry_schedule schedule(options, now);
        for (std::size_t i = 0; i != call.size(); ++i) {
            SCOPED_TRACE(i);
            auto const& expected = call[i];
            auto const decision = tell(schedule, expected.given, now);
            EXPECT_EQ(quota.tokens(), expected.tokens);
            ASSERT_EQ(decision.retry, expected.delay.has_value()) << to_string(decision.reason);
            ASSERT_EQ(decision.retry, i + 1 != call.size());
            if (!decision.retry) {
                EXPECT_STREQ(to_string(decision.reason), to_string(expected.reason));
                continue;
            }
            EXPECT_EQ(ns(decision.wait), ns(*expected.delay));
            now = decision.until;
        }
    }
}

aws_retry_quota_options starting_with(std::uint32_t tokens, aws_retry_quota_options rules = {})
{
    rules.initial_tokens = tokens;
    return rules;
}

// Of a call that goes on with success after the given answers.
std::vector<expectation> ladder(
    std::vector<std::pair<answer, milliseconds>> const& steps, aws_retry_quota_options rules)
{
    std::vector<expectation> result;
    std::uint32_t tokens = 500;
    std::uint32_t cost = 0;
    for (auto const& [given, delay] : steps) {
        cost = given == answer::throttling ? rules.throttled_cost : rules.transient_cost;
        tokens -= cost;
        result.push_back(retries(given, tokens, delay));
    }
    result.push_back(stops(answer::success, stop_reason::success, tokens + cost));
    return result;
}

// What row 1 of 2.1 waits first if the server gives a hint.
nanoseconds wait_for_hint(nanoseconds hint)
{
    constant_source all(all_jitter);
    retry_schedule schedule(
        {.initial_backoff = 50ms,
         .maximum_backoff = 20s,
         .jitter = jitter::full,
         .wait_resolution = 0s,
         .random = &all},
        0s);
    EXPECT_FALSE(schedule.before_attempt(0s));
    return schedule.after_attempt(verdict::retry(hint), 0s).wait;
}

}  // namespace

// https://github.com/smithy-lang/smithy-typescript (retries.integ.spec.ts), https://github.com/smithy-lang/smithy-rs
// (standard.rs), https://github.com/boto/botocore (test_standard_retry_v2_1.py): the numbers are those of the
// specification's table.
TEST(vectors, aws_standard_mode_2_1)
{
    using enum answer;
    constexpr auto done = stop_reason::success;
    constexpr auto exhausted = stop_reason::exhausted;
    constexpr auto quota_exceeded = stop_reason::budget;
    std::vector<aws_vector> const vectors{
        {"1 eventual success",
         {},
         {{retries(error, 486, 50ms), retries(error, 472, 100ms), stops(success, done, 486)}}},
        {"2 maximum of attempts",
         {},
         {{retries(error, 486, 50ms), retries(error, 472, 100ms), stops(error, exhausted, 472)}}},
        {"3 quota reached after one retry",
         {.quota = starting_with(14)},
         {{retries(error, 0, 50ms), stops(error, quota_exceeded, 0)}}},
        {"4 no quota at all", {.quota = starting_with(0)}, {{stops(error, quota_exceeded, 0)}}},
        {"5 timing",
         {.attempts = 5},
         {{retries(error, 486, 50ms),
           retries(error, 472, 100ms),
           retries(error, 458, 200ms),
           retries(error, 444, 400ms),
           stops(error, exhausted, 444)}}},
        {"6 quota exhausted",
         {.attempts = 5, .quota = starting_with(20)},
         {{retries(error, 6, 50ms), stops(error, quota_exceeded, 6)}}},
        {"7 quota recovers",
         {.attempts = 5, .quota = starting_with(30)},
         {{retries(error, 16, 50ms), retries(error, 2, 100ms), stops(success, done, 16)},
          {retries(error, 2, 50ms), stops(success, done, 16)}}},
        {"8 throttling", {}, {{retries(throttling, 495, 1s), stops(success, done, 500)}}},
        {"9 DynamoDB",
         {.base = 25ms, .attempts = 4},
         {{retries(error, 486, 25ms),
           retries(error, 472, 50ms),
           retries(error, 458, 100ms),
           stops(error, exhausted, 458)}}},
        {"10 maximum backoff",
         {.throttling_base = 200ms, .cap = 200ms, .attempts = 5},
         {{retries(error, 486, 50ms),
           retries(error, 472, 100ms),
           retries(error, 458, 200ms),
           retries(error, 444, 200ms),
           stops(error, exhausted, 444)}}},
        {"17 ladder",
         {.attempts = 12},
         {ladder(
             {{error, 50ms},
              {error, 100ms},
              {error, 200ms},
              {error, 400ms},
              {error, 800ms},
              {error, 1600ms},
              {error, 3200ms},
              {error, 6400ms},
              {error, 12'800ms},
              {error, 20s},
              {error, 20s}},
             aws_retry_quota_options::standard_2_1())}},
        {"18 success at once", {.quota = starting_with(486)}, {{stops(success, done, 487)}}},
        {"18 success at once, with all tokens", {}, {{stops(success, done, 500)}, {stops(success, done, 500)}}},
        {"19 mixed",
         {.attempts = 8},
         {ladder(
             {{throttling, 1000ms},
              {throttling, 2000ms},
              {error, 200ms},
              {error, 400ms},
              {error, 800ms},
              {error, 1600ms},
              {throttling, 20'000ms}},
             aws_retry_quota_options::standard_2_1())}},
        {"20 mixed otherwise",
         {.attempts = 8},
         {ladder(
             {{error, 50ms},
              {throttling, 2000ms},
              {throttling, 4000ms},
              {throttling, 8000ms},
              {throttling, 16'000ms},
              {error, 1600ms},
              {throttling, 20'000ms}},
             aws_retry_quota_options::standard_2_1())}},
        {"2.1 makes no difference of time-outs", {}, {{retries(time_out, 486, 50ms), stops(success, done, 500)}}},
        {"a permanent failure pays nothing back",
         {},
         {{retries(error, 486, 50ms), stops(permanent, stop_reason::permanent, 486)}}},
    };
    for (auto const& each : vectors) expect_aws(each);
}

TEST(vectors, aws_standard_mode_2_1_row_12_a_hint_of_zero)
{
    EXPECT_EQ(ns(wait_for_hint(0s)), ns(50ms));
}

TEST(vectors, aws_standard_mode_before_2_1)
{
    using enum answer;
    constexpr auto done = stop_reason::success;
    constexpr auto exhausted = stop_reason::exhausted;
    constexpr auto legacy = aws_retry_quota_options::legacy();
    constexpr aws_retry_quota_options javascript{.transient_cost = 10, .timeout_cost = 10, .throttled_cost = 5};
    std::vector<aws_vector> const vectors{
        {"eventual success",
         {.base = 1s, .quota = legacy},
         {{retries(error, 495, 1s), retries(error, 490, 2s), stops(success, done, 495)}}},
        // Also DynamoDB's: 3 s in all.
        {"maximum of attempts",
         {.base = 1s, .quota = legacy},
         {{retries(error, 495, 1s), retries(error, 490, 2s), stops(error, exhausted, 490)}}},
        {"quota reached",
         {.base = 1s, .quota = starting_with(5, legacy)},
         {{retries(error, 0, 1s), stops(error, stop_reason::budget, 0)}}},
        {"backoff",
         {.base = 1s, .attempts = 5, .quota = legacy},
         {{retries(error, 495, 1s),
           retries(error, 490, 2s),
           retries(error, 485, 4s),
           retries(error, 480, 8s),
           stops(error, exhausted, 480)}}},
        {"maximum backoff",
         {.base = 1s, .cap = 3s, .attempts = 5, .quota = legacy},
         {{retries(error, 495, 1s),
           retries(error, 490, 2s),
           retries(error, 485, 3s),
           retries(error, 480, 3s),
           stops(error, exhausted, 480)}}},
        {"time-outs",
         {.base = 1s, .quota = starting_with(100, legacy)},
         {{retries(time_out, 90, 1s), retries(time_out, 80, 2s), stops(success, done, 90)}}},
        {"JavaScript, transient",
         {.base = 100ms, .throttling_base = 500ms, .attempts = 8, .quota = javascript},
         {ladder(
             {{error, 100ms},
              {error, 200ms},
              {error, 400ms},
              {error, 800ms},
              {error, 1600ms},
              {error, 3200ms},
              {error, 6400ms}},
             javascript)}},
        {"JavaScript, throttling",
         {.base = 100ms, .throttling_base = 500ms, .attempts = 8, .quota = javascript},
         {ladder(
             {{throttling, 500ms},
              {throttling, 1000ms},
              {throttling, 2000ms},
              {throttling, 4000ms},
              {throttling, 8000ms},
              {throttling, 16'000ms},
              {throttling, 20'000ms}},
             javascript)}},
    };
    for (auto const& each : vectors) expect_aws(each);
}

// gRPC

// https://github.com/grpc/grpc/blob/master/test/core/client_channel/retry_throttle_test.cc
TEST(vectors, grpc_throttle)
{
    struct record {
        char what;  // F, which may be retried or not, or S
        double tokens;
        bool may_retry = true;
    };
    grpc_retry_throttle throttle({.max_tokens = 4, .token_ratio = 1.6});
    std::size_t i = 0;
    for (auto const& each : std::vector<record>{
             {'F', 3, true},
             {'S', 4},
             {'F', 3, true},
             {'F', 2, false},
             {'F', 1, false},
             {'F', 0, false},
             {'F', 0, false},
             {'S', 1.6},
             {'S', 3.2},
             {'F', 2.2, true},
             {'F', 1.2, false},
             {'S', 2.8},
             {'F', 1.8, false},
             {'S', 3.4},
             {'F', 2.4, true},
         }) {
        SCOPED_TRACE(i++);
        bool const failed = each.what == 'F';
        throttle.attempt_ended(failed ? attempt_outcome::transient : attempt_outcome::success, 0, 0s);
        EXPECT_EQ(throttle.tokens(), each.tokens);
        if (!failed) continue;
        EXPECT_EQ(throttle.try_withdraw(attempt_outcome::transient, 0s).has_value(), each.may_retry);
        EXPECT_EQ(throttle.tokens(), each.tokens);
    }
}

TEST(vectors, grpc_throttle_replaced)
{
    grpc_retry_throttle old({.max_tokens = 4, .token_ratio = 1});
    old.attempt_ended(attempt_outcome::transient, 0, 0s);
    EXPECT_EQ(old.tokens(), 3);
    grpc_retry_throttle throttle({.max_tokens = 10, .token_ratio = 3}, old);
    EXPECT_EQ(throttle.tokens(), 7.5);
}

namespace {

struct grpc_call {
    stop_reason reason;
    int last_request;  // the number of requests that the server has got since the beginning, less one
    double tokens;
};

// Runs calls one after another against a server that answers by the number of the request.
template <class Server>
void expect_grpc(grpc_retry_throttle& throttle, Server server, std::vector<grpc_call> const& calls)
{
    retry_options const options{
        .initial_backoff = 10ms,
        .multiplier = 1,
        .maximum_backoff = 10ms,
        .jitter = jitter::none,
        .maximum_retries = 3,
        .budget = &throttle};
    int request = -1;
    nanoseconds now = 0s;
    for (std::size_t i = 0; i != calls.size(); ++i) {
        SCOPED_TRACE(i);
        retry_schedule schedule(options, now);
        for (std::uint32_t previous = 0;; ++previous) {
            // What gRPC sends as grpc-previous-rpc-attempts: absent (0), 1, 2, 3.
            EXPECT_EQ(schedule.attempts(), previous);
            auto const decision = tell(schedule, server(++request), now);
            if (!decision.retry) {
                EXPECT_STREQ(to_string(decision.reason), to_string(calls[i].reason));
                break;
            }
            EXPECT_EQ(ns(decision.wait), ns(10ms));
            now = decision.until;
        }
        EXPECT_EQ(request, calls[i].last_request);
        EXPECT_EQ(throttle.tokens(), calls[i].tokens);
    }
}

}  // namespace

// https://github.com/grpc/grpc-go/blob/master/test/retry_test.go, TestRetryUnary: ALREADY_EXISTS is what is retried.
TEST(vectors, grpc_go_unary_calls)
{
    using enum stop_reason;
    grpc_retry_throttle throttle({.max_tokens = 1000, .token_ratio = 1});
    auto const server = [](int request) {
        switch (request) {
        case 0:
        case 2:
        case 5: return answer::success;
        case 6:
        case 8:
        case 11: return answer::permanent;
        default: return answer::error;
        }
    };
    expect_grpc(
        throttle,
        server,
        {{success, 0, 1000},
         {success, 2, 1000},
         {success, 5, 999},
         {permanent, 6, 999},
         {permanent, 8, 998},
         {permanent, 11, 996},
         {exhausted, 15, 992}});
}

// TestRetryThrottling, in the same file. The tokens are computed here; some of that file's comments have them wrong.
TEST(vectors, grpc_go_throttled_calls)
{
    using enum stop_reason;
    grpc_retry_throttle throttle({.max_tokens = 10, .token_ratio = 0.5});
    auto const server = [](int request) {
        static std::set<int> const good{0, 3, 6, 10, 11, 12, 13, 14, 16, 18};
        return good.count(request) != 0 ? answer::success : answer::error;
    };
    expect_grpc(
        throttle,
        server,
        {{success, 0, 10},
         {success, 3, 8.5},
         {success, 6, 7},
         {budget, 8, 5},
         {budget, 9, 4},
         {success, 10, 4.5},
         {success, 11, 5},
         {success, 12, 5.5},
         {success, 13, 6},
         {success, 14, 6.5},
         {success, 16, 6},
         {budget, 17, 5}});
}

// Finagle, tower

// https://github.com/twitter/finagle/blob/develop/finagle-core/src/test/scala/com/twitter/finagle/service/RetryBudgetTest.scala
TEST(vectors, finagle_budget)
{
    std::vector<finagle_retry_budget_options> vectors;
    for (double const percent : {0.1, 0.5, 0.25, 0.75, 0.99, 0.999, 0.9999, 0.01, 0.001, 0.0001})
        vectors.push_back({.ttl = 60s, .min_retries_per_second = 0, .percent_can_retry = percent});
    vectors.push_back({.ttl = 1s, .min_retries_per_second = 10, .percent_can_retry = 0});
    vectors.push_back({.ttl = 2s, .min_retries_per_second = 5, .percent_can_retry = 0});
    vectors.push_back({.ttl = 1s, .min_retries_per_second = 10, .percent_can_retry = 0.1});
    vectors.push_back({.ttl = 2s, .min_retries_per_second = 5, .percent_can_retry = 0.5});
    for (auto const& options : vectors) {
        SCOPED_TRACE(options.percent_can_retry);
        finagle_retry_budget tokens(options);
        auto const reserve = static_cast<std::int64_t>(options.min_retries_per_second) * (options.ttl / 1s);
        EXPECT_EQ(tokens.balance(0s), reserve);
        if (reserve == 0) {
            EXPECT_FALSE(tokens.try_withdraw(attempt_outcome::transient, 0s));
        }
        constexpr int requests = 10'000;
        int retried = 0;
        for (int i = 0; i != requests; ++i) {
            tokens.operation_started(0s);
            if (tokens.try_withdraw(attempt_outcome::transient, 0s))
                ++retried;
            else
                ASSERT_EQ(tokens.balance(0s), 0) << "refused with a balance left, at request " << i;
        }
        EXPECT_NEAR(retried, std::trunc(requests * options.percent_can_retry) + static_cast<double>(reserve), 1);
    }

    finagle_retry_budget twice({.ttl = 60s, .min_retries_per_second = 0, .percent_can_retry = 2});
    EXPECT_FALSE(twice.try_withdraw(attempt_outcome::transient, 0s));
    for (int i = 0; i != 10'000; ++i) twice.operation_started(0s);
    EXPECT_EQ(twice.balance(0s), 20'000);

    finagle_retry_budget empty({.min_retries_per_second = 0, .percent_can_retry = 0});
    empty.operation_started(0s);
    EXPECT_EQ(empty.balance(0s), 0);
    EXPECT_FALSE(empty.try_withdraw(attempt_outcome::transient, 0s));

    EXPECT_TRUE(validate(finagle_retry_budget_options{.ttl = 0s}));
    EXPECT_TRUE(validate(finagle_retry_budget_options{.ttl = 61s}));
    EXPECT_TRUE(validate(finagle_retry_budget_options{.ttl = 10s, .percent_can_retry = -1}));
}

// https://github.com/tower-rs/tower/blob/master/tower/src/retry/budget/tps_budget.rs
TEST(vectors, tower_budget)
{
    auto const withdraw = [](finagle_retry_budget& tokens, nanoseconds now) {
        return tokens.try_withdraw(attempt_outcome::transient, now).has_value();
    };
    finagle_retry_budget empty({.ttl = 1s, .min_retries_per_second = 0, .percent_can_retry = 1});
    EXPECT_FALSE(withdraw(empty, 0s));

    finagle_retry_budget leaky({.ttl = 1s, .min_retries_per_second = 0, .percent_can_retry = 1});
    leaky.operation_started(0s);
    EXPECT_FALSE(withdraw(leaky, 3s));

    finagle_retry_budget slots({.ttl = 1s, .min_retries_per_second = 0, .percent_can_retry = 0.5});
    slots.operation_started(0s);
    slots.operation_started(0s);
    EXPECT_TRUE(withdraw(slots, 901ms));
    // Of these three the first has expired at the end, and the other two pay for a retry.
    nanoseconds const later = 901ms + 2001ms;
    slots.operation_started(later);
    slots.operation_started(later + 301ms);
    slots.operation_started(later + 301ms + 801ms);
    EXPECT_TRUE(withdraw(slots, later + 301ms + 801ms));
    EXPECT_FALSE(withdraw(slots, later + 301ms + 801ms));

    finagle_retry_budget reserve({.ttl = 1s, .min_retries_per_second = 5, .percent_can_retry = 1});
    for (int i = 0; i != 5; ++i) EXPECT_TRUE(withdraw(reserve, 0s));
    EXPECT_FALSE(withdraw(reserve, 0s));
}

// Ladders: min(initial * multiplier^n, cap)

namespace {

struct backoff_vector {
    std::string_view name;
    nanoseconds initial;
    double multiplier;
    nanoseconds cap;
    std::vector<nanoseconds> waits;
    std::vector<std::pair<std::uint32_t, nanoseconds>> later{};
    double tolerance = 0;
};

std::vector<backoff_vector> backoff_vectors()
{
    constexpr auto longest = (nanoseconds::max)();
    constexpr nanoseconds day = 24h;
    return {
        {"cenkalti/backoff, 500 ms x 2 up to 5 s", 500ms, 2, 5s, {500ms, 1s, 2s, 4s, 5s, 5s, 5s, 5s, 5s, 5s}},
        // That page's table has rounded from line to line.
        {"cenkalti/backoff, the defaults without their jitter",
         500ms,
         1.5,
         60s,
         {500ms, 750ms, 1125ms, 1687ms, 2530ms, 3795ms, 5692ms, 8538ms, 12'807ms, 19'210ms},
         {},
         0.001},
        {"cenkalti/backoff, overflow", longest / 2, 2.1, longest, {longest / 2, longest, longest}},
        {"Finagle, exponential with a maximum", 2ms, 2, 15ms, {2ms, 4ms, 8ms, 15ms, 15ms}},
        {"backon, the defaults without their end", 1s, 2, 60s, {1s, 2s, 4s}},
        {"backon, factor 1.5", 1s, 1.5, 60s, {1s, 1500ms, 2250ms}},
        {"tokio-retry, base 10", 10ms, 10, longest, {10ms, 100ms, 1s}},
        {"tokio-retry, base 2 up to 4", 2ms, 2, 4ms, {2ms, 4ms, 4ms}},
        {"tenacity, maximum 40", 1s, 2, 40s, {1s, 2s, 4s, 8s, 16s, 32s, 40s, 40s}, {{49, 40s}}},
        {"Polly, exponential", 1s, 2, longest, {1s, 2s, 4s}},
        {"Polly, one day without a maximum", day, 2, longest, {day}, {{999, longest}}},
        {"Polly, one day up to two", day, 2, 2 * day, {day, 2 * day, 2 * day}, {{999, 2 * day}}},
        {"resilience4j, 100 ms x 2 up to 100 s",
         100ms,
         2,
         100s,
         {100ms, 200ms, 400ms},
         {{9, 51'200ms}, {10, 100s}, {11, 100s}, {12, 100s}}},
        {"AWS 2.1, up to 20 s",
         50ms,
         2,
         20s,
         {50ms, 100ms, 200ms, 400ms, 800ms, 1600ms, 3200ms, 6400ms, 12'800ms, 20s, 20s}},
    };
}

}  // namespace

TEST(vectors, backoff_without_jitter)
{
    for (auto const& vector : backoff_vectors()) {
        SCOPED_TRACE(vector.name);
        retry_options const options{
            .initial_backoff = vector.initial,
            .multiplier = vector.multiplier,
            .maximum_backoff = vector.cap,
            .jitter = jitter::none,
            .maximum_retries = static_cast<std::uint32_t>(vector.waits.size()),
            .wait_resolution = 0s};
        ASSERT_FALSE(validate(options)) << validate(options).message();
        retry_schedule schedule(options, 0s);
        for (std::size_t n = 0; n != vector.waits.size(); ++n) {
            SCOPED_TRACE(n);
            auto const decision = tell(schedule, answer::error, 0s);
            ASSERT_TRUE(decision.retry);
            auto const expected = static_cast<double>(vector.waits[n].count());
            if (vector.tolerance == 0)
                EXPECT_EQ(ns(decision.wait), ns(vector.waits[n]));
            else
                EXPECT_NEAR(static_cast<double>(decision.wait.count()), expected, expected * vector.tolerance);
        }
        EXPECT_STREQ(to_string(tell(schedule, answer::error, 0s).reason), "exhausted");
        for (auto const& [retry, wait] : vector.later) EXPECT_EQ(ns(backoff(options, retry, 0)), ns(wait)) << retry;
    }
}

TEST(vectors, polly_backoff_stays_within_its_maximum)
{
    for (auto const kind : {jitter::none, jitter::additive, jitter::full, jitter::equal, jitter::decorrelated}) {
        retry_options const options{.initial_backoff = 1s, .maximum_backoff = 24h, .jitter = kind};
        for (std::uint32_t const attempt : {1u, 2u, 3u, 4u, 10u, 100u, 1000u, 1024u, 1025u}) {
            SCOPED_TRACE(std::string(to_string(kind)) + ", attempt " + std::to_string(attempt));
            auto const wait = backoff(options, attempt - 1, all_jitter);
            EXPECT_GT(wait, 0s);
            EXPECT_LE(wait, 24h);
        }
    }
}

// What is left out

namespace {

struct exclusion {
    std::string_view vector;
    std::string_view reason;

    // Whether Backbeat's answer differs indeed, where that can be shown.
    bool (*differs)() = nullptr;
};

std::vector<exclusion> exclusions()
{
    return {
        {"AWS 2.1 row 11, hint of 1500 ms",
         "a hint is spread upwards here, by at most a quarter of it or 1 s",
         [] { return wait_for_hint(1500ms) == 1875ms; }},
        {"AWS 2.1 row 13, hint of 10 s",
         "AWS clamps a hint to 5 s above the backoff; here nobody comes before he is asked to",
         [] { return wait_for_hint(10s) >= 10s; }},
        {"AWS 2.1 row 14, malformed hints",
         "a matter of the HTTP floor, which reads headers: there they are ignored too"},
        {"AWS 2.1 row 15, hint of 3000 ms",
         "as row 11; and the clamps of 2.1 and before, as row 13",
         [] { return wait_for_hint(3s) == 3750ms; }},
        {"AWS 2.1 row 16, long polling", "a retry that the budget refuses is not slept for here"},
        {"AWS classification of error codes", "a matter of classifiers; here the verdict is given"},
        {"AWS adaptive mode", "there is no rate limiter of sending"},
        {"gRPC, a replaced throttle goes on as the new one",
         "a budget outlives its operations here; each keeps the one it began with"},
        {"gRPC pushback", "a metadata field of gRPC; a hint never forbids a retry here, and is spread"},
        {"google-cloud-rust CircuitBreaker", "its threshold and costs are another algorithm than gRPC's"},
        {"google-cloud-rust AdaptiveThrottler", "throttles by chance, with counters for a life"},
        {"tower with shares that are not the inverse of a whole number",
         "tower deposits 1 and takes int(1/share), so 0.7 allows 100 %; Finagle's scale of 1000 does not",
         [] {
             finagle_retry_budget tokens({.min_retries_per_second = 0, .percent_can_retry = 0.7});
             tokens.operation_started(0s);
             return !tokens.try_withdraw(attempt_outcome::transient, 0s);
         }},
        {"tower's eleventh window",
         "tower keeps ten windows beside the current one, Finagle nine",
         [] {
             finagle_retry_budget tokens({.ttl = 1s, .min_retries_per_second = 0, .percent_can_retry = 1});
             tokens.operation_started(0s);
             return !tokens.try_withdraw(attempt_outcome::transient, 1000ms);
         }},
        {"cenkalti/backoff, the ranges of its jitter", "plus or minus half is not one of the kinds of jitter here"},
        {"Finagle linear", "there is no linear backoff"},
        {"Finagle takeUntil", "limits the sum of the waits; total_timeout limits the time, attempts included"},
        {"tokio-retry, maximum below the base",
         "is an error here, and is not repaired",
         [] { return validate(retry_options{.initial_backoff = 10ms, .maximum_backoff = 5ms}).failed(); }},
        {"tokio-retry, saturation of 64 bits of milliseconds", "nanoseconds saturate earlier: cenkalti's overflow"},
        {"tenacity, minimum 20", "there is no lower bound of the wait besides initial_backoff"},
        {"tenacity, multiplier 1e300 and maximum 1e-100", "a maximum below the initial wait is an error here"},
        {"urllib3, factor 0.2",
         "waits zero before its first retry, and one step less before each other",
         [] { return backoff({.initial_backoff = 200ms, .jitter = jitter::none}, 0, 0) == 200ms; }},
        {"Polly linear", "there is no linear backoff"},
        {"Polly, jitter of a quarter", "plus or minus a quarter is not one of the kinds of jitter here"},
        {"Polly, DecorrelatedJitterV2", "another formula than jitter::decorrelated"},
        {"Failsafe, factor and range", "plus or minus a share, and a range, are not kinds of jitter here"},
        {"Envoy", "takes the random number modulo the backoff; here it is scaled, and both ends are included"},
        {"resilience4j, randomised", "adds 1 ms to the range of its jitter"},
        {"Retry-After and dates", "a matter of the HTTP floor and its tests"},
        {"Google Cloud Storage's conformance tests", "a matter of the HTTP floor and its tests"},
    };
}

}  // namespace

TEST(vectors, left_out_ones_have_a_reason_that_holds)
{
    std::set<std::string_view> seen;
    for (auto const& each : exclusions()) {
        SCOPED_TRACE(each.vector);
        EXPECT_TRUE(seen.insert(each.vector).second) << "listed twice";
        EXPECT_FALSE(each.reason.empty());
        if (each.differs != nullptr) {
            EXPECT_TRUE(each.differs()) << "is answered alike now, and can be tested";
        }
        std::cout << "  left out: " << each.vector << ": " << each.reason << '\n';
    }
}
