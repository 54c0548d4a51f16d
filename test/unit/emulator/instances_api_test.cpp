//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "api_driver.hpp"

#include <backbeat/detail/utf8.hpp>

#include <boost/json/serialize.hpp>

namespace backbeat::emulation {

namespace {

using namespace std::chrono_literals;
namespace json = boost::json;

constexpr char const* basic_tier = R"({"tier":"BASIC","memorySizeGb":1})";
constexpr char const* standard = R"({"tier":"STANDARD_HA","memorySizeGb":5})";

TEST(instances_api, fills_what_the_service_fills_in_a_standard_instance)
{
    api_driver redis;
    auto const made = redis.create("r1", standard);
    EXPECT_EQ(text_of(made, "readReplicasMode"), "READ_REPLICAS_DISABLED");
    EXPECT_EQ(text_of(made, "locationId"), "us-central1-a");
    EXPECT_EQ(text_of(made, "alternativeLocationId"), "us-central1-b");
    EXPECT_EQ(made.at("replicaCount").as_int64(), 1);
    EXPECT_EQ(made.at("nodes").as_array().size(), 2U);
    EXPECT_EQ(text_of(made, "persistenceIamIdentity").find("serviceAccount:"), 0U);
    EXPECT_TRUE(text_of(made, "reservedIpRange").ends_with("/29"));
    EXPECT_EQ(made.at("persistenceConfig").at("persistenceMode").as_string(), "DISABLED");
    EXPECT_FALSE(made.contains("serverCaCerts"));
    EXPECT_FALSE(made.contains("maintenanceSchedule"));
    EXPECT_FALSE(made.contains("readEndpoint"));
}

TEST(instances_api, takes_its_zones_from_those_that_the_region_has)
{
    api_driver redis;
    redis.post("/v1/projects/p/locations/us-east1/instances?instanceId=r1", standard);
    auto const made = redis.get("/v1/projects/p/locations/us-east1/instances/r1").json();
    EXPECT_EQ(text_of(made, "locationId"), "us-east1-b");
    EXPECT_EQ(text_of(made, "alternativeLocationId"), "us-east1-c");
}

TEST(instances_api, gives_an_encrypted_instance_a_certificate_authority)
{
    api_driver redis;
    auto const made =
        redis.create("r1", R"({"tier":"BASIC","memorySizeGb":1,"transitEncryptionMode":"SERVER_AUTHENTICATION"})");
    ASSERT_EQ(made.at("serverCaCerts").as_array().size(), 1U);
    auto const authority = made.at("serverCaCerts").as_array()[0].as_object();
    EXPECT_EQ(text_of(authority, "cert").find("-----BEGIN CERTIFICATE-----\n"), 0U);
    EXPECT_EQ(text_of(authority, "sha1Fingerprint").size(), 59U);
    EXPECT_LT(text_of(authority, "createTime"), text_of(authority, "expireTime"));
    EXPECT_EQ(text_of(authority, "serialNumber").find_first_not_of("0123456789"), std::string::npos);
}

TEST(instances_api, gives_read_replicas_an_endpoint_and_a_larger_range)
{
    api_driver redis;
    auto const made =
        redis.create("r1", R"({"tier":"STANDARD_HA","memorySizeGb":5,"readReplicasMode":"READ_REPLICAS_ENABLED"})");
    EXPECT_EQ(made.at("replicaCount").as_int64(), 2);
    EXPECT_EQ(made.at("nodes").as_array().size(), 3U);
    EXPECT_TRUE(text_of(made, "reservedIpRange").ends_with("/28"));
    EXPECT_NE(text_of(made, "readEndpoint"), text_of(made, "host"));
    EXPECT_EQ(made.at("readEndpointPort").as_int64(), 6379);
}

TEST(instances_api, refuses_what_the_service_would_not_make)
{
    api_driver redis;
    auto const blamed = [&redis](std::string const& fields) {
        return redis.post(instances + "?instanceId=r1", R"({"tier":"STANDARD_HA","memorySizeGb":5,)" + fields + "}")
            .blamed();
    };
    EXPECT_EQ(blamed(R"("locationId":"europe-west1-b")"), field_set{"instance.locationId"});
    EXPECT_EQ(
        blamed(R"("locationId":"us-central1-b","alternativeLocationId":"us-central1-b")"),
        field_set{"instance.alternativeLocationId"});
    EXPECT_EQ(blamed(R"("authorizedNetwork":"default")"), field_set{"instance.authorizedNetwork"});
    EXPECT_EQ(blamed(R"("customerManagedKey":"key")"), field_set{"instance.customerManagedKey"});
    EXPECT_EQ(blamed(R"("reservedIpRange":"10.0.0.0/28")"), field_set{"instance.reservedIpRange"});
    EXPECT_EQ(blamed(R"("reservedIpRange":"10.0.0.0")"), field_set{"instance.reservedIpRange"});
    EXPECT_EQ(
        blamed(R"("readReplicasMode":"READ_REPLICAS_ENABLED","reservedIpRange":"10.0.0.0/29")"),
        field_set{"instance.reservedIpRange"});
    EXPECT_EQ(blamed(R"("replicaCount":2)"), field_set{"instance.replicaCount"});
    EXPECT_EQ(blamed(R"("replicaCount":-1)"), field_set{"instance.replicaCount"});
    EXPECT_EQ(blamed(R"("redisConfigs":{"port":"1"})"), field_set{"instance.redisConfigs"});
    EXPECT_EQ(blamed(R"("redisConfigs":{"maxmemory-policy":"never"})"), field_set{"instance.redisConfigs"});
    EXPECT_EQ(blamed(R"("redisConfigs":{"timeout":"soon"})"), field_set{"instance.redisConfigs"});
    EXPECT_EQ(
        blamed(R"("redisVersion":"REDIS_4_0","redisConfigs":{"stream-node-max-bytes":"1"})"),
        field_set{"instance.redisConfigs"});
    EXPECT_EQ(blamed(R"("labels":{"":"x"})"), field_set{"instance.labels"});
    EXPECT_EQ(
        blamed(R"("maintenancePolicy":{"description":")" + std::string(513, 'x') + R"("})"),
        field_set{"instance.maintenancePolicy.description"});
    EXPECT_EQ(
        blamed(R"("maintenancePolicy":{"weeklyMaintenanceWindow":[{}]})"),
        (field_set{
            "instance.maintenancePolicy.weeklyMaintenanceWindow[0].day",
            "instance.maintenancePolicy.weeklyMaintenanceWindow[0].startTime"}));
    EXPECT_EQ(
        blamed(R"("maintenancePolicy":{"weeklyMaintenanceWindow":[{"day":"MONDAY","startTime":{"hours":24}},{}]})"),
        (field_set{
            "instance.maintenancePolicy.weeklyMaintenanceWindow",
            "instance.maintenancePolicy.weeklyMaintenanceWindow[0].startTime"}));
    EXPECT_EQ(
        blamed(R"("displayName":")" + std::string(1025, 'x') + R"(","replicaCount":3)"),
        (field_set{"instance.displayName", "instance.replicaCount"}));
    EXPECT_TRUE(redis.effects.empty());
    EXPECT_EQ(redis.get(instances).body, "{}");
}

TEST(instances_api, takes_every_setting_that_the_service_knows)
{
    api_driver redis;
    auto const made = redis.create("r1", R"({"tier":"STANDARD_HA","memorySizeGb":5,"redisVersion":"REDIS_7_2",
        "authorizedNetwork":"https://www.googleapis.com/compute/v1/projects/p/global/networks/n",
        "customerManagedKey":"projects/p/locations/l/keyRings/r/cryptoKeys/k",
        "connectMode":"PRIVATE_SERVICE_ACCESS","reservedIpRange":"my-range","tags":{"a":"b"},
        "redisConfigs":{"maxmemory-policy":"allkeys-lru","activedefrag":"yes","maxmemory-gb":"2.5","timeout":"60"}})");
    EXPECT_EQ(text_of(made, "reservedIpRange"), "my-range");
    EXPECT_EQ(made.at("redisConfigs").as_object().size(), 4U);
    EXPECT_FALSE(made.contains("tags")) << "it is for input only";
}

TEST(instances_api, schedules_maintenance_in_the_next_window)
{
    api_driver redis;
    // Today is Thursday.
    auto const made = redis.create("r1", R"({"tier":"BASIC","memorySizeGb":1,"maintenancePolicy":{
        "createTime":"2001-01-01T00:00:00Z","description":"x",
        "weeklyMaintenanceWindow":[{"day":"WEDNESDAY","startTime":{"hours":4,"minutes":30},"duration":"1s"}]}})");
    auto const policy = made.at("maintenancePolicy").as_object();
    EXPECT_EQ(text_of(policy, "createTime").substr(0, 10), "2026-01-01");
    EXPECT_EQ(policy.at("weeklyMaintenanceWindow").at(0).at("duration").as_string(), "3600s");
    EXPECT_EQ(made.at("maintenanceSchedule").at("startTime").as_string(), "2026-01-07T04:30:00Z");
    EXPECT_EQ(made.at("maintenanceSchedule").at("endTime").as_string(), "2026-01-07T05:30:00Z");
}

TEST(instances_api, changes_only_what_the_mask_names)
{
    api_driver redis;
    redis.create("r1", R"({"tier":"BASIC","memorySizeGb":1,"displayName":"a","labels":{"k":"v","l":"w"}})");
    auto const changed = redis.patch(
        r1 + "?updateMask=memory_size_gb,labels", R"({"memorySizeGb":2,"labels":{"m":"x"},"displayName":"b"})");
    EXPECT_EQ(changed.text("metadata", "verb"), "update");
    auto const after = redis.get(r1).json();
    EXPECT_EQ(after.at("memorySizeGb").as_int64(), 2);
    EXPECT_EQ(text_of(after, "displayName"), "a");
    EXPECT_EQ(json::serialize(after.at("labels")), R"({"m":"x"})");
    ASSERT_EQ(redis.effects.size(), 2U);
    EXPECT_EQ(redis.effects[1].method, "instances.patch");
    EXPECT_EQ(redis.effects[1].resource, r1.substr(4));
    EXPECT_EQ("/v1/" + redis.effects[1].operation, changed.operation());
    EXPECT_EQ(redis.effects[1].logical_id, "id");
}

TEST(instances_api, takes_masks_in_every_spelling)
{
    api_driver redis;
    redis.create("r1", basic_tier);
    auto const patched = [&redis](std::string const& mask, std::string const& body) {
        EXPECT_EQ(redis.patch(r1 + "?" + mask, body).status, 200) << mask;
        return redis.get(r1).json();
    };
    EXPECT_EQ(text_of(patched("updateMask=displayName", R"({"displayName":"a"})"), "displayName"), "a");
    EXPECT_EQ(text_of(patched("update_mask=display_name", R"({"display_name":"b"})"), "displayName"), "b");
    EXPECT_EQ(text_of(patched("updateMask=labels.x,%20displayName", R"({"displayName":"c"})"), "displayName"), "c");
    for (auto const* name : {"redisConfig", "redisConfigs", "redis_config", "redis_configs"}) {
        auto const after = patched(std::string("updateMask=") + name, R"({"redisConfigs":{"timeout":"1"}})");
        EXPECT_TRUE(after.contains("redisConfigs")) << name;
        EXPECT_FALSE(patched(std::string("updateMask=") + name, "{}").contains("redisConfigs")) << name;
    }
    // Absent and masked: cleared.
    EXPECT_EQ(text_of(patched("updateMask=displayName", "{}"), "displayName"), "absent");
    EXPECT_EQ(text_of(patched("updateMask=displayName", R"({"displayName":"d"})"), "displayName"), "d");
    EXPECT_EQ(text_of(patched("updateMask=displayName", ""), "displayName"), "absent");
}

TEST(instances_api, refuses_a_mask_that_names_nothing_or_what_there_is_not)
{
    api_driver redis;
    redis.create("r1", basic_tier);
    for (auto const* mask : {"", "?updateMask=", "?updateMask=,", "?updateMask=*", "?updateMask=colour,displayName"})
        EXPECT_EQ(redis.patch(r1 + mask, R"({"displayName":"b"})").blamed(), field_set{"updateMask"}) << mask;
    auto const many = redis.patch(r1 + "?updateMask=a,displayName,b", "{}").json();
    EXPECT_EQ(many.at("error").at("details").at(0).at("fieldViolations").as_array().size(), 2U);
    EXPECT_EQ(redis.effects.size(), 1U);
}

TEST(instances_api, ignores_what_only_the_service_sets)
{
    api_driver redis;
    auto const before = redis.create("r1", basic_tier);
    auto const changed = redis.patch(
        r1 + "?updateMask=host,state,createTime,name,port,displayName",
        R"({"host":"1.1.1.1","state":"DELETING","port":1,"name":"x","displayName":"y"})");
    EXPECT_EQ(changed.status, 200);
    auto const after = redis.get(r1).json();
    for (auto const* name : {"host", "state", "createTime", "name"})
        EXPECT_EQ(text_of(after, name), text_of(before, name)) << name;
    EXPECT_EQ(text_of(after, "displayName"), "y");
    EXPECT_EQ(redis.patch(r1 + "?updateMask=host", "{}").status, 200);
    EXPECT_EQ(text_of(redis.get(r1).json(), "host"), text_of(before, "host"));
}

TEST(instances_api, what_a_refusal_quotes_is_cut_between_two_characters)
{
    api_driver redis;
    redis.create("r1", basic_tier);
    std::string umlauts;
    for (int i = 0; i != 60; ++i) umlauts += "\xc3\xa4";
    for (std::string const start : {"", "x"}) {
        auto const name = start + umlauts;
        for (auto const& reply :
             {redis.patch(r1 + "?updateMask=" + name, "{}"),
              redis.post(instances + "?instanceId=" + name, basic_tier),
              redis.post(instances + "?instanceId=i", R"({"redisConfigs":{")" + name + R"(":""}})")}) {
            EXPECT_EQ(reply.status, 400);
            EXPECT_TRUE(detail::is_utf8(reply.body)) << reply.body;
        }
    }
}

TEST(instances_api, a_refusal_does_not_name_more_than_a_hundred_things)
{
    api_driver redis;
    std::string configs;
    for (int i = 0; i != 1000; ++i) configs += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":\"\"";
    auto const reply = redis.post(instances + "?instanceId=i", R"({"redisConfigs":{)" + configs + "}}");
    EXPECT_EQ(reply.status, 400);
    EXPECT_EQ(reply.json().at("error").at("details").at(0).at("fieldViolations").as_array().size(), 100U);
}

TEST(instances_api, refuses_changes_that_an_instance_cannot_undergo)
{
    api_driver redis;
    redis.create("r1", standard);
    auto const blamed = [&redis](std::string const& mask, std::string const& body) {
        return redis.patch(r1 + "?updateMask=" + mask, body).blamed();
    };
    EXPECT_EQ(blamed("tier", R"({"tier":"BASIC"})"), (field_set{"instance.tier", "instance.replicaCount"}));
    EXPECT_EQ(
        blamed("redisVersion,locationId,connectMode", R"({"redisVersion":"REDIS_7_2","connectMode":2})"),
        (field_set{"instance.redisVersion", "instance.locationId", "instance.connectMode"}));
    EXPECT_EQ(blamed("memorySizeGb", "{}"), field_set{"instance.memorySizeGb"});
    EXPECT_EQ(blamed("memorySizeGb", R"({"memorySizeGb":301})"), field_set{"instance.memorySizeGb"});
    EXPECT_EQ(blamed("replicaCount", R"({"replicaCount":2})"), field_set{"instance.replicaCount"});
    EXPECT_EQ(blamed("displayName", R"({"colour":1})"), field_set{"instance.colour"});
    EXPECT_EQ(blamed("displayName", R"({"displayName":1})"), field_set{"instance.displayName"});
    EXPECT_EQ(redis.patch(r1 + "?updateMask=tier,redisVersion", R"({"tier":3,"redisVersion":"REDIS_7_0"})").status, 200)
        << "what is as it was is no change";
    EXPECT_EQ(redis.patch(instances + "/r2?updateMask=displayName", "{}").status, 404);
}

TEST(instances_api, switches_read_replicas_on_once_and_alone)
{
    api_driver redis;
    redis.create("r1", standard);
    auto const mask = r1 + "?updateMask=";
    auto const* const on = R"({"readReplicasMode":"READ_REPLICAS_ENABLED","displayName":"x"})";
    EXPECT_EQ(redis.patch(mask + "readReplicasMode,displayName", on).blamed(), field_set{"updateMask"});
    EXPECT_EQ(redis.patch(mask + "read_replicas_mode,secondary_ip_range", on).status, 200);
    EXPECT_TRUE(redis.get(r1).json().contains("readEndpoint"));
    EXPECT_EQ(redis.patch(mask + "replica_count", R"({"replicaCount":5})").status, 200);
    EXPECT_EQ(redis.get(r1).json().at("nodes").as_array().size(), 6U);
    EXPECT_EQ(redis.patch(mask + "memorySizeGb", R"({"memorySizeGb":4})").blamed(), field_set{"instance.memorySizeGb"});
    EXPECT_EQ(
        redis.patch(mask + "readReplicasMode", "{}").blamed(),
        (field_set{"instance.readReplicasMode", "instance.replicaCount"}));
}

TEST(instances_api, clears_and_keeps_the_maintenance_policy)
{
    api_driver redis;
    auto const* const policy =
        R"({"maintenancePolicy":{"weeklyMaintenanceWindow":[{"day":4,"startTime":{"hours":1}}]}})";
    redis.create("r1", basic_tier);
    redis.patch(r1 + "?updateMask=maintenancePolicy", policy);
    auto const first = redis.get(r1).json();
    EXPECT_EQ(first.at("maintenanceSchedule").at("startTime").as_string(), "2026-01-01T01:00:00Z");
    redis.time.passed += 24h;
    redis.patch(r1 + "?updateMask=maintenance_policy", json::serialize(first));
    EXPECT_EQ(redis.get(r1).json(), first) << "the same policy is no new one";
    redis.patch(r1 + "?updateMask=maintenance_policy", "{}");
    EXPECT_FALSE(redis.get(r1).json().contains("maintenancePolicy"));
    EXPECT_FALSE(redis.get(r1).json().contains("maintenanceSchedule"));
}

TEST(instances_api, plans_the_next_snapshot)
{
    api_driver redis;
    redis.create("r1", R"({"tier":"BASIC","memorySizeGb":1,"persistenceConfig":{"persistenceMode":"RDB",
        "rdbSnapshotPeriod":"SIX_HOURS","rdbSnapshotStartTime":"2025-12-31T23:00:00Z",
        "rdbNextSnapshotTime":"2001-01-01T00:00:00Z"}})");
    auto const next = [&redis] {
        auto const made = redis.get(r1).json();
        return std::string(made.at("persistenceConfig").at("rdbNextSnapshotTime").as_string());
    };
    EXPECT_EQ(next(), "2026-01-01T05:00:00Z");
    auto const patch = [&redis](std::string const& start) {
        auto const body = R"({"persistenceConfig":{"persistenceMode":2,"rdbSnapshotStartTime":")" + start + R"("}})";
        EXPECT_EQ(redis.patch(r1 + "?updateMask=persistenceConfig", body).status, 200);
    };
    patch("9999-12-31T23:59:59Z");
    EXPECT_EQ(next(), "9999-12-31T23:59:59Z");
    patch("0001-01-01T00:00:00Z");
    EXPECT_EQ(next(), "2026-01-02T00:00:00Z");
}

TEST(instances_api, has_an_auth_string_where_auth_is_on)
{
    api_driver redis;
    redis.create("r1", basic_tier);
    EXPECT_EQ(redis.get(r1 + "/authString").body, "{}");
    redis.patch(r1 + "?updateMask=auth_enabled", R"({"authEnabled":true})");
    auto const first = redis.get(r1 + "/authString").text("authString");
    EXPECT_EQ(first.size(), 36U);
    redis.patch(r1 + "?updateMask=display_name", R"({"displayName":"x"})");
    EXPECT_EQ(redis.get(r1 + "/authString").text("authString"), first);
    redis.patch(r1 + "?updateMask=auth_enabled", "{}");
    EXPECT_EQ(redis.get(r1 + "/authString").body, "{}");
    redis.patch(r1 + "?updateMask=auth_enabled", R"({"authEnabled":true})");
    auto const last = redis.get(r1 + "/authString").text("authString");
    EXPECT_NE(last, first);
    redis.send("DELETE", r1);
    EXPECT_EQ(redis.get(r1 + "/authString").status, 404);
    redis.create("r1", R"({"tier":"BASIC","memorySizeGb":1,"authEnabled":true})");
    auto const next = redis.get(r1 + "/authString").text("authString");
    EXPECT_EQ(next.size(), 36U);
    EXPECT_NE(next, last) << "another instance of that name has another string";
}

TEST(instances_api, fails_over_to_the_other_zone_and_back)
{
    api_driver redis;
    redis.create("r1", standard);
    EXPECT_EQ(redis.post(r1 + ":failover", "{}").status, 200);
    EXPECT_EQ(text_of(redis.get(r1).json(), "currentLocationId"), "us-central1-b");
    EXPECT_EQ(redis.post(r1 + ":failover", R"({"dataProtectionMode":"FORCE_DATA_LOSS"})").status, 200);
    EXPECT_EQ(text_of(redis.get(r1).json(), "currentLocationId"), "us-central1-a");
    EXPECT_EQ(
        redis.post(r1 + ":failover", R"({"dataProtectionMode":"NONE"})").blamed(), field_set{"dataProtectionMode"});
    redis.create("r2", basic_tier);
    EXPECT_EQ(redis.post(instances + "/r2:failover").blamed(), field_set{"name"});
    EXPECT_EQ(redis.effects.size(), 4U);
}

TEST(instances_api, upgrades_only_upwards)
{
    api_driver redis;
    redis.create("r1", R"({"tier":"BASIC","memorySizeGb":1,"redisVersion":"REDIS_6_X"})");
    for (auto const* version : {"REDIS_6_X", "REDIS_5_0", "REDIS_8_0", "", "7.0"}) {
        auto const body = std::string(R"({"redisVersion":")") + version + R"("})";
        EXPECT_EQ(redis.post(r1 + ":upgrade", body).blamed(), field_set{"redisVersion"}) << version;
    }
    EXPECT_EQ(redis.post(r1 + ":upgrade").blamed(), field_set{"redisVersion"});
    auto const begun = redis.post(r1 + ":upgrade", R"({"redis_version":"REDIS_7_2"})");
    EXPECT_EQ(begun.text("metadata", "verb"), "upgrade");
    EXPECT_EQ(begun.text("response", "redisVersion"), "REDIS_7_2");
    EXPECT_EQ(text_of(redis.get(r1).json(), "redisVersion"), "REDIS_7_2");
}

TEST(instances_api, imports_and_exports_objects_of_cloud_storage)
{
    api_driver redis;
    redis.create("r1", basic_tier);
    auto const export_body = [](std::string const& uri) {
        return R"({"outputConfig":{"gcsDestination":{"uri":")" + uri + R"("}}})";
    };
    auto const import_body = [](std::string const& uri) {
        return R"({"inputConfig":{"gcsSource":{"uri":")" + uri + R"("}}})";
    };
    for (auto const* uri : {"", "b/o.rdb", "gs://", "gs://b", "gs://b/", "gs:///o.rdb", "gs://b/o.txt"}) {
        EXPECT_EQ(redis.post(r1 + ":export", export_body(uri)).blamed(), field_set{"outputConfig.gcsDestination.uri"});
        EXPECT_EQ(redis.post(r1 + ":import", import_body(uri)).blamed(), field_set{"inputConfig.gcsSource.uri"});
    }
    EXPECT_EQ(redis.post(r1 + ":export").blamed(), field_set{"outputConfig.gcsDestination.uri"});
    EXPECT_EQ(redis.post(r1 + ":import", R"({"inputConfig":{}})").blamed(), field_set{"inputConfig.gcsSource.uri"});
    EXPECT_EQ(redis.post(r1 + ":import", R"({"inputConfig":{"x":{}}})").blamed(), field_set{"inputConfig.x"});
    EXPECT_EQ(redis.post(r1 + ":export", export_body("gs://b/o.rdb")).text("metadata", "verb"), "export");
    EXPECT_EQ(redis.post(r1 + ":import", import_body("gs://b/f/o.rdb")).text("metadata", "verb"), "import");
    ASSERT_EQ(redis.effects.size(), 3U);
    EXPECT_EQ(redis.effects[1].method, "instances.export");
    EXPECT_EQ(redis.effects[2].method, "instances.import");
}

TEST(instances_api, reschedules_maintenance)
{
    api_driver redis;
    redis.create("r1", R"({"tier":"BASIC","memorySizeGb":1,"maintenancePolicy":{
        "weeklyMaintenanceWindow":[{"day":"FRIDAY","startTime":{"hours":4}}]}})");
    auto const start = [&redis] {
        auto const made = redis.get(r1).json();
        auto const* const schedule = made.if_contains("maintenanceSchedule");
        return schedule == nullptr ? std::string("none") : std::string(schedule->at("startTime").as_string());
    };
    auto const method = r1 + ":rescheduleMaintenance";
    EXPECT_EQ(start(), "2026-01-02T04:00:00Z");
    EXPECT_EQ(redis.post(method).blamed(), field_set{"rescheduleType"});
    EXPECT_EQ(redis.post(method, R"({"rescheduleType":"SPECIFIC_TIME"})").blamed(), field_set{"scheduleTime"});
    EXPECT_EQ(redis.post(method, R"({"rescheduleType":9})").blamed(), field_set{"rescheduleType"});
    EXPECT_EQ(redis.post(method, R"({"rescheduleType":3,"scheduleTime":"soon"})").blamed(), field_set{"scheduleTime"});
    EXPECT_EQ(redis.post(method, R"({"rescheduleType":"NEXT_AVAILABLE_WINDOW"})").status, 200);
    EXPECT_EQ(start(), "2026-01-09T04:00:00Z");
    EXPECT_EQ(redis.post(method, R"({"rescheduleType":3,"scheduleTime":"2026-02-01T05:00:00+01:00"})").status, 200);
    EXPECT_EQ(start(), "2026-02-01T04:00:00Z");
    EXPECT_EQ(redis.post(method, R"({"rescheduleType":3,"scheduleTime":"9999-12-31T23:59:59Z"})").status, 200);
    EXPECT_EQ(redis.post(method, R"({"rescheduleType":"NEXT_AVAILABLE_WINDOW"})").status, 200);
    EXPECT_EQ(redis.post(method, R"({"rescheduleType":"IMMEDIATE"})").status, 200);
    EXPECT_EQ(start(), "none");
    EXPECT_EQ(redis.effects.back().method, "instances.rescheduleMaintenance");
}

struct timed_change {
    char const* method;
    std::string target;
    char const* body;
    char const* state;
};

std::vector<timed_change> timed_changes()
{
    return {
        {"PATCH", r1 + "?updateMask=displayName", R"({"displayName":"x"})", "UPDATING"},
        {"POST", r1 + ":export", R"({"outputConfig":{"gcsDestination":{"uri":"gs://b/o.rdb"}}})", "READY"},
        {"POST", r1 + ":import", R"({"inputConfig":{"gcsSource":{"uri":"gs://b/o.rdb"}}})", "IMPORTING"},
        {"POST", r1 + ":failover", "", "FAILING_OVER"},
        {"POST", r1 + ":upgrade", R"({"redisVersion":"REDIS_7_2"})", "UPDATING"},
        {"POST", r1 + ":rescheduleMaintenance", R"({"rescheduleType":1})", "MAINTENANCE"},
        {"POST", r1 + ":rescheduleMaintenance", R"({"rescheduleType":2})", "UPDATING"},
        {"DELETE", r1, "", "DELETING"},
    };
}

TEST(instances_api, shows_what_an_instance_is_doing_and_refuses_to_do_more)
{
    for (auto const& change : timed_changes()) {
        api_driver redis(1min);
        redis.create("r1", standard);
        EXPECT_EQ(redis.get(r1).text("state"), "CREATING");
        EXPECT_TRUE(redis.get(r1).text("host").empty());
        for (auto const& other : timed_changes()) {
            auto const busy = redis.send(other.method, other.target, other.body);
            EXPECT_EQ(busy.status, 400);
            EXPECT_EQ(busy.code(), "FAILED_PRECONDITION") << busy.body;
        }
        redis.time.passed += 1min;
        EXPECT_EQ(redis.get(r1).text("state"), "READY");
        EXPECT_FALSE(redis.get(r1).text("host").empty());

        auto const begun = redis.send(change.method, change.target, change.body);
        ASSERT_EQ(begun.status, 200) << begun.body;
        EXPECT_EQ(redis.get(r1).text("state"), change.state) << change.target;
        for (auto const& other : timed_changes()) {
            auto const busy = redis.send(other.method, other.target, other.body);
            EXPECT_EQ(busy.code(), "FAILED_PRECONDITION") << change.target << ' ' << other.target;
            EXPECT_NE(busy.message().find("due to ongoing operations"), std::string::npos);
        }
        EXPECT_FALSE(redis.get(begun.operation()).json().contains("done"));
        EXPECT_EQ(redis.effects.size(), 2U);
        redis.time.passed += 1min;
        EXPECT_TRUE(redis.get(begun.operation()).json().at("done").as_bool());
        auto const after = redis.get(r1);
        EXPECT_EQ(after.status, std::string_view(change.method) == "DELETE" ? 404 : 200);
        if (after.status == 200) {
            EXPECT_EQ(after.text("state"), "READY");
            EXPECT_EQ(redis.get(begun.operation()).json().at("response").as_object().size(), after.json().size() + 1);
        }
    }
}

TEST(instances_api, a_change_shows_when_it_is_done)
{
    api_driver redis(1min);
    redis.create("r1", basic_tier);
    redis.time.passed += 1min;
    redis.patch(r1 + "?updateMask=displayName", R"({"displayName":"x"})");
    EXPECT_EQ(redis.get(r1).text("displayName"), "");
    redis.time.passed += 1min;
    EXPECT_EQ(redis.get(r1).text("displayName"), "x");
}

TEST(instances_api, lists_say_which_locations_they_could_not_see)
{
    api_driver redis;
    redis.create("r1", basic_tier);
    redis.post("/v1/projects/p/locations/europe-west1/instances?instanceId=r2", basic_tier);
    auto const everywhere = "/v1/projects/p/locations/-/instances";
    EXPECT_FALSE(redis.get(everywhere).json().contains("unreachable"));
    redis.api.set_unreachable({"us-central1"});
    auto const partial = redis.get(everywhere).json();
    EXPECT_EQ(json::serialize(partial.at("unreachable")), R"(["projects/p/locations/us-central1"])");
    ASSERT_EQ(partial.at("instances").as_array().size(), 2U);
    EXPECT_EQ(partial.at("instances").at(0).at("name").as_string(), "projects/p/locations/europe-west1/instances/r2");
    EXPECT_EQ(
        json::serialize(partial.at("instances").at(1)),
        R"({"name":"projects/p/locations/us-central1/instances/-",)"
        R"("statusMessage":"location not available for ListInstances"})");
    EXPECT_EQ(redis.get("/v1/projects/p/locations/europe-west1/instances").status, 200);
    redis.api.set_unreachable({});
    EXPECT_EQ(redis.get(everywhere).json().at("instances").as_array().size(), 2U);
    EXPECT_FALSE(redis.get(everywhere).json().contains("unreachable"));
}

TEST(instances_api, what_stands_for_an_unreachable_location_has_its_place_on_a_page)
{
    api_driver redis;
    for (auto const* id : {"a", "b"}) redis.create(id, basic_tier);
    redis.post("/v1/projects/p/locations/b/instances?instanceId=c", basic_tier);
    redis.api.set_unreachable({"a", "z", "b"});
    std::string seen;
    std::string token;
    int pages = 0;
    do {
        auto const page = redis.get("/v1/projects/p/locations/-/instances?pageSize=2&pageToken=" + token);
        auto const list = page.json().at("instances").as_array();
        EXPECT_LE(list.size(), 2U);
        EXPECT_EQ(page.json().at("unreachable").as_array().size(), 3U);
        for (auto const& each : list) seen += std::string(each.at("name").as_string()).substr(21) + " ";
        token = page.text("nextPageToken");
    } while (!token.empty() && ++pages != 10);
    EXPECT_EQ(seen, "a/instances/- b/instances/- us-central1/instances/a us-central1/instances/b z/instances/- ");
}

TEST(instances_api, whatever_is_asked_of_an_unreachable_location_fails)
{
    api_driver redis;
    redis.create("r1", basic_tier);
    auto const operation = redis.patch(r1 + "?updateMask=displayName", R"({"displayName":"x"})").operation();
    auto const effects = redis.effects.size();
    redis.api.set_unreachable({"us-central1"});
    for (auto const& [method, target] :
         {std::pair("GET", instances),
          {"POST", instances + "?instanceId=r2"},
          {"GET", r1},
          {"PATCH", r1 + "?updateMask=displayName"},
          {"DELETE", r1},
          {"POST", r1 + ":failover"},
          {"GET", location},
          {"GET", location + "/operations"},
          {"GET", operation}}) {
        auto const reply = redis.send(method, target, std::string_view(method) == "GET" ? "" : basic_tier);
        EXPECT_EQ(reply.status, 503) << method << ' ' << target;
        EXPECT_EQ(reply.code(), "UNAVAILABLE");
        EXPECT_EQ(reply.message(), "The location 'us-central1' cannot be reached.");
    }
    auto const all = redis.get("/v1/projects/p/locations/-/operations").json();
    EXPECT_FALSE(all.contains("operations"));
    EXPECT_EQ(json::serialize(all.at("unreachable")), R"(["projects/p/locations/us-central1"])");
    EXPECT_EQ(redis.effects.size(), effects);

    redis.api.set_unreachable({});
    EXPECT_EQ(redis.get(r1).text("displayName"), "x");
    EXPECT_EQ(redis.get(operation).status, 200);
}

TEST(instances_api, forgets_everything_at_a_reset)
{
    api_driver redis(1min);
    redis.create("r1", R"({"tier":"BASIC","memorySizeGb":1,"authEnabled":true})");
    redis.api.clear();
    EXPECT_EQ(redis.api.instance_count(), 0U);
    EXPECT_EQ(redis.api.operation_count(), 0U);
    EXPECT_EQ(redis.api.running_operation_count(), 0U);
    redis.time.passed += 1h;
    EXPECT_EQ(redis.get(instances).body, "{}");
    EXPECT_EQ(redis.get(location + "/operations").body, "{}");
}

}  // namespace

}  // namespace backbeat::emulation
