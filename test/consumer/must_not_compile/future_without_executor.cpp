//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// What `use_future` has for an executor is the hidden thread pool.

#include <backbeat/async_retry.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/use_future.hpp>

void start([[maybe_unused]] boost::asio::any_io_executor const& executor)
{
    auto operation = [](auto&& token) {
        return boost::asio::async_initiate<decltype(token), void(boost::system::error_code, int)>([](auto) {}, token);
    };
#ifdef CONTROL
    auto future = backbeat::async_retry(executor, operation, boost::asio::use_future);
#else
    auto future = backbeat::async_retry(operation, boost::asio::use_future);
#endif
}
