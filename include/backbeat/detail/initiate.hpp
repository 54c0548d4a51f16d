//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_INITIATE_HPP
#define BACKBEAT_DETAIL_INITIATE_HPP

#include <backbeat/attempt.hpp>
#include <backbeat/classify.hpp>
#include <backbeat/config.hpp>
#include <backbeat/detail/default_token.hpp>
#include <backbeat/detail/disposition.hpp>
#include <backbeat/detail/executors.hpp>
#include <backbeat/detail/invoke_operation.hpp>
#include <backbeat/report_to.hpp>
#include <backbeat/retry_report.hpp>
#include <backbeat/verdict.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/execution/executor.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/is_executor.hpp>

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

// How `async_retry` and `async_hedge` take their arguments: [executor,] operation, [options,] [classify(c),]
// [report_to(r),] [token].
//
// `Algorithm` says which of them it is:
//   options                                      the struct of options
//   traits<Clock, IoExecutor, Operation, Options, Classifier, Signature>   what the next is made of
//   carried<Handler, source>(executor)           the I/O executor as the operation holds it, counted as work or not
//   operation<Traits, Handler, source>                                     what runs; it has `launch`
//   check_order<right>(), check_executor<present>(), check_lifetime<operation_survives, classifier_survives>()
//                                                                          static assertions that name it

namespace backbeat::detail {

// clang-format off
template <class T>
concept executor_argument = boost::asio::execution::is_executor<std::remove_cvref_t<T>>::value
    || boost::asio::is_executor<std::remove_cvref_t<T>>::value;
// clang-format on

template <class Options, class... Rest>
inline constexpr bool starts_with = false;

// clang-format off
template <class Options, class First, class... Rest>
inline constexpr bool starts_with<Options, First, Rest...> = std::convertible_to<First, Options>
    || std::convertible_to<First, std::reference_wrapper<Options const>>;
// clang-format on

// Whether it can be used. An executor of the old kind can only be recognised, so as to say so: nothing that follows
// would compile with it.
template <class Executor>
constexpr bool check_kind_of_executor()
{
    constexpr bool is_usable = boost::asio::execution::is_executor<Executor>::value;
    constexpr bool is_of_old_kind = !is_usable && boost::asio::is_executor<Executor>::value;
    static_assert(
        !is_of_old_kind,
        "an executor of the old kind: use boost::asio::make_strand or any_io_executor instead of io_context::strand or "
        "boost::asio::executor");
    return is_usable;
}

// The initiation: what a completion token is given to start the operation with. A class with a name, and not a
// lambda, because partial tokens ask it for its executor.
template <class Algorithm, class Clock, class Executor, class Signature>
class initiation {
public:
    explicit initiation(Executor executor) : executor_(std::move(executor)) {}

    template <class Handler, class Operation, class Options, class Classifier>
    void operator()(
        Handler&& handler, Operation&& operation, Options options, Classifier&& classifier, report_target target) const
    {
        using handler_type = std::decay_t<Handler>;
        using operation_type = std::decay_t<Operation>;
        constexpr auto source = io_executor_source<Executor, handler_type, operation_type>;
        Algorithm::template check_executor<source != executor_from::nowhere>();
        static_assert(
            Clock::is_steady,
            "this clock can be set, so that waits would end early, or never: use a steady one, such as "
            "std::chrono::steady_clock");
        if constexpr (check_kind_of_executor<io_executor_type<Executor, handler_type, operation_type>>()) {
            auto const executor =
                Algorithm::template carried<handler_type, source>(io_executor(executor_, handler, operation));
            using traits = typename Algorithm::template traits<
                Clock,
                std::remove_cv_t<decltype(executor)>,
                operation_type,
                Options,
                std::decay_t<Classifier>,
                Signature>;
            using running = typename Algorithm::template operation<traits, handler_type, source>;
            // Moved once more, so that a handler that was passed as an lvalue is copied here and nowhere else.
            handler_type owned(std::forward<Handler>(handler));
            running::launch(
                std::move(owned),
                executor,
                std::forward<Operation>(operation),
                options,
                std::forward<Classifier>(classifier),
                target.report);
        }
    }

protected:
    Executor executor_;
};

template <class Algorithm, class Clock, class Executor, class Signature>
class initiation_with_executor : public initiation<Algorithm, Clock, Executor, Signature> {
public:
    using executor_type = Executor;
    using initiation<Algorithm, Clock, Executor, Signature>::initiation;
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

// The attempt is tried only on what cannot be a handler: a generic one might not compile with it.
template <class Token, class... Arguments>
inline constexpr bool is_bare_classifier<Token, void(Arguments...)> = [] {
    if constexpr (std::is_invocable_v<Token&, Arguments...>)
        return std::same_as<std::invoke_result_t<Token&, Arguments...>, verdict>;
    else if constexpr (std::is_invocable_v<Token&, attempt const&, Arguments...>)
        return std::same_as<std::invoke_result_t<Token&, attempt const&, Arguments...>, verdict>;
    else
        return false;
}();

template <class Options, class T>
inline constexpr bool belongs_before_token =
    std::same_as<T, report_target> || std::same_as<T, retry_report> || std::same_as<T, Options>;

template <class Options, class Argument>
inline constexpr bool belongs_before_token<Options, classify_with<Argument>> = true;

// `Rest` is what follows the operation, its options, its classifier and its report.
template <class Algorithm, class... Rest>
inline constexpr bool is_rest = sizeof...(Rest) <= 1
    && !(belongs_before_token<typename Algorithm::options, std::remove_cvref_t<Rest>> || ...);

// Each sentence comes alone: what it is about is not instantiated after it, or pages of Asio would follow.
template <class Operation>
constexpr bool check_operation()
{
    constexpr bool is_context = std::derived_from<std::remove_cvref_t<Operation>, boost::asio::execution_context>;
    static_assert(!is_context, "an execution context is not an executor: pass context.get_executor()");
    static_assert(
        is_context || retryable_operation<std::decay_t<Operation>>,
        "the operation must be callable as (attempt const&, token), as () returning an awaitable or a deferred "
        "operation, as (token), or as (attempt const&) returning one of those");
    return retryable_operation<std::decay_t<Operation>>;
}

template <class Executor>
constexpr bool check_argument()
{
    if constexpr (std::same_as<Executor, no_executor>)
        return true;
    else
        return check_kind_of_executor<Executor>();
}

template <class Signature>
inline constexpr bool begins_with_disposition = false;

template <class First, class... Results>
inline constexpr bool begins_with_disposition<void(First, Results...)> = disposition<std::decay_t<First>>;

template <class Signature, class Token>
constexpr bool check_completion()
{
    constexpr bool has_disposition = begins_with_disposition<Signature>;
    constexpr bool is_classifier = is_bare_classifier<std::decay_t<Token>, Signature>;
    constexpr bool is_token = boost::asio::completion_token_for<Token, Signature>;
    static_assert(
        has_disposition,
        "the first completion argument of the operation must be a boost::system::error_code or a std::exception_ptr");
    static_assert(
        !has_disposition || !is_classifier,
        "this classifier would be taken for the completion handler: pass it as classify(...)");
    static_assert(
        !has_disposition || is_classifier || is_token,
        "the completion handler must be callable with what the operation completes with; for an operation that returns "
        "an awaitable<T> that is (std::exception_ptr, T)");
    return has_disposition && !is_classifier && is_token;
}

template <
    class Algorithm,
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
    using signature = signature_of<std::decay_t<Operation>>;
    using starter = std::conditional_t<
        std::same_as<Executor, no_executor>,
        initiation<Algorithm, Clock, Executor, signature>,
        initiation_with_executor<Algorithm, Clock, Executor, signature>>;
    using result = decltype(boost::asio::async_initiate<Token, signature>(
        starter(executor),
        token,
        std::forward<Operation>(operation),
        options,
        std::forward<Classifier>(classifier),
        target));

    Algorithm::template check_lifetime<
        survives_co_await<Operation&&, result>,
        survives_co_await<ClassifierArgument, result>>();

    return boost::asio::async_initiate<Token, signature>(
        starter(executor),
        token,
        std::forward<Operation>(operation),
        options,
        std::forward<Classifier>(classifier),
        target);
}

template <
    class Algorithm,
    class Clock,
    class ClassifierArgument,
    class Executor,
    class Operation,
    class Options,
    class Classifier>
auto take_token(
    Executor const& executor, Operation&& operation, Options options, Classifier&& classifier, report_target target)
{
    using signature = signature_of<std::decay_t<Operation>>;
    default_token_t<signature, awaitable_executor_of<std::decay_t<Operation>>> token;
    if constexpr (check_completion<signature, decltype(token)>())
        return initiate_with_token<Algorithm, Clock, Executor, Operation, Options, ClassifierArgument>(
            executor, std::forward<Operation>(operation), options, std::forward<Classifier>(classifier), target, token);
}

template <
    class Algorithm,
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
    if constexpr (check_completion<signature_of<std::decay_t<Operation>>, Token>())
        return initiate_with_token<
            Algorithm,
            Clock,
            Executor,
            Operation,
            Options,
            ClassifierArgument,
            Classifier,
            Token>(
            executor, std::forward<Operation>(operation), options, std::forward<Classifier>(classifier), target, token);
}

template <
    class Algorithm,
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
    if constexpr (check_argument<Executor>() && check_operation<Operation>()) {
        Algorithm::template check_order<is_rest<Algorithm, Rest...>>();
        if constexpr (is_rest<Algorithm, Rest...>)
            return take_token<Algorithm, Clock, ClassifierArgument>(
                executor,
                std::forward<Operation>(operation),
                options,
                std::forward<Classifier>(classifier),
                report_target{},
                std::forward<Rest>(rest)...);
    }
}

template <
    class Algorithm,
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
    if constexpr (check_argument<Executor>() && check_operation<Operation>()) {
        Algorithm::template check_order<is_rest<Algorithm, Rest...>>();
        if constexpr (is_rest<Algorithm, Rest...>)
            return take_token<Algorithm, Clock, ClassifierArgument>(
                executor,
                std::forward<Operation>(operation),
                options,
                std::forward<Classifier>(classifier),
                target,
                std::forward<Rest>(rest)...);
    }
}

template <class Algorithm, class Clock, class Executor, class Operation, class Options, class... Rest>
auto initiate(Executor const& executor, Operation&& operation, Options options, Rest&&... rest)
{
    return take_report<Algorithm, Clock, default_classifier>(
        executor, std::forward<Operation>(operation), options, default_classifier{}, std::forward<Rest>(rest)...);
}

template <class Algorithm, class Clock, class Executor, class Operation, class Options, class Argument, class... Rest>
auto initiate(
    Executor const& executor,
    Operation&& operation,
    Options options,
    classify_with<Argument>&& classifier,
    Rest&&... rest)
{
    return take_report<Algorithm, Clock, Argument&&>(
        executor,
        std::forward<Operation>(operation),
        options,
        std::move(classifier).release(),
        std::forward<Rest>(rest)...);
}

}  // namespace backbeat::detail

#endif
