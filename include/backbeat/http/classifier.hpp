//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_HTTP_CLASSIFIER_HPP
#define BACKBEAT_HTTP_CLASSIFIER_HPP

#include <backbeat/attempt.hpp>
#include <backbeat/config.hpp>
#include <backbeat/delivery.hpp>
#include <backbeat/detail/disposition.hpp>
#include <backbeat/http/idempotency.hpp>
#include <backbeat/http/retry_after.hpp>
#include <backbeat/result_traits.hpp>
#include <backbeat/verdict.hpp>

#include <boost/beast/http/field.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/verb.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <string_view>

namespace backbeat::http {

namespace detail {

// What a classifier knows of the end of an attempt, whatever types it came in.
struct attempt_end {
    backbeat::detail::failure failure{};
    int status = 0;  // 0: no response is known
    std::optional<std::chrono::nanoseconds> hint{};
    std::optional<delivery> reported{};
};

[[nodiscard]] verdict judge(attempt_end const& end, std::optional<idempotency> replay) noexcept;

template <class Body, class Fields>
void look_at(attempt_end& end, boost::beast::http::message<false, Body, Fields> const& response)
{
    auto const for_each = [&response](auto name, auto take) {
        for (auto [at, last] = response.equal_range(name); at != last; ++at)
            take(std::string_view(at->value().data(), at->value().size()));
    };
    auto const add_hint = [&end](std::optional<std::chrono::nanoseconds> hint) {
        if (end.hint < hint) end.hint = hint;
    };
    end.status = static_cast<int>(response.result_int());
    for_each("retry-after-ms", [&](std::string_view value) { add_hint(retry_after_ms(value)); });
    if (response.count(boost::beast::http::field::retry_after) == 0) return;
    auto const here = std::chrono::system_clock::now();
    std::optional<std::chrono::system_clock::time_point> there;
    for_each(boost::beast::http::field::date, [&](std::string_view value) {
        // Of several the earliest, which makes for the longest wait.
        if (auto const date = date_of(value, here); date && (!there || *date < *there)) there = date;
    });
    auto const now = there.value_or(here);
    for_each(
        boost::beast::http::field::retry_after, [&](std::string_view value) { add_hint(retry_after(value, now)); });
}

// Whatever else an operation completes with, such as the number of bytes, says nothing about how it ended.
template <class Result>
void look_at(attempt_end& /*end*/, Result const& /*result*/)
{}

}  // namespace detail

/**
 * \brief Decides which HTTP requests are worth another attempt.
 * \details
 * For `http::client`, and for whoever wraps their own Beast code in `async_retry`:
 *
 * \code
 * async_retry(my_post, options, classify(http::classifier{}));
 * async_retry(my_get, options, classify(http::classifier{http::verb::get}));
 * async_retry(my_keyed_post, options, classify(http::classifier{.replay = http::idempotency::idempotent}));
 * \endcode
 *
 * | end of the attempt | verdict |
 * | --- | --- |
 * | 1xx, 2xx, 3xx | done |
 * | 429 | throttled |
 * | 5xx | retried; ambiguous, since the server may have acted |
 * | other 4xx | permanent |
 * | refused connection, no answer from a name server, no descriptor or port left | retried: nothing was sent |
 * | `errc::connect_timeout`, `errc::queue_timeout` | retried: nothing was sent |
 * | other transport errors, time-outs included | retried if the request may be replayed |
 * | certificate errors, unknown host, what is not TLS | permanent |
 * | what is not HTTP, malformed or too large responses, damaged gzip | permanent |
 * | requests that cannot be sent, a closed client, cancellation | permanent |
 *
 * What may be replayed depends on what is known:
 * - Nothing (`classifier{}`): 429 and 5xx are retried whatever the request, as Google's documentation asks, and so are
 *   transport errors after which nothing was sent, for certain or by the operation's own report (`attempt::report`).
 *   After any other transport error the operation stops with `stop_reason::not_replayable`.
 * - The method, or `replay`: `safe` and `idempotent` requests are always retried. With `never`, the operation stops
 *   with `stop_reason::not_replayable` once an attempt may have reached the server, be it for a 5xx or an error.
 *
 * What the operation reported as its delivery is taken as it is; without a report the delivery follows from the end.
 * The server's hint (`Retry-After`, `retry-after-ms`) comes from a 429 or 5xx; of several the largest counts. A date is
 * measured against the response's own `Date`, so that a wrong clock does no harm, and without one against this clock.
 *
 * \par Thread safety
 * Safe: it has no state but its settings.
 */
struct classifier {
    /// The method of the request. Empty: unknown.
    std::optional<boost::beast::http::verb> method{};

    /// What it means to carry the request out twice. Empty: what follows from `method`, if that is known.
    std::optional<idempotency> replay{};

    /// Judges an attempt that completed with an error or with these results, of which one may be a response.
    template <class... Results>
    [[nodiscard]] verdict operator()(
        attempt const& ended, boost::system::error_code const& error, Results const&... results) const
    {
        return of(ended.delivered(), backbeat::detail::failure_of(error), results...);
    }

    /// As above, for operations that complete with an exception, such as an `awaitable<response>`.
    template <class... Results>
    [[nodiscard]] verdict operator()(
        attempt const& ended, std::exception_ptr const& exception, Results const&... results) const
    {
        return of(ended.delivered(), backbeat::detail::failure_of(exception), results...);
    }

    /// As above, where the attempt is not known.
    template <class... Results>
    [[nodiscard]] verdict operator()(boost::system::error_code const& error, Results const&... results) const
    {
        return of({}, backbeat::detail::failure_of(error), results...);
    }

    /// Judges a response.
    template <class Body, class Fields>
    [[nodiscard]] verdict operator()(boost::beast::http::message<false, Body, Fields> const& answer) const
    {
        return of({}, backbeat::detail::failure{}, answer);
    }

private:
    template <class... Results>
    [[nodiscard]] verdict of(
        std::optional<delivery> reported, backbeat::detail::failure failure, Results const&... results) const
    {
        detail::attempt_end end{.failure = failure, .reported = reported};
        if (!failure.failed) (detail::look_at(end, results), ...);
        return detail::judge(end, replay ? replay : method ? std::optional(idempotency_of(*method)) : std::nullopt);
    }
};

}  // namespace backbeat::http

/// Lets a plain `async_retry` see that a response is a failure. The rules are those of `http::classifier{}`
/// for responses; errors are judged by `default_classifier`, which does not know those that no retry mends.
template <class Body, class Fields>
struct backbeat::result_traits<boost::beast::http::message<false, Body, Fields>> {
    [[nodiscard]] static verdict classify(boost::beast::http::message<false, Body, Fields> const& response)
    {
        return http::classifier{}(response);
    }
};

#endif
