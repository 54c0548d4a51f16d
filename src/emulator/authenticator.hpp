//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_AUTHENTICATOR_HPP
#define BACKBEAT_SRC_EMULATOR_AUTHENTICATOR_HPP

#include "exchange.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace backbeat::emulation {

// Whether the sender of a request may send it: by one bearer token, or by JWTs that are signed with one key.
class authenticator {
public:
    // Empty: tokens, or JWTs, of that kind are not accepted. With neither, everybody is let in.
    // `jwt_key`: the RSA public key, or a certificate, in PEM. Throws std::invalid_argument when it is none.
    authenticator(std::string bearer_token, std::string const& jwt_key);
    ~authenticator();

    [[nodiscard]] bool required() const noexcept;

    // Checks a value of the header Authorization. Empty: it is accepted. Else the answer: 401 UNAUTHENTICATED.
    [[nodiscard]] std::optional<http_reply> refuse(
        std::string_view authorization, std::chrono::system_clock::time_point now) const;

private:
    class public_key;

    [[nodiscard]] std::string problem_of_jwt(std::string_view token, std::chrono::system_clock::time_point now) const;

    std::string bearer_token_;
    std::unique_ptr<public_key> key_;
};

}  // namespace backbeat::emulation

#endif
