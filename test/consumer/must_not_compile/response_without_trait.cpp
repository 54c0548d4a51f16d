//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// A response whose status nobody can read would make every 503 a success: it is refused until somebody can.

#include <backbeat/async_retry.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/detached.hpp>

struct response {
    int status = 0;
    int result_int() const { return status; }
};

void start(boost::asio::any_io_executor const& executor)
{
    auto operation = [](auto&& token) {
        return boost::asio::async_initiate<decltype(token), void(boost::system::error_code, response)>(
            [](auto) {}, token);
    };
#ifdef CONTROL
    auto by_status = [](boost::system::error_code, response const& r) {
        return r.status == 503 ? backbeat::verdict::retry() : backbeat::verdict::done();
    };
    backbeat::async_retry(executor, operation, backbeat::classify(by_status), boost::asio::detached);
#else
    backbeat::async_retry(executor, operation, boost::asio::detached);
#endif
}
