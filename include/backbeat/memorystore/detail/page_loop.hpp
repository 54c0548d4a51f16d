//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_DETAIL_PAGE_LOOP_HPP
#define BACKBEAT_MEMORYSTORE_DETAIL_PAGE_LOOP_HPP

#include <cstdint>
#include <string>

namespace backbeat::memorystore::detail {

// Finds out whether pages go round in a circle, which would be followed without end. Remembers one page token at a time,
// for twice as long each time (Brent's algorithm), so that any circle is found and memory is bounded.
class page_loop {
public:
    // Whether the page that this token names came before.
    [[nodiscard]] bool closes_with(std::string const& token)
    {
        if (token == remembered_) return true;
        if (++age_ == lifetime_) {
            remembered_ = token;
            age_ = 0;
            lifetime_ *= 2;
        }
        return false;
    }

private:
    std::string remembered_;
    std::uint64_t age_ = 0;
    std::uint64_t lifetime_ = 1;
};

}  // namespace backbeat::memorystore::detail

#endif
