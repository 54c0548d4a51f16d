//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_LAST_SECOND_HPP
#define BACKBEAT_DETAIL_LAST_SECOND_HPP

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ratio>

namespace backbeat::detail {

// Counts the events of the last second, lock-free.
//
// Time is cut into slices of 20 ms, and the slice of `now` and the 49 before it are counted: never an event that is a
// second old, always one that is younger than 980 ms.
//
// Each slot holds the number of its slice beside its count, in one word. So a slot that was left over from an earlier
// turn of the ring is recognised and passed over, or replaced by the first event of its new slice: nothing has to be
// cleared, by no thread in particular, and a thread that is held up between two steps can neither lose an event nor
// keep the others waiting. An event of a thread whose `now` lies a turn of the ring (1.28 s) behind the others' is
// counted as theirs.
//
// What the slices other than the present one have counted is kept until the slice changes, because adding them up takes
// 100 ns. An event of another slice makes that invalid; if it comes while another thread adds up, it may be missed for
// the rest of the slice. Up to 16 million events are counted.
class last_second {
public:
    void add(std::chrono::nanoseconds now) noexcept
    {
        auto const slice = slice_of(now);
        auto& slot = slots_[slice % slots_.size()];
        auto before = slot.load(std::memory_order_relaxed);
        for (;;) {
            auto after = before;
            if ((before & count_mask) == 0 || age(slice, before) > 0)
                after = slice << count_bits | 1;
            else if ((before & count_mask) != count_mask)
                ++after;
            if (slot.compare_exchange_weak(before, after, std::memory_order_relaxed)) break;
        }
        if (age(slice, others_.load(std::memory_order_relaxed)) != 0) others_.store(none, std::memory_order_relaxed);
    }

    [[nodiscard]] std::uint64_t count(std::chrono::nanoseconds now) const noexcept
    {
        auto const slice = slice_of(now);
        auto others = others_.load(std::memory_order_relaxed);
        if (others == none || age(slice, others) != 0) {
            others = slice << count_bits | count_others(slice);
            others_.store(others, std::memory_order_relaxed);
        }
        auto const present = slots_[slice % slots_.size()].load(std::memory_order_relaxed);
        return (others & count_mask) + (age(slice, present) == 0 ? present & count_mask : 0);
    }

private:
    static constexpr unsigned count_bits = 24;
    static constexpr std::uint64_t count_mask = (std::uint64_t{1} << count_bits) - 1;
    // Not a value of any slice: their counts are less.
    static constexpr auto none = (std::numeric_limits<std::uint64_t>::max)();
    static constexpr std::int64_t slices_a_second = 50;
    // A power of two, so that slot numbers go on in step where slice numbers wrap, at the clock's epoch among others.
    static constexpr std::size_t slots = 64;

    [[nodiscard]] static std::uint64_t slice_of(std::chrono::nanoseconds now) noexcept
    {
        using slice = std::chrono::duration<std::int64_t, std::ratio<1, slices_a_second>>;
        return static_cast<std::uint64_t>(std::chrono::floor<slice>(now).count());
    }

    // How many slices the value of a slot is behind, in the 40 bits that a slot has for them.
    [[nodiscard]] static std::int64_t age(std::uint64_t slice, std::uint64_t value) noexcept
    {
        auto const difference = (slice << count_bits) - (value & ~count_mask);
        return static_cast<std::int64_t>(difference) >> count_bits;
    }

    [[nodiscard]] std::uint64_t count_others(std::uint64_t slice) const noexcept
    {
        std::uint64_t result = 0;
        for (auto const& each : slots_) {
            auto const value = each.load(std::memory_order_relaxed);
            auto const behind = age(slice, value);
            // A slice of the future has a negative age: another thread's clock reading is a little ahead.
            if (behind != 0 && behind < slices_a_second) result += value & count_mask;
        }
        return (std::min)(result, count_mask - 1);
    }

    std::array<std::atomic<std::uint64_t>, slots> slots_{};
    mutable std::atomic<std::uint64_t> others_{none};
};

}  // namespace backbeat::detail

#endif
