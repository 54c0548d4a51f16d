//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_DETAIL_NEAREST_NAME_HPP
#define BACKBEAT_MEMORYSTORE_DETAIL_NEAREST_NAME_HPP

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace backbeat::memorystore::detail {

// The number of letters to insert, drop, replace or swap with their neighbour to turn one word into the other.
[[nodiscard]] inline std::size_t typing_distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            auto const replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, replace});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

// The name that was probably meant, or an empty one. `names` is a range of things with a `std::string_view name`.
template <class Names>
[[nodiscard]] std::string_view nearest_name(std::string_view typed, Names const& names)
{
    if (typed.size() > 64) return {};
    std::string_view nearest;
    auto least = std::max<std::size_t>(1, typed.size() / 3) + 1;
    for (auto const& candidate : names) {
        auto const distance = typing_distance(typed, candidate.name);
        if (distance < least) {
            least = distance;
            nearest = candidate.name;
        }
    }
    return nearest;
}

}  // namespace backbeat::memorystore::detail

#endif
