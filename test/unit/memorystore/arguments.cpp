//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "call_fixture.hpp"
#include "names.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

// What breaks a rule of the API is refused before anything is sent, with a text that quotes the rule.

namespace {

using namespace backbeat::memorystore;
using namespace std::chrono_literals;

class Arguments : public CallFixture {
protected:
    // Why a call is refused.
    template <class Result, class Start>
    std::string refused(Start start)
    {
        auto const problem = run<Result>(std::move(start)).problem();
        EXPECT_EQ(problem.code(), errc::invalid_argument) << problem.what();
        EXPECT_TRUE(server.requests.empty());
        return problem.what();
    }

    std::string create(std::function<void(instance&)> const& change)
    {
        instance wanted;
        wanted.tier = tier::basic;
        wanted.memory_size_gb = 1;
        change(wanted);
        return refused<operation>(
            [&](auto handler) { redis().async_create_instance(region, "a", wanted, std::move(handler)); });
    }

    std::string update(
        update_mask const& mask, std::function<void(instance&)> const& change = [](instance&) {})
    {
        instance wanted;
        wanted.name = instance_a;
        change(wanted);
        return refused<operation>(
            [&](auto handler) { redis().async_update_instance(wanted, mask, std::move(handler)); });
    }

    std::string create_cluster(std::function<void(cluster&)> const& change, std::string id = "c")
    {
        cluster wanted;
        change(wanted);
        return refused<operation>(
            [&](auto handler) { redis().async_create_cluster(region, id, wanted, std::move(handler)); });
    }

    std::string backup_of(std::function<void(backup_cluster_request&)> const& change)
    {
        backup_cluster_request wanted;
        change(wanted);
        return refused<operation>(
            [&](auto handler) { redis().async_backup_cluster(cluster_c, wanted, std::move(handler)); });
    }
};

}  // namespace

TEST_F(Arguments, NewInstances)
{
    EXPECT_EQ(create([](auto& i) { i.tier = {}; }), "tier is not given; it must be one of BASIC, STANDARD_HA");
    EXPECT_EQ(
        create([](auto& i) { i.tier = open_enum<tier>::from_name("STANDARD"); }),
        "tier is 'STANDARD', but must be one of BASIC, STANDARD_HA");
    EXPECT_EQ(create([](auto& i) { i.memory_size_gb = 0; }), "memorySizeGb is 0, but must be from 1 to 300");
    EXPECT_EQ(create([](auto& i) { i.memory_size_gb = 301; }), "memorySizeGb is 301, but must be from 1 to 300");
    EXPECT_EQ(create([](auto& i) { i.replica_count = 6; }), "replicaCount is 6, but must be from 0 to 5");
    EXPECT_EQ(create([](auto& i) { i.replica_count = -1; }), "replicaCount is -1, but must be from 0 to 5");
    EXPECT_EQ(
        create([](auto& i) { i.name = region + "/instances/b"; }),
        "the name is 'projects/p/locations/us-central1/instances/b', but what is to be created is "
        "'projects/p/locations/us-central1/instances/a'");
    EXPECT_EQ(
        create([](auto& i) {
            i.persistence_config.emplace().persistence_mode = open_enum<persistence_mode>::from_name("AOF");
        }),
        "persistenceConfig.persistenceMode is 'AOF', but must be one of DISABLED, RDB");
    EXPECT_EQ(
        create([](auto& i) { i.maintenance_policy.emplace().description = std::string(513, 'x'); }),
        "maintenancePolicy.description has 513 characters; it can have no more than 512");
    EXPECT_EQ(
        create([](auto& i) { i.maintenance_policy.emplace().weekly_maintenance_window.resize(2); }),
        "maintenancePolicy.weeklyMaintenanceWindow has 2 windows; there can be no more than one");
    EXPECT_EQ(
        create([](auto& i) { i.maintenance_policy.emplace().weekly_maintenance_window.resize(1); }),
        "maintenancePolicy.weeklyMaintenanceWindow needs both a day and a startTime");
    EXPECT_EQ(
        refused<operation>([&](auto handler) {
            redis().async_create_instance("projects/p/locations/-", "a", instance(), std::move(handler));
        }),
        "'projects/p/locations/-' stands for all locations; only a list can be asked of all of them");
}

TEST_F(Arguments, WhatIsNotCertainIsLeftToTheService)
{
    instance wanted;
    wanted.name = instance_a;
    wanted.tier = open_enum<tier>::from_number(77);
    wanted.memory_size_gb = 300;
    wanted.redis_version = "REDIS_99_X";
    // Of a copy of what was read, what only the service sets may be newer than this library.
    wanted.state = open_enum<instance_state>::from_name("SLEEPING");
    wanted.maintenance_policy.emplace().description = std::string(512, 'x') + "\xcc\x81";
    wanted.maintenance_policy->description.resize(510);
    wanted.maintenance_policy->description += "\xc3\xa4\xc3\xa4";
    server.answer(200, R"({"name":"o"})");
    auto const ended =
        run<operation>([&](auto handler) { redis().async_create_instance(region, "a", wanted, std::move(handler)); });
    EXPECT_FALSE(ended.failure);
    EXPECT_NE(server.requests.at(0).find(R"("tier":77)"), std::string::npos);
}

TEST_F(Arguments, UpdateMasks)
{
    EXPECT_EQ(update({}), "the update mask is empty; it must name at least one field to change, such as redisConfigs");
    EXPECT_EQ(
        update({"memory_size"}),
        "the update mask names 'memorySize', which is no field of an instance; did you mean 'memorySizeGb'?");
    EXPECT_EQ(update({"qwertyuiop"}), "the update mask names 'qwertyuiop', which is no field of an instance");
    EXPECT_EQ(update(update_mask(",")), "the update mask names '', which is no field of an instance");
    EXPECT_EQ(
        update({"labels", "current_location_id"}),
        "the update mask names 'currentLocationId', which is output only: the service sets it, and no update can");
    EXPECT_EQ(update({"name"}), "the update mask names 'name', which says what to update, and never changes");
    EXPECT_EQ(
        update({"tags"}), "the update mask names 'tags', which is immutable: it is set when an instance is created");
    EXPECT_EQ(update({"memorySizeGb"}), "memorySizeGb is 0, but must be from 1 to 300");
    EXPECT_EQ(
        update({"connectMode"}, [](auto& i) { i.connect_mode = open_enum<connect_mode>::from_name("VPN"); }),
        "connectMode is 'VPN', but must be one of DIRECT_PEERING, PRIVATE_SERVICE_ACCESS");
    EXPECT_EQ(
        update({"labels"}, [](auto& i) { i.name = "a"; }).find("'a' is not the name of an instance, which is"), 0U);
    EXPECT_EQ(
        refused<operation>([&](auto handler) {
            cluster wanted;
            wanted.name = cluster_c;
            redis().async_update_cluster(wanted, update_mask("maintenance_window"), std::move(handler));
        }),
        "the update mask names 'maintenanceWindow', which is no field of a cluster");
}

TEST_F(Arguments, AnUpdateMayNameWhatOnlyTheServiceKnows)
{
    instance wanted;
    wanted.name = instance_a;
    wanted.unknown_fields["future"] = 1;
    // What the mask does not name is not sent, and so not looked at.
    wanted.tier = open_enum<tier>::from_name("PREMIUM");
    server.answer(200, R"({"name":"o"})");
    auto ended = run<operation>(
        [&](auto handler) { redis().async_update_instance(wanted, update_mask("future"), std::move(handler)); });
    EXPECT_FALSE(ended.failure);
    EXPECT_NE(server.requests.at(0).find(R"({"future":1})"), std::string::npos);

    cluster documented;
    documented.name = cluster_c;
    documented.size_gb = 3;
    server.answer(200, R"({"name":"o"})");
    ended = run<operation>(
        [&](auto handler) { redis().async_update_cluster(documented, update_mask("size_gb"), std::move(handler)); });
    EXPECT_FALSE(ended.failure);
}

TEST_F(Arguments, StorageUris)
{
    for (auto const* uri :
         {"", "b/o.rdb", "s3://b/o.rdb", "gs://o.rdb", "gs:///o.rdb", "gs://b/.rdb", "gs://b/o.txt", "gs://b/"}) {
        auto const problem = refused<operation>([&](auto handler) {
            redis().async_export_instance(instance_a, export_instance_request::to(uri), std::move(handler));
        });
        EXPECT_EQ(
            problem,
            "outputConfig.gcsDestination.uri is '" + std::string(uri)
                + "', but must name an object in Cloud Storage with the suffix .rdb: gs://{bucket}/{object}.rdb");
        EXPECT_EQ(
            refused<operation>([&](auto handler) {
                redis().async_import_instance(instance_a, import_instance_request::from(uri), std::move(handler));
            }).find("inputConfig.gcsSource.uri is '"),
            0U);
    }
    EXPECT_EQ(
        refused<operation>([&](auto handler) {
            redis().async_import_instance(instance_a, import_instance_request(), std::move(handler));
        }).find("inputConfig.gcsSource.uri is ''"),
        0U);
}

TEST_F(Arguments, RequestsOfInstances)
{
    EXPECT_EQ(
        refused<operation>([&](auto handler) {
            failover_instance_request wanted;
            wanted.data_protection_mode = open_enum<data_protection_mode>::from_name("NO_LOSS");
            redis().async_failover_instance(instance_a, wanted, std::move(handler));
        }),
        "dataProtectionMode is 'NO_LOSS', but must be one of LIMITED_DATA_LOSS, FORCE_DATA_LOSS");
    for (auto const* version : {"", "7.2", "REDIS_", "redis_7_2"}) {
        EXPECT_EQ(
            refused<operation>([&](auto handler) {
                upgrade_instance_request wanted;
                wanted.redis_version = version;
                redis().async_upgrade_instance(instance_a, wanted, std::move(handler));
            }),
            "redisVersion is '" + std::string(version) + "', but must be a version such as REDIS_7_2");
    }
    reschedule_maintenance_request when;
    auto const reschedule = [&] {
        return refused<operation>(
            [&](auto handler) { redis().async_reschedule_maintenance(instance_a, when, std::move(handler)); });
    };
    EXPECT_EQ(
        reschedule(), "rescheduleType is not given; it must be one of IMMEDIATE, NEXT_AVAILABLE_WINDOW, SPECIFIC_TIME");
    when.reschedule_type = open_enum<reschedule_type>::from_name("TOMORROW");
    EXPECT_EQ(
        reschedule(),
        "rescheduleType is 'TOMORROW', but must be one of IMMEDIATE, NEXT_AVAILABLE_WINDOW, SPECIFIC_TIME");
    when.reschedule_type = reschedule_type::specific_time;
    EXPECT_EQ(reschedule(), "scheduleTime is not given; the rescheduleType SPECIFIC_TIME needs it");
}

TEST_F(Arguments, Clusters)
{
    auto const nothing = [](cluster&) {};
    EXPECT_EQ(
        create_cluster(nothing, std::string(64, 'c'))
            .find("'" + std::string(64, 'c') + "' is not a cluster id; a cluster id is 1 to 63"),
        0U);
    EXPECT_EQ(create_cluster([](auto& c) { c.shard_count = 0; }), "shardCount is 0, but must be 1 or more");
    EXPECT_EQ(create_cluster([](auto& c) { c.replica_count = -1; }), "replicaCount is -1, but must be 0 or more");
    EXPECT_EQ(
        create_cluster([](auto& c) { c.psc_configs.resize(1); }),
        "pscConfigs needs a network in each, such as projects/{project}/global/networks/{network}");
    EXPECT_EQ(
        create_cluster([](auto& c) {
            c.gcs_source.emplace();
            c.managed_backup_source.emplace();
        }),
        "gcsSource and managedBackupSource are both given; a cluster is filled from one of them");
    EXPECT_EQ(
        create_cluster([](auto& c) {
            c.node_type = open_enum<node_type>::from_name("REDIS_HUGE");
        }).find("nodeType is 'REDIS_HUGE', but must be one of REDIS_SHARED_CORE_NANO, "),
        0U);
    EXPECT_EQ(
        create_cluster([](auto& c) { c.name = cluster_c + "x"; }).find("the name is '" + cluster_c + "x', but"), 0U);
    reschedule_cluster_maintenance_request when;
    when.reschedule_type = cluster_reschedule_type::specific_time;
    EXPECT_EQ(
        refused<operation>(
            [&](auto handler) { redis().async_reschedule_cluster_maintenance(cluster_c, when, std::move(handler)); }),
        "scheduleTime is not given; the rescheduleType SPECIFIC_TIME needs it");
}

TEST_F(Arguments, Backups)
{
    EXPECT_EQ(
        backup_of([](auto& b) { b.backup_id = "a/b"; }).find("'a/b' is not a backup id; a backup id is letters"), 0U);
    EXPECT_EQ(
        backup_of([](auto& b) { b.ttl = duration(86399s); }),
        "ttl is 86399s, but must be from one day (86400s) to 100 years");
    EXPECT_EQ(
        backup_of([](auto& b) { b.ttl = duration::parse("3155760001s"); }),
        "ttl is 3155760001s, but must be from one day (86400s) to 100 years");
    for (auto const* bucket : {"", "gs://b", "b/o"}) {
        EXPECT_EQ(
            refused<operation>([&](auto handler) {
                export_backup_request wanted;
                wanted.gcs_bucket = bucket;
                redis().async_export_backup(backup_k, wanted, std::move(handler));
            }),
            "gcsBucket is '" + std::string(bucket)
                + "', but must be the name of a bucket alone, without gs:// and slashes");
    }
    EXPECT_EQ(
        refused<backup>([&](auto handler) {
            redis().async_get_backup(cluster_c, std::move(handler));
        }).find("'" + cluster_c + "' is not the name of a backup, which is projects/{project}/locations/"),
        0U);
}

TEST_F(Arguments, Names)
{
    EXPECT_EQ(
        refused<list_locations_response>([&](auto handler) {
            redis().async_list_locations(region, std::move(handler));
        }).find("'" + region + "' is not the name of a project, which is projects/{project}"),
        0U);
    auto const in_any = [](std::string const& rest) { return "projects/p/locations/-" + rest; };
    auto const one = "stands for all locations; only a list can be asked of all of them";
    auto const expect_one = [&](std::string const& problem) {
        EXPECT_NE(problem.find(one), std::string::npos) << problem;
    };
    expect_one(refused<backbeat::memorystore::location>(
        [&](auto h) { redis().async_get_location(in_any(""), std::move(h)); }));
    expect_one(refused<instance_auth_string>(
        [&](auto h) { redis().async_get_instance_auth_string(in_any("/instances/a"), std::move(h)); }));
    expect_one(refused<operation>([&](auto h) {
        redis().async_failover_instance(in_any("/instances/a"), failover_instance_request(), std::move(h));
    }));
    expect_one(refused<cluster>([&](auto h) { redis().async_get_cluster(in_any("/clusters/a"), std::move(h)); }));
    expect_one(refused<operation>([&](auto h) { redis().async_delete_cluster(in_any("/clusters/a"), std::move(h)); }));
    expect_one(refused<empty>([&](auto h) { redis().async_cancel_operation(in_any("/operations/o"), std::move(h)); }));
    expect_one(refused<empty>([&](auto h) { redis().async_delete_operation(in_any("/operations/o"), std::move(h)); }));
}

TEST_F(Arguments, RequestIds)
{
    call_options with;
    auto const remove = [&] {
        return refused<operation>(
            [&](auto handler) { redis().async_delete_cluster(cluster_c, with, std::move(handler)); });
    };
    for (auto const* id :
         {"1",
          "00000000-0000-0000-0000-000000000000",
          "2b6a9a5e31ac4f0c8d0f9f3a2d1c0b7e",
          "2b6a9a5e-31ac-4f0c-8d0f-9f3a2d1c0b7g",
          "2b6a9a5e-31ac-4f0c-8d0f-9f3a2d1c0b7e "}) {
        with.request_id = id;
        EXPECT_EQ(
            remove().find("'" + std::string(id) + "' is no request id; it must be a UUID other than zero, such as "),
            0U);
    }
    with.request_id = "2b6a9a5e-31ac-4f0c-8d0f-9f3a2d1c0b7e";
    constexpr auto none = "a request id is given, but this method of the API has none; ";
    EXPECT_EQ(
        refused<operation>([&](auto handler) {
            redis().async_delete_instance(instance_a, with, std::move(handler));
        }).find(none),
        0U);
    EXPECT_EQ(
        refused<instance>([&](auto handler) {
            redis().async_get_instance(instance_a, with, std::move(handler));
        }).find(none),
        0U);
}

TEST_F(Arguments, Pages)
{
    page_request page;
    page.filter = "x";
    EXPECT_EQ(
        refused<list_clusters_response>(
            [&](auto handler) { redis().async_list_clusters(region, page, std::move(handler)); }),
        "a filter is given, but this method of the API has none; only lists of locations and of operations have one");
    page.filter.clear();
    page.page_size = -1;
    EXPECT_EQ(
        refused<list_operations_response>(
            [&](auto handler) { redis().async_list_operations(region, page, std::move(handler)); }),
        "page_size is -1; it must be zero (as the service likes) or more");
}
