//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "refresh.hpp"

#include "failure.hpp"
#include "token_cache.hpp"

#include <backbeat/detail/immediate_completion.hpp>

#include <boost/asio/associator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <utility>

namespace backbeat::memorystore::detail {

namespace {

namespace asio = boost::asio;

std::exception_ptr aborted(std::string why)
{
    return std::make_exception_ptr(failure(asio::error::operation_aborted, std::move(why)));
}

// Keeps the fetcher while its coroutine refers to it.
asio::awaitable<fetched_token> fetch(std::shared_ptr<token_fetcher> fetcher)
{
    auto fetching = fetcher->fetch();
    auto result = co_await std::move(fetching);
    co_return result;
}

}  // namespace

// What the timer calls when there is nothing to wait for any more.
class refresh_waiter {
public:
    refresh_waiter(std::shared_ptr<refresh> of, token_handler handler)
        : handler_(std::move(handler)), refresh_(std::move(of))
    {}

    void operator()(boost::system::error_code)
    {
        std::exception_ptr failure;
        access_token token;
        {
            std::lock_guard const lock(refresh_->mutex_);
            if (refresh_->ended_) {
                failure = refresh_->failure_;
                token = refresh_->token_;
            } else {
                failure = aborted("waiting for a token was cancelled");
            }
        }
        refresh_.reset();
        std::move(handler_)(std::move(failure), std::move(token));
    }

    [[nodiscard]] token_handler const& handler() const noexcept { return handler_; }

private:
    token_handler handler_;
    std::shared_ptr<refresh> refresh_;
};

}  // namespace backbeat::memorystore::detail

template <template <class, class> class Associator, class Default>
struct boost::asio::associator<Associator, backbeat::memorystore::detail::refresh_waiter, Default>
    : Associator<backbeat::memorystore::detail::token_handler, Default> {
    using inner = Associator<backbeat::memorystore::detail::token_handler, Default>;
    using outer = backbeat::memorystore::detail::refresh_waiter;

    static auto get(outer const& waiter) noexcept { return inner::get(waiter.handler()); }
    static auto get(outer const& waiter, Default const& fallback) noexcept
    {
        return inner::get(waiter.handler(), fallback);
    }
};

namespace backbeat::memorystore::detail {

refresh::refresh(asio::any_io_executor const& executor, asio::any_io_executor strand)
    : timer_(executor, asio::steady_timer::time_point::max()), strand_(std::move(strand))
{}

void refresh::start(std::shared_ptr<token_fetcher> fetcher, std::weak_ptr<token_cache> cache)
{
    auto begin = [self = shared_from_this(), fetcher = std::move(fetcher), cache = std::move(cache)]() mutable {
        auto at_end = [self, cache = std::move(cache)](std::exception_ptr failure, fetched_token result) {
            self->is_fetching_ = false;
            // Before those who waited: what they do next finds the token.
            if (auto const to = cache.lock()) to->take(failure, result);
            self->end(std::move(failure), std::move(result.token));
        };
        auto const slot = self->signal_.slot();
        self->is_fetching_ = true;
        asio::co_spawn(self->strand_, fetch(std::move(fetcher)), asio::bind_cancellation_slot(slot, std::move(at_end)));
    };
    // Never at once: the caller holds a lock, and may be on the strand.
    asio::post(strand_, std::move(begin));
}

void refresh::wait(token_handler handler)
{
    std::unique_lock lock(mutex_);
    if (!ended_) return timer_.async_wait(refresh_waiter(shared_from_this(), std::move(handler)));
    auto const executor = timer_.get_executor();
    lock.unlock();
    backbeat::detail::complete_immediately(
        executor, std::move(handler), [self = shared_from_this()](token_handler to) mutable {
            auto failure = self->failure_;
            auto token = self->token_;
            self.reset();
            std::move(to)(std::move(failure), std::move(token));
        });
}

void refresh::end(std::exception_ptr failure, access_token token)
{
    std::lock_guard const lock(mutex_);
    if (std::exchange(ended_, true)) return;
    failure_ = std::move(failure);
    token_ = std::move(token);
    timer_.cancel();
}

void refresh::abandon() noexcept
{
    try {
        end(aborted("the token provider was destroyed while it was waited for"), {});
        asio::post(strand_, [self = shared_from_this()] {
            // A signal that comes too late would find what is gone.
            if (self->is_fetching_) self->signal_.emit(asio::cancellation_type::terminal);
        });
    } catch (...) {
        // Without memory it goes on, and ends by its time limit.
    }
}

}  // namespace backbeat::memorystore::detail
