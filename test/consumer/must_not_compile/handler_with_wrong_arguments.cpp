//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// A handler that cannot be called with what the operation completes with: the likeliest is an error code where the
// operation, an awaitable, has an exception.

#include <backbeat/async_retry.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <exception>

void start(boost::asio::any_io_executor const& executor)
{
    auto operation = []() -> boost::asio::awaitable<int> { co_return 1; };
#ifdef CONTROL
    backbeat::async_retry(executor, operation, [](std::exception_ptr, int) {});
#else
    backbeat::async_retry(executor, operation, [](boost::system::error_code, int) {});
#endif
}
