//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "command.hpp"
#include "read_command.hpp"
#include "resource_kind.hpp"

#include <backbeat/memorystore/client.hpp>

#include <boost/asio/use_awaitable.hpp>

#include <array>
#include <memory>
#include <string>
#include <utility>

namespace backbeat::cli {

namespace {

using boost::asio::use_awaitable;
using memorystore::client;

std::unique_ptr<command> make_locations_list()
{
    return make_list(location_kind(), service::region::none, [](client& redis, std::string parent) {
        return as_json(redis.async_list_all_locations(std::move(parent), use_awaitable));
    });
}

std::unique_ptr<command> make_locations_get()
{
    auto const& kind = location_kind();
    return make_get(kind, service::region::none, kind.record, [](client& redis, std::string name) {
        return as_json(redis.async_get_location(std::move(name), use_awaitable));
    });
}

constexpr std::array location_entries{
    command_entry{"locations", "list", "Lists the regions that a project can use.", make_locations_list},
    command_entry{"locations", "get", "Shows a region and its zones.", make_locations_get},
};

}  // namespace

std::span<command_entry const> location_commands()
{
    return location_entries;
}

}  // namespace backbeat::cli
