//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_PAGE_HPP
#define BACKBEAT_SRC_EMULATOR_PAGE_HPP

#include "api_call.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat::emulation {

// Which page of a list was asked for. Its token holds the name after which the page starts, so that resources that
// come and go between two pages neither repeat others nor hide them.
class page_request {
public:
    static constexpr std::size_t maximum_size = 1000;

    // Reads `pageSize` and `pageToken` of a list of the `collection` in what the call names; where that ends with the
    // location `-`, in all of them. An empty collection: of whatever is below. Throws api_error.
    page_request(api_call const& call, std::string_view collection);

    // The token of the page that follows one that ends with `last`.
    [[nodiscard]] std::string token_after(std::string_view last) const;

    // Calls `take(value)` for each entry of a sorted map, by name, that is in the list and is wanted by
    // `wanted(name, value)`, and returns the token of the next page, empty at the end.
    template <class Map, class Wanted, class Take>
    std::string collect(Map const& map, Wanted wanted, Take take) const
    {
        return collect(map, wanted, take, {}, [](std::string const&) {});
    }

    // The same with further names among those of the map, sorted, for which `take_extra(name)` is called.
    template <class Map, class Wanted, class Take, class TakeExtra>
    std::string collect(
        Map const& map, Wanted wanted, Take take, std::vector<std::string> const& extra, TakeExtra take_extra) const
    {
        auto each = after_.empty() ? map.lower_bound(prefix_) : map.upper_bound((std::max)(after_, prefix_));
        auto other = std::upper_bound(extra.begin(), extra.end(), after_);
        std::size_t count = 0;
        std::string_view last;
        while (true) {
            auto const more = each != map.end() && std::string_view(each->first).substr(0, prefix_.size()) == prefix_;
            auto const other_is_next = other != extra.end() && (!more || *other < each->first);
            if (!more && !other_is_next) return {};
            if (!other_is_next && !wanted(each->first, each->second)) {
                ++each;
                continue;
            }
            if (count == size_) return token_after(last);
            ++count;
            if (other_is_next) {
                take_extra(*other);
                last = *other++;
            } else {
                take(each->second);
                last = each->first;
                ++each;
            }
        }
    }

private:
    // Tells the tokens of this list from those of others.
    std::string list_;

    // What all names in the list begin with.
    std::string prefix_;
    std::string after_;
    std::size_t size_ = maximum_size;
};

}  // namespace backbeat::emulation

#endif
