//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_NEAREST_HPP
#define BACKBEAT_SRC_CLI_NEAREST_HPP

#include <string>
#include <string_view>
#include <vector>

namespace backbeat::cli {

// "; did you mean '--region'?", or nothing where no name is near enough to have been meant.
[[nodiscard]] std::string did_you_mean(std::string_view typed, std::vector<std::string> const& names);

}  // namespace backbeat::cli

#endif
