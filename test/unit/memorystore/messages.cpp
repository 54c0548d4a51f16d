//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "round_trip.hpp"

#include <backbeat/memorystore/error_details.hpp>
#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/list_instances_response.hpp>
#include <backbeat/memorystore/list_operations_response.hpp>
#include <backbeat/memorystore/operation.hpp>
#include <backbeat/memorystore/rpc_code.hpp>
#include <backbeat/memorystore/status.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <gtest/gtest.h>

namespace {

using namespace backbeat::memorystore;

constexpr std::string_view full_instance = R"({
    "name": "projects/p/locations/us-central1/instances/cache-1",
    "displayName": "Cache 1",
    "labels": {"env": "prod", "team": "search"},
    "locationId": "us-central1-a",
    "alternativeLocationId": "us-central1-b",
    "redisVersion": "REDIS_7_2",
    "reservedIpRange": "10.12.0.0/28",
    "secondaryIpRange": "10.13.0.0/28",
    "host": "10.12.0.3",
    "port": 6379,
    "currentLocationId": "us-central1-a",
    "createTime": "2026-08-22T10:11:12.345678901Z",
    "state": "READY",
    "statusMessage": "fine",
    "redisConfigs": {"maxmemory-policy": "allkeys-lru", "maxmemory-gb": "3.5"},
    "tier": "STANDARD_HA",
    "memorySizeGb": 5,
    "authorizedNetwork": "projects/p/global/networks/default",
    "persistenceIamIdentity": "serviceAccount:1-compute@developer.gserviceaccount.com",
    "connectMode": "DIRECT_PEERING",
    "authEnabled": true,
    "serverCaCerts": [{
        "serialNumber": "0",
        "cert": "-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----",
        "createTime": "2026-08-22T10:11:12Z",
        "expireTime": "2036-08-19T10:11:12Z",
        "sha1Fingerprint": "4d3b"}],
    "transitEncryptionMode": "SERVER_AUTHENTICATION",
    "maintenancePolicy": {
        "createTime": "2026-08-22T10:11:12Z",
        "updateTime": "2026-08-23T10:11:12Z",
        "description": "Sundays",
        "weeklyMaintenanceWindow": [{
            "day": "SUNDAY",
            "startTime": {"hours": 3, "minutes": 30, "seconds": 1, "nanos": 2},
            "duration": "3600s"}]},
    "maintenanceSchedule": {
        "startTime": "2026-09-01T03:00:00Z",
        "endTime": "2026-09-01T04:00:00Z",
        "canReschedule": true,
        "scheduleDeadlineTime": "2026-09-08T03:00:00Z"},
    "replicaCount": 2,
    "nodes": [{"id": "node-0", "zone": "us-central1-a"}, {"id": "node-1", "zone": "us-central1-b"}],
    "readEndpoint": "10.12.0.4",
    "readEndpointPort": 6379,
    "readReplicasMode": "READ_REPLICAS_ENABLED",
    "customerManagedKey": "projects/p/locations/us-central1/keyRings/r/cryptoKeys/k",
    "persistenceConfig": {
        "persistenceMode": "RDB",
        "rdbSnapshotPeriod": "TWENTY_FOUR_HOURS",
        "rdbNextSnapshotTime": "2026-08-23T00:00:00Z",
        "rdbSnapshotStartTime": "2026-08-22T00:00:00Z"},
    "suspensionReasons": ["CUSTOMER_MANAGED_KEY_ISSUE"],
    "maintenanceVersion": "20260801_00_00",
    "availableMaintenanceVersions": ["20260815_00_00"],
    "satisfiesPzi": true,
    "satisfiesPzs": false,
    "tags": {"123/environment": "production"}})";

constexpr std::string_view finished_create = R"({
    "name": "projects/p/locations/us-central1/operations/operation-1795251778751-84a9865ac2ef-0c49ec69-fc3bff5a",
    "metadata": {
        "@type": "type.googleapis.com/google.cloud.redis.v1.OperationMetadata",
        "createTime": "2026-08-22T10:11:12Z",
        "endTime": "2026-08-22T10:16:12Z",
        "target": "projects/p/locations/us-central1/instances/r1",
        "verb": "create",
        "statusDetail": "done",
        "cancelRequested": true,
        "apiVersion": "v1"},
    "done": true,
    "response": {
        "@type": "type.googleapis.com/google.cloud.redis.v1.Instance",
        "name": "projects/p/locations/us-central1/instances/r1",
        "state": "READY",
        "tier": "BASIC",
        "memorySizeGb": 1}})";

}  // namespace

TEST(Messages, Instance)
{
    auto const read = round_trip<instance>(full_instance);
    EXPECT_EQ(read.state, instance_state::ready);
    EXPECT_EQ(read.tier, tier::standard_ha);
    EXPECT_EQ(read.create_time->nanoseconds(), 345678901);
    EXPECT_EQ(read.maintenance_policy->weekly_maintenance_window.at(0).duration->seconds(), 3600);
    EXPECT_EQ(read.persistence_config->rdb_snapshot_period, rdb_snapshot_period::twenty_four_hours);
    EXPECT_EQ(read.satisfies_pzs, false);
}

TEST(Messages, InstanceAsOtherClientsSendIt)
{
    // Numbers for enum values, defaults spelled out: Google's own client for Node.js.
    auto const node =
        parse_json<instance>(R"({"labels":{"a":"b"},"redisConfigs":{},"displayName":"x","tier":3,"memorySizeGb":1})");
    EXPECT_EQ(node.tier, tier::standard_ha);
    // Names in snake_case.
    auto const snake = parse_json<instance>(
        R"({"memory_size_gb":"2","auth_enabled":true,"persistence_config":{"persistence_mode":"RDB"}})");
    EXPECT_EQ(snake.memory_size_gb, 2);
    EXPECT_TRUE(snake.auth_enabled);
    EXPECT_EQ(snake.persistence_config->persistence_mode, persistence_mode::rdb);
}

TEST(Messages, InstanceOfATimeToCome)
{
    auto const text = R"({"name":"n","state":"HIBERNATING","tier":9,"colour":"blue","nodes":[{"id":"a","rack":4}]})";
    auto const read = parse_json<instance>(text);
    EXPECT_EQ(read.state.name(), "HIBERNATING");
    EXPECT_EQ(boost::json::value(to_json(read)), boost::json::parse(text));
}

TEST(Messages, Enums)
{
    names_and_numbers<instance_state>(
        {{0, "STATE_UNSPECIFIED"},
         {1, "CREATING"},
         {2, "READY"},
         {3, "UPDATING"},
         {4, "DELETING"},
         {5, "REPAIRING"},
         {6, "MAINTENANCE"},
         {8, "IMPORTING"},
         {9, "FAILING_OVER"}});
    names_and_numbers<tier>({{0, "TIER_UNSPECIFIED"}, {1, "BASIC"}, {3, "STANDARD_HA"}});
    names_and_numbers<connect_mode>(
        {{0, "CONNECT_MODE_UNSPECIFIED"}, {1, "DIRECT_PEERING"}, {2, "PRIVATE_SERVICE_ACCESS"}});
    names_and_numbers<transit_encryption_mode>(
        {{0, "TRANSIT_ENCRYPTION_MODE_UNSPECIFIED"}, {1, "SERVER_AUTHENTICATION"}, {2, "DISABLED"}});
    names_and_numbers<read_replicas_mode>(
        {{0, "READ_REPLICAS_MODE_UNSPECIFIED"}, {1, "READ_REPLICAS_DISABLED"}, {2, "READ_REPLICAS_ENABLED"}});
    names_and_numbers<suspension_reason>({{0, "SUSPENSION_REASON_UNSPECIFIED"}, {1, "CUSTOMER_MANAGED_KEY_ISSUE"}});
    names_and_numbers<persistence_mode>({{0, "PERSISTENCE_MODE_UNSPECIFIED"}, {1, "DISABLED"}, {2, "RDB"}});
    names_and_numbers<rdb_snapshot_period>(
        {{0, "SNAPSHOT_PERIOD_UNSPECIFIED"},
         {3, "ONE_HOUR"},
         {4, "SIX_HOURS"},
         {5, "TWELVE_HOURS"},
         {6, "TWENTY_FOUR_HOURS"}});
    names_and_numbers<day_of_week>(
        {{0, "DAY_OF_WEEK_UNSPECIFIED"},
         {1, "MONDAY"},
         {2, "TUESDAY"},
         {3, "WEDNESDAY"},
         {4, "THURSDAY"},
         {5, "FRIDAY"},
         {6, "SATURDAY"},
         {7, "SUNDAY"}});
}

TEST(Messages, Operation)
{
    auto const done = round_trip<operation>(finished_create);
    EXPECT_TRUE(done.done);
    auto const metadata = done.metadata->unpack<operation_metadata>();
    ASSERT_TRUE(metadata);
    EXPECT_EQ(metadata->verb, "create");
    EXPECT_TRUE(metadata->cancel_requested);
    EXPECT_TRUE(metadata->unknown_fields.empty());
    auto const made = done.response->unpack<instance>();
    ASSERT_TRUE(made);
    EXPECT_EQ(made->state, instance_state::ready);
    EXPECT_FALSE(done.response->unpack<empty>());
    EXPECT_FALSE(done.response->is<operation_metadata>());

    auto const failed = round_trip<operation>(
        R"({"name":"o","done":true,"error":{"code":8,"message":"System limit","details":[{"@type":"x/y","a":1}]}})");
    EXPECT_EQ(failed.error->code, 8);
    EXPECT_EQ(failed.error->details.at(0).type_name(), "y");

    auto const deleted =
        round_trip<operation>(R"({"done":true,"response":{"@type":"type.googleapis.com/google.protobuf.Empty"}})");
    EXPECT_TRUE(deleted.response->unpack<empty>());

    EXPECT_FALSE(parse_json<operation>(R"({"name":"o"})").done);
}

TEST(Messages, WhatAnAnyHoldsCanBeWrong)
{
    auto const read = parse_json<operation>(
        R"({"response":{"@type":"type.googleapis.com/google.cloud.redis.v1.Instance","memorySizeGb":[]}})");
    EXPECT_THROW(static_cast<void>(read.response->unpack<instance>()), json_error);
    EXPECT_FALSE(read.response->unpack<empty>());
}

TEST(Messages, AnyIsPackedWithItsTypeFirst)
{
    operation_metadata metadata;
    metadata.verb = "delete";
    auto const packed = any::pack(metadata);
    EXPECT_EQ(
        boost::json::serialize(packed.content),
        R"({"@type":"type.googleapis.com/google.cloud.redis.v1.OperationMetadata","verb":"delete"})");
    EXPECT_EQ(packed.unpack<operation_metadata>(), metadata);
}

TEST(Messages, Lists)
{
    auto const instances = round_trip<list_instances_response>(
        R"({"instances":[{"name":"a"},{"name":"b"}],"nextPageToken":"t","unreachable":["projects/p/locations/x"]})");
    EXPECT_EQ(instances.instances.at(1).name, "b");
    auto const operations =
        round_trip<list_operations_response>(R"({"operations":[{"name":"a"}],"nextPageToken":"t"})");
    EXPECT_EQ(operations.next_page_token, "t");
    EXPECT_TRUE(parse_json<list_instances_response>("{}").instances.empty());
    json_options options;
    options.root = "response";
    try {
        static_cast<void>(parse_json<list_instances_response>(R"({"instances":[{},{"port":"x"}]})", options));
        FAIL();
    } catch (json_error const& error) {
        EXPECT_STREQ(error.what(), R"(response.instances[1].port: expected an integer, got "x")");
    }
}

TEST(Messages, ErrorsAndTheirDetails)
{
    auto const envelope = round_trip<error_envelope>(
        R"({"error":{"code":429,"message":"Quota exceeded","status":"RESOURCE_EXHAUSTED","details":[
            {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"2.500s"},
            {"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"RATE_LIMIT_EXCEEDED",
             "domain":"googleapis.com",
             "metadata":{"service":"redis.googleapis.com"}},
            {"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[
             {"field":"instance.memory_size_gb","description":"must be positive","reason":"TOO_SMALL"}]},
            {"@type":"type.googleapis.com/google.rpc.PreconditionFailure","violations":[
             {"type":"STATE","subject":"instance","description":"busy"}]},
            {"@type":"type.googleapis.com/google.rpc.ResourceInfo","resourceType":"instance","resourceName":"n",
             "owner":"o","description":"d"}]}})");
    auto const& details = envelope.error->details;
    EXPECT_EQ(details.at(0).unpack<rpc::retry_info>()->retry_delay->span(), std::chrono::milliseconds(2500));
    EXPECT_EQ(details.at(1).unpack<rpc::error_info>()->metadata.at("service"), "redis.googleapis.com");
    EXPECT_EQ(details.at(2).unpack<rpc::bad_request>()->field_violations.at(0).field, "instance.memory_size_gb");
    EXPECT_EQ(details.at(3).unpack<rpc::precondition_failure>()->violations.at(0).subject, "instance");
    EXPECT_EQ(details.at(4).unpack<rpc::resource_info>()->owner, "o");
    EXPECT_EQ(any::pack(*details.at(1).unpack<rpc::error_info>()), details.at(1));

    auto const status = round_trip<rpc::status>(R"({"code":9,"message":"m"})");
    EXPECT_EQ(status.code, 9);
}

TEST(RpcCode, NamesNumbersAndStatuses)
{
    struct row {
        rpc_code code;
        int number;
        char const* name;
        unsigned status;
    };
    for (auto const& [code, number, name, status] :
         {row{rpc_code::ok, 0, "OK", 200},
          row{rpc_code::cancelled, 1, "CANCELLED", 499},
          row{rpc_code::unknown, 2, "UNKNOWN", 500},
          row{rpc_code::invalid_argument, 3, "INVALID_ARGUMENT", 400},
          row{rpc_code::deadline_exceeded, 4, "DEADLINE_EXCEEDED", 504},
          row{rpc_code::not_found, 5, "NOT_FOUND", 404},
          row{rpc_code::already_exists, 6, "ALREADY_EXISTS", 409},
          row{rpc_code::permission_denied, 7, "PERMISSION_DENIED", 403},
          row{rpc_code::resource_exhausted, 8, "RESOURCE_EXHAUSTED", 429},
          row{rpc_code::failed_precondition, 9, "FAILED_PRECONDITION", 400},
          row{rpc_code::aborted, 10, "ABORTED", 409},
          row{rpc_code::out_of_range, 11, "OUT_OF_RANGE", 400},
          row{rpc_code::unimplemented, 12, "UNIMPLEMENTED", 501},
          row{rpc_code::internal, 13, "INTERNAL", 500},
          row{rpc_code::unavailable, 14, "UNAVAILABLE", 503},
          row{rpc_code::data_loss, 15, "DATA_LOSS", 500},
          row{rpc_code::unauthenticated, 16, "UNAUTHENTICATED", 401}}) {
        EXPECT_EQ(static_cast<int>(code), number);
        EXPECT_EQ(to_string(code), name);
        EXPECT_EQ(rpc_code_named(name), code);
        EXPECT_EQ(http_status(code), status);
    }
    EXPECT_EQ(to_string(static_cast<rpc_code>(99)), "99");
    EXPECT_EQ(http_status(static_cast<rpc_code>(99)), 500U);
    EXPECT_FALSE(rpc_code_named("not_found"));
    EXPECT_FALSE(rpc_code_named(""));
    EXPECT_EQ(rpc_code_of_status(409), rpc_code::aborted);
    EXPECT_EQ(rpc_code_of_status(418), rpc_code::failed_precondition);
    EXPECT_EQ(rpc_code_of_status(502), rpc_code::internal);
    EXPECT_EQ(rpc_code_of_status(302), rpc_code::unknown);
    EXPECT_EQ(rpc_code_of_status(204), rpc_code::ok);

    boost::system::error_code const code = rpc_code::not_found;
    EXPECT_EQ(code.message(), "NOT_FOUND");
    EXPECT_STREQ(code.category().name(), "google.rpc");
    EXPECT_FALSE(boost::system::error_code(rpc_code::ok));
}
