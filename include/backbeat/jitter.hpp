//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_JITTER_HPP
#define BACKBEAT_JITTER_HPP

#include <backbeat/config.hpp>

#include <cstdint>

namespace backbeat {

/// How chance spreads the waits of many clients. `backoff` has the formulas, and says which to choose when.
enum class jitter : std::uint8_t {
    /// No chance: every client that failed at the same time comes back at the same time.
    none,

    /// The documented formula of Google's Memorystore: a random time is added, and the cap applies to the sum.
    additive,

    /// Anything from no wait at all to the whole backoff.
    full,

    /// Half of the backoff is fixed, the other half is random.
    equal,

    /// Anything from `initial_backoff` to three times the wait before.
    decorrelated
};

/// Returns the name of a kind of jitter, as it is spelled in the enumeration.
[[nodiscard]] constexpr char const* to_string(jitter value) noexcept
{
    switch (value) {
    case jitter::none: return "none";
    case jitter::additive: return "additive";
    case jitter::full: return "full";
    case jitter::equal: return "equal";
    case jitter::decorrelated: return "decorrelated";
    }
    return "unknown";
}

}  // namespace backbeat

#endif
