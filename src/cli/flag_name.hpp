//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_FLAG_NAME_HPP
#define BACKBEAT_SRC_CLI_FLAG_NAME_HPP

#include <string>
#include <string_view>
#include <vector>

namespace backbeat::cli {

// memory_size_gb -> memorySizeGb
[[nodiscard]] std::string lower_camel_case(std::string_view name);

// memory_size_gb or memorySizeGb -> --memory-size-gb
[[nodiscard]] std::string flag_name(std::string_view field);

// The sentence, in which the fields that these flags stand for are called by their flags. A field whose name is a word
// of the language is so only where the sentence begins with it.
[[nodiscard]] std::string naming_flags(std::string sentence, std::vector<std::string> const& flags);

}  // namespace backbeat::cli

#endif
