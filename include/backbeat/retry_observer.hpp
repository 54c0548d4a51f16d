//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_RETRY_OBSERVER_HPP
#define BACKBEAT_RETRY_OBSERVER_HPP

#include <backbeat/config.hpp>
#include <backbeat/retry_report.hpp>

namespace backbeat {

class attempt;

/**
 * \brief Is told what happens to operations, as it happens.
 * \details
 * Derive, override what is of interest, and pass a pointer in `retry_options::observer`. One observer may serve any
 * number of operations.
 *
 * For each operation the calls are, in this order: for each attempt `before_attempt` and `after_attempt`, after
 * which comes `before_wait` if there is to be another attempt; at the end, whatever it is, `at_end`, once. An
 * operation whose context was destroyed gets `at_end` with `stop_reason::abandoned`; its last attempt has then no
 * `after_attempt`. Nor has one that is cancelled from within `before_attempt`: it is not made,
 * unless it is the first and the results of the operation cannot be value-initialised.
 *
 * \par Object lifetimes
 * The observer must outlive every operation that it observes. References passed to it are valid during the call.
 *
 * \par Exceptions
 * An observer cannot change what it observes: an exception that leaves one of its functions is discarded.
 *
 * \par Thread safety
 * It is called where the handlers of the operation run. If operations that share it run on several threads, it must
 * be safe to call from them.
 */
class retry_observer {
public:
    retry_observer() = default;
    retry_observer(retry_observer const&) = default;
    retry_observer& operator=(retry_observer const&) = default;
    virtual ~retry_observer() = default;

    /// An attempt is about to start.
    virtual void before_attempt(attempt const& /*starting*/) {}

    /// An attempt ended; its record tells how. What follows from it is not decided yet: `wait` is zero.
    virtual void after_attempt(attempt_record const& /*ended*/) {}

    /// There will be another attempt, after `ended.wait`.
    virtual void before_wait(attempt_record const& /*ended*/) {}

    /// The operation ended. If it has a report of its own (`report_to`), this is it.
    virtual void at_end(retry_report const& /*report*/) {}
};

}  // namespace backbeat

#endif
