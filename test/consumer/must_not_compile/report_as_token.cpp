//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// A report without report_to(...) is not a completion token.

#include <backbeat/async_retry.hpp>

#include <boost/asio/any_io_executor.hpp>

void start(boost::asio::any_io_executor const& executor, backbeat::retry_report& report)
{
    auto operation = [](auto&& token) {
        return boost::asio::async_initiate<decltype(token), void(boost::system::error_code, int)>([](auto) {}, token);
    };
    auto const handler = [](boost::system::error_code, int) {};
#ifdef CONTROL
    backbeat::async_retry(executor, operation, {}, backbeat::report_to(report), handler);
#else
    static_cast<void>(handler);
    backbeat::async_retry(executor, operation, {}, report);
#endif
}
