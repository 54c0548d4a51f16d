//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/memorystore/resource_name.hpp>

#include <gtest/gtest.h>

#include <stdexcept>

namespace {

using namespace backbeat::memorystore;

template <class Name>
std::string problem(std::string_view text)
{
    try {
        static_cast<void>(Name::parse(text));
    } catch (std::invalid_argument const& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST(ResourceName, IsTakenApart)
{
    auto const place = location_name::parse("projects/my-project/locations/us-central1");
    EXPECT_EQ(place.project, "my-project");
    EXPECT_EQ(place.location, "us-central1");
    EXPECT_EQ(place.to_string(), "projects/my-project/locations/us-central1");

    auto const instance = instance_name::parse("projects/example.com:p/locations/europe-west3/instances/a-1");
    EXPECT_EQ(instance.project, "example.com:p");
    EXPECT_EQ(instance.instance, "a-1");
    EXPECT_EQ(instance.to_string(), "projects/example.com:p/locations/europe-west3/instances/a-1");

    auto const running = operation_name::parse("projects/123/locations/us-east1/operations/operation-17-84a9_X.y");
    EXPECT_EQ(running.operation, "operation-17-84a9_X.y");
    EXPECT_EQ(running.to_string(), "projects/123/locations/us-east1/operations/operation-17-84a9_X.y");

    EXPECT_EQ(location_name::parse("projects/p/locations/-").location, "-");

    auto const project = project_name::parse("projects/example.com:p");
    EXPECT_EQ(project.project, "example.com:p");
    EXPECT_EQ(project.to_string(), "projects/example.com:p");

    auto const cluster = cluster_name::parse("projects/p/locations/l/clusters/shards-1");
    EXPECT_EQ(cluster.project, "p");
    EXPECT_EQ(cluster.location, "l");
    EXPECT_EQ(cluster.cluster, "shards-1");
    EXPECT_EQ(cluster.to_string(), "projects/p/locations/l/clusters/shards-1");

    // Ids that the service makes may start with a digit.
    auto const collection = backup_collection_name::parse("projects/p/locations/l/backupCollections/0b9d-7f4a");
    EXPECT_EQ(collection.collection, "0b9d-7f4a");
    EXPECT_EQ(collection.to_string(), "projects/p/locations/l/backupCollections/0b9d-7f4a");

    auto const taken = backup_name::parse("projects/p/locations/l/backupCollections/c/backups/20260822101112_0b9d");
    EXPECT_EQ(taken.project, "p");
    EXPECT_EQ(taken.location, "l");
    EXPECT_EQ(taken.collection, "c");
    EXPECT_EQ(taken.backup, "20260822101112_0b9d");
    EXPECT_EQ(taken.to_string(), "projects/p/locations/l/backupCollections/c/backups/20260822101112_0b9d");
}

TEST(ResourceName, SaysWhatItShouldBe)
{
    EXPECT_EQ(
        problem<instance_name>("my-instance"),
        "'my-instance' is not the name of an instance, which is "
        "projects/{project}/locations/{location}/instances/{instance}");
    EXPECT_EQ(
        problem<instance_name>("projects/p/locations/l/instances/A"),
        "'projects/p/locations/l/instances/A' is not the name of an instance, which is "
        "projects/{project}/locations/{location}/instances/{instance}; an instance id is 1 to 40 lower-case letters, "
        "digits and hyphens, starts with a letter and does not end with a hyphen");
    EXPECT_EQ(
        problem<cluster_name>("projects/p/locations/l/clusters/c-"),
        "'projects/p/locations/l/clusters/c-' is not the name of a cluster, which is "
        "projects/{project}/locations/{location}/clusters/{cluster}; a cluster id is 1 to 63 lower-case letters, "
        "digits and hyphens, starts with a letter and does not end with a hyphen");
    EXPECT_EQ(problem<project_name>("p"), "'p' is not the name of a project, which is projects/{project}");
    EXPECT_NE(problem<project_name>("projects/P").find("a project is"), std::string::npos);
    EXPECT_NE(
        problem<backup_collection_name>("projects/p/locations/l/backupCollections/a b")
            .find("id of a backup collection"),
        std::string::npos);
    EXPECT_NE(
        problem<backup_name>("projects/p/locations/l/backupCollections/c/backups/a b").find("a backup id is"),
        std::string::npos);
    EXPECT_NE(
        problem<backup_name>("projects/p/locations/l/backupCollections/../backups/b").find("id of a backup collection"),
        std::string::npos);
    EXPECT_NE(problem<location_name>("projects/P/locations/l").find("a project is"), std::string::npos);
    EXPECT_NE(problem<location_name>("projects/p/locations/US").find("us-central1"), std::string::npos);
    EXPECT_NE(problem<operation_name>("projects/p/locations/l/operations/a b").find("operation id"), std::string::npos);
}

TEST(ResourceName, WhatIsNone)
{
    for (auto const* text :
         {"",
          "/",
          "projects",
          "projects/",
          "projects//locations/l/instances/i",
          "/projects/p/locations/l/instances/i",
          "projects/p/locations/l/instances/i/",
          "projects/p/locations/l/instances/",
          "projects/p/locations/l/instances/..",
          "projects/../locations/l/instances/i",
          "projects/p/locations/l/instances/i?x=1",
          "projects/p/locations/l/instances/i#",
          "projects/p/locations/l/instances/i%2e",
          "projects/p/locations/l/clusters/i",
          "projects/p/locations/l/operations/i",
          "Projects/p/locations/l/instances/i",
          "projects/p q/locations/l/instances/i",
          "projects/p/locations/l\r\n/instances/i"})
        EXPECT_NE(problem<instance_name>(text), "no error") << text;
    EXPECT_NE(problem<location_name>("projects/p/locations/l/instances/i"), "no error");
    EXPECT_NE(problem<operation_name>("projects/p/locations/l/operations/.."), "no error");
    EXPECT_NE(problem<operation_name>("projects/p/locations/l/operations/" + std::string(257, 'x')), "no error");
    EXPECT_NE(problem<project_name>("projects/p/locations/l"), "no error");
    EXPECT_NE(problem<project_name>("projects/.."), "no error");
    EXPECT_NE(problem<cluster_name>("projects/p/locations/l/instances/c"), "no error");
    EXPECT_NE(problem<cluster_name>("projects/p/locations/l/clusters/c/certificateAuthority"), "no error");
    EXPECT_NE(problem<backup_collection_name>("projects/p/locations/l/backupCollections/c/backups/b"), "no error");
    EXPECT_NE(problem<backup_collection_name>("projects/p/locations/l/backupcollections/c"), "no error");
    EXPECT_NE(problem<backup_name>("projects/p/locations/l/backupCollections/c"), "no error");
    EXPECT_NE(problem<backup_name>("projects/p/locations/l/backupCollections/c/backups/.."), "no error");
    EXPECT_NE(problem<backup_name>("projects/p/locations/L/backupCollections/c/backups/b"), "no error");
    // Nothing that a terminal would act upon comes back.
    EXPECT_EQ(problem<instance_name>("a\x1b[31m\n").find('\x1b'), std::string::npos);
}

TEST(ResourceName, InstanceIds)
{
    for (auto const* id : {"a", "a1", "my-instance", "a--b", "abcdefghijabcdefghijabcdefghijabcdefghij"})
        EXPECT_NO_THROW(check_instance_id(id)) << id;
    for (auto const* id : {"", "1a", "-a", "a-", "A", "a_b", "a.b", "a/b", "abcdefghijabcdefghijabcdefghijabcdefghijk"})
        EXPECT_THROW(check_instance_id(id), std::invalid_argument) << id;
}

TEST(ResourceName, ClusterIds)
{
    std::string const longest(63, 'a');
    for (auto const& id : {std::string("a"), std::string("shards-1"), longest})
        EXPECT_NO_THROW(check_cluster_id(id)) << id;
    for (auto const& id : {std::string(), std::string("1a"), std::string("a-"), std::string("A"), longest + 'a'})
        EXPECT_THROW(check_cluster_id(id), std::invalid_argument) << id;
}

TEST(ResourceName, BackupIds)
{
    for (auto const* id : {"b1", "20260822101112_0b9d", "Nightly.1"}) EXPECT_NO_THROW(check_backup_id(id)) << id;
    for (auto const* id : {"", ".", "..", "a/b", "a b", "a?b", "a:export", "a%2e", "\xc3\xa4"})
        EXPECT_THROW(check_backup_id(id), std::invalid_argument) << id;
}
