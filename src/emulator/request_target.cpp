//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "request_target.hpp"

#include <backbeat/detail/utf8.hpp>

#include <boost/url/grammar/ci_string.hpp>
#include <boost/url/pct_string_view.hpp>

#include <cstddef>

namespace backbeat::emulation {

namespace {

std::optional<std::string> decoded(std::string_view text, bool plus_is_space)
{
    if (text.find_first_of(plus_is_space ? "%+" : "%") == text.npos) {
        if (!detail::is_utf8(text)) return std::nullopt;
        return std::string(text);
    }
    auto const escaped = boost::urls::make_pct_string_view(boost::core::string_view(text.data(), text.size()));
    if (!escaped) return std::nullopt;
    boost::urls::encoding_opts options;
    options.space_as_plus = plus_is_space;
    std::string plain = escaped->decode(options);
    if (!detail::is_utf8(plain)) return std::nullopt;
    return plain;
}

// Cuts off and returns what stands before the next `mark`; the mark goes too.
std::string_view take_until(std::string_view& text, char mark)
{
    auto const end = text.find(mark);
    auto const part = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    return part;
}

}  // namespace

std::string const* request_target::parameter(std::string_view name) const
{
    for (auto const& each : parameters)
        if (each.first == name) return &each.second;
    return nullptr;
}

std::string const* request_target::field(std::string_view camel_name) const
{
    if (auto const* const found = parameter(camel_name)) return found;
    std::string snake;
    for (char const c : camel_name) {
        if (c >= 'A' && c <= 'Z') {
            snake += '_';
            snake += static_cast<char>(c - 'A' + 'a');
        } else {
            snake += c;
        }
    }
    return parameter(snake);
}

std::optional<request_target> parse_request_target(std::string_view target)
{
    for (std::string_view const scheme : {"http://", "https://"}) {
        if (!boost::urls::grammar::ci_is_equal(target.substr(0, scheme.size()), scheme)) continue;
        target.remove_prefix(scheme.size());
        auto const path = target.find_first_of("/?");
        target.remove_prefix(path == target.npos ? target.size() : path);
        break;
    }
    request_target result;
    target = target.substr(0, target.find('#'));
    auto path = take_until(target, '?');
    result.query = printable(target);
    if (path.empty()) path = "/";

    auto whole = decoded(path, false);
    if (!whole) return std::nullopt;
    result.path = std::move(*whole);
    if (path.front() == '/') path.remove_prefix(1);
    while (!path.empty()) {
        auto segment = decoded(take_until(path, '/'), false);
        if (!segment) return std::nullopt;
        result.segments.push_back(std::move(*segment));
    }
    while (!target.empty()) {
        auto value_text = take_until(target, '&');
        if (value_text.empty()) continue;
        auto name = decoded(take_until(value_text, '='), true);
        auto value = decoded(value_text, true);
        if (!name || !value) return std::nullopt;
        result.parameters.emplace_back(std::move(*name), std::move(*value));
    }
    return result;
}

std::string printable(std::string_view text)
{
    static constexpr char const* digits = "0123456789ABCDEF";
    std::string result;
    result.reserve(text.size());
    for (char const c : text) {
        if (c > ' ' && c < '\x7f') {
            result += c;
        } else {
            auto const byte = static_cast<unsigned char>(c);
            result += '%';
            result += digits[byte >> 4];
            result += digits[byte & 15U];
        }
    }
    return result;
}

}  // namespace backbeat::emulation
