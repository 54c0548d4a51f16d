//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_UNIT_EMULATOR_LOAD_GENERATOR_HPP
#define BACKBEAT_TEST_UNIT_EMULATOR_LOAD_GENERATOR_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace backbeat::test {

struct load_result {
    // Of the value below which the given share of the answers came.
    [[nodiscard]] std::chrono::nanoseconds percentile(double share) const;

    // One line for people.
    [[nodiscard]] std::string text() const;

    std::uint64_t answers = 0;

    // Answers of another status than 200, and connections that broke.
    std::uint64_t errors = 0;
    std::chrono::nanoseconds time{};

    // Sorted.
    std::vector<std::uint32_t> microseconds;
};

// Sends requests without a pause for so long on each of so many connections, all driven by the calling thread. Each
// connection creates an instance, reads it, lists one page and deletes it, over and over, at least once; operations must
// take no time.
[[nodiscard]] load_result generate_load(
    std::string const& url, std::size_t connections, std::chrono::nanoseconds duration);

}  // namespace backbeat::test

#endif
