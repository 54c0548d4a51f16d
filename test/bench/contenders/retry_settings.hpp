//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_CONTENDERS_RETRY_SETTINGS_HPP
#define BACKBEAT_TEST_BENCH_CONTENDERS_RETRY_SETTINGS_HPP

#include "stage.hpp"

#include <backbeat/retry_options.hpp>
#include <backbeat/timers.hpp>

#include <chrono>

namespace bench {

// What of `async_retry` is used. Without any of it: a callback, options by `std::cref`, an operation by value, exact
// deadlines on a `steady_timer` an operation.
struct retry_settings {
    bool options_by_value = false;
    bool operation_by_reference = false;
    bool any_executor = false;
    bool pooled = false;
    bool slot = false;
    bool limits = false;
    bool grid = false;
    bool report = false;
    bool budget = false;
    bool wheel = false;
};

[[nodiscard]] inline backbeat::retry_options options_for(wait_law const& law, retry_settings const& settings)
{
    using namespace std::chrono_literals;
    backbeat::retry_options result{
        .initial_backoff = law.initial,
        .maximum_backoff = law.cap,
        .maximum_jitter = law.jitter,
        .maximum_retries = maximum_retries,
        .wait_resolution = 0ns};
    if (settings.limits) {
        result.attempt_timeout = 10s;
        result.total_timeout = 1h;
    }
    if (settings.grid) result.wait_resolution = 1ms;
    if (settings.wheel) result.timers = backbeat::timers::wheel;
    return result;
}

}  // namespace bench

#endif
