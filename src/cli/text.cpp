//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace backbeat::cli {

std::string printable(std::string_view text)
{
    std::string result(text);
    std::replace_if(
        result.begin(), result.end(), [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }, ' ');
    return result;
}

std::size_t columns(std::string_view text) noexcept
{
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(std::string_view text, std::size_t width)
{
    std::string result(text);
    auto const taken = columns(text);
    if (taken < width) result.append(width - taken, ' ');
    return result;
}

std::string right_aligned(std::string_view text, std::size_t width)
{
    auto const taken = columns(text);
    return std::string(taken < width ? width - taken : 0, ' ') + std::string(text);
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width)
{
    std::string result;
    auto column = indent;
    while (!text.empty()) {
        auto const word = text.substr(0, text.find(' '));
        text.remove_prefix((std::min)(word.size() + 1, text.size()));
        if (column != indent && column + 1 + word.size() > width) {
            result += "\n" + std::string(indent, ' ');
            column = indent;
        }
        if (column != indent) {
            result += ' ';
            ++column;
        }
        result += word;
        column += word.size();
    }
    return result + "\n";
}

std::string grouped(std::uint64_t number)
{
    auto text = std::to_string(number);
    for (auto at = text.size(); at > 3;) text.insert(at -= 3, ",");
    return text;
}

std::string counted(std::uint64_t number, std::string_view noun)
{
    return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

std::string short_time(std::chrono::nanoseconds time)
{
    auto const milliseconds = std::chrono::duration<double, std::milli>(time).count();
    if (milliseconds < 0.05) return "0 ms";
    if (milliseconds < 9.95) return fmt::format("{:.1f} ms", milliseconds);
    if (milliseconds < 999.5) return fmt::format("{:.0f} ms", milliseconds);
    if (milliseconds < 99'950) return fmt::format("{:.2f} s", milliseconds / 1000);
    return fmt::format("{:.0f} s", milliseconds / 1000);
}

}  // namespace backbeat::cli
