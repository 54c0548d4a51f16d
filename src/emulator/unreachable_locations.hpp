//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_UNREACHABLE_LOCATIONS_HPP
#define BACKBEAT_SRC_EMULATOR_UNREACHABLE_LOCATIONS_HPP

#include "error_reply.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat::emulation {

// Locations, by their ids, that cannot be reached: requests to them fail, and lists of all locations lack them.
class unreachable_locations {
public:
    unreachable_locations() = default;

    template <class Iterator>
    unreachable_locations(Iterator first, Iterator last) : ids_(first, last)
    {}

    // Throws api_error, 503, for one of them.
    void check(std::string_view location) const
    {
        if (ids_.count(location) == 0) return;
        throw api_error(
            memorystore::rpc_code::unavailable, "The location '" + std::string(location) + "' cannot be reached.");
    }

    // Whether `projects/p/locations/l/...` is in one of them.
    [[nodiscard]] bool hold(std::string_view name) const
    {
        static constexpr std::string_view mark = "/locations/";
        auto const start = name.find(mark);
        if (ids_.empty() || start == name.npos) return false;
        name.remove_prefix(start + mark.size());
        return ids_.count(name.substr(0, name.find('/'))) != 0;
    }

    // Their names, like `projects/p/locations/l`, in order.
    [[nodiscard]] std::vector<std::string> names(std::string const& project) const
    {
        std::vector<std::string> result;
        result.reserve(ids_.size());
        auto const all = "projects/" + project + "/locations/";
        for (auto const& each : ids_) result.push_back(all + each);
        return result;
    }

private:
    std::set<std::string, std::less<>> ids_;
};

}  // namespace backbeat::emulation

#endif
