//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_HTTP_AUTHORIZE_WITH_HPP
#define BACKBEAT_HTTP_AUTHORIZE_WITH_HPP

#include <backbeat/config.hpp>

#include <type_traits>
#include <utility>

namespace backbeat::http {

namespace detail {

template <class Argument>
class authorize_by {
public:
    explicit authorize_by(Argument&& source) : source_(std::forward<Argument>(source)) {}

    std::decay_t<Argument> release() && { return std::move(source_); }

private:
    std::decay_t<Argument> source_;
};

}  // namespace detail

/**
 * \brief Gives `client::async_send` a source of the field `Authorization`, which is asked before each attempt.
 * \details
 * A request that is repeated for minutes outlives the access token that it was first sent with. So the field is not part
 * of the request:
 *
 * \code
 * auto source = [&](std::string rejected) -> awaitable<std::string> {
 *     co_return "Bearer " + co_await tokens.fresh(rejected);
 * };
 * auto response = co_await client.async_send(message, http::authorize_with(source));
 * \endcode
 *
 * The source is called as `source(std::string rejected, token)`, an initiating function, or as
 * `source(std::string rejected)`, which returns an `awaitable` or a deferred operation. It completes with an `error_code`
 * or an `exception_ptr`, and a `std::string`, the value of the field; if that is empty, no such field is sent. A request
 * that has the field keeps its own, and the source is not asked.
 *
 * `rejected` is empty, unless the server has answered an attempt with 401: then the source is asked once more, with the
 * value that was sent, and if it gives another one, the request is sent again at once. This is part of the same
 * attempt: there is no backoff, and no retry is counted. A second 401 is final, as is one after which the source gives
 * the same value again or fails, or whose request had a body that can be read only once.
 *
 * When the source fails, the attempt ends with its error, and nothing was sent. The classifier decides whether there is
 * another; the default one takes `boost::system::errc::permission_denied` and exceptions other than `system_error` as
 * permanent.
 *
 * \par Object lifetimes
 * The source is decay-copied.
 *
 * \par Time limits
 * `retry_options::attempt_timeout` and `retry_options::total_timeout` hold for an attempt together with its source. Where
 * the retry options have no limit, `client_options::attempt_timeout` holds for each by itself. A source whose time is up
 * is cancelled (`terminal`), and waited for.
 *
 * \par Per-operation cancellation
 * A running source gets the type that the operation is cancelled with. In a coroutine only `terminal` comes through,
 * unless it resets its cancellation state.
 *
 * \par Exceptions
 * An exception that a source completes with is its error: that of a `system_error`, or else
 * `retry_errc::unknown_exception`, which is permanent. What it throws when it is called, instead, leaves through the
 * function that runs the context, and the handler of the request is destroyed without being called.
 *
 * \par Thread safety
 * It is called on the client's strand.
 */
template <class Source>
[[nodiscard]] detail::authorize_by<Source> authorize_with(Source&& source)
{
    return detail::authorize_by<Source>(std::forward<Source>(source));
}

}  // namespace backbeat::http

#endif
