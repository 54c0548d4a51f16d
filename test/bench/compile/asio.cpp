//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "asio.hpp"

void start(boost::asio::steady_timer& timer)
{
    wait_a_second(timer)([](boost::system::error_code) {});
}
