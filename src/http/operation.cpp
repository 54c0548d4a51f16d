//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "operation.hpp"

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

}  // namespace

operation::operation(std::shared_ptr<client_core> core, std::unique_ptr<completion_target> target)
    : core_(std::move(core)), target_(std::move(target))
{
    auto const executor = target_->executor(core_->completion_executor());
    if (executor != core_->completion_executor())
        handler_executor_ = asio::prefer(executor, asio::execution::outstanding_work.tracked);
}

operation::~operation()
{
    // If the context was destroyed before the end.
    if (is_linked()) core_->forget(*this);
}

void operation::enter()
{
    core_->add(*this);
}

void operation::leave()
{
    if (is_linked()) core_->remove(*this);
}

void operation::initiate()
{
    listen_for_cancellation();
    // The last step: from here on this belongs to the strand.
    asio::dispatch(core_->serial(), [self = shared_from_this()] { self->start(); });
}

void operation::listen_for_cancellation()
{
    auto slot = target_->slot();
    if (!slot.is_connected()) return;
    // The signal is emitted where the handler runs, and this lives on the strand. Posted, not dispatched: the handler
    // must not be called, and with it the signal perhaps destroyed, from inside `emit`.
    // It keeps no executor, for the signal may outlive the context.
    slot.assign([weak = weak_from_this()](asio::cancellation_type type) {
        auto self = weak.lock();
        if (!self) return;
        auto const serial = self->core_->serial();
        asio::post(serial, [self = std::move(self), type] { self->cancel(type); });
    });
}

void operation::complete(error_code error, attempt_news const& news)
{
    auto& target = *target_;
    target.complete(take_target(), core_->executor(), std::exchange(handler_executor_, {}), error, news);
}

bool operation::completes_in_place() const noexcept
{
    return !handler_executor_ && core_->has_strand_of_user();
}

asio::any_completion_executor end_target::executor(asio::any_completion_executor const& otherwise) const
{
    return asio::get_associated_executor(handler_, otherwise);
}

asio::cancellation_slot end_target::slot() const noexcept
{
    return asio::get_associated_cancellation_slot(handler_);
}

void end_target::complete(
    std::unique_ptr<completion_target> self,
    asio::any_io_executor const& io,
    asio::any_completion_executor own,
    error_code error,
    attempt_news const& news)
{
    post_completion(io, std::move(own), completion<end_handler>(std::move(self), handler_, error, news));
}

void end_target::call(std::unique_ptr<completion_target> self, error_code error, attempt_news const& news)
{
    auto handler = std::move(handler_);
    self.reset();
    call_at_end(std::move(handler), news, error);
}

}  // namespace backbeat::http::detail
