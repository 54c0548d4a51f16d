//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_RETRY_INFO_HPP
#define BACKBEAT_MEMORYSTORE_RETRY_INFO_HPP

#include <backbeat/config.hpp>

#include <chrono>
#include <optional>
#include <string_view>

namespace backbeat::memorystore {

/**
 * \brief When the server wants to be asked again, as the body of an error response says.
 * \details
 * Reads `retryDelay` of the first `google.rpc.RetryInfo` among `error.details`:
 *
 * \code{.json}
 * {"error": {"code": 429, "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "2.5s"}]}}
 * \endcode
 *
 * \param body Any text, of any origin. What is longer than a mebibyte is not looked at.
 * \returns The time to wait. Empty: the body does not say, says what cannot be, or is not the body of an error.
 */
[[nodiscard]] std::optional<std::chrono::nanoseconds> retry_info(std::string_view body) noexcept;

}  // namespace backbeat::memorystore

#endif
