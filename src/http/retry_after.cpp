//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/http/retry_after.hpp>

#include <cstdint>
#include <limits>

namespace backbeat::http {

namespace {

[[nodiscard]] std::string_view trimmed(std::string_view value) noexcept
{
    auto const first = value.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return value.substr(first, value.find_last_not_of(" \t") - first + 1);
}

// Digits only, as the grammar has it: no sign, no fraction, no exponent. What is too large is the largest.
[[nodiscard]] std::optional<std::chrono::nanoseconds> count_of(std::string_view value, std::int64_t unit) noexcept
{
    value = trimmed(value);
    if (value.empty()) return std::nullopt;
    constexpr auto largest = (std::numeric_limits<std::int64_t>::max)();
    auto const limit = largest / unit;
    std::int64_t count = 0;
    bool too_large = false;
    for (auto const c : value) {
        if (c < '0' || c > '9') return std::nullopt;
        auto const digit = c - '0';
        if (count > (limit - digit) / 10)
            too_large = true;
        else
            count = count * 10 + digit;
    }
    return std::chrono::nanoseconds(too_large ? largest : count * unit);
}

}  // namespace

std::optional<std::chrono::nanoseconds> retry_after(
    std::string_view value, std::chrono::system_clock::time_point /*now*/) noexcept
{
    return count_of(value, 1'000'000'000);
}

std::optional<std::chrono::nanoseconds> retry_after_ms(std::string_view value) noexcept
{
    return count_of(value, 1'000'000);
}

}  // namespace backbeat::http
