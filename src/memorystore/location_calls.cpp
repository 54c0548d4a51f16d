//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "client_core.hpp"

#include <backbeat/memorystore/location_calls.hpp>
#include <backbeat/memorystore/resource_name.hpp>

namespace backbeat::memorystore::detail {

void list_locations(
    core_pointer const& core,
    std::string parent,
    page_request page,
    call_options const& options,
    result_handler<list_locations_response> handler)
{
    start_call(core, options, std::move(handler), [&] {
        static_cast<void>(project_name::parse(parent));
        return filtered_list_of("name", parent, "locations", page);
    });
}

void get_location(
    core_pointer const& core, std::string name, call_options const& options, result_handler<location> handler)
{
    start_call(core, options, std::move(handler), [&] {
        check_one_location(location_name::parse(name).location, name);
        return get_of("location", name);
    });
}

}  // namespace backbeat::memorystore::detail
