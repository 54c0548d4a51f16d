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
 * For each attempt of an operation there are `before_attempt` and `after_attempt`, and, if there is to be another one,
 * `before_wait`; at the end, whatever it is, comes `at_end`, once. These calls are missing:
 * - An operation that makes no attempt has `at_end` alone: its options were invalid, it was cancelled or out of time
 *   before it started, or its circuit breaker was open.
 * - An operation that is abandoned in the middle of an attempt (its context was destroyed, the attempt dropped its
 *   handler, the operation or the classifier threw) has no `after_attempt` for it. The report has
 *   `retry_phase::attempting`.
 * - Neither has one that is cancelled from within `before_attempt`: that attempt is not made, unless it is the first
 *   and the results of the operation cannot be value-initialised.
 * - After `before_wait` there is no attempt if the operation is cancelled or abandoned in the wait, or if the deadline
 *   has passed or the circuit breaker is open when it ends.
 * - An operation that never began has none at all: the initiating function threw because memory was short or because
 *   there were no results to complete with, or the context was destroyed before it could say that the options are
 *   invalid.
 *
 * Attempts of `async_hedge` overlap; it says which calls there are then.
 *
 * `log_observer` writes what happens to a log, `retry_metrics` counts it, and `observer_list` passes it to several.
 *
 * \par Object lifetimes
 * The observer must outlive every operation that it observes. References passed to it are valid during the call.
 *
 * \par Exceptions
 * An observer cannot change what it observes: an exception that leaves one of its functions is discarded, at the first
 * attempt as at later ones, and the operation and its report go on as if there had been none. What an observer changes
 * all the same is memory: for it, the first retry of an operation allocates a report, and an operation for which there
 * is none is abandoned with `std::bad_alloc`.
 *
 * \par Thread safety
 * It is called where the handlers of the operation run, but for the first `before_attempt`, which may come from inside
 * the initiating function, and the `at_end` of an abandoned operation, which comes from where that is destroyed. If
 * operations that share it run on several threads, it must be safe to call from them.
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

    /// There is to be another attempt, after `ended.wait`.
    virtual void before_wait(attempt_record const& /*ended*/) {}

    /// The operation ended. If it has a report of its own (`report_to`), this is it.
    virtual void at_end(retry_report const& /*report*/) {}
};

}  // namespace backbeat

#endif
