//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_UNIT_RETRY_JSON_READER_HPP
#define BACKBEAT_TEST_UNIT_RETRY_JSON_READER_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace backbeat::test {

/// Whether a text is UTF-8, found out by encoding what was decoded again. Not the way that the library does it.
[[nodiscard]] inline bool is_well_formed_utf8(std::string_view text)
{
    std::string again;
    for (std::size_t i = 0; i < text.size();) {
        auto const lead = static_cast<unsigned char>(text[i]);
        std::size_t const size = lead < 0x80 ? 1
            : (lead >> 5) == 6               ? 2
            : (lead >> 4) == 14              ? 3
            : (lead >> 3) == 30              ? 4
                                             : 0;
        if (size == 0 || i + size > text.size()) return false;
        std::uint32_t code = size == 1 ? lead : lead & (0xffU >> (size + 1));
        for (std::size_t k = 1; k != size; ++k) code = (code << 6) | (static_cast<unsigned char>(text[i + k]) & 0x3fU);
        if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
        auto const add = [&](std::uint32_t byte) { again += static_cast<char>(static_cast<unsigned char>(byte)); };
        if (code < 0x80) {
            add(code);
        } else if (code < 0x800) {
            add(0xc0 | (code >> 6));
        } else {
            if (code < 0x10000) {
                add(0xe0 | (code >> 12));
            } else {
                add(0xf0 | (code >> 18));
                add(0x80 | ((code >> 12) & 0x3f));
            }
            add(0x80 | ((code >> 6) & 0x3f));
        }
        if (code >= 0x80) add(0x80 | (code & 0x3f));
        i += size;
    }
    return again == text;
}

/// Reads JSON to the letter of RFC 8259, and nothing that is only nearly JSON.
class json_reader {
public:
    /// The scalars by where they are, "records/0/error/message", strings decoded. Empty: it is not JSON.
    [[nodiscard]] static std::optional<std::map<std::string, std::string>> read(std::string_view text)
    {
        json_reader reader(text);
        if (!is_well_formed_utf8(text)) return {};
        reader.spaces();
        if (!reader.value("")) return {};
        reader.spaces();
        if (!reader.rest_.empty()) return {};
        return reader.scalars_;
    }

private:
    explicit json_reader(std::string_view text) : rest_(text) {}

    bool take(std::string_view token)
    {
        if (rest_.substr(0, token.size()) != token) return false;
        rest_.remove_prefix(token.size());
        return true;
    }

    void spaces()
    {
        while (!rest_.empty() && std::string_view(" \t\r\n").find(rest_.front()) != std::string_view::npos)
            rest_.remove_prefix(1);
    }

    bool value(std::string const& where)
    {
        if (take("{")) return members(where);
        if (take("[")) return elements(where);
        for (auto const* const word : {"true", "false", "null"})
            if (take(word)) return add(where, word);
        if (std::string text; !rest_.empty() && rest_.front() == '"') return string(text) && add(where, "\"" + text);
        return number(where);
    }

    bool add(std::string const& where, std::string const& text) { return scalars_.emplace(where, text).second; }

    bool members(std::string const& where)
    {
        spaces();
        if (take("}")) return true;
        do {
            std::string name;
            spaces();
            if (!string(name)) return false;
            spaces();
            if (!take(":")) return false;
            spaces();
            if (!value(where.empty() ? name : where + '/' + name)) return false;
            spaces();
        } while (take(","));
        return take("}");
    }

    bool elements(std::string const& where)
    {
        spaces();
        if (take("]")) return true;
        std::size_t i = 0;
        do {
            spaces();
            if (!value(where + '/' + std::to_string(i++))) return false;
            spaces();
        } while (take(","));
        return take("]");
    }

    bool digits(std::string& text)
    {
        auto const before = text.size();
        while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
            text += rest_.front();
            rest_.remove_prefix(1);
        }
        return text.size() != before;
    }

    bool number(std::string const& where)
    {
        std::string text;
        if (take("-")) text += '-';
        if (take("0"))
            text += '0';
        else if (!digits(text))
            return false;
        if (take(".")) {
            text += '.';
            if (!digits(text)) return false;
        }
        if (take("e") || take("E")) {
            text += 'e';
            if (!take("+") && take("-")) text += '-';
            if (!digits(text)) return false;
        }
        return add(where, text);
    }

    bool string(std::string& text)
    {
        if (!take("\"")) return false;
        for (;;) {
            if (rest_.empty() || static_cast<unsigned char>(rest_.front()) < 0x20) return false;
            if (take("\"")) return true;
            if (!take("\\")) {
                text += rest_.front();
                rest_.remove_prefix(1);
            } else if (!escape(text)) {
                return false;
            }
        }
    }

    bool escape(std::string& text)
    {
        constexpr std::string_view names = "\"\\/bfnrt";
        constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
        if (rest_.empty()) return false;
        if (auto const i = names.find(rest_.front()); i != std::string_view::npos) {
            text += meanings[i];
            rest_.remove_prefix(1);
            return true;
        }
        if (!take("u") || rest_.size() < 4) return false;
        if (rest_.substr(0, 4).find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos) return false;
        auto const code = std::stoul(std::string(rest_.substr(0, 4)), nullptr, 16);
        rest_.remove_prefix(4);
        // Surrogates have no use here: what is past U+FFFF need not be escaped.
        if (code >= 0xd800 && code < 0xe000) return false;
        if (code < 0x80) {
            text += static_cast<char>(code);
        } else if (code < 0x800) {
            text += static_cast<char>(0xc0 | (code >> 6));
            text += static_cast<char>(0x80 | (code & 0x3f));
        } else {
            text += static_cast<char>(0xe0 | (code >> 12));
            text += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
            text += static_cast<char>(0x80 | (code & 0x3f));
        }
        return true;
    }

    std::string_view rest_;
    std::map<std::string, std::string> scalars_;
};

}  // namespace backbeat::test

#endif
