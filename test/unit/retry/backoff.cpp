//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "random_sources.hpp"

#include <backbeat/backoff.hpp>
#include <backbeat/retry_options.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using namespace backbeat;
using namespace backbeat::test;
using namespace std::chrono_literals;

namespace {

constexpr auto longest = (std::chrono::nanoseconds::max)();
constexpr auto last_retry = (std::numeric_limits<std::uint32_t>::max)();

// Google's formula written out for maximum_backoff = 64 s: milliseconds before retry n with the random number of
// milliseconds at 0, 500 and 1000.
constexpr std::array<std::array<std::int64_t, 3>, 41> documented_milliseconds{{
    {1'000, 1'500, 2'000},  // n = 0
    {2'000, 2'500, 3'000},  // n = 1
    {4'000, 4'500, 5'000},  // n = 2
    {8'000, 8'500, 9'000},  // n = 3
    {16'000, 16'500, 17'000},  // n = 4
    {32'000, 32'500, 33'000},  // n = 5
    {64'000, 64'000, 64'000},  // n = 6: the cap applies to the sum
    {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000},
    {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000},
    {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000},
    {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000},
    {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000},
    {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000},
    {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000},
    {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000},
    {64'000, 64'000, 64'000}, {64'000, 64'000, 64'000}  // n = 40
}};

// 2^n s in nanoseconds, as long as that fits in 63 bits, computed with arbitrary precision.
constexpr std::array<std::int64_t, 34> powers_of_two_seconds{
    1'000'000'000,
    2'000'000'000,
    4'000'000'000,
    8'000'000'000,
    16'000'000'000,
    32'000'000'000,
    64'000'000'000,
    128'000'000'000,
    256'000'000'000,
    512'000'000'000,
    1'024'000'000'000,
    2'048'000'000'000,
    4'096'000'000'000,
    8'192'000'000'000,
    16'384'000'000'000,
    32'768'000'000'000,
    65'536'000'000'000,
    131'072'000'000'000,
    262'144'000'000'000,
    524'288'000'000'000,
    1'048'576'000'000'000,
    2'097'152'000'000'000,
    4'194'304'000'000'000,
    8'388'608'000'000'000,
    16'777'216'000'000'000,
    33'554'432'000'000'000,
    67'108'864'000'000'000,
    134'217'728'000'000'000,
    268'435'456'000'000'000,
    536'870'912'000'000'000,
    1'073'741'824'000'000'000,
    2'147'483'648'000'000'000,
    4'294'967'296'000'000'000,
    8'589'934'592'000'000'000};

std::int64_t wait(retry_options const& options, std::uint32_t retry, std::uint64_t random, bool throttled = false)
{
    EXPECT_FALSE(validate(options)) << validate(options).message();
    return ns(backoff(options, retry, random, throttled));
}

}  // namespace

TEST(backoff, is_the_documented_formula_for_0_500_and_1000_random_milliseconds)
{
    for (std::uint32_t n = 0; n <= 40; ++n) {
        SCOPED_TRACE(n);
        EXPECT_EQ(wait({}, n, no_jitter), documented_milliseconds[n][0] * 1'000'000);
        EXPECT_EQ(wait({}, n, half_jitter), documented_milliseconds[n][1] * 1'000'000);
        EXPECT_EQ(wait({}, n, all_jitter), documented_milliseconds[n][2] * 1'000'000);
    }
}

TEST(backoff, caps_the_sum_and_not_the_power)
{
    retry_options const at_32_s{.maximum_backoff = 32s};
    EXPECT_EQ(wait(at_32_s, 4, all_jitter), 17'000'000'000);
    EXPECT_EQ(wait(at_32_s, 5, no_jitter), 32'000'000'000);
    EXPECT_EQ(wait(at_32_s, 5, all_jitter), 32'000'000'000);

    retry_options const between{.maximum_backoff = 4'600ms};
    EXPECT_EQ(wait(between, 2, no_jitter), 4'000'000'000);
    EXPECT_EQ(wait(between, 2, half_jitter), 4'500'000'000);
    EXPECT_EQ(wait(between, 2, all_jitter), 4'600'000'000);
    EXPECT_EQ(wait(between, 3, no_jitter), 4'600'000'000);
}

TEST(backoff, is_exact_up_to_the_longest_duration)
{
    retry_options const uncapped{.maximum_backoff = longest};
    for (std::uint32_t n = 0; n != powers_of_two_seconds.size(); ++n) {
        SCOPED_TRACE(n);
        EXPECT_EQ(wait(uncapped, n, no_jitter), powers_of_two_seconds[n]);
        EXPECT_EQ(wait(uncapped, n, half_jitter), powers_of_two_seconds[n] + 500'000'000);
        EXPECT_EQ(wait(uncapped, n, all_jitter), powers_of_two_seconds[n] + 1'000'000'000);
    }
    for (std::uint32_t const n : {34u, 35u, 40u, 62u, 63u, 64u, 1'023u, 1'024u, 0x7fffffffu, 0x80000000u, last_retry}) {
        SCOPED_TRACE(n);
        EXPECT_EQ(wait(uncapped, n, no_jitter), ns(longest));
        EXPECT_EQ(wait(uncapped, n, all_jitter), ns(longest));
    }
}

TEST(backoff, grows_by_the_multiplier)
{
    retry_options options{.initial_backoff = 250ms, .multiplier = 1.5, .jitter = jitter::none};
    constexpr std::array<std::int64_t, 16> by_one_and_a_half{
        250'000'000,
        375'000'000,
        562'500'000,
        843'750'000,
        1'265'625'000,
        1'898'437'500,
        2'847'656'250,
        4'271'484'375,
        6'407'226'562,
        9'610'839'843,
        14'416'259'765,
        21'624'389'648,
        32'436'584'472,
        48'654'876'708,
        64'000'000'000,
        64'000'000'000};
    for (std::uint32_t n = 0; n != by_one_and_a_half.size(); ++n)
        EXPECT_EQ(wait(options, n, all_jitter), by_one_and_a_half[n]) << n;

    options.multiplier = 3;
    constexpr std::array<std::int64_t, 8> by_three{
        250'000'000,
        750'000'000,
        2'250'000'000,
        6'750'000'000,
        20'250'000'000,
        60'750'000'000,
        64'000'000'000,
        64'000'000'000};
    for (std::uint32_t n = 0; n != by_three.size(); ++n) EXPECT_EQ(wait(options, n, all_jitter), by_three[n]) << n;

    options.multiplier = 1;
    for (std::uint32_t const n : {0u, 1u, 40u, last_retry}) EXPECT_EQ(wait(options, n, all_jitter), 250'000'000) << n;

    options.multiplier = 1e308;
    EXPECT_EQ(wait(options, 0, all_jitter), 250'000'000);
    EXPECT_EQ(wait(options, 1, all_jitter), 64'000'000'000);
    EXPECT_EQ(wait(options, last_retry, all_jitter), 64'000'000'000);
}

TEST(backoff, saturates_for_the_smallest_and_the_largest_options)
{
    // Zero stays zero: not even an infinite power of the multiplier makes a NaN of it.
    retry_options const from_zero{
        .initial_backoff = 0s, .multiplier = 1e308, .maximum_backoff = longest, .maximum_jitter = 7ns};
    for (std::uint32_t const n : {0u, 1u, 2u, 40u, last_retry}) {
        EXPECT_EQ(wait(from_zero, n, no_jitter), 0) << n;
        EXPECT_EQ(wait(from_zero, n, all_jitter), 7) << n;
    }
    retry_options const all_zero{.initial_backoff = 0s, .maximum_backoff = 0s};
    EXPECT_EQ(wait(all_zero, 0, all_jitter), 0);
    EXPECT_EQ(wait(all_zero, last_retry, all_jitter), 0);

    retry_options const smallest{
        .initial_backoff = 1ns, .multiplier = 1e308, .maximum_backoff = longest, .jitter = jitter::none};
    EXPECT_EQ(wait(smallest, 0, no_jitter), 1);
    EXPECT_EQ(wait(smallest, 1, no_jitter), ns(longest));

    for (double const multiplier : {1.0, 2.0, 1e308}) {
        retry_options const largest{.initial_backoff = longest, .multiplier = multiplier, .maximum_backoff = longest};
        for (std::uint32_t const n : {0u, 1u, 40u, last_retry}) {
            EXPECT_EQ(wait(largest, n, no_jitter), ns(longest)) << n;
            EXPECT_EQ(wait(largest, n, half_jitter), ns(longest)) << n;
            EXPECT_EQ(wait(largest, n, all_jitter), ns(longest)) << n;
        }
    }

    retry_options const all_in_the_jitter{.initial_backoff = 0s, .maximum_backoff = longest, .maximum_jitter = longest};
    EXPECT_EQ(wait(all_in_the_jitter, 0, no_jitter), 0);
    EXPECT_EQ(wait(all_in_the_jitter, 0, half_jitter), std::int64_t{1} << 62);
    EXPECT_EQ(wait(all_in_the_jitter, 0, all_jitter), ns(longest));

    // A cap that no double can hold is not exceeded by rounding.
    retry_options const odd_cap{.initial_backoff = 1ns, .maximum_backoff = longest - 1ns, .jitter = jitter::none};
    EXPECT_EQ(wait(odd_cap, 62, no_jitter), std::int64_t{1} << 62);
    EXPECT_EQ(wait(odd_cap, 63, no_jitter), ns(longest) - 1);
}

TEST(backoff, creeps_with_a_multiplier_that_is_hardly_above_one)
{
    retry_options const options{
        .initial_backoff = 1s, .multiplier = 1 + 1e-10, .maximum_backoff = longest, .jitter = jitter::none};
    // The power of the double that 1 + 1e-10 is, computed with 40 decimal digits, in nanoseconds.
    EXPECT_NEAR(static_cast<double>(wait(options, last_retry, no_jitter)), 1'536'484'116.0, 500.0);
}

TEST(backoff, adds_at_most_the_maximum_jitter)
{
    retry_options const options{.maximum_jitter = 10ms};
    EXPECT_EQ(wait(options, 1, no_jitter), 2'000'000'000);
    EXPECT_EQ(wait(options, 1, half_jitter), 2'005'000'000);
    EXPECT_EQ(wait(options, 1, all_jitter), 2'010'000'000);

    retry_options const none_added{.maximum_jitter = 0s};
    EXPECT_EQ(wait(none_added, 1, all_jitter), 2'000'000'000);

    retry_options const more_than_the_cap{.maximum_jitter = 1h};
    EXPECT_EQ(wait(more_than_the_cap, 0, no_jitter), 1'000'000'000);
    EXPECT_EQ(wait(more_than_the_cap, 0, all_jitter), 64'000'000'000);
}

TEST(backoff, has_the_initial_backoff_as_jitter_where_none_is_given)
{
    retry_options const options{.initial_backoff = 100ms};
    EXPECT_EQ(wait(options, 0, half_jitter), 150'000'000);
    EXPECT_EQ(wait(options, 3, all_jitter), 900'000'000);

    retry_options const slower_when_throttled{.initial_backoff = 100ms, .throttled_backoff = 5s};
    EXPECT_EQ(wait(slower_when_throttled, 0, all_jitter, true), 5'100'000'000);
}

TEST(backoff, without_jitter_ignores_the_random_number_and_the_maximum_jitter)
{
    retry_options const options{.maximum_jitter = 10s, .jitter = jitter::none};
    for (std::uint32_t n = 0; n <= 40; ++n) {
        EXPECT_EQ(wait(options, n, no_jitter), documented_milliseconds[n][0] * 1'000'000) << n;
        EXPECT_EQ(wait(options, n, all_jitter), documented_milliseconds[n][0] * 1'000'000) << n;
    }
}

TEST(backoff, starts_from_the_throttled_backoff_after_a_throttled_attempt)
{
    retry_options options{.jitter = jitter::none, .throttled_backoff = 5s};
    EXPECT_EQ(wait(options, 0, 0, false), 1'000'000'000);
    EXPECT_EQ(wait(options, 0, 0, true), 5'000'000'000);
    EXPECT_EQ(wait(options, 2, 0, true), 20'000'000'000);
    EXPECT_EQ(wait(options, 4, 0, true), 64'000'000'000);

    options.throttled_backoff = 0s;
    EXPECT_EQ(wait(options, 2, 0, true), 0);

    options.throttled_backoff.reset();
    EXPECT_EQ(wait(options, 2, 0, true), 4'000'000'000);
}

TEST(backoff, below_a_millisecond_is_not_truncated)
{
    retry_options const microseconds{.initial_backoff = 1'500ns, .maximum_jitter = 333ns};
    EXPECT_EQ(wait(microseconds, 0, no_jitter), 1'500);
    EXPECT_EQ(wait(microseconds, 0, half_jitter), 1'667);
    EXPECT_EQ(wait(microseconds, 0, all_jitter), 1'833);
    EXPECT_EQ(wait(microseconds, 3, no_jitter), 12'000);

    retry_options const one{.initial_backoff = 1ns};
    EXPECT_EQ(wait(one, 0, no_jitter), 1);
    EXPECT_EQ(wait(one, 0, half_jitter - 1), 1);
    EXPECT_EQ(wait(one, 0, half_jitter), 2);
    EXPECT_EQ(wait(one, 10, no_jitter), 1'024);
}

TEST(backoff, never_leaves_its_bounds_for_any_retry_and_any_options)
{
    std::mt19937_64 random(20'260'101);
    auto const any_duration = [&](std::int64_t limit) {
        auto const bits = random() % 64;
        return static_cast<std::int64_t>(random() >> (63 - bits) >> 1) % limit;
    };
    for (int i = 0; i != 100'000; ++i) {
        retry_options options;
        options.maximum_backoff = std::chrono::nanoseconds(any_duration(ns(longest)) + 1);
        options.initial_backoff = std::chrono::nanoseconds(any_duration(ns(options.maximum_backoff)));
        options.throttled_backoff = std::chrono::nanoseconds(any_duration(ns(options.maximum_backoff)));
        options.maximum_jitter = std::chrono::nanoseconds(any_duration(ns(longest)));
        options.multiplier =
            i % 3 == 0 ? 1 + 1 / static_cast<double>(random() | 1) : 1 + static_cast<double>(random() % 4'000) / 1'000;
        if (i % 5 == 0) options.jitter = jitter::none;
        auto const n = static_cast<std::uint32_t>(random() >> (32 + random() % 32));
        auto const throttled = random() % 2 == 0;
        ASSERT_FALSE(validate(options)) << validate(options).message();

        auto const initial = throttled ? *options.throttled_backoff : options.initial_backoff;
        auto const least = backoff(options, n, no_jitter, throttled);
        auto const some = backoff(options, n, random(), throttled);
        auto const most = backoff(options, n, all_jitter, throttled);
        // The power is computed in floating point, which may lose the last bits of what exceeds 2^53 ns (104 days).
        ASSERT_GE(ns(least), static_cast<std::int64_t>(static_cast<double>(ns(initial)) * (1 - 1e-9)));
        ASSERT_LE(ns(least), ns(some));
        ASSERT_LE(ns(some), ns(most));
        ASSERT_LE(ns(most), ns(options.maximum_backoff));
        ASSERT_LE(ns(most - least), ns(*options.maximum_jitter));
    }
}

TEST(backoff, with_full_jitter_is_anything_up_to_the_whole)
{
    retry_options const full{.maximum_backoff = 20s, .jitter = jitter::full};
    for (std::uint32_t n = 0; n != 8; ++n) {
        SCOPED_TRACE(n);
        auto const whole = (std::min)(std::int64_t{1'000'000'000} << n, std::int64_t{20'000'000'000});
        EXPECT_EQ(wait(full, n, no_jitter), 0);
        EXPECT_EQ(wait(full, n, half_jitter), whole / 2);
        EXPECT_EQ(wait(full, n, all_jitter), whole);
    }
    EXPECT_EQ(wait({.initial_backoff = 0s, .jitter = jitter::full}, 5, all_jitter), 0);
}

TEST(backoff, with_equal_jitter_is_half_fixed_and_half_random)
{
    retry_options const equal{.maximum_backoff = 20s, .jitter = jitter::equal};
    for (std::uint32_t n = 0; n != 8; ++n) {
        SCOPED_TRACE(n);
        auto const whole = (std::min)(std::int64_t{1'000'000'000} << n, std::int64_t{20'000'000'000});
        EXPECT_EQ(wait(equal, n, no_jitter), whole / 2);
        EXPECT_EQ(wait(equal, n, half_jitter), whole / 4 * 3);
        EXPECT_EQ(wait(equal, n, all_jitter), whole);
    }
    // An odd number of nanoseconds loses none.
    retry_options const odd{.initial_backoff = 5ns, .multiplier = 1, .jitter = jitter::equal};
    EXPECT_EQ(wait(odd, 0, no_jitter), 3);
    EXPECT_EQ(wait(odd, 0, all_jitter), 5);
}

TEST(backoff, with_decorrelated_jitter_grows_from_the_wait_before)
{
    retry_options const options{.maximum_backoff = 20s, .jitter = jitter::decorrelated};
    auto const after = [&](std::chrono::nanoseconds previous, std::uint64_t random, bool throttled = false) {
        return backoff(options, 7, random, throttled, previous);
    };
    EXPECT_EQ(after(0s, no_jitter), 1s);
    EXPECT_EQ(after(0s, half_jitter), 2s);
    EXPECT_EQ(after(0s, all_jitter), 3s);
    EXPECT_EQ(after(3s, no_jitter), 1s);
    EXPECT_EQ(after(3s, all_jitter), 9s);
    // The cap is inside the bound: halfway to it is still possible.
    EXPECT_EQ(after(9s, half_jitter), 10'500ms);
    EXPECT_EQ(after(9s, all_jitter), 20s);
    EXPECT_EQ(after(longest, all_jitter), 20s);
    // The multiplier plays no part in it, nor does the number of the retry.
    EXPECT_EQ(backoff({.multiplier = 9, .jitter = jitter::decorrelated}, 0, all_jitter, false, 2s), 6s);

    retry_options const throttled{.jitter = jitter::decorrelated, .throttled_backoff = 4s};
    EXPECT_EQ(backoff(throttled, 0, no_jitter, true, 1s), 4s);
    EXPECT_EQ(backoff(throttled, 0, all_jitter, true, 1s), 12s);
    EXPECT_EQ(backoff(throttled, 0, no_jitter, false, 12s), 1s);
}

TEST(backoff, with_decorrelated_jitter_and_equal_bounds_is_that_bound)
{
    retry_options const options{.initial_backoff = 5s, .maximum_backoff = 5s, .jitter = jitter::decorrelated};
    for (auto const random : {no_jitter, half_jitter, all_jitter}) EXPECT_EQ(wait(options, 3, random), 5'000'000'000);
    retry_options const nothing{.initial_backoff = 0s, .maximum_backoff = 0s, .jitter = jitter::decorrelated};
    EXPECT_EQ(wait(nothing, 3, all_jitter), 0);
    retry_options const from_nothing{.initial_backoff = 0s, .maximum_backoff = 2ns, .jitter = jitter::decorrelated};
    EXPECT_EQ(wait(from_nothing, 3, all_jitter), 0);
}

// The documented formula loses its jitter at the cap, and says so; these three keep theirs.
TEST(backoff, keeps_its_jitter_at_the_cap_with_full_equal_and_decorrelated)
{
    for (auto const kind : {jitter::full, jitter::equal, jitter::decorrelated}) {
        retry_options const options{.maximum_backoff = 8s, .jitter = kind};
        auto const least = backoff(options, last_retry, no_jitter, false, 8s);
        auto const most = backoff(options, last_retry, all_jitter, false, 8s);
        EXPECT_EQ(most, 8s);
        EXPECT_GE(most - least, 4s);
    }
    EXPECT_EQ(
        wait({.maximum_backoff = 8s}, last_retry, no_jitter), wait({.maximum_backoff = 8s}, last_retry, all_jitter));
}

TEST(backoff, of_every_jitter_stays_in_its_bounds_for_any_retry_and_any_options)
{
    std::mt19937_64 random(20'261'121);
    auto const below = [&](std::int64_t limit) {
        return std::chrono::nanoseconds(static_cast<std::int64_t>(random() >> (random() % 63 + 1)) % limit);
    };
    for (int i = 0; i != 100'000; ++i) {
        retry_options options;
        options.maximum_backoff = below(ns(longest)) + 1ns;
        options.initial_backoff = below(ns(options.maximum_backoff));
        options.throttled_backoff = below(ns(options.maximum_backoff));
        options.multiplier =
            i % 7 == 0 ? std::numeric_limits<double>::max() : 1 + static_cast<double>(random() % 4'000) / 1'000;
        auto const n = static_cast<std::uint32_t>(random() >> (32 + random() % 32));
        auto const throttled = random() % 2 == 0;
        auto const previous = below(ns(options.maximum_backoff));
        auto const initial = throttled ? *options.throttled_backoff : options.initial_backoff;
        for (auto const kind : {jitter::full, jitter::equal, jitter::decorrelated}) {
            options.jitter = kind;
            ASSERT_FALSE(validate(options)) << validate(options).message();
            auto const least = backoff(options, n, no_jitter, throttled, previous);
            auto const some = backoff(options, n, random(), throttled, previous);
            auto const most = backoff(options, n, all_jitter, throttled, previous);
            ASSERT_GE(ns(least), kind == jitter::decorrelated ? ns(initial) : 0);
            ASSERT_LE(ns(least), ns(some));
            ASSERT_LE(ns(some), ns(most));
            ASSERT_LE(ns(most), ns(options.maximum_backoff));
        }
    }
}
