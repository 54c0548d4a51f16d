//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// A number of retries below zero is refused by the compiler and not taken for four billion.

#include <backbeat/retry_options.hpp>

int main()
{
#ifdef CONTROL
    backbeat::retry_options const options{.maximum_retries = 1};
#else
    backbeat::retry_options const options{.maximum_retries = -1};
#endif
    return validate(options) ? 1 : 0;
}
