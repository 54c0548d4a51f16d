//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_HTTP_OPERATION_HPP
#define BACKBEAT_SRC_HTTP_OPERATION_HPP

#include "client_core.hpp"

#include <backbeat/http/detail/initiations.hpp>
#include <backbeat/http/detail/receiver.hpp>

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/intrusive/list_hook.hpp>
#include <boost/system/error_code.hpp>

#include <memory>
#include <utility>

namespace backbeat::http::detail {

// What the operations of a client have in common: a handler that lives on an executor of its own, while the operation
// lives on the client's strand. Cancellation comes in from there, and completion goes out to it.
class operation : public std::enable_shared_from_this<operation>, public boost::intrusive::list_base_hook<> {
public:
    operation(std::shared_ptr<client_core> core, std::unique_ptr<completion_target> target);
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
    void leave();

    // Calls the handler, later.
    void complete(boost::system::error_code error, attempt_news const& news = {});

    // Whether the handler may be called by a handler of this, as the last that it does, instead: where it is to run, and
    // where this runs, are the same.
    [[nodiscard]] bool completes_in_place() const noexcept;
    [[nodiscard]] std::unique_ptr<completion_target> take_target() noexcept { return std::move(target_); }

    [[nodiscard]] client_core& core() const noexcept { return *core_; }
    [[nodiscard]] std::shared_ptr<client_core> const& shared_core() const noexcept { return core_; }

private:
    void listen_for_cancellation();

    std::shared_ptr<client_core> core_;
    std::unique_ptr<completion_target> target_;
    // Counts as work for the context of the handler, which has nothing else to do for it until the end. Empty: it is the
    // client's own.
    boost::asio::any_completion_executor handler_executor_;
};

// A handler that is told no more than how the operation ended.
class end_target final : public completion_target {
public:
    explicit end_target(end_handler handler) : handler_(std::move(handler)) {}

    boost::asio::any_completion_executor executor(boost::asio::any_completion_executor const& otherwise) const override;
    boost::asio::cancellation_slot slot() const noexcept override;
    void complete(
        std::unique_ptr<completion_target> self,
        boost::asio::any_io_executor const& io,
        boost::asio::any_completion_executor own,
        boost::system::error_code error,
        attempt_news const& news) override;
    void call(
        std::unique_ptr<completion_target> self, boost::system::error_code error, attempt_news const& news) override;

private:
    end_handler handler_;
};

}  // namespace backbeat::http::detail

#endif
