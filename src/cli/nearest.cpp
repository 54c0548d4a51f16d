//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "nearest.hpp"

#include "../emulator/nearest_name.hpp"

namespace backbeat::cli {

std::string did_you_mean(std::string_view typed, std::vector<std::string> const& names)
{
    struct candidate {
        std::string_view name;
    };
    std::vector<candidate> candidates;
    candidates.reserve(names.size());
    for (auto const& name : names) candidates.push_back({name});
    auto const nearest = emulation::nearest_name(typed, candidates);
    return nearest.empty() ? std::string() : "; did you mean '" + std::string(nearest) + "'?";
}

}  // namespace backbeat::cli
