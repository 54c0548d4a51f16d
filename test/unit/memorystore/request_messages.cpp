//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "round_trip.hpp"

#include <backbeat/memorystore/export_instance_request.hpp>
#include <backbeat/memorystore/failover_instance_request.hpp>
#include <backbeat/memorystore/import_instance_request.hpp>
#include <backbeat/memorystore/instance_auth_string.hpp>
#include <backbeat/memorystore/list_locations_response.hpp>
#include <backbeat/memorystore/reschedule_maintenance_request.hpp>
#include <backbeat/memorystore/upgrade_instance_request.hpp>

namespace {

using namespace backbeat::memorystore;

}  // namespace

TEST(RequestMessages, OfInstances)
{
    auto const out =
        round_trip<export_instance_request>(R"({"outputConfig":{"gcsDestination":{"uri":"gs://b/o.rdb"}}})");
    EXPECT_EQ(out.output_config->gcs_destination->uri, "gs://b/o.rdb");
    auto const in = round_trip<import_instance_request>(R"({"inputConfig":{"gcsSource":{"uri":"gs://b/o.rdb"}}})");
    EXPECT_EQ(in.input_config->gcs_source->uri, "gs://b/o.rdb");
    EXPECT_EQ(round_trip<upgrade_instance_request>(R"({"redisVersion":"REDIS_7_2"})").redis_version, "REDIS_7_2");

    EXPECT_TRUE(round_trip<failover_instance_request>("{}").data_protection_mode.unspecified());
    auto const forced = round_trip<failover_instance_request>(R"({"dataProtectionMode":"FORCE_DATA_LOSS"})");
    EXPECT_EQ(forced.data_protection_mode, data_protection_mode::force_data_loss);

    auto const moved = round_trip<reschedule_maintenance_request>(
        R"({"rescheduleType":"SPECIFIC_TIME","scheduleTime":"2026-09-02T03:00:00Z"})");
    EXPECT_EQ(moved.schedule_time->to_string(), "2026-09-02T03:00:00Z");
    // As Google's own client for Node.js sends it.
    EXPECT_EQ(
        parse_json<reschedule_maintenance_request>(R"({"rescheduleType":2})").reschedule_type,
        reschedule_type::next_available_window);
}

TEST(RequestMessages, TheWrongPartIsNamed)
{
    json_options options;
    options.reject_unknown = true;
    try {
        static_cast<void>(parse_json<import_instance_request>(R"({"inputConfig":{"gcsSource":{"url":"x"}}})", options));
        FAIL();
    } catch (json_error const& error) {
        EXPECT_STREQ(error.what(), "inputConfig.gcsSource.url: there is no such field");
    }
    try {
        static_cast<void>(parse_json<failover_instance_request>(R"({"dataProtectionMode":"NONE"})", options));
        FAIL();
    } catch (json_error const& error) {
        EXPECT_STREQ(
            error.what(), R"(dataProtectionMode: expected one of LIMITED_DATA_LOSS, FORCE_DATA_LOSS, got "NONE")");
    }
}

TEST(RequestMessages, AuthString)
{
    EXPECT_EQ(round_trip<instance_auth_string>(R"({"authString":"secret"})").auth_string, "secret");
    EXPECT_EQ(round_trip<instance_auth_string>("{}").auth_string, "");
}

TEST(RequestMessages, Locations)
{
    auto const list = round_trip<list_locations_response>(
        R"({"locations":[{
            "name":"projects/p/locations/us-central1","locationId":"us-central1","displayName":"Iowa",
            "labels":{"cloud.googleapis.com/region":"us-central1"},
            "metadata":{"@type":"type.googleapis.com/google.cloud.redis.v1.LocationMetadata",
                "availableZones":{"us-central1-a":{},"us-central1-b":{}}}}],
            "nextPageToken":"t"})");
    auto const& here = list.locations.at(0);
    EXPECT_EQ(here.labels.at("cloud.googleapis.com/region"), "us-central1");
    auto const metadata = here.metadata->unpack<location_metadata>();
    ASSERT_TRUE(metadata);
    // A zone of which nothing is known is still a zone.
    EXPECT_EQ(metadata->available_zones.count("us-central1-b"), 1U);
    EXPECT_EQ(any::pack(*metadata), here.metadata);
}

TEST(RequestMessages, Enums)
{
    names_and_numbers<data_protection_mode>(
        {{0, "DATA_PROTECTION_MODE_UNSPECIFIED"}, {1, "LIMITED_DATA_LOSS"}, {2, "FORCE_DATA_LOSS"}});
    names_and_numbers<reschedule_type>(
        {{0, "RESCHEDULE_TYPE_UNSPECIFIED"}, {1, "IMMEDIATE"}, {2, "NEXT_AVAILABLE_WINDOW"}, {3, "SPECIFIC_TIME"}});
}
