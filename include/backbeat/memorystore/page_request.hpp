//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_PAGE_REQUEST_HPP
#define BACKBEAT_MEMORYSTORE_PAGE_REQUEST_HPP

#include <backbeat/config.hpp>

#include <cstdint>
#include <string>

namespace backbeat::memorystore {

/// Which part of a list is wanted.
class page_request {
public:
    page_request() = default;

    /// The most items that the page is to have. Zero: as many as the service likes. Negative: invalid.
    std::int32_t page_size = 0;

    /// The `next_page_token` of the page before. Empty: the first page.
    std::string page_token;

    /// Which items are wanted, in the service's language. Only for lists of locations and of operations. Empty: all.
    std::string filter;
};

}  // namespace backbeat::memorystore

#endif
