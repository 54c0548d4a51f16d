//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_PAGE_HPP
#define BACKBEAT_SRC_EMULATOR_PAGE_HPP

#include "request_target.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace backbeat::emulation {

// Which page of a list was asked for. Its token holds the name after which the page starts, so that resources that
// come and go between two pages neither repeat others nor hide them.
class page_request {
public:
    static constexpr std::size_t maximum_size = 1000;

    // Reads `pageSize` and `pageToken` of a list of `parent`. Throws api_error.
    page_request(request_target const& target, std::string_view parent);

    // The token of the page that follows one that ends with `last`.
    [[nodiscard]] std::string token_after(std::string_view last) const;

    // Calls `take(value)` for each entry of a sorted map whose key starts with `prefix` and is wanted by
    // `wanted(key)`, and returns the token of the next page, empty at the end.
    template <class Map, class Wanted, class Take>
    std::string collect(Map const& map, std::string const& prefix, Wanted wanted, Take take) const
    {
        auto each = after_.empty() ? map.lower_bound(prefix) : map.upper_bound((std::max)(after_, prefix));
        std::size_t count = 0;
        std::string_view last;
        for (; each != map.end() && std::string_view(each->first).substr(0, prefix.size()) == prefix; ++each) {
            if (!wanted(each->first)) continue;
            if (count == size_) return token_after(last);
            take(each->second);
            last = each->first;
            ++count;
        }
        return {};
    }

private:
    std::string parent_;
    std::string after_;
    std::size_t size_ = maximum_size;
};

}  // namespace backbeat::emulation

#endif
