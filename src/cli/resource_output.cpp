//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "resource_output.hpp"

#include "json_text.hpp"

#include <backbeat/memorystore/error.hpp>
#include <backbeat/memorystore/json.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace backbeat::cli {

namespace {

namespace json = boost::json;

// The part of a name after this word: "us-central1" after "locations".
std::string part_after(std::string_view word, std::string_view name)
{
    auto const key = fmt::format("/{}/", word);
    auto const at = name.find(key);
    if (at == std::string_view::npos) return {};
    auto const rest = name.substr(at + key.size());
    return std::string(rest.substr(0, rest.find('/')));
}

std::string time_text(std::optional<memorystore::timestamp> const& time)
{
    return time ? time->to_string() : std::string();
}

template <class Enum>
std::string enum_text(memorystore::open_enum<Enum> const& value)
{
    return value.unspecified() ? std::string() : value.name();
}

std::string number_text(std::int64_t number)
{
    return number == 0 ? std::string() : std::to_string(number);
}

std::string map_text(std::map<std::string, std::string> const& map)
{
    std::string text;
    for (auto const& [key, value] : map) text += fmt::format("{}{}={}", text.empty() ? "" : ",", key, value);
    return text;
}

table list_table(std::vector<memorystore::instance> const& instances)
{
    table result({"ID", "REGION", "TIER", "SIZE_GB", "VERSION", "HOST", "PORT", "STATE", "CREATED"});
    for (auto const& each : instances) {
        result.rows.push_back(
            {part_after("instances", each.name),
             part_after("locations", each.name),
             enum_text(each.tier),
             number_text(each.memory_size_gb),
             each.redis_version,
             each.host,
             number_text(each.port),
             enum_text(each.state),
             time_text(each.create_time)});
    }
    return result;
}

table record_table(memorystore::instance const& one)
{
    table result(
        {"name",
         "display_name",
         "state",
         "status_message",
         "tier",
         "memory_size_gb",
         "redis_version",
         "host",
         "port",
         "location_id",
         "connect_mode",
         "transit_encryption_mode",
         "labels",
         "create_time"});
    result.rows.push_back(
        {one.name,
         one.display_name,
         enum_text(one.state),
         one.status_message,
         enum_text(one.tier),
         number_text(one.memory_size_gb),
         one.redis_version,
         one.host,
         number_text(one.port),
         one.location_id,
         enum_text(one.connect_mode),
         enum_text(one.transit_encryption_mode),
         map_text(one.labels),
         time_text(one.create_time)});
    return result;
}

table record_table(memorystore::operation const& one)
{
    memorystore::operation_metadata about;
    try {
        if (one.metadata) about = one.metadata->unpack<memorystore::operation_metadata>().value_or(about);
    } catch (memorystore::json_error const&) {
        // What is not understood is not shown; the JSON has it.
    }
    table result({"name", "verb", "target", "done", "error", "create_time", "end_time"});
    result.rows.push_back(
        {one.name,
         about.verb,
         about.target,
         one.done ? "true" : "false",
         one.error ? memorystore::error::from_operation(one).what() : "",
         time_text(about.create_time),
         time_text(about.end_time)});
    return result;
}

template <class Message>
std::string shown_record(Message const& one, output_format format)
{
    switch (format) {
    case output_format::json: return json_text(memorystore::to_json(one));
    case output_format::csv: return record_table(one).csv();
    case output_format::table: break;
    }
    return record_table(one).record();
}

}  // namespace

std::string shown(memorystore::list_instances_response const& list, output_format format)
{
    switch (format) {
    case output_format::json: {
        auto object = memorystore::to_json(list);
        // Also when it is empty, so that whoever reads it need not ask.
        if (!object.contains("instances")) object["instances"] = json::array();
        return json_text(object);
    }
    case output_format::csv: return list_table(list.instances).csv();
    case output_format::table: break;
    }
    return list.instances.empty() ? std::string("no instances\n") : list_table(list.instances).text();
}

std::string shown(memorystore::instance const& one, output_format format)
{
    return shown_record(one, format);
}

std::string shown(memorystore::operation const& one, output_format format)
{
    return shown_record(one, format);
}

}  // namespace backbeat::cli
