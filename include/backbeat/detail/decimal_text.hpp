//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_DECIMAL_TEXT_HPP
#define BACKBEAT_DETAIL_DECIMAL_TEXT_HPP

#include <charconv>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <string>

namespace backbeat::detail {

// `std::to_chars` knows no locale, which the stream inserters do.
inline void append_integer(std::string& out, std::integral auto value)
{
    char buffer[24];
    out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

// Appends so many nanoseconds as seconds: all digits that count, no exponent.
inline void append_seconds(std::string& out, std::uint64_t nanoseconds)
{
    append_integer(out, nanoseconds / 1'000'000'000);
    auto rest = nanoseconds % 1'000'000'000;
    if (rest == 0) return;
    char digits[9];
    for (int i = 8; i >= 0; --i, rest /= 10) digits[i] = static_cast<char>('0' + rest % 10);
    out += '.';
    out.append(digits, sizeof digits);
    out.erase(out.find_last_not_of('0') + 1);
}

inline void append_seconds(std::string& out, std::chrono::nanoseconds value)
{
    auto const count = static_cast<std::uint64_t>(value.count());
    if (value.count() < 0) out += '-';
    append_seconds(out, value.count() < 0 ? 0 - count : count);
}

}  // namespace backbeat::detail

#endif
