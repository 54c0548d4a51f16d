//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_ASYNC_RETRY_HPP
#define BACKBEAT_ASYNC_RETRY_HPP

#include <backbeat/attempt.hpp>
#include <backbeat/classify.hpp>
#include <backbeat/config.hpp>
#include <backbeat/detail/initiate_retry.hpp>
#include <backbeat/report_to.hpp>
#include <backbeat/retry_errc.hpp>
#include <backbeat/retry_options.hpp>
#include <backbeat/verdict.hpp>

#include <chrono>
#include <functional>
#include <utility>

namespace backbeat {

/**
 * \brief Repeats an asynchronous operation until it succeeds or there is a reason to stop.
 * \details
 * Between two attempts it waits on a timer, and holds nothing else: no thread, no lock, no connection. Any number of
 * operations back off independently.
 *
 * \code
 * auto list = [&] { return client.async_get("/v1/projects/p/locations/-/instances"); };
 * auto response = co_await backbeat::async_retry(list, {.maximum_backoff = 32s, .maximum_retries = 8});
 * \endcode
 *
 * The arguments come in this order, and those in brackets may be left out:
 *
 * `async_retry<Clock = steady_clock>([executor,] operation, [options,] [classify(c),] [report_to(r),] [token])`
 *
 * \par The operation
 * A callable, called once an attempt, as an lvalue. The first of these forms that it has is taken:
 * 1. `(attempt const&, token)`: an initiating function that wants to know about its attempt;
 * 2. `()`, which returns an `awaitable<T>` or a deferred operation;
 * 3. `(token)`: an initiating function;
 * 4. `(attempt const&)`, which returns an `awaitable<T>` or a deferred operation.
 *
 * Its first completion argument must be an `error_code` or an `exception_ptr`. Variadic lambdas without constraints
 * fit every form, and are not supported.
 *
 * \par Which attempts are repeated
 * The classifier says (`classify`). Without one, see `default_classifier`: errors are retried, but for a few.
 *
 * \par Order of composition
 * From the outside in: total time-out ( retry ( circuit breaker ( attempt time-out ( operation )))). So the total
 * limits attempts and waits together; the breaker is asked before each attempt and told how it ended, its time-out
 * included; and a breaker that is open ends the operation, it is not retried. The budget is asked last, when
 * everything else would retry.
 *
 * \par Preconditions
 * Handlers run on the associated executor of the completion handler, and on the given one where it has none. With
 * more than one thread behind it that is a strand, or no time limit is set and no cancellation is requested from
 * outside. This is what every composed operation of Asio asks for.
 *
 * \par Object lifetimes
 * The operation, the options and the classifier are decay-copied. Options passed by `std::cref`, what the options
 * point to, and the report must stay valid until the handler is called.
 *
 * \par Completion signature
 * That of the operation. The handler gets what the last attempt gave, whether that is its error or, say, its 503
 * response. Why it was the last is in the report. If a wait was cancelled, the error is `operation_aborted`, beside
 * the other results of the last attempt.
 *
 * \par Executor and immediate completion
 * Handlers, classifier and observer run on the associated executor of the completion handler. The timer belongs to
 * the given executor, else to the handler's own, else to the operation's own (`operation.get_executor()`); if there
 * is none of these, it does not compile. With a time limit, the start is dispatched to the executor. The handler is
 * never called from inside this function; `invalid_options`, with which it completes without any attempt, goes through
 * the associated immediate executor where Boost has those (1.82).
 *
 * \par Allocator
 * One block for the operation from the handler's associated allocator, by default Asio's recycling one. None per
 * attempt. All of it is released before the handler is called. Frames of coroutines and handlers in cancellation
 * slots are allocated by Asio elsewhere. The handler of an attempt has that allocator, or one of another type that takes
 * from it and converts to it; what Asio queues for an attempt may lie in the operation's block. As everywhere in Asio,
 * what an attempt takes from its handler's allocator must be given back before that handler is called, and nothing is
 * taken afterwards.
 *
 * \par Per-operation cancellation
 * `terminal`, `partial` and `total` alike stop further attempts and end a wait at once. A running attempt receives
 * the same type unchanged, and its own completion is delivered; if it succeeds nevertheless, that is a success.
 * `total` promises no more than that here: earlier attempts may have had effects. Emit on the operation's executor.
 *
 * \par Errors
 * - `retry_errc::invalid_options`: the options contradict themselves, no attempt was made; the message says how.
 * - `retry_errc::attempt_timeout`: the last attempt took longer than `attempt_timeout`, and ended when cancelled.
 * - `retry_errc::deadline`: the same, for `total_timeout`. Also if the start had to wait so long for the executor that
 *   no time is left for the first attempt.
 * - `retry_errc::breaker_open`: the circuit breaker was open at the start, no attempt was made. If it is open later,
 *   the operation completes with what its last attempt gave.
 * - `boost::asio::error::operation_aborted`: cancelled during a wait, or the attempt itself completed so.
 * - any error that the operation gives.
 *
 * \par Exceptions
 * - `std::bad_alloc`, from this function; where a later step finds no memory, from the function that runs the context
 *   or that emits a cancellation. The handler is destroyed without being called.
 * - `boost::system::system_error` with `invalid_options` or `breaker_open`, from this function, if the other results
 *   of the operation cannot be value-initialised, so that there is nothing to complete with.
 * - What the operation throws when it is called. If its first completion argument is an `exception_ptr`, that is an
 *   attempt that failed. Otherwise it leaves through whoever called the operation, which for the first attempt is this
 *   function, or, with a time limit, what the dispatched start was run by, and for later attempts the function that
 *   runs the context; the handler is destroyed without being called. If the operation throws although it keeps the
 *   handler that it was given, the exception leaves, too, and the attempt goes on.
 *
 * \par Thread safety
 * Distinct operations: safe. They share nothing but what their options point to.
 *
 * \tparam Clock The clock of waits and time limits, a steady one. `manual_clock` makes time virtual.
 */
template <class Clock = std::chrono::steady_clock, class Operation, class... Rest>
    requires(!detail::executor_argument<Operation>)
[[nodiscard]] auto async_retry(Operation&& operation, retry_options options, Rest&&... rest)
{
    return detail::initiate_retry<Clock>(
        detail::no_executor{}, std::forward<Operation>(operation), options, std::forward<Rest>(rest)...);
}

/// \copydoc async_retry
template <class Clock = std::chrono::steady_clock, class Operation, class... Rest>
    requires(!detail::executor_argument<Operation>)
[[nodiscard]] auto async_retry(
    Operation&& operation, std::reference_wrapper<retry_options const> options, Rest&&... rest)
{
    return detail::initiate_retry<Clock>(
        detail::no_executor{}, std::forward<Operation>(operation), options, std::forward<Rest>(rest)...);
}

/// \copydoc async_retry
template <class Clock = std::chrono::steady_clock, class Operation, class... Rest>
    requires(!detail::executor_argument<Operation> && !detail::starts_with_options<Rest...>)
[[nodiscard]] auto async_retry(Operation&& operation, Rest&&... rest)
{
    return detail::initiate_retry<Clock>(
        detail::no_executor{}, std::forward<Operation>(operation), retry_options{}, std::forward<Rest>(rest)...);
}

/// \copydoc async_retry
template <class Clock = std::chrono::steady_clock, detail::executor_argument Executor, class Operation, class... Rest>
[[nodiscard]] auto async_retry(Executor const& executor, Operation&& operation, retry_options options, Rest&&... rest)
{
    return detail::initiate_retry<Clock>(
        executor, std::forward<Operation>(operation), options, std::forward<Rest>(rest)...);
}

/// \copydoc async_retry
template <class Clock = std::chrono::steady_clock, detail::executor_argument Executor, class Operation, class... Rest>
[[nodiscard]] auto async_retry(
    Executor const& executor,
    Operation&& operation,
    std::reference_wrapper<retry_options const> options,
    Rest&&... rest)
{
    return detail::initiate_retry<Clock>(
        executor, std::forward<Operation>(operation), options, std::forward<Rest>(rest)...);
}

/// \copydoc async_retry
template <class Clock = std::chrono::steady_clock, detail::executor_argument Executor, class Operation, class... Rest>
    requires(!detail::starts_with_options<Rest...>)
[[nodiscard]] auto async_retry(Executor const& executor, Operation&& operation, Rest&&... rest)
{
    return detail::initiate_retry<Clock>(
        executor, std::forward<Operation>(operation), retry_options{}, std::forward<Rest>(rest)...);
}

}  // namespace backbeat

#endif
