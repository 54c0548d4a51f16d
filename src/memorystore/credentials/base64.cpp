//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "base64.hpp"

#include <cstddef>
#include <cstdint>

namespace backbeat::memorystore::detail {

namespace {

std::string encode(std::string_view bytes, std::string_view alphabet)
{
    std::string result;
    result.reserve((bytes.size() + 2) / 3 * 4);
    std::uint32_t bits = 0;
    unsigned count = 0;
    for (char const c : bytes) {
        bits = (bits << 8U | static_cast<unsigned char>(c)) & 0xffffffU;
        count += 8;
        for (; count >= 6; count -= 6) result += alphabet[bits >> (count - 6) & 0x3fU];
    }
    if (count != 0) result += alphabet[bits << (6 - count) & 0x3fU];
    return result;
}

}  // namespace

std::string encode_base64(std::string_view bytes)
{
    auto result = encode(bytes, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
    result.append((4 - result.size() % 4) % 4, '=');
    return result;
}

std::string encode_base64url(std::string_view bytes)
{
    return encode(bytes, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
}

}  // namespace backbeat::memorystore::detail
