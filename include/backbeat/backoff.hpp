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

/**
 * \brief Returns how long to wait before retry number `retry`, before any hint of the server is considered.
 * \details
 * With b = `initial_backoff` (`throttled_backoff` after a throttled attempt), m = `multiplier`, n = `retry`,
 * j = `maximum_jitter` and cap = `maximum_backoff`:
 *
 * - `jitter::additive`: min(b m^n + U[0, j], cap). With the defaults this is Google's documented formula,
 *   min(2^n s + random_number_milliseconds, maximum_backoff), whose random number is at most 1000, ends included
 *   (https://cloud.google.com/memorystore/docs/redis/exponential-backoff). The cap applies to the sum, so no jitter
 *   is left once it is reached: a large crowd of clients at the cap moves in step.
 * - `jitter::none`: min(b m^n, cap).
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
 */
[[nodiscard]] inline std::chrono::nanoseconds backoff(
    retry_options const& options, std::uint32_t retry, std::uint64_t random, bool throttled = false) noexcept
{
    auto const cap = options.maximum_backoff;
    auto const initial =
        throttled ? options.throttled_backoff.value_or(options.initial_backoff) : options.initial_backoff;

    auto wait = initial;
    if (initial.count() != 0 && retry != 0 && options.multiplier > 1) {
        auto const product = static_cast<double>(initial.count()) * std::pow(options.multiplier, retry);
        // Written so that infinity takes the cap. A product below the cap fits in 64 bits.
        wait = product < static_cast<double>(cap.count()) ? std::chrono::nanoseconds(static_cast<std::int64_t>(product))
                                                          : cap;
    }
    if (options.jitter == jitter::additive) {
        auto const bound = options.maximum_jitter.value_or(options.initial_backoff);
        wait = detail::saturating_add(wait, detail::scale_random(random, bound));
    }
    return (std::min)(wait, cap);
}

}  // namespace backbeat

#endif
