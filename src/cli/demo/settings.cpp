//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "settings.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

namespace backbeat::cli::demo {

namespace {

using std::chrono::nanoseconds;
using namespace std::chrono_literals;

nanoseconds scaled(nanoseconds time, double scale)
{
    auto const exact = static_cast<double>(time.count()) * scale;
    return nanoseconds(static_cast<std::int64_t>((std::min)(std::round(exact), 9e18)));
}

std::uint32_t scaled_milliseconds(double milliseconds, double scale)
{
    auto const most = static_cast<double>((std::numeric_limits<std::uint32_t>::max)());
    return static_cast<std::uint32_t>((std::min)(std::ceil(milliseconds * scale), most));
}

}  // namespace

std::vector<fault_rule> default_faults()
{
    // A rule sees what the ones before it let pass: 1 - 0.88 x 0.9 x 0.94 x 0.94 = 0.30.
    return {
        parse_fault_rule("status=503 rate=0.12"),
        parse_fault_rule("status=429 retry-after=2 rate=0.1"),
        parse_fault_rule("reset rate=0.06"),
        parse_fault_rule("delay=500ms rate=0.06"),
    };
}

retry_options scaled_policy(double scale)
{
    retry_options policy;
    policy.initial_backoff = scaled(policy.initial_backoff, scale);
    policy.maximum_backoff = scaled(policy.maximum_backoff, scale);
    policy.maximum_hint = scaled(policy.maximum_hint, scale);
    // The deadline that the API has for most methods; not so short that a busy machine alone would pass it.
    policy.attempt_timeout = (std::max)(scaled(60s, scale), nanoseconds(5s));
    return policy;
}

std::vector<fault_rule> scaled_faults(std::vector<fault_rule> rules, double scale)
{
    for (auto& rule : rules) {
        if (rule.delay != nanoseconds{}) rule.delay = (std::max)(scaled(rule.delay, scale), nanoseconds(1));
        std::optional<double> hint;
        if (rule.retry_after) hint = 1e3 * *rule.retry_after;
        if (rule.retry_after_ms) hint = (std::max)(hint.value_or(0), double(*rule.retry_after_ms));
        rule.retry_after.reset();
        if (hint) rule.retry_after_ms = scaled_milliseconds(*hint, scale);
        if (rule.retry_info) rule.retry_info = scaled(*rule.retry_info, scale);
    }
    return rules;
}

}  // namespace backbeat::cli::demo
