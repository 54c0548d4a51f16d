//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// An operation that completes without an error to look at is refused.

#include <backbeat/async_retry.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/detached.hpp>

void start(boost::asio::any_io_executor const& executor)
{
#ifdef CONTROL
    using signature = void(boost::system::error_code, int);
#else
    using signature = void(int);
#endif
    auto operation = [](auto&& token) {
        return boost::asio::async_initiate<decltype(token), signature>([](auto) {}, token);
    };
    backbeat::async_retry(executor, operation, boost::asio::detached);
}
