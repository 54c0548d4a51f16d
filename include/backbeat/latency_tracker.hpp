//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_LATENCY_TRACKER_HPP
#define BACKBEAT_LATENCY_TRACKER_HPP

#include <backbeat/config.hpp>
#include <backbeat/detail/checked_options.hpp>
#include <backbeat/latency_tracker_options.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace backbeat {

/**
 * \brief Remembers how long answers took lately, and tells their quantiles.
 * \details
 * For `hedge_options::latency`, which adds to it and asks it. Whoever sends such requests without hedging can add to
 * it, too.
 *
 * Durations are counted in buckets on a logarithmic scale, eight to each power of two, between 1 us and 18 min; what
 * lies outside counts as the nearest. A quantile is off by at most 1/16 of its value
 * (https://www.hdrhistogram.org has the idea). Time is cut into windows, and the current one and the one before it
 * are what a quantile is taken of: so it follows a server that becomes slower or faster within two windows.
 *
 * \par What to record
 * A tracker that knows only the answers that were waited for learns that all answers are quick: the slow ones are
 * those that a hedge overtook. The delay would shrink, more attempts would be overtaken, and so on, until everything
 * is sent twice. So `async_hedge` records first attempts only, which nothing selected, and records one that was given
 * up for the time that it had run, if that was at least the delay: it would have taken longer still. What was given up
 * before says nothing, and is not recorded, and neither are failures.
 *
 * \par Memory
 * About 4 KB, of fixed size. Nothing is allocated.
 *
 * \par Time
 * `now` is the time since the epoch of the operations' clock. Operations that share a tracker must share a clock.
 * Between threads it may go back a little.
 *
 * \par Thread safety
 * Safe, and lock-free. A quantile that is taken while others record may or may not contain their samples.
 */
class latency_tracker {
public:
    /**
     * \brief Makes a tracker without samples.
     * \throws boost::system::system_error with what `validate(options)` returns, if that is an error.
     */
    explicit latency_tracker(latency_tracker_options const& options = {}) : options_(detail::checked(options)) {}

    latency_tracker(latency_tracker const&) = delete;
    latency_tracker& operator=(latency_tracker const&) = delete;
    ~latency_tracker() = default;

    /// Adds how long an answer took that came at the time `now`.
    void record(std::chrono::nanoseconds latency, std::chrono::nanoseconds now) noexcept
    {
        auto const window = window_of(now);
        auto& bucket = halves_[window % halves_.size()][bucket_of(latency)];
        auto before = bucket.load(std::memory_order_relaxed);
        for (;;) {
            auto after = before;
            if ((before & count_mask) == 0 || age(window, before) > 0)
                after = window << count_bits | 1;
            else if ((before & count_mask) != count_mask)
                ++after;
            if (bucket.compare_exchange_weak(before, after, std::memory_order_relaxed)) return;
        }
    }

    /**
     * \brief Returns the latency that the share `q` of the samples did not exceed.
     * \details
     * Empty if there are fewer than `minimum_samples` samples, or fewer than 1/(1 - q): then there is none to be
     * expected beyond the quantile, so it would be no more than the largest of a few.
     *
     * \par Preconditions
     * 0 < q < 1.
     */
    [[nodiscard]] std::optional<std::chrono::nanoseconds> quantile(
        double q, std::chrono::nanoseconds now) const noexcept
    {
        auto const window = window_of(now);
        std::array<std::uint64_t, buckets> counts{};
        std::uint64_t total = 0;
        for (auto const& each : halves_) {
            for (std::size_t i = 0; i != buckets; ++i) {
                auto const value = each[i].load(std::memory_order_relaxed);
                // A window of the future has a negative age: another thread's clock reading is a little ahead.
                if (age(window, value) > 1) continue;
                counts[i] += value & count_mask;
                total += value & count_mask;
            }
        }
        // The product may come out a little below 1 where it should be 1.
        if (total < options_.minimum_samples || static_cast<double>(total) * (1 - q) < 0.999999) return std::nullopt;

        auto const rank =
            std::max(std::uint64_t{1}, static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(total))));
        std::size_t i = 0;
        for (auto seen = counts[0]; seen < rank && i != buckets - 1; seen += counts[i]) ++i;
        return middle_of(i);
    }

private:
    static constexpr int least_exponent = 10;  // 2^10 ns
    static constexpr int exponents = 30;
    static constexpr int part_bits = 3;
    static constexpr std::size_t parts = std::size_t{1} << part_bits;
    static constexpr std::size_t buckets = exponents * parts;

    // A bucket holds the number of its window beside its count, in one word. So one that was left over from an earlier
    // window is recognised, and passed over or replaced: nothing has to be cleared, by no thread in particular, and a
    // thread that is held up between two steps can neither lose samples nor keep the others waiting.
    static constexpr unsigned count_bits = 24;
    static constexpr std::uint64_t count_mask = (std::uint64_t{1} << count_bits) - 1;

    [[nodiscard]] std::uint64_t window_of(std::chrono::nanoseconds now) const noexcept
    {
        // Rounded down also before the clock's epoch. The halves go on in turns there, because 2^64 is even.
        auto const past = now % options_.window;
        return static_cast<std::uint64_t>(now / options_.window - (past.count() < 0 ? 1 : 0));
    }

    // How many windows the value of a bucket is behind, in the 40 bits that it has for them.
    [[nodiscard]] static std::int64_t age(std::uint64_t window, std::uint64_t value) noexcept
    {
        auto const difference = (window << count_bits) - (value & ~count_mask);
        return static_cast<std::int64_t>(difference) >> count_bits;
    }

    [[nodiscard]] static std::size_t bucket_of(std::chrono::nanoseconds latency) noexcept
    {
        constexpr std::int64_t least = std::int64_t{1} << least_exponent;
        constexpr std::int64_t greatest = (std::int64_t{1} << (least_exponent + exponents)) - 1;
        auto const value = static_cast<std::uint64_t>(std::clamp(std::int64_t{latency.count()}, least, greatest));
        auto const exponent = static_cast<int>(std::bit_width(value)) - 1;
        auto const part = (value >> (exponent - part_bits)) % parts;
        return static_cast<std::size_t>(exponent - least_exponent) * parts + part;
    }

    [[nodiscard]] static std::chrono::nanoseconds middle_of(std::size_t bucket) noexcept
    {
        auto const exponent = least_exponent + static_cast<int>(bucket / parts);
        auto const least = static_cast<std::int64_t>(parts + bucket % parts) << (exponent - part_bits);
        auto const width = std::int64_t{1} << (exponent - part_bits);
        return std::chrono::nanoseconds(least + width / 2);
    }

    using half = std::array<std::atomic<std::uint64_t>, buckets>;

    latency_tracker_options options_;
    std::array<half, 2> halves_{};
};

}  // namespace backbeat

#endif
