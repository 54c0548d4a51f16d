//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_COMPILE_ASIO_HPP
#define BACKBEAT_TEST_BENCH_COMPILE_ASIO_HPP

#include <boost/asio.hpp>

#include <chrono>

// What a source that uses Asio has anyway.
inline auto wait_a_second(boost::asio::steady_timer& timer)
{
    timer.expires_after(std::chrono::seconds(1));
    return timer.async_wait(boost::asio::deferred);
}

#endif
