//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The sentence comes, too, where the token is left out.

#include <backbeat/async_retry.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

void start(boost::asio::any_io_executor const& executor)
{
#ifdef CONTROL
    auto operation = []() -> boost::asio::awaitable<int> { co_return 1; };
#else
    auto operation = [] { return 1; };
#endif
    auto retrying = backbeat::async_retry(executor, operation);
    static_cast<void>(retrying);
}
