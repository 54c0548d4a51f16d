//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "command_line.hpp"

#include <string>
#include <vector>

int main(int count, char** words)
{
    return backbeat::cli::run(std::vector<std::string>(words + (count > 0 ? 1 : 0), words + count));
}
