//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "random_sources.hpp"

#include <backbeat/backoff.hpp>
#include <backbeat/budget.hpp>
#include <backbeat/circuit_breaker.hpp>
#include <backbeat/retry_options.hpp>
#include <backbeat/retry_schedule.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

using namespace backbeat;
using namespace backbeat::test;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;

namespace {

constexpr auto longest = (nanoseconds::max)();

// Exact waits without chance, so that an expected number is one number.
constexpr retry_options exact{.jitter = jitter::none, .wait_resolution = 0s};

constexpr retry_options with(retry_options options, auto change)
{
    change(options);
    return options;
}

void expect_stop(retry_decision const& decision, stop_reason reason)
{
    EXPECT_FALSE(decision.retry);
    EXPECT_STREQ(to_string(decision.reason), to_string(reason));
    EXPECT_EQ(ns(decision.wait), 0);
    EXPECT_EQ(ns(decision.until), 0);
    EXPECT_EQ(decision.origin, wait_origin::none);
}

void expect_wait(
    retry_decision const& decision, nanoseconds wait, nanoseconds until, wait_origin origin = wait_origin::backoff)
{
    EXPECT_TRUE(decision.retry) << "stopped: " << to_string(decision.reason);
    EXPECT_EQ(ns(decision.wait), ns(wait));
    EXPECT_EQ(ns(decision.until), ns(until));
    EXPECT_EQ(decision.origin, origin);
}

retry_decision first_decision(
    retry_options const& options, verdict const& judged, nanoseconds now = 0s, interruption by = interruption::none)
{
    EXPECT_FALSE(validate(options)) << validate(options).message();
    retry_schedule schedule(options, 0s);
    return schedule.after_attempt(judged, now, by);
}

// Grants nothing.
class empty_budget final : public budget {
public:
    void attempt_ended(attempt_outcome, amount, nanoseconds) noexcept override {}
    std::optional<amount> try_withdraw(attempt_outcome, nanoseconds) noexcept override { return std::nullopt; }
    void give_back(amount, nanoseconds) noexcept override {}
};

constexpr verdict ambiguous{.kind = verdict_kind::retry, .delivered = delivery::ambiguous, .replayable = false};

}  // namespace

TEST(schedule, gives_the_documented_waits_until_the_retries_are_exhausted)
{
    constant_source all(all_jitter);
    retry_schedule schedule({.random = &all}, 0s);
    nanoseconds now = 0s;
    for (auto const expected : {2s, 3s, 5s, 9s, 17s}) {
        auto const decision = schedule.after_attempt(verdict::retry(), now);
        expect_wait(decision, expected, now + expected);
        now = decision.until;
    }
    expect_stop(schedule.after_attempt(verdict::retry(), now), stop_reason::exhausted);
    EXPECT_EQ(schedule.attempts(), 6u);
}

TEST(schedule, gives_the_documented_waits_for_0_500_and_1000_random_milliseconds)
{
    for (auto const& [random, added] : {std::pair{no_jitter, 0ms}, {half_jitter, 500ms}, {all_jitter, 1000ms}}) {
        constant_source source(random);
        retry_schedule schedule({.maximum_retries = unlimited_retries, .random = &source}, 0s);
        nanoseconds now = 0s;
        for (std::uint32_t n = 0; n <= 40; ++n) {
            SCOPED_TRACE(n);
            auto const power = n < 6 ? nanoseconds(1s) * (1 << n) : nanoseconds(64s);
            auto const expected = (std::min<nanoseconds>)(power + added, 64s);
            auto const decision = schedule.after_attempt(verdict::retry(), now);
            expect_wait(decision, expected, now + expected);
            now = decision.until;
        }
    }
}

TEST(schedule, draws_the_jitter_afresh_for_each_retry)
{
    listed_source source({no_jitter, all_jitter, half_jitter, no_jitter});
    retry_schedule schedule({.random = &source}, 0s);
    for (auto const expected : {1000ms, 3000ms, 4500ms, 8000ms})
        EXPECT_EQ(ns(schedule.after_attempt(verdict::retry(), 0s).wait), ns(expected));
    EXPECT_EQ(source.drawn(), 4u);

    retry_schedule own({.multiplier = 1, .maximum_retries = unlimited_retries}, 0s);
    std::set<std::int64_t> waits;
    for (int i = 0; i != 100; ++i) waits.insert(ns(own.after_attempt(verdict::retry(), 0s).wait));
    EXPECT_GT(waits.size(), 98u);
}

TEST(schedule, draws_nothing_without_jitter_or_for_a_stop)
{
    listed_source source({all_jitter});
    retry_schedule without({.jitter = jitter::none, .random = &source}, 0s);
    expect_wait(without.after_attempt(verdict::retry(400ms), 0s), 1s, 1s);
    expect_wait(without.after_attempt(verdict::retry(8s), 0s), 8s, 8s, wait_origin::hint);
    EXPECT_EQ(source.drawn(), 0u);

    retry_schedule stopping({.maximum_retries = 0, .random = &source}, 0s);
    expect_stop(stopping.after_attempt(verdict::retry(), 0s), stop_reason::exhausted);
    EXPECT_EQ(source.drawn(), 0u);
}

TEST(schedule, stops_for_each_of_its_reasons)
{
    expect_stop(first_decision(exact, verdict::done()), stop_reason::success);
    expect_stop(first_decision(exact, verdict::retry(), 0s, interruption::cancelled), stop_reason::cancelled);
    expect_stop(first_decision(exact, verdict::permanent()), stop_reason::permanent);
    expect_stop(first_decision(exact, ambiguous), stop_reason::not_replayable);
    expect_stop(first_decision(exact, {.kind = verdict_kind::unknown}), stop_reason::outcome_unknown);
    expect_stop(
        first_decision(with(exact, [](auto& o) { o.maximum_retries = 0; }), verdict::retry()), stop_reason::exhausted);
    expect_stop(first_decision(exact, verdict::retry(5min + 1ns)), stop_reason::hint_too_long);
    expect_stop(
        first_decision(with(exact, [](auto& o) { o.total_timeout = 1s; }), verdict::retry()), stop_reason::deadline);
    expect_stop(first_decision(exact, verdict::retry(), 0s, interruption::deadline), stop_reason::deadline);
}

TEST(schedule, makes_no_retry_of_what_is_used_up_whatever_its_delivery)
{
    for (auto const how_far : {delivery::not_sent, delivery::rejected, delivery::ambiguous, delivery::responded})
        for (auto const kind : {verdict_kind::retry, verdict_kind::throttled})
            expect_stop(
                first_decision(exact, {.kind = kind, .delivered = how_far, .spent = true}),
                stop_reason::not_replayable);
    expect_stop(first_decision(exact, {.spent = true}), stop_reason::success);
    expect_stop(first_decision(exact, {.kind = verdict_kind::permanent, .spent = true}), stop_reason::permanent);
    expect_stop(
        first_decision(
            with(exact, [](auto& o) { o.maximum_retries = 0; }), {.kind = verdict_kind::retry, .spent = true}),
        stop_reason::not_replayable);
}

TEST(schedule, success_stands_whatever_else_holds)
{
    auto const options = with(exact, [](auto& o) {
        o.maximum_retries = 0;
        o.total_timeout = 1ns;
    });
    verdict const done{.hint = 1h, .delivered = delivery::ambiguous, .replayable = false};
    for (auto const by :
         {interruption::none, interruption::attempt_timeout, interruption::cancelled, interruption::deadline})
        expect_stop(first_decision(options, done, 1h, by), stop_reason::success);
}

TEST(schedule, asks_its_reasons_two_by_two_in_the_documented_order)
{
    struct situation {
        retry_options options = exact;
        verdict judged = verdict::retry();
        interruption by = interruption::none;
    };
    struct cause {
        stop_reason reason;
        std::function<void(situation&)> arrange;
    };
    circuit_breaker open;
    open.force_open();
    empty_budget empty;
    std::vector<cause> const causes{
        {stop_reason::success, [](situation& s) { s.judged.kind = verdict_kind::done; }},
        {stop_reason::cancelled, [](situation& s) { s.by = interruption::cancelled; }},
        {stop_reason::permanent, [](situation& s) { s.judged.kind = verdict_kind::permanent; }},
        {stop_reason::not_replayable,
         [](situation& s) {
             s.judged.delivered = delivery::ambiguous;
             s.judged.replayable = false;
         }},
        {stop_reason::exhausted, [](situation& s) { s.options.maximum_retries = 0; }},
        {stop_reason::hint_too_long, [](situation& s) { s.judged.hint = 10min; }},
        {stop_reason::deadline, [](situation& s) { s.options.total_timeout = 1s; }},
        {stop_reason::breaker_open, [&](situation& s) { s.options.breaker = &open; }},
        {stop_reason::budget, [&](situation& s) { s.options.budget = &empty; }},
    };
    for (std::size_t earlier = 0; earlier != causes.size(); ++earlier) {
        for (std::size_t later = earlier; later != causes.size(); ++later) {
            // An attempt has one verdict: success and permanent do not meet.
            if (causes[earlier].reason == stop_reason::success && causes[later].reason == stop_reason::permanent)
                continue;
            SCOPED_TRACE(std::string(to_string(causes[earlier].reason)) + " and " + to_string(causes[later].reason));
            situation both;
            causes[later].arrange(both);
            causes[earlier].arrange(both);
            expect_stop(first_decision(both.options, both.judged, 0s, both.by), causes[earlier].reason);
        }
    }
}

TEST(schedule, asks_its_reasons_in_the_documented_order_in_every_combination)
{
    for (auto const kind : {verdict_kind::done, verdict_kind::permanent, verdict_kind::retry, verdict_kind::throttled})
        for (auto const by :
             {interruption::none, interruption::attempt_timeout, interruption::cancelled, interruption::deadline})
            for (unsigned bits = 0; bits != 16; ++bits) {
                bool const not_replayable = (bits & 1) != 0;
                bool const no_retries_left = (bits & 2) != 0;
                bool const long_hint = (bits & 4) != 0;
                bool const late = (bits & 8) != 0;
                auto const options = with(exact, [&](auto& o) {
                    if (no_retries_left) o.maximum_retries = 0;
                    if (late) o.total_timeout = 1s;
                });
                verdict judged{.kind = kind};
                if (not_replayable) {
                    judged.delivered = delivery::ambiguous;
                    judged.replayable = false;
                }
                if (long_hint) judged.hint = 10min;

                std::optional<stop_reason> expected;
                if (kind == verdict_kind::done)
                    expected = stop_reason::success;
                else if (by == interruption::cancelled)
                    expected = stop_reason::cancelled;
                else if (by == interruption::deadline)
                    expected = stop_reason::deadline;
                else if (kind == verdict_kind::permanent)
                    expected = stop_reason::permanent;
                else if (not_replayable)
                    expected = stop_reason::not_replayable;
                else if (no_retries_left)
                    expected = stop_reason::exhausted;
                else if (long_hint)
                    expected = stop_reason::hint_too_long;
                else if (late)
                    expected = stop_reason::deadline;

                SCOPED_TRACE(
                    "kind " + std::to_string(static_cast<int>(kind)) + ", interruption "
                    + std::to_string(static_cast<int>(by)) + ", bits " + std::to_string(bits));
                auto const decision = first_decision(options, judged, 0s, by);
                if (expected)
                    expect_stop(decision, *expected);
                else
                    expect_wait(decision, 1s, 1s);
            }
}

TEST(schedule, an_attempt_ended_by_the_total_is_final_even_if_its_failure_is_permanent)
{
    expect_stop(first_decision(exact, verdict::permanent(), 0s, interruption::deadline), stop_reason::deadline);
    expect_stop(first_decision(exact, ambiguous, 0s, interruption::deadline), stop_reason::deadline);
}

TEST(schedule, counts_retries_and_not_attempts_against_the_maximum)
{
    for (std::uint32_t const maximum : {0u, 1u, 2u, 8u}) {
        retry_schedule schedule(with(exact, [&](auto& o) { o.maximum_retries = maximum; }), 0s);
        for (std::uint32_t i = 0; i != maximum; ++i) {
            EXPECT_TRUE(schedule.after_attempt(verdict::retry(), 0s).retry) << i << " of " << maximum;
            EXPECT_EQ(schedule.attempts(), i + 1);
        }
        expect_stop(schedule.after_attempt(verdict::retry(), 0s), stop_reason::exhausted);
        EXPECT_EQ(schedule.attempts(), maximum + 1);
    }
}

TEST(schedule, without_a_limit_goes_on)
{
    retry_schedule schedule(with(exact, [](auto& o) { o.maximum_retries = unlimited_retries; }), 0s);
    for (std::uint32_t i = 0; i != 100'000; ++i) ASSERT_TRUE(schedule.after_attempt(verdict::retry(), 0s).retry) << i;
    EXPECT_EQ(schedule.attempts(), 100'000u);
    expect_wait(schedule.after_attempt(verdict::retry(), 0s), 64s, 64s);
}

TEST(schedule, counts_attempts_of_every_outcome)
{
    retry_schedule schedule(exact, 7s);
    EXPECT_EQ(schedule.attempts(), 0u);
    EXPECT_EQ(ns(schedule.start()), ns(7s));
    static_cast<void>(schedule.after_attempt(verdict::retry(), 8s));
    EXPECT_EQ(schedule.attempts(), 1u);
    static_cast<void>(schedule.after_attempt(verdict::throttled(), 9s));
    EXPECT_EQ(schedule.attempts(), 2u);
    static_cast<void>(schedule.after_attempt(verdict::done(), 10s));
    EXPECT_EQ(schedule.attempts(), 3u);
    EXPECT_EQ(ns(schedule.start()), ns(7s));
}

TEST(schedule, waits_for_a_hint_that_is_longer_than_the_backoff)
{
    expect_wait(first_decision(exact, verdict::retry(999ms)), 1s, 1s);
    expect_wait(first_decision(exact, verdict::retry(1s)), 1s, 1s);
    expect_wait(first_decision(exact, verdict::retry(1s + 1ns)), 1s + 1ns, 1s + 1ns, wait_origin::hint);
    expect_wait(first_decision(exact, verdict::throttled(20s), 3s), 20s, 23s, wait_origin::hint);
}

TEST(schedule, takes_a_hint_past_the_maximum_backoff)
{
    expect_wait(first_decision(exact, verdict::retry(65s)), 65s, 65s, wait_origin::hint);
    expect_wait(first_decision(exact, verdict::retry(5min)), 5min, 5min, wait_origin::hint);
    expect_stop(first_decision(exact, verdict::retry(5min + 1ns)), stop_reason::hint_too_long);
    expect_stop(first_decision(exact, verdict::retry(longest)), stop_reason::hint_too_long);

    auto const any = with(exact, [](auto& o) { o.maximum_hint = longest; });
    expect_wait(first_decision(any, verdict::retry(longest)), longest, longest, wait_origin::hint);
}

TEST(schedule, spreads_a_hint_upwards_by_a_quarter_and_by_a_second_at_most)
{
    struct expectation {
        nanoseconds hint, half, all;
    };
    for (auto const& [hint, half, all] : std::vector<expectation>{
             {40ms, 45ms, 50ms},
             {2s, 2'250ms, 2'500ms},
             {4s, 4'500ms, 5s},
             {100s, 100'500ms, 101s},
             {5min, 5min + 500ms, 5min + 1s}}) {
        SCOPED_TRACE(ns(hint));
        for (auto const& [random, expected] : {std::pair{no_jitter, hint}, {half_jitter, half}, {all_jitter, all}}) {
            constant_source source(random);
            auto const options = with(exact, [&](auto& o) {
                o.initial_backoff = 0s;
                o.jitter = jitter::additive;
                o.random = &source;
            });
            expect_wait(first_decision(options, verdict::retry(hint)), expected, expected, wait_origin::hint);
        }
    }
}

TEST(schedule, spreads_a_hint_by_another_random_number_than_the_backoff)
{
    listed_source source({all_jitter, half_jitter});
    retry_schedule schedule({.random = &source}, 0s);
    expect_wait(schedule.after_attempt(verdict::retry(8s), 0s), 8'500ms, 8'500ms, wait_origin::hint);
    EXPECT_EQ(source.drawn(), 2u);

    // The spread of a hint that is shorter than the backoff can still win: it is the later of the two times.
    listed_source hint_wins({no_jitter, all_jitter});
    retry_schedule close({.random = &hint_wins}, 0s);
    expect_wait(close.after_attempt(verdict::retry(900ms), 0s), 1'125ms, 1'125ms, wait_origin::hint);
}

TEST(schedule, does_not_spread_a_hint_without_jitter)
{
    constant_source source(all_jitter);
    auto const options = with(exact, [&](auto& o) { o.random = &source; });
    expect_wait(first_decision(options, verdict::retry(8s)), 8s, 8s, wait_origin::hint);
}

TEST(schedule, is_never_earlier_than_a_hint_asked)
{
    retry_schedule schedule({.maximum_retries = unlimited_retries}, 0s);
    for (int i = 0; i != 1'000; ++i) {
        auto const decision = schedule.after_attempt(verdict::retry(2min), 0s);
        ASSERT_TRUE(decision.retry);
        ASSERT_GE(ns(decision.wait), ns(2min));
        ASSERT_LE(ns(decision.wait), ns(2min + 1s));
        ASSERT_GE(ns(decision.until), ns(decision.wait));
    }
}

TEST(schedule, ignores_hints_if_their_maximum_is_zero)
{
    auto const options = with(exact, [](auto& o) {
        o.maximum_hint = 0s;
        o.total_timeout = 1min;
    });
    for (auto const hint : {nanoseconds(-1s), nanoseconds(0s), nanoseconds(10s), nanoseconds(1h), longest})
        expect_wait(first_decision(options, verdict::retry(hint)), 1s, 1s);
}

TEST(schedule, takes_a_negative_hint_for_zero)
{
    for (auto const hint : {nanoseconds(0s), nanoseconds(-1ns), nanoseconds(-1h), (nanoseconds::min)()})
        expect_wait(first_decision(exact, verdict::retry(hint)), 1s, 1s);
}

TEST(schedule, stops_for_a_hint_that_the_deadline_does_not_leave_room_for)
{
    auto const options = with(exact, [](auto& o) { o.total_timeout = 10s; });
    expect_wait(first_decision(options, verdict::retry(7s - 1ns), 3s), 7s - 1ns, 10s - 1ns, wait_origin::hint);
    expect_stop(first_decision(options, verdict::retry(7s), 3s), stop_reason::hint_too_long);
    expect_stop(first_decision(options, verdict::retry(1min), 3s), stop_reason::hint_too_long);

    // A hint fits where the backoff does not: then it is not the hint's fault.
    expect_stop(first_decision(options, verdict::retry(100ms), 9'500ms), stop_reason::deadline);
}

TEST(schedule, spreads_a_hint_no_further_than_the_deadline_leaves)
{
    for (auto const& [random, expected] :
         {std::pair<std::uint64_t, nanoseconds>{no_jitter, 4s}, {half_jitter, 4'500ms}, {all_jitter, 5s - 1ns}}) {
        constant_source source(random);
        auto const options = with(exact, [&](auto& o) {
            o.initial_backoff = 0s;
            o.jitter = jitter::additive;
            o.random = &source;
            o.total_timeout = 5s;
        });
        expect_wait(first_decision(options, verdict::retry(4s)), expected, expected, wait_origin::hint);
    }

    constant_source all(all_jitter);
    auto const options = with(exact, [&](auto& o) {
        o.jitter = jitter::additive;
        o.random = &all;
        o.total_timeout = 5s;
    });
    // The spread that leaves off just before the deadline by itself is as it was.
    expect_wait(first_decision(options, verdict::retry(4s - 4ns)), 5s - 5ns, 5s - 5ns, wait_origin::hint);
    expect_wait(first_decision(options, verdict::retry(4s - 1ns)), 5s - 2ns, 5s - 2ns, wait_origin::hint);
    // Later in the operation, and with room for nothing but the hint.
    expect_wait(first_decision(options, verdict::retry(4s), 500ms), 4'500ms - 1ns, 5s - 1ns, wait_origin::hint);
    expect_wait(first_decision(options, verdict::retry(4s), 1s - 1ns), 4s, 5s - 1ns, wait_origin::hint);
    expect_stop(first_decision(options, verdict::retry(4s), 1s), stop_reason::hint_too_long);
}

TEST(schedule, lets_the_backoff_and_not_the_spread_of_a_hint_decide_about_the_deadline)
{
    constant_source all(all_jitter);
    auto const options = with(exact, [&](auto& o) {
        o.initial_backoff = 4s;
        o.maximum_jitter = 0s;
        o.jitter = jitter::additive;
        o.random = &all;
        o.total_timeout = 5s;
    });
    expect_wait(first_decision(options, verdict::retry(3'900ms)), 4'875ms, 4'875ms, wait_origin::hint);
    expect_wait(first_decision(options, verdict::retry(3'900ms), 1s - 1ns), 4s, 5s - 1ns);
    expect_stop(first_decision(options, verdict::retry(3'900ms), 1s), stop_reason::deadline);
}

TEST(schedule, spreads_a_hint_as_far_as_the_grid_and_the_deadline_allow_and_no_further)
{
    constant_source all(all_jitter);
    auto const longest_wait = [&](int grid, int start, int total, int now, int hint) -> std::optional<std::int64_t> {
        retry_options const options{
            .initial_backoff = 0s,
            .jitter = jitter::additive,
            .total_timeout = nanoseconds(total),
            .wait_resolution = nanoseconds(grid),
            .random = &all};
        retry_schedule schedule(options, nanoseconds(start));
        auto const decision = schedule.after_attempt(verdict::retry(nanoseconds(hint)), nanoseconds(now));
        if (decision.retry) return ns(decision.wait);
        EXPECT_STREQ(to_string(decision.reason), to_string(stop_reason::hint_too_long));
        return std::nullopt;
    };
    // Each spread is tried.
    auto const longest_of_all = [](int grid, int end, int now, int hint) {
        std::optional<std::int64_t> result;
        for (int wait = hint; wait <= hint + hint / 4; ++wait) {
            auto rounded = now + wait;
            if (grid != 0 && wait >= 16 * grid) {
                while (rounded % grid != 0) ++rounded;
            }
            if (rounded < end) result = wait;
        }
        return result;
    };
    for (int const grid : {0, 1, 2, 3, 5})
        for (int const start : {-90, -31, 0, 8})
            for (int const passed : {0, 1, 4})
                for (int total = 10; total != 130; ++total)
                    for (int const hint : {4, 15, 16, 31, 47, 48, 64, 79, 80, 100})
                        ASSERT_EQ(
                            longest_wait(grid, start, total, start + passed, hint),
                            longest_of_all(grid, start + total, start + passed, hint))
                            << "grid " << grid << ", start " << start << ", passed " << passed << ", total " << total
                            << ", hint " << hint;
}

TEST(schedule, spreads_a_hint_at_the_end_of_time)
{
    constant_source all(all_jitter);
    auto const options = with(exact, [&](auto& o) {
        o.initial_backoff = 0s;
        o.jitter = jitter::additive;
        o.maximum_hint = longest;
        o.random = &all;
        o.total_timeout = longest;
    });
    expect_wait(
        first_decision(options, verdict::retry(longest - 500ms)), longest - 1ns, longest - 1ns, wait_origin::hint);
    auto const coarse = with(options, [](auto& o) { o.wait_resolution = 1min; });
    auto const last = longest - longest % 1min;
    expect_wait(first_decision(coarse, verdict::retry(last - 500ms)), last, last, wait_origin::hint);
    expect_wait(first_decision(coarse, verdict::retry(last)), last, last, wait_origin::hint);
    expect_stop(first_decision(coarse, verdict::retry(last + 1ns)), stop_reason::hint_too_long);

    // A clock may begin before its epoch.
    retry_schedule early(options, (nanoseconds::min)() + 1ns);
    expect_wait(
        early.after_attempt(verdict::retry(longest - 500ms), (nanoseconds::min)() + 1ns),
        longest - 1ns,
        -1ns,
        wait_origin::hint);
}

TEST(schedule, starts_from_the_throttled_backoff_after_a_throttled_attempt_only)
{
    retry_schedule schedule(with(exact, [](auto& o) { o.throttled_backoff = 5s; }), 0s);
    expect_wait(schedule.after_attempt(verdict::throttled(), 0s), 5s, 5s);
    expect_wait(schedule.after_attempt(verdict::retry(), 0s), 2s, 2s);
    expect_wait(schedule.after_attempt(verdict::throttled(), 0s), 20s, 20s);
    expect_wait(schedule.after_attempt(verdict::throttled(30s), 0s), 40s, 40s);
    expect_wait(schedule.after_attempt(verdict::throttled(), 0s), 64s, 64s);
}

TEST(schedule, has_a_deadline_only_with_a_total_timeout)
{
    EXPECT_FALSE(retry_schedule(exact, 5s).deadline().has_value());
    retry_schedule const limited(with(exact, [](auto& o) { o.total_timeout = 3s; }), 5s);
    EXPECT_EQ(ns(limited.deadline().value()), ns(8s));
    retry_schedule const before_the_epoch(with(exact, [](auto& o) { o.total_timeout = 3s; }), -10s);
    EXPECT_EQ(ns(before_the_epoch.deadline().value()), ns(-7s));
    retry_schedule const saturated(with(exact, [](auto& o) { o.total_timeout = longest; }), 5s);
    EXPECT_EQ(ns(saturated.deadline().value()), ns(longest));
}

TEST(schedule, does_not_begin_a_wait_that_ends_at_or_past_the_deadline)
{
    auto const options = with(exact, [](auto& o) { o.total_timeout = 4s; });
    expect_wait(first_decision(options, verdict::retry(), 3s - 1ns), 1s, 4s - 1ns);
    expect_stop(first_decision(options, verdict::retry(), 3s), stop_reason::deadline);
    expect_stop(first_decision(options, verdict::retry(), 4s), stop_reason::deadline);
    expect_stop(first_decision(options, verdict::retry(), 1h), stop_reason::deadline);

    // Not even a wait of no length, at the deadline.
    auto const at_once = with(options, [](auto& o) { o.initial_backoff = 0s; });
    expect_wait(first_decision(at_once, verdict::retry(), 4s - 1ns), 0s, 4s - 1ns);
    expect_stop(first_decision(at_once, verdict::retry(), 4s), stop_reason::deadline);
}

TEST(schedule, asks_for_the_deadline_with_the_rounded_end)
{
    auto options = with(exact, [](auto& o) {
        o.total_timeout = 2s;
        o.wait_resolution = 1ms;
    });
    // 999.5 ms + 1 s is before the deadline, but the timer would fire at 2 s.
    expect_stop(first_decision(options, verdict::retry(), 999'500us), stop_reason::deadline);
    expect_wait(first_decision(options, verdict::retry(), 999ms), 1s, 1'999ms);

    options.total_timeout = 2s + 1ns;
    expect_wait(first_decision(options, verdict::retry(), 999'500us), 1s, 2s);

    // The same for a hint.
    options.total_timeout = 2s;
    expect_stop(first_decision(options, verdict::retry(1'500ms), 499'500us), stop_reason::hint_too_long);
}

TEST(schedule, waits_end_on_the_grid_and_never_early)
{
    auto const options = with(exact, [](auto& o) { o.wait_resolution = 1ms; });
    expect_wait(first_decision(options, verdict::retry(), 0ns), 1s, 1s);
    expect_wait(first_decision(options, verdict::retry(), 1ns), 1s, 1'001ms);
    expect_wait(first_decision(options, verdict::retry(), 999'999ns), 1s, 1'001ms);
    expect_wait(first_decision(options, verdict::retry(), 1ms), 1s, 1'001ms);
    expect_wait(first_decision(options, verdict::retry(1'000'000'001ns)), 1'000'000'001ns, 1'001ms, wait_origin::hint);

    auto const coarse = with(exact, [](auto& o) {
        o.initial_backoff = 1min;
        o.wait_resolution = 3s;
    });
    expect_wait(first_decision(coarse, verdict::retry(), 1s), 1min, 63s);
}

TEST(schedule, waits_end_at_a_tick_of_the_timer)
{
    for (auto const resolution : {0ns, nanoseconds(1ms)}) {
        auto const options = with(exact, [&](auto& o) {
            o.wait_resolution = resolution;
            o.total_timeout = 1min;
        });
        auto const decided = [&](verdict const& judged, nanoseconds now) {
            return retry_schedule(options, 0s).after_attempt(judged, now, interruption::none, 7ms);
        };
        expect_wait(decided(verdict::retry(), 0ns), 1s, 1'001ms);
        expect_wait(decided(verdict::retry(), 1ms), 1s, 1'001ms);
        expect_wait(decided(verdict::retry(), 1ms + 1ns), 1s, 1'008ms);
        // The last tick before the deadline is at 59'997 ms. What would end at the next is not begun.
        expect_wait(decided(verdict::retry(), 58'997ms), 1s, 59'997ms);
        expect_stop(decided(verdict::retry(), 58'997ms + 1ns), stop_reason::deadline);
        expect_stop(decided(verdict::retry(2s), 57'997ms + 1ns), stop_reason::hint_too_long);

        auto const at_once = with(options, [](auto& o) { o.initial_backoff = 0s; });
        expect_wait(
            retry_schedule(at_once, 0s).after_attempt(verdict::retry(), 59'999ms, interruption::none, 7ms),
            0s,
            59'999ms);
    }
}

TEST(schedule, a_hint_that_fits_is_not_spread_past_the_last_tick)
{
    constant_source most(all_jitter);
    auto const options = with(retry_options{}, [&](auto& o) {
        o.total_timeout = 1min;
        o.random = &most;
    });
    auto const decision =
        retry_schedule(options, 0s).after_attempt(verdict::retry(20s), 39'990ms, interruption::none, 7ms);
    expect_wait(decision, 20'007ms, 59'997ms, wait_origin::hint);
}

TEST(schedule, a_hint_not_to_wait_is_heeded_after_the_last_tick)
{
    constant_source most(all_jitter);
    auto const options = with(retry_options{}, [&](auto& o) {
        o.total_timeout = 1min;
        o.jitter = jitter::full;
        o.initial_backoff = 0s;
        o.random = &most;
    });
    auto const decision =
        retry_schedule(options, 0s).after_attempt(verdict::retry(0s), 59'998ms, interruption::none, 7ms);
    expect_wait(decision, 0s, 59'998ms);
}

TEST(schedule, a_hint_that_fits_is_not_spread_past_the_last_tick_before_the_end_of_time)
{
    constant_source most(all_jitter);
    auto const options = with(retry_options{}, [&](auto& o) {
        o.total_timeout = longest;
        o.maximum_hint = longest;
        o.random = &most;
    });
    auto const last_tick = longest - longest % nanoseconds(1min);
    for (auto const hint : {last_tick, last_tick - 1ns}) {
        auto const decision =
            retry_schedule(options, 0s).after_attempt(verdict::retry(hint), 0s, interruption::none, 1min);
        expect_wait(decision, last_tick, last_tick, wait_origin::hint);
    }
}

TEST(schedule, waits_end_on_the_grid_before_the_epoch_of_the_clock)
{
    auto const options = with(exact, [](auto& o) { o.wait_resolution = 1ms; });
    retry_schedule schedule(options, -10s);
    expect_wait(schedule.after_attempt(verdict::retry(), -9'999'999'999ns), 1s, -8'999ms);
    expect_wait(schedule.after_attempt(verdict::retry(), -8'000'000'001ns), 2s, -6s);
    expect_wait(schedule.after_attempt(verdict::retry(), -4s - 1ns), 4s, 0s);
    expect_wait(schedule.after_attempt(verdict::retry(), -8s + 1ns), 8s, 1ms);
}

TEST(schedule, waits_shorter_than_sixteen_times_the_grid_are_exact)
{
    auto options = with(exact, [](auto& o) {
        o.initial_backoff = 16ms - 1ns;
        o.wait_resolution = 1ms;
    });
    expect_wait(first_decision(options, verdict::retry(), 7ns), 16ms - 1ns, 16ms + 6ns);
    options.initial_backoff = 16ms;
    expect_wait(first_decision(options, verdict::retry(), 7ns), 16ms, 17ms);

    options.initial_backoff = 1'500ns;
    expect_wait(first_decision(options, verdict::retry(), 3ns), 1'500ns, 1'503ns);
    options.initial_backoff = 0s;
    expect_wait(first_decision(options, verdict::retry(), 3ns), 0ns, 3ns);

    // A grid so coarse that sixteen of it overflow leaves every wait exact.
    options.initial_backoff = 1min;
    options.wait_resolution = longest;
    expect_wait(first_decision(options, verdict::retry(), 3ns), 1min, 1min + 3ns);
}

TEST(schedule, a_grid_of_zero_leaves_every_wait_exact)
{
    expect_wait(first_decision(exact, verdict::retry(), 3ns), 1s, 1s + 3ns);
    expect_wait(
        first_decision(exact, verdict::retry(64'000'000'001ns), 3ns),
        64'000'000'001ns,
        64'000'000'004ns,
        wait_origin::hint);
}

TEST(schedule, times_at_the_end_of_the_clock_saturate)
{
    auto const options = with(exact, [](auto& o) { o.wait_resolution = 1ms; });
    expect_wait(first_decision(options, verdict::retry(), longest), 1s, longest);
    expect_wait(first_decision(options, verdict::retry(), longest - 1s), 1s, longest);
    expect_wait(first_decision(options, verdict::retry(), longest - 1s - 1ns), 1s, longest);
}

TEST(schedule, cuts_an_attempt_off_at_its_timeout_or_at_what_the_total_leaves)
{
    EXPECT_FALSE(retry_schedule(exact, 0s).cut_off(1h).has_value());

    retry_schedule const each(with(exact, [](auto& o) { o.attempt_timeout = 3s; }), 0s);
    EXPECT_EQ(ns(each.cut_off(0s).value()), ns(3s));
    EXPECT_EQ(ns(each.cut_off(1h).value()), ns(1h + 3s));
    EXPECT_EQ(ns(each.cut_off(longest - 1s).value()), ns(longest));

    retry_schedule const total(with(exact, [](auto& o) { o.total_timeout = 10s; }), 2s);
    EXPECT_EQ(ns(total.cut_off(2s).value()), ns(12s));
    EXPECT_EQ(ns(total.cut_off(11s).value()), ns(12s));

    retry_schedule const both(
        with(
            exact,
            [](auto& o) {
                o.attempt_timeout = 3s;
                o.total_timeout = 10s;
            }),
        2s);
    EXPECT_EQ(ns(both.cut_off(2s).value()), ns(5s));
    EXPECT_EQ(ns(both.cut_off(9s).value()), ns(12s));
    EXPECT_EQ(ns(both.cut_off(9s + 1ns).value()), ns(12s));
    EXPECT_EQ(ns(both.cut_off(11s).value()), ns(12s));
}

TEST(schedule, remembers_the_worst_delivery)
{
    retry_schedule schedule(exact, 0s);
    auto const after = [&](std::optional<delivery> delivered) {
        static_cast<void>(
            schedule.after_attempt({.kind = verdict_kind::retry, .delivered = delivered, .replayable = true}, 0s));
        return schedule.worst_delivery();
    };
    EXPECT_EQ(schedule.worst_delivery(), std::nullopt);
    EXPECT_EQ(after(std::nullopt), std::nullopt);
    EXPECT_EQ(after(delivery::not_sent), delivery::not_sent);
    EXPECT_EQ(after(delivery::rejected), delivery::rejected);
    EXPECT_EQ(after(delivery::not_sent), delivery::rejected);
    EXPECT_EQ(after(delivery::responded), delivery::responded);
    EXPECT_EQ(after(delivery::ambiguous), delivery::ambiguous);
    EXPECT_EQ(after(delivery::responded), delivery::ambiguous);
    EXPECT_EQ(after(std::nullopt), delivery::ambiguous);
}

TEST(schedule, worse_is_the_documented_order_of_deliveries)
{
    constexpr std::array from_good_to_bad{
        delivery::not_sent, delivery::rejected, delivery::responded, delivery::ambiguous};
    for (std::size_t a = 0; a != from_good_to_bad.size(); ++a)
        for (std::size_t b = 0; b != from_good_to_bad.size(); ++b)
            EXPECT_EQ(worse(from_good_to_bad[a], from_good_to_bad[b]), from_good_to_bad[(std::max)(a, b)]);
}

TEST(schedule, does_not_repeat_what_may_have_been_carried_out)
{
    constexpr auto ended = [](std::optional<delivery> delivered, bool replayable) {
        return verdict{.kind = verdict_kind::retry, .delivered = delivered, .replayable = replayable};
    };
    for (auto const harmless : {delivery::not_sent, delivery::rejected, delivery::responded})
        expect_wait(first_decision(exact, ended(harmless, false)), 1s, 1s);
    expect_wait(first_decision(exact, ended(std::nullopt, false)), 1s, 1s);
    expect_wait(first_decision(exact, ended(delivery::ambiguous, true)), 1s, 1s);
    expect_stop(first_decision(exact, ended(delivery::ambiguous, false)), stop_reason::not_replayable);

    // A doubt is not undone by a later answer, nor by an attempt of which nothing is known.
    for (auto const later :
         {std::optional(delivery::not_sent),
          std::optional(delivery::rejected),
          std::optional(delivery::responded),
          std::optional<delivery>()}) {
        retry_schedule schedule(exact, 0s);
        EXPECT_TRUE(schedule.after_attempt(ended(delivery::ambiguous, true), 0s).retry);
        expect_stop(schedule.after_attempt(ended(later, false), 0s), stop_reason::not_replayable);
    }
}

TEST(schedule, copies_have_the_same_history_and_draw_other_random_numbers)
{
    retry_schedule first(
        {.multiplier = 1, .maximum_backoff = longest, .maximum_jitter = longest / 4, .maximum_retries = 100}, 3s);
    EXPECT_TRUE(first.after_attempt({.kind = verdict_kind::retry, .delivered = delivery::rejected}, 4s).retry);
    retry_schedule copy(first);
    retry_schedule assigned({.maximum_retries = 0}, 0s);
    static_cast<void>(assigned.after_attempt(verdict::retry(), 0s));
    assigned = first;
    for (auto* each : {&copy, &assigned}) {
        EXPECT_EQ(each->attempts(), 1u);
        EXPECT_EQ(ns(each->start()), ns(3s));
        EXPECT_EQ(each->worst_delivery(), delivery::rejected);
        EXPECT_EQ(each->options().maximum_retries, 100u);
    }
    std::set<std::int64_t> waits;
    for (int i = 0; i != 20; ++i)
        for (auto* each : {&first, &copy, &assigned}) waits.insert(ns(each->after_attempt(verdict::retry(), 4s).wait));
    EXPECT_EQ(waits.size(), 60u);
}

TEST(schedule, copies_draw_from_the_same_source_if_one_is_given)
{
    listed_source source({no_jitter, half_jitter, all_jitter});
    retry_schedule first({.random = &source}, 0s);
    auto second = first;
    EXPECT_EQ(ns(first.after_attempt(verdict::retry(), 0s).wait), ns(1s));
    EXPECT_EQ(ns(second.after_attempt(verdict::retry(), 0s).wait), ns(1'500ms));
    EXPECT_EQ(ns(first.after_attempt(verdict::retry(), 0s).wait), ns(3s));
}

TEST(schedule, shares_options_that_are_passed_by_reference)
{
    retry_options const options = with(exact, [](auto& o) { o.maximum_retries = 1; });
    using shared_schedule = basic_retry_schedule<std::reference_wrapper<retry_options const>>;
    shared_schedule schedule(std::cref(options), 0s);
    EXPECT_EQ(&schedule.options(), &options);
    EXPECT_LT(sizeof(shared_schedule), sizeof(retry_options));
    expect_wait(schedule.after_attempt(verdict::retry(), 0s), 1s, 1s);
    expect_stop(schedule.after_attempt(verdict::retry(), 1s), stop_reason::exhausted);
    static_assert(std::is_same_v<retry_schedule, basic_retry_schedule<retry_options>>);
}

TEST(schedule, decisions_compare_by_all_their_parts)
{
    retry_decision const decision{.retry = true, .wait = 1s, .until = 2s, .origin = wait_origin::backoff};
    auto other = decision;
    EXPECT_TRUE(decision == other);
    other.until = 3s;
    EXPECT_FALSE(decision == other);
}

namespace {

// Options and outcomes of all magnitudes, from one seed.
class anything {
public:
    explicit anything(std::uint64_t seed) : random_(seed) {}

    bool one_in(unsigned n) { return random_() % n == 0; }
    std::uint64_t number() { return random_(); }

    nanoseconds duration(nanoseconds limit)
    {
        auto const shift = 1 + random_() % 63;
        return nanoseconds(static_cast<std::int64_t>(random_() >> shift)) % (limit == longest ? limit : limit + 1ns);
    }

    retry_options options()
    {
        retry_options result;
        result.maximum_backoff = one_in(20) ? longest : duration(longest);
        result.initial_backoff = one_in(20) ? 0s : duration(result.maximum_backoff);
        result.multiplier = one_in(10) ? 1 : one_in(10) ? 1e308 : 1 + static_cast<double>(random_() % 3'000) / 1'000;
        if (one_in(2)) result.maximum_jitter = duration(longest);
        if (one_in(3)) result.jitter = jitter::none;
        if (one_in(2)) result.throttled_backoff = duration(result.maximum_backoff);
        result.maximum_retries = one_in(10) ? unlimited_retries : static_cast<std::uint32_t>(random_() % 12);
        if (one_in(2)) result.attempt_timeout = duration(longest);
        if (one_in(2)) result.total_timeout = duration(longest);
        result.maximum_hint = one_in(10) ? 0s : one_in(10) ? longest : duration(longest);
        result.wait_resolution = one_in(5) ? 0s : one_in(20) ? longest : duration(1min);
        return result;
    }

    verdict outcome()
    {
        verdict result;
        auto const kind = random_() % 16;
        result.kind = kind == 0 ? verdict_kind::done
            : kind == 1         ? verdict_kind::permanent
            : kind < 6          ? verdict_kind::throttled
                                : verdict_kind::retry;
        if (one_in(3)) result.hint = one_in(10) ? -duration(longest) : duration(longest);
        if (one_in(2)) result.delivered = static_cast<delivery>(random_() % 4);
        result.replayable = !one_in(4);
        return result;
    }

private:
    std::mt19937_64 random_;
};

nanoseconds later(nanoseconds time, nanoseconds by)
{
    return by > longest - time ? longest : time + by;
}

nanoseconds rounded(nanoseconds time, nanoseconds grid)
{
    auto const past = time % grid;
    return past == 0ns ? time : later(time - past, grid);
}

// Where the rounding of `retry_options::wait_resolution`, and of the timer, may put the end of a wait.
nanoseconds rounded(nanoseconds wait, nanoseconds now, nanoseconds grid, nanoseconds tick)
{
    auto result = later(now, wait);
    if (wait == 0ns) return result;
    if (grid != 0ns && wait / 16 >= grid) result = rounded(result, grid);
    return tick == 0ns ? result : rounded(result, tick);
}

}  // namespace

TEST(schedule, keeps_its_promises_for_any_options_and_any_outcomes)
{
    anything any(2026);
    std::array<std::uint64_t, 7> stops{};
    for (int run = 0; run != 100'000; ++run) {
        auto options = any.options();
        constant_source source(run % 7 == 0 ? no_jitter : run % 7 == 1 ? all_jitter : any.number());
        if (run % 2 == 0) options.random = &source;
        ASSERT_FALSE(validate(options)) << validate(options).message();
        auto now = any.duration(longest / 2);
        auto const tick = any.one_in(2) ? 0ns : any.one_in(2) ? nanoseconds(1ms) : any.duration(1min) + 1ns;
        retry_schedule schedule(options, now);
        auto const deadline = schedule.deadline();
        ASSERT_EQ(deadline.has_value(), options.total_timeout != 0ns);
        bool doubtful = false;

        for (std::uint32_t retry = 0;; ++retry) {
            // Every verdict ends the run with a chance of an eighth, so this many attempts never happen.
            ASSERT_LT(retry, 1'000u) << "run " << run << " does not end";
            auto const cut_off = schedule.cut_off(now);
            ASSERT_EQ(cut_off.has_value(), options.attempt_timeout != 0ns || deadline.has_value());
            if (deadline) {
                ASSERT_LE(ns(*cut_off), ns(*deadline));
            }
            if (options.attempt_timeout != 0ns) {
                ASSERT_LE(ns(*cut_off), ns(later(now, options.attempt_timeout)));
            }

            now = later(now, any.duration(1h));
            auto const judged = any.outcome();
            auto const by = any.one_in(50)                      ? interruption::cancelled
                : deadline && now >= *deadline && any.one_in(2) ? interruption::deadline
                                                                : interruption::none;
            doubtful = doubtful || judged.delivered == delivery::ambiguous;
            auto const decision = schedule.after_attempt(judged, now, by, tick);
            ASSERT_EQ(schedule.attempts(), retry + 1);
            if (options.maximum_retries != unlimited_retries) {
                ASSERT_LE(retry, options.maximum_retries);
            }

            auto const throttled = judged.kind == verdict_kind::throttled;
            auto const shortest_backoff = backoff(options, retry, no_jitter, throttled);
            auto const longest_backoff = backoff(options, retry, all_jitter, throttled);
            auto const heeded = judged.hint && options.maximum_hint != 0ns;
            auto const hint = heeded ? (std::max)(*judged.hint, nanoseconds(0)) : nanoseconds(0);
            auto const spread = options.jitter == jitter::none ? nanoseconds(0) : (std::min<nanoseconds>)(hint / 4, 1s);

            if (decision.retry) {
                ASSERT_TRUE(throttled || judged.kind == verdict_kind::retry);
                ASSERT_EQ(by, interruption::none);
                ASSERT_FALSE(doubtful && !judged.replayable);
                ASSERT_GE(ns(decision.wait), ns((std::max)(shortest_backoff, hint)));
                ASSERT_LE(ns(decision.wait), ns((std::max)(longest_backoff, later(hint, spread))));
                ASSERT_TRUE(decision.origin == wait_origin::hint || decision.origin == wait_origin::backoff);
                if (decision.origin == wait_origin::backoff) {
                    ASSERT_LE(ns(decision.wait), ns(options.maximum_backoff));
                } else {
                    ASSERT_TRUE(heeded);
                    ASSERT_LE(ns(hint), ns(options.maximum_hint));
                }
                ASSERT_EQ(ns(decision.until), ns(rounded(decision.wait, now, options.wait_resolution, tick)));
                ASSERT_GE(ns(decision.until), ns(later(now, decision.wait)));
                if (deadline) {
                    ASSERT_LT(ns(decision.until), ns(*deadline));
                }
                now = decision.until;
                continue;
            }

            ASSERT_EQ(ns(decision.wait), 0);
            ASSERT_EQ(decision.origin, wait_origin::none);
            ++stops.at(static_cast<std::size_t>(decision.reason));
            auto const latest = (std::max)(longest_backoff, later(hint, spread));
            switch (decision.reason) {
            case stop_reason::success: ASSERT_EQ(judged.kind, verdict_kind::done); break;
            case stop_reason::cancelled: ASSERT_EQ(by, interruption::cancelled); break;
            case stop_reason::permanent: ASSERT_EQ(judged.kind, verdict_kind::permanent); break;
            case stop_reason::not_replayable: ASSERT_TRUE(doubtful && !judged.replayable); break;
            case stop_reason::exhausted: ASSERT_EQ(retry, options.maximum_retries); break;
            case stop_reason::hint_too_long:
                ASSERT_TRUE(heeded);
                ASSERT_TRUE(
                    hint > options.maximum_hint
                    || (deadline && rounded(hint, now, options.wait_resolution, tick) >= *deadline));
                break;
            case stop_reason::deadline:
                ASSERT_TRUE(deadline.has_value());
                ASSERT_TRUE(
                    by == interruption::deadline || rounded(latest, now, options.wait_resolution, tick) >= *deadline);
                break;
            default: FAIL() << to_string(decision.reason) << " is not a schedule's to give";
            }
            break;
        }
    }
    // The numbers above mean something only if the runs reached everything.
    for (std::size_t reason = 0; reason != stops.size(); ++reason)
        EXPECT_GT(stops[reason], 500u) << to_string(static_cast<stop_reason>(reason));
}
