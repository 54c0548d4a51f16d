//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "operation.hpp"

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
    if (target_->is_part()) {
        completes_on_strand_ = !core_->has_strand_of_user();
        return;
    }
    auto const executor = target_->executor(core_->completion_executor());
    if (executor == core_->completion_executor()) return;
    if (executor == core_->completion_strand())
        completes_on_strand_ = true;
    else
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
    core_->dispatch([self = shared_from_this()] {
        self->is_started_ = true;
        self->start();
        if (self->cancelled_before_) self->cancel(*self->cancelled_before_);
    });
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
        auto const executor = self->core_->executor();
        // Not to the strand, behind which it would wait: then whatever comes next would wait behind it.
        asio::post(executor, [self = std::move(self), type] {
            auto const& core = *self->core_;
            core.dispatch([self, type] { self->cancel_started(type); });
        });
    });
}

// An executor may run it before the start, which is on its way, too: none promises an order.
void operation::cancel_started(asio::cancellation_type type)
{
    if (is_started_)
        cancel(type);
    else
        cancelled_before_ = type | cancelled_before_.value_or(type);
}

void operation::complete(error_code error, attempt_news const& news)
{
    auto& target = *target_;
    target.complete(
        std::move(target_),
        completes_on_strand_ ? core_->serial() : core_->executor(),
        std::exchange(handler_executor_, {}),
        error,
        news);
}

void operation::complete_at_last(error_code error, attempt_news const& news)
{
    using place = last_step::place;
    auto* const last =
        handler_executor_ ? nullptr : last_step::find(*core_, completes_on_strand_ ? place::strand : place::executor);
    if (last == nullptr) return complete(error, news);
    auto const is_part = target_->is_part();
    last->take(std::move(target_), is_part, error, news);
}

constinit thread_local last_step* last_step::innermost = nullptr;

last_step::~last_step()
{
    leave();
    if (!target_) return;
    auto& target = *target_;
    try {
        target.complete(
            std::move(target_), where_ == place::strand ? core_->serial() : core_->executor(), {}, error_, news_);
    } catch (...) {
        // It is what is thrown already, if it is here, that tells of it.
    }
}

last_step* last_step::find(client_core const& core, place where) noexcept
{
    for (auto* each = innermost; each != nullptr; each = each->outer_)
        if (each->core_.get() == &core && each->where_ == where) return each->target_ ? nullptr : each;
    return nullptr;
}

void last_step::take(
    std::unique_ptr<completion_target> target, bool is_part, error_code error, attempt_news const& news) noexcept
{
    target_ = std::move(target);
    is_part_ = is_part;
    error_ = error;
    news_ = news;
}

void last_step::run()
{
    if (target_ && is_part_) call();
    // The caller's handler may run the context, and what ends there must not be left to this.
    leave();
    if (target_) call();
}

void last_step::call()
{
    auto& target = *target_;
    target.call(std::move(target_), error_, news_);
}

void last_step::leave() noexcept
{
    if (!std::exchange(is_left_, true)) innermost = outer_;
}

}  // namespace backbeat::http::detail
