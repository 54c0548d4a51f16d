//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// What a schedule says to the budget and to the circuit breaker, and when.

#include "random_sources.hpp"

#include <backbeat/budget.hpp>
#include <backbeat/circuit_breaker.hpp>
#include <backbeat/retry_schedule.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

using namespace backbeat;
using namespace backbeat::test;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;

namespace {

// Notes what it is told, and what is held of it.
class noting_budget final : public budget {
public:
    bool grants = true;
    std::int64_t held = 0;
    std::vector<std::string> events;

    void operation_started(nanoseconds now) noexcept override { note("started", now); }

    void attempt_ended(attempt_outcome outcome, amount spent, nanoseconds now) noexcept override
    {
        static constexpr char const* names[] = {"success", "permanent", "transient", "throttled", "timed out"};
        held -= spent;
        note(names[static_cast<int>(outcome)] + std::string(" having spent ") + std::to_string(spent), now);
    }

    std::optional<amount> try_withdraw(attempt_outcome outcome, nanoseconds now) noexcept override
    {
        amount const cost = outcome == attempt_outcome::throttled ? 3 : 7;
        note(grants ? "grants " + std::to_string(cost) : "refuses", now);
        if (!grants) return std::nullopt;
        held += cost;
        return cost;
    }

    void give_back(amount taken, nanoseconds now) noexcept override
    {
        held -= taken;
        note("gets back " + std::to_string(taken), now);
    }

private:
    void note(std::string what, nanoseconds now)
    {
        events.push_back(what + " at " + std::to_string(std::chrono::duration_cast<std::chrono::seconds>(now).count()));
    }
};

class shared : public testing::Test {
protected:
    noting_budget tokens;
    // Opens at the first failure, for 10 s.
    circuit_breaker breaker{{.failure_ratio = 1, .minimum_throughput = 1, .open_time = 10s}};
    retry_options options{.jitter = jitter::none, .wait_resolution = 0s, .budget = &tokens};

    using events = std::vector<std::string>;
};

}  // namespace

TEST_F(shared, a_success_at_once_starts_and_ends)
{
    retry_schedule schedule(options, 1s);
    EXPECT_FALSE(schedule.before_attempt(1s));
    EXPECT_FALSE(schedule.after_attempt(verdict::done(), 2s).retry);
    EXPECT_EQ(tokens.events, (events{"started at 1", "success having spent 0 at 2"}));
    EXPECT_FALSE(schedule.holds());
}

TEST_F(shared, a_retry_is_charged_when_the_wait_is_decided_and_told_when_it_ends)
{
    retry_schedule schedule(options, 0s);
    EXPECT_FALSE(schedule.before_attempt(0s));
    EXPECT_TRUE(schedule.after_attempt(verdict::retry(), 0s).retry);
    EXPECT_TRUE(schedule.holds());
    EXPECT_FALSE(schedule.before_attempt(1s));
    EXPECT_FALSE(schedule.holds());
    EXPECT_TRUE(schedule.after_attempt(verdict::throttled(), 1s).retry);
    EXPECT_FALSE(schedule.before_attempt(3s));
    EXPECT_FALSE(schedule.after_attempt(verdict::permanent(), 3s).retry);
    EXPECT_EQ(
        tokens.events,
        (events{
            "started at 0",
            "transient having spent 0 at 0",
            "grants 7 at 0",
            "throttled having spent 7 at 1",
            "grants 3 at 1",
            "permanent having spent 3 at 3"}));
}

TEST_F(shared, a_refused_retry_stops_for_that_reason_and_holds_nothing)
{
    tokens.grants = false;
    retry_schedule schedule(options, 0s);
    EXPECT_FALSE(schedule.before_attempt(0s));
    auto const decision = schedule.after_attempt(verdict::retry(), 0s);
    EXPECT_FALSE(decision.retry);
    EXPECT_EQ(decision.reason, stop_reason::budget);
    EXPECT_EQ(decision.wait, 0s);
    EXPECT_FALSE(schedule.holds());
}

TEST_F(shared, a_retry_that_is_not_made_is_given_back)
{
    {
        retry_schedule cancelled(options, 0s);
        EXPECT_FALSE(cancelled.before_attempt(0s));
        EXPECT_TRUE(cancelled.after_attempt(verdict::retry(), 0s).retry);
        cancelled.abandon(1s);
        EXPECT_EQ(tokens.events.back(), "gets back 7 at 1");
        EXPECT_FALSE(cancelled.holds());
        auto const told = tokens.events.size();
        cancelled.abandon(1s);
        EXPECT_EQ(tokens.events.size(), told);
    }
    {
        options.total_timeout = 5s;
        retry_schedule late(options, 0s);
        EXPECT_FALSE(late.before_attempt(0s));
        EXPECT_TRUE(late.after_attempt(verdict::retry(), 0s).retry);
        EXPECT_EQ(late.before_attempt(5s), stop_reason::deadline);
        EXPECT_EQ(tokens.events.back(), "gets back 7 at 5");
    }
    EXPECT_EQ(tokens.held, 0);
}

TEST_F(shared, an_admitted_attempt_that_is_not_made_is_given_back)
{
    options.breaker = &breaker;
    retry_schedule first(options, 0s);
    EXPECT_FALSE(first.before_attempt(0s));
    first.attempt_not_made(0s);
    EXPECT_FALSE(first.holds());
    EXPECT_EQ(tokens.events, events{"started at 0"});

    options.breaker = nullptr;
    retry_schedule second(options, 0s);
    EXPECT_FALSE(second.before_attempt(0s));
    EXPECT_TRUE(second.after_attempt(verdict::retry(), 0s).retry);
    EXPECT_FALSE(second.before_attempt(1s));
    second.attempt_not_made(1s);
    EXPECT_EQ(tokens.events.back(), "gets back 7 at 1");
    EXPECT_EQ(tokens.held, 0);
}

TEST_F(shared, an_attempt_that_was_cut_off_by_the_caller_or_the_deadline_is_not_told)
{
    for (auto const by : {interruption::cancelled, interruption::deadline}) {
        retry_schedule schedule(options, 0s);
        EXPECT_FALSE(schedule.before_attempt(0s));
        tokens.events.clear();
        EXPECT_FALSE(schedule.after_attempt(verdict::permanent(), 1s, by).retry);
        EXPECT_EQ(tokens.events, events{});
        EXPECT_FALSE(schedule.after_attempt(verdict::done(), 2s, by).retry);
        EXPECT_EQ(tokens.events, events{"success having spent 0 at 2"});
    }
}

TEST_F(shared, an_attempt_that_timed_out_is_told_as_such)
{
    retry_schedule schedule(options, 0s);
    EXPECT_FALSE(schedule.before_attempt(0s));
    EXPECT_TRUE(schedule.after_attempt(verdict::retry(), 0s, interruption::attempt_timeout).retry);
    EXPECT_EQ(tokens.events[1], "timed out having spent 0 at 0");
}

TEST_F(shared, the_budget_is_asked_only_when_everything_else_would_retry)
{
    struct {
        char const* what;
        retry_options options;
        verdict judged;
        interruption by;
    } const cases[] = {
        {"permanent", options, verdict::permanent(), interruption::none},
        {"cancelled", options, verdict::retry(), interruption::cancelled},
        {"not replayable",
         options,
         {.kind = verdict_kind::retry, .delivered = delivery::ambiguous, .replayable = false},
         interruption::none},
        {"exhausted", {.maximum_retries = 0, .budget = &tokens}, verdict::retry(), interruption::none},
        {"hint too long", options, verdict::retry(1h), interruption::none},
        {"deadline", {.total_timeout = 1s, .budget = &tokens}, verdict::retry(), interruption::none},
    };
    for (auto const& each : cases) {
        SCOPED_TRACE(each.what);
        retry_schedule schedule(each.options, 0s);
        EXPECT_FALSE(schedule.before_attempt(0s));
        EXPECT_FALSE(schedule.after_attempt(each.judged, 0s, each.by).retry);
        for (auto const& event : tokens.events) EXPECT_EQ(event.find("grants"), std::string::npos) << event;
        EXPECT_EQ(tokens.held, 0);
    }
}

TEST_F(shared, an_open_breaker_admits_no_first_attempt)
{
    options.breaker = &breaker;
    breaker.force_open();
    retry_schedule schedule(options, 0s);
    EXPECT_EQ(schedule.before_attempt(0s), stop_reason::breaker_open);
    EXPECT_FALSE(schedule.holds());
}

TEST_F(shared, a_breaker_that_opens_at_a_failure_ends_the_operation_and_the_budget_is_not_asked)
{
    options.breaker = &breaker;
    retry_schedule schedule(options, 0s);
    EXPECT_FALSE(schedule.before_attempt(0s));
    EXPECT_TRUE(schedule.holds());
    auto const decision = schedule.after_attempt(verdict::retry(), 0s);
    EXPECT_EQ(decision.reason, stop_reason::breaker_open);
    EXPECT_FALSE(schedule.holds());
    EXPECT_EQ(tokens.events.back(), "transient having spent 0 at 0");
}

TEST_F(shared, a_breaker_that_would_admit_at_the_end_of_the_wait_lets_it_begin)
{
    options.breaker = &breaker;
    options.initial_backoff = 11s;
    retry_schedule schedule(options, 0s);
    EXPECT_FALSE(schedule.before_attempt(0s));
    EXPECT_TRUE(schedule.after_attempt(verdict::retry(), 0s).retry);
    EXPECT_FALSE(schedule.before_attempt(11s));
    EXPECT_FALSE(schedule.after_attempt(verdict::done(), 11s).retry);
    EXPECT_TRUE(breaker.try_acquire(11s));
}

TEST_F(shared, a_breaker_that_opened_during_the_wait_gives_the_budget_back)
{
    circuit_breaker patient{{.failure_ratio = 1, .minimum_throughput = 2, .open_time = 10s}};
    options.breaker = &patient;
    retry_schedule schedule(options, 0s);
    EXPECT_FALSE(schedule.before_attempt(0s));
    EXPECT_TRUE(schedule.after_attempt(verdict::retry(), 0s).retry);
    auto const others = patient.try_acquire(0s);
    ASSERT_TRUE(others);
    patient.record(*others, attempt_outcome::transient, 0s);
    EXPECT_EQ(schedule.before_attempt(1s), stop_reason::breaker_open);
    EXPECT_EQ(tokens.events.back(), "gets back 7 at 1");
    EXPECT_EQ(tokens.held, 0);
}

TEST_F(shared, an_attempt_that_was_cancelled_gives_its_trial_back)
{
    breaker.record(*breaker.try_acquire(0s), attempt_outcome::transient, 0s);
    options.breaker = &breaker;
    for (bool const abandoned : {false, true}) {
        retry_schedule schedule(options, 20s);
        EXPECT_FALSE(schedule.before_attempt(20s));
        EXPECT_FALSE(breaker.try_acquire(20s));
        if (abandoned)
            schedule.abandon(20s);
        else
            EXPECT_FALSE(schedule.after_attempt(verdict::retry(), 20s, interruption::cancelled).retry);
    }
    EXPECT_TRUE(breaker.try_acquire(20s));
}

TEST_F(shared, decorrelated_waits_follow_one_another)
{
    constant_source all(all_jitter);
    retry_schedule schedule(
        {.maximum_backoff = 20s, .jitter = jitter::decorrelated, .wait_resolution = 0s, .random = &all}, 0s);
    for (auto const expected : {3s, 9s, 20s, 20s})
        EXPECT_EQ(schedule.after_attempt(verdict::retry(), 0s).wait, expected);
}
