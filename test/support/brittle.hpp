//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BRITTLE_HPP
#define BACKBEAT_TEST_BRITTLE_HPP

#include <memory>
#include <stdexcept>
#include <utility>

namespace backbeat::test {

// A result whose copies and moves throw when the countdown says so, and that shows whether it leaks.
struct brittle {
    std::shared_ptr<int> countdown;

    explicit brittle(std::shared_ptr<int> shared) : countdown(std::move(shared)) {}
    brittle() = default;
    brittle(brittle const& other) : countdown(other.countdown) { count(); }
    brittle(brittle&& other) : countdown(other.countdown) { count(); }  // NOLINT(performance-noexcept-move-constructor)
    brittle& operator=(brittle const&) = default;
    ~brittle() = default;

    void count() const
    {
        if (countdown && --*countdown == 0) throw std::runtime_error("brittle");
    }
};

}  // namespace backbeat::test

#endif
