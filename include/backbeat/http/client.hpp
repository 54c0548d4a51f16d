//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_HTTP_CLIENT_HPP
#define BACKBEAT_HTTP_CLIENT_HPP

#include <backbeat/attempt.hpp>
#include <backbeat/classify.hpp>
#include <backbeat/config.hpp>
#include <backbeat/http/classifier.hpp>
#include <backbeat/http/client_options.hpp>
#include <backbeat/http/detail/initiations.hpp>
#include <backbeat/http/detail/settings.hpp>
#include <backbeat/http/error.hpp>
#include <backbeat/http/idempotency.hpp>
#include <backbeat/http/message.hpp>
#include <backbeat/http/prepare_body.hpp>
#include <backbeat/http/reconcile_with.hpp>
#include <backbeat/http/reconciliation.hpp>
#include <backbeat/http/replayable_body.hpp>
#include <backbeat/report_to.hpp>
#include <backbeat/retry_options.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace backbeat::http {

/**
 * \brief An HTTP/1.1 client of one origin, over TCP or TLS, that keeps its connections.
 * \details
 * `async_request` and its short forms, such as `async_get`, are one attempt each. `async_send` repeats attempts with
 * `async_retry`, as `http::classifier` decides with what it knows of the request. A request that waits for its next
 * attempt holds no connection.
 *
 * Requests may have any body type of Beast, and so may responses: `client.async_get<file_body>(...)`. What is sent is
 * sent again byte for byte; `replayable_body` says which bodies can be.
 *
 * A connection is kept only if it is proven clean: the response was read to its end, nothing followed it, and both
 * sides want to go on. It is looked at again before it is used. If the server closes a kept connection just when a
 * request arrives on it, that request is sent again at once on a fresh connection, one time, provided that no byte
 * of a response came and that the request may be repeated, or was not sent.
 *
 * TLS is 1.2 or later. The server's certificate must be valid, trusted, and for the host of the URL.
 *
 * What follows holds for all operations, unless they say otherwise. Their completion token is by default `deferred`.
 *
 * \par Preconditions
 * Bodies, and what is given by `prepare_body` and `classify`, do not throw: bodies and preparations have an
 * `error_code` to set. They are called on the client's strand, and so in any thread that runs its executor.
 *
 * \par Object lifetimes
 * Operations outlive the client: destroying it cancels them. The execution context must outlive the client. Requests
 * are moved or copied into their operation, unless they are given together with an `attempt`. A client that was moved
 * from may only be assigned to or destroyed.
 *
 * \par Completion signature
 * `void(boost::system::error_code, response)`, where `response` is Beast's, with the body that was asked for: by
 * default `http::response`. A response of any status is no error. Beside an error it is empty, and its status is 0;
 * only an `async_send` that was cancelled while it waited for its next attempt completes with its last response as
 * well.
 *
 * \par Executor and immediate completion
 * The completion handler is called on its associated executor, by default the client's, and never from inside the
 * initiating function: even what ends at once is posted, and the associated immediate executor is not used. The work
 * itself is done on a strand of the client's executor, or on the executor itself if that is one
 * (`client_options::strand`).
 *
 * \par Allocator
 * The last step, which calls the handler, takes its memory from the handler's associated allocator, if it takes any. The
 * rest does not: it may outlive the handler.
 *
 * \par Per-operation cancellation
 * The error is `operation_aborted`. `terminal` and `partial` end an attempt wherever it is, and close its connection;
 * the server may have acted. `total`, which promises that it has not, ends it only before the request is written, and
 * is ignored later. A running name look-up cannot be stopped: the operation completes without it. As for any operation,
 * emit the signal where its handlers run.
 *
 * \par Errors
 * - `errc::client_closed`: the client was closed, or is being closed.
 * - `errc::invalid_target`, `errc::invalid_field`, `errc::unknown_body_size`: such a request cannot be sent.
 * - `errc::queue_timeout`, `errc::connect_timeout`, `retry_errc::attempt_timeout`: the limits of `client_options`.
 * - Errors of the resolver and of the socket, such as `host_not_found`, `connection_refused`, `connection_reset`.
 * - Those of `certificate_category()`, `errc::not_tls`, and OpenSSL's: the handshake failed.
 * - Beast's `end_of_stream`: the connection was closed before an answer came; Beast's `partial_message` and Asio's
 *   `stream_truncated`: while it came.
 * - `errc::not_http`, `errc::too_many_interim_responses`, `errc::bad_gzip`, and Beast's other errors: the response is
 *   malformed, or past `client_options::header_limit` or `client_options::body_limit`.
 * - `errc::body_size_mismatch`, and whatever error a body or a `prepare_body` function sets.
 * - `boost::asio::error::operation_aborted`: the operation was cancelled, or the client closed.
 * - `boost::system::errc::not_enough_memory`: something could not be allocated.
 *
 * Which of them are worth another attempt: see `classifier`.
 *
 * \par Exceptions
 * Initiating functions throw `std::bad_alloc`, and what moving or copying their arguments throws. If there is no memory
 * to complete with either, `std::bad_alloc` leaves through the function that runs the context, as does what a probe or a
 * source throws when it is called; the handler is destroyed without being called.
 *
 * \par Thread safety
 * Distinct objects: safe. Shared objects: safe, except for moving and destroying.
 *
 * \par Example
 * \code
 * backbeat::http::client redis(context.get_executor(), "https://redis.googleapis.com");
 * auto response = co_await redis.async_get("/v1/projects/p/locations/-/instances");
 * \endcode
 */
class client {
    template <class Body>
    using request_of = boost::beast::http::request<Body>;

public:
    using executor_type = boost::asio::any_io_executor;

    /**
     * \brief Makes a client of the origin that the URL names: `http` or `https`, a host, perhaps a port.
     * \throws std::invalid_argument The URL is not of that form, or the options contradict themselves.
     * \throws boost::system::system_error The certificates of the options cannot be read.
     */
    client(executor_type executor, std::string_view url, client_options options = {});

    client(client&&) noexcept = default;

    /// Closes the client that this was.
    client& operator=(client&& other) noexcept;

    /// Closes the client, as `close`.
    ~client();

    /// The executor that it was made with.
    [[nodiscard]] executor_type get_executor() const noexcept { return detail::executor_of(*core_); }

    /**
     * \brief Closes all connections, and cancels all operations.
     * \details
     * The operations complete with `operation_aborted`, later. Those that are started from now on complete with
     * `errc::client_closed`.
     */
    void close();

    /**
     * \brief Takes no more operations, waits for those that run, and closes all connections.
     * \details
     * Waits for all that was started before; an `async_send` goes on with its retries. Operations that are started
     * later complete with `errc::client_closed`. To set it a time limit, call `close` when that has passed, which ends
     * the operations and with them the wait.
     *
     * The handlers of the operations are called before this one's, as far as there is one thread: with several, the last
     * of them may still be running. So let the context run until it has nothing to do.
     *
     * \par Completion signature
     * `void(boost::system::error_code)`.
     *
     * \par Per-operation cancellation
     * `terminal`, `partial` and `total` alike end the wait. The operations go on, and the client takes no new ones all
     * the same.
     *
     * \par Errors
     * - `boost::asio::error::operation_aborted`: it was cancelled. There are no others.
     *
     * \code
     * co_await client.async_close();
     * \endcode
     */
    template <boost::asio::completion_token_for<void(boost::system::error_code)> Token = boost::asio::deferred_t>
    auto async_close(Token&& token = {})
    {
        return boost::asio::async_initiate<Token, void(boost::system::error_code)>(
            detail::initiate_close(core_), token);
    }

    /**
     * \brief Makes connections ahead of their use, so that the first requests need not wait for them.
     * \details
     * There may be fewer than were asked for: `client_options::maximum_connections` is kept to, and connecting may
     * fail. Like any others, they are dropped when they lie idle for longer than `client_options::idle_timeout`.
     *
     * \param count How many there should be, those in use and idle included.
     *
     * \par Completion signature
     * `void(boost::system::error_code, std::size_t)`: the first error, and the number of connections that there then
     * are, those in use and idle included. Both are given: some may have been made although others failed.
     *
     * \par Per-operation cancellation
     * `terminal`, `partial` and `total` alike end it. The connections that were made already stay.
     *
     * \par Errors
     * Those of connecting: `errc::client_closed`, `errc::connect_timeout`, `retry_errc::attempt_timeout`, those of the
     * resolver, the socket and the handshake, `operation_aborted`. That there may be no more is none.
     *
     * \code
     * co_await client.async_warm_up(16);
     * \endcode
     */
    template <
        boost::asio::completion_token_for<void(boost::system::error_code, std::size_t)> Token = boost::asio::deferred_t>
    auto async_warm_up(std::size_t count, Token&& token = {})
    {
        return boost::asio::async_initiate<Token, void(boost::system::error_code, std::size_t)>(
            detail::initiate_warm_up(core_), token, count);
    }

    /// The number of connections, those that are being made and those that lie idle included.
    [[nodiscard]] std::size_t open_connections() const noexcept;

    /// The number of connections that wait for a request.
    [[nodiscard]] std::size_t idle_connections() const noexcept;

    /// The number of attempts that wait for a connection.
    [[nodiscard]] std::size_t queued_requests() const noexcept;

    /**
     * \brief Sends a request once: `async_request(message, [replay,] [prepare_body(f),] [token])`.
     * \param message The request.
     * \param replay What it means to carry it out twice, and so whether it may be sent again at once if a kept
     *     connection breaks. By default, what its method says.
     * \param rest `prepare_body(f)`: makes the response's body ready. The completion token.
     * \tparam ResponseBody The body type of the response.
     *
     * \code
     * auto response = co_await client.async_request(message);
     * auto file = co_await client.async_request<file_body>(message, prepare_body(open));
     * \endcode
     */
    template <class ResponseBody = boost::beast::http::string_body, class Body, class... Rest>
    auto async_request(request_of<Body> message, Rest&&... rest)
    {
        auto const replay = idempotency_of(message.method());
        return start_request<ResponseBody>(std::move(message), replay, std::forward<Rest>(rest)...);
    }

    /// \overload
    template <class ResponseBody = boost::beast::http::string_body, class Body, class... Rest>
    auto async_request(request_of<Body> message, idempotency replay, Rest&&... rest)
    {
        return start_request<ResponseBody>(std::move(message), replay, std::forward<Rest>(rest)...);
    }

    /**
     * \brief Sends a request once, as the attempt of an `async_retry`, which is told how far the request got.
     * \details
     * \code
     * auto post = [&](backbeat::attempt const& attempt, auto token) {
     *     return client.async_request(attempt, message, std::move(token));
     * };
     * backbeat::http::classifier const decide{message.method()};
     * auto response = co_await backbeat::async_retry(post, options, backbeat::classify(decide));
     * \endcode
     *
     * \par Object lifetimes
     * `message` and `reported_to` must stay valid until the operation has completed. The message may be const, unless
     * sending changes its body, as with a file. A body that can be read only once is used up by the first attempt, which
     * the next cannot know: do not repeat such a request.
     *
     * \par Delivery
     * It is reported before the handler is called: `not_sent` if no byte of the request was written, or the server
     * refused the client's certificate; `rejected` for a 429; `responded` for other responses, except that a 5xx, like
     * an error after the first byte, is `ambiguous`. If the request was sent again on a fresh connection, its first
     * copy counts as well.
     */
    template <class ResponseBody = boost::beast::http::string_body, class Message, class... Rest>
    auto async_request(attempt const& reported_to, Message& message, Rest&&... rest)
    {
        return start_as_attempt<ResponseBody>(
            reported_to, message, idempotency_of(message.method()), std::forward<Rest>(rest)...);
    }

    /// \overload
    template <class ResponseBody = boost::beast::http::string_body, class Message, class... Rest>
    auto async_request(attempt const& reported_to, Message& message, idempotency replay, Rest&&... rest)
    {
        return start_as_attempt<ResponseBody>(reported_to, message, replay, std::forward<Rest>(rest)...);
    }

    /// Sends a GET request once, as `async_request`.
    template <class ResponseBody = boost::beast::http::string_body, class... Rest>
    auto async_get(std::string_view target, Rest&&... rest)
    {
        return async_request<ResponseBody>(bare(verb::get, target), std::forward<Rest>(rest)...);
    }

    /// Sends a HEAD request once, as `async_request`.
    template <class... Rest>
    auto async_head(std::string_view target, Rest&&... rest)
    {
        return async_request(bare(verb::head, target), std::forward<Rest>(rest)...);
    }

    /// Sends a DELETE request once, as `async_request`.
    template <class ResponseBody = boost::beast::http::string_body, class... Rest>
    auto async_delete(std::string_view target, Rest&&... rest)
    {
        return async_request<ResponseBody>(bare(verb::delete_, target), std::forward<Rest>(rest)...);
    }

    /**
     * \brief Sends a POST request once, as `async_request`.
     * \param content_type Of the body, such as "application/json". Empty: none is given.
     */
    template <class ResponseBody = boost::beast::http::string_body, class... Rest>
    auto async_post(std::string_view target, std::string body, std::string_view content_type, Rest&&... rest)
    {
        return async_request<ResponseBody>(
            with_body(verb::post, target, std::move(body), content_type), std::forward<Rest>(rest)...);
    }

    /// Sends a PUT request once, as `async_post`.
    template <class ResponseBody = boost::beast::http::string_body, class... Rest>
    auto async_put(std::string_view target, std::string body, std::string_view content_type, Rest&&... rest)
    {
        return async_request<ResponseBody>(
            with_body(verb::put, target, std::move(body), content_type), std::forward<Rest>(rest)...);
    }

    /// Sends a PATCH request once, as `async_post`.
    template <class ResponseBody = boost::beast::http::string_body, class... Rest>
    auto async_patch(std::string_view target, std::string body, std::string_view content_type, Rest&&... rest)
    {
        return async_request<ResponseBody>(
            with_body(verb::patch, target, std::move(body), content_type), std::forward<Rest>(rest)...);
    }

    /**
     * \brief Sends a request, and again if need be:
     * `async_send(message, [replay,] [options,] [settings...,] [token])`.
     * \details
     * Once an attempt may have reached the server, a request that must not be carried out twice is not repeated: the
     * reason is then `stop_reason::not_replayable`; so it is if its body is used up (`replayable_body`). Retries run on
     * the client's strand, and so do the calls of an observer.
     *
     * A classifier that is given by `classify(c)` decides instead of `http::classifier`: it sees the response with its
     * body, so that a service whose error bodies tell more than the status can be served. It is called as
     * `c(attempt const&, error_code const&, response const&)` or without the attempt. It cannot lift what `replay`
     * forbids, but what it says of the delivery (`verdict::delivered`) is believed.
     *
     * It completes with what the last attempt gave: its error, or its response, which may be a 503. Why that was the
     * last is in the report.
     *
     * \param message The request.
     * \param replay What it means to carry it out twice. By default, what its method says; with `reconcile_with`,
     *     `idempotency::reconcilable`.
     * \param options How to retry. By default, `client_options::retry`.
     * \param rest In any order: `classify(c)`; `reconcile_with(probe)`: finds out what became of a request;
     *     `authorize_with(source)`: gives the field `Authorization` of each attempt; `report_to(r)`: is filled;
     *     `prepare_body(f)`: makes the response's body ready. Then the completion token.
     * \tparam ResponseBody The body type of the response.
     *
     * \par Object lifetimes
     * The options are copied; what they point to, and the report, must stay valid until the handler is called. The
     * classifier, the probe, the source and the function of `prepare_body` are decay-copied.
     *
     * \par Per-operation cancellation
     * `terminal`, `partial` and `total` alike stop further attempts, and end a wait at once. A running attempt gets the
     * same type, as described above; if it succeeds nevertheless, that is a success. A probe and a source get it, too.
     *
     * \par Errors
     * Those of an attempt, and besides:
     * - `errc::outcome_unknown`: the probe could not tell what became of the request.
     * - `retry_errc::deadline`: `retry_options::total_timeout` ended an attempt, or left no time for the first.
     * - `retry_errc::breaker_open`, `retry_errc::invalid_options`: no attempt was made.
     * - Whatever the probe or the source fails with; an exception without an error code is `retry_errc::unknown_exception`.
     *
     * \code
     * retry_report report;
     * auto response = co_await client.async_send(message, {.maximum_retries = 8}, report_to(report));
     * \endcode
     */
    template <class ResponseBody = boost::beast::http::string_body, class Body, class... Rest>
    auto async_send(request_of<Body> message, Rest&&... rest)
    {
        return start_send<ResponseBody>(std::move(message), {}, {}, std::forward<Rest>(rest)...);
    }

    /// \overload
    template <class ResponseBody = boost::beast::http::string_body, class Body, class... Rest>
    auto async_send(request_of<Body> message, idempotency replay, Rest&&... rest)
    {
        return start_send<ResponseBody>(std::move(message), replay, {}, std::forward<Rest>(rest)...);
    }

    /// \overload
    template <class ResponseBody = boost::beast::http::string_body, class Body, class... Rest>
    auto async_send(request_of<Body> message, retry_options options, Rest&&... rest)
    {
        return start_send<ResponseBody>(std::move(message), {}, options, std::forward<Rest>(rest)...);
    }

    /// \overload
    template <class ResponseBody = boost::beast::http::string_body, class Body, class... Rest>
    auto async_send(request_of<Body> message, idempotency replay, retry_options options, Rest&&... rest)
    {
        return start_send<ResponseBody>(std::move(message), replay, options, std::forward<Rest>(rest)...);
    }

private:
    [[nodiscard]] static request bare(verb method, std::string_view target)
    {
        return {method, {target.data(), target.size()}, 11};
    }

    [[nodiscard]] static request with_body(
        verb method, std::string_view target, std::string body, std::string_view content_type)
    {
        auto result = bare(method, target);
        if (!content_type.empty()) result.set(field::content_type, {content_type.data(), content_type.size()});
        result.body() = std::move(body);
        return result;
    }

    template <class ResponseBody, class Message, class... Rest>
    auto start_request(Message message, idempotency replay, Rest&&... rest)
    {
        auto start = [&]<class Token>(auto given, std::type_identity<Token>, auto& token) {
            static_assert(
                !decltype(given)::is_about_retries,
                "this makes one attempt: classify, reconcile_with, authorize_with and report_to belong to async_send");
            return detail::initiate_with<ResponseBody, Token>(
                std::move(given), detail::initiate_attempt<ResponseBody>(core_), token, std::move(message), replay);
        };
        return detail::take_settings<ResponseBody>(start, detail::settings<>(), std::forward<Rest>(rest)...);
    }

    template <class ResponseBody, class Message, class... Rest>
    auto start_as_attempt(attempt const& reported_to, Message& message, idempotency replay, Rest&&... rest)
    {
        auto start = [&]<class Token>(auto given, std::type_identity<Token>, auto& token) {
            static_assert(
                !decltype(given)::is_about_retries,
                "this makes one attempt: classify, reconcile_with, authorize_with and report_to belong to async_send");
            return detail::initiate_with<ResponseBody, Token>(
                std::move(given), detail::initiate_attempt<ResponseBody>(core_), token, &reported_to, &message, replay);
        };
        return detail::take_settings<ResponseBody>(start, detail::settings<>(), std::forward<Rest>(rest)...);
    }

    template <class ResponseBody, class Message, class... Rest>
    auto start_send(
        Message message, std::optional<idempotency> replay, std::optional<retry_options> options, Rest&&... rest)
    {
        auto start = [&]<class Token>(auto given, std::type_identity<Token>, auto& token) {
            auto const by_default =
                decltype(given)::has_probe ? idempotency::reconcilable : idempotency_of(message.method());
            return detail::initiate_with<ResponseBody, Token>(
                std::move(given),
                detail::initiate_send<ResponseBody>(core_),
                token,
                std::move(message),
                replay.value_or(by_default),
                options);
        };
        return detail::take_settings<ResponseBody>(start, detail::settings<>(), std::forward<Rest>(rest)...);
    }

    std::shared_ptr<detail::client_core> core_;
};

}  // namespace backbeat::http

#endif
