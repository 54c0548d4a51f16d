//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_FIELD_VALUES_HPP
#define BACKBEAT_SRC_CLI_FIELD_VALUES_HPP

#include <backbeat/memorystore/duration.hpp>
#include <backbeat/memorystore/open_enum.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat::cli {

// What the help says of a flag that sets a field of a message.
struct field_syntax {
    std::string placeholder;
    std::string help = {};  // what the type of the field adds to the help
    std::vector<std::string> choices = {};
    bool repeatable = false;
};

// "BASIC or STANDARD_HA": what one of them must be.
[[nodiscard]] std::string one_of(std::vector<std::string> const& names);

// The names of an enumeration in the API, without the one that says nothing.
[[nodiscard]] std::vector<std::string> enum_names(std::span<memorystore::detail::enumerator const> known);

// Reads the text of a flag into a field. All of them throw `usage_error`, which says what would be right.
void read_field(std::string_view flag, std::string const& text, std::string& field);
void read_field(std::string_view flag, std::string const& text, std::int32_t& field);
void read_field(std::string_view flag, std::string const& text, bool& field);
void read_field(std::string_view flag, std::string const& text, memorystore::timestamp& field);
void read_field(std::string_view flag, std::string const& text, memorystore::duration& field);
void read_field(std::string_view flag, std::string const& text, std::map<std::string, std::string>& field);
void check_enum_name(
    std::string_view flag, std::string const& text, std::span<memorystore::detail::enumerator const> known);

template <class Enum>
void read_field(std::string_view flag, std::string const& text, memorystore::open_enum<Enum>& field)
{
    check_enum_name(flag, text, memorystore::detail::enumerators<Enum>);
    field = memorystore::open_enum<Enum>::from_name(text);
}

template <class Field>
void read_field(std::string_view flag, std::string const& text, std::optional<Field>& field)
{
    read_field(flag, text, field.emplace());
}

[[nodiscard]] field_syntax syntax_of(std::string const& field);
[[nodiscard]] field_syntax syntax_of(std::int32_t field);
[[nodiscard]] field_syntax syntax_of(bool field);
[[nodiscard]] field_syntax syntax_of(memorystore::timestamp const& field);
[[nodiscard]] field_syntax syntax_of(memorystore::duration const& field);
[[nodiscard]] field_syntax syntax_of(std::map<std::string, std::string> const& field);
[[nodiscard]] field_syntax enum_syntax(std::span<memorystore::detail::enumerator const> known);

template <class Enum>
[[nodiscard]] field_syntax syntax_of(memorystore::open_enum<Enum> const& /*field*/)
{
    return enum_syntax(memorystore::detail::enumerators<Enum>);
}

template <class Field>
[[nodiscard]] field_syntax syntax_of(std::optional<Field> const& /*field*/)
{
    return syntax_of(Field());
}

}  // namespace backbeat::cli

#endif
