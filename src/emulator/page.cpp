//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "page.hpp"

#include "error_reply.hpp"
#include "stable_hash.hpp"

#include <charconv>
#include <cstdint>
#include <optional>

namespace backbeat::emulation {

namespace {

constexpr std::size_t check_digits = 8;

void add_hex(std::string& text, unsigned byte)
{
    static constexpr char const* digits = "0123456789abcdef";
    text += digits[(byte >> 4) & 15U];
    text += digits[byte & 15U];
}

std::string checksum(std::string_view list, std::string_view after)
{
    auto const hash = stable_hash(0x70616765).add(list).add(after).value();
    std::string text;
    for (std::size_t i = 0; i != check_digits / 2; ++i) add_hex(text, static_cast<unsigned>(hash >> (8 * i)) & 255U);
    return text;
}

std::optional<std::string> from_hex(std::string_view text)
{
    if (text.size() % 2 != 0) return std::nullopt;
    std::string bytes;
    for (std::size_t i = 0; i != text.size(); i += 2) {
        unsigned byte = 0;
        auto const [end, error] = std::from_chars(text.data() + i, text.data() + i + 2, byte, 16);
        if (error != std::errc{} || end != text.data() + i + 2) return std::nullopt;
        bytes += static_cast<char>(byte);
    }
    return bytes;
}

}  // namespace

page_request::page_request(api_call const& call, std::string_view collection)
    : list_(call.name + '/' + std::string(collection)), prefix_(call.name + '/')
{
    if (std::string_view(prefix_).ends_with("/locations/-/")) {
        prefix_.resize(prefix_.size() - 2);
    } else if (!collection.empty()) {
        prefix_.append(collection) += '/';
    }
    auto const& target = call.target;
    if (auto const* const text = target.field("pageSize"); text && !text->empty()) {
        std::int32_t size = 0;
        auto const [end, error] = std::from_chars(text->data(), text->data() + text->size(), size);
        if (error != std::errc{} || end != text->data() + text->size() || size < 0)
            throw bad_field("pageSize", "The page size must be a whole number from 0; got '" + *text + "'.");
        if (size != 0) size_ = (std::min)(static_cast<std::size_t>(size), maximum_size);
    }
    if (auto const* const token = target.field("pageToken"); token && !token->empty()) {
        auto after = from_hex(std::string_view(*token).substr((std::min)(check_digits, token->size())));
        if (!after || token->substr(0, check_digits) != checksum(list_, *after))
            throw bad_field("pageToken", "The page token is not one that this list has given.");
        after_ = std::move(*after);
    }
}

std::string page_request::token_after(std::string_view last) const
{
    auto token = checksum(list_, last);
    for (char const c : last) add_hex(token, static_cast<unsigned char>(c));
    return token;
}

}  // namespace backbeat::emulation
