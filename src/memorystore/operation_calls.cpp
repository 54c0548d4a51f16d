//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "client_core.hpp"

#include <backbeat/memorystore/operation_calls.hpp>
#include <backbeat/memorystore/resource_name.hpp>

namespace backbeat::memorystore::detail {

void get_operation(core_pointer const& core, std::string name, call_options options, operation_handler handler)
{
    start_call(core, options, std::move(handler), [&] {
        check_one_location(operation_name::parse(name).location, name);
        return call_of(http::verb::get, "name", name, "getting operation '" + name + "'");
    });
}

void list_operations(
    core_pointer const& core, std::string parent, page_request page, call_options options, operations_handler handler)
{
    start_call(core, options, std::move(handler), [&] {
        static_cast<void>(location_name::parse(parent));
        auto result = call_of(http::verb::get, "name", parent, "listing the operations of '" + parent + "'");
        result.target += "/operations";
        add_page(result.target, page);
        return result;
    });
}

}  // namespace backbeat::memorystore::detail
