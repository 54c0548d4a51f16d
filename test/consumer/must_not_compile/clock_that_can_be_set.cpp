//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// A clock that can be set is no clock to wait on.

#include <backbeat/async_retry.hpp>

#include <boost/asio/any_io_executor.hpp>

void start(boost::asio::any_io_executor const& executor)
{
    auto operation = [](auto&& token) {
        return boost::asio::async_initiate<decltype(token), void(boost::system::error_code, int)>([](auto) {}, token);
    };
    auto const handler = [](boost::system::error_code, int) {};
#ifdef CONTROL
    backbeat::async_retry(executor, operation, handler);
#else
    backbeat::async_retry<std::chrono::system_clock>(executor, operation, handler);
#endif
}
