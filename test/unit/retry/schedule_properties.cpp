//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// A million random operations through the schedule. What must hold of each decision is written down a second time
// here, from the rules of the documentation.

#include "random_sources.hpp"

#include <backbeat/backoff.hpp>
#include <backbeat/budget.hpp>
#include <backbeat/retry_budget.hpp>
#include <backbeat/retry_schedule.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>

using namespace backbeat;
using namespace backbeat::test;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;

namespace {

constexpr auto longest = (nanoseconds::max)();

// Passes everything on, and remembers the last answer and what is held.
class audited_budget final : public budget {
public:
    explicit audited_budget(budget& audited) : audited_(audited) {}

    bool asked = false;
    bool granted = false;
    std::int64_t held = 0;
    int started = 0;

    void operation_started(nanoseconds now) noexcept override
    {
        ++started;
        audited_.operation_started(now);
    }

    void attempt_ended(attempt_outcome outcome, amount spent, nanoseconds now) noexcept override
    {
        held -= spent;
        audited_.attempt_ended(outcome, spent, now);
    }

    std::optional<amount> try_withdraw(attempt_outcome outcome, nanoseconds now) noexcept override
    {
        auto const taken = audited_.try_withdraw(outcome, now);
        asked = true;
        granted = taken.has_value();
        held += taken.value_or(0);
        return taken;
    }

    void give_back(amount taken, nanoseconds now) noexcept override
    {
        held -= taken;
        audited_.give_back(taken, now);
    }

private:
    budget& audited_;
};

class any_operation {
public:
    explicit any_operation(std::mt19937_64& random) : random_(random) {}

    [[nodiscard]] bool one_in(std::uint64_t n) { return random_() % n == 0; }

    // Of any magnitude below the limit.
    [[nodiscard]] nanoseconds below(nanoseconds limit)
    {
        return nanoseconds(static_cast<std::int64_t>(random_() >> (1 + random_() % 63)) % limit.count());
    }

    [[nodiscard]] retry_options options()
    {
        auto const largest = one_in(4) ? longest : 10h;
        retry_options result;
        result.maximum_backoff = below(largest) + 1ns;
        result.initial_backoff = below(result.maximum_backoff + (result.maximum_backoff < longest ? 1ns : 0ns));
        result.multiplier =
            one_in(8) ? (std::numeric_limits<double>::max)() : 1 + static_cast<double>(random_() % 3'000) / 1'000;
        if (one_in(2)) result.maximum_jitter = below(largest);
        result.jitter = static_cast<jitter>(random_() % 5);
        if (one_in(2)) result.throttled_backoff = below(result.maximum_backoff);
        result.maximum_retries = one_in(8) ? unlimited_retries : static_cast<std::uint32_t>(random_() % 12);
        if (one_in(2)) result.attempt_timeout = below(largest);
        if (one_in(3)) result.total_timeout = below(largest);
        result.maximum_hint = one_in(4) ? 0ns : one_in(4) ? below(largest) : longest;
        if (!one_in(3)) result.wait_resolution = one_in(2) ? 0ns : below(1h);
        return result;
    }

    [[nodiscard]] verdict judgement()
    {
        verdict result;
        auto const kind = random_() % 30;
        result.kind = kind == 0 ? verdict_kind::done
            : kind == 1         ? verdict_kind::permanent
            : kind < 10         ? verdict_kind::throttled
                                : verdict_kind::retry;
        if (one_in(4)) result.hint = one_in(8) ? -below(longest) : below(one_in(4) ? longest : 10min);
        if (one_in(2)) result.delivered = static_cast<delivery>(random_() % 4);
        result.replayable = !one_in(8);
        return result;
    }

    [[nodiscard]] interruption interrupted()
    {
        auto const by = random_() % 60;
        return by < 4 ? static_cast<interruption>(by) : interruption::none;
    }

private:
    std::mt19937_64& random_;
};

nanoseconds add(nanoseconds a, nanoseconds b)
{
    return a > longest - b ? longest : a + b;
}

// The earliest and the latest end that a wait may have.
struct bounds {
    nanoseconds earliest;
    nanoseconds latest;
};

bounds of_wait(
    retry_options const& options, verdict const& judged, std::uint32_t retry, nanoseconds previous, bool hinted)
{
    bool const throttled = judged.kind == verdict_kind::throttled;
    bounds result{
        backoff(options, retry, no_jitter, throttled, previous),
        backoff(options, retry, all_jitter, throttled, previous)};
    if (hinted) {
        auto const hint = (std::max)(*judged.hint, nanoseconds(0));
        auto const spread = options.jitter == jitter::none ? 0ns : (std::min)(hint / 4, nanoseconds(1s));
        result.earliest = (std::max)(result.earliest, hint);
        result.latest = (std::max)(result.latest, add(hint, spread));
    }
    return result;
}

void expect_reason(retry_decision const& decision, stop_reason reason)
{
    ASSERT_FALSE(decision.retry) << "should have stopped: " << to_string(reason);
    ASSERT_STREQ(to_string(decision.reason), to_string(reason));
}

}  // namespace

TEST(schedule_properties, hold_for_a_million_random_operations)
{
    std::mt19937_64 random(20'261'121);
    any_operation any(random);
    retry_budget shared;
    audited_budget audit(shared);
    nanoseconds budget_time{};
    std::uint64_t decisions = 0;
    std::uint64_t stopped[16] = {};

    for (int operation = 0; operation != 1'000'000; ++operation) {
        auto options = any.options();
        bool const budgeted = any.one_in(2);
        if (budgeted) options.budget = &audit;
        if (auto const problem = validate(options)) FAIL() << problem.message();

        // A budget's clock goes on from one operation to the next; the other operations begin anywhere.
        auto now = budgeted ? budget_time : any.below(longest) - any.below(longest);
        retry_schedule schedule(options, now);
        std::optional<nanoseconds> const deadline =
            options.total_timeout == 0ns ? std::nullopt : std::optional(add(now, options.total_timeout));
        std::optional<delivery> worst;
        nanoseconds previous{};

        for (std::uint32_t retry = 0;; ++retry) {
            auto const refused = schedule.before_attempt(now);
            ASSERT_EQ(refused.has_value(), deadline && now >= *deadline);
            if (refused) {
                ASSERT_EQ(*refused, stop_reason::deadline);
                ++stopped[static_cast<int>(*refused)];
                break;
            }
            now = add(now, any.below(1h));
            auto judged = any.judgement();
            // Operations without limits end, too, because the world does.
            if (retry == 20) judged.kind = verdict_kind::done;
            auto const by = any.interrupted();
            if (judged.delivered) worst = worst ? worse(*worst, *judged.delivered) : *judged.delivered;

            audit.asked = false;
            auto const decision = schedule.after_attempt(judged, now, by);
            ++decisions;
            // What an attempt cost that was cut off is spent, and not told.
            bool const cut_off = by == interruption::cancelled || by == interruption::deadline;
            if (cut_off && judged.kind != verdict_kind::done) audit.held = 0;
            ASSERT_EQ(schedule.attempts(), retry + 1);
            ASSERT_EQ(schedule.worst_delivery(), worst);
            ASSERT_GE(shared.balance(now), 0);

            bool const hinted = judged.hint && options.maximum_hint != 0ns;
            auto const hint = hinted ? (std::max)(*judged.hint, 0ns) : 0ns;
            auto const wait = of_wait(options, judged, retry, previous, hinted);
            auto const alone = of_wait(options, judged, retry, previous, false);
            // By how much a wait may be rounded up.
            auto const grid = options.wait_resolution == 0ns ? 0ns : options.wait_resolution - 1ns;

            std::optional<stop_reason> expected;
            if (judged.kind == verdict_kind::done)
                expected = stop_reason::success;
            else if (by == interruption::cancelled)
                expected = stop_reason::cancelled;
            else if (by == interruption::deadline)
                expected = stop_reason::deadline;
            else if (judged.kind == verdict_kind::permanent)
                expected = stop_reason::permanent;
            else if (worst == delivery::ambiguous && !judged.replayable)
                expected = stop_reason::not_replayable;
            else if (options.maximum_retries != unlimited_retries && retry >= options.maximum_retries)
                expected = stop_reason::exhausted;
            else if (hinted && (hint > options.maximum_hint || (deadline && add(now, hint) >= *deadline)))
                expected = stop_reason::hint_too_long;
            else if (
                deadline && add(now, alone.earliest) >= *deadline && (!hinted || add(add(now, hint), grid) < *deadline))
                expected = stop_reason::deadline;

            if (expected) {
                expect_reason(decision, *expected);
                ASSERT_FALSE(audit.asked);
            } else if (!decision.retry) {
                // What is left are the reasons that chance, the grid and the budget decide.
                switch (decision.reason) {
                case stop_reason::hint_too_long:
                    ASSERT_TRUE(hinted && deadline && add(add(now, hint), grid) >= *deadline);
                    break;
                case stop_reason::deadline:
                    // The spread of a hint never ends an operation: the backoff alone does.
                    ASSERT_TRUE(deadline && add(add(now, alone.latest), grid) >= *deadline);
                    break;
                case stop_reason::budget: ASSERT_TRUE(budgeted && audit.asked && !audit.granted); break;
                default: FAIL() << to_string(decision.reason);
                }
            } else {
                ASSERT_EQ(audit.asked, budgeted);
                ASSERT_TRUE(!budgeted || audit.granted);
                ASSERT_GE(decision.wait, wait.earliest);
                ASSERT_LE(decision.wait, wait.latest);
                ASSERT_GE(decision.until, add(now, decision.wait));
                ASSERT_LE(decision.until, add(add(now, decision.wait), grid));
                if (decision.wait / 16 < options.wait_resolution) {
                    ASSERT_EQ(decision.until, add(now, decision.wait));
                }
                if (deadline) {
                    ASSERT_LT(decision.until, *deadline);
                }
                ASSERT_TRUE(decision.origin == wait_origin::backoff || (hinted && decision.wait >= hint));
                ASSERT_LT(retry, options.maximum_retries);
            }
            if (!decision.retry) {
                ++stopped[static_cast<int>(decision.reason)];
                ASSERT_EQ(decision.wait, 0ns);
                break;
            }
            // The wait drawn is known to us only if no hint took its place; then the bound must be taken wide.
            previous = decision.origin == wait_origin::backoff ? decision.wait : options.maximum_backoff;
            if (any.one_in(40)) {
                schedule.abandon(now);
                ++stopped[static_cast<int>(stop_reason::abandoned)];
                break;
            }
            // Mostly on time, and sometimes late.
            now = any.one_in(10) ? add(decision.until, any.below(1h)) : decision.until;
        }
        ASSERT_FALSE(schedule.holds());
        ASSERT_EQ(audit.held, 0);
        if (budgeted) budget_time = (std::min)(now, nanoseconds(1'000'000h));
    }

    // None of it is there for show.
    EXPECT_GT(decisions, 2'000'000u);
    EXPECT_GT(audit.started, 400'000);
    for (auto const reason :
         {stop_reason::success,
          stop_reason::cancelled,
          stop_reason::permanent,
          stop_reason::not_replayable,
          stop_reason::exhausted,
          stop_reason::hint_too_long,
          stop_reason::deadline,
          stop_reason::budget,
          stop_reason::abandoned})
        EXPECT_GT(stopped[static_cast<int>(reason)], 1'000u) << to_string(reason);
}
