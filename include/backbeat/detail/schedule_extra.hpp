//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_SCHEDULE_EXTRA_HPP
#define BACKBEAT_DETAIL_SCHEDULE_EXTRA_HPP

#include <backbeat/budget.hpp>
#include <backbeat/circuit_breaker.hpp>
#include <backbeat/jitter.hpp>
#include <backbeat/retry_options.hpp>

#include <chrono>

namespace backbeat::detail {

// What a schedule remembers for the sake of options that most operations do not use.
struct schedule_extra {
    std::chrono::nanoseconds start{};
    std::chrono::nanoseconds previous_backoff{};
    circuit_breaker::permit permit;
    budget::amount spent = 0;
};

[[nodiscard]] inline bool needs_schedule_extra(retry_options const& options) noexcept
{
    return options.total_timeout != options.total_timeout.zero() || options.jitter == jitter::decorrelated
        || options.breaker != nullptr || options.budget != nullptr;
}

// Where a schedule keeps it. In itself, as a value does:
class extra_inside {
public:
    [[nodiscard]] schedule_extra* get() noexcept { return &extra_; }
    [[nodiscard]] schedule_extra const* get() const noexcept { return &extra_; }

private:
    schedule_extra extra_;
};

// or elsewhere, and nowhere where it is not needed: by the ten thousand, what is not used is what costs.
class extra_outside {
public:
    explicit extra_outside(schedule_extra* extra) noexcept : extra_(extra) {}
    [[nodiscard]] schedule_extra* get() noexcept { return extra_; }
    [[nodiscard]] schedule_extra const* get() const noexcept { return extra_; }

private:
    schedule_extra* extra_;
};

}  // namespace backbeat::detail

#endif
