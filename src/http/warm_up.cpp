//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "exchange.hpp"
#include "operation.hpp"

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace backbeat::http::detail {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// The handler is called with the number of connections, which is counted when everything has ended.
class count_target final : public completion_target {
public:
    count_target(std::shared_ptr<client_core> core, count_handler handler)
        : core_(std::move(core)), handler_(std::move(handler))
    {}

    asio::any_completion_executor executor(asio::any_completion_executor const& otherwise) const override
    {
        return asio::get_associated_executor(handler_, otherwise);
    }

    asio::cancellation_slot slot() const noexcept override { return asio::get_associated_cancellation_slot(handler_); }

    void complete(
        std::unique_ptr<completion_target> self,
        asio::any_io_executor const& io,
        asio::any_completion_executor own,
        error_code error,
        attempt_news const& news) override
    {
        count_ = core_->open_count();
        post_completion(io, std::move(own), completion<count_handler>(std::move(self), handler_, error, news));
    }

    void call(std::unique_ptr<completion_target> self, error_code error, attempt_news const& news) override
    {
        auto handler = std::move(handler_);
        auto const count = count_;
        self.reset();
        call_at_end(std::move(handler), news, error, count);
    }

private:
    std::shared_ptr<client_core> core_;
    count_handler handler_;
    std::size_t count_ = 0;
};

class warming final : public operation {
public:
    warming(std::shared_ptr<client_core> core, std::size_t count, std::unique_ptr<completion_target> target)
        : operation(std::move(core), std::move(target)), count_(count)
    {}

    void cancel(asio::cancellation_type type) override
    {
        for (auto const& each : std::vector(connecting_))
            if (auto const alive = each.lock()) alive->cancel(type);
    }

private:
    void start() override
    {
        enter();
        auto const wanted = (std::min)(count_, core().settings().maximum_connections);
        auto const there = core().open_count();
        left_ = wanted > there ? wanted - there : 0;
        // Together with what is left: none of them can end all before the last one was started.
        ++left_;
        for (auto left = left_; left != 1; --left) {
            auto on_end = [self = std::static_pointer_cast<warming>(shared_from_this())](error_code error) {
                self->on_end_of_one(error);
            };
            auto const one = std::make_shared<exchange>(
                shared_core(),
                exchange_order{},
                std::make_unique<end_target>(asio::bind_executor(core().serial(), std::move(on_end))));
            connecting_.push_back(one);
            one->initiate();
        }
        on_end_of_one({});
    }

    void on_end_of_one(error_code error)
    {
        if (!error_) error_ = error;
        if (--left_ != 0) return;
        complete(error_);
        leave();
    }

    std::size_t count_;
    std::size_t left_ = 0;
    std::vector<std::weak_ptr<exchange>> connecting_;
    error_code error_;
};

}  // namespace

void start_warm_up(std::shared_ptr<client_core> const& core, std::size_t count, count_handler handler)
{
    std::make_shared<warming>(core, count, std::make_unique<count_target>(core, std::move(handler)))->initiate();
}

}  // namespace backbeat::http::detail
