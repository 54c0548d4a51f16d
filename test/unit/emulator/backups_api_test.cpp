//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "api_driver.hpp"

namespace backbeat::emulation {

namespace {

using namespace std::chrono_literals;

std::string const collections = location + "/backupCollections";

// A cluster that is ready.
void make_cluster(api_driver& redis, std::string const& id = "c1", std::string const& body = R"({"shardCount":2})")
{
    EXPECT_EQ(redis.post(clusters + "?clusterId=" + id, body).status, 200);
}

// What asks for the backups of a cluster that has some.
std::string backups_of(api_driver& redis, std::string const& cluster = c1)
{
    return "/v1/" + redis.get(cluster).text("backupCollection") + "/backups";
}

TEST(backups_api, takes_a_backup_in_a_collection_of_the_cluster)
{
    api_driver redis;
    make_cluster(redis, "c1", R"({"shardCount":2,"replicaCount":1,"nodeType":"REDIS_STANDARD_SMALL",
        "kmsKey":"projects/p/locations/l/keyRings/r/cryptoKeys/k"})");
    EXPECT_EQ(redis.get(collections).body, "{}");
    auto const begun = redis.post(c1 + ":backup", R"({"backupId":"b1","ttl":"86400s"})");
    EXPECT_EQ(begun.text("metadata", "verb"), "backup");
    EXPECT_EQ(begun.text("metadata", "target"), c1.substr(4));
    EXPECT_EQ(begun.text("response", "@type"), "type.googleapis.com/google.cloud.redis.cluster.v1.Cluster");
    auto const cluster = redis.get(c1).json();

    auto const listed = redis.get(collections).json().at("backupCollections").as_array();
    ASSERT_EQ(listed.size(), 1U);
    auto const& collection = listed[0].as_object();
    EXPECT_EQ(collection.at("name"), cluster.at("backupCollection"));
    EXPECT_EQ(collection.at("cluster"), cluster.at("name"));
    EXPECT_EQ(collection.at("clusterUid"), cluster.at("uid"));
    EXPECT_EQ(collection.at("kmsKey"), cluster.at("kmsKey"));
    EXPECT_EQ(collection.at("uid").as_string().size(), 36U);
    EXPECT_EQ(redis.get("/v1/" + std::string(collection.at("name").as_string())).json(), collection);

    auto const all = redis.get(backups_of(redis)).json().at("backups").as_array();
    ASSERT_EQ(all.size(), 1U);
    auto const& made = all[0].as_object();
    EXPECT_EQ(std::string(made.at("name").as_string()), backups_of(redis).substr(4) + "/b1");
    EXPECT_EQ(made.at("cluster"), cluster.at("name"));
    EXPECT_EQ(made.at("clusterUid"), cluster.at("uid"));
    EXPECT_EQ(made.at("state").as_string(), "ACTIVE");
    EXPECT_EQ(made.at("backupType").as_string(), "ON_DEMAND");
    EXPECT_EQ(made.at("nodeType").as_string(), "REDIS_STANDARD_SMALL");
    EXPECT_EQ(made.at("shardCount").as_int64(), 2);
    EXPECT_EQ(made.at("replicaCount").as_int64(), 1);
    EXPECT_EQ(made.at("backupFiles").as_array().size(), 2U);
    EXPECT_EQ(made.at("totalSizeBytes").as_string(), "184");
    EXPECT_EQ(made.at("encryptionInfo").at("encryptionType").as_string(), "CUSTOMER_MANAGED_ENCRYPTION");
    EXPECT_EQ(std::string(made.at("createTime").as_string()).substr(0, 10), "2026-01-01");
    EXPECT_EQ(std::string(made.at("expireTime").as_string()).substr(0, 10), "2026-01-02");
    EXPECT_EQ(redis.get(backups_of(redis) + "/b1").json(), made);
    ASSERT_EQ(redis.effects.size(), 2U);
    EXPECT_EQ(redis.effects[1].method, "clusters.backup");
    EXPECT_EQ(redis.effects[1].resource, c1.substr(4));
}

TEST(backups_api, names_a_backup_that_the_caller_does_not_name)
{
    api_driver redis;
    make_cluster(redis);
    redis.time.passed += 1h + 2min + 3s;
    for (int i = 0; i != 3; ++i) EXPECT_EQ(redis.post(c1 + ":backup").status, 200);
    auto const uid = redis.get(c1).text("uid").substr(0, 8);
    std::set<std::string> names;
    auto const all = redis.get(backups_of(redis)).json().at("backups").as_array();
    for (auto const& each : all) {
        auto const name = std::string(each.at("name").as_string());
        names.insert(name.substr(name.rfind('/') + 1));
        EXPECT_EQ(std::string(each.at("expireTime").as_string()).substr(0, 4), "2125");
    }
    EXPECT_EQ(names, (field_set{"20260101010203_" + uid, "20260101010204_" + uid, "20260101010205_" + uid}));
}

TEST(backups_api, shows_a_backup_that_is_being_taken)
{
    api_driver redis(1min);
    make_cluster(redis);
    redis.time.passed += 1min;
    redis.post(c1 + ":backup", R"({"backupId":"b1"})");
    EXPECT_EQ(redis.get(c1).text("state"), "ACTIVE") << "it goes on serving";
    auto const b1 = backups_of(redis) + "/b1";
    EXPECT_EQ(redis.get(b1).text("state"), "CREATING");
    EXPECT_FALSE(redis.get(b1).json().contains("backupFiles"));
    for (auto const& refused :
         {redis.send("DELETE", b1),
          redis.post(b1 + ":export", R"({"gcsBucket":"bucket"})"),
          redis.post(c1 + ":backup", R"({"backupId":"b2"})")})
        EXPECT_EQ(refused.code(), "FAILED_PRECONDITION") << refused.body;
    // What is sent twice must learn that it was done, not that the cluster is busy.
    auto const twice = redis.post(c1 + ":backup", R"({"backupId":"b1"})");
    EXPECT_EQ(twice.status, 409);
    EXPECT_EQ(twice.code(), "ALREADY_EXISTS");
    EXPECT_EQ(
        redis.post(clusters + "?clusterId=c2", R"({"managedBackupSource":{"backup":")" + b1.substr(4) + "\"}}")
            .blamed(),
        field_set{"cluster.managedBackupSource.backup"});
    redis.time.passed += 1min;
    EXPECT_EQ(redis.get(b1).text("state"), "ACTIVE");
    EXPECT_EQ(redis.post(c1 + ":backup", R"({"backupId":"b1"})").status, 409);
    EXPECT_EQ(redis.effects.size(), 2U);
}

TEST(backups_api, refuses_to_take_what_is_no_backup)
{
    api_driver redis;
    make_cluster(redis);
    auto const blamed = [&redis](std::string const& body) { return redis.post(c1 + ":backup", body).blamed(); };
    for (auto const* id : {".", ".a", "a/b", "a:b", "a b"})
        EXPECT_EQ(blamed(R"({"backupId":")" + std::string(id) + "\"}"), field_set{"backupId"}) << id;
    EXPECT_EQ(blamed(R"({"backupId":")" + std::string(101, 'a') + "\"}"), field_set{"backupId"});
    for (auto const* ttl : {"0s", "86399.999s", "3162240001s", "315576000000s"})
        EXPECT_EQ(blamed(R"({"ttl":")" + std::string(ttl) + "\"}"), field_set{"ttl"}) << ttl;
    EXPECT_EQ(blamed(R"({"id":"b1"})"), field_set{"id"});
    EXPECT_EQ(redis.post(clusters + "/c2:backup").status, 404);
    EXPECT_EQ(redis.effects.size(), 1U);
    EXPECT_EQ(redis.get(collections).body, "{}");
}

TEST(backups_api, deletes_a_backup_once)
{
    api_driver redis(1min);
    make_cluster(redis);
    redis.time.passed += 1min;
    redis.post(c1 + ":backup", R"({"backupId":"b1"})");
    redis.time.passed += 1min;
    auto const b1 = backups_of(redis) + "/b1";
    auto const once = b1 + "?requestId=6f9619ff-8b86-4011-b42d-00c04fc964ff";
    auto const begun = redis.send("DELETE", once);
    EXPECT_EQ(begun.text("metadata", "verb"), "delete");
    EXPECT_EQ(begun.text("metadata", "target"), b1.substr(4));
    EXPECT_EQ(redis.get(b1).text("state"), "DELETING");
    EXPECT_EQ(redis.send("DELETE", b1).code(), "FAILED_PRECONDITION");
    redis.time.passed += 1min;
    EXPECT_EQ(redis.get(b1).status, 404);
    EXPECT_EQ(redis.send("DELETE", once).operation(), begun.operation());
    EXPECT_EQ(redis.get(begun.operation()).text("response", "@type"), "type.googleapis.com/google.protobuf.Empty");
    EXPECT_EQ(redis.send("DELETE", b1).status, 404);
    EXPECT_EQ(redis.get(backups_of(redis)).body, "{}") << "the collection is the cluster's";
    EXPECT_EQ(redis.effects.back().method, "backups.delete");
    EXPECT_EQ(redis.effects.size(), 3U);
}

TEST(backups_api, exports_a_backup_to_a_bucket)
{
    api_driver redis(1min);
    make_cluster(redis);
    redis.time.passed += 1min;
    redis.post(c1 + ":backup", R"({"backupId":"b1"})");
    redis.time.passed += 1min;
    auto const b1 = backups_of(redis) + "/b1";
    for (auto const* bucket : {"", "ab", "gs://bucket", "bucket/object", "Bucket", "-bucket", "bucket-"}) {
        auto const body = R"({"gcsBucket":")" + std::string(bucket) + "\"}";
        EXPECT_EQ(redis.post(b1 + ":export", body).blamed(), field_set{"gcsBucket"}) << bucket;
    }
    EXPECT_EQ(redis.post(b1 + ":export").blamed(), field_set{"gcsBucket"});
    auto const* const body = R"({"gcsBucket":"my-bucket"})";
    auto const begun = redis.post(b1 + ":export", body);
    EXPECT_EQ(begun.text("metadata", "verb"), "export");
    EXPECT_EQ(redis.get(b1).text("state"), "ACTIVE");
    EXPECT_EQ(redis.send("DELETE", b1).code(), "FAILED_PRECONDITION");
    redis.time.passed += 1min;
    auto const ended = redis.get(begun.operation());
    EXPECT_EQ(ended.text("response", "@type"), "type.googleapis.com/google.cloud.redis.cluster.v1.Backup");
    EXPECT_EQ(ended.text("response", "name"), b1.substr(4));
    EXPECT_EQ(redis.effects.back().method, "backups.export");

    auto const second = redis.post(b1 + ":export", body);
    EXPECT_EQ(redis.post(second.operation() + ":cancel").body, "{}");
    EXPECT_EQ(redis.get(second.operation()).json().at("error").at("code").as_int64(), 1);
    EXPECT_EQ(redis.send("DELETE", b1).status, 200);
    EXPECT_EQ(redis.post(backups_of(redis) + "/b2:export", body).status, 404);
}

TEST(backups_api, backups_outlive_their_cluster)
{
    api_driver redis;
    make_cluster(redis);
    for (auto const* id : {"b1", "b2"}) redis.post(c1 + ":backup", R"({"backupId":")" + std::string(id) + "\"}");
    auto const first = backups_of(redis);
    redis.send("DELETE", c1);
    EXPECT_EQ(redis.get(first).json().at("backups").as_array().size(), 2U);

    // The next cluster of that name has a collection of its own.
    make_cluster(redis);
    EXPECT_EQ(redis.get(c1).text("backupCollection"), "");
    redis.post(c1 + ":backup", R"({"backupId":"b1"})");
    auto const second = backups_of(redis);
    EXPECT_NE(second, first);
    EXPECT_EQ(redis.get(collections).json().at("backupCollections").as_array().size(), 2U);

    // A collection without a cluster goes with its last backup.
    redis.send("DELETE", first + "/b1");
    EXPECT_EQ(redis.get(first).json().at("backups").as_array().size(), 1U);
    redis.send("DELETE", first + "/b2");
    EXPECT_EQ(redis.get(first).status, 404);
    EXPECT_EQ(redis.get(collections).json().at("backupCollections").as_array().size(), 1U);

    // And one without backups with its cluster.
    redis.send("DELETE", second + "/b1");
    EXPECT_EQ(redis.get(second).body, "{}");
    redis.send("DELETE", c1);
    EXPECT_EQ(redis.get(collections).body, "{}");
}

TEST(backups_api, backups_are_gone_when_their_time_has_come)
{
    api_driver redis(1min);
    make_cluster(redis);
    redis.time.passed += 1min;
    auto const back_up = [&redis](std::string const& id, std::string const& ttl) {
        EXPECT_EQ(redis.post(c1 + ":backup", R"({"backupId":")" + id + R"(","ttl":")" + ttl + "\"}").status, 200);
        redis.time.passed += 1min;
    };
    back_up("a", "172800s");
    back_up("b", "86400s");
    auto const all = backups_of(redis);
    EXPECT_EQ(redis.api.backup_count(), 2U);
    redis.time.passed += 24h - 61s;
    EXPECT_EQ(redis.get(all + "/b").status, 200);
    redis.time.passed += 2s;
    EXPECT_EQ(redis.get(all + "/b").status, 404);
    EXPECT_EQ(redis.get(all + "/a").status, 200);

    // One that is being read goes after that.
    redis.send("DELETE", c1);
    redis.time.passed += 24h - 91s;
    auto const begun = redis.post(all + "/a:export", R"({"gcsBucket":"bucket"})");
    redis.time.passed += 50s;
    EXPECT_EQ(redis.get(all + "/a").status, 200);
    redis.time.passed += 10s;
    EXPECT_TRUE(redis.get(begun.operation()).json().contains("response"));
    EXPECT_EQ(redis.get(all + "/a").status, 404);
    EXPECT_EQ(redis.get(collections).body, "{}") << "the cluster is gone, too";
}

TEST(backups_api, a_cluster_is_filled_from_a_backup)
{
    api_driver redis;
    make_cluster(redis, "c1", R"({"shardCount":2,"replicaCount":1,"nodeType":"REDIS_STANDARD_SMALL"})");
    redis.post(c1 + ":backup", R"({"backupId":"b1"})");
    auto const b1 = backups_of(redis).substr(4) + "/b1";
    auto const source = [](std::string const& name) { return R"("managedBackupSource":{"backup":")" + name + "\"}"; };
    make_cluster(redis, "c2", "{" + source(b1) + "}");
    auto const like = redis.get(clusters + "/c2").json();
    EXPECT_EQ(like.at("shardCount").as_int64(), 2);
    EXPECT_EQ(like.at("replicaCount").as_int64(), 1);
    EXPECT_EQ(like.at("nodeType").as_string(), "REDIS_STANDARD_SMALL");
    EXPECT_EQ(like.at("managedBackupSource").at("backup").as_string(), b1);
    make_cluster(redis, "c3", R"({"shardCount":5,"replicaCount":0,)" + source("//redis.googleapis.com/" + b1) + "}");
    auto const larger = redis.get(clusters + "/c3").json();
    EXPECT_EQ(larger.at("shardCount").as_int64(), 5);
    EXPECT_EQ(larger.at("replicaCount").as_int64(), 0);
    for (auto const& name : {std::string(), std::string("b1"), b1 + "2", "//other.googleapis.com/" + b1}) {
        EXPECT_EQ(
            redis.post(clusters + "?clusterId=c4", "{" + source(name) + "}").blamed(),
            field_set{"cluster.managedBackupSource.backup"})
            << name;
    }
    make_cluster(redis, "c4", R"({"gcsSource":{"uris":["gs://b/0.rdb","gs://b/1.rdb"]}})");
}

TEST(backups_api, lists_in_pages_and_over_locations)
{
    api_driver redis;
    make_cluster(redis);
    make_cluster(redis, "c2");
    for (auto const* id : {"b1", "b2", "b3"}) redis.post(c1 + ":backup", R"({"backupId":")" + std::string(id) + "\"}");
    redis.post(clusters + "/c2:backup", R"({"backupId":"b1"})");
    auto const all = backups_of(redis);
    auto const page = redis.get(all + "?pageSize=2");
    EXPECT_EQ(page.json().at("backups").as_array().size(), 2U);
    auto const rest = redis.get(all + "?pageToken=" + page.text("nextPageToken")).json();
    EXPECT_EQ(rest.at("backups").as_array().size(), 1U) << "only those of this collection";
    EXPECT_EQ(
        redis.get(backups_of(redis, clusters + "/c2") + "?pageToken=" + page.text("nextPageToken")).blamed(),
        field_set{"pageToken"});
    auto const everywhere = redis.get("/v1/projects/p/locations/-/backupCollections?pageSize=1").json();
    EXPECT_EQ(everywhere.at("backupCollections").as_array().size(), 1U);
    EXPECT_TRUE(everywhere.contains("nextPageToken"));
    EXPECT_EQ(redis.get(collections + "/none").status, 404);
    EXPECT_EQ(redis.get(collections + "/none/backups").status, 404);
    EXPECT_EQ(redis.get(all + "/none").status, 404);
    EXPECT_EQ(redis.post(collections, "{}").status, 404);
}

}  // namespace

}  // namespace backbeat::emulation
