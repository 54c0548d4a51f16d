//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_HTTP_DETAIL_INITIATIONS_HPP
#define BACKBEAT_HTTP_DETAIL_INITIATIONS_HPP

#include <backbeat/attempt.hpp>
#include <backbeat/http/detail/receiver.hpp>
#include <backbeat/http/detail/request_source.hpp>
#include <backbeat/http/detail/response_receiver.hpp>
#include <backbeat/http/detail/settings.hpp>
#include <backbeat/http/idempotency.hpp>
#include <backbeat/retry_options.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace backbeat::http::detail {

class client_core;

void start_attempt(
    std::shared_ptr<client_core> const& core,
    std::unique_ptr<request_source> message,
    std::unique_ptr<receiver> to,
    idempotency replay,
    attempt const* reported_to);

void start_send(
    std::shared_ptr<client_core> const& core,
    std::unique_ptr<request_source> message,
    std::unique_ptr<sending_receiver> to,
    idempotency replay,
    std::optional<retry_options> const& options,
    retry_report* report);

using count_handler = boost::asio::any_completion_handler<void(boost::system::error_code, std::size_t)>;
using end_handler = boost::asio::any_completion_handler<void(boost::system::error_code)>;

void start_warm_up(std::shared_ptr<client_core> const& core, std::size_t count, count_handler handler);
void start_close(std::shared_ptr<client_core> const& core, end_handler handler);

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

template <class Body>
class initiate_attempt : public client_initiation {
public:
    using client_initiation::client_initiation;

    template <class Handler, class Message, class Settings>
    void operator()(Handler&& handler, Message message, idempotency replay, Settings given) const
    {
        start(
            std::forward<Handler>(handler),
            std::make_unique<source_of_body<Message>>(std::move(message)),
            replay,
            nullptr,
            given);
    }

    template <class Handler, class Message, class Settings>
    void operator()(
        Handler&& handler, attempt const* reported_to, Message* message, idempotency replay, Settings given) const
    {
        start(
            std::forward<Handler>(handler),
            std::make_unique<source_of_body<Message>>(message),
            replay,
            reported_to,
            given);
    }

private:
    template <class Handler, class Settings>
    void start(
        Handler&& handler,
        std::unique_ptr<request_source> message,
        idempotency replay,
        attempt const* reported_to,
        Settings& given) const
    {
        using receiver_type = response_receiver<receiver, Body, decltype(given.prepare)>;
        start_attempt(
            core_,
            std::move(message),
            std::make_unique<receiver_type>(handler_of<Body>(std::forward<Handler>(handler)), std::move(given.prepare)),
            replay,
            reported_to);
    }
};

template <class Body>
class initiate_send : public client_initiation {
public:
    using client_initiation::client_initiation;

    // Without options: those of the client.
    template <class Handler, class Message, class Settings>
    void operator()(
        Handler&& handler, Message message, idempotency replay, std::optional<retry_options> options, Settings given)
        const
    {
        using receiver_type = response_sender<
            Body,
            decltype(given.prepare),
            decltype(given.classifier),
            decltype(given.probe),
            decltype(given.source)>;
        start_send(
            core_,
            std::make_unique<source_of_body<Message>>(std::move(message)),
            std::make_unique<receiver_type>(
                handler_of<Body>(std::forward<Handler>(handler)),
                std::move(given.prepare),
                std::move(given.classifier),
                std::move(given.probe),
                std::move(given.source)),
            replay,
            options,
            given.report);
    }
};

class initiate_warm_up : public client_initiation {
public:
    using client_initiation::client_initiation;

    template <class Handler>
    void operator()(Handler&& handler, std::size_t count) const
    {
        start_warm_up(core_, count, count_handler(std::forward<Handler>(handler)));
    }
};

class initiate_close : public client_initiation {
public:
    using client_initiation::client_initiation;

    template <class Handler>
    void operator()(Handler&& handler) const
    {
        start_close(core_, end_handler(std::forward<Handler>(handler)));
    }
};

}  // namespace backbeat::http::detail

#endif
