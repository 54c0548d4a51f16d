//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_RETRY_DECISION_HPP
#define BACKBEAT_RETRY_DECISION_HPP

#include <backbeat/config.hpp>
#include <backbeat/stop_reason.hpp>
#include <backbeat/wait_origin.hpp>

#include <chrono>
#include <cstdint>

namespace backbeat {

/// What is to be done after an attempt.
struct retry_decision {
    /// Whether there is to be another attempt.
    bool retry = false;

    /// Why not, if not.
    stop_reason reason = stop_reason::success;

    /// How long to wait before it, exact. Zero: not at all.
    std::chrono::nanoseconds wait{};

    /// When that wait ends, rounded up to `retry_options::wait_resolution`, in the time that was passed as `now`.
    std::chrono::nanoseconds until{};

    /// What the wait was chosen by.
    wait_origin origin = wait_origin::none;

    friend bool operator==(retry_decision const&, retry_decision const&) = default;
};

/// What ended an attempt from outside.
enum class interruption : std::uint8_t {
    /// Nothing: it ended by itself.
    none,

    /// `retry_options::attempt_timeout`.
    attempt_timeout,

    /// The caller, who cancelled the operation.
    cancelled,

    /// `retry_options::total_timeout`.
    deadline
};

}  // namespace backbeat

#endif
