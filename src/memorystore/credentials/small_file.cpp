//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "failure.hpp"
#include "key_content.hpp"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace backbeat::memorystore::detail {

std::string read_small_file(std::string const& path, std::string_view what)
{
    auto const where = "the " + std::string(what) + " '" + printable(path, 1000) + "'";
    std::error_code problem;
    auto const status = std::filesystem::status(path, problem);
    if (status.type() == std::filesystem::file_type::not_found) refuse_credentials(where, "there is no such file");
    if (problem) refuse_credentials(where, problem.message());
    // A pipe or a terminal might let everybody wait for ever.
    if (!std::filesystem::is_regular_file(status)) refuse_credentials(where, "it is not a regular file");

    std::ifstream file(path, std::ios::binary);
    if (!file) refuse_credentials(where, "it cannot be opened; may this user read it?");
    // One more than is allowed, at once, so that no copies are left behind by growing.
    std::string result(longest_file + 1, '\0');
    file.read(result.data(), static_cast<std::streamsize>(result.size()));
    if (file.bad()) refuse_credentials(where, "it cannot be read");
    result.resize(static_cast<std::size_t>(file.gcount()));
    if (result.size() > longest_file) refuse_credentials(where, "it has more than 1 MiB");
    return result;
}

}  // namespace backbeat::memorystore::detail
