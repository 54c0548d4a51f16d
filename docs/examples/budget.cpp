//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// What budgets refuse: 100 requests a second for 90 s of made-up time, of which the first 30 s go well.

#include <backbeat/aws_retry_quota.hpp>
#include <backbeat/budget_registry.hpp>
#include <backbeat/finagle_retry_budget.hpp>
#include <backbeat/grpc_retry_throttle.hpp>
#include <backbeat/retry_schedule.hpp>

#include <cstdio>
#include <random>

using namespace std::chrono_literals;
using backbeat::verdict;

// Prints what became of the 6000 requests after the first 30 s, and returns how many attempts each took.
template <class Budget>
double row(char const* name, int scenario, typename Budget::options_type const& numbers = {})
{
    backbeat::budget_registry<Budget> budgets(numbers);
    backbeat::retry_options options{.initial_backoff = scenario == 4 ? 1s : 100ms, .jitter = backbeat::jitter::none};
    std::mt19937_64 random;
    std::multimap<std::chrono::nanoseconds, std::optional<backbeat::retry_schedule>> due;
    for (auto start = 0ms; start != 90s; start += 10ms) due.emplace(start, std::nullopt);
    double attempts = 0, failures = 0, lost = 0, granted = 0, refused = 0;
    while (!due.empty()) {
        auto next = due.extract(due.begin());
        auto& request = next.mapped();
        auto const now = next.key();
        options.budget = &budgets.for_key(std::to_string(scenario == 3 ? now / 10ms % 100 : 0));
        if (!request) request.emplace(options, now);
        if (request->before_attempt(now)) continue;
        bool const fails[] = {random() % 10 == 0, failures < 30, now < 90s, now < 90s, now < 60s};
        bool const failed = now >= 30s && fails[scenario];
        auto const decision = request->after_attempt(failed ? verdict::retry() : verdict::done(), now);
        attempts += request->start() >= 30s;
        failures += failed;
        granted += decision.retry;
        refused += decision.reason == backbeat::stop_reason::budget;
        lost += failed && !decision.retry;
        next.key() = decision.until;
        if (decision.retry) due.insert(std::move(next));
    }
    attempts /= 6000;
    std::printf("  %-21s %10.2f %8.2f %% %9.0f %9.0f\n", name, attempts, 100 - lost / 60, granted, refused);
    return attempts;
}

int main()
{
    char const* names[] = {"10 % fail", "30 fail", "60 s down", "60 s down, 100 processes", "30 s down, long waits"};
    double without[5] = {}, with[5] = {};
    std::puts("                        attempts a request  succeeded   granted   refused");
    for (int i = 0; i != 5; ++i) {
        std::puts(names[i]);
        without[i] = row<backbeat::retry_budget>("none", i, {.minimum_capacity = 1'000'000});
        with[i] = row<backbeat::retry_budget>("retry_budget", i);
        row<backbeat::grpc_retry_throttle>("grpc_retry_throttle", i);
        row<backbeat::aws_retry_quota>("aws_retry_quota", i);
        row<backbeat::finagle_retry_budget>("finagle_retry_budget", i);
    }
    return without[2] > 5.9 && with[2] < 1.1 && with[3] < 1.2 ? 0 : 1;
}
