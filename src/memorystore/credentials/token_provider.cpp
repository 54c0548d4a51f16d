//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "token_cache.hpp"

#include <backbeat/memorystore/token_provider.hpp>

#include <cstdlib>
#include <stdexcept>

namespace backbeat::memorystore {

namespace {

token_provider_options checked(token_provider_options options)
{
    if (options.refresh_ahead < std::chrono::nanoseconds::zero())
        throw std::invalid_argument(
            "token_provider_options::refresh_ahead is negative; it must be zero (tokens are used until they expire) or "
            "more");
    if (options.retry)
        if (auto const problem = validate(*options.retry))
            throw std::invalid_argument("token_provider_options::retry: " + problem.message());
    if (!options.now) options.now = [] { return std::chrono::system_clock::now(); };
    if (!options.environment)
        options.environment = [](std::string const& name) -> std::optional<std::string> {
            // NOLINTNEXTLINE(concurrency-mt-unsafe): documented, and there is nothing else.
            auto const* const value = std::getenv(name.c_str());
            return value == nullptr ? std::optional<std::string>() : std::string(value);
        };
    return options;
}

}  // namespace

token_provider_options::token_provider_options() = default;

token_provider::token_provider(executor_type executor, credentials const& who, token_provider_options options)
    : cache_(std::make_shared<detail::token_cache>(std::move(executor), who, who.data_, checked(std::move(options))))
{}

std::optional<access_token> token_provider::cached_token()
{
    return cache_->cached();
}

std::string token_provider::quota_project() const
{
    return cache_->quota_project();
}

std::string token_provider::describe() const
{
    return cache_->description();
}

}  // namespace backbeat::memorystore
