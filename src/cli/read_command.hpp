//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_READ_COMMAND_HPP
#define BACKBEAT_SRC_CLI_READ_COMMAND_HPP

#include "command.hpp"
#include "resource_kind.hpp"
#include "service.hpp"

#include <backbeat/memorystore/client.hpp>
#include <backbeat/memorystore/json.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace backbeat::cli {

// Asks for what has this name; of a list, for what is in it. Gives the API's JSON.
using reading = boost::asio::awaitable<boost::json::object> (*)(memorystore::client& redis, std::string name);

// The result of a call as JSON.
template <class Result>
boost::asio::awaitable<boost::json::object> as_json(boost::asio::awaitable<Result> call)
{
    auto const result = co_await std::move(call);
    co_return memorystore::to_json(result);
}

// A command that lists the resources of a kind.
[[nodiscard]] std::unique_ptr<command> make_list(resource_kind const& kind, service::region regions, reading read);

// A command that shows a resource, or something of it.
[[nodiscard]] std::unique_ptr<command> make_get(
    resource_kind const& kind, service::region regions, std::span<column const> columns, reading read);

}  // namespace backbeat::cli

#endif
