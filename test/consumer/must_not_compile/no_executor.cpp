//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Without an executor from anywhere nothing runs on a hidden thread pool: it does not compile.

#include <backbeat/async_retry.hpp>

#include <boost/asio/any_io_executor.hpp>

void start([[maybe_unused]] boost::asio::any_io_executor const& executor)
{
    auto operation = [](auto&& token) {
        return boost::asio::async_initiate<decltype(token), void(boost::system::error_code)>([](auto) {}, token);
    };
#ifdef CONTROL
    backbeat::async_retry(executor, operation, [](boost::system::error_code) {});
#else
    backbeat::async_retry(operation, [](boost::system::error_code) {});
#endif
}
