//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The arguments have one order; what stands elsewhere is refused with a sentence that gives it.

#include <backbeat/async_retry.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/detached.hpp>

void start(boost::asio::any_io_executor const& executor, backbeat::retry_report& report)
{
    auto operation = [](auto&& token) {
        return boost::asio::async_initiate<decltype(token), void(boost::system::error_code)>([](auto) {}, token);
    };
    auto classifier = [](boost::system::error_code) { return backbeat::verdict::done(); };
#ifdef CONTROL
    backbeat::async_retry(
        executor,
        operation,
        {.maximum_retries = 1},
        backbeat::classify(classifier),
        backbeat::report_to(report),
        boost::asio::detached);
#else
    backbeat::async_retry(
        executor,
        operation,
        {.maximum_retries = 1},
        backbeat::report_to(report),
        backbeat::classify(classifier),
        boost::asio::detached);
#endif
}
