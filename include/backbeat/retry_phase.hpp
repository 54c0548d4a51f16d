//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_RETRY_PHASE_HPP
#define BACKBEAT_RETRY_PHASE_HPP

#include <backbeat/config.hpp>

#include <cstdint>

namespace backbeat {

/**
 * \brief What an operation was doing.
 * \details
 * Of an operation that has ended it says what the end met: most end after an attempt, which is `deciding`; one that is
 * cancelled in a wait ends `waiting`; one whose context is destroyed, or whose initiating function throws, ends
 * wherever it happened to be.
 */
enum class retry_phase : std::uint8_t {
    /// No attempt was started.
    not_started,

    /// An attempt was under way, of which there is no record.
    attempting,

    /// An attempt had ended, and no wait had begun.
    deciding,

    /// A wait had begun, and no attempt after it.
    waiting
};

/// Returns the name of a phase, as it is spelled in the enumeration.
[[nodiscard]] constexpr char const* to_string(retry_phase value) noexcept
{
    switch (value) {
    case retry_phase::not_started: return "not_started";
    case retry_phase::attempting: return "attempting";
    case retry_phase::deciding: return "deciding";
    case retry_phase::waiting: return "waiting";
    }
    return "unknown";
}

}  // namespace backbeat

#endif
