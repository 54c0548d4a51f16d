//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "instance_requests.hpp"

#include "instance_rules.hpp"
#include "read_body.hpp"
#include "resource_rules.hpp"
#include "violations.hpp"

#include <backbeat/memorystore/export_instance_request.hpp>
#include <backbeat/memorystore/failover_instance_request.hpp>
#include <backbeat/memorystore/import_instance_request.hpp>
#include <backbeat/memorystore/upgrade_instance_request.hpp>

#include <string_view>

namespace backbeat::emulation {

namespace {

void check_uri(std::string_view uri, char const* field)
{
    if (!is_storage_object(uri) || !uri.ends_with(".rdb"))
        throw bad_field(field, "The URI must name an object in Cloud Storage, like gs://bucket/object.rdb.");
}

}  // namespace

void check_export_request(std::string const& body)
{
    auto const config = read_body<memorystore::export_instance_request>(body, "").output_config;
    auto const given = config && config->gcs_destination;
    check_uri(given ? config->gcs_destination->uri : "", "outputConfig.gcsDestination.uri");
}

void check_import_request(std::string const& body)
{
    auto const config = read_body<memorystore::import_instance_request>(body, "").input_config;
    auto const given = config && config->gcs_source;
    check_uri(given ? config->gcs_source->uri : "", "inputConfig.gcsSource.uri");
}

void check_failover_request(std::string const& body)
{
    static_cast<void>(read_body<memorystore::failover_instance_request>(body, ""));
}

std::string read_upgrade_request(std::string const& body)
{
    auto version = read_body<memorystore::upgrade_instance_request>(body, "").redis_version;
    if (!is_redis_version(version)) throw bad_field("redisVersion", redis_version_rule());
    return version;
}

memorystore::reschedule_maintenance_request read_reschedule_request(std::string const& body)
{
    auto result = read_body<memorystore::reschedule_maintenance_request>(body, "");
    violations found;
    if (result.reschedule_type.unspecified()) {
        found.add(
            "rescheduleType", "The reschedule type must be given: IMMEDIATE, NEXT_AVAILABLE_WINDOW or SPECIFIC_TIME.");
    }
    if (result.reschedule_type != memorystore::reschedule_type::specific_time) {
        result.schedule_time.reset();
    } else if (!result.schedule_time) {
        found.add("scheduleTime", "The reschedule type SPECIFIC_TIME needs a time.");
    }
    found.check();
    return result;
}

}  // namespace backbeat::emulation
