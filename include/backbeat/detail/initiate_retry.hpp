//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_INITIATE_RETRY_HPP
#define BACKBEAT_DETAIL_INITIATE_RETRY_HPP

#include <backbeat/classify.hpp>
#include <backbeat/config.hpp>
#include <backbeat/detail/default_token.hpp>
#include <backbeat/detail/executors.hpp>
#include <backbeat/detail/invoke_operation.hpp>
#include <backbeat/detail/retry_operation.hpp>
#include <backbeat/report_to.hpp>
#include <backbeat/retry_options.hpp>
#include <backbeat/verdict.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/execution/executor.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/is_executor.hpp>
#include <boost/asio/prefer.hpp>

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

namespace backbeat::detail {

// clang-format off
template <class T>
concept executor_argument = boost::asio::execution::is_executor<std::remove_cvref_t<T>>::value
    || boost::asio::is_executor<std::remove_cvref_t<T>>::value;
// clang-format on

template <class... Rest>
inline constexpr bool starts_with_options = false;

// clang-format off
template <class First, class... Rest>
inline constexpr bool starts_with_options<First, Rest...> = std::convertible_to<First, retry_options>
    || std::convertible_to<First, std::reference_wrapper<retry_options const>>;
// clang-format on

// The initiation: what a completion token is given to start the operation with. A class with a name, and not a
// lambda, because partial tokens ask it for its executor.
template <class Clock, class Executor, class Signature>
class retry_initiation {
public:
    explicit retry_initiation(Executor executor) : executor_(std::move(executor)) {}

    template <class Handler, class Operation, class Options, class Classifier>
    void operator()(
        Handler&& handler, Operation&& operation, Options options, Classifier&& classifier, report_target target) const
    {
        using handler_type = std::decay_t<Handler>;
        using operation_type = std::decay_t<Operation>;
        constexpr auto source = io_executor_source<Executor, handler_type, operation_type>;
        auto const executor = boost::asio::prefer(
            io_executor(executor_, handler, operation), boost::asio::execution::outstanding_work.tracked);
        using traits = retry_traits<
            Clock,
            std::remove_cv_t<decltype(executor)>,
            operation_type,
            Options,
            std::decay_t<Classifier>,
            Signature>;
        using retrying =
            retry_operation<traits, handler_type, has_own_executor<handler_type> && source != executor_from::handler>;
        // Moved once more, so that a handler that was passed as an lvalue is copied here and nowhere else.
        handler_type owned(std::forward<Handler>(handler));
        retrying::launch(
            std::move(owned),
            executor,
            std::forward<Operation>(operation),
            options,
            std::forward<Classifier>(classifier),
            target.report);
    }

protected:
    Executor executor_;
};

template <class Clock, class Executor, class Signature>
class retry_initiation_with_executor : public retry_initiation<Clock, Executor, Signature> {
public:
    using executor_type = Executor;
    using retry_initiation<Clock, Executor, Signature>::retry_initiation;
    [[nodiscard]] executor_type get_executor() const noexcept { return this->executor_; }
};

// What `co_await` can be applied to: then temporaries of the call are destroyed by a coroutine.
// clang-format off
template <class Result>
concept can_be_awaited = is_awaitable<std::remove_cvref_t<Result>>
    || boost::asio::is_async_operation<std::remove_cvref_t<Result>>::value
    || requires(Result& result) { result.await_ready(); } || requires(Result&& result) {
           std::move(result).operator co_await();
       } || requires(Result&& result) { operator co_await(std::move(result)); };
// clang-format on

// clang-format off
template <class Argument, class Result>
inline constexpr bool survives_co_await = !BACKBEAT_DESTROYS_CO_AWAIT_TEMPORARIES_TWICE
    || std::is_lvalue_reference_v<Argument> || std::is_trivially_destructible_v<std::remove_cvref_t<Argument>>
    || !can_be_awaited<Result>;
// clang-format on

// Whether a token is called with completion arguments and answers with a verdict, which no completion handler does.
template <class Token, class Signature>
inline constexpr bool is_bare_classifier = false;

template <class Token, class... Arguments>
    requires std::is_invocable_v<Token&, Arguments...>
inline constexpr bool is_bare_classifier<Token, void(Arguments...)> =
    std::same_as<std::invoke_result_t<Token&, Arguments...>, verdict>;

template <class T>
inline constexpr bool belongs_before_token = std::same_as<T, report_target> || std::same_as<T, retry_options>;

template <class Argument>
inline constexpr bool belongs_before_token<classify_with<Argument>> = true;

// `Rest` is what follows the operation, its options, its classifier and its report.
template <class... Rest>
constexpr void check_order()
{
    static_assert(
        sizeof...(Rest) <= 1 && !(belongs_before_token<Rest> || ...),
        "async_retry takes, in this order: [executor,] operation, [options,] [classify(c),] [report_to(r),] [token]; a "
        "classifier goes inside classify(...)");
}

template <
    class Clock,
    class Executor,
    class Operation,
    class Options,
    class ClassifierArgument,
    class Classifier,
    class Token>
auto initiate_with_token(
    Executor const& executor,
    Operation&& operation,
    Options options,
    Classifier&& classifier,
    report_target target,
    Token& token)
{
    static_assert(
        retryable_operation<std::decay_t<Operation>>,
        "the operation must be callable as (attempt const&, token), as () returning an awaitable or a deferred "
        "operation, as (token), or as (attempt const&) returning one of those");
    using signature = signature_of<std::decay_t<Operation>>;
    static_assert(
        !is_bare_classifier<std::decay_t<Token>, signature>,
        "this classifier would be taken for the completion handler: pass it as classify(...)");
    using initiation = std::conditional_t<
        std::same_as<Executor, no_executor>,
        retry_initiation<Clock, Executor, signature>,
        retry_initiation_with_executor<Clock, Executor, signature>>;
    using result = decltype(boost::asio::async_initiate<Token, signature>(
        initiation(executor),
        token,
        std::forward<Operation>(operation),
        options,
        std::forward<Classifier>(classifier),
        target));

    static_assert(
        survives_co_await<Operation&&, result>,
        "g++ before 12.3 destroys an operation that owns something twice when it is written inside the co_await "
        "expression: name it before and pass it as an lvalue, as in auto list = [client] { ... }; "
        "co_await async_retry(list, ...); or pass std::ref(list) if it cannot be copied");
    static_assert(
        survives_co_await<ClassifierArgument, result>,
        "g++ before 12.3 destroys a classifier that owns something twice when it is written inside the co_await "
        "expression: name it before and pass it as an lvalue, or as std::ref(classifier) if it cannot be copied");

    return boost::asio::async_initiate<Token, signature>(
        initiation(executor),
        token,
        std::forward<Operation>(operation),
        options,
        std::forward<Classifier>(classifier),
        target);
}

template <class Clock, class ClassifierArgument, class Executor, class Operation, class Options, class Classifier>
auto take_token(
    Executor const& executor, Operation&& operation, Options options, Classifier&& classifier, report_target target)
{
    default_token_t<signature_of<std::decay_t<Operation>>, awaitable_executor_of<std::decay_t<Operation>>> token;
    return initiate_with_token<Clock, Executor, Operation, Options, ClassifierArgument>(
        executor, std::forward<Operation>(operation), options, std::forward<Classifier>(classifier), target, token);
}

template <
    class Clock,
    class ClassifierArgument,
    class Executor,
    class Operation,
    class Options,
    class Classifier,
    class Token>
auto take_token(
    Executor const& executor,
    Operation&& operation,
    Options options,
    Classifier&& classifier,
    report_target target,
    Token&& token)
{
    return initiate_with_token<Clock, Executor, Operation, Options, ClassifierArgument, Classifier, Token>(
        executor, std::forward<Operation>(operation), options, std::forward<Classifier>(classifier), target, token);
}

template <
    class Clock,
    class ClassifierArgument,
    class Executor,
    class Operation,
    class Options,
    class Classifier,
    class... Rest>
auto take_report(
    Executor const& executor, Operation&& operation, Options options, Classifier&& classifier, Rest&&... rest)
{
    check_order<std::remove_cvref_t<Rest>...>();
    return take_token<Clock, ClassifierArgument>(
        executor,
        std::forward<Operation>(operation),
        options,
        std::forward<Classifier>(classifier),
        report_target{},
        std::forward<Rest>(rest)...);
}

template <
    class Clock,
    class ClassifierArgument,
    class Executor,
    class Operation,
    class Options,
    class Classifier,
    class... Rest>
auto take_report(
    Executor const& executor,
    Operation&& operation,
    Options options,
    Classifier&& classifier,
    report_target target,
    Rest&&... rest)
{
    check_order<std::remove_cvref_t<Rest>...>();
    return take_token<Clock, ClassifierArgument>(
        executor,
        std::forward<Operation>(operation),
        options,
        std::forward<Classifier>(classifier),
        target,
        std::forward<Rest>(rest)...);
}

template <class Clock, class Executor, class Operation, class Options, class... Rest>
auto initiate_retry(Executor const& executor, Operation&& operation, Options options, Rest&&... rest)
{
    return take_report<Clock, default_classifier>(
        executor, std::forward<Operation>(operation), options, default_classifier{}, std::forward<Rest>(rest)...);
}

template <class Clock, class Executor, class Operation, class Options, class Argument, class... Rest>
auto initiate_retry(
    Executor const& executor,
    Operation&& operation,
    Options options,
    classify_with<Argument>&& classifier,
    Rest&&... rest)
{
    return take_report<Clock, Argument&&>(
        executor,
        std::forward<Operation>(operation),
        options,
        std::move(classifier).release(),
        std::forward<Rest>(rest)...);
}

}  // namespace backbeat::detail

#endif
