//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_CONTENDERS_STAGE_HPP
#define BACKBEAT_TEST_BENCH_CONTENDERS_STAGE_HPP

#include "task.hpp"

#include <backbeat/detail/random.hpp>

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>

// What all contenders share: the executor, the timer's type, the waits and the random numbers.
namespace bench {

using context_executor = boost::asio::io_context::executor_type;
using context_timer = boost::asio::basic_waitable_timer<
    std::chrono::steady_clock,
    boost::asio::wait_traits<std::chrono::steady_clock>,
    context_executor>;

inline constexpr std::uint32_t maximum_retries = 16;

struct stage {
    explicit stage(bench::task const& of)
        : context(of.shards ? 1 : static_cast<int>(of.threads)), task(of), posted(of.completion == completion::posted)
    {}

    boost::asio::io_context context;
    bench::task task;
    bool posted;

    // A context without timers and sockets has no reactor to ask between two handlers, and is six times as fast. No
    // program is so, and whoever makes a timer only when it waits must not seem to gain by that.
    context_timer reactor_is_there{context};
};

[[nodiscard]] inline std::uint64_t next_random() noexcept
{
    thread_local constinit backbeat::detail::split_mix generator(1);
    return generator.next();
}

[[nodiscard]] inline std::chrono::nanoseconds backoff(wait_law const& law, std::uint32_t retry) noexcept
{
    auto const jitter = backbeat::detail::scale_random(next_random(), law.jitter);
    return (std::min)(law.initial * (1 << retry) + jitter, law.cap);
}

}  // namespace bench

#endif
