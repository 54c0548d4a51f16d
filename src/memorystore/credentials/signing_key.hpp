//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_SIGNING_KEY_HPP
#define BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_SIGNING_KEY_HPP

#include <memory>
#include <string>
#include <string_view>

namespace backbeat::memorystore::detail {

// An RSA private key, which signs.
class signing_key {
public:
    // From PEM: PKCS#8 or PKCS#1. Throws std::invalid_argument with what is wrong, and no part of the text.
    explicit signing_key(std::string_view pem);
    signing_key(signing_key&&) noexcept;
    signing_key& operator=(signing_key&&) noexcept;
    ~signing_key();

    // RSASSA-PKCS1-v1_5 with SHA-256. Throws boost::system::system_error.
    [[nodiscard]] std::string sign(std::string_view text) const;

private:
    class native;

    std::unique_ptr<native> native_;
};

}  // namespace backbeat::memorystore::detail

#endif
