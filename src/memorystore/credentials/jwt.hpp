//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_JWT_HPP
#define BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_JWT_HPP

#include "key_content.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace backbeat::memorystore::detail {

// How long a signed token is good for: as long as Google allows.
inline constexpr std::chrono::seconds jwt_lifetime = std::chrono::hours(1);

// A JWT that is sent to the API as it is. `scope`: several are separated by spaces.
[[nodiscard]] std::string self_signed_jwt(
    service_account const& key, std::string_view scope, std::chrono::system_clock::time_point now);

// A JWT that is exchanged for a token at the key's endpoint. `subject`: on whose behalf; empty: on its own.
[[nodiscard]] std::string assertion(
    service_account const& key,
    std::string_view scope,
    std::string_view subject,
    std::chrono::system_clock::time_point now);

}  // namespace backbeat::memorystore::detail

#endif
