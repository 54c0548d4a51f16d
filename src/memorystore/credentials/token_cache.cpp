//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "token_cache.hpp"

#include "failure.hpp"
#include "refresh.hpp"
#include "token_answer.hpp"

#include <backbeat/detail/immediate_completion.hpp>

#include <boost/asio/strand.hpp>

#include <algorithm>
#include <utility>
#include <variant>

namespace backbeat::memorystore::detail {

namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

// Between two refreshes that bring nothing new.
constexpr auto pause = 10s;

std::optional<access_token> fixed_token(credentials_data const& data)
{
    if (std::holds_alternative<nobody>(data.kind)) return access_token();
    if (auto const* const given = std::get_if<given_token>(&data.kind)) return access_token(given->value.text());
    return {};
}

std::string configured_quota_project(credentials_data const& data, token_provider_options const& options)
{
    if (!data.options.quota_project.empty() || std::holds_alternative<nobody>(data.kind))
        return data.options.quota_project;
    auto result = variable(options, "GOOGLE_CLOUD_QUOTA_PROJECT");
    return is_token(result) ? result : std::string();
}

}  // namespace

token_cache::token_cache(
    asio::any_io_executor executor, credentials who, credentials_pointer const& data, token_provider_options options)
    : executor_(std::move(executor)),
      strand_(asio::make_strand(executor_)),
      who_(std::move(who)),
      options_(std::move(options)),
      fetcher_(std::make_shared<token_fetcher>(data, options_)),
      never_changes_(fixed_token(*data).has_value()),
      token_(fixed_token(*data)),
      due_(time_point::max()),
      quota_project_(configured_quota_project(*data, options_)),
      description_(who_.describe())
{}

token_cache::~token_cache()
{
    if (auto const running = running_.lock()) running->abandon();
}

std::string token_cache::quota_project() const
{
    std::lock_guard const lock(mutex_);
    return quota_project_;
}

std::string token_cache::description() const
{
    std::lock_guard const lock(mutex_);
    return description_;
}

bool token_cache::is_due(time_point at) const noexcept
{
    return at >= due_;
}

std::optional<access_token> token_cache::good_token()
{
    if (!token_ || !token_->expires) return token_;
    auto const at = now(options_);
    if (at >= *token_->expires) return {};
    if (is_due(at)) static_cast<void>(running_refresh());
    return token_;
}

std::shared_ptr<refresh> token_cache::running_refresh()
{
    auto result = running_.lock();
    if (result) return result;
    result = std::make_shared<refresh>(executor_, strand_);
    result->start(fetcher_, weak_from_this());
    running_ = result;
    return result;
}

std::optional<access_token> token_cache::cached()
{
    std::lock_guard const lock(mutex_);
    return good_token();
}

void token_cache::get(token_handler handler)
{
    std::unique_lock lock(mutex_);
    auto good = good_token();
    if (!good) {
        auto const running = running_refresh();
        lock.unlock();
        return running->wait(std::move(handler));
    }
    lock.unlock();
    backbeat::detail::complete_immediately(
        executor_, std::move(handler), [token = std::move(*good)](token_handler to) mutable {
            std::move(to)(std::exception_ptr(), std::move(token));
        });
}

void token_cache::replace(access_token const& rejected, token_handler handler)
{
    {
        std::lock_guard const lock(mutex_);
        auto const at = now(options_);
        bool const is_the_rejected = token_ && token_->value == rejected.value && !never_changes_;
        bool const in_vain =
            rejected_again_ && rejected_ == rejected.value && at >= *rejected_again_ && at - *rejected_again_ < pause;
        if (is_the_rejected && !in_vain) {
            token_.reset();
            rejected_ = rejected.value;
            rejected_again_.reset();
        }
    }
    get(std::move(handler));
}

void token_cache::take(std::exception_ptr const& failure, fetched_token const& result)
{
    std::lock_guard const lock(mutex_);
    running_.reset();
    auto const at = now(options_);
    if (failure) {
        // What is still good goes on being given.
        due_ = at + pause;
        return;
    }
    token_ = result.token;
    due_ = time_point::max();
    if (token_->expires) {
        auto const left = *token_->expires > at ? *token_->expires - at : time_point::duration::zero();
        auto const ahead = (std::min)(options_.refresh_ahead, std::chrono::nanoseconds(left / 2));
        due_ = *token_->expires - std::chrono::duration_cast<time_point::duration>(ahead);
    }
    if (!rejected_.empty() && token_->value == rejected_) rejected_again_ = at;
    if (!result.description.empty()) description_ = result.description;
    if (quota_project_.empty()) quota_project_ = result.quota_project;
}

asio::any_io_executor executor_of(token_cache const& cache) noexcept
{
    return cache.executor();
}

void get_token(token_cache_pointer const& cache, token_handler handler)
{
    cache->get(std::move(handler));
}

void refresh_token(token_cache_pointer const& cache, access_token const& rejected, token_handler handler)
{
    cache->replace(rejected, std::move(handler));
}

}  // namespace backbeat::memorystore::detail
