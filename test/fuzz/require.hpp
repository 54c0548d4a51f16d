//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_FUZZ_REQUIRE_HPP
#define BACKBEAT_TEST_FUZZ_REQUIRE_HPP

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace backbeat::fuzz {

// Ends the program if it does not hold: that is what a fuzzer takes for a finding.
inline void require(bool holds, char const* what)
{
    if (holds) return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

// Cuts off and returns what stands before the next `mark`, or all. The mark goes too.
inline std::string_view take_until(std::string_view& text, std::string_view mark)
{
    auto const end = text.find(mark);
    auto const part = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + mark.size());
    return part;
}

// Whether a log or a terminal takes it for one line of text.
inline bool is_one_line(std::string_view text)
{
    for (char const c : text)
        if ((c >= 0 && c < ' ') || c == '\x7f') return false;
    return true;
}

}  // namespace backbeat::fuzz

#endif
