//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "input_file.hpp"

#include "exit_status.hpp"
#include "text.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <fstream>
#include <iostream>
#include <istream>

namespace backbeat::cli {

namespace {

constexpr std::size_t maximum_size = std::size_t(1) << 20U;

}  // namespace

std::string file_text(std::string_view flag, std::string const& file)
{
    std::ifstream opened;
    if (file != "-") opened.open(file, std::ios::binary);
    std::istream& stream = file == "-" ? std::cin : opened;
    std::string text(maximum_size + 1, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    // A file that does not exist fails without having come to an end.
    if (stream.bad() || (stream.fail() && !stream.eof()))
        throw usage_error(fmt::format("{} '{}' cannot be read", flag, printable(file)));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    if (text.size() > maximum_size)
        throw usage_error(fmt::format("{} '{}' is too large; it can have no more than 1 MiB", flag, printable(file)));
    return text;
}

}  // namespace backbeat::cli
