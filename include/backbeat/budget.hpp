//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_BUDGET_HPP
#define BACKBEAT_BUDGET_HPP

#include <backbeat/config.hpp>

#include <chrono>
#include <cstdint>
#include <optional>

namespace backbeat {

/// How an attempt ended, as far as a budget and a circuit breaker are concerned.
enum class attempt_outcome : std::uint8_t {
    /// It was judged done.
    success,

    /// It was judged permanent: the server answered, and the answer will not change.
    permanent,

    /// It failed, and a later attempt may succeed.
    transient,

    /// It was refused because too much was asked.
    throttled,

    /// It was cut off by `retry_options::attempt_timeout`, and a later attempt may succeed.
    timed_out
};

/**
 * \brief What decides whether a client as a whole can afford a retry: the interface of all retry budgets.
 * \details
 * Backoff spreads retries, and a maximum bounds those of one operation; neither bounds what thousands of operations
 * add to the load of a server that is failing all of them. A budget does, because they share it.
 *
 * Pass a pointer in `retry_options::budget`. `retry_budget` is the one to choose; the others behave like those of
 * gRPC, AWS and Finagle, for services that must. To write your own, derive and override.
 *
 * \par Object lifetimes
 * A budget must outlive every operation that uses it.
 *
 * \par Thread safety
 * Implementations must be safe to call from any thread, and must not block.
 *
 * \par Time
 * `now` is the time since the epoch of the operation's clock. Operations that share a budget must share a clock.
 * Between threads it may go back a little; implementations must take that for no time passed.
 */
class budget {
public:
    /// An amount, in units of the budget's own.
    using amount = std::uint32_t;

    budget() = default;
    budget(budget const&) = delete;
    budget& operator=(budget const&) = delete;
    virtual ~budget() = default;

    /// An operation begins: its first attempt is about to start. It is told even if there is no other call.
    virtual void operation_started(std::chrono::nanoseconds /*now*/) noexcept {}

    /**
     * \brief An attempt ended. Attempts that were cancelled are not told, unless they succeeded all the same.
     * \param outcome How.
     * \param spent What the attempt cost: what `try_withdraw` returned for it, or zero if it was the first.
     * \param now The time.
     */
    virtual void attempt_ended(attempt_outcome outcome, amount spent, std::chrono::nanoseconds now) noexcept = 0;

    /**
     * \brief Takes what a retry costs, or refuses it. Called after `attempt_ended` of the same attempt, when all
     *     other limits would retry.
     * \param outcome How the attempt ended that is to be retried.
     * \param now The time.
     * \returns What was taken, which may be zero. Empty: the retry is refused, and nothing was taken.
     */
    [[nodiscard]] virtual std::optional<amount> try_withdraw(
        attempt_outcome outcome, std::chrono::nanoseconds now) noexcept = 0;

    /// Returns what `try_withdraw` took, because the retry is not made after all.
    virtual void give_back(amount taken, std::chrono::nanoseconds now) noexcept = 0;
};

}  // namespace backbeat

#endif
