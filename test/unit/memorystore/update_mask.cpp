//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/memorystore/cluster.hpp>
#include <backbeat/memorystore/instance.hpp>
#include <backbeat/memorystore/update_mask.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace {

using namespace backbeat::memorystore;
using namespace std::chrono_literals;

}  // namespace

TEST(UpdateMask, NamesFieldsInEitherSpelling)
{
    update_mask const mask{"displayName", "memory_size_gb", "persistence_config.rdb_snapshot_period", "display_name"};
    EXPECT_EQ(
        mask.paths(), (std::vector<std::string>{"displayName", "memorySizeGb", "persistenceConfig.rdbSnapshotPeriod"}));
    EXPECT_EQ(mask.to_string(), "displayName,memorySizeGb,persistenceConfig.rdbSnapshotPeriod");
    EXPECT_EQ(update_mask(" displayName, memorySizeGb ,persistenceConfig.rdbSnapshotPeriod"), mask);
    EXPECT_TRUE(update_mask().empty());
    EXPECT_TRUE(update_mask("").empty());
    EXPECT_EQ(update_mask("").to_string(), "");
    EXPECT_FALSE(update_mask(",").empty());
}

TEST(UpdateMask, NamesMembers)
{
    auto const mask = update_mask::of(&instance::display_name, &instance::labels, &instance::redis_configs);
    EXPECT_EQ(mask.to_string(), "displayName,labels,redisConfigs");
    EXPECT_EQ(update_mask::of(&cluster::shard_count).to_string(), "shardCount");
}

TEST(UpdateMask, TheDifferenceIsWhatAnUpdateIsToChange)
{
    instance before;
    before.name = "projects/p/locations/l/instances/i";
    before.memory_size_gb = 1;
    before.auth_enabled = true;
    before.labels["a"] = "b";
    before.state = instance_state::ready;
    before.unknown_fields["future"] = 1;
    auto after = before;
    EXPECT_TRUE(update_mask::difference(before, after).empty());

    after.memory_size_gb = 2;
    after.auth_enabled = false;
    after.labels.clear();
    after.display_name = "new";
    after.unknown_fields["future"] = 2;
    // What only the service sets.
    after.state = instance_state::updating;
    after.host = "10.0.0.1";
    after.create_time = timestamp(std::chrono::system_clock::time_point(1s));
    EXPECT_EQ(
        update_mask::difference(before, after),
        (update_mask{"displayName", "memorySizeGb", "future", "labels", "authEnabled"}));

    cluster small;
    small.size_gb = 10;
    small.deletion_protection_enabled = true;
    auto large = small;
    large.size_gb = 20;
    large.shard_count = 3;
    large.deletion_protection_enabled = false;
    EXPECT_EQ(update_mask::difference(small, large), (update_mask{"shardCount", "deletionProtectionEnabled"}));
}
