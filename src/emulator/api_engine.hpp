//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_API_ENGINE_HPP
#define BACKBEAT_SRC_EMULATOR_API_ENGINE_HPP

#include "api_call.hpp"
#include "api_clock.hpp"
#include "error_reply.hpp"
#include "operation_store.hpp"
#include "page.hpp"
#include "request_replay.hpp"
#include "route_table.hpp"

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace backbeat::emulation {

// What the methods of all resources share. A kind of resource is a class that adds its routes in its constructor,
// keeps its state in a resource_table and changes it by operations:
//
//   routes.add("PATCH", "v1/projects/{}/locations/{}/things/{}", [this](auto const& call) { return patch(call); });
class api_engine {
public:
    api_engine(std::chrono::nanoseconds operation_time, std::uint64_t seed, api_clock its_clock)
        : clock(std::move(its_clock)), operations(clock, operation_time, seed), replay(clock, operations)
    {}

    api_engine(api_engine const&) = delete;
    api_engine& operator=(api_engine const&) = delete;

    // Fills a list response with a page of what is in the location that the call names or, for `-`, in all of those
    // that can be reached; `take(value)` adds one. Throws api_error.
    template <class Response, class Table, class Take>
    void list(api_call const& call, std::string_view collection, Table const& table, Response& response, Take take)
    {
        if (unreachable.count(call.location) != 0) {
            throw api_error(
                memorystore::rpc_code::unavailable, "The location '" + call.location + "' cannot be reached.");
        }
        page_request const page(call, collection);
        response.next_page_token = page.collect(
            table.entries(),
            [this](std::string const& name, auto const&) { return unreachable.count(location_of(name)) == 0; },
            [&take](auto const& found) { take(found.value); });
        if (call.location != "-") return;
        for (auto const& each : unreachable)
            response.unreachable.push_back("projects/" + call.project + "/locations/" + each);
    }

    api_clock clock;
    route_table routes;
    operation_store operations;
    request_replay replay;

    // Locations, by their ids, that lists cannot see into.
    std::set<std::string, std::less<>> unreachable;

private:
    // Of `projects/p/locations/l/...`.
    static std::string_view location_of(std::string_view name) noexcept
    {
        constexpr std::string_view mark = "/locations/";
        auto const start = name.find(mark);
        if (start == name.npos) return {};
        name.remove_prefix(start + mark.size());
        return name.substr(0, name.find('/'));
    }
};

}  // namespace backbeat::emulation

#endif
