//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_INPUT_FILE_HPP
#define BACKBEAT_SRC_CLI_INPUT_FILE_HPP

#include <string>
#include <string_view>

namespace backbeat::cli {

// What is in the file that a flag names; `-` is standard input. Throws `usage_error` where it cannot be read, or has
// more than 1 MiB.
[[nodiscard]] std::string file_text(std::string_view flag, std::string const& file);

}  // namespace backbeat::cli

#endif
