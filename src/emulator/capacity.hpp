//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_CAPACITY_HPP
#define BACKBEAT_SRC_EMULATOR_CAPACITY_HPP

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace backbeat::emulation {

// A server that begins so many requests a second at most, one after the other: those that come in between wait in a
// queue, in their order, and those that find the queue full are turned away. It has no clock and no timer: it says at
// once how long a request is to wait.
class capacity {
public:
    using time_point = std::chrono::steady_clock::time_point;
    static constexpr std::uint64_t maximum_rate = 1'000'000;

    // A rate of zero: everything begins at once.
    capacity(std::uint64_t rate, std::uint64_t queue_limit) noexcept
        : interval_(rate == 0 ? 0 : (1'000'000'000 + rate / 2) / rate), queue_limit_(queue_limit)
    {}

    // How long the request waits in the queue. Empty: the queue is full.
    std::optional<std::chrono::nanoseconds> enter(time_point now) noexcept
    {
        if (!limited()) return std::chrono::nanoseconds::zero();
        auto const wait = (std::max)(std::chrono::nanoseconds(next_ - now), std::chrono::nanoseconds::zero());
        auto const ahead = queued(now);
        if (wait > wait.zero() && ahead >= queue_limit_) {
            ++refused_;
            return std::nullopt;
        }
        next_ = (std::max)(next_, now) + interval_;
        if (wait > wait.zero()) longest_ = (std::max)(longest_, ahead + 1);
        return wait;
    }

    // How many requests are waiting.
    [[nodiscard]] std::uint64_t queued(time_point now) const noexcept
    {
        // The next place is one interval behind the last request that has one.
        auto const until_last = next_ - interval_ - now;
        if (!limited() || until_last <= until_last.zero()) return 0;
        return static_cast<std::uint64_t>((until_last - std::chrono::nanoseconds(1)) / interval_) + 1;
    }

    void clear() noexcept { *this = capacity(*this, fresh()); }

    [[nodiscard]] bool limited() const noexcept { return interval_.count() != 0; }
    [[nodiscard]] std::uint64_t queue_limit() const noexcept { return queue_limit_; }
    [[nodiscard]] std::uint64_t longest_queue() const noexcept { return longest_; }
    [[nodiscard]] std::uint64_t refused() const noexcept { return refused_; }

private:
    struct fresh {};
    capacity(capacity const& other, fresh) noexcept : interval_(other.interval_), queue_limit_(other.queue_limit_) {}

    std::chrono::nanoseconds interval_;
    std::uint64_t queue_limit_;

    // When the next request can begin.
    time_point next_{};
    std::uint64_t longest_ = 0;
    std::uint64_t refused_ = 0;
};

}  // namespace backbeat::emulation

#endif
