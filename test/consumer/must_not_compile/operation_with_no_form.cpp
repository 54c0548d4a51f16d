//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// An operation that has none of the forms is refused with a sentence that lists them.

#include <backbeat/async_retry.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

void start(boost::asio::any_io_executor const& executor)
{
#ifdef CONTROL
    auto operation = [&](auto&& token) {
        return boost::asio::async_initiate<decltype(token), void(boost::system::error_code)>([](auto) {}, token);
    };
#else
    auto operation = [](int attempt) { return attempt; };
#endif
    backbeat::async_retry(executor, operation, boost::asio::detached);
}
