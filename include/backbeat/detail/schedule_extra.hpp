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
    template <class Schedule>
    [[nodiscard]] schedule_extra* get(Schedule&) noexcept
    {
        return &extra_;
    }

    template <class Schedule>
    [[nodiscard]] schedule_extra const* get(Schedule&) const noexcept
    {
        return &extra_;
    }

private:
    schedule_extra extra_;
};

// or where the operation has it whose base the schedule is, and nowhere where it is not needed: by the ten thousand, what
// is not used is what costs.
template <class Operation>
struct extra_behind {
    template <class Schedule>
    [[nodiscard]] static schedule_extra* get(Schedule& schedule) noexcept
    {
        return Operation::extra_of(schedule);
    }
};

}  // namespace backbeat::detail

#endif
