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
#include "unreachable_locations.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
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
    {
        routes.guard([this](api_call const& call) { unreachable.check(call.location); });
    }

    api_engine(api_engine const&) = delete;
    api_engine& operator=(api_engine const&) = delete;

    // Fills a list response with a page of what is in the location that the call names or, for `-`, in all of those
    // that can be reached; `take(value)` adds one. Of the others the service says two things, which both are done: it
    // names them, and an instance or a cluster whose id is `-` stands for what they hold. Throws api_error.
    template <class Response, class Table, class Take>
    void list(api_call const& call, std::string_view collection, Table const& table, Response& response, Take take)
    {
        page_request const page(call, collection);
        std::vector<std::string> stand_ins;
        if (call.location == "-") {
            response.unreachable = unreachable.names(call.project);
            if (collection == "instances" || collection == "clusters") {
                for (auto const& each : response.unreachable)
                    stand_ins.push_back(each + '/' + std::string(collection) + "/-");
            }
        }
        using resource = std::decay_t<decltype(table.entries().begin()->second.value)>;
        response.next_page_token = page.collect(
            table.entries(),
            [this](std::string const& name, auto const&) { return !unreachable.hold(name); },
            [&take](auto const& found) { take(found.value); },
            stand_ins,
            [&take](std::string const& name) {
                resource stand_in;
                stand_in.name = name;
                if constexpr (requires { stand_in.status_message; })
                    stand_in.status_message = "location not available for ListInstances";
                take(stand_in);
            });
    }

    api_clock clock;
    route_table routes;
    operation_store operations;
    request_replay replay;

    unreachable_locations unreachable;
};

}  // namespace backbeat::emulation

#endif
