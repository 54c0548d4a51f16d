//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "instance_requests.hpp"

#include "instance_rules.hpp"
#include "read_body.hpp"
#include "violations.hpp"

#include <backbeat/memorystore/json_codec.hpp>
#include <backbeat/memorystore/open_enum.hpp>

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <boost/json/object.hpp>

#include <string_view>

namespace backbeat::emulation {

enum class data_protection_mode : std::int32_t {
    data_protection_mode_unspecified = 0,
    limited_data_loss = 1,
    force_data_loss = 2
};
BOOST_DESCRIBE_ENUM(data_protection_mode, data_protection_mode_unspecified, limited_data_loss, force_data_loss)
BOOST_DESCRIBE_ENUM(reschedule_type, reschedule_type_unspecified, immediate, next_available_window, specific_time)

struct gcs_place {
    std::string uri;
    boost::json::object unknown_fields;
};
BOOST_DESCRIBE_STRUCT(gcs_place, (), (uri))

struct output_config_body {
    std::optional<gcs_place> gcs_destination;
    boost::json::object unknown_fields;
};
BOOST_DESCRIBE_STRUCT(output_config_body, (), (gcs_destination))

struct export_body {
    std::optional<output_config_body> output_config;
    boost::json::object unknown_fields;
};
BOOST_DESCRIBE_STRUCT(export_body, (), (output_config))

struct input_config_body {
    std::optional<gcs_place> gcs_source;
    boost::json::object unknown_fields;
};
BOOST_DESCRIBE_STRUCT(input_config_body, (), (gcs_source))

struct import_body {
    std::optional<input_config_body> input_config;
    boost::json::object unknown_fields;
};
BOOST_DESCRIBE_STRUCT(import_body, (), (input_config))

struct failover_body {
    memorystore::open_enum<emulation::data_protection_mode> data_protection_mode;
    boost::json::object unknown_fields;
};
BOOST_DESCRIBE_STRUCT(failover_body, (), (data_protection_mode))

struct upgrade_body {
    std::string redis_version;
    boost::json::object unknown_fields;
};
BOOST_DESCRIBE_STRUCT(upgrade_body, (), (redis_version))

struct reschedule_body {
    memorystore::open_enum<emulation::reschedule_type> reschedule_type;
    std::optional<memorystore::timestamp> schedule_time;
    boost::json::object unknown_fields;
};
BOOST_DESCRIBE_STRUCT(reschedule_body, (), (reschedule_type, schedule_time))

namespace {

std::string checked_uri(std::optional<gcs_place> const& place, char const* field)
{
    auto uri = place ? place->uri : std::string();
    std::string_view rest = uri;
    constexpr std::string_view scheme = "gs://";
    auto const slash = rest.starts_with(scheme) ? rest.find('/', scheme.size()) : rest.npos;
    auto const has_object = slash != rest.npos && slash != scheme.size() && slash + 1 != rest.size();
    if (!has_object || !rest.ends_with(".rdb") || rest.size() > 2048)
        throw bad_field(field, "The URI must name an object in Cloud Storage, like gs://bucket/object.rdb.");
    return uri;
}

}  // namespace

std::string read_export_request(std::string const& body)
{
    auto const read = read_body<export_body>(body, "");
    return checked_uri(
        read.output_config ? read.output_config->gcs_destination : std::nullopt, "outputConfig.gcsDestination.uri");
}

std::string read_import_request(std::string const& body)
{
    auto const read = read_body<import_body>(body, "");
    return checked_uri(read.input_config ? read.input_config->gcs_source : std::nullopt, "inputConfig.gcsSource.uri");
}

void read_failover_request(std::string const& body)
{
    static_cast<void>(read_body<failover_body>(body, ""));
}

std::string read_upgrade_request(std::string const& body)
{
    auto version = read_body<upgrade_body>(body, "").redis_version;
    if (!is_redis_version(version)) throw bad_field("redisVersion", redis_version_rule());
    return version;
}

reschedule_request read_reschedule_request(std::string const& body)
{
    auto const read = read_body<reschedule_body>(body, "");
    violations found;
    if (read.reschedule_type.unspecified()) {
        found.add(
            "rescheduleType", "The reschedule type must be given: IMMEDIATE, NEXT_AVAILABLE_WINDOW or SPECIFIC_TIME.");
    }
    reschedule_request result;
    result.type = read.reschedule_type.known().value_or(reschedule_type::reschedule_type_unspecified);
    if (result.type == reschedule_type::specific_time) {
        if (!read.schedule_time) found.add("scheduleTime", "The reschedule type SPECIFIC_TIME needs a time.");
        result.time = read.schedule_time;
    }
    found.check();
    return result;
}

}  // namespace backbeat::emulation
