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
 * \param now What a date would be measured against.
 * \returns How long the server asks to wait. Empty: the value is malformed, and is to be ignored.
 *
 * \details
 * The number of seconds is understood, however large: what does not fit saturates. Dates are not understood: empty.
 */
[[nodiscard]] std::optional<std::chrono::nanoseconds> retry_after(
    std::string_view value, std::chrono::system_clock::time_point now) noexcept;

/**
 * \brief Reads the value of a `retry-after-ms` header field: a whole number of milliseconds.
 * \returns How long the server asks to wait. Empty: the value is malformed, and is to be ignored.
 */
[[nodiscard]] std::optional<std::chrono::nanoseconds> retry_after_ms(std::string_view value) noexcept;

}  // namespace backbeat::http

#endif
