//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_HTTP_HTTP_DATE_HPP
#define BACKBEAT_SRC_HTTP_HTTP_DATE_HPP

#include <chrono>
#include <optional>
#include <string_view>

namespace backbeat::http::detail {

// Reads a date of RFC 9110, 5.6.7, in any of its three forms, with nothing around it. Strict: names in the case that is
// given there, GMT only, day and time in range, `:60` included. The day of the week must be one, but not the right one.
//
// `now` tells the century of a year of two digits: the date is the latest that is not more than 50 years ahead of it.
[[nodiscard]] std::optional<std::chrono::sys_seconds> parse_http_date(
    std::string_view text, std::chrono::sys_seconds now) noexcept;

// Whether it is what a date with a comma has before it: `Sun`, `Sunday`.
[[nodiscard]] bool is_day_name(std::string_view text) noexcept;

}  // namespace backbeat::http::detail

#endif
