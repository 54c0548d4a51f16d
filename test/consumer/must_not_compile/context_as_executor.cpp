//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// An execution context is not an executor.

#include <backbeat/async_retry.hpp>

#include <boost/asio/io_context.hpp>

void start(boost::asio::io_context& context)
{
    auto operation = [](auto&& token) {
        return boost::asio::async_initiate<decltype(token), void(boost::system::error_code, int)>([](auto) {}, token);
    };
    auto const handler = [](boost::system::error_code, int) {};
#ifdef CONTROL
    backbeat::async_retry(context.get_executor(), operation, handler);
#else
    backbeat::async_retry(context, operation, handler);
#endif
}
