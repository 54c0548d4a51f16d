//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// An executor of the Networking TS, which Asio still has, is recognised and refused with one sentence.

#include <backbeat/async_retry.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/io_context_strand.hpp>
#include <boost/asio/strand.hpp>

void start(boost::asio::io_context& context)
{
    auto operation = [](auto&& token) {
        return boost::asio::async_initiate<decltype(token), void(boost::system::error_code, int)>([](auto) {}, token);
    };
    auto const handler = [](boost::system::error_code, int) {};
#ifdef CONTROL
    auto const executor = boost::asio::make_strand(context);
#else
    boost::asio::io_context::strand const executor(context);
#endif
    backbeat::async_retry(executor, operation, handler);
}
