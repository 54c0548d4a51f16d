//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_BACKOFF_HPP
#define BACKBEAT_BACKOFF_HPP

#include <backbeat/config.hpp>
#include <backbeat/detail/random.hpp>
#include <backbeat/detail/saturating.hpp>
#include <backbeat/retry_options.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>

namespace backbeat {

namespace detail {

// min(b m^n, cap)
[[nodiscard]] inline std::chrono::nanoseconds exponential_backoff(
    std::chrono::nanoseconds initial, double multiplier, std::uint32_t retry, std::chrono::nanoseconds cap) noexcept
{
    if (initial.count() == 0 || retry == 0 || !(multiplier > 1)) return (std::min)(initial, cap);
    // Doubling is what nearly everybody does, and needs no `pow`.
    auto const growth =
        multiplier == 2 && retry < 63 ? static_cast<double>(std::int64_t{1} << retry) : std::pow(multiplier, retry);
    auto const product = static_cast<double>(initial.count()) * growth;
    // Written so that infinity takes the cap. A product below the cap fits in 64 bits.
    return product < static_cast<double>(cap.count()) ? std::chrono::nanoseconds(static_cast<std::int64_t>(product))
                                                      : cap;
}

}  // namespace detail

/**
 * \brief Returns how long to wait before retry number `retry`, before any hint of the server is considered.
 * \details
 * With b = `initial_backoff` (`throttled_backoff` after a throttled attempt), m = `multiplier`, n = `retry`,
 * j = `maximum_jitter`, cap = `maximum_backoff`, and U[x, y] uniform with both ends included:
 *
 * | `jitter` | wait | choose it |
 * | --- | --- | --- |
 * | `additive` | min(b m^n + U[0, j], cap) | to follow Google's page to the letter |
 * | `full` | U[0, min(b m^n, cap)] | for many clients of one server: fewest calls in all |
 * | `equal` | v/2 + U[0, v/2], v = min(b m^n, cap) | where a retry must not come at once, as after throttling |
 * | `decorrelated` | U[b, min(cap, 3 previous)], at least b; at first previous = b | for the best spread |
 * | `none` | min(b m^n, cap) | for tests, and where one client has the server to itself |
 *
 * With the defaults `additive` is Google's documented formula, min(2^n s + random_number_milliseconds,
 * maximum_backoff), whose random number is at most 1000, ends included
 * (https://cloud.google.com/memorystore/docs/redis/exponential-backoff). Its cap applies to the sum, so no jitter is
 * left once it is reached: a crowd of clients at the cap spreads no further. The other three go on spreading, because
 * the cap is inside the random bound. `full`, `equal` and `decorrelated` are those of the AWS Architecture Blog
 * (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/), whose `decorrelated` however cuts off
 * after the random number is drawn, and so piles up at the cap.
 *
 * The arithmetic saturates: there is no overflow, no negative wait and no NaN for any retry number.
 *
 * \par Preconditions
 * `validate(options)` returns no error.
 *
 * \param options The retry options.
 * \param retry The number of the retry, from 0.
 * \param random A number that is uniform in all its 64 bits. 0 stands for no jitter, the largest for all of it.
 * \param throttled Whether the attempt before was throttled.
 * \param previous For `jitter::decorrelated`: what this function returned for the retry before. Zero at first.
 */
[[nodiscard]] inline std::chrono::nanoseconds backoff(
    retry_options const& options,
    std::uint32_t retry,
    std::uint64_t random,
    bool throttled = false,
    std::chrono::nanoseconds previous = std::chrono::nanoseconds(0)) noexcept
{
    auto const cap = options.maximum_backoff;
    auto const initial =
        throttled ? options.throttled_backoff.value_or(options.initial_backoff) : options.initial_backoff;
    auto const whole = detail::exponential_backoff(initial, options.multiplier, retry, cap);

    switch (options.jitter) {
    case jitter::none: break;
    case jitter::additive: {
        auto const bound = options.maximum_jitter.value_or(options.initial_backoff);
        return (std::min)(detail::saturating_add(whole, detail::scale_random(random, bound)), cap);
    }
    case jitter::full: return detail::scale_random(random, whole);
    case jitter::equal: return whole - whole / 2 + detail::scale_random(random, whole / 2);
    case jitter::decorrelated: {
        auto const before = (std::max)(previous, initial);
        auto const upper = before <= cap / 3 ? before * 3 : cap;
        return initial + detail::scale_random(random, upper - initial);
    }
    }
    return whole;
}

}  // namespace backbeat

#endif
