//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "emulator_fixture.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace backbeat::memorystore;

class ClustersWithEmulator : public WithEmulator {
protected:
    template <class Start>
    operation does(std::string const& verb, std::string const& target, Start start)
    {
        auto const begun = run<operation>(std::move(start));
        EXPECT_EQ(begun.verb(), verb);
        EXPECT_EQ(begun.target(), target);
        return wait(begun);
    }

    cluster make()
    {
        cluster wanted;
        wanted.shard_count = 3;
        wanted.psc_configs.emplace_back().network = "projects/p/global/networks/default";
        wanted.transit_encryption_mode = cluster_transit_encryption_mode::transit_encryption_mode_server_authentication;
        auto const ended =
            does("create", name, [&](auto h) { redis().async_create_cluster(region, "c", wanted, std::move(h)); });
        return ended.response_as<cluster>().value();
    }

    std::string const name = region + "/clusters/c";
};

}  // namespace

TEST_F(ClustersWithEmulator, TheLifeOfACluster)
{
    auto const before = make();
    EXPECT_EQ(before.name, name);
    EXPECT_EQ(before.state, cluster_state::active);
    auto const authority = run<certificate_authority>(
        [&](auto h) { redis().async_get_cluster_certificate_authority(name, std::move(h)); });
    EXPECT_FALSE(authority.managed_server_ca->ca_certs.empty());

    auto after = before;
    after.shard_count = 5;
    after.redis_configs["maxmemory-policy"] = "allkeys-lru";
    auto const mask = update_mask::difference(before, after);
    auto const updated = does("update", name, [&](auto h) { redis().async_update_cluster(after, mask, std::move(h)); });
    EXPECT_EQ(updated.response_as<cluster>()->shard_count, 5);

    reschedule_cluster_maintenance_request when;
    when.reschedule_type = cluster_reschedule_type::immediate;
    does("reschedule", name, [&](auto h) { redis().async_reschedule_cluster_maintenance(name, when, std::move(h)); });

    auto const listed =
        run<list_clusters_response>([&](auto h) { redis().async_list_all_clusters(region, std::move(h)); });
    ASSERT_EQ(listed.clusters.size(), 1U);
    EXPECT_EQ(listed.clusters[0], run<cluster>([&](auto h) { redis().async_get_cluster(name, std::move(h)); }));

    EXPECT_TRUE(
        does("delete", name, [&](auto h) { redis().async_delete_cluster(name, std::move(h)); }).response_as<empty>());
    EXPECT_EQ(google.total_effects(), 4U);
}

TEST_F(ClustersWithEmulator, TheLifeOfABackup)
{
    make();
    backup_cluster_request wanted;
    wanted.backup_id = "k";
    auto const made = does("backup", name, [&](auto h) { redis().async_backup_cluster(name, wanted, std::move(h)); });
    auto const collection = made.response_as<cluster>()->backup_collection;
    auto const again =
        failure_of([&] { run<operation>([&](auto h) { redis().async_backup_cluster(name, wanted, std::move(h)); }); });
    EXPECT_EQ(again.code(), rpc_code::already_exists);

    auto const collections = run<list_backup_collections_response>(
        [&](auto h) { redis().async_list_all_backup_collections(region, std::move(h)); });
    ASSERT_EQ(collections.backup_collections.size(), 1U);
    EXPECT_EQ(collections.backup_collections[0].name, collection);
    EXPECT_EQ(
        run<backup_collection>([&](auto h) { redis().async_get_backup_collection(collection, std::move(h)); }).cluster,
        name);
    does("backup", name, [&](auto h) { redis().async_backup_cluster(name, backup_cluster_request(), std::move(h)); });
    auto const listed =
        run<list_backups_response>([&](auto h) { redis().async_list_all_backups(collection, std::move(h)); });
    EXPECT_EQ(listed.backups.size(), 2U);

    auto const kept = collection + "/backups/k";
    EXPECT_EQ(run<backup>([&](auto h) { redis().async_get_backup(kept, std::move(h)); }).state, backup_state::active);
    export_backup_request bucket;
    bucket.gcs_bucket = "bucket";
    auto const exported =
        does("export", kept, [&](auto h) { redis().async_export_backup(kept, bucket, std::move(h)); });
    EXPECT_EQ(exported.response_as<backup>()->name, kept);
    does("delete", kept, [&](auto h) { redis().async_delete_backup(kept, std::move(h)); });
    EXPECT_EQ(
        failure_of([&] { run<backup>([&](auto h) { redis().async_get_backup(kept, std::move(h)); }); }).code(),
        rpc_code::not_found);
}

TEST_F(ClustersWithEmulator, AChangeWithARequestIdIsCarriedOutOnce)
{
    make();
    auto const effects = google.total_effects();
    // It acts, and its answers are lost.
    faults({"reset method=DELETE when=after first=1", "status=503 method=DELETE when=after first=1"});
    auto const requests = google.total_requests();
    auto const deleted = run<operation>([&](auto h) { redis().async_delete_cluster(name, std::move(h)); });
    EXPECT_EQ(google.total_requests(), requests + 3);
    EXPECT_TRUE(wait(deleted).response_as<empty>());
    EXPECT_EQ(google.total_effects(), effects + 1);
}
