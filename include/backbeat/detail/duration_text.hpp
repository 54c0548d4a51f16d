//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_DURATION_TEXT_HPP
#define BACKBEAT_DETAIL_DURATION_TEXT_HPP

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace backbeat::detail {

// Prints a duration as people write it, with at most four significant digits: 1.427s, 250ms, 2.5min is 150s.
[[nodiscard]] inline std::string duration_text(std::chrono::nanoseconds value)
{
    auto const count = value.count();
    auto const magnitude = std::fabs(static_cast<double>(count));
    if (count == 0) return "0s";
    char const* unit = "ns";
    double scale = 1;
    for (auto [next_scale, next_unit] : {std::pair{1e3, "us"}, std::pair{1e6, "ms"}, std::pair{1e9, "s"}}) {
        // The next unit up is taken already where four digits would round to it: 999.96 us are 1 ms.
        if (magnitude < next_scale * 0.99995) break;
        scale = next_scale;
        unit = next_unit;
    }
    char buffer[32];
    auto const digits = magnitude / scale < 9999.5 ? 4 : 12;
    auto const end =
        std::to_chars(
            buffer, buffer + sizeof buffer, static_cast<double>(count) / scale, std::chars_format::general, digits)
            .ptr;
    return std::string(buffer, end) + unit;
}

inline constexpr char const* duration_syntax =
    "a duration is a non-negative decimal number and one of ns, us, ms, s, m, h, without a space, like 250ms or 2.5s";

// Reads what `duration_syntax` describes. Anything else, a number too large for nanoseconds included, is nullopt.
[[nodiscard]] inline std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text) noexcept
{
    if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
    long double number = 0;
    long double place = 1;
    bool fraction = false;
    std::size_t i = 0;
    for (; i != text.size(); ++i) {
        auto const c = text[i];
        if (c == '.' && !fraction) {
            fraction = true;
        } else if (c >= '0' && c <= '9') {
            if (!fraction) {
                number = number * 10 + (c - '0');
            } else {
                place /= 10;
                number += place * (c - '0');
            }
        } else {
            break;
        }
    }
    if (text[i - 1] == '.') return std::nullopt;
    auto const unit = text.substr(i);
    for (auto [name, scale] :
         {std::pair<std::string_view, long double>{"ns", 1},
          {"us", 1e3L},
          {"ms", 1e6L},
          {"s", 1e9L},
          {"m", 60e9L},
          {"h", 3600e9L}}) {
        if (unit != name) continue;
        auto const nanoseconds = std::round(number * scale);
        if (!(nanoseconds < 9223372036854775808.0L)) return std::nullopt;
        return std::chrono::nanoseconds(static_cast<std::int64_t>(nanoseconds));
    }
    return std::nullopt;
}

}  // namespace backbeat::detail

#endif
