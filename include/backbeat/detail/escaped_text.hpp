//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_ESCAPED_TEXT_HPP
#define BACKBEAT_DETAIL_ESCAPED_TEXT_HPP

#include <backbeat/detail/utf8.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace backbeat::detail {

// What could begin a line, move a terminal's cursor, or reorder what is shown: the control characters, C1 among them
// (U+009B begins an escape sequence), the separators of lines and paragraphs, and the marks of writing direction.
[[nodiscard]] constexpr bool is_unprintable(char32_t c) noexcept
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c || c == 0x200e || c == 0x200f
        || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

inline void append_hexadecimal(std::string& out, unsigned value, unsigned digits)
{
    while (digits-- != 0) out += "0123456789abcdef"[(value >> (4 * digits)) & 0xfU];
}

// Appends text that came from elsewhere so that it stays on its line and does nothing to a terminal: with the escape
// sequences of C, those of single bytes also for what is not UTF-8. It takes no more than `limit` bytes, cut off text
// ends with three dots, for which the limit must have room.
inline void append_printable(std::string& out, std::string_view text, std::size_t limit)
{
    auto const begin = out.size();
    auto fits = begin;
    while (!text.empty()) {
        auto const unit = first_utf8_unit(text);
        if (!unit.valid) {
            for (char const c : text.substr(0, unit.size)) {
                out += "\\x";
                append_hexadecimal(out, static_cast<unsigned char>(c), 2);
            }
        } else if (unit.code_point == '\n') {
            out += "\\n";
        } else if (unit.code_point == '\r') {
            out += "\\r";
        } else if (unit.code_point == '\t') {
            out += "\\t";
        } else if (unit.code_point == '\\') {
            out += "\\\\";
        } else if (is_unprintable(unit.code_point)) {
            out += unit.code_point < 0x80 ? "\\x" : "\\u";
            append_hexadecimal(out, static_cast<unsigned>(unit.code_point), unit.code_point < 0x80 ? 2 : 4);
        } else {
            out += text.substr(0, unit.size);
        }
        if (out.size() - begin > limit) {
            out.resize(fits);
            out += "...";
            return;
        }
        if (out.size() - begin + 3 <= limit) fits = out.size();
        text.remove_prefix(unit.size);
    }
}

// Appends a string as RFC 8259 has it: what is not UTF-8 becomes U+FFFD.
inline void append_json_string(std::string& out, std::string_view text)
{
    out += '"';
    while (!text.empty()) {
        auto const unit = first_utf8_unit(text);
        if (unit.code_point == '"' || unit.code_point == '\\') {
            out += '\\';
            out += text.front();
        } else if (!unit.valid || is_unprintable(unit.code_point)) {
            out += "\\u";
            append_hexadecimal(out, static_cast<unsigned>(unit.code_point), 4);
        } else {
            out += text.substr(0, unit.size);
        }
        text.remove_prefix(unit.size);
    }
    out += '"';
}

}  // namespace backbeat::detail

#endif
