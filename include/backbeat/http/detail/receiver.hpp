//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_HTTP_DETAIL_RECEIVER_HPP
#define BACKBEAT_HTTP_DETAIL_RECEIVER_HPP

#include <backbeat/attempt.hpp>
#include <backbeat/delivery.hpp>
#include <backbeat/http/idempotency.hpp>
#include <backbeat/http/reconciliation.hpp>
#include <backbeat/verdict.hpp>

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/system/error_code.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace backbeat::http::detail {

// What an operation says of its attempt when it completes, if it has one to tell.
struct attempt_news {
    attempt const* reported_to = nullptr;
    std::optional<delivery> how_far{};

    void tell() const noexcept
    {
        if (reported_to != nullptr && how_far) reported_to->report(*how_far);
    }
};

// A completion handler, whatever it is called with.
class completion_target {
public:
    completion_target() = default;
    completion_target(completion_target const&) = delete;
    completion_target& operator=(completion_target const&) = delete;
    virtual ~completion_target() = default;

    [[nodiscard]] virtual boost::asio::any_completion_executor executor(
        boost::asio::any_completion_executor const& otherwise) const = 0;
    [[nodiscard]] virtual boost::asio::cancellation_slot slot() const noexcept = 0;

    // Whether the handler is that of another operation of the client, and not the caller's.
    [[nodiscard]] virtual bool is_part() const noexcept { return false; }

    // Posts `call` through `io`, bound to `own`, the handler's executor, unless that is empty. `self` is this.
    virtual void complete(
        std::unique_ptr<completion_target> self,
        boost::asio::any_io_executor const& io,
        boost::asio::any_completion_executor own,
        boost::system::error_code error,
        attempt_news const& news) = 0;

    // Calls the handler. `self` is this, which is gone by then.
    virtual void call(
        std::unique_ptr<completion_target> self, boost::system::error_code error, attempt_news const& news) = 0;
};

// Where a response is read to, whatever the type of its body.
class response_sink {
public:
    using header_type = boost::beast::http::response_header<boost::beast::http::fields>;

    response_sink() = default;
    response_sink(response_sink const&) = delete;
    response_sink& operator=(response_sink const&) = delete;
    virtual ~response_sink() = default;

    // A response begins: what there was is forgotten.
    virtual void begin(header_type&& header, boost::system::error_code& error) = 0;

    // It has a body, perhaps an empty one.
    virtual void begin_body(std::optional<std::uint64_t> size, boost::system::error_code& error) = 0;
    virtual void put(boost::asio::const_buffer bytes, boost::system::error_code& error) = 0;

    // It is complete.
    virtual void end(boost::system::error_code& error) = 0;

    // Whether the last error came from here, and not from a connection.
    [[nodiscard]] virtual bool has_failed() const noexcept = 0;

    // There is no response after all.
    virtual void discard() noexcept = 0;
};

// What the caller of an operation gave: a handler, and in it a place for the response.
class receiver : public completion_target, public response_sink {};

// That of `async_send`, with what decides about retries.
class sending_receiver : public receiver {
public:
    using found_handler = boost::asio::any_completion_handler<void(boost::system::error_code, probe_result)>;
    using field_handler = boost::asio::any_completion_handler<void(boost::system::error_code, std::string)>;

    // What the end of an attempt means, apart from what the client knows of the request by itself. `is_local`: the error
    // came from the request's own body, or from here.
    [[nodiscard]] virtual verdict judge(
        attempt const& ended, boost::system::error_code const& error, idempotency replay, bool is_local) = 0;

    [[nodiscard]] virtual bool has_probe() const noexcept = 0;

    // Whether it is asked before each retry, and not only if it is not known what became of the last attempt.
    [[nodiscard]] virtual bool probes_each_retry() const noexcept = 0;

    // If the matter is settled, the response is there when the handler is called. That has to have an executor.
    virtual void probe(
        attempt const& current, boost::asio::any_io_executor const& executor, found_handler on_found) = 0;

    [[nodiscard]] virtual bool has_source() const noexcept = 0;

    // Asks for the field `Authorization`. `rejected` is the one that was refused, if any. The handler has an executor.
    virtual void authorize(
        std::string rejected, boost::asio::any_io_executor const& executor, field_handler on_field) = 0;

    // Of the response that is there; zero: there is none.
    [[nodiscard]] virtual unsigned status() const noexcept = 0;
};

}  // namespace backbeat::http::detail

#endif
