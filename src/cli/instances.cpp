//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "command.hpp"
#include "exit_status.hpp"
#include "option_set.hpp"
#include "option_values.hpp"
#include "output.hpp"
#include "resource_output.hpp"
#include "service.hpp"
#include "text.hpp"
#include "wait_flags.hpp"

#include <backbeat/memorystore/client.hpp>
#include <backbeat/memorystore/resource_name.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace backbeat::cli {

namespace {

namespace asio = boost::asio;
using memorystore::client;

class list_command final : public command {
public:
    void add_options(option_set& options) override { service_.add_to(options); }

    void run() override
    {
        auto const parent = service_.location();
        memorystore::list_instances_response found;
        auto const calls = [&](client& redis) { return list(redis, parent, found); };
        service_.run("the instances cannot be listed", calls);
        write_result(shown(found, service_.format()));
        for (auto const& each : found.unreachable)
            note(fmt::format("{} could not be asked: its instances are missing here", printable(each)));
    }

private:
    static asio::awaitable<void> list(
        client& redis, std::string const& parent, memorystore::list_instances_response& found)
    {
        auto name = parent;
        found = co_await redis.async_list_all_instances(std::move(name), asio::use_awaitable);
    }

    service service_{service::region::any};
};

class get_command final : public command {
public:
    void add_options(option_set& options) override
    {
        options.argument("ID", id_, "the id of the instance, or its whole name, projects/.../instances/ID");
        service_.add_to(options);
    }

    void run() override
    {
        auto const name = service_.resource("instances", id_);
        memorystore::instance found;
        auto const calls = [&](client& redis) { return get(redis, name, found); };
        service_.run(fmt::format("{} cannot be shown", name), calls);
        write_result(shown(found, service_.format()));
    }

private:
    static asio::awaitable<void> get(client& redis, std::string const& wanted, memorystore::instance& found)
    {
        auto name = wanted;
        found = co_await redis.async_get_instance(std::move(name), asio::use_awaitable);
    }

    std::string id_;
    service service_;
};

// What creating and deleting have in common: an operation that begins, and perhaps is waited for.
class change_command : public command {
protected:
    void add_common_options(option_set& options)
    {
        options.section("Waiting");
        options.flag("--wait", wait_, "Waits until the operation has ended.");
        pace_.add_to(options);
        service_.add_to(options);
    }

    // `what` is what failed if it failed, "the instance cannot be created".
    void run_change(std::string const& what)
    {
        auto const pace = pace_.chosen();
        memorystore::operation begun;
        auto const calls = [&](client& redis) { return begin_and_wait(redis, begun, pace); };
        try {
            service_.run(what, calls);
        } catch (...) {
            // What was begun goes on, and can be waited for under this name.
            if (!begun.name.empty()) note(fmt::format("the operation is {}", printable(begun.name)));
            throw;
        }
        write_result(shown(begun, service_.format()));
    }

    virtual asio::awaitable<memorystore::operation> begin(client& redis) = 0;

    service service_;

private:
    asio::awaitable<void> begin_and_wait(
        client& redis, memorystore::operation& begun, memorystore::wait_options const& pace)
    {
        auto const waits = wait_;
        begun = co_await begin(redis);
        if (waits) {
            auto started = begun;
            begun = co_await redis.async_wait_operation(std::move(started), pace, asio::use_awaitable);
        }
    }

    bool wait_ = false;
    wait_flags pace_;
};

class create_command final : public change_command {
public:
    void add_options(option_set& options) override
    {
        options.argument("ID", id_, "the id of the instance: 1 to 40 lower-case letters, digits and hyphens");
        options.section("Instance");
        options.value("--tier", "TIER", "BASIC or STANDARD_HA.", "BASIC", [this](std::string const& text) {
            wanted_.tier = memorystore::open_enum<memorystore::tier>::from_name(text);
            if (!wanted_.tier.known() || wanted_.tier.unspecified())
                throw usage_error(fmt::format("--tier '{}': must be BASIC or STANDARD_HA", printable(text)));
        });
        options.value("--memory-size-gb", "N", "The size in GiB.", "1", [this](std::string const& text) {
            wanted_.memory_size_gb = static_cast<std::int32_t>(
                count_value("--memory-size-gb", text, 1, (std::numeric_limits<std::int32_t>::max)()));
        });
        add_text(options, "--display-name", "TEXT", wanted_.display_name, "A name for people.");
        add_text(options, "--redis-version", "VERSION", wanted_.redis_version, "Like REDIS_7_2.");
        options.values(
            "--labels", "KEY=VALUE", "A label; several with commas between them.", "", [this](auto const& text) {
                add_labels(text);
            });
        add_common_options(options);
    }

    void run() override
    {
        try {
            memorystore::check_instance_id(id_);
        } catch (std::invalid_argument const& error) {
            throw usage_error(error.what());
        }
        parent_ = service_.location();
        run_change(fmt::format("{}/instances/{} cannot be created", parent_, id_));
    }

private:
    void add_labels(std::string_view text)
    {
        while (!text.empty()) {
            auto const label = text.substr(0, text.find(','));
            text.remove_prefix((std::min)(label.size() + 1, text.size()));
            auto const equals = label.find('=');
            if (equals == 0 || equals == std::string_view::npos)
                throw usage_error(fmt::format("--labels '{}': must be KEY=VALUE", printable(label)));
            wanted_.labels.insert_or_assign(
                std::string(label.substr(0, equals)), std::string(label.substr(equals + 1)));
        }
    }

    asio::awaitable<memorystore::operation> begin(client& redis) override
    {
        auto parent = parent_;
        auto id = id_;
        auto wanted = wanted_;
        co_return co_await redis.async_create_instance(
            std::move(parent), std::move(id), std::move(wanted), asio::use_awaitable);
    }

    static memorystore::instance default_instance()
    {
        memorystore::instance made;
        made.tier = memorystore::tier::basic;
        made.memory_size_gb = 1;
        return made;
    }

    std::string id_;
    std::string parent_;
    memorystore::instance wanted_ = default_instance();
};

class delete_command final : public change_command {
public:
    void add_options(option_set& options) override
    {
        options.argument("ID", id_, "the id of the instance, or its whole name, projects/.../instances/ID");
        add_common_options(options);
    }

    void run() override
    {
        name_ = service_.resource("instances", id_);
        run_change(fmt::format("{} cannot be deleted", name_));
    }

private:
    asio::awaitable<memorystore::operation> begin(client& redis) override
    {
        auto name = name_;
        co_return co_await redis.async_delete_instance(std::move(name), asio::use_awaitable);
    }

    std::string id_;
    std::string name_;
};

}  // namespace

std::unique_ptr<command> make_instances_list()
{
    return std::make_unique<list_command>();
}

std::unique_ptr<command> make_instances_get()
{
    return std::make_unique<get_command>();
}

std::unique_ptr<command> make_instances_create()
{
    return std::make_unique<create_command>();
}

std::unique_ptr<command> make_instances_delete()
{
    return std::make_unique<delete_command>();
}

}  // namespace backbeat::cli
