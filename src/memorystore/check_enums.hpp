//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_CHECK_ENUMS_HPP
#define BACKBEAT_SRC_MEMORYSTORE_CHECK_ENUMS_HPP

#include "in_quotes.hpp"

#include <backbeat/memorystore/json_codec.hpp>
#include <backbeat/memorystore/open_enum.hpp>

#include <boost/describe/members.hpp>
#include <boost/describe/modifiers.hpp>
#include <boost/mp11/algorithm.hpp>

#include <concepts>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat::memorystore::detail {

template <class Message, class Filter>
void check_enums(Message const& message, std::string const& path, Filter const& is_meant);

template <class Field>
void check_enums_in(Field const& /*field*/, std::string const& /*path*/)
{}

// A value that this library does not know can be sent as a number. A name that it does not know is most likely misspelt.
template <class Enum>
void check_enums_in(open_enum<Enum> const& value, std::string const& path)
{
    if (value.number()) return;
    throw std::invalid_argument(
        path + " is " + in_quotes(value.name()) + ", but must be one of " + list_names(enumerators<Enum>));
}

template <class Field>
    requires requires(Field const& field)
    {
        field.unknown_fields;
    }
void check_enums_in(Field const& field, std::string const& path)
{
    check_enums(field, path + '.', [](std::string_view) { return true; });
}

template <class Field>
void check_enums_in(std::optional<Field> const& field, std::string const& path)
{
    if (field) check_enums_in(*field, path);
}

template <class Field>
void check_enums_in(std::vector<Field> const& field, std::string const& path)
{
    for (auto const& each : field) check_enums_in(each, path);
}

// \throws std::invalid_argument An enum of the message, in a field whose name is meant, has a name that is none of its
//     values'.
template <class Message, class Filter>
void check_enums(Message const& message, std::string const& path, Filter const& is_meant)
{
    boost::mp11::mp_for_each<boost::describe::describe_members<Message, boost::describe::mod_public>>(
        [&](auto described) {
            auto const name = json_name_of<decltype(described)>.view();
            if (is_meant(name)) check_enums_in(message.*described.pointer, path + std::string(name));
        });
}

template <class Message>
void check_enums(Message const& message)
{
    check_enums(message, {}, [](std::string_view) { return true; });
}

}  // namespace backbeat::memorystore::detail

#endif
