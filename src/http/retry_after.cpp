//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "http_date.hpp"

#include <backbeat/http/retry_after.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace backbeat::http {

namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;
using std::chrono::system_clock;

[[nodiscard]] std::string_view trimmed(std::string_view value) noexcept
{
    auto const first = value.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return value.substr(first, value.find_last_not_of(" \t") - first + 1);
}

// Digits only, as the grammar has it: no sign, no fraction, no exponent. What is too large is the largest.
[[nodiscard]] std::optional<nanoseconds> count_of(std::string_view value, std::int64_t unit) noexcept
{
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
    return nanoseconds(too_large ? largest : count * unit);
}

// A date may lie further away than nanoseconds, and so the clock's time points, can tell.
[[nodiscard]] std::optional<nanoseconds> time_until(std::string_view value, system_clock::time_point now) noexcept
{
    auto const date = detail::parse_http_date(value, std::chrono::floor<seconds>(now));
    if (!date) return std::nullopt;
    auto const second = std::chrono::duration_cast<seconds>(now.time_since_epoch());
    nanoseconds const rest = now.time_since_epoch() - second;  // negative before 1970
    auto const whole = date->time_since_epoch() - second;
    constexpr auto largest = (nanoseconds::max)();
    if (whole < seconds(0)) return nanoseconds(0);
    if (whole > std::chrono::duration_cast<seconds>(largest)) return largest;
    nanoseconds const wait = whole;
    if (rest < nanoseconds(0)) return wait > largest + rest ? largest : wait - rest;
    return (std::max)(wait - rest, nanoseconds(0));
}

// Fields of one name may have been merged into one, with commas. The one after the name of a day is a date's own.
template <class Read>
[[nodiscard]] std::optional<nanoseconds> largest_of(std::string_view value, Read read) noexcept
{
    std::optional<nanoseconds> largest;
    for (;;) {
        auto comma = value.find(',');
        if (comma != value.npos && detail::is_day_name(trimmed(value.substr(0, comma))))
            comma = value.find(',', comma + 1);
        largest = (std::max)(largest, read(trimmed(value.substr(0, comma))));
        if (comma == value.npos) return largest;
        value.remove_prefix(comma + 1);
    }
}

}  // namespace

std::optional<nanoseconds> retry_after(std::string_view value, system_clock::time_point now) noexcept
{
    return largest_of(value, [now](std::string_view one) {
        auto const count = count_of(one, 1'000'000'000);
        return count ? count : time_until(one, now);
    });
}

std::optional<nanoseconds> retry_after_ms(std::string_view value) noexcept
{
    return largest_of(value, [](std::string_view one) { return count_of(one, 1'000'000); });
}

std::optional<system_clock::time_point> detail::date_of(std::string_view value, system_clock::time_point now) noexcept
{
    auto const date = parse_http_date(trimmed(value), std::chrono::floor<seconds>(now));
    if (!date) return std::nullopt;
    auto const second = date->time_since_epoch();
    using clock_duration = system_clock::duration;
    if (second < std::chrono::duration_cast<seconds>((clock_duration::min)())
        || second > std::chrono::duration_cast<seconds>((clock_duration::max)()))
        return std::nullopt;
    return system_clock::time_point(second);
}

}  // namespace backbeat::http
