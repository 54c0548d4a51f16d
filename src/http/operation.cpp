//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "operation.hpp"

#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>

#include <utility>

namespace backbeat::http::detail {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// What is posted at the end. A class with nested types, so that Asio sees the handler's executor and allocator.
class completion {
public:
    using executor_type = asio::any_completion_executor;
    using allocator_type = asio::associated_allocator_t<response_handler>;

    completion(
        response_handler handler,
        executor_type executor,
        attempt const* reported_to,
        std::optional<delivery> how_far,
        error_code error,
        response message)
        : handler_(std::move(handler)),
          executor_(std::move(executor)),
          reported_to_(reported_to),
          how_far_(how_far),
          error_(error),
          message_(std::move(message))
    {}

    [[nodiscard]] executor_type get_executor() const noexcept { return executor_; }
    [[nodiscard]] allocator_type get_allocator() const noexcept { return asio::get_associated_allocator(handler_); }

    void operator()()
    {
        // An attempt belongs to where its handlers run, which is here and was not before.
        if (reported_to_ != nullptr && how_far_) reported_to_->report(*how_far_);
        if (auto slot = asio::get_associated_cancellation_slot(handler_); slot.is_connected()) slot.clear();
        std::move(handler_)(error_, std::move(message_));
    }

private:
    response_handler handler_;
    executor_type executor_;
    attempt const* reported_to_;
    std::optional<delivery> how_far_;
    error_code error_;
    response message_;
};

}  // namespace

operation::operation(std::shared_ptr<client_core> core, response_handler handler)
    : core_(std::move(core)),
      handler_(std::move(handler)),
      handler_executor_(asio::prefer(
          asio::any_completion_executor(asio::get_associated_executor(handler_, core_->executor())),
          asio::execution::outstanding_work.tracked))
{}

operation::~operation()
{
    // If the context was destroyed before the end.
    leave();
}

void operation::enter()
{
    running_at_ = core_->add(*this);
}

void operation::leave() noexcept
{
    if (running_at_) core_->remove(*std::exchange(running_at_, std::nullopt));
}

void operation::initiate()
{
    listen_for_cancellation();
    // The last step: from here on this belongs to the strand.
    asio::dispatch(core_->serial(), [self = shared_from_this()] { self->start(); });
}

void operation::listen_for_cancellation()
{
    auto slot = asio::get_associated_cancellation_slot(handler_);
    if (!slot.is_connected()) return;
    // The signal is emitted where the handler runs, and this lives on the strand. Posted, not dispatched: the handler
    // must not be called, and with it the signal perhaps destroyed, from inside `emit`.
    slot.assign([weak = weak_from_this(), serial = core_->serial()](asio::cancellation_type type) {
        asio::post(serial, [weak, type] {
            if (auto const self = weak.lock()) self->cancel(type);
        });
    });
}

void operation::complete(
    error_code error, response message, attempt const* reported_to, std::optional<delivery> how_far)
{
    auto executor = std::exchange(handler_executor_, {});
    // Through the client's executor, with the handler's own bound: the latter need not be able to post. Never inline,
    // so that the strand is not kept while the handler runs, and nothing recurses.
    asio::post(
        core_->executor(),
        completion(std::move(handler_), std::move(executor), reported_to, how_far, error, std::move(message)));
}

response no_response()
{
    response empty;
    empty.result(0u);
    return empty;
}

}  // namespace backbeat::http::detail
