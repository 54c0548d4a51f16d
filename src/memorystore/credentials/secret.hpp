//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_SECRET_HPP
#define BACKBEAT_SRC_MEMORYSTORE_CREDENTIALS_SECRET_HPP

#include <openssl/crypto.h>

#include <string>
#include <string_view>
#include <utility>

namespace backbeat::memorystore::detail {

// Overwrites the text, also what is left of earlier, longer ones.
inline void cleanse(std::string& text) noexcept
{
    text.resize(text.capacity());
    OPENSSL_cleanse(text.data(), text.size());
    text.clear();
}

// Text that is overwritten when it is given up.
class secret {
public:
    secret() = default;
    explicit secret(std::string text) : text_(std::move(text)) { cleanse(text); }
    explicit secret(std::string_view text) : text_(text) {}
    secret(secret&& other) noexcept : text_(std::move(other.text_)) { cleanse(other.text_); }
    secret& operator=(secret&& other) noexcept
    {
        if (this == &other) return *this;
        cleanse(text_);
        text_ = std::move(other.text_);
        cleanse(other.text_);
        return *this;
    }
    ~secret() { cleanse(text_); }

    [[nodiscard]] std::string const& text() const noexcept { return text_; }
    [[nodiscard]] bool empty() const noexcept { return text_.empty(); }

private:
    std::string text_;
};

}  // namespace backbeat::memorystore::detail

#endif
