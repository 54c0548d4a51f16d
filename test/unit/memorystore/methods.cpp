//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "call_fixture.hpp"
#include "names.hpp"

#include <backbeat/retry_report.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

// Every method of the API: what is sent, to the letter, and how the answer is read.

namespace {

using namespace backbeat::memorystore;
using namespace std::chrono_literals;
using backbeat::retry_report;

std::string const operation_o = region + "/operations/o";

constexpr std::string_view begun = R"({"name":"projects/p/locations/us-central1/operations/o"})";

class Methods : public CallFixture {
protected:
    // Makes a call that the server answers with `answer`, and returns its result.
    template <class Result, class Start>
    Result call(std::string_view answer, Start start)
    {
        server.requests.clear();
        server.answer(200, answer);
        auto ended = run<Result>(std::move(start));
        if (ended.failure) ADD_FAILURE() << ended.problem().what();
        return std::move(ended.result);
    }

    template <class Start>
    void begins(Start start)
    {
        EXPECT_EQ(call<operation>(begun, std::move(start)).name, operation_o);
    }

    // "GET /v1/... routing" of the last request, its body behind a space if it has one.
    std::string sent() const
    {
        if (server.requests.size() != 1) return "requests: " + std::to_string(server.requests.size());
        auto const& text = server.requests[0];
        auto result = text.substr(0, text.find(" HTTP/1.1"));
        auto const end = text.find("\r\n\r\n");
        bool const typed = text.find("Content-Type: application/json\r\n") < end;
        auto const body = text.substr(end + 4);
        EXPECT_EQ(typed, !body.empty()) << text;
        if (!body.empty()) result += " " + body;
        return result;
    }

    std::string routing() const
    {
        constexpr std::string_view field = "x-goog-request-params: ";
        auto const& text = server.requests.at(0);
        auto const at = text.find(field) + field.size();
        return text.substr(at, text.find("\r\n", at) - at);
    }

    // The value of `requestId` in the request, and the request without it.
    static std::string take_request_id(std::string& request)
    {
        constexpr std::string_view key = "requestId=";
        auto const at = request.find(key);
        if (at == std::string::npos) return {};
        auto const id = request.substr(at + key.size(), 36);
        request.erase(at - 1, 1 + key.size() + 36);
        return id;
    }
};

}  // namespace

TEST_F(Methods, Locations)
{
    auto const listed = call<list_locations_response>(
        R"({"locations":[{"name":"n","locationId":"us-central1"}],"nextPageToken":"t"})",
        [&](auto handler) { redis().async_list_locations("projects/p", std::move(handler)); });
    EXPECT_EQ(sent(), "GET /v1/projects/p/locations");
    EXPECT_EQ(routing(), "name=projects%2Fp");
    EXPECT_EQ(listed.locations.at(0).location_id, "us-central1");
    EXPECT_EQ(listed.next_page_token, "t");

    page_request page;
    page.page_size = 3;
    page.page_token = "x";
    page.filter = "labels.a=b c";
    call<list_locations_response>(
        "{}", [&](auto handler) { redis().async_list_locations("projects/p", page, std::move(handler)); });
    EXPECT_EQ(sent(), "GET /v1/projects/p/locations?filter=labels.a%3Db%20c&pageSize=3&pageToken=x");

    auto const got = call<backbeat::memorystore::location>(
        R"({"name":"n","metadata":{"@type":"type.googleapis.com/google.cloud.redis.v1.LocationMetadata",)"
        R"("availableZones":{"us-central1-a":{}}}})",
        [&](auto handler) { redis().async_get_location(region, std::move(handler)); });
    EXPECT_EQ(sent(), "GET /v1/projects/p/locations/us-central1");
    EXPECT_TRUE(got.metadata->unpack<location_metadata>()->available_zones.contains("us-central1-a"));
}

TEST_F(Methods, ReadsOfInstances)
{
    call<list_instances_response>(
        "{}", [&](auto handler) { redis().async_list_instances(region, std::move(handler)); });
    EXPECT_EQ(sent(), "GET /v1/projects/p/locations/us-central1/instances");
    EXPECT_EQ(routing(), "parent=projects%2Fp%2Flocations%2Fus-central1");
    auto const secret = call<instance_auth_string>(R"({"authString":"secret"})", [&](auto handler) {
        redis().async_get_instance_auth_string(instance_a, std::move(handler));
    });
    EXPECT_EQ(sent(), "GET /v1/projects/p/locations/us-central1/instances/a/authString");
    EXPECT_EQ(routing(), "name=projects%2Fp%2Flocations%2Fus-central1%2Finstances%2Fa");
    EXPECT_EQ(secret.auth_string, "secret");
    EXPECT_EQ(
        call<instance_auth_string>(
            "{}", [&](auto handler) { redis().async_get_instance_auth_string(instance_a, std::move(handler)); })
            .auth_string,
        "");
}

TEST_F(Methods, ChangesOfInstances)
{
    instance wanted;
    wanted.tier = tier::standard_ha;
    wanted.memory_size_gb = 5;
    begins([&](auto handler) { redis().async_create_instance(region, "a", wanted, std::move(handler)); });
    EXPECT_EQ(
        sent(),
        R"(POST /v1/projects/p/locations/us-central1/instances?instanceId=a {"tier":"STANDARD_HA","memorySizeGb":5})");

    wanted.name = instance_a;
    wanted.display_name = "new";
    wanted.host = "10.0.0.1";
    begins([&](auto handler) {
        redis().async_update_instance(
            wanted, update_mask{"display_name", "labels", "memorySizeGb"}, std::move(handler));
    });
    EXPECT_EQ(
        sent(),
        "PATCH /v1/projects/p/locations/us-central1/instances/a?updateMask=displayName%2Clabels%2CmemorySizeGb "
        R"({"displayName":"new","memorySizeGb":5})");
    EXPECT_EQ(routing(), "instance.name=projects%2Fp%2Flocations%2Fus-central1%2Finstances%2Fa");
    // Nothing left of it: the field is cleared, and the body is an object all the same.
    begins(
        [&](auto handler) { redis().async_update_instance(wanted, update_mask("authEnabled"), std::move(handler)); });
    EXPECT_EQ(sent(), "PATCH /v1/projects/p/locations/us-central1/instances/a?updateMask=authEnabled {}");

    begins([&](auto handler) { redis().async_delete_instance(instance_a, std::move(handler)); });
    EXPECT_EQ(sent(), "DELETE /v1/projects/p/locations/us-central1/instances/a");

    begins([&](auto handler) {
        redis().async_export_instance(instance_a, export_instance_request::to("gs://b/o.rdb"), std::move(handler));
    });
    EXPECT_EQ(
        sent(),
        "POST /v1/projects/p/locations/us-central1/instances/a:export "
        R"({"outputConfig":{"gcsDestination":{"uri":"gs://b/o.rdb"}}})");
    begins([&](auto handler) {
        redis().async_import_instance(instance_a, import_instance_request::from("gs://b/o.rdb"), std::move(handler));
    });
    EXPECT_EQ(
        sent(),
        "POST /v1/projects/p/locations/us-central1/instances/a:import "
        R"({"inputConfig":{"gcsSource":{"uri":"gs://b/o.rdb"}}})");

    begins([&](auto handler) {
        redis().async_failover_instance(instance_a, failover_instance_request(), std::move(handler));
    });
    EXPECT_EQ(sent(), "POST /v1/projects/p/locations/us-central1/instances/a:failover {}");
    failover_instance_request forced;
    forced.data_protection_mode = data_protection_mode::force_data_loss;
    begins([&](auto handler) { redis().async_failover_instance(instance_a, forced, std::move(handler)); });
    EXPECT_EQ(
        sent(),
        R"(POST /v1/projects/p/locations/us-central1/instances/a:failover {"dataProtectionMode":"FORCE_DATA_LOSS"})");

    upgrade_instance_request newer;
    newer.redis_version = "REDIS_7_2";
    begins([&](auto handler) { redis().async_upgrade_instance(instance_a, newer, std::move(handler)); });
    EXPECT_EQ(sent(), R"(POST /v1/projects/p/locations/us-central1/instances/a:upgrade {"redisVersion":"REDIS_7_2"})");

    reschedule_maintenance_request later;
    later.reschedule_type = reschedule_type::specific_time;
    later.schedule_time = timestamp::parse("2026-12-01T02:00:00Z");
    begins([&](auto handler) { redis().async_reschedule_maintenance(instance_a, later, std::move(handler)); });
    EXPECT_EQ(
        sent(),
        "POST /v1/projects/p/locations/us-central1/instances/a:rescheduleMaintenance "
        R"({"rescheduleType":"SPECIFIC_TIME","scheduleTime":"2026-12-01T02:00:00Z"})");
}

TEST_F(Methods, Operations)
{
    page_request page;
    page.filter = "done=true";
    call<list_operations_response>(
        "{}", [&](auto handler) { redis().async_list_operations(region, page, std::move(handler)); });
    EXPECT_EQ(sent(), "GET /v1/projects/p/locations/us-central1/operations?filter=done%3Dtrue");
    EXPECT_EQ(routing(), "name=projects%2Fp%2Flocations%2Fus-central1");
    call<operation>(begun, [&](auto handler) { redis().async_get_operation(operation_o, std::move(handler)); });
    EXPECT_EQ(sent(), "GET /v1/projects/p/locations/us-central1/operations/o");
    call<empty>("{}", [&](auto handler) { redis().async_cancel_operation(operation_o, std::move(handler)); });
    EXPECT_EQ(sent(), "POST /v1/projects/p/locations/us-central1/operations/o:cancel {}");
    call<empty>("", [&](auto handler) { redis().async_delete_operation(operation_o, std::move(handler)); });
    EXPECT_EQ(sent(), "DELETE /v1/projects/p/locations/us-central1/operations/o");
}

TEST_F(Methods, ReadsOfClusters)
{
    auto const listed =
        call<list_clusters_response>(R"({"clusters":[{"name":"c","state":"ACTIVE"}]})", [&](auto handler) {
            redis().async_list_clusters("projects/p/locations/-", std::move(handler));
        });
    EXPECT_EQ(sent(), "GET /v1/projects/p/locations/-/clusters");
    EXPECT_EQ(listed.clusters.at(0).state, cluster_state::active);
    call<cluster>("{}", [&](auto handler) { redis().async_get_cluster(cluster_c, std::move(handler)); });
    EXPECT_EQ(sent(), "GET /v1/projects/p/locations/us-central1/clusters/c");
    auto const authority = call<certificate_authority>(
        R"({"name":"x","managedServerCa":{"caCerts":[{"certificates":["pem"]}]}})",
        [&](auto handler) { redis().async_get_cluster_certificate_authority(cluster_c, std::move(handler)); });
    EXPECT_EQ(sent(), "GET /v1/projects/p/locations/us-central1/clusters/c/certificateAuthority");
    EXPECT_EQ(authority.managed_server_ca->ca_certs.at(0).certificates.at(0), "pem");
}

TEST_F(Methods, ChangesOfClusters)
{
    cluster wanted;
    wanted.shard_count = 3;
    begins([&](auto handler) { redis().async_create_cluster(region, "c", wanted, std::move(handler)); });
    auto request = sent();
    auto const first = take_request_id(request);
    EXPECT_EQ(request, R"(POST /v1/projects/p/locations/us-central1/clusters?clusterId=c {"shardCount":3})");

    wanted.name = cluster_c;
    begins([&](auto handler) { redis().async_update_cluster(wanted, update_mask("shard_count"), std::move(handler)); });
    request = sent();
    auto const second = take_request_id(request);
    EXPECT_EQ(
        request, R"(PATCH /v1/projects/p/locations/us-central1/clusters/c?updateMask=shardCount {"shardCount":3})");
    EXPECT_EQ(routing(), "cluster.name=projects%2Fp%2Flocations%2Fus-central1%2Fclusters%2Fc");

    call_options keyed;
    keyed.request_id = "2b6a9a5e-31ac-4f0c-8d0f-9f3a2d1c0b7e";
    begins([&](auto handler) { redis().async_delete_cluster(cluster_c, keyed, std::move(handler)); });
    request = sent();
    EXPECT_EQ(take_request_id(request), keyed.request_id);
    EXPECT_EQ(request, "DELETE /v1/projects/p/locations/us-central1/clusters/c");
    EXPECT_EQ(first.size(), 36U);
    EXPECT_NE(first, second);

    reschedule_cluster_maintenance_request now;
    now.reschedule_type = cluster_reschedule_type::immediate;
    begins([&](auto handler) { redis().async_reschedule_cluster_maintenance(cluster_c, now, std::move(handler)); });
    EXPECT_EQ(
        sent(),
        "POST /v1/projects/p/locations/us-central1/clusters/c:rescheduleClusterMaintenance "
        R"({"rescheduleType":"IMMEDIATE"})");

    backup_cluster_request kept;
    kept.backup_id = "k";
    kept.ttl = duration(86400s);
    begins([&](auto handler) { redis().async_backup_cluster(cluster_c, kept, std::move(handler)); });
    EXPECT_EQ(sent(), R"(POST /v1/projects/p/locations/us-central1/clusters/c:backup {"backupId":"k","ttl":"86400s"})");
}

TEST_F(Methods, AMissingBackupIdIsTheSameOnEveryAttempt)
{
    server.answer(429, "");
    server.answer(200, begun);
    auto const ended = run<operation>(
        [&](auto handler) { redis().async_backup_cluster(cluster_c, backup_cluster_request(), std::move(handler)); });
    ASSERT_FALSE(ended.failure);
    ASSERT_EQ(server.requests.size(), 2U);
    EXPECT_EQ(server.requests[0], server.requests[1]);
    EXPECT_NE(server.requests[0].find(R"({"backupId":"backup-)"), std::string::npos) << server.requests[0];
}

TEST_F(Methods, Backups)
{
    call<list_backup_collections_response>(
        "{}", [&](auto handler) { redis().async_list_backup_collections(region, std::move(handler)); });
    EXPECT_EQ(sent(), "GET /v1/projects/p/locations/us-central1/backupCollections");
    call<backup_collection>(
        "{}", [&](auto handler) { redis().async_get_backup_collection(collection_b, std::move(handler)); });
    EXPECT_EQ(sent(), "GET /v1/projects/p/locations/us-central1/backupCollections/b");
    page_request page;
    page.page_size = 2;
    auto const listed = call<list_backups_response>(
        R"({"backups":[{"name":"k","totalSizeBytes":"9"}],"unreachable":["x"]})",
        [&](auto handler) { redis().async_list_backups(collection_b, page, call_options(), std::move(handler)); });
    EXPECT_EQ(sent(), "GET /v1/projects/p/locations/us-central1/backupCollections/b/backups?pageSize=2");
    EXPECT_EQ(listed.backups.at(0).total_size_bytes, 9);
    call<backup>("{}", [&](auto handler) { redis().async_get_backup(backup_k, std::move(handler)); });
    EXPECT_EQ(sent(), "GET /v1/projects/p/locations/us-central1/backupCollections/b/backups/k");

    begins([&](auto handler) { redis().async_delete_backup(backup_k, std::move(handler)); });
    auto request = sent();
    EXPECT_EQ(take_request_id(request).size(), 36U);
    EXPECT_EQ(request, "DELETE /v1/projects/p/locations/us-central1/backupCollections/b/backups/k");
    export_backup_request bucket;
    bucket.gcs_bucket = "b";
    begins([&](auto handler) { redis().async_export_backup(backup_k, bucket, std::move(handler)); });
    EXPECT_EQ(
        sent(), R"(POST /v1/projects/p/locations/us-central1/backupCollections/b/backups/k:export {"gcsBucket":"b"})");
}

TEST_F(Methods, AChangeWithARequestIdIsRepeatedWhateverBecameOfIt)
{
    cluster wanted;
    wanted.name = cluster_c;
    wanted.shard_count = 3;
    auto const update = [&](call_options with) {
        return run<operation>([&](auto handler) {
            redis().async_update_cluster(wanted, update_mask("shardCount"), with, std::move(handler));
        });
    };
    server.lose();
    server.answer(503, "");
    server.answer(504, "");
    server.answer(200, begun);
    retry_report report;
    EXPECT_FALSE(update(report_to(report)).failure);
    EXPECT_EQ(report.attempts(), 4U);
    ASSERT_EQ(server.requests.size(), 4U);
    for (auto const& each : server.requests) EXPECT_EQ(each, server.requests[0]);

    // In the end nobody may know.
    for (int i = 0; i != 4; ++i) server.answer(503, "");
    auto const problem = update({}).problem();
    EXPECT_TRUE(problem.outcome_unknown());
    EXPECT_EQ(problem.code(), rpc_code::unavailable);
}

TEST_F(Methods, AChangeWithoutOneIsNot)
{
    std::size_t sent_so_far = 0;
    auto const stops = [&](auto start) {
        server.answer(503, "");
        EXPECT_TRUE(run<operation>(std::move(start)).problem().outcome_unknown());
        EXPECT_EQ(server.requests.size(), ++sent_so_far);
    };
    instance wanted;
    wanted.name = instance_a;
    wanted.display_name = "new";
    upgrade_instance_request newer;
    newer.redis_version = "REDIS_7_2";
    reschedule_maintenance_request now;
    now.reschedule_type = reschedule_type::immediate;
    export_backup_request bucket;
    bucket.gcs_bucket = "b";
    stops([&](auto h) { redis().async_update_instance(wanted, update_mask("displayName"), std::move(h)); });
    stops([&](auto h) {
        redis().async_export_instance(instance_a, export_instance_request::to("gs://b/o.rdb"), std::move(h));
    });
    stops([&](auto h) {
        redis().async_import_instance(instance_a, import_instance_request::from("gs://b/o.rdb"), std::move(h));
    });
    stops([&](auto h) { redis().async_failover_instance(instance_a, failover_instance_request(), std::move(h)); });
    stops([&](auto h) { redis().async_upgrade_instance(instance_a, newer, std::move(h)); });
    stops([&](auto h) { redis().async_reschedule_maintenance(instance_a, now, std::move(h)); });
    stops([&](auto h) { redis().async_backup_cluster(cluster_c, backup_cluster_request(), std::move(h)); });
    stops([&](auto h) { redis().async_export_backup(backup_k, bucket, std::move(h)); });
}

TEST_F(Methods, CancellingAndDeletingAnOperationIsRepeated)
{
    server.lose();
    server.answer(503, "");
    server.answer(200, "{}");
    EXPECT_FALSE(
        run<empty>([&](auto handler) { redis().async_cancel_operation(operation_o, std::move(handler)); }).failure);
    server.lose();
    server.answer(404, R"({"error":{"status":"NOT_FOUND"}})");
    auto const problem =
        run<empty>([&](auto handler) { redis().async_delete_operation(operation_o, std::move(handler)); }).problem();
    EXPECT_EQ(problem.code(), rpc_code::not_found);
    EXPECT_TRUE(problem.outcome_unknown());
}

TEST_F(Methods, TheBodyOfAnErrorDecides)
{
    // Nothing was done, and so even a change is repeated.
    server.answer(403, R"({"error":{"message":"Quota exceeded for limit 'Create requests per minute'"}})");
    server.answer(409, R"({"error":{"status":"ABORTED"}})");
    server.answer(
        429, R"({"error":{"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"0.003s"}]}})");
    server.answer(200, begun);
    retry_report report;
    auto const deleted = run<operation>(
        [&](auto handler) { redis().async_delete_instance(instance_a, report_to(report), std::move(handler)); });
    EXPECT_FALSE(deleted.failure);
    EXPECT_EQ(report.attempts(), 4U);
    EXPECT_EQ(report.records().at(2).hint, 3ms);

    server.requests.clear();
    server.answer(
        400, R"({"error":{"status":"FAILED_PRECONDITION","message":"Unable to delete due to ongoing operations."}})");
    auto const busy =
        run<operation>([&](auto handler) { redis().async_delete_instance(instance_a, std::move(handler)); }).problem();
    EXPECT_EQ(busy.code(), rpc_code::failed_precondition);
    EXPECT_FALSE(busy.outcome_unknown());
    EXPECT_EQ(server.requests.size(), 1U);
}

TEST_F(Methods, WhatAnOperationMade)
{
    operation ended;
    EXPECT_FALSE(ended.response_as<cluster>());
    EXPECT_EQ(ended.verb(), "");
    EXPECT_EQ(ended.target(), "");
    cluster made;
    made.uid = "u";
    ended.response = any::pack(made);
    EXPECT_EQ(ended.response_as<cluster>()->uid, "u");
    EXPECT_FALSE(ended.response_as<instance>());
    ended.response->content["uid"] = 7;
    EXPECT_THROW(static_cast<void>(ended.response_as<cluster>()), json_error);

    cluster_operation_metadata metadata;
    metadata.verb = "create";
    metadata.target = cluster_c;
    ended.metadata = any::pack(metadata);
    EXPECT_EQ(ended.verb(), "create");
    EXPECT_EQ(ended.target(), cluster_c);
    ended.metadata->content["verb"] = nullptr;
    ended.metadata->content["target"] = 3;
    EXPECT_EQ(ended.verb(), "");
    EXPECT_EQ(ended.target(), "");
    ended.metadata = any::pack(made);
    EXPECT_EQ(ended.target(), "");
}
