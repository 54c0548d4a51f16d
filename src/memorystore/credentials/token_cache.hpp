//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_TOKEN_CACHE_HPP
#define BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_TOKEN_CACHE_HPP

#include "token_fetcher.hpp"

#include <backbeat/memorystore/token_provider.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace backbeat::memorystore::detail {

class refresh;

// What the copies of a provider share: the token, and the refresh that runs.
//
// Those who wait for a refresh belong to the refresh, and the refresh to the execution context. So nothing is left, and
// nobody keeps anybody alive, when the context is destroyed while they wait.
class token_cache : public std::enable_shared_from_this<token_cache> {
public:
    token_cache(
        boost::asio::any_io_executor executor,
        credentials who,
        credentials_pointer const& data,
        token_provider_options);
    token_cache(token_cache const&) = delete;
    token_cache& operator=(token_cache const&) = delete;

    // Cancels the refresh; those who wait for it are told so.
    ~token_cache();

    [[nodiscard]] boost::asio::any_io_executor const& executor() const noexcept { return executor_; }
    [[nodiscard]] std::string quota_project() const;
    [[nodiscard]] std::string description() const;

    [[nodiscard]] std::optional<access_token> cached();
    void get(token_handler handler);
    void replace(access_token const& rejected, token_handler handler);

    // The refresh has ended.
    void take(std::exception_ptr const& failure, fetched_token const& result);

private:
    using time_point = std::chrono::system_clock::time_point;

    // Under the mutex, as all that follows.
    [[nodiscard]] std::optional<access_token> good_token();
    [[nodiscard]] bool is_due(time_point at) const noexcept;
    [[nodiscard]] std::shared_ptr<refresh> running_refresh();

    boost::asio::any_io_executor const executor_;
    boost::asio::any_io_executor const strand_;
    credentials const who_;
    token_provider_options const options_;
    std::shared_ptr<token_fetcher> const fetcher_;
    bool const never_changes_;

    mutable std::mutex mutex_;
    std::optional<access_token> token_;
    time_point due_;  // from then on it is refreshed ahead
    std::string rejected_;
    std::optional<time_point> rejected_again_;  // when a refresh gave the rejected token once more
    std::string quota_project_;
    std::string description_;
    std::weak_ptr<refresh> running_;
};

}  // namespace backbeat::memorystore::detail

#endif
