//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_LEAKY_BUCKET_HPP
#define BACKBEAT_DETAIL_LEAKY_BUCKET_HPP

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace backbeat::detail {

// Twitter's leaky token bucket on top of its WindowedAdder, lock-free: a sum over ten windows of a tenth of `ttl` in
// whole milliseconds, the latest of which begins with the first call after the one before has ended.
// https://github.com/twitter/util/blob/develop/util-core/src/main/scala/com/twitter/util/TokenBucket.scala
// https://github.com/twitter/util/blob/develop/util-core/src/main/scala/com/twitter/util/WindowedAdder.scala
//
// The sum is kept beside the windows, so that a withdrawal can check it and lower it in one step. Whoever moves the
// windows on takes what expired out of its window and out of the sum, each amount once. There is an eleventh window,
// always the next one, which is emptied a whole window ahead: so that as long as calls come at least that often,
// nothing is put into a window that is being emptied, unless a thread is held up in between for a tenth of `ttl`.
class leaky_bucket {
public:
    leaky_bucket(std::chrono::nanoseconds ttl, std::int64_t reserve) noexcept
        : width_(std::chrono::duration_cast<std::chrono::milliseconds>(ttl).count() / counted), sum_(reserve)
    {}

    void put(std::int64_t amount, std::chrono::nanoseconds now) noexcept
    {
        auto& window = windows_[current_window(now)];
        window.fetch_add(amount, std::memory_order_relaxed);
        sum_.fetch_add(amount, std::memory_order_relaxed);
    }

    [[nodiscard]] bool try_get(std::int64_t amount, std::chrono::nanoseconds now) noexcept
    {
        auto& window = windows_[current_window(now)];
        auto before = sum_.load(std::memory_order_relaxed);
        do {
            if (before < amount) return false;
        } while (!sum_.compare_exchange_weak(before, before - amount, std::memory_order_relaxed));
        window.fetch_sub(amount, std::memory_order_relaxed);
        return true;
    }

    // Does not move the windows on: what is looked at does not change by it.
    [[nodiscard]] std::int64_t count(std::chrono::nanoseconds now) const noexcept
    {
        auto const state = state_.load(std::memory_order_relaxed);
        auto result = sum_.load(std::memory_order_relaxed);
        if (state == not_begun) return result;
        for (std::int64_t i = steps_to(now, state); i != 0; --i)
            result -= windows_[(window_in(state) + 1 + static_cast<std::size_t>(i)) % windows].load(
                std::memory_order_relaxed);
        return result;
    }

private:
    static constexpr std::int64_t counted = 10;
    static constexpr std::size_t windows = 11;
    static constexpr auto not_begun = (std::numeric_limits<std::int64_t>::min)();

    // When the latest window began and which one it is, in one word.
    [[nodiscard]] static std::int64_t state_of(std::int64_t begin, std::size_t window) noexcept
    {
        return begin * 16 + static_cast<std::int64_t>(window);
    }

    [[nodiscard]] static std::size_t window_in(std::int64_t state) noexcept
    {
        return static_cast<std::size_t>(state & 15);
    }

    [[nodiscard]] static std::int64_t begin_in(std::int64_t state) noexcept { return state >> 4; }

    [[nodiscard]] static std::int64_t milliseconds(std::chrono::nanoseconds now) noexcept
    {
        return std::chrono::floor<std::chrono::milliseconds>(now).count();
    }

    // By how many windows the latest one is behind; as many as are counted if it is more.
    [[nodiscard]] std::int64_t steps_to(std::chrono::nanoseconds now, std::int64_t state) const noexcept
    {
        return std::clamp<std::int64_t>((milliseconds(now) - begin_in(state)) / width_, 0, counted);
    }

    [[nodiscard]] std::size_t current_window(std::chrono::nanoseconds now) noexcept
    {
        auto state = state_.load(std::memory_order_relaxed);
        for (;;) {
            if (state == not_begun) {
                if (state_.compare_exchange_weak(state, state_of(milliseconds(now), 0), std::memory_order_relaxed))
                    return 0;
                continue;
            }
            auto const steps = steps_to(now, state);
            if (steps == 0) return window_in(state);
            auto const next = (window_in(state) + static_cast<std::size_t>(steps)) % windows;
            if (!state_.compare_exchange_weak(state, state_of(milliseconds(now), next), std::memory_order_relaxed))
                continue;
            for (std::int64_t i = steps; i != 0; --i) {
                auto& expired = windows_[(window_in(state) + 1 + static_cast<std::size_t>(i)) % windows];
                sum_.fetch_sub(expired.exchange(0, std::memory_order_relaxed), std::memory_order_relaxed);
            }
            return next;
        }
    }

    std::int64_t const width_;
    std::atomic<std::int64_t> state_{not_begun};
    std::atomic<std::int64_t> sum_;
    std::array<std::atomic<std::int64_t>, windows> windows_{};
};

}  // namespace backbeat::detail

#endif
