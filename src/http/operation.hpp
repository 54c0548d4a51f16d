//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_HTTP_OPERATION_HPP
#define BACKBEAT_SRC_HTTP_OPERATION_HPP

#include "client_core.hpp"

#include <backbeat/attempt.hpp>
#include <backbeat/delivery.hpp>
#include <backbeat/http/client.hpp>
#include <backbeat/http/message.hpp>

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/system/error_code.hpp>

#include <memory>
#include <optional>

namespace backbeat::http::detail {

// What the operations of a client have in common: a handler that lives on an executor of its own, while the operation
// lives on the client's strand. Cancellation comes in from there, and completion goes out to it.
class operation : public std::enable_shared_from_this<operation> {
public:
    operation(std::shared_ptr<client_core> core, response_handler handler);
    operation(operation const&) = delete;
    operation& operator=(operation const&) = delete;
    virtual ~operation();

    // Not on the strand: goes there by itself.
    void initiate();

    // On the strand. May come at any time, also after the end.
    virtual void cancel(boost::asio::cancellation_type type) = 0;

protected:
    // On the strand.
    virtual void start() = 0;

    // Between these two it is cancelled when the client is closed.
    void enter();
    void leave() noexcept;

    // Calls the handler, later, and tells the attempt, if there is one, how far the request got.
    void complete(
        boost::system::error_code error,
        response message,
        attempt const* reported_to = nullptr,
        std::optional<delivery> how_far = {});

    [[nodiscard]] client_core& core() const noexcept { return *core_; }
    [[nodiscard]] std::shared_ptr<client_core> const& shared_core() const noexcept { return core_; }

private:
    void listen_for_cancellation();

    std::shared_ptr<client_core> core_;
    response_handler handler_;
    // Counts as work for the context of the handler, which has nothing else to do for it until the end.
    boost::asio::any_completion_executor handler_executor_;
    std::optional<client_core::position> running_at_;
};

// The response beside an error. Its status is 0 and not Beast's default, which is 200.
[[nodiscard]] response no_response();

}  // namespace backbeat::http::detail

#endif
