//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_INVOKE_OPERATION_HPP
#define BACKBEAT_DETAIL_INVOKE_OPERATION_HPP

#include <backbeat/attempt.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/version.hpp>

#if BOOST_ASIO_VERSION < 102802
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/dispatch.hpp>

#include <memory>
#endif

#include <exception>
#include <type_traits>
#include <utility>

namespace backbeat::detail {

// What an operation's completion signature is asked with. It never runs.
using probe_token = boost::asio::detail::completion_signature_probe;

template <class T>
inline constexpr bool is_awaitable = false;

template <class T, class Executor>
inline constexpr bool is_awaitable<boost::asio::awaitable<T, Executor>> = true;

// What an operation may return instead of taking a token: an awaitable, or a deferred operation.
template <class T>
concept returned_operation = is_awaitable<std::remove_cvref_t<T>> || boost::asio::is_async_operation<T>::value;

template <class Operation>
concept takes_attempt_and_token = std::is_invocable_v<Operation&, attempt const&, probe_token>;

// clang-format off
template <class Operation>
concept takes_nothing = std::is_invocable_v<Operation&> && requires(Operation& operation) {
    requires returned_operation<decltype(operation())>;
};
// clang-format on

template <class Operation>
concept takes_token = std::is_invocable_v<Operation&, probe_token>;

// clang-format off
template <class Operation>
concept takes_attempt = std::is_invocable_v<Operation&, attempt const&> && requires(
    Operation& operation, attempt const& current) { requires returned_operation<decltype(operation(current))>; };

template <class Operation>
concept retryable_operation = takes_attempt_and_token<Operation> || takes_nothing<Operation> || takes_token<Operation>
    || takes_attempt<Operation>;
// clang-format on

// Whether it is given the attempt.
template <class Operation>
inline constexpr bool looks_at_attempt =
    takes_attempt_and_token<Operation> || (!takes_nothing<Operation> && !takes_token<Operation>);

template <class T>
struct signature_of_returned : boost::asio::completion_signature_of<T> {};

template <class T, class Executor>
struct signature_of_returned<boost::asio::awaitable<T, Executor>> {
    using type = void(std::exception_ptr, T);
};

template <class Executor>
struct signature_of_returned<boost::asio::awaitable<void, Executor>> {
    using type = void(std::exception_ptr);
};

template <class Operation>
constexpr auto find_signature()
{
    if constexpr (takes_attempt_and_token<Operation>)
        return std::type_identity<typename boost::asio::completion_signature_of<Operation&, attempt const&>::type>{};
    else if constexpr (takes_nothing<Operation>)
        return std::type_identity<
            typename signature_of_returned<std::remove_cvref_t<std::invoke_result_t<Operation&>>>::type>{};
    else if constexpr (takes_token<Operation>)
        return std::type_identity<typename boost::asio::completion_signature_of<Operation&>::type>{};
    else
        return std::type_identity<typename signature_of_returned<
            std::remove_cvref_t<std::invoke_result_t<Operation&, attempt const&>>>::type>{};
}

template <class Operation>
using signature_of = typename decltype(find_signature<Operation>())::type;

template <class Returned>
struct awaitable_executor : std::type_identity<boost::asio::any_io_executor> {};

template <class T, class Executor>
struct awaitable_executor<boost::asio::awaitable<T, Executor>> : std::type_identity<Executor> {};

template <class Operation>
constexpr auto find_awaitable_executor()
{
    if constexpr (takes_attempt_and_token<Operation>)
        return std::type_identity<boost::asio::any_io_executor>{};
    else if constexpr (takes_nothing<Operation>)
        return awaitable_executor<std::remove_cvref_t<std::invoke_result_t<Operation&>>>{};
    else if constexpr (takes_token<Operation>)
        return std::type_identity<boost::asio::any_io_executor>{};
    else
        return awaitable_executor<std::remove_cvref_t<std::invoke_result_t<Operation&, attempt const&>>>{};
}

// The executor type of the awaitables that an operation returns, if it returns any.
template <class Operation>
using awaitable_executor_of = typename decltype(find_awaitable_executor<Operation>())::type;

template <class Returned, class Executor, class Handler>
void spawn(Executor const& executor, Returned&& returned, Handler&& handler)
{
#if BOOST_ASIO_VERSION < 102802
    // Before Boost 1.83, a cancellation that reaches co_spawn from outside the executor is dispatched to a signal that
    // may be gone by then, because the coroutine has ended meanwhile (asio#1332). So it is dispatched here already,
    // to a signal that is kept alive.
    auto slot = boost::asio::get_associated_cancellation_slot(handler);
    if (slot.is_connected()) {
        auto signal = std::make_shared<boost::asio::cancellation_signal>();
        auto const inner_slot = signal->slot();
        slot.assign([executor, signal = std::move(signal)](boost::asio::cancellation_type type) {
            boost::asio::dispatch(executor, [signal, type] { signal->emit(type); });
        });
        boost::asio::co_spawn(
            executor,
            std::forward<Returned>(returned),
            boost::asio::bind_cancellation_slot(inner_slot, std::forward<Handler>(handler)));
        return;
    }
#endif
    boost::asio::co_spawn(executor, std::forward<Returned>(returned), std::forward<Handler>(handler));
}

template <class Returned, class Executor, class Handler>
void launch_returned(Returned&& returned, Executor const& executor, Handler&& handler)
{
    if constexpr (is_awaitable<std::remove_cvref_t<Returned>>) {
        static_assert(
            std::is_convertible_v<Executor, typename std::remove_cvref_t<Returned>::executor_type>,
            "the executor of this operation does not convert to the executor of the awaitable that it returns: pass "
            "an executor of that type first");
        spawn(executor, std::forward<Returned>(returned), std::forward<Handler>(handler));
    } else {
        std::forward<Returned>(returned)(std::forward<Handler>(handler));
    }
}

// Whether it must be told where what it returns is to run.
template <class Operation>
inline constexpr bool needs_executor =
    !takes_attempt_and_token<Operation> && (takes_nothing<Operation> || !takes_token<Operation>);

// Starts one attempt. Whatever the form of the operation, `handler` is called with its completion. `current` is null
// where the operation does not look at it, and `executor` may be anything where it is not needed.
template <class Operation, class Executor, class Handler>
void invoke_operation(Operation& operation, attempt const* current, Executor const& executor, Handler&& handler)
{
    if constexpr (takes_attempt_and_token<Operation>)
        operation(*current, std::forward<Handler>(handler));
    else if constexpr (takes_nothing<Operation>)
        launch_returned(operation(), executor, std::forward<Handler>(handler));
    else if constexpr (takes_token<Operation>)
        operation(std::forward<Handler>(handler));
    else
        launch_returned(operation(*current), executor, std::forward<Handler>(handler));
}

}  // namespace backbeat::detail

#endif
