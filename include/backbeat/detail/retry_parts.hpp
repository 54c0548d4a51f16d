//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_RETRY_PARTS_HPP
#define BACKBEAT_DETAIL_RETRY_PARTS_HPP

#include <backbeat/attempt.hpp>
#include <backbeat/detail/cancel_proxy.hpp>
#include <backbeat/detail/context_executor.hpp>
#include <backbeat/detail/late.hpp>
#include <backbeat/detail/schedule_extra.hpp>
#include <backbeat/detail/step_memory.hpp>
#include <backbeat/detail/timing_wheel.hpp>
#include <backbeat/detail/wheel_service.hpp>

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/wait_traits.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <new>

// What an `async_retry` has beside its state, if it needs it: of the first two, one.

namespace backbeat::detail {

// A timer of its own, and the memory for a wait of it, or for a post. While an attempt without a time limit runs, there
// is neither, and the attempt is there, or, if nobody looks at it, what Asio queues for it.
template <class Clock, class IoExecutor, std::size_t size>
struct retry_timer {
    using timer_type = boost::asio::basic_waitable_timer<Clock, boost::asio::wait_traits<Clock>, IoExecutor>;

    static constexpr std::size_t room = size;

    [[nodiscard]] static constexpr bool fits(std::size_t bytes, std::size_t alignment) noexcept
    {
        return step_memory<size>::fits(bytes, alignment);
    }

    step_memory<size> memory;  // first, where that of the wheel's place is, too
    late<timer_type> timer;
};

// Its place in the timing wheel of its context, and the memory for a post. While an attempt without a time limit runs,
// the attempt is there, as above. Where the wheel calls back on our executor, one of these is there at a time.
template <class Clock, class IoExecutor, std::size_t size, bool one_at_a_time>
struct retry_wheel_place {
    static constexpr std::size_t room = (std::max)(size, one_at_a_time ? sizeof(wheel_node) : std::size_t{0});

    [[nodiscard]] static constexpr bool fits(std::size_t bytes, std::size_t alignment) noexcept
    {
        return step_memory<room>::fits(bytes, alignment);
    }

    [[nodiscard]] static retry_wheel_place* of_node(wheel_node* node) noexcept
    {
        auto constexpr offset =
            one_at_a_time ? offsetof(retry_wheel_place, memory) : offsetof(retry_wheel_place, memory_of_node);
        return static_cast<retry_wheel_place*>(
            static_cast<void*>(static_cast<std::byte*>(static_cast<void*>(node)) - offset));
    }

    [[nodiscard]] wheel_node& make_node() noexcept { return *new (place_of_node()) wheel_node(); }

    // The one that was made last, and still is.
    [[nodiscard]] wheel_node& node() noexcept { return *std::launder(static_cast<wheel_node*>(place_of_node())); }

    step_memory<room> memory;  // first, where that beside a timer is, too
    wheel_service<Clock, context_executor<IoExecutor>>* service = nullptr;
    [[no_unique_address]] step_memory<one_at_a_time ? 0 : sizeof(wheel_node)> memory_of_node;

private:
    [[nodiscard]] void* place_of_node() noexcept { return one_at_a_time ? memory.get() : memory_of_node.get(); }
};

// For an operation with a time limit, a report, an observer, a budget, a circuit breaker or `jitter::decorrelated`.
struct retry_limits : schedule_extra {
    std::chrono::nanoseconds attempt_start{};

    // With a time limit. The memory above is then the timer's.
    alignas(attempt) std::byte current[sizeof(attempt)];
};

// For an operation that can be cancelled, or has a time limit.
template <class Operation>
struct retry_signal {
    retry_signal() noexcept = default;

    boost::asio::cancellation_signal attempt;
    boost::asio::cancellation_type cancelled = boost::asio::cancellation_type::none;
    cancel_proxy<Operation>* proxy = nullptr;
};

}  // namespace backbeat::detail

#endif
