//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "command.hpp"
#include "option_set.hpp"
#include "output.hpp"
#include "read_command.hpp"
#include "resource_kind.hpp"
#include "resource_output.hpp"
#include "service.hpp"
#include "target.hpp"
#include "wait_flags.hpp"

#include <backbeat/memorystore/client.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>
#include <utility>

namespace backbeat::cli {

namespace {

namespace asio = boost::asio;
using asio::use_awaitable;
using memorystore::client;

std::unique_ptr<command> make_operations_list()
{
    return make_list(operation_kind(), service::region::needed, [](client& redis, std::string parent) {
        return as_json(redis.async_list_all_operations(std::move(parent), use_awaitable));
    });
}

std::unique_ptr<command> make_operations_get()
{
    auto const& kind = operation_kind();
    return make_get(kind, service::region::needed, kind.record, [](client& redis, std::string name) {
        return as_json(redis.async_get_operation(std::move(name), use_awaitable));
    });
}

class wait_command final : public command {
public:
    void add_options(option_set& options) override
    {
        target_.add_to(options);
        pace_.add_to(options, false);
        service_.add_to(options);
    }

    void run() override
    {
        auto const name = target_.name(service_);
        auto pace = pace_.chosen();
        pace.observer = &progress_;
        memorystore::operation ended;
        auto const calls = [&](client& redis) { return wait(redis, name, pace, ended); };
        service_.run(fmt::format("{} has no result", name), calls, [this] { return progress_.text(); });
        write_result(shown_record(memorystore::to_json(ended), target_.kind().record, service_.format()));
    }

private:
    static asio::awaitable<void> wait(
        client& redis, std::string const& wanted, memorystore::wait_options const& pace, memorystore::operation& ended)
    {
        auto name = wanted;
        ended = co_await redis.async_wait_operation(std::move(name), pace, use_awaitable);
    }

    target target_{operation_kind()};
    wait_flags pace_;
    operation_progress progress_;
    service service_;
};

// Something is done to an operation, and there is nothing to show for it but that it was done.
class act_command final : public command {
public:
    using call = asio::awaitable<memorystore::empty> (*)(client& redis, std::string name);

    act_command(call send, char const* failure, char const* success) noexcept
        : send_(send), failure_(failure), success_(success)
    {}

    void add_options(option_set& options) override
    {
        target_.add_to(options);
        service_.add_to(options);
    }

    void run() override
    {
        auto const name = target_.name(service_);
        auto const calls = [&](client& redis) { return act(send_, redis, name); };
        service_.run(fmt::format("{} {}", name, failure_), calls);
        if (service_.format() == output_format::table)
            note(fmt::format("{} {}", name, success_));
        else if (service_.format() == output_format::json)
            write_result("{}\n");
    }

private:
    static asio::awaitable<void> act(call send, client& redis, std::string const& wanted)
    {
        auto name = wanted;
        co_await send(redis, std::move(name));
    }

    call send_;
    char const* failure_;
    char const* success_;
    target target_{operation_kind()};
    service service_;
};

std::unique_ptr<command> make_operations_wait()
{
    return std::make_unique<wait_command>();
}

std::unique_ptr<command> make_operations_cancel()
{
    return std::make_unique<act_command>(
        [](client& redis, std::string name) { return redis.async_cancel_operation(std::move(name), use_awaitable); },
        "cannot be cancelled",
        "is asked to end; operations wait tells whether it did");
}

std::unique_ptr<command> make_operations_delete()
{
    return std::make_unique<act_command>(
        [](client& redis, std::string name) { return redis.async_delete_operation(std::move(name), use_awaitable); },
        "cannot be deleted",
        "is forgotten");
}

constexpr std::array operation_entries{
    command_entry{"operations", "list", "Lists the long-running operations of a region.", make_operations_list},
    command_entry{"operations", "get", "Shows a long-running operation.", make_operations_get},
    command_entry{
        "operations", "wait", "Waits until a long-running operation has ended, and shows it.", make_operations_wait},
    command_entry{"operations", "cancel", "Asks for the end of an import or export.", make_operations_cancel},
    command_entry{
        "operations", "delete", "Lets the service forget an operation that has ended.", make_operations_delete},
};

}  // namespace

std::span<command_entry const> operation_commands()
{
    return operation_entries;
}

}  // namespace backbeat::cli
