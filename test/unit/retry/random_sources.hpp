//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_UNIT_RETRY_RANDOM_SOURCES_HPP
#define BACKBEAT_TEST_UNIT_RETRY_RANDOM_SOURCES_HPP

#include <backbeat/random_source.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace backbeat::test {

inline constexpr std::uint64_t no_jitter = 0;
inline constexpr std::uint64_t half_jitter = std::uint64_t{1} << 63;
inline constexpr std::uint64_t all_jitter = (std::numeric_limits<std::uint64_t>::max)();

/// Always the same number.
class constant_source final : public random_source {
public:
    explicit constant_source(std::uint64_t value) noexcept : value_(value) {}
    std::uint64_t next() noexcept override { return value_; }

private:
    std::uint64_t value_;
};

/// The numbers given, again and again, and how many were drawn.
class listed_source final : public random_source {
public:
    explicit listed_source(std::vector<std::uint64_t> values) : values_(std::move(values)) {}
    std::uint64_t next() noexcept override { return values_[drawn_++ % values_.size()]; }
    [[nodiscard]] std::size_t drawn() const noexcept { return drawn_; }

private:
    std::vector<std::uint64_t> values_;
    std::size_t drawn_ = 0;
};

/// GoogleTest prints a number where it would print the bytes of a duration.
[[nodiscard]] inline std::int64_t ns(std::chrono::nanoseconds value) noexcept
{
    return value.count();
}

}  // namespace backbeat::test

#endif
