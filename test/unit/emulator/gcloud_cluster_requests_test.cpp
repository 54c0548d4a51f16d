//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// What was not recorded of the clients follows from what was, and from the API's schemas.

#include "client_requests.hpp"

#include <string>

namespace backbeat {

namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr char const* clusters_location = "/v1/projects/my-proj/locations/us-central1";
std::string const clusters = clusters_location + std::string("/clusters");
std::string const c1 = clusters + "/c1";

class cluster_requests : public client_requests {
protected:
    cluster_requests() : client_requests(c1, 0ns) {}

    json::object create_with_gcloud()
    {
        return finish(gcloud(
            "POST",
            clusters + "?alt=json&clusterId=c1",
            R"({"nodeType": "REDIS_STANDARD_SMALL", )"
            R"("pscConfigs": [{"network": "projects/my-proj/global/networks/default"}], )"
            R"("replicaCount": 1, "shardCount": 3})"));
    }

    std::string backups() { return "/v1/" + text(gcloud("GET", c1 + "?alt=json"), "backupCollection") + "/backups"; }

    static std::string text(reply const& from, char const* name)
    {
        return std::string(from.json().at(name).as_string());
    }
};

using gcloud_cluster_requests = cluster_requests;
using node_cluster_requests = cluster_requests;
using go_cluster_requests = cluster_requests;

TEST_F(gcloud_cluster_requests, creates_and_lists)
{
    auto const made = create_with_gcloud();
    EXPECT_EQ(made.at("state").as_string(), "ACTIVE");
    EXPECT_EQ(made.at("nodeType").as_string(), "REDIS_STANDARD_SMALL");
    EXPECT_EQ(gcloud("GET", clusters + "?alt=json").json().at("clusters").as_array().size(), 1U);
    EXPECT_EQ(
        gcloud("GET", "/v1/projects/my-proj/locations/-/clusters?alt=json&pageSize=10").json().at("clusters").at(0),
        made);
    auto const all =
        gcloud("GET", clusters_location + std::string("/operations?alt=json")).json().at("operations").as_array();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].at("metadata").at("verb").as_string(), "create");
}

TEST_F(gcloud_cluster_requests, updates_with_the_whole_cluster_and_a_mask_in_snake_case)
{
    auto const before = create_with_gcloud();
    auto after = update_with_gcloud(
        "shard_count", R"({"shardCount":5,"replicaCount":0,"authorizationMode":"AUTH_MODE_IAM_AUTH"})");
    EXPECT_EQ(after.at("shardCount").as_int64(), 5);
    for (auto const* name : {"createTime", "uid", "replicaCount", "authorizationMode", "pscConnections", "state"})
        EXPECT_EQ(after.at(name), before.at(name)) << name;
    after = update_with_gcloud(
        "replica_count%2Cdeletion_protection_enabled", R"({"replicaCount":2,"deletionProtectionEnabled":true})");
    EXPECT_EQ(after.at("replicaCount").as_int64(), 2);
    EXPECT_TRUE(after.at("deletionProtectionEnabled").as_bool());
    after = update_with_gcloud("node_type", R"({"nodeType":"REDIS_HIGHMEM_XLARGE"})");
    EXPECT_EQ(after.at("sizeGb").as_int64(), 290);
    after = update_with_gcloud("redis_configs", R"({"redisConfigs":{"maxmemory-policy":"allkeys-lru"}})");
    EXPECT_EQ(json::serialize(after.at("redisConfigs")), R"({"maxmemory-policy":"allkeys-lru"})");
    after = update_with_gcloud(
        "persistence_config", R"({"persistenceConfig":{"mode":"RDB","rdbConfig":{"rdbSnapshotPeriod":"ONE_HOUR"}}})");
    EXPECT_EQ(after.at("persistenceConfig").at("rdbConfig").at("rdbSnapshotPeriod").as_string(), "ONE_HOUR");
    after = update_with_gcloud(
        "automated_backup_config",
        R"({"automatedBackupConfig":{"automatedBackupMode":"ENABLED",)"
        R"("fixedFrequencySchedule":{"startTime":{"hours":10}},"retention":"864000s"}})");
    EXPECT_EQ(after.at("automatedBackupConfig").at("retention").as_string(), "864000s");
    after = update_with_gcloud("ondemand_maintenance", R"({"ondemandMaintenance":true})");
    EXPECT_FALSE(after.contains("ondemandMaintenance"));
    EXPECT_EQ(google.effects().back().method, "clusters.patch");
}

TEST_F(gcloud_cluster_requests, sets_and_removes_the_maintenance_window)
{
    create_with_gcloud();
    auto const set = update_with_gcloud(
        "maintenance_window",
        R"({"maintenancePolicy":{"weeklyMaintenanceWindow":[{"day":"SUNDAY","startTime":{"hours":3}}]}})");
    EXPECT_EQ(set.at("maintenancePolicy").at("weeklyMaintenanceWindow").at(0).at("day").as_string(), "SUNDAY");
    EXPECT_TRUE(set.contains("maintenanceSchedule"));
    // --maintenance-window-any: masked and absent.
    EXPECT_FALSE(update_with_gcloud("maintenance_window", "{}", "maintenancePolicy").contains("maintenancePolicy"));
}

TEST_F(gcloud_cluster_requests, sends_the_other_methods)
{
    create_with_gcloud();
    EXPECT_TRUE(finish(gcloud("POST", c1 + ":backup?alt=json", R"({"backupId": "b1"})")).contains("backupCollection"));
    finish(gcloud("POST", c1 + ":backup?alt=json", "{}"));
    finish(gcloud("POST", c1 + ":backup?alt=json", R"({"backupId": "b2", "ttl": "864000s"})"));
    auto const collections = clusters_location + std::string("/backupCollections?alt=json");
    EXPECT_EQ(gcloud("GET", collections).json().at("backupCollections").as_array().size(), 1U);
    EXPECT_EQ(gcloud("GET", backups() + "?alt=json").json().at("backups").as_array().size(), 3U);
    EXPECT_EQ(text(gcloud("GET", backups() + "/b1?alt=json"), "state"), "ACTIVE");
    finish(gcloud("POST", backups() + "/b1:export?alt=json", R"({"gcsBucket": "my-bucket"})"));
    finish(gcloud("DELETE", backups() + "/b1?alt=json"));
    EXPECT_EQ(gcloud("GET", backups() + "?alt=json").json().at("backups").as_array().size(), 2U);
    gcloud("GET", c1 + "/certificateAuthority?alt=json");
    finish(gcloud(
        "POST",
        c1 + ":rescheduleClusterMaintenance?alt=json",
        R"({"rescheduleType": "SPECIFIC_TIME", "scheduleTime": "2030-01-01T00:00:00Z"})"));
    finish(gcloud("POST", c1 + ":rescheduleClusterMaintenance?alt=json", R"({"rescheduleType": "IMMEDIATE"})"));
    gcloud("DELETE", c1 + "?alt=json");
    EXPECT_EQ(gcloud("GET", clusters + "?alt=json").body, "{}");
}

TEST_F(node_cluster_requests, sends_numbers_for_names_and_a_request_id_if_it_has_one)
{
    std::string const query = "$alt=json%3Benum-encoding=int";
    EXPECT_EQ(node("GET", clusters + "?" + query).body, "{}");
    std::string const body =
        R"({"redisConfigs":{},"replicaCount":1,"shardCount":3,"nodeType":4,"authorizationMode":2,)"
        R"("transitEncryptionMode":1,"pscConfigs":[{"network":"projects/my-proj/global/networks/default"}],)"
        R"("persistenceConfig":{"mode":2,"rdbConfig":{"rdbSnapshotPeriod":3}}})";
    auto const create = clusters + "?clusterId=c1&requestId=6f9619ff-8b86-4011-b42d-00c04fc964ff&" + query;
    auto const begun = node("POST", create, body);
    EXPECT_EQ(text(node("POST", create, body), "name"), text(begun, "name"));
    auto const operation = "/v1/" + text(begun, "name");
    EXPECT_TRUE(node("GET", operation + "?").json().at("done").as_bool());
    auto const made = node("GET", c1 + "?" + query).json();
    EXPECT_EQ(made.at("nodeType").as_string(), "REDIS_STANDARD_SMALL");
    EXPECT_EQ(made.at("persistenceConfig").at("rdbConfig").at("rdbSnapshotPeriod").as_string(), "TWELVE_HOURS");

    node(
        "PATCH",
        c1 + "?updateMask=shard_count%2Cpersistence_config&" + query,
        R"({"redisConfigs":{},"shardCount":4,"persistenceConfig":{"mode":3,"aofConfig":{"appendFsync":3}}})");
    auto const after = node("GET", c1 + "?" + query).json();
    EXPECT_EQ(after.at("shardCount").as_int64(), 4);
    EXPECT_EQ(after.at("persistenceConfig").at("aofConfig").at("appendFsync").as_string(), "ALWAYS");

    node("POST", c1 + ":backup?" + query, R"({"ttl":"86400s","backupId":"b1"})");
    node("POST", c1 + ":rescheduleClusterMaintenance?" + query, R"({"rescheduleType":1})");
    node(
        "POST",
        c1 + ":rescheduleClusterMaintenance?" + query,
        R"({"rescheduleType":3,"scheduleTime":"2030-01-01T00:00:00.500Z"})");
    node("GET", c1 + "/certificateAuthority?" + query);
    node("GET", clusters_location + std::string("/backupCollections?pageSize=2&pageToken=&") + query);
    node("GET", backups() + "?pageSize=2&" + query);
    node("POST", backups() + "/b1:export?" + query, R"({"gcsBucket":"my-bucket"})");
    node("DELETE", backups() + "/b1?requestId=6f9619ff-8b86-4011-b42d-00c04fc964fe&" + query);
    node("DELETE", c1 + "?" + query);
    EXPECT_EQ(google.total_effects(), 8U);
}

TEST_F(go_cluster_requests, repeats_the_name_in_the_body)
{
    create_with_gcloud();
    std::string const query = "?%24alt=json%3Benum-encoding%3Dint";
    go("POST", c1 + ":backup" + query, R"({"name":")" + c1.substr(4) + R"(", "backupId":"b1"})");
    go("POST",
       c1 + ":rescheduleClusterMaintenance" + query,
       R"({"name":")" + c1.substr(4) + R"(", "rescheduleType":1})");
    auto const b1 = backups() + "/b1";
    go("POST", b1 + ":export" + query, R"({"name":")" + b1.substr(4) + R"(", "gcsBucket":"my-bucket"})");
}

}  // namespace

}  // namespace backbeat
