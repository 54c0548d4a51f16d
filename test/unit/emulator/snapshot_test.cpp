//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "emulator_client.hpp"
#include "snapshot.hpp"

#include <backbeat/emulator.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>

namespace backbeat::emulation {

namespace {

struct remembering_api {
    boost::json::object save() { return {{"text", text}}; }

    void load(boost::json::object const& state)
    {
        auto const* const found = state.if_contains("text");
        if (!found || !found->is_string()) throw memorystore::json_error("state.text", "expected a string");
        text = found->get_string().c_str();
    }

    std::string text;
};

struct forgetful_api {};

TEST(emulator_snapshot, gives_back_what_was_saved)
{
    remembering_api first{"state"};
    auto const text = save_snapshot(first);
    EXPECT_EQ(text, R"({"version":1,"state":{"text":"state"}})");
    remembering_api second;
    load_snapshot_into(second, text);
    EXPECT_EQ(second.text, "state");
}

TEST(emulator_snapshot, refuses_what_is_none_and_changes_nothing)
{
    remembering_api api{"before"};
    for (auto const* text :
         {"",
          "{",
          "[]",
          "{}",
          R"({"version":1})",
          R"({"state":{}})",
          R"({"version":2,"state":{"text":"x"}})",
          R"({"version":1,"state":[]})",
          R"({"version":1,"state":{"text":"x"},"more":1})",
          R"({"version":1,"state":{"text":7}})"}) {
        EXPECT_THROW(load_snapshot_into(api, text), api_error) << text;
        EXPECT_EQ(api.text, "before");
    }
    forgetful_api none;
    EXPECT_THROW((void)save_snapshot(none), api_error);
    EXPECT_THROW(load_snapshot_into(none, "{}"), api_error);
}

constexpr char const* instances = "/v1/projects/p/locations/l/instances";

TEST(emulator_snapshot, holds_resources_and_operations_as_they_are_when_all_have_ended)
{
    emulator_options options;
    options.operation_time = std::chrono::hours(1);
    emulator first(options);
    test::emulator_client client(first.url());
    auto const begun = client.post(
        std::string(instances) + "?instanceId=i", R"({"tier":"BASIC","memorySizeGb":2,"authEnabled":true})");
    auto const operation = "/v1/" + std::string(begun.json().at("name").as_string());
    EXPECT_EQ(client.get(std::string(instances) + "/i").json().at("state").as_string(), "CREATING");
    auto const text = client.get("/emulator/v1/snapshot").body;
    EXPECT_EQ(text, first.snapshot());
    auto const instance = client.get(std::string(instances) + "/i").body;

    options.snapshot = text;
    emulator second(options);
    test::emulator_client other(second.url());
    EXPECT_EQ(other.get(std::string(instances) + "/i").body, instance);
    EXPECT_EQ(other.get(std::string(instances) + "/i").json().at("state").as_string(), "READY");
    EXPECT_EQ(
        other.get(std::string(instances) + "/i/authString").body,
        client.get(std::string(instances) + "/i/authString").body);
    EXPECT_EQ(other.get(operation).body, client.get(operation).body);
    EXPECT_TRUE(other.get(operation).json().at("done").as_bool());
    EXPECT_EQ(second.snapshot(), text);
    EXPECT_EQ(second.total_effects(), 0U);

    // What was loaded is a resource like any other.
    EXPECT_EQ(other.send("DELETE", std::string(instances) + "/i").status, 200);
    EXPECT_EQ(other.post("/emulator/v1/snapshot", text).body, "{}");
    EXPECT_EQ(second.snapshot(), text);
}

TEST(emulator_snapshot, holds_clusters_and_their_backups)
{
    emulator_options options;
    options.operation_time = std::chrono::hours(1);
    emulator first(options);
    test::emulator_client client(first.url());
    std::string const location = "/v1/projects/p/locations/l";
    auto const c1 = location + "/clusters/c1";
    (void)client.post(
        location + "/clusters?clusterId=c1",
        R"({"shardCount":2,"transitEncryptionMode":"TRANSIT_ENCRYPTION_MODE_SERVER_AUTHENTICATION"})");
    (void)client.post(location + "/clusters?clusterId=c2", "{}");
    (void)client.get("/emulator/v1/snapshot");
    for (auto const* id : {"1", "2"}) {
        auto const cluster = location + "/clusters/c" + id;
        auto const begun = client.post(cluster + ":backup", R"({"backupId":"b","ttl":"86400s"})");
        EXPECT_EQ(begun.status, 200) << begun.body;
    }
    (void)client.get("/emulator/v1/snapshot");
    auto const c2_backups = "/v1/"
        + std::string(client.get(location + "/clusters/c2").json().at("backupCollection").as_string()) + "/backups";
    (void)client.send("DELETE", location + "/clusters/c2");
    auto const text = first.snapshot();

    options.snapshot = text;
    emulator second(options);
    test::emulator_client other(second.url());
    EXPECT_EQ(second.snapshot(), text);
    auto const c1_backups = "/v1/" + std::string(client.get(c1).json().at("backupCollection").as_string()) + "/backups";
    for (auto const& target :
         {c1,
          location + "/clusters",
          c1 + "/certificateAuthority",
          location + "/backupCollections",
          c1_backups,
          c1_backups + "/b",
          c2_backups,
          location + "/operations"}) {
        auto const reply = other.get(target);
        EXPECT_EQ(reply.status, 200) << target << reply.body;
        EXPECT_EQ(reply.body, client.get(target).body) << target;
    }
    EXPECT_NE(other.get(c1 + "/certificateAuthority").body.find("BEGIN CERTIFICATE"), std::string::npos);

    // The collection whose cluster is gone goes with its last backup, the other one does not.
    (void)other.send("DELETE", c2_backups + "/b");
    (void)other.send("DELETE", c1_backups + "/b");
    (void)second.snapshot();
    EXPECT_EQ(other.get(c2_backups).status, 404);
    EXPECT_EQ(other.get(c1_backups).body, "{}");

    // One of an emulator that had no clusters.
    second.load_snapshot(R"({"version":1,"state":{"instances":[],"authStrings":{},"operations":[]}})");
    EXPECT_EQ(other.get(location + "/clusters").body, "{}");
    EXPECT_EQ(other.get(location + "/backupCollections").body, "{}");
}

TEST(emulator_snapshot, of_the_emulator_refuses_what_is_none_and_keeps_its_state)
{
    emulator_options options;
    options.operation_time = std::chrono::nanoseconds(0);
    emulator google(options);
    test::emulator_client client(google.url());
    (void)client.post(std::string(instances) + "?instanceId=i", R"({"tier":"BASIC","memorySizeGb":2})");
    auto const before = google.snapshot();
    struct {
        char const* state;
        char const* field;
    } const table[] = {
        {R"({"instance":[]})", "instance"},
        {R"({"instances":{}})", "instances"},
        {R"({"instances":[7]})", "instances[0]"},
        {R"({"instances":[{"name":"x"}]})", "instances[0].name"},
        {R"({"instances":[{"name":"projects/p/locations/l/clusters/c"}]})", "instances[0].name"},
        {R"({"instances":[{"name":"projects/p/locations/l/instances/i","memorySizeGb":"x"}]})",
         "instances[0].memorySizeGb"},
        {R"({"operations":[{"name":"projects/p/locations/l/operations/o"}]})", "operations"},
        {R"({"authStrings":{"a":7}})", "authStrings"},
        {R"({"clusters":[{"name":"projects/p/locations/l/instances/i"}]})", "clusters[0].name"},
        {R"({"clusters":[{"name":"projects/p/locations/l/clusters/c","backupCollection":"x"}]})", "clusters"},
        {R"({"certificateAuthorities":[]})", "certificateAuthorities"},
        {R"({"backupCollections":[{"name":"projects/p/locations/l/backupCollections/b/backups/k"}]})",
         "backupCollections[0].name"},
        {R"({"backups":[{"name":"projects/p/locations/l/backupCollections/b"}]})", "backups[0].name"},
        {R"({"backups":[{"name":"projects/p/locations/l/backupCollections/b/backups/k"}]})", "backups"},
    };
    for (auto const& [state, field] : table) {
        auto const reply = client.post("/emulator/v1/snapshot", R"({"version":1,"state":)" + std::string(state) + "}");
        EXPECT_EQ(reply.status, 400) << state;
        EXPECT_EQ(
            reply.json().at("error").at("details").at(0).at("fieldViolations").at(0).at("field").as_string(), field);
        EXPECT_EQ(google.snapshot(), before);
    }
    EXPECT_THROW(google.load_snapshot("{"), std::invalid_argument);
    google.load_snapshot(R"({"version":1,"state":{}})");
    EXPECT_EQ(client.get(instances).body, "{}");
}

}  // namespace

}  // namespace backbeat::emulation
