//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_TIMESTAMP_HPP
#define BACKBEAT_MEMORYSTORE_TIMESTAMP_HPP

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
 * \brief A point in time as the API has it: `google.protobuf.Timestamp`.
 * \details
 * Seconds and nanoseconds since 1970 in UTC, from the year 1 to the year 9999, which is more than a
 * `system_clock::time_point` can hold. In JSON it is text of RFC 3339, such as `2026-08-22T10:11:12.345Z`.
 */
class timestamp {
public:
    /// 1970-01-01T00:00:00Z.
    timestamp() = default;

    /// The same point in time; one outside of the years 1 to 9999 becomes the nearest that is inside.
    timestamp(std::chrono::system_clock::time_point time) noexcept;

    /// Reads text of RFC 3339, with `Z` or any offset. Empty: it is none, or it is outside of the years 1 to 9999.
    [[nodiscard]] static std::optional<timestamp> parse(std::string_view text) noexcept;

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    [[nodiscard]] std::int64_t seconds() const noexcept { return seconds_; }

    /// What is to be added to `seconds`: 0 to 999,999,999.
    [[nodiscard]] std::int32_t nanoseconds() const noexcept { return nanoseconds_; }

    /// The same point in time, or the nearest that a `time_point` can hold.
    [[nodiscard]] std::chrono::system_clock::time_point time_point() const noexcept;

    /// The text, in UTC, with none, three, six or nine digits of a second's fraction, as Google prints it.
    [[nodiscard]] std::string to_string() const;

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a null pointer in a defaulted comparison.
    friend auto operator<=>(timestamp const&, timestamp const&) = default;
    friend std::ostream& operator<<(std::ostream& out, timestamp const& value) { return out << value.to_string(); }

private:
    std::int64_t seconds_ = 0;
    std::int32_t nanoseconds_ = 0;
};

}  // namespace backbeat::memorystore

#endif
