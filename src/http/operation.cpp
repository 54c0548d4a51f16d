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

// What is posted at the end. A class with a nested type, so that Asio sees the handler's allocator.
class completion_of_end {
public:
    using allocator_type = asio::associated_allocator_t<end_handler>;

    completion_of_end(end_handler handler, error_code error, attempt_news const& news)
        : handler_(std::move(handler)), error_(error), news_(news)
    {}

    [[nodiscard]] allocator_type get_allocator() const noexcept { return asio::get_associated_allocator(handler_); }

    void operator()()
    {
        news_.tell();
        if (auto slot = asio::get_associated_cancellation_slot(handler_); slot.is_connected()) slot.clear();
        std::move(handler_)(error_);
    }

private:
    end_handler handler_;
    error_code error_;
    attempt_news news_;
};

}  // namespace

operation::operation(std::shared_ptr<client_core> core, std::unique_ptr<completion_target> target)
    : core_(std::move(core)), target_(std::move(target))
{
    auto const executor = target_->executor(core_->executor());
    if (executor != asio::any_completion_executor(core_->executor()))
        handler_executor_ = asio::prefer(executor, asio::execution::outstanding_work.tracked);
}

operation::~operation()
{
    // If the context was destroyed before the end.
    if (running_at_) core_->forget(*running_at_);
}

void operation::enter()
{
    running_at_ = core_->add(*this);
}

void operation::leave()
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
    auto const target = std::exchange(target_, nullptr);
    target->complete(core_->executor(), std::exchange(handler_executor_, {}), error, news);
}

asio::any_completion_executor end_target::executor(asio::any_io_executor const& otherwise) const
{
    return asio::get_associated_executor(handler_, otherwise);
}

asio::cancellation_slot end_target::slot() const noexcept
{
    return asio::get_associated_cancellation_slot(handler_);
}

void end_target::complete(
    asio::any_io_executor const& io, asio::any_completion_executor own, error_code error, attempt_news const& news)
{
    post_completion(io, std::move(own), completion_of_end(std::move(handler_), error, news));
}

}  // namespace backbeat::http::detail
