//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// One attempt makes no report of retries.

#include <backbeat/http/client.hpp>

void get(backbeat::http::client& client, backbeat::retry_report& report)
{
    auto const ignore = [](boost::system::error_code, backbeat::http::response const&) {};
#ifdef CONTROL
    client.async_send(backbeat::http::request(backbeat::http::verb::get, "/", 11), report_to(report), ignore);
#else
    client.async_get("/", report_to(report), ignore);
#endif
}
