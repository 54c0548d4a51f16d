//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "command.hpp"
#include "option_set.hpp"
#include "output.hpp"
#include "resource_output.hpp"
#include "service.hpp"
#include "wait_flags.hpp"

#include <backbeat/memorystore/client.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

namespace backbeat::cli {

namespace {

namespace asio = boost::asio;
using memorystore::client;

constexpr char const* name_help = "the name of the operation, projects/.../operations/..., or its last part";

class get_command final : public command {
public:
    void add_options(option_set& options) override
    {
        options.argument("NAME", id_, name_help);
        service_.add_to(options);
    }

    void run() override
    {
        auto const name = service_.resource("operations", id_);
        memorystore::operation found;
        auto const calls = [&](client& redis) { return get(redis, name, found); };
        service_.run(fmt::format("{} cannot be shown", name), calls);
        write_result(shown(found, service_.format()));
    }

private:
    static asio::awaitable<void> get(client& redis, std::string const& wanted, memorystore::operation& found)
    {
        auto name = wanted;
        found = co_await redis.async_get_operation(std::move(name), asio::use_awaitable);
    }

    std::string id_;
    service service_;
};

class wait_command final : public command {
public:
    void add_options(option_set& options) override
    {
        options.argument("NAME", id_, name_help);
        pace_.add_to(options);
        service_.add_to(options);
    }

    void run() override
    {
        auto const name = service_.resource("operations", id_);
        auto const pace = pace_.chosen();
        memorystore::operation ended;
        auto const calls = [&](client& redis) { return wait(redis, name, pace, ended); };
        service_.run(fmt::format("{} has no result", name), calls);
        write_result(shown(ended, service_.format()));
    }

private:
    static asio::awaitable<void> wait(
        client& redis, std::string const& wanted, memorystore::wait_options const& pace, memorystore::operation& ended)
    {
        auto name = wanted;
        ended = co_await redis.async_wait_operation(std::move(name), pace, asio::use_awaitable);
    }

    std::string id_;
    wait_flags pace_;
    service service_;
};

}  // namespace

std::unique_ptr<command> make_operations_get()
{
    return std::make_unique<get_command>();
}

std::unique_ptr<command> make_operations_wait()
{
    return std::make_unique<wait_command>();
}

}  // namespace backbeat::cli
