//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "flag_name.hpp"

#include <algorithm>

namespace backbeat::cli {

namespace {

bool is_upper(char c) noexcept
{
    return c >= 'A' && c <= 'Z';
}

bool is_of_word(char c) noexcept
{
    return (c >= 'a' && c <= 'z') || is_upper(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

// Whether what is around a name makes it part of a longer one, or says that somebody is quoted.
bool stands_alone(std::string const& text, std::size_t begin, std::size_t end) noexcept
{
    constexpr std::string_view other = "'\"/.";
    auto const joins = [other](char c) { return is_of_word(c) || other.find(c) != std::string_view::npos; };
    return (begin == 0 || !joins(text[begin - 1])) && (end == text.size() || !is_of_word(text[end]))
        && (end + 1 >= text.size() || text[end] != '.' || !is_of_word(text[end + 1]));
}

void replace_name(std::string& text, std::string const& name, std::string const& flag)
{
    bool const is_plain_word = std::none_of(name.begin(), name.end(), [](char c) { return c == '_' || is_upper(c); });
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
        if (is_plain_word && at != 0) return;
        if (stands_alone(text, at, at + name.size())) {
            text.replace(at, name.size(), flag);
            at += flag.size();
        } else {
            at += name.size();
        }
    }
}

}  // namespace

std::string lower_camel_case(std::string_view name)
{
    std::string result;
    bool raise = false;
    for (char const c : name) {
        bool const is_lower = c >= 'a' && c <= 'z';
        if (c != '_') result += raise && is_lower ? static_cast<char>(c - 'a' + 'A') : c;
        raise = c == '_';
    }
    return result;
}

std::string flag_name(std::string_view field)
{
    std::string result = "--";
    for (char const c : field) {
        if (is_upper(c)) result += '-';
        result += c == '_' ? '-' : is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return result;
}

std::string naming_flags(std::string sentence, std::vector<std::string> const& flags)
{
    for (auto const& flag : flags) {
        auto snake = flag.substr((std::min)(flag.find_first_not_of('-'), flag.size()));
        std::replace(snake.begin(), snake.end(), '-', '_');
        auto const camel = lower_camel_case(snake);
        replace_name(sentence, snake, flag);
        if (camel != snake) replace_name(sentence, camel, flag);
    }
    return sentence;
}

}  // namespace backbeat::cli
