//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "resource_output.hpp"

#include "flag_name.hpp"
#include "json_text.hpp"

#include <backbeat/memorystore/error.hpp>
#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/operation.hpp>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

namespace backbeat::cli {

namespace {

namespace json = boost::json;

std::string scalar_text(json::value const& value)
{
    if (auto const* const text = value.if_string()) return std::string(text->data(), text->size());
    return json::serialize(value);
}

// A list or a map of scalars without quotes and brackets; the JSON of whatever has more levels.
std::string value_text(json::value const& value)
{
    std::string text;
    auto const add = [&text](std::string_view item) { text.append(text.empty() ? "" : ",").append(item); };
    if (auto const* const object = value.if_object()) {
        for (auto const& member : *object)
            add(fmt::format("{}={}", std::string_view(member.key()), scalar_text(member.value())));
    } else if (auto const* const array = value.if_array()) {
        for (auto const& each : *array) add(scalar_text(each));
    } else {
        text = scalar_text(value);
    }
    return text;
}

std::string keys_text(json::value const& value)
{
    std::string text;
    if (auto const* const object = value.if_object())
        for (auto const& member : *object) text.append(text.empty() ? "" : ",").append(member.key());
    return text;
}

// "us-central1" of ".../locations/us-central1/...".
std::string region_in(std::string_view name)
{
    constexpr std::string_view word = "/locations/";
    auto const at = name.find(word);
    if (at == std::string_view::npos) return {};
    auto const rest = name.substr(at + word.size());
    return std::string(rest.substr(0, rest.find('/')));
}

std::string failure_text(json::value const& status)
{
    try {
        memorystore::operation failed;
        memorystore::from_json(status, failed.error.emplace());
        return memorystore::error::from_operation(failed).what();
    } catch (memorystore::json_error const&) {
        // What is not understood is shown as it is.
        return json::serialize(status);
    }
}

// What is at a path; of an array, its first element.
json::value const* find(json::object const& message, std::string_view path)
{
    auto const* inside = &message;
    for (;;) {
        auto const dot = path.find('.');
        auto const* value = inside->if_contains(path.substr(0, dot));
        if (value == nullptr || dot == std::string_view::npos) return value;
        if (auto const* const array = value->if_array(); array != nullptr && !array->empty()) value = &array->front();
        inside = value->if_object();
        if (inside == nullptr) return nullptr;
        path.remove_prefix(dot + 1);
    }
}

std::string cell(json::object const& message, column const& wanted)
{
    auto const* const value =
        find(message, wanted.path.empty() ? lower_camel_case(wanted.title) : std::string(wanted.path));
    if (value == nullptr) return wanted.shown == column::part::flag ? "false" : "";
    switch (wanted.shown) {
    case column::part::all:
    case column::part::flag: return value_text(*value);
    case column::part::last: {
        auto const name = value_text(*value);
        return name.substr(name.rfind('/') + 1);
    }
    case column::part::region: return region_in(value_text(*value));
    case column::part::failure: return failure_text(*value);
    case column::part::keys: return keys_text(*value);
    }
    return {};
}

table empty_table(std::span<column const> columns)
{
    std::vector<std::string> titles;
    titles.reserve(columns.size());
    for (auto const& each : columns) titles.emplace_back(each.title);
    return table(std::move(titles));
}

void add_row(table& to, json::object const& message, std::span<column const> columns)
{
    auto& row = to.rows.emplace_back();
    row.reserve(columns.size());
    for (auto const& each : columns) row.push_back(cell(message, each));
}

}  // namespace

std::string shown_list(json::object list, resource_kind const& kind, output_format format)
{
    auto& items = list[kind.segment];
    // Also when it is empty, so that whoever reads it need not ask.
    if (!items.is_array()) items = json::array();
    if (format == output_format::json) return json_text(list);
    auto result = empty_table(kind.list);
    for (auto const& each : items.get_array())
        if (auto const* const object = each.if_object()) add_row(result, *object, kind.list);
    if (format == output_format::csv) return result.csv();
    return result.rows.empty() ? fmt::format("no {}\n", kind.plural) : result.text();
}

std::string shown_record(json::object const& one, std::span<column const> columns, output_format format)
{
    if (format == output_format::json) return json_text(one);
    auto result = empty_table(columns);
    add_row(result, one, columns);
    return format == output_format::csv ? result.csv() : result.record();
}

}  // namespace backbeat::cli
