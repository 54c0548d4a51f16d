//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "api_driver.hpp"

#include <boost/json/serialize.hpp>

namespace backbeat::emulation {

namespace {

using namespace std::chrono_literals;
namespace json = boost::json;

constexpr char const* small = R"({"shardCount":3,"pscConfigs":[{"network":"projects/p/global/networks/default"}]})";

json::object create(api_driver& redis, std::string const& id, std::string const& body)
{
    auto const begun = redis.post(clusters + "?clusterId=" + id, body);
    EXPECT_EQ(begun.status, 200) << begun.body;
    return redis.get(clusters + "/" + id).json();
}

TEST(clusters_api, fills_what_the_service_fills)
{
    api_driver redis;
    auto const made = create(redis, "c1", small);
    EXPECT_EQ(text_of(made, "name"), c1.substr(4));
    EXPECT_EQ(text_of(made, "state"), "ACTIVE");
    EXPECT_EQ(text_of(made, "uid").size(), 36U);
    EXPECT_EQ(text_of(made, "createTime").substr(0, 10), "2026-01-01");
    EXPECT_EQ(text_of(made, "nodeType"), "REDIS_HIGHMEM_MEDIUM");
    EXPECT_EQ(made.at("replicaCount").as_int64(), 0);
    EXPECT_EQ(made.at("sizeGb").as_int64(), 39);
    EXPECT_EQ(made.at("preciseSizeGb").to_number<double>(), 39.0);
    EXPECT_EQ(text_of(made, "authorizationMode"), "AUTH_MODE_DISABLED");
    EXPECT_EQ(text_of(made, "transitEncryptionMode"), "TRANSIT_ENCRYPTION_MODE_DISABLED");
    EXPECT_EQ(json::serialize(made.at("zoneDistributionConfig")), R"({"mode":"MULTI_ZONE"})");
    EXPECT_EQ(json::serialize(made.at("persistenceConfig")), R"({"mode":"DISABLED"})");
    EXPECT_EQ(json::serialize(made.at("automatedBackupConfig")), R"({"automatedBackupMode":"DISABLED"})");
    EXPECT_EQ(made.at("encryptionInfo").at("encryptionType").as_string(), "GOOGLE_DEFAULT_ENCRYPTION");
    EXPECT_FALSE(made.at("deletionProtectionEnabled").as_bool());
    EXPECT_FALSE(made.contains("stateInfo"));
    EXPECT_FALSE(made.contains("backupCollection"));
    EXPECT_FALSE(made.contains("maintenanceSchedule"));
}

TEST(clusters_api, connects_a_cluster_to_its_network)
{
    api_driver redis;
    auto const made = create(redis, "c1", small);
    auto const& connections = made.at("pscConnections").as_array();
    ASSERT_EQ(connections.size(), 2U);
    EXPECT_NE(connections[0].at("address"), connections[1].at("address"));
    EXPECT_NE(connections[0].at("pscConnectionId"), connections[1].at("pscConnectionId"));
    EXPECT_NE(connections[0].at("forwardingRule"), connections[1].at("forwardingRule"));
    EXPECT_EQ(connections[0].at("connectionType").as_string(), "CONNECTION_TYPE_DISCOVERY");
    EXPECT_EQ(connections[0].at("pscConnectionStatus").as_string(), "PSC_CONNECTION_STATUS_ACTIVE");
    EXPECT_EQ(connections[0].at("network").as_string(), "projects/p/global/networks/default");
    EXPECT_EQ(connections[0].at("projectId").as_string(), "p");
    EXPECT_EQ(connections[0].at("port").as_int64(), 6379);
    auto const& attachments = made.at("pscServiceAttachments").as_array();
    ASSERT_EQ(attachments.size(), 2U);
    for (std::size_t i = 0; i != 2; ++i) {
        auto const attachment = std::string(attachments[i].at("serviceAttachment").as_string());
        EXPECT_EQ(connections[i].at("serviceAttachment").as_string(), attachment);
        EXPECT_NE(attachment.find("/regions/us-central1/serviceAttachments/"), attachment.npos) << attachment;
    }
    EXPECT_EQ(attachments[0].at("connectionType").as_string(), "CONNECTION_TYPE_DISCOVERY");
    auto const& endpoint = made.at("discoveryEndpoints").at(0);
    EXPECT_EQ(endpoint.at("address"), connections[0].at("address"));
    EXPECT_EQ(endpoint.at("port").as_int64(), 6379);
    EXPECT_EQ(endpoint.at("pscConfig").at("network").as_string(), "projects/p/global/networks/default");

    auto const other = create(redis, "c2", R"({"shardCount":1})");
    EXPECT_FALSE(other.contains("discoveryEndpoints")) << "without a network, customers connect by themselves";
    EXPECT_FALSE(other.contains("pscConnections"));
    EXPECT_NE(other.at("pscServiceAttachments").at(0), made.at("pscServiceAttachments").at(0));
}

TEST(clusters_api, knows_the_size_of_each_node_type)
{
    api_driver redis;
    struct {
        char const* type;
        int shards;
        int size;
        double precise;
    } const table[] = {
        {"REDIS_SHARED_CORE_NANO", 3, 5, 4.2},
        {"REDIS_STANDARD_SMALL", 1, 7, 6.5},
        {"REDIS_HIGHMEM_MEDIUM", 250, 3250, 3250},
        {"REDIS_HIGHMEM_XLARGE", 2, 116, 116},
    };
    int number = 0;
    for (auto const& [type, shards, size, precise] : table) {
        auto const made = create(
            redis,
            "c" + std::to_string(++number),
            R"({"shardCount":)" + std::to_string(shards) + R"(,"nodeType":")" + type + R"("})");
        EXPECT_EQ(made.at("sizeGb").as_int64(), size) << type;
        EXPECT_EQ(made.at("preciseSizeGb").to_number<double>(), precise) << type;
    }
}

TEST(clusters_api, fills_persistence_backups_and_zones_that_are_only_begun)
{
    api_driver redis;
    auto const rdb = create(redis, "c1", R"({"persistenceConfig":{"mode":"RDB"},
        "automatedBackupConfig":{"automatedBackupMode":"ENABLED","fixedFrequencySchedule":{"startTime":{"hours":3}}},
        "zoneDistributionConfig":{"mode":"SINGLE_ZONE"},"kmsKey":"projects/p/locations/l/keyRings/r/cryptoKeys/k"})");
    EXPECT_EQ(rdb.at("shardCount").as_int64(), 3);
    auto const& config = rdb.at("persistenceConfig").at("rdbConfig");
    EXPECT_EQ(config.at("rdbSnapshotPeriod").as_string(), "TWENTY_FOUR_HOURS");
    EXPECT_EQ(config.at("rdbSnapshotStartTime").as_string(), rdb.at("createTime").as_string());
    EXPECT_EQ(rdb.at("automatedBackupConfig").at("retention").as_string(), "3024000s");
    EXPECT_EQ(rdb.at("zoneDistributionConfig").at("zone").as_string(), "us-central1-a");
    EXPECT_EQ(rdb.at("encryptionInfo").at("encryptionType").as_string(), "CUSTOMER_MANAGED_ENCRYPTION");
    EXPECT_EQ(
        rdb.at("encryptionInfo").at("kmsKeyVersions").at(0).as_string(),
        "projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1");
    auto const aof = create(redis, "c2", R"({"persistenceConfig":{"mode":"AOF"}})");
    EXPECT_EQ(aof.at("persistenceConfig").at("aofConfig").at("appendFsync").as_string(), "EVERYSEC");
}

TEST(clusters_api, operations_have_the_metadata_of_clusters)
{
    api_driver redis(1min);
    auto const begun = redis.post(clusters + "?clusterId=c1", small);
    auto const metadata = begun.json().at("metadata").as_object();
    EXPECT_EQ(metadata.at("@type").as_string(), "type.googleapis.com/google.cloud.redis.cluster.v1.OperationMetadata");
    EXPECT_EQ(metadata.at("verb").as_string(), "create");
    EXPECT_EQ(metadata.at("target").as_string(), c1.substr(4));
    EXPECT_EQ(metadata.at("apiVersion").as_string(), "v1");
    EXPECT_FALSE(metadata.at("requestedCancellation").as_bool());
    EXPECT_FALSE(metadata.contains("cancelRequested"));
    EXPECT_EQ(redis.post(begun.operation() + ":cancel").body, "{}");
    EXPECT_TRUE(redis.get(begun.operation()).json().at("metadata").at("requestedCancellation").as_bool());
    redis.time.passed += 1min;
    auto const ended = redis.get(begun.operation()).json();
    EXPECT_EQ(
        ended.at("response").at("@type").as_string(), "type.googleapis.com/google.cloud.redis.cluster.v1.Cluster");
    EXPECT_EQ(ended.at("response").at("state").as_string(), "ACTIVE");
    EXPECT_EQ(ended.at("metadata").at("endTime").as_string(), "2026-01-01T00:01:00Z");
}

TEST(clusters_api, refuses_ids_that_are_none)
{
    api_driver redis;
    auto const blamed = [&redis](std::string const& query) { return redis.post(clusters + query, small).blamed(); };
    for (auto const* id : {"", "?clusterId=", "?clusterId=C", "?clusterId=1a", "?clusterId=a-", "?clusterId=a_b"})
        EXPECT_EQ(blamed(id), field_set{"clusterId"}) << id;
    EXPECT_EQ(blamed("?clusterId=" + std::string(64, 'a')), field_set{"clusterId"});
    EXPECT_EQ(redis.post(clusters + "?cluster_id=" + std::string(63, 'a'), small).status, 200);
    EXPECT_EQ(redis.post("/v1/projects/p/locations/-/clusters?clusterId=a", small).blamed(), field_set{"parent"});
    // What is quoted is never cut inside a character.
    std::string id;
    for (int i = 0; i != 40; ++i) id += "%C3%A4";
    EXPECT_EQ(blamed("?clusterId=" + id), field_set{"clusterId"});
    EXPECT_EQ(blamed("?clusterId=a" + id), field_set{"clusterId"});
}

TEST(clusters_api, refuses_what_the_service_would_not_make)
{
    api_driver redis;
    auto const blamed = [&redis](std::string const& fields) {
        return redis.post(clusters + "?clusterId=c1", "{" + fields + "}").blamed();
    };
    EXPECT_EQ(blamed(R"("shardCount":0)"), field_set{"cluster.shardCount"});
    EXPECT_EQ(blamed(R"("shardCount":251)"), field_set{"cluster.shardCount"});
    EXPECT_EQ(
        blamed(R"("shardCount":-1,"replicaCount":2147483647)"),
        (field_set{"cluster.shardCount", "cluster.replicaCount"}));
    EXPECT_EQ(blamed(R"("replicaCount":6)"), field_set{"cluster.replicaCount"});
    EXPECT_EQ(blamed(R"("replicaCount":-1)"), field_set{"cluster.replicaCount"});
    EXPECT_EQ(blamed(R"("shardCount":126,"replicaCount":1)"), field_set{"cluster.shardCount"});
    EXPECT_EQ(blamed(R"("nodeType":"LARGE")"), field_set{"cluster.nodeType"});
    EXPECT_EQ(blamed(R"("colour":1)"), field_set{"cluster.colour"});
    EXPECT_EQ(blamed(R"("pscConfigs":[{"network":"default"}])"), field_set{"cluster.pscConfigs[0].network"});
    EXPECT_EQ(blamed(R"("pscConfigs":[{}])"), field_set{"cluster.pscConfigs[0].network"});
    EXPECT_EQ(
        blamed(
            R"("pscConfigs":[{"network":"projects/p/global/networks/a"},{"network":"projects/p/global/networks/b"}])"),
        field_set{"cluster.pscConfigs"});
    EXPECT_EQ(blamed(R"("redisConfigs":{"timeout":"1"})"), field_set{"cluster.redisConfigs"});
    EXPECT_EQ(blamed(R"("redisConfigs":{"maxmemory-policy":"never"})"), field_set{"cluster.redisConfigs"});
    EXPECT_EQ(blamed(R"("redisConfigs":{"slowlog-log-slower-than":"-"})"), field_set{"cluster.redisConfigs"});
    EXPECT_EQ(blamed(R"("kmsKey":"key")"), field_set{"cluster.kmsKey"});
    EXPECT_EQ(
        blamed(R"("zoneDistributionConfig":{"mode":2,"zone":"europe-west1-b"})"),
        field_set{"cluster.zoneDistributionConfig.zone"});
    std::string const backups = "cluster.automatedBackupConfig.";
    for (auto const* start : {"{}", R"({"startTime":{"hours":24}})", R"({"startTime":{"hours":1,"minutes":30}})"}) {
        EXPECT_EQ(
            blamed(
                R"("automatedBackupConfig":{"automatedBackupMode":2,"fixedFrequencySchedule":)" + std::string(start)
                + "}"),
            field_set{backups + "fixedFrequencySchedule.startTime"});
    }
    for (auto const* retention : {"86399s", "31536001s", "-1s"}) {
        EXPECT_EQ(
            blamed(
                R"("automatedBackupConfig":{"automatedBackupMode":2,"retention":")" + std::string(retention) + "\"}"),
            field_set{backups + "retention"});
    }
    EXPECT_EQ(
        blamed(R"("maintenancePolicy":{"weeklyMaintenanceWindow":[{"startTime":{"minutes":60}}]})"),
        (field_set{
            "cluster.maintenancePolicy.weeklyMaintenanceWindow[0].day",
            "cluster.maintenancePolicy.weeklyMaintenanceWindow[0].startTime"}));
    EXPECT_EQ(blamed(R"("gcsSource":{})"), field_set{"cluster.gcsSource.uris"});
    EXPECT_EQ(blamed(R"("gcsSource":{"uris":["gs://b/o.rdb","b/o.rdb"]})"), field_set{"cluster.gcsSource.uris"});
    EXPECT_EQ(
        blamed(R"("gcsSource":{"uris":["gs://b/o.rdb"]},"managedBackupSource":{"backup":"b"})"),
        (field_set{"cluster.managedBackupSource", "cluster.managedBackupSource.backup"}));
    EXPECT_TRUE(redis.effects.empty());
    EXPECT_EQ(redis.get(clusters).body, "{}");
    EXPECT_EQ(redis.get(location + "/operations").body, "{}");
}

TEST(clusters_api, checks_the_endpoints_that_customers_make)
{
    api_driver redis;
    auto const made = create(redis, "c1", small);
    auto const attachment = std::string(made.at("pscServiceAttachments").at(0).at("serviceAttachment").as_string());
    auto const patch = [&redis](std::string const& connection) {
        return redis.patch(
            c1 + "?updateMask=cluster_endpoints", R"({"clusterEndpoints":[{"connections":[)" + connection + "]}]}");
    };
    std::string const field = "cluster.clusterEndpoints[0].connections[0]";
    EXPECT_EQ(patch("{}").blamed(), field_set{field});
    EXPECT_EQ(patch(R"({"pscConnection":{},"pscAutoConnection":{}})").blamed(), field_set{field});
    EXPECT_EQ(
        patch(R"({"pscConnection":{"pscConnectionId":"1","address":"10.0.0.1","forwardingRule":"f"}})").blamed(),
        (field_set{field + ".pscConnection.serviceAttachment", field + ".pscConnection.network"}));
    EXPECT_EQ(patch(R"({"pscAutoConnection":{}})").blamed(), field_set{field + ".pscAutoConnection.network"});
    EXPECT_EQ(
        patch(
            R"({"pscConnection":{"pscConnectionId":"1","address":"10.0.0.1","forwardingRule":"f","port":1,
                "network":"projects/p/global/networks/n","serviceAttachment":")"
            + attachment + R"("}})")
            .status,
        200);
    auto const after = redis.get(c1).json();
    auto const& shown = after.at("clusterEndpoints").at(0).at("connections").at(0).at("pscConnection");
    EXPECT_EQ(shown.at("port").as_int64(), 6379);
    EXPECT_EQ(shown.at("pscConnectionStatus").as_string(), "PSC_CONNECTION_STATUS_ACTIVE");
    EXPECT_EQ(shown.at("connectionType").as_string(), "CONNECTION_TYPE_DISCOVERY");
}

TEST(clusters_api, bounds_what_an_error_says)
{
    api_driver redis;
    std::string connections = "{}";
    for (int i = 0; i != 5000; ++i) connections += ",{}";
    auto const refused =
        redis.post(clusters + "?clusterId=c1", R"({"clusterEndpoints":[{"connections":[)" + connections + "]}]}");
    EXPECT_EQ(refused.status, 400);
    EXPECT_EQ(refused.json().at("error").at("details").at(0).at("fieldViolations").as_array().size(), 100U);
}

TEST(clusters_api, has_a_certificate_authority_where_it_speaks_tls)
{
    api_driver redis(1min);
    auto const authority = [&redis](std::string const& id) {
        return redis.get(clusters + "/" + id + "/certificateAuthority");
    };
    EXPECT_EQ(authority("c1").status, 404);
    redis.post(
        clusters + "?clusterId=c1", R"({"transitEncryptionMode":"TRANSIT_ENCRYPTION_MODE_SERVER_AUTHENTICATION"})");
    EXPECT_FALSE(authority("c1").json().contains("managedServerCa")) << "it is not there yet";
    redis.post(clusters + "?clusterId=c2", small);
    redis.time.passed += 1min;
    auto const secret = authority("c1").json();
    EXPECT_EQ(secret.at("name").as_string(), c1.substr(4) + "/certificateAuthority");
    auto const& chain = secret.at("managedServerCa").at("caCerts").at(0).at("certificates").as_array();
    ASSERT_EQ(chain.size(), 1U);
    EXPECT_EQ(std::string_view(chain[0].as_string()).find("-----BEGIN CERTIFICATE-----\n"), 0U);
    EXPECT_EQ(authority("c1").json(), secret);
    EXPECT_EQ(authority("c2").body, R"({"name":"projects/p/locations/us-central1/clusters/c2/certificateAuthority"})");
    redis.send("DELETE", c1);
    redis.time.passed += 1min;
    EXPECT_EQ(authority("c1").status, 404);
}

TEST(clusters_api, changes_only_what_the_mask_names)
{
    api_driver redis;
    create(redis, "c1", R"({"shardCount":3,"redisConfigs":{"maxclients":"1","maxmemory":"1gb"}})");
    auto const changed = redis.patch(
        c1 + "?updateMask=shard_count,redisConfigs",
        R"({"shardCount":5,"replicaCount":2,"redisConfigs":{"maxclients":"2"}})");
    EXPECT_EQ(changed.text("metadata", "verb"), "update");
    auto const after = redis.get(c1).json();
    EXPECT_EQ(after.at("shardCount").as_int64(), 5);
    EXPECT_EQ(after.at("sizeGb").as_int64(), 65);
    EXPECT_EQ(after.at("replicaCount").as_int64(), 0);
    EXPECT_EQ(json::serialize(after.at("redisConfigs")), R"({"maxclients":"2"})");
    ASSERT_EQ(redis.effects.size(), 2U);
    EXPECT_EQ(redis.effects[0].method, "clusters.create");
    EXPECT_EQ(redis.effects[1].method, "clusters.patch");
    EXPECT_EQ(redis.effects[1].resource, c1.substr(4));
    EXPECT_EQ("/v1/" + redis.effects[1].operation, changed.operation());
}

TEST(clusters_api, takes_masks_in_every_spelling_and_clears_what_is_absent)
{
    api_driver redis;
    create(redis, "c1", small);
    auto const patched = [&redis](std::string const& mask, std::string const& body) {
        auto const reply = redis.patch(c1 + "?" + mask, body);
        EXPECT_EQ(reply.status, 200) << mask << reply.body;
        return redis.get(c1).json();
    };
    auto const* const window =
        R"({"maintenancePolicy":{"weeklyMaintenanceWindow":[{"day":"MONDAY","startTime":{"hours":1}}]}})";
    for (auto const* name : {"maintenance_policy", "maintenancePolicy", "maintenance_window", "maintenanceWindow"}) {
        auto const set = patched(std::string("updateMask=") + name, window);
        EXPECT_EQ(set.at("maintenanceSchedule").at("startTime").as_string(), "2026-01-05T01:00:00Z") << name;
        EXPECT_TRUE(set.at("maintenancePolicy").as_object().contains("createTime"));
        auto const cleared = patched(std::string("update_mask=") + name, "{}");
        EXPECT_FALSE(cleared.contains("maintenancePolicy")) << name;
        EXPECT_FALSE(cleared.contains("maintenanceSchedule")) << name;
    }
    EXPECT_EQ(patched("updateMask=replica_count", R"({"replica_count":"2"})").at("replicaCount").as_int64(), 2);
    EXPECT_EQ(patched("updateMask=replicaCount", "{}").at("replicaCount").as_int64(), 0);
    EXPECT_TRUE(patched("updateMask=deletionProtectionEnabled", R"({"deletionProtectionEnabled":true})")
                    .at("deletionProtectionEnabled")
                    .as_bool());
    EXPECT_FALSE(patched("updateMask=deletion_protection_enabled", "").at("deletionProtectionEnabled").as_bool());
    EXPECT_EQ(patched("updateMask=node_type", R"({"nodeType":3})").at("sizeGb").as_int64(), 174);
    patched("updateMask=persistence_config", R"({"persistenceConfig":{"mode":"AOF","aofConfig":{"appendFsync":3}}})");
    patched("updateMask=automated_backup_config", R"({"automatedBackupConfig":{"automatedBackupMode":"ENABLED"}})");
    patched("updateMask=asyncClusterEndpointsDeletionEnabled", R"({"asyncClusterEndpointsDeletionEnabled":true})");
}

TEST(clusters_api, does_maintenance_on_demand)
{
    api_driver redis;
    create(redis, "c1", R"({"ondemandMaintenance":true,
        "maintenancePolicy":{"weeklyMaintenanceWindow":[{"day":"FRIDAY","startTime":{"hours":4}}]}})");
    EXPECT_TRUE(redis.get(c1).json().contains("maintenanceSchedule"));
    EXPECT_EQ(redis.patch(c1 + "?updateMask=ondemand_maintenance", R"({"ondemandMaintenance":true})").status, 200);
    EXPECT_FALSE(redis.get(c1).json().contains("maintenanceSchedule"));
    EXPECT_FALSE(redis.get(c1).json().contains("ondemandMaintenance")) << "it is for input only";
}

TEST(clusters_api, refuses_a_mask_that_names_nothing_or_what_there_is_not)
{
    api_driver redis;
    create(redis, "c1", small);
    for (auto const* mask :
         {"", "?updateMask=", "?updateMask=*", "?updateMask=colour,shardCount", "?updateMask=sizeMb"})
        EXPECT_EQ(redis.patch(c1 + mask, R"({"shardCount":4})").blamed(), field_set{"updateMask"}) << mask;
    EXPECT_EQ(redis.effects.size(), 1U);
}

TEST(clusters_api, ignores_what_only_the_service_sets)
{
    api_driver redis;
    auto const* const body = R"({"name":"x","state":"DELETING","uid":"u","sizeGb":1,"preciseSizeGb":1,
        "backupCollection":"b","discoveryEndpoints":[{"address":"a"}],"stateInfo":{"updateInfo":{}},"shardCount":2,
        "encryptionInfo":{"encryptionType":2},"pscConnections":[{}],"pscServiceAttachments":[{}]})";
    auto const before = create(redis, "c1", body);
    EXPECT_EQ(before.at("sizeGb").as_int64(), 26);
    EXPECT_NE(text_of(before, "uid"), "u");
    EXPECT_FALSE(before.contains("backupCollection"));
    EXPECT_FALSE(before.contains("discoveryEndpoints"));
    auto const mask = "?updateMask=name,state,uid,sizeGb,precise_size_gb,backup_collection,stateInfo,encryptionInfo";
    EXPECT_EQ(redis.patch(c1 + mask, body).status, 200);
    EXPECT_EQ(redis.get(c1).json(), before);
}

TEST(clusters_api, refuses_changes_that_a_cluster_cannot_undergo)
{
    api_driver redis;
    auto const made = create(redis, "c1", small);
    auto const blamed = [&redis](std::string const& mask, std::string const& body) {
        return redis.patch(c1 + "?updateMask=" + mask, body).blamed();
    };
    EXPECT_EQ(
        blamed("authorization_mode,transit_encryption_mode", R"({"authorizationMode":1,"transitEncryptionMode":2})"),
        (field_set{"cluster.authorizationMode", "cluster.transitEncryptionMode"}));
    EXPECT_EQ(blamed("pscConfigs", "{}"), field_set{"cluster.pscConfigs"});
    EXPECT_EQ(blamed("kms_key", R"({"kmsKey":"k"})"), field_set{"cluster.kmsKey"});
    EXPECT_EQ(
        blamed("zoneDistributionConfig", R"({"zoneDistributionConfig":{"mode":"SINGLE_ZONE"}})"),
        field_set{"cluster.zoneDistributionConfig"});
    EXPECT_EQ(blamed("gcsSource", R"({"gcsSource":{"uris":["gs://b/o"]}})"), field_set{"cluster.gcsSource"});
    EXPECT_EQ(
        blamed("managedBackupSource", R"({"managedBackupSource":{"backup":"b"}})"),
        field_set{"cluster.managedBackupSource"});
    EXPECT_EQ(blamed("shardCount", "{}"), field_set{"cluster.shardCount"});
    EXPECT_EQ(blamed("shardCount", R"({"shardCount":0})"), field_set{"cluster.shardCount"});
    EXPECT_EQ(blamed("replicaCount", R"({"shardCount":9,"colour":1})"), field_set{"cluster.colour"});
    EXPECT_EQ(
        redis.patch(c1 + "?updateMask=pscConfigs,zoneDistributionConfig,authorizationMode", json::serialize(made))
            .status,
        200)
        << "what is as it was is no change";
    EXPECT_EQ(redis.patch(clusters + "/c2?updateMask=shardCount", small).status, 404);
}

TEST(clusters_api, replicates_only_what_there_is)
{
    api_driver redis;
    auto const uid = text_of(create(redis, "c1", small), "uid");
    auto const body = [](std::string const& config) { return R"({"crossClusterReplicationConfig":{)" + config + "}}"; };
    auto const blamed = [&](std::string const& config) {
        return redis.post(clusters + "?clusterId=c2", body(config)).blamed();
    };
    std::string const root = "cluster.crossClusterReplicationConfig";
    auto const remote = [](char const* id) {
        return R"({"cluster":"projects/p/locations/us-central1/clusters/)" + std::string(id) + "\"}";
    };
    EXPECT_EQ(blamed(R"("clusterRole":"SECONDARY")"), field_set{root + ".primaryCluster.cluster"});
    EXPECT_EQ(blamed(R"("clusterRole":"SECONDARY","primaryCluster":)" + remote("c3")), field_set{root});
    EXPECT_EQ(
        blamed(R"("clusterRole":"SECONDARY","primaryCluster":)" + remote("c2")),
        (field_set{root, root + ".primaryCluster.cluster"}));
    EXPECT_EQ(blamed(R"("clusterRole":"NONE","primaryCluster":)" + remote("c1")), field_set{root + ".primaryCluster"});
    EXPECT_EQ(blamed(R"("secondaryClusters":[)" + remote("c1") + "]"), field_set{root + ".secondaryClusters"});

    auto const made = create(redis, "c2", body(R"("clusterRole":"SECONDARY","primaryCluster":)" + remote("c1")));
    auto const& config = made.at("crossClusterReplicationConfig");
    EXPECT_EQ(config.at("primaryCluster").at("uid").as_string(), uid);
    EXPECT_EQ(config.at("membership").at("secondaryClusters").at(0).at("uid"), made.at("uid"));
    EXPECT_TRUE(config.as_object().contains("updateTime"));
    redis.patch(
        c1 + "?updateMask=crossClusterReplicationConfig",
        body(R"("clusterRole":2,"secondaryClusters":[)" + remote("c2") + "]"));
    auto const primary = redis.get(c1).json().at("crossClusterReplicationConfig");
    EXPECT_EQ(primary.at("membership").at("primaryCluster").at("uid").as_string(), uid);
    // Detached.
    redis.patch(c1 + "?updateMask=crossClusterReplicationConfig", body(R"("clusterRole":"NONE")"));
    EXPECT_FALSE(redis.get(c1).json().at("crossClusterReplicationConfig").as_object().contains("membership"));
}

TEST(clusters_api, does_not_delete_what_is_protected)
{
    api_driver redis;
    create(redis, "c1", R"({"deletionProtectionEnabled":true})");
    auto const refused = redis.send("DELETE", c1);
    EXPECT_EQ(refused.status, 400);
    EXPECT_EQ(refused.code(), "FAILED_PRECONDITION");
    EXPECT_EQ(
        refused.json().at("error").at("details").at(0).at("violations").at(0).at("type").as_string(),
        "DELETION_PROTECTION");
    EXPECT_EQ(redis.effects.size(), 1U);
    redis.patch(c1 + "?updateMask=deletionProtectionEnabled", R"({"deletionProtectionEnabled":false})");
    auto const deleted = redis.send("DELETE", c1);
    EXPECT_EQ(deleted.json().at("response").at("@type").as_string(), "type.googleapis.com/google.protobuf.Empty");
    EXPECT_EQ(redis.get(c1).status, 404);
    EXPECT_EQ(redis.send("DELETE", c1).status, 404);
    EXPECT_EQ(redis.effects.back().method, "clusters.delete");
}

TEST(clusters_api, another_cluster_of_a_name_has_another_uid)
{
    api_driver redis;
    auto const first = create(redis, "c1", small);
    EXPECT_EQ(redis.post(clusters + "?clusterId=c1", small).code(), "ALREADY_EXISTS");
    redis.send("DELETE", c1);
    auto const second = create(redis, "c1", small);
    EXPECT_NE(text_of(second, "uid"), text_of(first, "uid"));
    EXPECT_NE(text_of(second, "createTime"), text_of(first, "createTime"));
    EXPECT_NE(second.at("pscServiceAttachments"), first.at("pscServiceAttachments"));

    api_driver other;
    EXPECT_EQ(text_of(create(other, "c1", small), "uid"), text_of(first, "uid")) << "the same seed, the same run";

    // A run that goes on from a snapshot knows those that were before.
    api_driver next;
    next.api.load(redis.api.save());
    next.send("DELETE", c1);
    auto const third = text_of(create(next, "c1", small), "uid");
    EXPECT_NE(third, text_of(first, "uid"));
    EXPECT_NE(third, text_of(second, "uid"));
}

TEST(clusters_api, reschedules_maintenance)
{
    api_driver redis;
    create(redis, "c1", small);
    auto const method = c1 + ":rescheduleClusterMaintenance";
    EXPECT_EQ(redis.post(method).blamed(), field_set{"rescheduleType"});
    EXPECT_EQ(redis.post(method, R"({"rescheduleType":"SPECIFIC_TIME"})").blamed(), field_set{"scheduleTime"});
    EXPECT_EQ(
        redis.post(method, R"({"rescheduleType":"NEXT_AVAILABLE_WINDOW"})").blamed(), field_set{"rescheduleType"});
    EXPECT_EQ(redis.post(method, R"({"rescheduleType":2})").blamed(), field_set{"rescheduleType"});
    EXPECT_EQ(redis.post(method, R"({"rescheduleType":3,"scheduleTime":"2026-02-01T05:00:00+01:00"})").status, 200);
    auto const moved = redis.get(c1).json();
    EXPECT_EQ(
        json::serialize(moved.at("maintenanceSchedule")),
        R"({"startTime":"2026-02-01T04:00:00Z","endTime":"2026-02-01T05:00:00Z"})");
    EXPECT_EQ(redis.post(method, R"({"rescheduleType":3,"scheduleTime":"9999-12-31T23:59:59Z"})").status, 200);
    EXPECT_EQ(redis.post(method, R"({"rescheduleType":"IMMEDIATE"})").status, 200);
    EXPECT_FALSE(redis.get(c1).json().contains("maintenanceSchedule"));
    EXPECT_EQ(redis.effects.back().method, "clusters.rescheduleClusterMaintenance");
}

TEST(clusters_api, carries_out_a_request_with_an_id_once)
{
    api_driver redis(1min);
    std::string const id = "&requestId=6F9619FF-8B86-4011-B42D-00C04FC964FF";
    auto const first = redis.post(clusters + "?clusterId=c1" + id, small);
    EXPECT_EQ(redis.post(clusters + "?clusterId=c1" + id, small).body, first.body);
    redis.time.passed += 1min;
    auto const again = redis.post(clusters + "?clusterId=c1&request_id=6f9619ff-8b86-4011-b42d-00c04fc964ff", small);
    EXPECT_EQ(again.operation(), first.operation());
    EXPECT_TRUE(again.json().at("done").as_bool());
    EXPECT_EQ(redis.post(clusters + "?clusterId=c2" + id, small).blamed(), field_set{"requestId"});
    EXPECT_EQ(redis.post(clusters + "?clusterId=c2&requestId=x", small).blamed(), field_set{"requestId"});
    EXPECT_EQ(
        redis.post(clusters + "?clusterId=c2&requestId=00000000-0000-0000-0000-000000000000", small).blamed(),
        field_set{"requestId"});

    std::string const patch = c1 + "?updateMask=shardCount&requestId=6f9619ff-8b86-4011-b42d-00c04fc964fe";
    auto const changed = redis.patch(patch, R"({"shardCount":4})");
    EXPECT_EQ(redis.patch(patch, R"({"shardCount":4})").operation(), changed.operation());
    redis.time.passed += 1min;
    std::string const remove = c1 + "?requestId=6f9619ff-8b86-4011-b42d-00c04fc964fd";
    auto const deleted = redis.send("DELETE", remove);
    redis.time.passed += 1min;
    EXPECT_EQ(redis.send("DELETE", remove).operation(), deleted.operation());
    EXPECT_EQ(redis.effects.size(), 3U);
}

struct timed_cluster_change {
    char const* method;
    std::string target;
    char const* body;
    char const* state;
};

std::vector<timed_cluster_change> timed_cluster_changes()
{
    return {
        {"PATCH", c1 + "?updateMask=shardCount,nodeType", R"({"shardCount":4,"nodeType":4})", "UPDATING"},
        {"POST", c1 + ":rescheduleClusterMaintenance", R"({"rescheduleType":1})", "UPDATING"},
        {"POST", c1 + ":backup", "", "ACTIVE"},
        {"DELETE", c1, "", "DELETING"},
    };
}

TEST(clusters_api, shows_what_a_cluster_is_doing_and_refuses_to_do_more)
{
    for (auto const& change : timed_cluster_changes()) {
        api_driver redis(1min);
        create(redis, "c1", small);
        EXPECT_EQ(redis.get(c1).text("state"), "CREATING");
        EXPECT_FALSE(redis.get(c1).json().contains("discoveryEndpoints"));
        for (auto const& other : timed_cluster_changes())
            EXPECT_EQ(redis.send(other.method, other.target, other.body).code(), "FAILED_PRECONDITION");
        redis.time.passed += 1min;
        EXPECT_EQ(redis.get(c1).text("state"), "ACTIVE");

        auto const begun = redis.send(change.method, change.target, change.body);
        ASSERT_EQ(begun.status, 200) << begun.body;
        auto const meanwhile = redis.get(c1);
        EXPECT_EQ(meanwhile.text("state"), change.state) << change.target;
        EXPECT_EQ(meanwhile.json().contains("stateInfo"), std::string_view(change.state) == "UPDATING");
        for (auto const& other : timed_cluster_changes()) {
            auto const busy = redis.send(other.method, other.target, other.body);
            EXPECT_EQ(busy.code(), "FAILED_PRECONDITION") << change.target << ' ' << other.target;
            EXPECT_NE(busy.message().find("until cluster is in ACTIVE state"), std::string::npos) << busy.message();
        }
        EXPECT_EQ(redis.effects.size(), 2U);
        redis.time.passed += 1min;
        EXPECT_TRUE(redis.get(begun.operation()).json().at("done").as_bool());
        auto const after = redis.get(c1);
        EXPECT_EQ(after.status, std::string_view(change.method) == "DELETE" ? 404 : 200);
        if (after.status != 200) continue;
        EXPECT_EQ(after.text("state"), "ACTIVE");
        EXPECT_FALSE(after.json().contains("stateInfo"));
        EXPECT_EQ(redis.get(begun.operation()).json().at("response").as_object().size(), after.json().size() + 1);
    }
}

TEST(clusters_api, says_what_it_is_being_made_into)
{
    api_driver redis(1min);
    create(redis, "c1", small);
    redis.time.passed += 1min;
    redis.patch(c1 + "?updateMask=shardCount,nodeType", R"({"shardCount":4,"nodeType":4})");
    auto const meanwhile = redis.get(c1).json();
    EXPECT_EQ(meanwhile.at("shardCount").as_int64(), 3);
    EXPECT_EQ(
        json::serialize(meanwhile.at("stateInfo").at("updateInfo")),
        R"({"targetShardCount":4,"targetReplicaCount":0,"targetNodeType":"REDIS_STANDARD_SMALL"})");
    redis.time.passed += 1min;
    EXPECT_EQ(redis.get(c1).json().at("shardCount").as_int64(), 4);
}

TEST(clusters_api, lists_in_pages_and_over_locations)
{
    api_driver redis;
    for (auto const* id : {"c1", "c2", "c3"}) create(redis, id, small);
    redis.post("/v1/projects/p/locations/europe-west1/clusters?clusterId=c4", small);
    redis.create("r1", R"({"tier":"BASIC","memorySizeGb":1})");
    auto const page = redis.get(clusters + "?pageSize=2");
    EXPECT_EQ(page.json().at("clusters").as_array().size(), 2U);
    auto const rest = redis.get(clusters + "?pageSize=2&pageToken=" + page.text("nextPageToken")).json();
    ASSERT_EQ(rest.at("clusters").as_array().size(), 1U);
    EXPECT_EQ(text_of(rest.at("clusters").at(0).as_object(), "name"), clusters.substr(4) + "/c3");
    EXPECT_FALSE(rest.contains("nextPageToken"));
    auto const everywhere = "/v1/projects/p/locations/-/clusters";
    EXPECT_EQ(redis.get(everywhere).json().at("clusters").as_array().size(), 4U);
    redis.api.set_unreachable({"europe-west1"});
    auto const partial = redis.get(everywhere).json();
    ASSERT_EQ(partial.at("clusters").as_array().size(), 4U);
    EXPECT_EQ(
        json::serialize(partial.at("clusters").at(0)), R"({"name":"projects/p/locations/europe-west1/clusters/-"})");
    EXPECT_EQ(text_of(partial.at("clusters").at(1).as_object(), "name"), clusters.substr(4) + "/c1");
    EXPECT_EQ(json::serialize(partial.at("unreachable")), R"(["projects/p/locations/europe-west1"])");
    EXPECT_EQ(redis.get("/v1/projects/p/locations/europe-west1/clusters").status, 503);
}

TEST(clusters_api, forgets_everything_at_a_reset)
{
    api_driver redis(1min);
    create(redis, "c1", small);
    redis.time.passed += 1min;
    redis.post(c1 + ":backup");
    redis.api.clear();
    EXPECT_EQ(redis.api.cluster_count(), 0U);
    EXPECT_EQ(redis.api.backup_count(), 0U);
    redis.time.passed += 1h;
    EXPECT_EQ(redis.get(clusters).body, "{}");
    EXPECT_EQ(redis.get(location + "/backupCollections").body, "{}");
}

}  // namespace

}  // namespace backbeat::emulation
