//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_IN_QUOTES_HPP
#define BACKBEAT_SRC_MEMORYSTORE_IN_QUOTES_HPP

#include <string>
#include <string_view>

namespace backbeat::memorystore::detail {

// What stands in a message of a text that may be anything.
[[nodiscard]] inline std::string in_quotes(std::string_view text)
{
    constexpr std::size_t limit = 200;
    std::string result(text.substr(0, limit));
    for (auto& c : result)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    if (text.size() > limit) result += "...";
    return '\'' + result + '\'';
}

}  // namespace backbeat::memorystore::detail

#endif
