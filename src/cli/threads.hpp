//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_THREADS_HPP
#define BACKBEAT_SRC_CLI_THREADS_HPP

#include <cstddef>

namespace backbeat::cli {

// How many threads this process has, as the operating system counts them. Zero: it does not say.
[[nodiscard]] std::size_t count_threads();

}  // namespace backbeat::cli

#endif
