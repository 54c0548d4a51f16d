//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The retry floor as a user has it: an operation that fails twice.

#include <backbeat/async_retry.hpp>
#include <backbeat/report_to.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <iostream>
#include <utility>

using namespace std::chrono_literals;

int main()
{
    boost::asio::io_context context;
    int attempts = 0;
    auto flaky = [&](auto&& token) {
        return boost::asio::async_initiate<decltype(token), void(boost::system::error_code, int)>(
            [&](auto handler) {
                boost::system::error_code error;
                if (++attempts < 3) error = boost::asio::error::connection_refused;
                boost::asio::post(
                    context, [handler = std::move(handler), error, n = attempts]() mutable { handler(error, n); });
            },
            token);
    };

    int result = 0;
    backbeat::retry_report report;
    backbeat::async_retry(
        context.get_executor(),
        flaky,
        {.initial_backoff = 1ms, .jitter = backbeat::jitter::none},
        backbeat::report_to(report),
        [&](boost::system::error_code error, int number) { result = error ? -1 : number; });
    context.run();

    std::cout << report;
    return result == 3 && attempts == 3 ? 0 : 1;
}
