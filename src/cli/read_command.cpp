//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "read_command.hpp"

#include "option_set.hpp"
#include "output.hpp"
#include "resource_output.hpp"
#include "target.hpp"
#include "text.hpp"

#include <boost/json/array.hpp>

#include <fmt/format.h>

namespace backbeat::cli {

namespace {

namespace asio = boost::asio;
namespace json = boost::json;
using memorystore::client;

// What both have in common: a question, and an answer in JSON.
class read_command : public command {
public:
    read_command(resource_kind const& kind, service::region regions, reading read) noexcept
        : target_(kind), service_(regions), read_(read)
    {}

protected:
    json::object ask(std::string const& what, std::string const& name)
    {
        json::object found;
        auto const calls = [&](client& redis) { return store(read_, redis, name, found); };
        service_.run(what, calls);
        return found;
    }

    target target_;
    service service_;

private:
    static asio::awaitable<void> store(reading read, client& redis, std::string const& wanted, json::object& found)
    {
        auto name = wanted;
        found = co_await read(redis, std::move(name));
    }

    reading read_;
};

class list_command final : public read_command {
public:
    using read_command::read_command;

    void add_options(option_set& options) override
    {
        target_.add_parent_to(options);
        service_.add_to(options);
    }

    void run() override
    {
        auto const& kind = target_.kind();
        auto const parent = target_.parent(service_);
        auto const found = ask(fmt::format("the {} cannot be listed", kind.plural), parent);
        write_result(shown_list(found, kind, service_.format()));
        auto const* const unreachable = found.if_contains("unreachable");
        if (unreachable == nullptr || !unreachable->is_array()) return;
        for (auto const& each : unreachable->get_array())
            if (auto const* const name = each.if_string())
                note(fmt::format(
                    "{} could not be asked: its {} are missing here",
                    printable(std::string_view(name->data(), name->size())),
                    kind.plural));
    }
};

class get_command final : public read_command {
public:
    get_command(
        resource_kind const& kind, service::region regions, std::span<column const> columns, reading read) noexcept
        : read_command(kind, regions, read), columns_(columns)
    {}

    void add_options(option_set& options) override
    {
        target_.add_to(options);
        service_.add_to(options);
    }

    void run() override
    {
        auto const name = target_.name(service_);
        auto const found = ask(fmt::format("{} cannot be shown", name), name);
        write_result(shown_record(found, columns_, service_.format()));
    }

private:
    std::span<column const> columns_;
};

}  // namespace

std::unique_ptr<command> make_list(resource_kind const& kind, service::region regions, reading read)
{
    return std::make_unique<list_command>(kind, regions, read);
}

std::unique_ptr<command> make_get(
    resource_kind const& kind, service::region regions, std::span<column const> columns, reading read)
{
    return std::make_unique<get_command>(kind, regions, columns, read);
}

}  // namespace backbeat::cli
