//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_CLASSIFIER_HPP
#define BACKBEAT_MEMORYSTORE_CLASSIFIER_HPP

#include <backbeat/attempt.hpp>
#include <backbeat/config.hpp>
#include <backbeat/http/classifier.hpp>
#include <backbeat/http/idempotency.hpp>
#include <backbeat/verdict.hpp>

#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/verb.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <exception>
#include <optional>
#include <string_view>

namespace backbeat::memorystore {

namespace detail {

// Longer bodies are not looked at: no error of the API is that long.
inline constexpr std::size_t maximum_error_body = 1048576;

// Corrects what the status alone says. `status_hint` is the hint of the response's fields.
void look_into(verdict& said, std::optional<std::chrono::nanoseconds> status_hint, std::string_view body) noexcept;

template <class Result>
void look_at(verdict& /*said*/, Result const& /*result*/)
{}

template <class Body, class Fields>
void look_at(verdict& said, boost::beast::http::message<false, Body, Fields> const& response)
{
    if (said.status < 400 || said.status != static_cast<int>(response.result_int())) return;
    http::detail::attempt_end end;
    http::detail::look_at(end, response);
    auto const& body = response.body();
    if constexpr (std::convertible_to<decltype(body), std::string_view>) {
        look_into(said, end.hint, body);
    } else if constexpr (requires { boost::beast::buffers_to_string(body.data()); }) {
        // Not noexcept: a copy needs memory.
        if (body.size() <= maximum_error_body) look_into(said, end.hint, boost::beast::buffers_to_string(body.data()));
    } else {
        look_into(said, end.hint, {});
    }
}

}  // namespace detail

/**
 * \brief Decides which requests to this API are worth another attempt.
 * \details
 * What `client` decides with. It can also be used alone, around requests of one's own:
 *
 * \code
 * async_retry(my_get, options, classify(memorystore::classifier{http::verb::get}));
 * http_client.async_send(request, options, classify(memorystore::classifier{http::verb::get}));
 * \endcode
 *
 * It decides as `http::classifier` does, and reads the body of an error, `google.rpc.Status`, where the status alone
 * misleads:
 *
 * | answer | verdict |
 * | --- | --- |
 * | 403 that is a quota per minute: the reason `RATE_LIMIT_EXCEEDED`, or "Quota exceeded ... per minute" | throttled |
 * | 409 that is `ABORTED`, or the reason `operationInProgress` | retried; the server did not act |
 * | any other 403 or 409, such as `ALREADY_EXISTS` | permanent |
 * | 400 `FAILED_PRECONDITION`, also of a resource that is busy | permanent |
 * | everything else | as `http::classifier` says |
 *
 * A resource is busy for minutes or hours, longer than any backoff: it is better waited for by its operation
 * (`client::async_wait_operation`) than by asking again.
 *
 * The server's hint is the longest of `Retry-After`, `retry-after-ms` and the body's `google.rpc.RetryInfo`.
 *
 * Bodies that can be read are those of `string_body` and the like, and of `dynamic_body`; with others it decides by
 * the status.
 *
 * \par Thread safety
 * Safe: it has no state but its settings.
 */
struct classifier {
    /// The method of the request. Empty: unknown.
    std::optional<boost::beast::http::verb> method{};

    /// What it means to carry the request out twice. Empty: what follows from `method`, if that is known.
    std::optional<http::idempotency> replay{};

    /// Judges an attempt that completed with an error or with these results, of which one may be a response.
    template <class... Results>
    [[nodiscard]] verdict operator()(
        attempt const& ended, boost::system::error_code const& error, Results const&... results) const
    {
        return corrected(http::classifier{method, replay}(ended, error, results...), results...);
    }

    /// As above, for operations that complete with an exception, such as an `awaitable<response>`.
    template <class... Results>
    [[nodiscard]] verdict operator()(
        attempt const& ended, std::exception_ptr const& exception, Results const&... results) const
    {
        return corrected(http::classifier{method, replay}(ended, exception, results...), results...);
    }

    /// As above, where the attempt is not known.
    template <class... Results>
    [[nodiscard]] verdict operator()(boost::system::error_code const& error, Results const&... results) const
    {
        return corrected(http::classifier{method, replay}(error, results...), results...);
    }

    /// Judges a response.
    template <class Body, class Fields>
    [[nodiscard]] verdict operator()(boost::beast::http::message<false, Body, Fields> const& answer) const
    {
        return corrected(http::classifier{method, replay}(answer), answer);
    }

private:
    template <class... Results>
    [[nodiscard]] static verdict corrected(verdict said, Results const&... results)
    {
        (detail::look_at(said, results), ...);
        return said;
    }
};

}  // namespace backbeat::memorystore

#endif
