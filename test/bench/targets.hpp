//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_TARGETS_HPP
#define BACKBEAT_TEST_BENCH_TARGETS_HPP

#include "row.hpp"

namespace bench {

// What is to be reached.
struct target {
    enum class of { value, ratio };
    enum class kind { at_most, at_least };

    char const* name;
    of what;
    kind how;
    double limit;

    [[nodiscard]] bool reached_by(row const&) const noexcept;
};

// Null: for this row there is none.
[[nodiscard]] target const* find_target(row const&) noexcept;

}  // namespace bench

#endif
