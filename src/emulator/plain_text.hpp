//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_PLAIN_TEXT_HPP
#define BACKBEAT_SRC_EMULATOR_PLAIN_TEXT_HPP

#include "request_target.hpp"

#include <backbeat/detail/utf8.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace backbeat::emulation {

// The beginning of a text in UTF-8, at most so many bytes, without half a character at its end: JSON has none.
[[nodiscard]] inline std::string_view beginning_of(std::string_view text, std::size_t longest) noexcept
{
    if (text.size() <= longest) return text;
    std::size_t end = longest;
    while (end != 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
    return text.substr(0, end);
}

// The beginning of what may be any bytes, such as the value of a header field, as text: escaped if it is not UTF-8.
[[nodiscard]] inline std::string text_of_bytes(std::string_view bytes, std::size_t longest)
{
    return std::string(beginning_of(detail::is_utf8(bytes) ? std::string(bytes) : printable(bytes), longest));
}

}  // namespace backbeat::emulation

#endif
