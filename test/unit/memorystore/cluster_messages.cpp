//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "round_trip.hpp"

#include <backbeat/memorystore/backup.hpp>
#include <backbeat/memorystore/backup_cluster_request.hpp>
#include <backbeat/memorystore/certificate_authority.hpp>
#include <backbeat/memorystore/cluster.hpp>
#include <backbeat/memorystore/export_backup_request.hpp>
#include <backbeat/memorystore/list_backup_collections_response.hpp>
#include <backbeat/memorystore/list_backups_response.hpp>
#include <backbeat/memorystore/list_clusters_response.hpp>
#include <backbeat/memorystore/operation.hpp>
#include <backbeat/memorystore/reschedule_cluster_maintenance_request.hpp>

#include <sstream>

namespace {

using namespace backbeat::memorystore;

constexpr std::string_view full_cluster = R"({
    "name": "projects/p/locations/us-central1/clusters/shards-1",
    "createTime": "2026-08-22T10:11:12.345678901Z",
    "state": "UPDATING",
    "uid": "0b9d2a1e-7f4a-4d7f-9c58-6f6f6c1f9d10",
    "replicaCount": 1,
    "authorizationMode": "AUTH_MODE_IAM_AUTH",
    "transitEncryptionMode": "TRANSIT_ENCRYPTION_MODE_SERVER_AUTHENTICATION",
    "sizeGb": 39,
    "shardCount": 3,
    "pscConfigs": [{"network": "projects/p/global/networks/default"}],
    "discoveryEndpoints": [{
        "address": "10.128.0.5",
        "port": 6379,
        "pscConfig": {"network": "projects/p/global/networks/default"}}],
    "pscConnections": [{
        "pscConnectionId": "74853205823045632",
        "address": "10.128.0.5",
        "forwardingRule": "projects/p/regions/us-central1/forwardingRules/sca-auto-fr-1",
        "projectId": "p",
        "network": "projects/p/global/networks/default",
        "serviceAttachment": "projects/t/regions/us-central1/serviceAttachments/gcp-memorystore-auto-1",
        "pscConnectionStatus": "PSC_CONNECTION_STATUS_ACTIVE",
        "port": 6379,
        "connectionType": "CONNECTION_TYPE_DISCOVERY"}],
    "stateInfo": {"updateInfo": {
        "targetShardCount": 5,
        "targetReplicaCount": 0,
        "targetNodeType": "REDIS_HIGHMEM_XLARGE"}},
    "nodeType": "REDIS_HIGHMEM_MEDIUM",
    "persistenceConfig": {
        "mode": "AOF",
        "rdbConfig": {"rdbSnapshotPeriod": "TWELVE_HOURS", "rdbSnapshotStartTime": "2026-08-22T00:00:00Z"},
        "aofConfig": {"appendFsync": "EVERYSEC"}},
    "redisConfigs": {"maxmemory-policy": "allkeys-lru"},
    "preciseSizeGb": 39.5,
    "zoneDistributionConfig": {"mode": "SINGLE_ZONE", "zone": "us-central1-a"},
    "crossClusterReplicationConfig": {
        "clusterRole": "SECONDARY",
        "primaryCluster": {"cluster": "projects/p/locations/us-east1/clusters/a", "uid": "1"},
        "secondaryClusters": [{"cluster": "projects/p/locations/us-west1/clusters/b", "uid": "2"}],
        "updateTime": "2026-08-22T10:11:12Z",
        "membership": {
            "primaryCluster": {"cluster": "projects/p/locations/us-east1/clusters/a", "uid": "1"},
            "secondaryClusters": [{"cluster": "projects/p/locations/us-west1/clusters/b", "uid": "2"}]}},
    "deletionProtectionEnabled": true,
    "maintenancePolicy": {
        "createTime": "2026-08-22T10:11:12Z",
        "updateTime": "2026-08-23T10:11:12Z",
        "weeklyMaintenanceWindow": [{"day": "SUNDAY", "startTime": {"hours": 3}}]},
    "maintenanceSchedule": {"startTime": "2026-09-01T03:00:00Z", "endTime": "2026-09-01T04:00:00Z"},
    "pscServiceAttachments": [{
        "serviceAttachment": "projects/t/regions/us-central1/serviceAttachments/gcp-memorystore-auto-1",
        "connectionType": "CONNECTION_TYPE_PRIMARY"}],
    "gcsSource": {"uris": ["gs://b/0.rdb", "gs://b/1.rdb"]},
    "managedBackupSource": {"backup": "projects/p/locations/us-central1/backupCollections/c/backups/b"},
    "clusterEndpoints": [{"connections": [
        {"pscAutoConnection": {
            "pscConnectionId": "74853205823045632",
            "address": "10.128.0.5",
            "forwardingRule": "projects/p/regions/us-central1/forwardingRules/sca-auto-fr-1",
            "projectId": "p",
            "network": "projects/p/global/networks/default",
            "serviceAttachment": "projects/t/regions/us-central1/serviceAttachments/gcp-memorystore-auto-1",
            "pscConnectionStatus": "PSC_CONNECTION_STATUS_NOT_FOUND",
            "connectionType": "CONNECTION_TYPE_READER"}},
        {"pscConnection": {"pscConnectionId": "7", "port": 6380}}]}],
    "backupCollection": "projects/p/locations/us-central1/backupCollections/c",
    "kmsKey": "projects/p/locations/us-central1/keyRings/r/cryptoKeys/k",
    "automatedBackupConfig": {
        "automatedBackupMode": "ENABLED",
        "fixedFrequencySchedule": {"startTime": {"hours": 5}},
        "retention": "3024000s"},
    "encryptionInfo": {
        "encryptionType": "CUSTOMER_MANAGED_ENCRYPTION",
        "kmsKeyVersions": ["projects/p/locations/us-central1/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1"],
        "kmsKeyPrimaryState": "ENABLED",
        "lastUpdateTime": "2026-08-22T10:11:12Z"},
    "asyncClusterEndpointsDeletionEnabled": false,
    "ondemandMaintenance": true})";

constexpr std::string_view full_backup = R"({
    "name": "projects/p/locations/us-central1/backupCollections/c/backups/20260822101112_0b9d",
    "uid": "5d7e",
    "cluster": "projects/p/locations/us-central1/clusters/shards-1",
    "clusterUid": "0b9d2a1e-7f4a-4d7f-9c58-6f6f6c1f9d10",
    "createTime": "2026-08-22T10:11:12Z",
    "expireTime": "2126-08-22T10:11:12Z",
    "totalSizeBytes": "9007199254740993",
    "engineVersion": "redis-7.2",
    "backupFiles": [{"fileName": "0.rdb", "sizeBytes": "4294967296", "createTime": "2026-08-22T10:11:13Z"}],
    "nodeType": "REDIS_STANDARD_SMALL",
    "replicaCount": 1,
    "shardCount": 3,
    "backupType": "ON_DEMAND",
    "state": "ACTIVE",
    "encryptionInfo": {"encryptionType": "GOOGLE_DEFAULT_ENCRYPTION"}})";

}  // namespace

TEST(ClusterMessages, Cluster)
{
    auto const read = round_trip<cluster>(full_cluster);
    EXPECT_EQ(read.state, cluster_state::updating);
    EXPECT_EQ(read.replica_count, 1);
    EXPECT_EQ(read.state_info->update_info->target_replica_count, 0);
    EXPECT_EQ(read.state_info->update_info->target_node_type, node_type::redis_highmem_xlarge);
    EXPECT_EQ(read.persistence_config->rdb_config->rdb_snapshot_period, cluster_rdb_snapshot_period::twelve_hours);
    EXPECT_EQ(read.cluster_endpoints.at(0).connections.at(1).psc_connection->port, 6380);
    EXPECT_EQ(read.automated_backup_config->retention->seconds(), 35 * 24 * 3600);
    EXPECT_EQ(read.precise_size_gb, 39.5);
    EXPECT_EQ(read.async_cluster_endpoints_deletion_enabled, false);
}

TEST(ClusterMessages, AClusterTellsZeroFromNothing)
{
    auto const none = round_trip<cluster>(R"({"replicaCount":0,"deletionProtectionEnabled":false,"preciseSizeGb":0})");
    EXPECT_EQ(none.replica_count, 0);
    EXPECT_EQ(none.shard_count, std::nullopt);
    EXPECT_EQ(parse_json<cluster>("{}").replica_count, std::nullopt);
}

TEST(ClusterMessages, ClusterAsOtherClientsSendIt)
{
    // Google's own command line.
    auto const created = round_trip<cluster>(
        R"({"nodeType":"REDIS_SHARED_CORE_NANO","pscConfigs":[{"network":"n"}],"replicaCount":1,"shardCount":3})");
    EXPECT_EQ(created.shard_count, 3);
    // Numbers for enum values, defaults spelled out: Google's own client for Node.js.
    auto const node = parse_json<cluster>(
        R"({"redisConfigs":{},"pscConfigs":[],"nodeType":2,"authorizationMode":1,"transitEncryptionMode":2,
            "persistenceConfig":{"mode":2,"rdbConfig":{"rdbSnapshotPeriod":1}}})");
    EXPECT_EQ(node.node_type, node_type::redis_highmem_medium);
    EXPECT_EQ(node.authorization_mode, authorization_mode::auth_mode_iam_auth);
    // Of an instance, 1 would be no period at all.
    EXPECT_EQ(node.persistence_config->rdb_config->rdb_snapshot_period, cluster_rdb_snapshot_period::one_hour);
    // Names in snake_case, numbers as strings.
    auto const snake = parse_json<cluster>(
        R"({"shard_count":"5","psc_configs":[{"network":"n"}],"gcs_source":{"uris":["gs://b/o"]},
            "precise_size_gb":"2"})");
    EXPECT_EQ(snake.shard_count, 5);
    EXPECT_EQ(snake.precise_size_gb, 2);
    EXPECT_EQ(snake.gcs_source->uris.at(0), "gs://b/o");
}

TEST(ClusterMessages, ClusterOfATimeToCome)
{
    auto const text = R"({"name":"n","state":"HIBERNATING","nodeType":9,"serverCaMode":"SHARED",
        "discoveryEndpoints":[{"address":"a","region":"r"}],"stateInfo":{"resizeInfo":{"step":[1,2]}}})";
    auto read = parse_json<cluster>(text);
    std::ostringstream out;
    out << read.state << ' ' << read.node_type;
    EXPECT_EQ(out.str(), "HIBERNATING 9");
    EXPECT_EQ(boost::json::value(to_json(read)), boost::json::parse(text));
    // A read-modify-write keeps what it does not know.
    read.shard_count = 4;
    auto expected = boost::json::parse(text).get_object();
    expected["shardCount"] = 4;
    EXPECT_EQ(to_json(read), expected);
}

TEST(ClusterMessages, Backups)
{
    auto const read = round_trip<backup>(full_backup);
    // More than a double could hold.
    EXPECT_EQ(read.total_size_bytes, 9007199254740993);
    EXPECT_EQ(read.backup_files.at(0).size_bytes, 4294967296);
    EXPECT_EQ(read.state, backup_state::active);
    EXPECT_EQ(parse_json<backup>(R"({"totalSizeBytes":12})").total_size_bytes, 12);

    auto const collection = round_trip<backup_collection>(
        R"({"name":"projects/p/locations/l/backupCollections/c","uid":"u","cluster":"projects/p/locations/l/clusters/x",
            "clusterUid":"v","kmsKey":"k","createTime":"2026-08-22T10:11:12Z"})");
    EXPECT_EQ(collection.cluster_uid, "v");
}

TEST(ClusterMessages, CertificateAuthority)
{
    auto const read = round_trip<certificate_authority>(
        R"({"name":"projects/p/locations/l/clusters/c/certificateAuthority",
            "managedServerCa":{"caCerts":[{"certificates":["leaf","root"]},{"certificates":["other"]}]}})");
    EXPECT_EQ(read.managed_server_ca->ca_certs.at(0).certificates.at(1), "root");
}

TEST(ClusterMessages, Requests)
{
    auto const moved = round_trip<reschedule_cluster_maintenance_request>(
        R"({"rescheduleType":"SPECIFIC_TIME","scheduleTime":"2026-09-02T03:00:00Z"})");
    EXPECT_EQ(moved.reschedule_type, cluster_reschedule_type::specific_time);
    EXPECT_EQ(moved.schedule_time->to_string(), "2026-09-02T03:00:00Z");
    auto const taken = round_trip<backup_cluster_request>(R"({"backupId":"b1","ttl":"86400s"})");
    EXPECT_EQ(taken.backup_id, "b1");
    EXPECT_EQ(taken.ttl->seconds(), 86400);
    EXPECT_EQ(round_trip<export_backup_request>(R"({"gcsBucket":"x"})").gcs_bucket, "x");
}

TEST(ClusterMessages, Lists)
{
    auto const clusters = round_trip<list_clusters_response>(
        R"({"clusters":[{"name":"a"},{"name":"b"}],"nextPageToken":"t","unreachable":["projects/p/locations/x"]})");
    EXPECT_EQ(clusters.clusters.at(1).name, "b");
    auto const collections = round_trip<list_backup_collections_response>(
        R"({"backupCollections":[{"name":"a"}],"nextPageToken":"t","unreachable":["l"]})");
    EXPECT_EQ(collections.backup_collections.at(0).name, "a");
    auto const backups = round_trip<list_backups_response>(
        R"({"backups":[{"name":"a","totalSizeBytes":"5"}],"nextPageToken":"t","unreachable":["b"]})");
    EXPECT_EQ(backups.backups.at(0).total_size_bytes, 5);
    EXPECT_TRUE(parse_json<list_clusters_response>("{}").clusters.empty());
}

TEST(ClusterMessages, OperationsOnClusters)
{
    auto const running = round_trip<operation>(
        R"({"name":"o","metadata":{
            "@type":"type.googleapis.com/google.cloud.redis.cluster.v1.OperationMetadata",
            "createTime":"2026-08-22T10:11:12Z","endTime":"2026-08-22T10:12:12Z","target":"t","verb":"update",
            "statusMessage":"s","requestedCancellation":true,"apiVersion":"v1"},
            "done":true,"response":{
            "@type":"type.googleapis.com/google.cloud.redis.cluster.v1.Cluster","name":"c","state":"ACTIVE"}})");
    auto const metadata = running.metadata->unpack<cluster_operation_metadata>();
    ASSERT_TRUE(metadata);
    EXPECT_TRUE(metadata->requested_cancellation);
    EXPECT_EQ(metadata->status_message, "s");
    EXPECT_TRUE(metadata->unknown_fields.empty());
    EXPECT_EQ(any::pack(*metadata), running.metadata);
    // The last part of the names is the same, the types are not.
    EXPECT_FALSE(running.metadata->unpack<operation_metadata>());
    EXPECT_EQ(running.response->unpack<cluster>()->state, cluster_state::active);
    EXPECT_FALSE(running.response->is<backup>());
}

TEST(ClusterMessages, Enums)
{
    names_and_numbers<cluster_state>(
        {{0, "STATE_UNSPECIFIED"}, {1, "CREATING"}, {2, "ACTIVE"}, {3, "UPDATING"}, {4, "DELETING"}});
    names_and_numbers<node_type>(
        {{0, "NODE_TYPE_UNSPECIFIED"},
         {1, "REDIS_SHARED_CORE_NANO"},
         {2, "REDIS_HIGHMEM_MEDIUM"},
         {3, "REDIS_HIGHMEM_XLARGE"},
         {4, "REDIS_STANDARD_SMALL"}});
    names_and_numbers<authorization_mode>(
        {{0, "AUTH_MODE_UNSPECIFIED"}, {1, "AUTH_MODE_IAM_AUTH"}, {2, "AUTH_MODE_DISABLED"}});
    names_and_numbers<cluster_transit_encryption_mode>(
        {{0, "TRANSIT_ENCRYPTION_MODE_UNSPECIFIED"},
         {1, "TRANSIT_ENCRYPTION_MODE_DISABLED"},
         {2, "TRANSIT_ENCRYPTION_MODE_SERVER_AUTHENTICATION"}});
    names_and_numbers<zone_distribution_mode>(
        {{0, "ZONE_DISTRIBUTION_MODE_UNSPECIFIED"}, {1, "MULTI_ZONE"}, {2, "SINGLE_ZONE"}});
    names_and_numbers<cluster_persistence_mode>(
        {{0, "PERSISTENCE_MODE_UNSPECIFIED"}, {1, "DISABLED"}, {2, "RDB"}, {3, "AOF"}});
    // Not the numbers of instances.
    names_and_numbers<cluster_rdb_snapshot_period>(
        {{0, "SNAPSHOT_PERIOD_UNSPECIFIED"},
         {1, "ONE_HOUR"},
         {2, "SIX_HOURS"},
         {3, "TWELVE_HOURS"},
         {4, "TWENTY_FOUR_HOURS"}});
    names_and_numbers<append_fsync>({{0, "APPEND_FSYNC_UNSPECIFIED"}, {1, "NO"}, {2, "EVERYSEC"}, {3, "ALWAYS"}});
    names_and_numbers<cluster_role>({{0, "CLUSTER_ROLE_UNSPECIFIED"}, {1, "NONE"}, {2, "PRIMARY"}, {3, "SECONDARY"}});
    names_and_numbers<connection_type>(
        {{0, "CONNECTION_TYPE_UNSPECIFIED"},
         {1, "CONNECTION_TYPE_DISCOVERY"},
         {2, "CONNECTION_TYPE_PRIMARY"},
         {3, "CONNECTION_TYPE_READER"}});
    names_and_numbers<psc_connection_status>(
        {{0, "PSC_CONNECTION_STATUS_UNSPECIFIED"},
         {1, "PSC_CONNECTION_STATUS_ACTIVE"},
         {2, "PSC_CONNECTION_STATUS_NOT_FOUND"}});
    names_and_numbers<automated_backup_mode>(
        {{0, "AUTOMATED_BACKUP_MODE_UNSPECIFIED"}, {1, "DISABLED"}, {2, "ENABLED"}});
    names_and_numbers<encryption_type>(
        {{0, "TYPE_UNSPECIFIED"}, {1, "GOOGLE_DEFAULT_ENCRYPTION"}, {2, "CUSTOMER_MANAGED_ENCRYPTION"}});
    names_and_numbers<kms_key_state>(
        {{0, "KMS_KEY_STATE_UNSPECIFIED"},
         {1, "ENABLED"},
         {2, "PERMISSION_DENIED"},
         {3, "DISABLED"},
         {4, "DESTROYED"},
         {5, "DESTROY_SCHEDULED"},
         {6, "EKM_KEY_UNREACHABLE_DETECTED"},
         {7, "BILLING_DISABLED"},
         {8, "UNKNOWN_FAILURE"}});
    // There is no 2: a cluster has no next window to move to.
    names_and_numbers<cluster_reschedule_type>(
        {{0, "RESCHEDULE_TYPE_UNSPECIFIED"}, {1, "IMMEDIATE"}, {3, "SPECIFIC_TIME"}});
    names_and_numbers<backup_type>({{0, "BACKUP_TYPE_UNSPECIFIED"}, {1, "ON_DEMAND"}, {2, "AUTOMATED"}});
    names_and_numbers<backup_state>(
        {{0, "STATE_UNSPECIFIED"}, {1, "CREATING"}, {2, "ACTIVE"}, {3, "DELETING"}, {4, "SUSPENDED"}});
}
