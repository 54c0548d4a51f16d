//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_UPDATE_MASK_HPP
#define BACKBEAT_SRC_EMULATOR_UPDATE_MASK_HPP

#include "request_target.hpp"

#include <backbeat/memorystore/json_codec.hpp>

#include <boost/describe/members.hpp>
#include <boost/describe/modifiers.hpp>
#include <boost/mp11/algorithm.hpp>

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat::emulation {

// Calls `each(name, pointer)` for each described field of a message: its name in the .proto, a pointer to member.
template <class Message, class Each>
void for_each_field(Each each)
{
    using members = boost::describe::describe_members<Message, boost::describe::mod_public>;
    boost::mp11::mp_for_each<members>([&each](auto field) { each(std::string_view(field.name), field.pointer); });
}

// Gives the named fields of a message the value that they have in a new one.
template <class Message>
void clear_fields(Message& message, std::span<std::string_view const> names)
{
    Message const fresh;
    for_each_field<Message>([&](std::string_view name, auto pointer) {
        for (auto const& each : names)
            if (each == name) message.*pointer = fresh.*pointer;
    });
}

// The fields that a PATCH writes: whole ones, as the service does. A path into a field stands for all of it.
class update_mask {
public:
    // Another name for a field, as the API's documentation has some.
    struct alias {
        std::string_view name;
        std::string_view field;
    };

    // Reads `updateMask`. Throws api_error when it is missing, empty, or has paths that the message does not have.
    template <class Message>
    [[nodiscard]] static update_mask read(request_target const& target, std::span<alias const> aliases = {})
    {
        std::vector<alias> names(aliases.begin(), aliases.end());
        for (auto const& each : memorystore::detail::fields<Message>) {
            names.push_back({each.json_name, each.proto_name});
            names.push_back({each.proto_name, each.proto_name});
        }
        return {target, names};
    }

    // Whether the field with this name in the .proto is written.
    [[nodiscard]] bool has(std::string_view name) const { return fields_.count(name) != 0; }

    // Removes fields that cannot be written, such as those that only the service sets.
    void ignore(std::span<std::string_view const> names)
    {
        for (auto const& each : names) fields_.erase(each);
    }

    // The names of the fields in the .proto.
    [[nodiscard]] std::set<std::string_view> const& fields() const noexcept { return fields_; }

    // Writes the fields: those that `from` does not have are cleared.
    template <class Message>
    void apply(Message& to, Message const& from) const
    {
        for_each_field<Message>([&](std::string_view name, auto pointer) {
            if (has(name)) to.*pointer = from.*pointer;
        });
    }

private:
    update_mask(request_target const& target, std::vector<alias> const& names);

    // Views of the names in the fields' descriptions, which are static.
    std::set<std::string_view> fields_;
};

}  // namespace backbeat::emulation

#endif
