//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "settings.hpp"

#include <cstddef>
#include <filesystem>

namespace bench {

settings parse_settings(std::string const& program, std::vector<std::string> const& words)
{
    settings result;
    for (std::size_t i = 0; i != words.size(); ++i) {
        auto const& word = words[i];
        if (word == "--quick") {
            result.quick = true;
        } else if (word == "--instructions") {
            result.instructions = true;
        } else if (word == "--only") {
            if (++i == words.size()) throw settings_error("--only needs the beginning of a row's name");
            result.only = words[i];
        } else if (!word.starts_with('-') && result.json_file.empty()) {
            result.json_file = word;
        } else {
            throw settings_error("there is no argument '" + word + "'");
        }
    }
    if (result.json_file.empty()) throw settings_error("the file to write is missing");
    result.programs = std::filesystem::absolute(program).parent_path();
    result.peers = std::filesystem::absolute(result.json_file).parent_path() / "bench-peers";
    return result;
}

}  // namespace bench
