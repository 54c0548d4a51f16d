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

/**
 * \brief What wakes an operation up when a wait or the time limit of an attempt ends.
 * \details
 * Both keep to the clock of `async_retry`, `manual_clock` included, never wake up early, and cost nothing as long as
 * nothing waits.
 */
enum class timers : std::uint8_t {
    /// A `steady_timer` of the operation's own, made when it is first needed. Exact, but for `wait_resolution`.
    asio,

    /**
     * A timing wheel that all operations of an execution context share, driven by a single `steady_timer`. Inserting
     * and removing take constant time, and less memory than a timer. It is late by less than a tick, by default 1 ms
     * (`set_wheel_resolution`), beside `wait_resolution`. The first executor that it was used with drives it as long as
     * the context lives; one of a type that is not Asio's must live as long.
     */
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
