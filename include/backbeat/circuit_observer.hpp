//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_CIRCUIT_OBSERVER_HPP
#define BACKBEAT_CIRCUIT_OBSERVER_HPP

#include <backbeat/circuit_state.hpp>
#include <backbeat/config.hpp>

#include <chrono>
#include <cstdint>

namespace backbeat {

class circuit_breaker;

/// One change of the state of a circuit breaker.
struct circuit_change {
    /// The state before.
    circuit_state from = circuit_state::closed;

    /// The state after.
    circuit_state to = circuit_state::closed;

    /**
     * \brief When, in the time that the breaker is told.
     * \details
     * The breaker has no timer: it becomes half open when the first trial is admitted, not when its open time ends.
     * Of a change by hand, this is the latest time that the breaker was told.
     */
    std::chrono::nanoseconds at{};

    /**
     * \brief Which change of this breaker it is, counted from 1.
     * \details Two changes that two threads bring about may be told in the other order. By this they can be sorted.
     */
    std::uint64_t number = 0;

    friend bool operator==(circuit_change const&, circuit_change const&) = default;
};

/**
 * \brief Is told when a circuit breaker opens, tries and closes.
 * \details
 * Derive, override, and pass a pointer in `circuit_breaker_options::observer`. One observer may serve any number of
 * breakers.
 *
 * \par Object lifetimes
 * The observer must outlive every breaker that it observes. References passed to it are valid during the call.
 *
 * \par Exceptions
 * An observer cannot change what it observes: an exception that leaves it is discarded.
 *
 * \par Thread safety
 * It is called in the thread that brought the change about, outside the breaker's lock: it may call the breaker. If
 * breakers are used from several threads, it must be safe to call from them.
 */
class circuit_observer {
public:
    circuit_observer() = default;
    circuit_observer(circuit_observer const&) = default;
    circuit_observer& operator=(circuit_observer const&) = default;
    virtual ~circuit_observer() = default;

    /// The state of a breaker changed.
    virtual void state_changed(circuit_breaker const& breaker, circuit_change const& change) = 0;
};

}  // namespace backbeat

#endif
