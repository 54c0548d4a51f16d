//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_CIRCUIT_STATE_HPP
#define BACKBEAT_CIRCUIT_STATE_HPP

#include <backbeat/config.hpp>

#include <cstdint>

namespace backbeat {

/// What a `circuit_breaker` does with attempts.
enum class circuit_state : std::uint8_t {
    /// All are admitted, and their outcomes are counted.
    closed,

    /// None is admitted, because too many failed.
    open,

    /// A few are admitted as trials, whose outcome decides between closed and open.
    half_open
};

/// Returns the name of a state, as it is spelled in the enumeration.
[[nodiscard]] constexpr char const* to_string(circuit_state value) noexcept
{
    switch (value) {
    case circuit_state::closed: return "closed";
    case circuit_state::open: return "open";
    case circuit_state::half_open: return "half_open";
    }
    return "unknown";
}

}  // namespace backbeat

#endif
