//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_INITIATE_RETRY_HPP
#define BACKBEAT_DETAIL_INITIATE_RETRY_HPP

#include <backbeat/detail/initiate.hpp>
#include <backbeat/detail/retry_operation.hpp>
#include <backbeat/retry_options.hpp>

#include <utility>

namespace backbeat::detail {

// `async_retry`, for the functions that take its arguments.
struct retry_algorithm {
    using options = retry_options;

    template <class Clock, class IoExecutor, class Operation, class Options, class Classifier, class Signature>
    using traits = retry_traits<Clock, IoExecutor, Operation, Options, Classifier, Signature>;

    // Waits and posts count as work by themselves. So does an attempt, for the executor of its handler, and only where
    // the I/O executor is another one it has to be counted here. One that was given is counted always, because callers
    // expect that of it, even if their operation does not count anything.
    template <class Handler, executor_from source, class Executor>
    [[nodiscard]] static auto carried(Executor const& executor)
    {
        constexpr bool counted_by_attempt =
            source == executor_from::handler || (source == executor_from::operation && !has_own_executor<Handler>);
        if constexpr (counted_by_attempt)
            return executor;
        else
            return with_work(executor);
    }

    template <class Traits, class Handler, executor_from source>
    using operation = retry_operation<Traits, Handler, source>;

    template <bool right>
    static constexpr void check_order()
    {
        static_assert(
            right,
            "async_retry takes, in this order: [executor,] operation, [options,] [classify(c),] [report_to(r),] "
            "[token]; a classifier goes inside classify(...), a report inside report_to(...)");
    }

    template <bool present>
    static constexpr void check_executor()
    {
        static_assert(
            present,
            "neither the completion handler nor the operation has an executor that a timer can use: pass an executor "
            "to async_retry first, as in async_retry(context.get_executor(), operation, ...)");
    }

    template <bool operation_survives, bool classifier_survives>
    static constexpr void check_lifetime()
    {
        static_assert(
            operation_survives,
            "g++ before 12.3 destroys an operation that owns something twice when it is written inside the co_await "
            "expression: name it before and pass it as an lvalue, as in auto list = [client] { ... }; "
            "co_await async_retry(list, ...); or pass std::ref(list) if it cannot be copied");
        static_assert(
            classifier_survives,
            "g++ before 12.3 destroys a classifier that owns something twice when it is written inside the co_await "
            "expression: name it before and pass it as an lvalue, or as std::ref(classifier) if it cannot be copied");
    }
};

template <class... Rest>
inline constexpr bool starts_with_options = starts_with<retry_options, Rest...>;

template <class Clock, class Executor, class Operation, class Options, class... Rest>
auto initiate_retry(Executor const& executor, Operation&& operation, Options options, Rest&&... rest)
{
    return initiate<retry_algorithm, Clock>(
        executor, std::forward<Operation>(operation), options, std::forward<Rest>(rest)...);
}

}  // namespace backbeat::detail

#endif
