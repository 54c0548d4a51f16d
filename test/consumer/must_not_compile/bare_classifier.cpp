//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// A classifier without classify(...) would be called as the completion handler, and its verdict be lost.

#include <backbeat/async_retry.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/error_code.hpp>

using boost::system::error_code;

int main()
{
    boost::asio::io_context context;
    auto operation = [&](auto token) {
        return boost::asio::async_initiate<decltype(token), void(error_code)>(
            [](auto handler) {
                boost::asio::post([handler = std::move(handler)]() mutable { handler(error_code()); });
            },
            token);
    };
    auto by_error = [](error_code ec) { return ec ? backbeat::verdict::retry() : backbeat::verdict::done(); };
#ifdef CONTROL
    backbeat::async_retry(context.get_executor(), operation, backbeat::classify(by_error), [](error_code) {});
#else
    backbeat::async_retry(context.get_executor(), operation, by_error);
#endif
}
