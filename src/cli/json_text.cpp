//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "json_text.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <cstddef>

namespace backbeat::cli {

namespace {

namespace json = boost::json;

void append_json(std::string& text, json::value const& value, std::size_t depth);

void append_line_start(std::string& text, std::size_t depth)
{
    text += '\n';
    text.append(2 * depth, ' ');
}

void append_members(std::string& text, json::object const& object, std::size_t depth)
{
    for (auto const& member : object) {
        if (&member != &*object.begin()) text += ',';
        append_line_start(text, depth);
        text += json::serialize(member.key()) + ": ";
        append_json(text, member.value(), depth);
    }
}

void append_elements(std::string& text, json::array const& array, std::size_t depth)
{
    for (auto const& element : array) {
        if (&element != &array.front()) text += ',';
        append_line_start(text, depth);
        append_json(text, element, depth);
    }
}

// Boost.JSON writes everything on one line.
void append_json(std::string& text, json::value const& value, std::size_t depth)
{
    if (auto const* const object = value.if_object(); object != nullptr && !object->empty()) {
        text += '{';
        append_members(text, *object, depth + 1);
        append_line_start(text, depth);
        text += '}';
    } else if (auto const* const array = value.if_array(); array != nullptr && !array->empty()) {
        text += '[';
        append_elements(text, *array, depth + 1);
        append_line_start(text, depth);
        text += ']';
    } else {
        text += json::serialize(value);
    }
}

}  // namespace

std::string json_text(json::object const& object)
{
    std::string text;
    append_json(text, object, 0);
    return text + "\n";
}

}  // namespace backbeat::cli
