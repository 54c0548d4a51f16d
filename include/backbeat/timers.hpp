//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TIMERS_HPP
#define BACKBEAT_TIMERS_HPP

#include <backbeat/config.hpp>

#include <cstdint>

namespace backbeat {

/// What wakes an operation up when a wait or the time limit of an attempt ends.
enum class timers : std::uint8_t {
    /// A `steady_timer` of the operation's own.
    asio,

    /// A timing wheel that all operations of an execution context share, driven by a single `steady_timer`.
    wheel
};

/// Returns the name of a kind of timers, as it is spelled in the enumeration.
[[nodiscard]] constexpr char const* to_string(timers value) noexcept
{
    switch (value) {
    case timers::asio: return "asio";
    case timers::wheel: return "wheel";
    }
    return "unknown";
}

}  // namespace backbeat

#endif
