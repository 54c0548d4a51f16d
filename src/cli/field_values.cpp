//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "field_values.hpp"

#include "exit_status.hpp"
#include "option_values.hpp"
#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace backbeat::cli {

namespace {

[[noreturn]] void refuse_value(std::string_view flag, std::string_view text, std::string_view rule)
{
    throw usage_error(fmt::format("{} '{}': must be {}", flag, printable(text), rule));
}

}  // namespace

std::string one_of(std::vector<std::string> const& names)
{
    std::string text;
    for (std::size_t i = 0; i != names.size(); ++i)
        text.append(i == 0 ? "" : i + 1 == names.size() ? " or " : ", ").append(names[i]);
    return text;
}

std::vector<std::string> enum_names(std::span<memorystore::detail::enumerator const> known)
{
    std::vector<std::string> result;
    for (auto const& each : known)
        if (each.number != 0) result.push_back(memorystore::detail::find_name(known, each.number));
    return result;
}

void read_field(std::string_view /*flag*/, std::string const& text, std::string& field)
{
    field = text;
}

void read_field(std::string_view flag, std::string const& text, std::int32_t& field)
{
    field = static_cast<std::int32_t>(count_value(flag, text, 0, (std::numeric_limits<std::int32_t>::max)()));
}

void read_field(std::string_view flag, std::string const& text, bool& field)
{
    if (text != "true" && text != "false") refuse_value(flag, text, "true or false");
    field = text == "true";
}

void read_field(std::string_view flag, std::string const& text, memorystore::timestamp& field)
{
    auto const time = memorystore::timestamp::parse(text);
    if (!time) refuse_value(flag, text, "a time of RFC 3339, like 2026-08-22T10:00:00Z");
    field = *time;
}

void read_field(std::string_view flag, std::string const& text, memorystore::duration& field)
{
    field = duration_value(flag, text);
}

void read_field(std::string_view flag, std::string const& text, std::map<std::string, std::string>& field)
{
    std::string_view rest = text;
    while (!rest.empty()) {
        auto const pair = rest.substr(0, rest.find(','));
        rest.remove_prefix((std::min)(pair.size() + 1, rest.size()));
        auto const equals = pair.find('=');
        if (equals == 0 || equals == std::string_view::npos) refuse_value(flag, pair, "KEY=VALUE");
        field.insert_or_assign(std::string(pair.substr(0, equals)), std::string(pair.substr(equals + 1)));
    }
}

void check_enum_name(
    std::string_view flag, std::string const& text, std::span<memorystore::detail::enumerator const> known)
{
    auto const names = enum_names(known);
    if (std::find(names.begin(), names.end(), text) == names.end()) refuse_value(flag, text, one_of(names));
}

field_syntax syntax_of(std::string const& /*field*/)
{
    return {"TEXT"};
}

field_syntax syntax_of(std::int32_t /*field*/)
{
    return {"N"};
}

field_syntax syntax_of(bool /*field*/)
{
    return {"BOOL", "true or false.", {"true", "false"}};
}

field_syntax syntax_of(memorystore::timestamp const& /*field*/)
{
    return {"TIME", "Like 2026-08-22T10:00:00Z."};
}

field_syntax syntax_of(memorystore::duration const& /*field*/)
{
    return {"DURATION"};
}

field_syntax syntax_of(std::map<std::string, std::string> const& /*field*/)
{
    return {"KEY=VALUE", "Several with commas between them.", {}, true};
}

field_syntax enum_syntax(std::span<memorystore::detail::enumerator const> known)
{
    auto names = enum_names(known);
    return {"NAME", one_of(names) + ".", names};
}

}  // namespace backbeat::cli
