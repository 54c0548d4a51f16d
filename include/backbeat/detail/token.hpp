//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_TOKEN_HPP
#define BACKBEAT_DETAIL_TOKEN_HPP

#include <string_view>

namespace backbeat::detail {

// RFC 9110, 5.6.2: a method, or the name of a field.
[[nodiscard]] inline bool is_token(std::string_view text) noexcept
{
    return !text.empty()
        && text.find_first_not_of("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
        == std::string_view::npos;
}

}  // namespace backbeat::detail

#endif
