//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_SUPPORT_FAILING_ALLOCATION_HPP
#define BACKBEAT_TEST_SUPPORT_FAILING_ALLOCATION_HPP

namespace backbeat::test {

// While it exists, one allocation of this thread fails: the one after so many that succeed. A program that links this
// has its functions that allocate replaced.
class failing_allocation {
public:
    explicit failing_allocation(long successes) noexcept;
    failing_allocation(failing_allocation const&) = delete;
    failing_allocation& operator=(failing_allocation const&) = delete;
    ~failing_allocation();

    [[nodiscard]] bool has_failed() const noexcept;
};

}  // namespace backbeat::test

#endif
