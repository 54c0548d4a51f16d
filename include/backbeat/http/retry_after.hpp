//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_HTTP_RETRY_AFTER_HPP
#define BACKBEAT_HTTP_RETRY_AFTER_HPP

#include <backbeat/config.hpp>

#include <chrono>
#include <optional>
#include <string_view>

namespace backbeat::http {

/**
 * \brief Reads the value of a `Retry-After` header field (RFC 9110, 10.2.3).
 * \param value The field's value. Spaces and tabs around it are ignored.
 * \param now What a date is measured against: when the response was made, best by its own field `Date`, since the
 * server's clock may be wrong.
 * \returns How long the server asks to wait. Empty: the value is malformed, and is to be ignored.
 *
 * \details
 * | value | result |
 * | --- | --- |
 * | `120` | 120 s; digits only |
 * | `Sun, 06 Nov 1994 08:49:37 GMT` | the time until then; zero, if it has passed |
 * | `Sunday, 06-Nov-94 08:49:37 GMT` | likewise; never taken for more than 50 years ahead |
 * | `Sun Nov  6 08:49:37 1994` | likewise |
 * | `2, 3` | 3 s |
 *
 * Dates are read as strictly as RFC 9110, 5.6.7 spells them: its case, GMT only, a day that the month has. `:60` is a
 * second, and which day of the week is named does not matter. What does not fit into the result saturates.
 *
 * Two fields that were merged into one are separated by a comma. Of several values the largest valid one counts.
 */
[[nodiscard]] std::optional<std::chrono::nanoseconds> retry_after(
    std::string_view value, std::chrono::system_clock::time_point now) noexcept;

/**
 * \brief Reads the value of a `retry-after-ms` header field: a whole number of milliseconds.
 * \returns How long the server asks to wait. Empty: the value is malformed, and is to be ignored.
 * \details What does not fit saturates; of several values with commas between them the largest valid one counts.
 */
[[nodiscard]] std::optional<std::chrono::nanoseconds> retry_after_ms(std::string_view value) noexcept;

namespace detail {

// The value of a field `Date`. Empty: it is malformed, or further away than the clock can tell.
[[nodiscard]] std::optional<std::chrono::system_clock::time_point> date_of(
    std::string_view value, std::chrono::system_clock::time_point now) noexcept;

}  // namespace detail

}  // namespace backbeat::http

#endif
