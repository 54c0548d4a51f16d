//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_CHANGE_COMMAND_HPP
#define BACKBEAT_SRC_CLI_CHANGE_COMMAND_HPP

#include "command.hpp"
#include "exit_status.hpp"
#include "message_flags.hpp"
#include "mutation_flags.hpp"
#include "option_set.hpp"
#include "resource_kind.hpp"
#include "service.hpp"
#include "target.hpp"
#include "wait_flags.hpp"

#include <backbeat/memorystore/call_options.hpp>
#include <backbeat/memorystore/client.hpp>
#include <backbeat/memorystore/operation.hpp>
#include <backbeat/memorystore/update_mask.hpp>

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace backbeat::cli {

// Whether the API knows a request of this kind again by an id.
enum class request_ids : std::uint8_t { no, yes };

// What the commands that change something have in common: an operation that begins, and perhaps is waited for.
class change_command : public command {
public:
    explicit change_command(request_ids ids = request_ids::no) noexcept : ids_(ids) {}

protected:
    void add_common_options(option_set& options);

    // `what` is what failed if it failed, "the instance cannot be created".
    void run_change(std::string const& what);

    // Sends the change.
    virtual boost::asio::awaitable<memorystore::operation> begin(
        memorystore::client& redis, memorystore::call_options options) = 0;

    [[nodiscard]] service const& where() const noexcept { return service_; }

private:
    boost::asio::awaitable<void> begin_and_wait(
        memorystore::client& redis, memorystore::operation& begun, memorystore::wait_options const& pace);

    request_ids ids_;
    std::string request_id_;
    service service_;
    mutation_flags mutations_;
    wait_flags pace_;
    operation_progress progress_;
};

// Something is done to a resource that is there.
template <class Message>
struct act_description {
    resource_kind const& (*kind)();
    std::string_view failure;  // "cannot be exported"
    std::string_view section;  // the heading of the flags
    void (*add_flags)(message_flags<Message>& flags);
    boost::asio::awaitable<memorystore::operation> (*begin)(
        memorystore::client& redis, std::string name, Message wanted, memorystore::call_options options);
    request_ids ids = request_ids::no;
};

template <class Message>
class act_command final : public change_command {
public:
    explicit act_command(act_description<Message> const& description)
        : change_command(description.ids), about_(description), target_(description.kind())
    {}

    void add_options(option_set& options) override
    {
        target_.add_to(options);
        if (!about_.section.empty()) options.section(std::string(about_.section));
        about_.add_flags(flags_.emplace(options));
        add_common_options(options);
    }

    void run() override
    {
        name_ = target_.name(where());
        run_change(fmt::format("{} {}", name_, about_.failure));
    }

private:
    boost::asio::awaitable<memorystore::operation> begin(
        memorystore::client& redis, memorystore::call_options options) override
    {
        return about_.begin(redis, name_, flags_->message(), std::move(options));
    }

    act_description<Message> about_;
    target target_;
    std::optional<message_flags<Message>> flags_;
    std::string name_;
};

// A resource is made.
template <class Message>
struct create_description {
    resource_kind const& (*kind)();
    std::string_view id_help;
    std::string_view section;
    void (*check_id)(std::string_view id);
    void (*add_flags)(message_flags<Message>& flags);
    Message (*initial)();  // what it is if no file says
    boost::asio::awaitable<memorystore::operation> (*begin)(
        memorystore::client& redis,
        std::string parent,
        std::string id,
        Message wanted,
        memorystore::call_options options);
    request_ids ids = request_ids::no;
};

template <class Message>
class create_command final : public change_command {
public:
    explicit create_command(create_description<Message> const& description)
        : change_command(description.ids), about_(description)
    {}

    void add_options(option_set& options) override
    {
        options.argument("ID", id_, std::string(about_.id_help));
        options.section(std::string(about_.section));
        auto& flags = flags_.emplace(options);
        about_.add_flags(flags);
        flags.json();
        add_common_options(options);
    }

    void run() override
    {
        try {
            about_.check_id(id_);
        } catch (std::invalid_argument const& error) {
            throw usage_error(error.what());
        }
        wanted_ = flags_->message(about_.initial());
        parent_ = where().location();
        run_change(fmt::format("{}/{}/{} cannot be created", parent_, about_.kind().segment, id_));
    }

private:
    boost::asio::awaitable<memorystore::operation> begin(
        memorystore::client& redis, memorystore::call_options options) override
    {
        return about_.begin(redis, parent_, id_, wanted_, std::move(options));
    }

    create_description<Message> about_;
    std::optional<message_flags<Message>> flags_;
    std::string id_;
    std::string parent_;
    Message wanted_;
};

// Fields of a resource are changed.
template <class Message>
struct update_description {
    resource_kind const& (*kind)();
    std::string_view section;
    void (*add_flags)(message_flags<Message>& flags);
    boost::asio::awaitable<Message> (*get)(memorystore::client& redis, std::string name);
    boost::asio::awaitable<memorystore::operation> (*begin)(
        memorystore::client& redis, Message wanted, memorystore::update_mask mask, memorystore::call_options options);
    request_ids ids = request_ids::no;
};

template <class Message>
class update_command final : public change_command {
public:
    explicit update_command(update_description<Message> const& description)
        : change_command(description.ids), about_(description), target_(description.kind())
    {}

    void add_options(option_set& options) override
    {
        target_.add_to(options);
        options.section(std::string(about_.section));
        auto& flags = flags_.emplace(options);
        about_.add_flags(flags);
        flags.mask();
        flags.json();
        add_common_options(options);
    }

    void run() override
    {
        mask_ = flags_->changed();
        wanted_ = flags_->message();
        wanted_.name = target_.name(where());
        run_change(fmt::format("{} cannot be updated", wanted_.name));
    }

private:
    boost::asio::awaitable<memorystore::operation> begin(
        memorystore::client& redis, memorystore::call_options options) override
    {
        auto wanted = wanted_;
        // The API changes a field as a whole. What was not said of it is to stay.
        if (flags_->has_parts()) {
            auto const current = co_await about_.get(redis, wanted_.name);
            wanted = flags_->message(flags_->rest(current));
            wanted.name = wanted_.name;
        }
        co_return co_await about_.begin(redis, std::move(wanted), mask_, std::move(options));
    }

    update_description<Message> about_;
    target target_;
    std::optional<message_flags<Message>> flags_;
    Message wanted_;
    memorystore::update_mask mask_;
};

}  // namespace backbeat::cli

#endif
