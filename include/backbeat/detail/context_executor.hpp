//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_CONTEXT_EXECUTOR_HPP
#define BACKBEAT_DETAIL_CONTEXT_EXECUTOR_HPP

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace backbeat::detail {

// The context that a timer of the executor would belong to.
template <class Executor>
[[nodiscard]] decltype(auto) context_of(Executor const& executor)
{
    if constexpr (boost::asio::can_query_v<Executor const&, boost::asio::execution::context_t>)
        return boost::asio::query(executor, boost::asio::execution::context);
    else
        return executor.context();
}

template <class Executor>
inline constexpr bool is_strand = false;

template <class Executor>
inline constexpr bool is_strand<boost::asio::strand<Executor>> = true;

template <class Executor>
[[nodiscard]] auto to_context_executor(Executor const& executor);

// What is in an `any_io_executor`, if it is of this type, or a strand of it.
template <class Executor>
[[nodiscard]] bool unwrap_as(boost::asio::any_io_executor const& from, boost::asio::any_io_executor& to)
{
    if (auto const* const target = from.target<Executor>())
        to = to_context_executor(*target);
    else if (auto const* const strand = from.target<boost::asio::strand<Executor>>())
        to = to_context_executor(*strand);
    else
        return false;
    return true;
}

template <class Executor>
using tracked = std::decay_t<decltype(boost::asio::prefer(
    std::declval<Executor const&>(), boost::asio::execution::outstanding_work.tracked))>;

[[nodiscard]] inline boost::asio::any_io_executor unwrap_any(boost::asio::any_io_executor const& executor)
{
    using boost::asio::any_io_executor;
    using context = boost::asio::io_context::executor_type;
    using pool = boost::asio::thread_pool::executor_type;
    any_io_executor result;
    if (unwrap_as<context>(executor, result) || unwrap_as<tracked<context>>(executor, result)
        || unwrap_as<pool>(executor, result) || unwrap_as<tracked<pool>>(executor, result))
        return result;
    if (auto const* const strand = executor.target<boost::asio::strand<any_io_executor>>())
        return unwrap_any(strand->get_inner_executor());
    return boost::asio::prefer(executor, boost::asio::execution::outstanding_work.untracked);
}

// An executor for what all operations in a context share: not a strand, which belongs to some of them, and not one that
// counts as work, for which `run()` would not return. It is the executor of the context, where the context's type is
// known; so all executors of an `io_context` have the same. An `any_io_executor` gives one with that inside, if it
// holds an executor of an `io_context` or a `thread_pool`. Of any other type the strands are taken off.
template <class Executor>
[[nodiscard]] auto to_context_executor(Executor const& executor)
{
    if constexpr (requires { context_of(executor).get_executor(); }) {
        return context_of(executor).get_executor();
    } else if constexpr (is_strand<Executor>) {
        return to_context_executor(executor.get_inner_executor());
    } else if constexpr (std::is_same_v<Executor, boost::asio::any_io_executor>) {
        return unwrap_any(executor);
    } else if constexpr (boost::asio::
                             can_prefer_v<Executor const&, boost::asio::execution::outstanding_work_t::untracked_t>) {
        return boost::asio::prefer(executor, boost::asio::execution::outstanding_work.untracked);
    } else {
        return executor;
    }
}

// Whether a handler of the context is where the executor would run one.
// clang-format off
template <class Executor>
concept is_executor_of_context = requires(Executor const& executor) {
    { context_of(executor).get_executor() } -> std::same_as<Executor>;
};
// clang-format on

template <class Executor>
using context_executor = std::decay_t<decltype(to_context_executor(std::declval<Executor const&>()))>;

}  // namespace backbeat::detail

#endif
