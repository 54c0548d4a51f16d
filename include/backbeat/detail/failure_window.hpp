//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_FAILURE_WINDOW_HPP
#define BACKBEAT_DETAIL_FAILURE_WINDOW_HPP

#include <array>
#include <chrono>
#include <cstdint>
#include <limits>

namespace backbeat::detail {

// Counts attempts and failures of the recent past in sixteen steps of time. A time before the latest one that was added
// counts as that one. Sixteen is a power of two, so that a step's place is right on both sides of the clock's epoch.
class failure_window {
public:
    struct totals {
        std::uint64_t attempts = 0;
        std::uint64_t failures = 0;
    };

    explicit failure_window(std::chrono::nanoseconds length) noexcept
        : width_((length.count() - 1) / std::int64_t{steps} + 1)
    {}

    void clear() noexcept { places_ = {}; }

    void add(bool failed, std::chrono::nanoseconds now) noexcept
    {
        auto& current = place_of(now);
        ++current.counts.attempts;
        if (failed) ++current.counts.failures;
    }

    // Of the window that ends with the latest attempt added.
    [[nodiscard]] totals recent() const noexcept
    {
        totals result;
        for (auto const& each : places_) {
            // No step is later than the latest, and unsigned, so that the distance between any two times fits.
            if (static_cast<std::uint64_t>(latest_) - static_cast<std::uint64_t>(each.step) >= steps) continue;
            result.attempts += each.counts.attempts;
            result.failures += each.counts.failures;
        }
        return result;
    }

private:
    static constexpr std::uint8_t steps = 16;

    struct place {
        std::int64_t step = 0;
        totals counts;
    };

    [[nodiscard]] place& place_of(std::chrono::nanoseconds now) noexcept
    {
        auto const time = now.count();
        auto const step = time / width_ - (time % width_ < 0 ? 1 : 0);
        if (step > latest_) latest_ = step;
        auto& result = places_[static_cast<std::uint64_t>(latest_) % steps];
        if (result.step != latest_) result = {latest_, {}};
        return result;
    }

    std::array<place, steps> places_{};
    std::int64_t width_;
    std::int64_t latest_ = (std::numeric_limits<std::int64_t>::min)();
};

}  // namespace backbeat::detail

#endif
