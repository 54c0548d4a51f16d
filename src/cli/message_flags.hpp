//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_MESSAGE_FLAGS_HPP
#define BACKBEAT_SRC_CLI_MESSAGE_FLAGS_HPP

#include "exit_status.hpp"
#include "field_values.hpp"
#include "flag_name.hpp"
#include "input_file.hpp"
#include "option_set.hpp"
#include "text.hpp"

#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/update_mask.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace backbeat::cli {

// The fields of a message of the API as flags, named like the fields. What they say is put into the message once all
// are read, over what a file says.
template <class Message>
class message_flags {
public:
    // Puts the text of a flag into the message.
    using setter = std::function<void(Message& message, std::string const& text)>;

    explicit message_flags(option_set& options) : options_(&options) {}

    // What the help says that a field is if no flag is given for it, once.
    message_flags& initially(std::string text)
    {
        initial_ = std::move(text);
        return *this;
    }

    // A field that is a value.
    template <class Field>
    void field(Field Message::*member, std::string const& help)
    {
        auto const path = memorystore::update_mask::of(member).to_string();
        auto const flag = flag_name(path);
        auto const set = [member, flag](Message& message, std::string const& text) {
            read_field(flag, text, message.*member);
        };
        // One pair is a part of the map.
        if constexpr (std::same_as<Field, std::map<std::string, std::string>>)
            add_part(flag, member, syntax_of(Field()), help, set);
        else
            add(flag, path, syntax_of(Field()), help, set);
    }

    // A value in a field that is a message.
    template <class Outer, class Field>
    void field(
        std::string const& flag, std::optional<Outer> Message::*outer, Field Outer::*inner, std::string const& help)
    {
        add_part(
            flag, outer, syntax_of(Field()), help, [outer, inner, flag](Message& message, std::string const& text) {
                auto& within = message.*outer;
                read_field(flag, text, (within ? *within : within.emplace()).*inner);
            });
    }

    // A flag of its own kind that sets a part of a field, the rest of which stays.
    template <class Field>
    void add_part(
        std::string const& flag,
        Field Message::*member,
        field_syntax const& syntax,
        std::string const& help,
        setter const& set)
    {
        auto const path = memorystore::update_mask::of(member).to_string();
        add(flag, path, syntax, help, [set](Message& message, std::string const& text) { set(message, text); });
        parts_.emplace(path, [member](Message& to, Message const& from) { to.*member = from.*member; });
    }

    // A flag of its own kind. `path`: the field that it sets.
    void add(
        std::string const& flag,
        std::string const& path,
        field_syntax const& syntax,
        std::string const& help,
        setter const& set)
    {
        auto const take = [this, path, set](std::string const& text) {
            // Tried out at once, so that what is wrong is said before anything else is looked at.
            Message tried;
            set(tried, text);
            changes_.push_back([set, text](Message& message) { set(message, text); });
            mask_.add(path);
        };
        auto const whole_help = syntax.help.empty() ? help : help + " " + syntax.help;
        auto initial = std::exchange(initial_, {});
        if (syntax.repeatable)
            options_->values(flag, syntax.placeholder, whole_help, std::move(initial), take);
        else
            options_->value(flag, syntax.placeholder, whole_help, std::move(initial), take);
        options_->choices(syntax.choices);
    }

    // A word without a flag that is put into the message.
    void argument(std::string const& placeholder, std::string const& help, setter const& set)
    {
        options_->argument(
            placeholder,
            [this, set](std::string const& text) {
                changes_.push_back([set, text](Message& message) { set(message, text); });
            },
            help);
    }

    // A flag that empties a map.
    void clear(std::map<std::string, std::string> Message::*member)
    {
        auto const path = memorystore::update_mask::of(member).to_string();
        auto const flag = "--clear" + flag_name(path).substr(1);
        auto const& removed = cleared_.emplace_back(std::make_unique<clearing>(clearing{member, path}));
        options_->flag(flag, removed->wanted, "Removes those that are not given. Without it, the others stay.");
    }

    void json()
    {
        options_->value(
            "--json",
            "FILE",
            "The API's message, in JSON; - is standard input. The other flags change what it says.",
            "",
            [this](std::string const& text) { json_file_ = text; });
    }

    void mask()
    {
        options_->value(
            "--update-mask",
            "FIELDS",
            "The fields that are changed, with commas between them, beside those that have flags: displayName,labels. "
            "What --json leaves out is cleared.",
            "",
            [this](std::string const& text) { named_ = memorystore::update_mask(std::string_view(text)); });
    }

    // What was said, over `initial` or the file.
    [[nodiscard]] Message message(Message initial = {}) const
    {
        auto result = std::move(initial);
        if (!json_file_.empty()) {
            try {
                memorystore::json_options strict;
                strict.reject_unknown = true;
                result = memorystore::parse_json<Message>(file_text("--json", json_file_), strict);
            } catch (memorystore::json_error const& error) {
                throw usage_error(fmt::format("--json '{}': {}", printable(json_file_), error.what()));
            }
        }
        for (auto const& each : cleared_)
            if (each->wanted) (result.*(each->member)).clear();
        for (auto const& change : changes_) change(result);
        return result;
    }

    // Whether only parts of some fields were said, so that it depends on the rest what these become.
    [[nodiscard]] bool has_parts() const
    {
        auto const paths = mask_.paths();
        return json_file_.empty()
            && std::any_of(paths.begin(), paths.end(), [&](auto const& path) { return parts_.contains(path); });
    }

    // The fields of which parts were said, as they are.
    [[nodiscard]] Message rest(Message const& current) const
    {
        Message result;
        for (auto const& path : mask_.paths())
            if (auto const part = parts_.find(path); part != parts_.end()) part->second(result, current);
        return result;
    }

    // Which fields were said. Throws `usage_error` if there are none.
    [[nodiscard]] memorystore::update_mask changed() const
    {
        if (!json_file_.empty() && named_.empty())
            throw usage_error(
                "--json needs --update-mask, which names the fields to change, like --update-mask displayName,labels");
        auto result = named_;
        auto const in_file = named_.paths();
        for (auto const& path : mask_.paths()) {
            // What the file does not say of the field is not what the service has.
            if (!json_file_.empty() && parts_.contains(path)
                && std::find(in_file.begin(), in_file.end(), path) == in_file.end())
                throw usage_error(fmt::format(
                    "a flag changes a part of {0}, and the rest would come from --json, whose --update-mask does not "
                    "name it; name {0} in --update-mask, or change it without --json",
                    path));
            result.add(path);
        }
        for (auto const& each : cleared_)
            if (each->wanted) result.add(each->path);
        if (result.empty())
            throw usage_error(
                "nothing is to be changed: say a field, like --redis-configs KEY=VALUE, or --update-mask");
        return result;
    }

private:
    struct clearing {
        std::map<std::string, std::string> Message::*member;
        std::string path;
        bool wanted = false;
    };

    option_set* options_;
    std::string initial_;
    std::string json_file_;
    memorystore::update_mask named_;
    memorystore::update_mask mask_;
    std::vector<std::unique_ptr<clearing>> cleared_;
    std::vector<std::function<void(Message&)>> changes_;
    // By the paths of the fields: takes over what such a field is.
    std::map<std::string, std::function<void(Message&, Message const&)>> parts_;
};

}  // namespace backbeat::cli

#endif
