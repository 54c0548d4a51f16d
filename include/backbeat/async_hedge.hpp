//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_ASYNC_HEDGE_HPP
#define BACKBEAT_ASYNC_HEDGE_HPP

#include <backbeat/attempt.hpp>
#include <backbeat/classify.hpp>
#include <backbeat/config.hpp>
#include <backbeat/detail/initiate_hedge.hpp>
#include <backbeat/hedge_options.hpp>
#include <backbeat/latency_tracker.hpp>
#include <backbeat/report_to.hpp>
#include <backbeat/retry_errc.hpp>
#include <backbeat/verdict.hpp>

#include <chrono>
#include <functional>
#include <utility>

namespace backbeat {

/**
 * \brief Starts an asynchronous operation again, beside itself, when its answer is late; the first success wins.
 * \details
 * An answer that is late for a reason of its own (a lost packet, a busy replica, a pause) is not waited for: after
 * `hedge_options::delay` without one, the next attempt of the same operation starts, and so on. The attempts that lose
 * are cancelled and waited for, so that nothing of the operation is left behind when the handler is called.
 *
 * \code
 * auto read = [&] { return client.async_get("/v1/projects/p/locations/-/instances"); };
 * auto response = co_await backbeat::async_hedge(read, {.delay = 200ms, .budget = &budget});
 * \endcode
 *
 * The arguments come in this order, and those in brackets may be left out:
 *
 * `async_hedge<Clock = steady_clock>([executor,] operation, [options,] [classify(c),] [report_to(r),] [token])`
 *
 * The forms of the operation, the completion tokens, the default token, the executors, the immediate completion and
 * the allocator are those of `async_retry`. The guide page "Hedging" says when to hedge, and what it costs.
 *
 * \par The operation
 * It is called once an attempt, as an lvalue, while earlier attempts of it run: it must support that, and not keep in
 * itself what belongs to one attempt. It must be safe to carry out more than once (idempotent): a loser that was
 * cancelled may have been carried out all the same.
 *
 * \par What follows from the end of an attempt
 * The classifier says what its completion means (`classify`; without one, `default_classifier`). It is asked about
 * every attempt that completes, losers included.
 * - Done: it wins. The others receive terminal cancellation, whatever they end with changes nothing, and when the last
 *   of them has ended the winner's completion is delivered.
 * - Permanent: the same, with that failure: `stop_reason::permanent`.
 * - To be retried: the next attempt, if any is left, starts at once.
 * - With a hint: the next attempt starts when the hint has passed (plus a random part of up to a quarter of it, at
 *   most 1 s), not before, even if other attempts run. Throttled without a hint: when the delay has passed.
 *   After a hint that is longer than `maximum_hint`, or than the deadline leaves, no other is started.
 * - Not replayable after an ambiguous delivery (`verdict::replayable`): no other is started.
 *
 * When no attempt is left that runs or is to come, the failure that came last is delivered; the reason is why there was
 * no other: `exhausted`, `hint_too_long`, `deadline`, `budget` or `not_replayable`.
 *
 * \par The budget
 * It is asked before each attempt but the first: as for a retry after a failed attempt, as after a transient failure
 * where nothing but the delay has passed. What it refuses is not started, nobody waits for it, and those that run go
 * on; it is asked again when an attempt fails. It is told how attempts ended, but for those that were cancelled and did
 * not succeed all the same. What an attempt cost that was not started is given back; what a loser cost is not.
 *
 * \par Time limits
 * At its end, an attempt or all of them receive terminal cancellation and are waited for. If an attempt then ends with
 * `operation_aborted`, its error becomes `retry_errc::attempt_timeout`, or `retry_errc::deadline` where `total_timeout`
 * ended it; any other completion of it stands, a success wins.
 *
 * \par Report and observer
 * A record a completed attempt, in the order in which they completed; `attempt_record::number` is that of their starts.
 * Of a loser it has what it completed with, such as `operation_aborted`. Observers are told `before_attempt` and
 * `after_attempt` of each, and `before_wait` if an attempt put the next one off, by a hint or because it was throttled:
 * then the record has that wait, during which other attempts may run. An observer without a report of the caller's
 * costs memory for one, once an attempt has ended.
 *
 * \par Preconditions
 * Handlers run on the associated executor of the completion handler, and on the given one where it has none. With
 * more than one thread behind it that is a strand: attempts run at the same time. The start is dispatched to it.
 * Cancellation is emitted there.
 *
 * \par Object lifetimes
 * The operation, the options and the classifier are decay-copied. Options passed by `std::cref`, what the options
 * point to, and the report must stay valid until the handler is called.
 *
 * \par Completion signature
 * That of the operation.
 *
 * \par Allocator
 * One block for the operation and all its attempts, from the handler's associated allocator; none per attempt. All of
 * it is released before the handler is called.
 *
 * \par Per-operation cancellation
 * `terminal`, `partial` and `total` alike stop further attempts. All running attempts receive the same type unchanged,
 * and are waited for. The first that succeeds nevertheless wins; if none does, the completion that comes last is
 * delivered. Where no attempt runs, because a server asked to wait, it completes at once with `operation_aborted`
 * beside the other results of the last one.
 *
 * \par Attempts that drop their handler
 * An attempt that destroys its handler without calling it never ends. No other is started then, and the operation
 * completes with what the others give; if there is nothing, its own handler is destroyed without being called. The
 * reason is `exhausted` where nothing but that kept another from starting. In the report the attempt is unfinished.
 *
 * \par Errors
 * - `retry_errc::invalid_options`: the options contradict themselves, no attempt was made; the message says how.
 * - `retry_errc::attempt_timeout`, `retry_errc::deadline`: see above. `deadline` also if the start had to wait so long
 *   for the executor that no time is left for the first attempt.
 * - `boost::asio::error::operation_aborted`: cancelled while no attempt ran, or an attempt itself completed so.
 * - any error that the operation gives.
 *
 * \par Exceptions
 * - `std::bad_alloc`, from this function; where a later step finds no memory, from the function that runs the context
 *   or that emits a cancellation. The handler is destroyed without being called.
 * - `boost::system::system_error` with `invalid_options`, from this function, if the other results of the operation
 *   cannot be value-initialised, so that there is nothing to complete with.
 * - What the operation throws when it is called. If its first completion argument is an `exception_ptr`, that is an
 *   attempt that failed. Otherwise it leaves through the function that runs the context, all attempts receive terminal
 *   cancellation, and the handler is destroyed without being called. The same goes for the classifier. If the
 *   operation throws although it keeps the handler that it was given, the exception leaves, too, and the attempt goes
 *   on.
 *
 * \par Thread safety
 * Distinct operations: safe. They share nothing but what their options point to.
 *
 * \par Order of composition
 * retry( hedge( operation )): pass `async_retry` a lambda that takes a token and returns `async_hedge(..., token)`.
 *
 * \tparam Clock The clock of delays and time limits, a steady one. `manual_clock` makes time virtual.
 */
template <class Clock = std::chrono::steady_clock, class Operation, class... Rest>
    requires(!detail::executor_argument<Operation>)
[[nodiscard]] auto async_hedge(Operation&& operation, hedge_options options, Rest&&... rest)
{
    return detail::initiate_hedge<Clock>(
        detail::no_executor{}, std::forward<Operation>(operation), options, std::forward<Rest>(rest)...);
}

/// \copydoc async_hedge
template <class Clock = std::chrono::steady_clock, class Operation, class... Rest>
    requires(!detail::executor_argument<Operation>)
[[nodiscard]] auto async_hedge(
    Operation&& operation, std::reference_wrapper<hedge_options const> options, Rest&&... rest)
{
    return detail::initiate_hedge<Clock>(
        detail::no_executor{}, std::forward<Operation>(operation), options, std::forward<Rest>(rest)...);
}

/// \copydoc async_hedge
template <class Clock = std::chrono::steady_clock, class Operation, class... Rest>
    requires(!detail::executor_argument<Operation> && !detail::starts_with_hedge_options<Rest...>)
[[nodiscard]] auto async_hedge(Operation&& operation, Rest&&... rest)
{
    return detail::initiate_hedge<Clock>(
        detail::no_executor{}, std::forward<Operation>(operation), hedge_options{}, std::forward<Rest>(rest)...);
}

/// \copydoc async_hedge
template <class Clock = std::chrono::steady_clock, detail::executor_argument Executor, class Operation, class... Rest>
[[nodiscard]] auto async_hedge(Executor const& executor, Operation&& operation, hedge_options options, Rest&&... rest)
{
    return detail::initiate_hedge<Clock>(
        executor, std::forward<Operation>(operation), options, std::forward<Rest>(rest)...);
}

/// \copydoc async_hedge
template <class Clock = std::chrono::steady_clock, detail::executor_argument Executor, class Operation, class... Rest>
[[nodiscard]] auto async_hedge(
    Executor const& executor,
    Operation&& operation,
    std::reference_wrapper<hedge_options const> options,
    Rest&&... rest)
{
    return detail::initiate_hedge<Clock>(
        executor, std::forward<Operation>(operation), options, std::forward<Rest>(rest)...);
}

/// \copydoc async_hedge
template <class Clock = std::chrono::steady_clock, detail::executor_argument Executor, class Operation, class... Rest>
    requires(!detail::starts_with_hedge_options<Rest...>)
[[nodiscard]] auto async_hedge(Executor const& executor, Operation&& operation, Rest&&... rest)
{
    return detail::initiate_hedge<Clock>(
        executor, std::forward<Operation>(operation), hedge_options{}, std::forward<Rest>(rest)...);
}

}  // namespace backbeat

#endif
