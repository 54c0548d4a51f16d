//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_TOKEN_ANSWER_HPP
#define BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_TOKEN_ANSWER_HPP

#include <backbeat/memorystore/access_token.hpp>

#include <chrono>
#include <string>
#include <string_view>

namespace backbeat::memorystore::detail {

// Whether it can stand in a header field.
[[nodiscard]] bool is_token(std::string_view text) noexcept;

// What follows throws errc::malformed_response, or errc::bad_credentials for a subject token in a file. `action` says what
// was being done. No part of the body gets into an error.

// {"access_token": "...", "expires_in": 3599}: that of a token endpoint, and of the metadata server.
[[nodiscard]] access_token read_token_answer(
    std::string_view body, std::string const& action, std::chrono::system_clock::time_point now);

// {"accessToken": "...", "expireTime": "2026-08-22T10:11:12Z"}: that of the IAM Credentials API.
[[nodiscard]] access_token read_impersonation_answer(std::string_view body, std::string const& action);

// The token that somebody else has issued: the text, or a field of the JSON object. `where` is what holds it.
[[nodiscard]] std::string read_subject_token(std::string_view text, std::string const& field, std::string const& where);

}  // namespace backbeat::memorystore::detail

#endif
