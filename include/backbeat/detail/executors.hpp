//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_EXECUTORS_HPP
#define BACKBEAT_DETAIL_EXECUTORS_HPP

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/query.hpp>

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

// Named here rather than included with all of <future>. A unit test of tokens notices when Asio changes it.
namespace boost::asio::detail {
template <typename T, typename Blocking>
class promise_executor;
}  // namespace boost::asio::detail

namespace backbeat::detail {

// Stands for an executor that nobody gave.
struct no_executor {};

template <class T>
struct unwrapped_reference : std::type_identity<T> {};

template <class T>
struct unwrapped_reference<std::reference_wrapper<T>> : std::type_identity<std::remove_cv_t<T>> {};

// The executor that is associated with T itself, or `no_executor`. Asio's default is never taken: it would run
// handlers in a hidden thread pool.
template <class T>
using own_executor =
    typename boost::asio::associated_executor<typename unwrapped_reference<T>::type, no_executor>::type;

template <class T>
concept has_own_executor = !std::same_as<own_executor<T>, no_executor>;

// Whether a timer can be made of the executor: a timer belongs to an execution context, and an
// `any_completion_executor` does not tell its own.
// clang-format off
template <class Executor>
concept has_context = requires(Executor const& executor) {
    { boost::asio::query(executor, boost::asio::execution::context) } -> std::convertible_to<boost::asio::execution_context&>;
} || requires(Executor const& executor) {
    { executor.context() } -> std::convertible_to<boost::asio::execution_context&>;
};
// clang-format on

// What `use_future` associates with its handler: it has a context, and that is Asio's hidden thread pool.
template <class Executor>
inline constexpr bool is_promise_executor = false;

template <class T, class Blocking>
inline constexpr bool is_promise_executor<boost::asio::detail::promise_executor<T, Blocking>> = true;

// Whether a timer can be made of what a handler or an operation brings along.
template <class Executor>
concept can_carry_timer = has_context<Executor> && !is_promise_executor<Executor>;

template <class T>
[[nodiscard]] T const& unwrap(T const& value) noexcept
{
    return value;
}

template <class T>
[[nodiscard]] std::remove_cv_t<T> const& unwrap(std::reference_wrapper<T> const& value) noexcept
{
    return value.get();
}

// Where the timer lives and continuations are posted: the given executor, else the handler's own, else the
// operation's.
enum class executor_from { argument, handler, operation, nowhere };

template <class Argument, class Handler, class Operation>
inline constexpr executor_from io_executor_source = [] {
    if (!std::same_as<Argument, no_executor>) return executor_from::argument;
    if (can_carry_timer<own_executor<Handler>>) return executor_from::handler;
    if (can_carry_timer<own_executor<Operation>>) return executor_from::operation;
    return executor_from::nowhere;
}();

template <class Argument, class Handler, class Operation>
[[nodiscard]] auto io_executor(
    [[maybe_unused]] Argument const& argument,
    [[maybe_unused]] Handler const& handler,
    [[maybe_unused]] Operation const& operation)
{
    constexpr auto source = io_executor_source<Argument, Handler, Operation>;
    if constexpr (source == executor_from::argument)
        return argument;
    else if constexpr (source == executor_from::handler)
        return boost::asio::associated_executor<Handler, no_executor>::get(handler, no_executor{});
    else if constexpr (source == executor_from::operation)
        return boost::asio::associated_executor<typename unwrapped_reference<Operation>::type, no_executor>::get(
            unwrap(operation), no_executor{});
}

template <class Argument, class Handler, class Operation>
using io_executor_type = decltype(io_executor(
    std::declval<Argument const&>(), std::declval<Handler const&>(), std::declval<Operation const&>()));

// The same executor, counted as outstanding work while it is held.
template <class Executor>
[[nodiscard]] auto with_work(Executor const& executor)
{
    return std::decay_t<decltype(boost::asio::prefer(executor, boost::asio::execution::outstanding_work.tracked))>(
        boost::asio::prefer(executor, boost::asio::execution::outstanding_work.tracked));
}

// The same executor, not counted as outstanding work. One of a type that does not tell is left as it is.
template <class Executor>
[[nodiscard]] auto without_work(Executor const& executor)
{
    using untracked =
        std::decay_t<decltype(boost::asio::prefer(executor, boost::asio::execution::outstanding_work.untracked))>;
    if constexpr (std::same_as<untracked, Executor>)
        return executor;
    else
        return untracked(boost::asio::prefer(executor, boost::asio::execution::outstanding_work.untracked));
}

}  // namespace backbeat::detail

#endif
