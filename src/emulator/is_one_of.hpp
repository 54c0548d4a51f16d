//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_IS_ONE_OF_HPP
#define BACKBEAT_SRC_EMULATOR_IS_ONE_OF_HPP

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace backbeat::emulation {

[[nodiscard]] inline bool is_one_of(std::string_view text, std::initializer_list<std::string_view> all) noexcept
{
    return std::find(all.begin(), all.end(), text) != all.end();
}

}  // namespace backbeat::emulation

#endif
