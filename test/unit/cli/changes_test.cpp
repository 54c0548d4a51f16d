//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "command_runner.hpp"

#include <backbeat/emulator.hpp>

#include <boost/json/parse.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace backbeat::test {
namespace {

using namespace std::chrono_literals;

emulator_options quick()
{
    emulator_options options;
    options.operation_time = 1ms;
    return options;
}

// Every verb, against the emulator.
class cli_changes : public testing::Test {
protected:
    process_result run(std::vector<std::string> words, bool regional = true)
    {
        words.insert(words.end(), {"--endpoint", server.url(), "--initial-backoff", "1ms"});
        if (regional) words.insert(words.end(), {"--region", "us-central1"});
        return run_backbeat(words, {"GOOGLE_CLOUD_PROJECT=p"});
    }

    // Makes a change, waits for it, and returns what was done as the operation tells it.
    std::string change(std::vector<std::string> words)
    {
        words.insert(words.end(), {"--wait", "--initial-poll-interval", "2ms", "--output", "json"});
        auto const ended = run(std::move(words));
        EXPECT_EQ(ended.status, 0) << ended.err;
        EXPECT_EQ(ended.err, "") << "no progress line where there is no terminal";
        if (ended.status != 0) return {};
        auto const operation = boost::json::parse(ended.out);
        EXPECT_TRUE(operation.at("done").as_bool());
        return std::string(operation.at("metadata").at("verb").as_string());
    }

    boost::json::value json_of(std::vector<std::string> words, bool regional = true)
    {
        words.insert(words.end(), {"--output", "json"});
        auto const ended = run(std::move(words), regional);
        EXPECT_EQ(ended.status, 0) << ended.err;
        return ended.status == 0 ? boost::json::parse(ended.out) : boost::json::value(boost::json::object());
    }

    std::string file(std::string const& name, std::string const& text)
    {
        auto path = testing::TempDir() + "backbeat_" + std::to_string(::getpid()) + "_" + name;
        std::ofstream(path) << text;
        files.push_back(path);
        return path;
    }

    std::size_t posts(std::string const& path_end) const
    {
        auto const all = server.requests();
        return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](auto const& each) {
            return each.method == "POST" && each.path.size() >= path_end.size()
                && each.path.compare(each.path.size() - path_end.size(), path_end.size(), path_end) == 0;
        }));
    }

    ~cli_changes() override
    {
        for (auto const& each : files) std::remove(each.c_str());
    }

    backbeat::emulator server{quick()};
    std::vector<std::string> files;
};

TEST_F(cli_changes, leave_the_rest_of_a_field_as_it_is)
{
    change(
        {"instances",
         "create",
         "a",
         "--tier",
         "STANDARD_HA",
         "--persistence-mode",
         "RDB",
         "--rdb-snapshot-period",
         "SIX_HOURS",
         "--maintenance-window-day",
         "MONDAY",
         "--maintenance-window-hour",
         "4"});
    change({"instances", "update", "a", "--rdb-snapshot-period", "ONE_HOUR", "--maintenance-window-hour", "5"});
    auto const made = json_of({"instances", "get", "a"});
    EXPECT_EQ(made.at("persistenceConfig").at("persistenceMode"), "RDB");
    EXPECT_EQ(made.at("persistenceConfig").at("rdbSnapshotPeriod"), "ONE_HOUR");
    auto const& window = made.at("maintenancePolicy").at("weeklyMaintenanceWindow").at(0);
    EXPECT_EQ(window.at("day"), "MONDAY");
    EXPECT_EQ(window.at("startTime").at("hours"), 5);

    change(
        {"clusters",
         "create",
         "c",
         "--shard-count",
         "3",
         "--network",
         "projects/p/global/networks/n",
         "--automated-backup-mode",
         "ENABLED",
         "--automated-backup-retention",
         "24h"});
    change({"clusters", "update", "c", "--automated-backup-retention", "48h"});
    auto const config = json_of({"clusters", "get", "c"}).at("automatedBackupConfig");
    EXPECT_EQ(config.at("automatedBackupMode"), "ENABLED");
    EXPECT_EQ(config.at("retention"), "172800s");
}

TEST_F(cli_changes, take_no_message_with_a_field_that_there_is_not)
{
    auto const wrong = file("wrong.json", R"({"displayNam":"x"})");
    for (auto const& words : std::vector<std::vector<std::string>>{
             {"instances", "update", "a", "--json", wrong, "--update-mask", "displayName"},
             {"instances", "create", "a", "--json", wrong}}) {
        auto const ended = run(words);
        EXPECT_EQ(ended.status, 2);
        EXPECT_NE(ended.err.find("displayNam"), std::string::npos) << ended.err;
    }
    EXPECT_TRUE(server.requests().empty());
}

TEST_F(cli_changes, take_no_part_of_a_field_beside_a_file_that_does_not_have_the_rest)
{
    auto const wanted = file("part.json", R"({"displayName":"x"})");
    auto const ended =
        run({"instances", "update", "a", "--json", wanted, "--update-mask", "displayName", "--labels", "a=b"});
    EXPECT_EQ(ended.status, 2);
    EXPECT_NE(ended.err.find("name labels in --update-mask"), std::string::npos) << ended.err;
    EXPECT_TRUE(server.requests().empty());
}

TEST_F(cli_changes, is_found_although_the_service_has_set_times_in_it)
{
    change({"instances", "create", "a", "--maintenance-window-day", "MONDAY", "--maintenance-window-hour", "4"});
    server.set_faults({parse_fault_rule("reset method=PATCH first=1 when=after")});
    change({"instances", "update", "a", "--maintenance-window-hour", "5", "--settle-time", "10ms"});
    auto const& effects = server.effects();
    EXPECT_EQ(
        std::count_if(
            effects.begin(), effects.end(), [](auto const& each) { return each.method == "instances.patch"; }),
        1);
}

TEST_F(cli_changes, name_the_operation_that_has_begun_if_the_result_cannot_be_written)
{
    auto const ended = run_process(
        {"/bin/sh",
         "-c",
         "\"$0\" instances create a --project p --region us-central1 --endpoint \"$1\" >/dev/full",
         BACKBEAT_EXECUTABLE,
         server.url()});
    EXPECT_EQ(ended.status, 1);
    EXPECT_NE(ended.err.find("the operation is projects/p/locations/us-central1/operations/"), std::string::npos)
        << ended.err;
}

TEST_F(cli_changes, an_instance_goes_through_all_its_verbs)
{
    EXPECT_EQ(
        change(
            {"instances",
             "create",
             "a",
             "--tier",
             "STANDARD_HA",
             "--memory-size-gb",
             "5",
             "--redis-version",
             "REDIS_6_X",
             "--redis-configs",
             "maxmemory-policy=allkeys-lru",
             "--maintenance-window-day",
             "FRIDAY",
             "--maintenance-window-hour",
             "3"}),
        "create");
    auto const made = json_of({"instances", "get", "a"});
    EXPECT_EQ(made.at("redisConfigs"), boost::json::parse(R"({"maxmemory-policy":"allkeys-lru"})"));
    EXPECT_EQ(made.at("maintenancePolicy").at("weeklyMaintenanceWindow").at(0).at("day"), "FRIDAY");
    EXPECT_EQ(made.at("maintenancePolicy").at("weeklyMaintenanceWindow").at(0).at("startTime").at("hours"), 3);

    EXPECT_EQ(change({"instances", "failover", "a", "--data-protection-mode", "FORCE_DATA_LOSS"}), "failover");
    EXPECT_EQ(change({"instances", "export", "a", "gs://bucket/a.rdb"}), "export");
    EXPECT_EQ(change({"instances", "import", "a", "gs://bucket/a.rdb"}), "import");
    EXPECT_EQ(change({"instances", "upgrade", "a", "--redis-version", "REDIS_7_2"}), "upgrade");
    EXPECT_EQ(json_of({"instances", "get", "a"}).at("redisVersion"), "REDIS_7_2");
    EXPECT_EQ(
        change(
            {"instances",
             "reschedule",
             "a",
             "--reschedule-type",
             "SPECIFIC_TIME",
             "--schedule-time",
             "2031-01-01T00:00:00Z"}),
        "reschedule");
    EXPECT_EQ(change({"instances", "update", "a", "--auth-enabled", "true"}), "update");
    auto const secret = json_of({"instances", "auth-string", "a"}).at("authString").as_string();
    EXPECT_FALSE(secret.empty());
    EXPECT_EQ(run({"instances", "auth-string", "a"}).out, "auth_string  " + std::string(secret) + "\n");
    EXPECT_EQ(change({"instances", "delete", "a"}), "delete");
}

TEST_F(cli_changes, an_update_changes_the_fields_that_were_said_and_no_others)
{
    change({"instances", "create", "a", "--labels", "a=b,c=d", "--display-name", "before"});
    change({"instances", "update", "a", "--memory-size-gb", "7", "--labels", "e=f"});
    auto const sized = json_of({"instances", "get", "a"});
    EXPECT_EQ(sized.at("memorySizeGb"), 7);
    EXPECT_EQ(sized.at("labels"), boost::json::parse(R"({"a":"b","c":"d","e":"f"})")) << "the others stay";

    change({"instances", "update", "a", "--clear-labels", "--labels", "e=g"});
    EXPECT_EQ(json_of({"instances", "get", "a"}).at("labels"), boost::json::parse(R"({"e":"g"})"));
    EXPECT_EQ(sized.at("displayName"), "before");

    change({"instances", "update", "a", "--clear-labels"});
    EXPECT_FALSE(json_of({"instances", "get", "a"}).as_object().contains("labels"));

    auto const wanted = file("update.json", R"({"displayName":"after","memorySizeGb":1,"labels":{"g":"h"}})");
    change({"instances", "update", "a", "--json", wanted, "--update-mask", "display_name,labels"});
    auto const named = json_of({"instances", "get", "a"});
    EXPECT_EQ(named.at("displayName"), "after");
    EXPECT_EQ(named.at("labels"), boost::json::parse(R"({"g":"h"})"));
    EXPECT_EQ(named.at("memorySizeGb"), 7) << "the mask does not name it";

    change({"instances", "update", "a", "--update-mask", "displayName"});
    EXPECT_FALSE(json_of({"instances", "get", "a"}).as_object().contains("displayName"));
}

TEST_F(cli_changes, an_instance_is_created_from_json_that_flags_change)
{
    auto const wanted =
        file("create.json", R"({"tier":"STANDARD_HA","memory_size_gb":8,"displayName":"file","labels":{"a":"b"}})");
    change({"instances", "create", "a", "--json", wanted, "--display-name", "flag"});
    auto const made = json_of({"instances", "get", "a"});
    EXPECT_EQ(made.at("tier"), "STANDARD_HA");
    EXPECT_EQ(made.at("memorySizeGb"), 8);
    EXPECT_EQ(made.at("displayName"), "flag");
    EXPECT_EQ(made.at("labels"), boost::json::parse(R"({"a":"b"})"));

    auto const broken = file("broken.json", R"({"memorySizeGb":"many"})");
    auto const refused = run({"instances", "create", "b", "--json", broken});
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.err.find("memorySizeGb: expected an integer, got \"many\"\n"), std::string::npos) << refused.err;
}

TEST_F(cli_changes, clusters_and_their_backups_go_through_all_their_verbs)
{
    EXPECT_EQ(
        change(
            {"clusters",
             "create",
             "c",
             "--shard-count",
             "3",
             "--replica-count",
             "0",
             "--network",
             "projects/p/global/networks/default",
             "--request-id",
             "5f0d1d77-6a43-4d3f-9d0c-8c5a3d2b1a09"}),
        "create");
    EXPECT_EQ(json_of({"clusters", "get", "c"}).at("replicaCount"), 0);
    EXPECT_EQ(change({"clusters", "update", "c", "--shard-count", "4"}), "update");
    EXPECT_EQ(json_of({"clusters", "list"}, false).at("clusters").at(0).at("shardCount"), 4);
    EXPECT_EQ(change({"clusters", "backup", "c", "--backup-id", "b1", "--ttl", "48h"}), "backup");
    EXPECT_EQ(change({"clusters", "reschedule", "c", "--reschedule-type", "IMMEDIATE"}), "reschedule");
    EXPECT_EQ(
        json_of({"clusters", "certificate-authority", "c"}).at("name"),
        "projects/p/locations/us-central1/clusters/c/certificateAuthority");

    auto const collections = json_of({"backup-collections", "list"}).at("backupCollections");
    ASSERT_EQ(collections.as_array().size(), 1U);
    std::string const collection(collections.at(0).at("name").as_string());
    auto const id = collection.substr(collection.rfind('/') + 1);
    EXPECT_EQ(json_of({"backup-collections", "get", id}).at("name"), collections.at(0).at("name"));
    EXPECT_EQ(json_of({"backups", "list", "--backup-collection", id}).at("backups").as_array().size(), 1U);
    EXPECT_EQ(json_of({"backups", "get", "b1", "--backup-collection", collection}).at("state"), "ACTIVE");
    EXPECT_EQ(json_of({"backups", "get", collection + "/backups/b1"}, false).at("state"), "ACTIVE");
    EXPECT_EQ(change({"backups", "export", "b1", "--backup-collection", id, "--gcs-bucket", "bucket"}), "export");
    EXPECT_EQ(change({"backups", "delete", "b1", "--backup-collection", id}), "delete");
    EXPECT_EQ(run({"backups", "list", "--backup-collection", id}).out, "no backups\n");
    EXPECT_EQ(change({"clusters", "delete", "c"}), "delete");
}

TEST_F(cli_changes, operations_and_locations_are_listed_and_shown)
{
    change({"instances", "create", "a"});
    auto const listed = json_of({"operations", "list"}).at("operations");
    ASSERT_EQ(listed.as_array().size(), 1U);
    std::string const name(listed.at(0).at("name").as_string());
    auto const table = run({"operations", "list", "--output", "csv"});
    EXPECT_EQ(table.out.substr(0, 46), "ID,VERB,TARGET,DONE,ERROR,CREATED,ENDED\noperat") << table.out;
    EXPECT_NE(table.out.find(",create,a,true,,"), std::string::npos) << table.out;

    auto const forgotten = run({"operations", "delete", name}, false);
    EXPECT_EQ(forgotten.status, 0) << forgotten.err;
    EXPECT_EQ(forgotten.out, "");
    EXPECT_EQ(forgotten.err, name + " is forgotten\n");
    EXPECT_EQ(run({"operations", "get", name}, false).status, 1);

    auto const shown = run({"locations", "get", "us-central1"}, false);
    EXPECT_NE(shown.out.find("us-central1-a,us-central1-b"), std::string::npos) << shown.out;
    EXPECT_GT(json_of({"locations", "list"}, false).at("locations").as_array().size(), 10U);
}

TEST(cli_operations, one_is_asked_to_end)
{
    emulator_options slow;
    slow.operation_time = 1h;
    backbeat::emulator const busy(slow);
    auto const ask = [&](std::vector<std::string> words) {
        words.insert(words.end(), {"--endpoint", busy.url(), "--region", "r", "--output", "json"});
        return run_backbeat(words, {"GOOGLE_CLOUD_PROJECT=p"});
    };
    auto const begun = ask({"instances", "create", "a"});
    ASSERT_EQ(begun.status, 0) << begun.err;
    std::string const name(boost::json::parse(begun.out).at("name").as_string());
    auto const cancelled = ask({"operations", "cancel", name});
    EXPECT_EQ(busy.requests().back().path, "/v1/" + name + ":cancel");
    EXPECT_EQ(cancelled.status, 0) << cancelled.err;
    EXPECT_EQ(cancelled.out, "{}\n");
}

TEST_F(cli_changes, how_a_change_is_repeated_can_be_chosen)
{
    server.set_faults({parse_fault_rule("status=503 method=POST first=1")});
    auto const never = run({"instances", "create", "a", "--mutations", "never"});
    EXPECT_EQ(never.status, 1);
    EXPECT_EQ(posts("/instances"), 1U);

    server.set_faults({parse_fault_rule("reset method=POST first=1")});
    auto const settled = run({"instances", "create", "b", "--settle-time", "1ms", "--maximum-jitter", "1ms"});
    EXPECT_EQ(settled.status, 0) << settled.err;
    EXPECT_EQ(posts("/instances"), 3U);

    server.set_faults({parse_fault_rule("status=503 method=POST when=after first=1")});
    auto const literal = run({"instances", "create", "c", "--mutations", "literal"});
    EXPECT_EQ(literal.status, 1) << "the second copy finds the instance that the first has made";
    EXPECT_EQ(posts("/instances"), 5U);
}

}  // namespace
}  // namespace backbeat::test
