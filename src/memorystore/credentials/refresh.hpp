//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_REFRESH_HPP
#define BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_REFRESH_HPP

#include "token_fetcher.hpp"

#include <backbeat/memorystore/access_token.hpp>
#include <backbeat/memorystore/token_provider.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>

#include <exception>
#include <memory>
#include <mutex>

namespace backbeat::memorystore::detail {

class token_cache;

// One refresh, and those who wait for it: by a timer that never expires, so that they are kept by the execution context,
// and each can be cancelled by itself.
class refresh : public std::enable_shared_from_this<refresh> {
public:
    // Handlers that have no executor of their own are called on `executor`.
    refresh(boost::asio::any_io_executor const& executor, boost::asio::any_io_executor strand);

    // Begins it; nothing is called from inside. The fetcher is used on the strand only.
    void start(std::shared_ptr<token_fetcher> fetcher, std::weak_ptr<token_cache> cache);

    // Waits for the end. The handler is not called from inside.
    void wait(token_handler handler);

    // Ends it for those who wait, if it has not ended yet.
    void end(std::exception_ptr failure, access_token token);

    // Ends it for all, at once, and cancels what is being done.
    void abandon() noexcept;

private:
    friend class refresh_waiter;

    std::mutex mutex_;
    bool ended_ = false;
    std::exception_ptr failure_;
    access_token token_;
    boost::asio::steady_timer timer_;

    // On the strand.
    boost::asio::any_io_executor const strand_;
    boost::asio::cancellation_signal signal_;
    bool is_fetching_ = false;
};

}  // namespace backbeat::memorystore::detail

#endif
