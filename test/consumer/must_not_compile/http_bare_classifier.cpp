//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// A classifier without classify(...) would be called as the completion handler, and its verdict be lost.

#include <backbeat/http/client.hpp>

void send(backbeat::http::client& client, backbeat::http::request const& message)
{
    backbeat::http::classifier const decide{.replay = backbeat::http::idempotency::keyed};
#ifdef CONTROL
    client.async_send(
        message, backbeat::classify(decide), [](boost::system::error_code, backbeat::http::response const&) {});
#else
    client.async_send(message, decide);
#endif
}
