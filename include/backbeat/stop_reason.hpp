//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_STOP_REASON_HPP
#define BACKBEAT_STOP_REASON_HPP

#include <backbeat/config.hpp>

#include <cstdint>

namespace backbeat {

/**
 * \brief Why an operation ended.
 * \details
 * All limits hold at once. They are asked in the order of this enumeration, so that the reason is determined even
 * when several would have ended the operation; those after `budget` stand outside that order.
 */
enum class stop_reason : std::uint8_t {
    /// An attempt was judged done.
    success,

    /// The caller cancelled, and the running attempt, if any, did not succeed all the same.
    cancelled,

    /// An attempt failed in a way that repeating it does not mend.
    permanent,

    /// The request may have been carried out, and repeating it might carry it out twice. Or it cannot be sent again.
    not_replayable,

    /// `retry_options::maximum_retries` retries were made.
    exhausted,

    /// The server asked for a longer wait than `retry_options::maximum_hint`, or than the deadline leaves.
    hint_too_long,

    /**
     * \brief `retry_options::total_timeout` expired, or would have expired during the next wait.
     * \details
     * An attempt that it cut off, and that ended as cancelled, always ends the operation for this reason: what that
     * attempt's end would have meant otherwise is not asked.
     */
    deadline,

    /// `retry_options::breaker` was open, or would have been at the end of the wait. That is not retried.
    breaker_open,

    /// `retry_options::budget` refused the retry.
    budget,

    /// Whether the operation was carried out cannot be found out, and repeating it might carry it out twice.
    outcome_unknown,

    /// The options contradict themselves: no attempt was made.
    invalid_options,

    /// The execution context was destroyed before the operation ended: its handler was not called.
    abandoned
};

/// Returns the name of a reason, as it is spelled in the enumeration.
[[nodiscard]] constexpr char const* to_string(stop_reason value) noexcept
{
    switch (value) {
    case stop_reason::success: return "success";
    case stop_reason::cancelled: return "cancelled";
    case stop_reason::permanent: return "permanent";
    case stop_reason::not_replayable: return "not_replayable";
    case stop_reason::exhausted: return "exhausted";
    case stop_reason::hint_too_long: return "hint_too_long";
    case stop_reason::deadline: return "deadline";
    case stop_reason::breaker_open: return "breaker_open";
    case stop_reason::budget: return "budget";
    case stop_reason::outcome_unknown: return "outcome_unknown";
    case stop_reason::invalid_options: return "invalid_options";
    case stop_reason::abandoned: return "abandoned";
    }
    return "unknown";
}

}  // namespace backbeat

#endif
