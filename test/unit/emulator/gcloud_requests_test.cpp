//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "client_requests.hpp"

#include <string>

namespace backbeat {

namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr char const* instances_location = "/v1/projects/my-proj/locations/us-central1";
std::string const r1 = instances_location + std::string("/instances/r1");

class instance_requests : public client_requests {
protected:
    explicit instance_requests(std::chrono::nanoseconds operation_time = 0ns) : client_requests(r1, operation_time) {}

    json::object create_with_gcloud()
    {
        return finish(gcloud(
            "POST",
            instances_location + std::string("/instances?alt=json&instanceId=r1"),
            R"({"authEnabled": false, "authorizedNetwork": "projects/my-proj/global/networks/default", )"
            R"("displayName": "my one", "labels": {"a": "b"}, "memorySizeGb": 2, "redisConfigs": {"timeout": "5"}, )"
            R"("redisVersion": "REDIS_6_X", "tier": "STANDARD_HA"})"));
    }
};

using gcloud_requests = instance_requests;
using node_requests = instance_requests;
using go_requests = instance_requests;

TEST_F(gcloud_requests, creates_with_the_least_that_it_sends)
{
    auto const made = finish(gcloud(
        "POST",
        instances_location + std::string("/instances?alt=json&instanceId=r1"),
        R"({"authEnabled": false, "authorizedNetwork": "projects/my-proj/global/networks/default", )"
        R"("memorySizeGb": 1, "tier": "BASIC"})"));
    EXPECT_EQ(made.at("state").as_string(), "READY");
    EXPECT_EQ(made.at("tier").as_string(), "BASIC");
}

TEST_F(gcloud_requests, updates_with_the_whole_instance_and_a_mask_in_snake_case)
{
    auto const before = create_with_gcloud();
    auto const after = update_with_gcloud(
        "labels%2Cdisplay_name%2Cmemory_size_gb",
        R"({"labels":{"c":"d"},"displayName":"yours","memorySizeGb":4,"authEnabled":true,"redisVersion":"REDIS_7_2"})");
    EXPECT_EQ(json::serialize(after.at("labels")), R"({"c":"d"})");
    EXPECT_EQ(after.at("displayName").as_string(), "yours");
    EXPECT_EQ(after.at("memorySizeGb").as_int64(), 4);
    EXPECT_FALSE(after.contains("authEnabled")) << "it is not in the mask";
    for (auto const* name : {"createTime", "host", "redisVersion", "tier", "nodes", "redisConfigs", "state"})
        EXPECT_EQ(after.at(name), before.at(name)) << name;
    ASSERT_EQ(google.effects().size(), 2U);
    EXPECT_EQ(google.effects()[1].method, "instances.patch");
}

TEST_F(gcloud_requests, clears_labels)
{
    create_with_gcloud();
    EXPECT_FALSE(update_with_gcloud("labels", R"({"labels":{}})").contains("labels"));
}

TEST_F(gcloud_requests, sets_and_removes_the_maintenance_window)
{
    create_with_gcloud();
    auto const set = update_with_gcloud(
        "maintenance_policy",
        R"({"maintenancePolicy":{"weeklyMaintenanceWindow":[{"day":"SUNDAY","startTime":{"hours":3}}]}})");
    EXPECT_EQ(set.at("maintenancePolicy").at("weeklyMaintenanceWindow").at(0).at("day").as_string(), "SUNDAY");
    EXPECT_TRUE(set.contains("maintenanceSchedule"));
    // --maintenance-window-any: masked and absent.
    auto const any = update_with_gcloud("maintenance_policy", "{}", "maintenancePolicy");
    EXPECT_FALSE(any.contains("maintenancePolicy"));
}

TEST_F(gcloud_requests, updates_every_field_that_it_can)
{
    create_with_gcloud();
    auto after = update_with_gcloud("redis_configs", R"({"redisConfigs":{"maxmemory-policy":"allkeys-lru"}})");
    EXPECT_EQ(json::serialize(after.at("redisConfigs")), R"({"maxmemory-policy":"allkeys-lru"})");
    after = update_with_gcloud("auth_enabled", R"({"authEnabled":true})");
    EXPECT_TRUE(after.at("authEnabled").as_bool());
    after = update_with_gcloud(
        "persistence_config", R"({"persistenceConfig":{"persistenceMode":"RDB","rdbSnapshotPeriod":"ONE_HOUR"}})");
    EXPECT_EQ(after.at("persistenceConfig").at("rdbSnapshotPeriod").as_string(), "ONE_HOUR");
    after = update_with_gcloud("maintenance_version", R"({"maintenanceVersion":"20260101_00_00"})");
    EXPECT_EQ(after.at("maintenanceVersion").as_string(), "20260101_00_00");
    update_with_gcloud("memory_size_gb", R"({"memorySizeGb":5})");
    after = update_with_gcloud(
        "read_replicas_mode%2Csecondary_ip_range",
        R"({"readReplicasMode":"READ_REPLICAS_ENABLED","secondaryIpRange":"auto"})");
    EXPECT_EQ(after.at("readReplicasMode").as_string(), "READ_REPLICAS_ENABLED");
    after = update_with_gcloud("replica_count", R"({"replicaCount":3})");
    EXPECT_EQ(after.at("replicaCount").as_int64(), 3);
}

TEST_F(gcloud_requests, sends_the_custom_methods)
{
    create_with_gcloud();
    EXPECT_EQ(
        finish(gcloud("POST", r1 + ":failover?alt=json", "{}")).at("currentLocationId").as_string(), "us-central1-b");
    finish(gcloud("POST", r1 + ":failover?alt=json", R"({"dataProtectionMode": "FORCE_DATA_LOSS"})"));
    finish(gcloud("POST", r1 + ":failover?alt=json"));
    finish(gcloud("POST", r1 + ":export?alt=json", R"({"outputConfig": {"gcsDestination": {"uri": "gs://b/o.rdb"}}})"));
    finish(gcloud("POST", r1 + ":import?alt=json", R"({"inputConfig": {"gcsSource": {"uri": "gs://b/o.rdb"}}})"));
    EXPECT_EQ(
        finish(gcloud("POST", r1 + ":upgrade?alt=json", R"({"redisVersion": "REDIS_7_0"})"))
            .at("redisVersion")
            .as_string(),
        "REDIS_7_0");
    finish(gcloud(
        "POST",
        r1 + ":rescheduleMaintenance?alt=json",
        R"({"rescheduleType": "SPECIFIC_TIME", "scheduleTime": "2030-01-01T00:00:00Z"})"));
    EXPECT_EQ(gcloud("GET", r1 + "/authString?alt=json").body, "{}");
    gcloud("DELETE", r1 + "?alt=json");
    EXPECT_EQ(gcloud("GET", instances_location + std::string("/instances?alt=json")).body, "{}");
}

TEST_F(gcloud_requests, looks_at_locations_and_operations)
{
    create_with_gcloud();
    EXPECT_TRUE(gcloud("GET", "/v1/projects/my-proj/locations?alt=json").json().as_object().contains("locations"));
    gcloud("GET", instances_location + std::string("?alt=json"));
    auto const all =
        gcloud("GET", instances_location + std::string("/operations?alt=json")).json().at("operations").as_array();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].at("metadata").at("verb").as_string(), "create") << "gcloud crashes without metadata";
    gcloud("GET", "/v1/projects/my-proj/locations/-/operations?alt=json");
    gcloud("GET", "/v1/projects/my-proj/locations/-/instances?alt=json&pageSize=1");
}

class slow_gcloud_requests : public instance_requests {
protected:
    slow_gcloud_requests() : instance_requests(10s) {}
};

TEST_F(slow_gcloud_requests, cancel_without_a_body)
{
    auto const begun = gcloud(
        "POST",
        instances_location + std::string("/instances?alt=json&instanceId=r1"),
        R"({"authEnabled": false, "memorySizeGb": 1, "tier": "BASIC"})");
    auto const name = "/v1/" + std::string(begun.json().at("name").as_string());
    EXPECT_EQ(gcloud("POST", name + ":cancel?alt=json").body, "{}");
    EXPECT_TRUE(gcloud("GET", name + "?alt=json").json().at("metadata").at("cancelRequested").as_bool());
}

TEST_F(node_requests, sends_numbers_for_names_and_empty_maps)
{
    std::string const query = "$alt=json%3Benum-encoding=int";
    auto const instances = instances_location + std::string("/instances");
    EXPECT_EQ(node("GET", instances + "?" + query).body, "{}");
    auto const begun = node(
        "POST",
        instances + "?instanceId=r1&" + query,
        R"({"labels":{"a":"b"},"redisConfigs":{},"displayName":"x","tier":3,"memorySizeGb":1})");
    auto const operation = "/v1/" + std::string(begun.json().at("name").as_string());
    EXPECT_TRUE(node("GET", operation + "?").json().at("done").as_bool());
    EXPECT_EQ(node("GET", r1 + "?" + query).json().at("tier").as_string(), "STANDARD_HA");

    node(
        "PATCH",
        r1 + "?updateMask=display_name%2Cmemory_size_gb&" + query,
        R"({"labels":{},"redisConfigs":{},"displayName":"yy","memorySizeGb":4})");
    auto const after = node("GET", r1 + "?" + query).json();
    EXPECT_EQ(after.at("displayName").as_string(), "yy");
    EXPECT_EQ(after.at("memorySizeGb").as_int64(), 4);
    EXPECT_EQ(after.at("labels").at("a").as_string(), "b") << "labels are not in the mask";

    node("POST", r1 + ":failover?" + query, R"({"dataProtectionMode":1})");
    node("POST", r1 + ":upgrade?" + query, R"({"redisVersion":"REDIS_7_2"})");
    node("POST", r1 + ":rescheduleMaintenance?" + query, R"({"rescheduleType":1})");
    node("POST", r1 + ":export?" + query, R"({"outputConfig":{"gcsDestination":{"uri":"gs://b/o.rdb"}}})");
    node("POST", r1 + ":import?" + query, R"({"inputConfig":{"gcsSource":{"uri":"gs://b/o.rdb"}}})");
    node("GET", r1 + "/authString?" + query);
    node("GET", instances + "?pageSize=2&pageToken=&" + query);

    EXPECT_EQ(node("POST", operation + ":cancel?", "{}").body, "{}");
    EXPECT_EQ(
        node("GET", instances_location + std::string("/operations?")).json().at("operations").as_array().size(), 7U);
    EXPECT_EQ(node("DELETE", operation + "?").body, "{}");
    EXPECT_EQ(
        node("GET", instances_location + std::string("/operations?")).json().at("operations").as_array().size(), 6U);
    node("DELETE", r1 + "?" + query);
}

// Go: of the custom methods the whole request is the body, with the name that the path has.
TEST_F(go_requests, repeats_the_name_in_the_body)
{
    std::string const query = "?%24alt=json%3Benum-encoding%3Dint";
    auto const instances = instances_location + std::string("/instances");
    auto const begun = go("POST", instances + query + "&instanceId=r1", R"({"tier":3,"memorySizeGb":1})");
    auto const name = r1.substr(4);
    auto const with_name = [&name](std::string const& rest) { return R"({"name":")" + name + "\"" + rest + "}"; };
    go("PATCH",
       r1 + query + "&updateMask=displayName%2CmemorySizeGb",
       R"({"name":")" + name + R"(","memorySizeGb":4})");
    go("POST", r1 + ":failover" + query, with_name(R"(, "dataProtectionMode":2)"));
    go("POST", r1 + ":upgrade" + query, with_name(R"(, "redisVersion":"REDIS_7_2")"));
    go("POST", r1 + ":rescheduleMaintenance" + query, with_name(R"(, "rescheduleType":1)"));
    go("POST", r1 + ":export" + query, with_name(R"(, "outputConfig":{"gcsDestination":{"uri":"gs://b/o.rdb"}})"));
    go("POST", r1 + ":import" + query, with_name(R"(, "inputConfig":{"gcsSource":{"uri":"gs://b/o.rdb"}})"));
    auto const operation = std::string(begun.json().at("name").as_string());
    EXPECT_EQ(go("POST", "/v1/" + operation + ":cancel" + query, R"({"name":")" + operation + R"("})").body, "{}");

    // Another name is no reason to refuse: the path counts. What is no name is refused, and what there is not.
    go("POST", r1 + ":failover" + query, R"({"name":"projects/p/locations/l/instances/other"})");
    EXPECT_EQ(client.post(r1 + ":failover", R"({"name":1})").status, 400);
    EXPECT_EQ(client.post(r1 + ":failover", R"({"names":""})").status, 400);
}

}  // namespace

}  // namespace backbeat
