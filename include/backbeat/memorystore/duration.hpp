//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_DURATION_HPP
#define BACKBEAT_MEMORYSTORE_DURATION_HPP

#include <backbeat/config.hpp>

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

namespace backbeat::memorystore {

/**
 * \brief A span of time as the API has it: `google.protobuf.Duration`.
 * \details
 * At most 315,576,000,000 seconds (10,000 years) either way, which is more than `std::chrono::nanoseconds` can hold.
 * In JSON it is text such as `3600s` or `2.5s`.
 */
class duration {
public:
    /// No time.
    duration() = default;

    /// The same span; every coarser `std::chrono` duration converts.
    duration(std::chrono::nanoseconds span) noexcept
        : seconds_(span.count() / 1'000'000'000), nanoseconds_(static_cast<std::int32_t>(span.count() % 1'000'000'000))
    {}

    /// Reads text such as `2.5s`. Empty: it is none, has more than nine decimals, or exceeds the range.
    [[nodiscard]] static std::optional<duration> parse(std::string_view text) noexcept;

    /// Whole seconds, rounded towards zero.
    [[nodiscard]] std::int64_t seconds() const noexcept { return seconds_; }

    /// What is to be added to `seconds`, with its sign: -999,999,999 to 999,999,999.
    [[nodiscard]] std::int32_t nanoseconds() const noexcept { return nanoseconds_; }

    /// The same span, or the longest that `std::chrono::nanoseconds` can hold.
    [[nodiscard]] std::chrono::nanoseconds span() const noexcept;

    /// The text, with none, three, six or nine decimals, as Google prints it.
    [[nodiscard]] std::string to_string() const;

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a null pointer in a defaulted comparison.
    friend auto operator<=>(duration const&, duration const&) = default;
    friend std::ostream& operator<<(std::ostream& out, duration const& value) { return out << value.to_string(); }

private:
    std::int64_t seconds_ = 0;
    std::int32_t nanoseconds_ = 0;
};

}  // namespace backbeat::memorystore

#endif
