//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_HTTP_DETAIL_SETTINGS_HPP
#define BACKBEAT_HTTP_DETAIL_SETTINGS_HPP

#include <backbeat/classify.hpp>
#include <backbeat/detail/initiate.hpp>
#include <backbeat/http/authorize_with.hpp>
#include <backbeat/http/detail/response_receiver.hpp>
#include <backbeat/http/prepare_body.hpp>
#include <backbeat/http/reconcile_with.hpp>
#include <backbeat/report_to.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/system/error_code.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

// How the operations of `client` take what may follow their fixed arguments: settings in any order, and a token last.

namespace backbeat::http::detail {

template <class T>
inline constexpr bool is_setting = std::same_as<T, backbeat::detail::report_target>;

template <class Argument>
inline constexpr bool is_setting<backbeat::detail::classify_with<Argument>> = true;

template <class Argument, bool always>
inline constexpr bool is_setting<reconcile_by<Argument, always>> = true;

template <class Argument>
inline constexpr bool is_setting<authorize_by<Argument>> = true;

template <class Argument>
inline constexpr bool is_setting<prepare_body_by<Argument>> = true;

// `Arguments` is what the caller wrote inside `classify(...)` and the like.
template <
    class Classifier = not_given,
    class Probe = not_given,
    class Source = not_given,
    class Prepare = not_given,
    bool reports = false,
    class... Arguments>
class settings {
public:
    settings() = default;
    settings(
        Classifier given_classifier,
        Probe given_probe,
        Source given_source,
        Prepare given_prepare,
        retry_report* given_report)
        : classifier(std::move(given_classifier)),
          probe(std::move(given_probe)),
          source(std::move(given_source)),
          prepare(std::move(given_prepare)),
          report(given_report)
    {}

    template <class Argument>
    [[nodiscard]] auto with(backbeat::detail::classify_with<Argument> given) &&
    {
        static_assert(std::same_as<Classifier, not_given>, "there is more than one classify(...)");
        return settings<std::decay_t<Argument>, Probe, Source, Prepare, reports, Arguments..., Argument&&>(
            std::move(given).release(), std::move(probe), std::move(source), std::move(prepare), report);
    }

    template <class Argument, bool always>
    [[nodiscard]] auto with(reconcile_by<Argument, always> given) &&
    {
        static_assert(std::same_as<Probe, not_given>, "there is more than one reconcile_with(...)");
        using probe_type = typename reconcile_by<Argument, always>::probe;
        return settings<Classifier, probe_type, Source, Prepare, reports, Arguments..., Argument&&>(
            std::move(classifier), std::move(given).release(), std::move(source), std::move(prepare), report);
    }

    template <class Argument>
    [[nodiscard]] auto with(authorize_by<Argument> given) &&
    {
        static_assert(std::same_as<Source, not_given>, "there is more than one authorize_with(...)");
        return settings<Classifier, Probe, std::decay_t<Argument>, Prepare, reports, Arguments..., Argument&&>(
            std::move(classifier), std::move(probe), std::move(given).release(), std::move(prepare), report);
    }

    template <class Argument>
    [[nodiscard]] auto with(prepare_body_by<Argument> given) &&
    {
        static_assert(std::same_as<Prepare, not_given>, "there is more than one prepare_body(...)");
        return settings<Classifier, Probe, Source, std::decay_t<Argument>, reports, Arguments..., Argument&&>(
            std::move(classifier), std::move(probe), std::move(source), std::move(given).release(), report);
    }

    [[nodiscard]] auto with(backbeat::detail::report_target given) &&
    {
        static_assert(!reports, "there is more than one report_to(...)");
        return settings<Classifier, Probe, Source, Prepare, true, Arguments...>(
            std::move(classifier), std::move(probe), std::move(source), std::move(prepare), given.report);
    }

    static constexpr bool has_probe = !std::same_as<Probe, not_given>;
    static constexpr bool is_about_retries =
        reports || has_probe || !std::same_as<Source, not_given> || !std::same_as<Classifier, not_given>;

    template <class Result>
    static constexpr bool survive_co_await = (backbeat::detail::survives_co_await<Arguments, Result> && ...);

    [[no_unique_address]] Classifier classifier;
    [[no_unique_address]] Probe probe;
    [[no_unique_address]] Source source;
    [[no_unique_address]] Prepare prepare;
    retry_report* report = nullptr;
};

template <class Body>
using signature_of = void(boost::system::error_code, response_of<Body>);

// Calls `async_initiate` with the initiation and its arguments, and the settings after them.
template <class Body, class Token, class Settings, class Initiation, class... Arguments>
auto initiate_with(
    Settings given, Initiation const& initiation, std::remove_reference_t<Token>& token, Arguments&&... arguments)
{
    using result = decltype(boost::asio::async_initiate<Token, signature_of<Body>>(
        initiation, token, std::forward<Arguments>(arguments)..., std::move(given)));
    static_assert(
        Settings::template survive_co_await<result>,
        "g++ before 12.3 destroys a lambda with captures twice if it is written inside a co_await expression: give it a "
        "name before");
    return boost::asio::async_initiate<Token, signature_of<Body>>(
        initiation, token, std::forward<Arguments>(arguments)..., std::move(given));
}

// `start(settings, type of the token, token)` begins the operation.
template <class Body, class Start, class Settings>
auto take_settings(Start&& start, Settings given)
{
    boost::asio::deferred_t token;
    return start(std::move(given), std::type_identity<boost::asio::deferred_t>(), token);
}

template <class Body, class Start, class Settings, class First, class... Rest>
auto take_settings(Start&& start, Settings given, First&& first, Rest&&... rest)
{
    if constexpr (is_setting<std::remove_cvref_t<First>>) {
        return take_settings<Body>(
            std::forward<Start>(start), std::move(given).with(std::forward<First>(first)), std::forward<Rest>(rest)...);
    } else {
        constexpr bool is_classifier = backbeat::detail::is_bare_classifier<std::decay_t<First>, signature_of<Body>>;
        constexpr bool is_token =
            sizeof...(Rest) == 0 && !is_classifier && boost::asio::completion_token_for<First, signature_of<Body>>;
        static_assert(
            !is_classifier,
            "this classifier would be taken for the completion handler: pass it as classify(...), to async_send");
        static_assert(
            is_classifier || is_token,
            "what follows the request is, in this order: what it means to repeat it; for async_send the options, and "
            "classify(...), reconcile_with(...), authorize_with(...) and report_to(...) in any order; prepare_body(...); and last a "
            "completion token for void(error_code, response<Body>)");
        if constexpr (is_token) return start(std::move(given), std::type_identity<First>(), first);
    }
}

}  // namespace backbeat::http::detail

#endif
