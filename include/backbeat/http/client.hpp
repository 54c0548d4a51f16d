//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_HTTP_CLIENT_HPP
#define BACKBEAT_HTTP_CLIENT_HPP

#include <backbeat/attempt.hpp>
#include <backbeat/config.hpp>
#include <backbeat/http/classifier.hpp>
#include <backbeat/http/client_options.hpp>
#include <backbeat/http/error.hpp>
#include <backbeat/http/idempotency.hpp>
#include <backbeat/http/message.hpp>
#include <backbeat/report_to.hpp>
#include <backbeat/retry_options.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

namespace backbeat::http {

namespace detail {

class client_core;
using response_handler = boost::asio::any_completion_handler<void(boost::system::error_code, response)>;

void start_attempt(
    std::shared_ptr<client_core> const& core,
    request const& message,
    idempotency replay,
    attempt const* reported_to,
    response_handler handler);

void start_send(
    std::shared_ptr<client_core> const& core,
    request message,
    idempotency replay,
    retry_options const* options,
    retry_report* report,
    response_handler handler);

[[nodiscard]] boost::asio::any_io_executor executor_of(client_core const& core) noexcept;

// Has an executor, so that adapters of completion tokens find it.
class client_initiation {
public:
    using executor_type = boost::asio::any_io_executor;

    explicit client_initiation(std::shared_ptr<client_core> core) noexcept : core_(std::move(core)) {}

    [[nodiscard]] executor_type get_executor() const noexcept { return executor_of(*core_); }

protected:
    std::shared_ptr<client_core> core_;
};

class initiate_attempt : public client_initiation {
public:
    using client_initiation::client_initiation;

    template <class Handler>
    void operator()(Handler&& handler, request const& message, idempotency replay) const
    {
        start_attempt(core_, message, replay, nullptr, response_handler(std::forward<Handler>(handler)));
    }

    template <class Handler>
    void operator()(Handler&& handler, attempt const* reported_to, request const* message, idempotency replay) const
    {
        start_attempt(core_, *message, replay, reported_to, response_handler(std::forward<Handler>(handler)));
    }
};

class initiate_send : public client_initiation {
public:
    using client_initiation::client_initiation;

    // Without options: those of the client.
    template <class Handler>
    void operator()(
        Handler&& handler, request message, idempotency replay, backbeat::detail::report_target report) const
    {
        start_send(
            core_,
            std::move(message),
            replay,
            nullptr,
            report.report,
            response_handler(std::forward<Handler>(handler)));
    }

    template <class Handler>
    void operator()(
        Handler&& handler,
        request message,
        idempotency replay,
        retry_options const& options,
        backbeat::detail::report_target report) const
    {
        start_send(
            core_,
            std::move(message),
            replay,
            &options,
            report.report,
            response_handler(std::forward<Handler>(handler)));
    }
};

}  // namespace detail

/// A completion token for what `client` completes with.
template <class Token>
concept response_token = boost::asio::completion_token_for<Token, void(boost::system::error_code, response)>;

/**
 * \brief An HTTP/1.1 client of one origin, over TCP or TLS, that keeps its connections.
 * \details
 * `async_request` and `async_get` are one attempt each. `async_send` repeats attempts with `async_retry`, as
 * `http::classifier` decides with what it knows of the request. A request that waits for its next attempt holds no
 * connection.
 *
 * A connection is kept only if it is proven clean: the response was read to its end, nothing followed it, and both
 * sides want to go on. It is looked at again before it is used. If the server closes a kept connection just when a
 * request arrives on it, that request is sent again at once on a fresh connection, one time, provided that no byte
 * of a response came and that the request is not `idempotency::never`, or was not sent.
 *
 * TLS is 1.2 or later. The server's certificate must be valid, trusted, and for the host of the URL.
 *
 * \par Object lifetimes
 * Operations outlive the client: destroying it cancels them. The execution context must outlive the client.
 *
 * \par Completion signature
 * `void(boost::system::error_code, http::response)` for every operation. A response of any status is no error.
 *
 * \par Executor
 * The completion handler is called on its associated executor, by default the client's. The work itself is done on a
 * strand of the client's executor.
 *
 * \par Allocator
 * The last step, which calls the handler, takes its memory from the handler's associated allocator. The rest does not:
 * it may outlive the handler.
 *
 * \par Per-operation cancellation
 * The error is `operation_aborted`. `terminal` and `partial` end an attempt wherever it is, and close its connection;
 * the server may have acted. `total` ends it only while nothing was sent, and is ignored later. A running name
 * look-up cannot be stopped: the operation completes without it. As for any operation, emit the signal where its
 * handlers run.
 *
 * \par Errors
 * Those of Asio and Beast, `http::errc`, `certificate_category()`, `retry_errc::attempt_timeout`.
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
public:
    using executor_type = boost::asio::any_io_executor;

    /**
     * \brief Makes a client of the origin that the URL names: `http` or `https`, a host, perhaps a port.
     * \throws std::invalid_argument The URL is not of that form, or the options contradict themselves.
     * \throws boost::system::system_error The certificates of the options cannot be read.
     */
    client(executor_type executor, std::string_view url, client_options options = {});

    client(client&&) noexcept = default;
    client& operator=(client&& other) noexcept;

    /// Closes the client.
    ~client();

    /// The executor that it was made with.
    [[nodiscard]] executor_type get_executor() const noexcept { return detail::executor_of(*core_); }

    /**
     * \brief Closes all connections, and cancels all operations.
     * \details Operations that are started later complete with `errc::client_closed`.
     */
    void close();

    /// The number of connections, those that are being made and those that lie idle included.
    [[nodiscard]] std::size_t open_connections() const noexcept;

    /// The number of connections that wait for a request.
    [[nodiscard]] std::size_t idle_connections() const noexcept;

    /// The number of attempts that wait for a connection.
    [[nodiscard]] std::size_t queued_requests() const noexcept;

    /**
     * \brief Sends a request once.
     * \param replay What it means to carry it out twice. By default, what its method says.
     */
    template <response_token Token = boost::asio::deferred_t>
    auto async_request(request message, Token&& token = {})
    {
        auto const replay = idempotency_of(message.method());
        return initiate<detail::initiate_attempt>(token, std::move(message), replay);
    }

    /// \overload
    template <response_token Token = boost::asio::deferred_t>
    auto async_request(request message, idempotency replay, Token&& token = {})
    {
        return initiate<detail::initiate_attempt>(token, std::move(message), replay);
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
     * `message` and `reported_to` must stay valid until the operation has completed.
     */
    template <response_token Token = boost::asio::deferred_t>
    auto async_request(attempt const& reported_to, request const& message, Token&& token = {})
    {
        return initiate<detail::initiate_attempt>(token, &reported_to, &message, idempotency_of(message.method()));
    }

    /// \overload
    template <response_token Token = boost::asio::deferred_t>
    auto async_request(attempt const& reported_to, request const& message, idempotency replay, Token&& token = {})
    {
        return initiate<detail::initiate_attempt>(token, &reported_to, &message, replay);
    }

    /// Sends a GET request once.
    template <response_token Token = boost::asio::deferred_t>
    auto async_get(std::string_view target, Token&& token = {})
    {
        request message(verb::get, {target.data(), target.size()}, 11);
        return initiate<detail::initiate_attempt>(token, std::move(message), idempotency::safe);
    }

    /**
     * \brief Sends a request, and again if need be.
     * \details
     * Once an attempt may have reached the server, a request that must not be carried out twice is not repeated: the
     * reason is then `stop_reason::not_replayable`. Retries run on the client's strand, and so do the calls of an
     * observer.
     *
     * \param replay What it means to carry it out twice. By default, what its method says.
     * \param options How to retry. By default, `client_options::retry`.
     * \param report `report_to(r)`: is filled.
     */
    template <response_token Token = boost::asio::deferred_t>
    auto async_send(request message, Token&& token = {})
    {
        auto const replay = idempotency_of(message.method());
        return initiate<detail::initiate_send>(token, std::move(message), replay, backbeat::detail::report_target{});
    }

    /// \overload
    template <response_token Token = boost::asio::deferred_t>
    auto async_send(request message, backbeat::detail::report_target report, Token&& token = {})
    {
        auto const replay = idempotency_of(message.method());
        return initiate<detail::initiate_send>(token, std::move(message), replay, report);
    }

    /// \overload
    template <response_token Token = boost::asio::deferred_t>
    auto async_send(request message, retry_options options, Token&& token = {})
    {
        auto const replay = idempotency_of(message.method());
        return async_send(std::move(message), replay, options, {}, std::forward<Token>(token));
    }

    /// \overload
    template <response_token Token = boost::asio::deferred_t>
    auto async_send(request message, retry_options options, backbeat::detail::report_target report, Token&& token = {})
    {
        auto const replay = idempotency_of(message.method());
        return async_send(std::move(message), replay, options, report, std::forward<Token>(token));
    }

    /// \overload
    template <response_token Token = boost::asio::deferred_t>
    auto async_send(
        request message,
        idempotency replay,
        retry_options options,
        backbeat::detail::report_target report = {},
        Token&& token = {})
    {
        return initiate<detail::initiate_send>(token, std::move(message), replay, options, report);
    }

private:
    template <class Initiation, class Token, class... Arguments>
    auto initiate(Token& token, Arguments&&... arguments)
    {
        return boost::asio::async_initiate<Token, void(boost::system::error_code, response)>(
            Initiation(core_), token, std::forward<Arguments>(arguments)...);
    }

    std::shared_ptr<detail::client_core> core_;
};

}  // namespace backbeat::http

#endif
