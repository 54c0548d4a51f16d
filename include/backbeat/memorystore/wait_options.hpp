//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_WAIT_OPTIONS_HPP
#define BACKBEAT_MEMORYSTORE_WAIT_OPTIONS_HPP

#include <backbeat/config.hpp>
#include <backbeat/memorystore/operation.hpp>

#include <chrono>
#include <optional>

namespace backbeat::memorystore {

/**
 * \brief Is told how a long-running operation gets on.
 * \details
 * Pass a pointer in `wait_options::observer`. It is called where the handlers of the waiting operation run, and must
 * outlive it. An exception that leaves it is what the waiting fails with.
 */
class operation_observer {
public:
    operation_observer() = default;
    operation_observer(operation_observer const&) = default;
    operation_observer& operator=(operation_observer const&) = default;
    virtual ~operation_observer() = default;

    /// A poll was answered, and the operation has not ended; it is asked again after `next_poll`.
    virtual void at_poll(operation const& running, std::chrono::nanoseconds next_poll) = 0;
};

/// How `client::async_wait_operation` waits. The defaults are the pacing that Google publishes for this API.
class wait_options {
public:
    wait_options() = default;

    /// The time from the first poll, which comes at once, to the second. Default: 60 s.
    std::chrono::nanoseconds initial_poll_interval = std::chrono::seconds(60);

    /// The growth of that time from one poll to the next. Default: 1.5. Less than 1: invalid.
    double poll_interval_multiplier = 1.5;

    /// The longest time between two polls. Default: 360 s.
    std::chrono::nanoseconds maximum_poll_interval = std::chrono::seconds(360);

    /**
     * \brief The time after which the operation is no longer waited for. The last poll comes when it is over.
     * \details
     * Default (empty): by what the operation does: 5 h for an import or export, 20 min for a failover or delete, else
     * 2 h. Zero: one poll.
     */
    std::optional<std::chrono::nanoseconds> total_poll_timeout;

    /// Is told about every poll. Default: nobody.
    operation_observer* observer = nullptr;
};

}  // namespace backbeat::memorystore

#endif
