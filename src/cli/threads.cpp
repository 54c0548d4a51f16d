//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "threads.hpp"

#include <filesystem>
#include <iterator>
#include <system_error>

namespace backbeat::cli {

std::size_t count_threads()
{
    std::error_code error;
    std::filesystem::directory_iterator const tasks("/proc/self/task", error);
    if (error) return 0;
    return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

}  // namespace backbeat::cli
