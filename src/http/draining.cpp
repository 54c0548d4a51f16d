//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "draining.hpp"

#include <boost/asio/error.hpp>

#include <utility>

namespace backbeat::http::detail {

draining::draining(std::shared_ptr<client_core> core, std::unique_ptr<completion_target> target)
    : operation(std::move(core), std::move(target)), timer_(this->core().serial())
{}

draining::~draining()
{
    // If the context was destroyed before the end.
    if (waiting_at_) core().leave_drain(*waiting_at_);
}

void draining::start()
{
    waiting_at_ = core().drain(*this);
    if (!waiting_at_) return finish({});
    timer_.expires_at((boost::asio::steady_timer::time_point::max)());
    timer_.async_wait([self = shared_from_this()](boost::system::error_code) {});
}

void draining::on_drained()
{
    waiting_at_.reset();
    finish({});
}

void draining::cancel(boost::asio::cancellation_type type)
{
    if (type != boost::asio::cancellation_type::none) finish(boost::asio::error::operation_aborted);
}

void draining::finish(boost::system::error_code error)
{
    if (std::exchange(finished_, true)) return;
    if (waiting_at_) core().leave_drain(*std::exchange(waiting_at_, std::nullopt));
    timer_.cancel();
    complete(error);
}

void start_close(std::shared_ptr<client_core> const& core, end_handler handler)
{
    std::make_shared<draining>(core, std::make_unique<end_target>(std::move(handler)))->initiate();
}

}  // namespace backbeat::http::detail
