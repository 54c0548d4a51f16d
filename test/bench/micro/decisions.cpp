//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/budget.hpp>
#include <backbeat/retry_budget.hpp>
#include <backbeat/retry_options.hpp>
#include <backbeat/retry_schedule.hpp>
#include <backbeat/verdict.hpp>

#include <benchmark/benchmark.h>

#include <chrono>
#include <functional>

namespace bench {

namespace {

using namespace std::chrono_literals;
using backbeat::attempt_outcome;

// As many tokens as there can be, so that nothing is refused for a million withdrawals.
constexpr backbeat::retry_budget_options rich{.minimum_capacity = 1e6};

void budget_withdraw(benchmark::State& state)
{
    backbeat::retry_budget budget(rich);
    auto now = 1s + 0ns;
    for ([[maybe_unused]] auto _ : state) {
        now += 1us;
        benchmark::DoNotOptimize(budget.try_withdraw(attempt_outcome::transient, now));
    }
    if (budget.refused() != 0) state.SkipWithError("a withdrawal was refused");
}

void budget_refuse(benchmark::State& state)
{
    backbeat::retry_budget budget;
    auto now = 1s + 0ns;
    while (budget.try_withdraw(attempt_outcome::transient, now)) {}
    for ([[maybe_unused]] auto _ : state) {
        now += 1us;
        benchmark::DoNotOptimize(budget.try_withdraw(attempt_outcome::transient, now));
    }
}

void budget_deposit(benchmark::State& state)
{
    backbeat::retry_budget budget(rich);
    auto now = 1s + 0ns;
    for ([[maybe_unused]] auto _ : state) {
        now += 1us;
        budget.attempt_ended(attempt_outcome::success, 0, now);
    }
}

// Two threads withdraw and deposit in turns, as fast as they can.
void budget_contended(benchmark::State& state)
{
    static backbeat::retry_budget budget(rich);
    auto now = 1s + 0ns;
    for ([[maybe_unused]] auto _ : state) {
        now += 1us;
        benchmark::DoNotOptimize(budget.try_withdraw(attempt_outcome::transient, now));
        budget.attempt_ended(attempt_outcome::success, 0, now);
    }
}

// From the end of a failed attempt to the wait.
void schedule_decision(benchmark::State& state)
{
    backbeat::retry_options const options{.maximum_retries = backbeat::unlimited_retries};
    backbeat::basic_retry_schedule<std::reference_wrapper<backbeat::retry_options const>> schedule(options, 1s);
    auto now = 1s + 0ns;
    for ([[maybe_unused]] auto _ : state) {
        now += 1us;
        benchmark::DoNotOptimize(schedule.before_attempt(now));
        benchmark::DoNotOptimize(schedule.after_attempt(backbeat::verdict::retry(), now));
    }
}

// The same for the first retry: with a schedule of its own, whose generator is seeded.
void schedule_first_decision(benchmark::State& state)
{
    backbeat::retry_options const options;
    auto now = 1s + 0ns;
    for ([[maybe_unused]] auto _ : state) {
        now += 1us;
        backbeat::basic_retry_schedule<std::reference_wrapper<backbeat::retry_options const>> schedule(options, now);
        benchmark::DoNotOptimize(schedule.before_attempt(now));
        benchmark::DoNotOptimize(schedule.after_attempt(backbeat::verdict::retry(), now));
    }
}

BENCHMARK(budget_withdraw)->Iterations(900'000);
BENCHMARK(budget_refuse);
BENCHMARK(budget_deposit);
BENCHMARK(budget_contended)->Threads(2)->UseRealTime();
BENCHMARK(schedule_decision);
BENCHMARK(schedule_first_decision);

}  // namespace

}  // namespace bench
