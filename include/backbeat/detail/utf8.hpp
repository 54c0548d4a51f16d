//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_UTF8_HPP
#define BACKBEAT_DETAIL_UTF8_HPP

#include <cstddef>
#include <string_view>

namespace backbeat::detail {

// The first code point of a text, or how much of it is not UTF-8.
struct utf8_unit {
    char32_t code_point = 0xfffd;
    std::size_t size = 1;
    bool valid = false;
};

// Of what is not UTF-8 it takes the longest part that could have been the beginning of a code point, so that each such
// part can be replaced by one U+FFFD. (The Unicode Standard, 3.9, table 3-7, and "U+FFFD substitution of maximal
// subparts".)
[[nodiscard]] constexpr utf8_unit first_utf8_unit(std::string_view not_empty) noexcept
{
    auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(not_empty[i]); };
    unsigned const lead = byte(0);
    if (lead < 0x80) return {static_cast<char32_t>(lead), 1, true};
    std::size_t const size = lead < 0xc2 || lead > 0xf4 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (size == 1) return {};
    // The second byte has less room where the code point would be overlong, a surrogate, or past U+10FFFF.
    unsigned const lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    unsigned const highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    auto code_point = static_cast<char32_t>(lead & (0x7fU >> size));
    for (std::size_t i = 1; i != size; ++i) {
        if (i == not_empty.size()) return {0xfffd, i, false};
        unsigned const next = byte(i);
        if (next < (i == 1 ? lowest : 0x80) || next > (i == 1 ? highest : 0xbf)) return {0xfffd, i, false};
        code_point = (code_point << 6U) | (next & 0x3fU);
    }
    return {code_point, size, true};
}

[[nodiscard]] constexpr bool is_utf8(std::string_view text) noexcept
{
    while (!text.empty()) {
        auto const unit = first_utf8_unit(text);
        if (!unit.valid) return false;
        text.remove_prefix(unit.size);
    }
    return true;
}

}  // namespace backbeat::detail

#endif
