//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_CHECK_HPP
#define BACKBEAT_TEST_CHECK_HPP

#include <stdexcept>

namespace backbeat::test {

// Of calls in test servers, whose failure is one of the test.
inline void check(bool good, char const* what)
{
    if (!good) throw std::runtime_error(what);
}

}  // namespace backbeat::test

#endif
