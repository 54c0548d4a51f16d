//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "emulator_client.hpp"

#include <backbeat/emulator.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace backbeat {

namespace {

using namespace std::chrono_literals;
namespace json = boost::json;

constexpr char const* location = "/v1/projects/p/locations/us-central1";
constexpr char const* basic = R"({"tier":"BASIC","memorySizeGb":1})";

emulator_options with_operation_time(std::chrono::nanoseconds time)
{
    emulator_options options;
    options.operation_time = time;
    return options;
}

class emulator_api : public testing::Test {
protected:
    json::value create(std::string const& id, std::string const& body = basic)
    {
        auto const reply = client.post(location + std::string("/instances?instanceId=") + id, body);
        EXPECT_EQ(reply.status, 200) << reply.body;
        return reply.json();
    }

    void expect_error(test::emulator_client::reply const& reply, int status, std::string const& code)
    {
        ASSERT_EQ(reply.status, status) << reply.body;
        EXPECT_EQ(reply.fields["Content-Type"], "application/json; charset=UTF-8");
        auto const error = reply.json().at("error");
        EXPECT_EQ(error.at("code").as_int64(), status);
        EXPECT_EQ(error.at("status").as_string(), code);
        EXPECT_FALSE(error.at("message").as_string().empty());
    }

    // The fields that a 400 blames.
    std::set<std::string> blamed(test::emulator_client::reply const& reply)
    {
        expect_error(reply, 400, "INVALID_ARGUMENT");
        std::set<std::string> fields;
        auto const document = reply.json();
        for (auto const& detail : document.at("error").at("details").as_array()) {
            EXPECT_EQ(detail.at("@type").as_string(), "type.googleapis.com/google.rpc.BadRequest");
            for (auto const& violation : detail.at("fieldViolations").as_array())
                fields.emplace(violation.at("field").as_string());
        }
        return fields;
    }

    emulator google{with_operation_time(0ns)};
    test::emulator_client client{google.url()};
};

using field_set = std::set<std::string>;

TEST_F(emulator_api, begins_empty)
{
    auto const reply = client.get(location + std::string("/instances"));
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, "{}");
}

TEST_F(emulator_api, creates_with_the_defaults_of_the_service)
{
    auto const operation = create("r1");
    EXPECT_TRUE(operation.at("done").as_bool());
    EXPECT_EQ(operation.at("metadata").at("verb").as_string(), "create");
    EXPECT_EQ(operation.at("metadata").at("target").as_string(), "projects/p/locations/us-central1/instances/r1");
    EXPECT_EQ(operation.at("metadata").at("apiVersion").as_string(), "v1");
    EXPECT_EQ(
        operation.at("metadata").at("@type").as_string(),
        "type.googleapis.com/google.cloud.redis.v1.OperationMetadata");
    EXPECT_EQ(operation.at("response").at("@type").as_string(), "type.googleapis.com/google.cloud.redis.v1.Instance");

    auto const made = client.get(location + std::string("/instances/r1")).json();
    EXPECT_EQ(made.at("name").as_string(), "projects/p/locations/us-central1/instances/r1");
    EXPECT_EQ(made.at("state").as_string(), "READY");
    EXPECT_EQ(made.at("tier").as_string(), "BASIC");
    EXPECT_EQ(made.at("memorySizeGb").as_int64(), 1);
    EXPECT_EQ(made.at("port").as_int64(), 6379);
    EXPECT_EQ(made.at("host").as_string().find("10."), 0U);
    EXPECT_EQ(made.at("connectMode").as_string(), "DIRECT_PEERING");
    EXPECT_EQ(made.at("transitEncryptionMode").as_string(), "DISABLED");
    EXPECT_EQ(made.at("authorizedNetwork").as_string(), "projects/p/global/networks/default");
    EXPECT_EQ(made.at("currentLocationId").as_string(), "us-central1-a");
    EXPECT_EQ(made.at("redisVersion").as_string(), "REDIS_7_0");
    EXPECT_FALSE(made.at("createTime").as_string().empty());
    EXPECT_EQ(made.at("nodes").as_array().size(), 1U);
}

TEST_F(emulator_api, keeps_what_is_given_and_ignores_what_only_the_service_sets)
{
    create("r1", R"({"tier":3,"memory_size_gb":"5","redisVersion":"REDIS_6_X","labels":{"a":"b"},"display_name":"mine",
                     "locationId":"us-central1-b","reservedIpRange":"10.7.0.0/29","transitEncryptionMode":1,
                     "host":"1.2.3.4","port":1,"state":"DELETING","createTime":"2001-01-01T00:00:00Z","name":"other"})");
    auto const made = client.get(location + std::string("/instances/r1")).json();
    EXPECT_EQ(made.at("tier").as_string(), "STANDARD_HA");
    EXPECT_EQ(made.at("memorySizeGb").as_int64(), 5);
    EXPECT_EQ(made.at("redisVersion").as_string(), "REDIS_6_X");
    EXPECT_EQ(made.at("labels").at("a").as_string(), "b");
    EXPECT_EQ(made.at("displayName").as_string(), "mine");
    EXPECT_EQ(made.at("locationId").as_string(), "us-central1-b");
    EXPECT_EQ(made.at("alternativeLocationId").as_string(), "us-central1-a");
    EXPECT_EQ(made.at("replicaCount").as_int64(), 1);
    EXPECT_EQ(made.at("host").as_string(), "10.7.0.3");
    EXPECT_EQ(made.at("port").as_int64(), 6378);
    EXPECT_EQ(made.at("state").as_string(), "READY");
    EXPECT_NE(made.at("createTime").as_string(), "2001-01-01T00:00:00Z");
}

TEST_F(emulator_api, refuses_bad_instances_and_names_all_that_is_wrong)
{
    auto const post = [this](std::string const& id, std::string const& body) {
        return blamed(client.post(location + std::string("/instances?instanceId=") + id, body));
    };
    EXPECT_EQ(post("", basic), field_set{"instanceId"});
    for (auto const* id : {"1a", "a-", "A", "a_b", "-a", "a123456789012345678901234567890123456789x"})
        EXPECT_EQ(post(id, basic), field_set{"instanceId"}) << id;
    EXPECT_EQ(blamed(client.post(location + std::string("/instances"), basic)), field_set{"instanceId"});
    EXPECT_EQ(post("R_", "{}"), (field_set{"instanceId", "instance.tier", "instance.memorySizeGb"}));
    EXPECT_EQ(post("r", ""), (field_set{"instance.tier", "instance.memorySizeGb"}));
    EXPECT_EQ(post("r", R"({"tier":"BASIC","memorySizeGb":0})"), field_set{"instance.memorySizeGb"});
    EXPECT_EQ(post("r", R"({"tier":"BASIC","memorySizeGb":301})"), field_set{"instance.memorySizeGb"});
    EXPECT_EQ(
        post("r", R"({"tier":"BASIC","memorySizeGb":1,"redisVersion":"REDIS_9_9"})"),
        field_set{"instance.redisVersion"});
    EXPECT_EQ(post("r", R"({"tier":"BASIC","memorySizeGb":1,"replicaCount":1})"), field_set{"instance.replicaCount"});
    EXPECT_EQ(
        post("r", R"({"tier":"BASIC","memorySizeGb":1,"alternativeLocationId":"x"})"),
        field_set{"instance.alternativeLocationId"});
    EXPECT_EQ(
        post("r", R"({"tier":"STANDARD_HA","memorySizeGb":4,"readReplicasMode":"READ_REPLICAS_ENABLED",
                            "replicaCount":6,"redisVersion":"REDIS_4_0"})"),
        (field_set{"instance.replicaCount", "instance.memorySizeGb", "instance.redisVersion"}));
    EXPECT_EQ(post("r", R"({"tier":"BASIC","memorySizeGb":1,"nonsense":1})"), field_set{"instance.nonsense"});
    EXPECT_EQ(post("r", R"({"tier":"GOLD","memorySizeGb":1})"), field_set{"instance.tier"});
    EXPECT_EQ(post("r", R"({"tier":7,"memorySizeGb":1})"), field_set{"instance.tier"});
    EXPECT_EQ(post("r", R"({"tier":"BASIC","memorySizeGb":"one"})"), field_set{"instance.memorySizeGb"});
    EXPECT_EQ(
        post("r", R"({"tier":"BASIC","memorySizeGb":1,"maintenancePolicy":{"weekly_maintenance_window":[{"x":1}]}})"),
        field_set{"instance.maintenancePolicy.weeklyMaintenanceWindow[0].x"});
    expect_error(client.post(location + std::string("/instances?instanceId=r"), "{"), 400, "INVALID_ARGUMENT");
    expect_error(client.post(location + std::string("/instances?instanceId=r"), "[]"), 400, "INVALID_ARGUMENT");
    EXPECT_EQ(blamed(client.post("/v1/projects/p/locations/-/instances?instanceId=r", basic)), field_set{"parent"});
    EXPECT_EQ(google.total_effects(), 0U);
}

TEST_F(emulator_api, says_which_resource_exists_already_or_is_missing)
{
    create("r1");
    auto reply = client.post(location + std::string("/instances?instanceId=r1"), basic);
    expect_error(reply, 409, "ALREADY_EXISTS");
    auto info = reply.json().at("error").at("details").at(0);
    EXPECT_EQ(info.at("@type").as_string(), "type.googleapis.com/google.rpc.ResourceInfo");
    EXPECT_EQ(info.at("resourceName").as_string(), "projects/p/locations/us-central1/instances/r1");

    for (auto const* method : {"GET", "DELETE"}) {
        reply = client.send(method, location + std::string("/instances/r2"));
        expect_error(reply, 404, "NOT_FOUND");
        info = reply.json().at("error").at("details").at(0);
        EXPECT_EQ(info.at("@type").as_string(), "type.googleapis.com/google.rpc.ResourceInfo");
        EXPECT_EQ(info.at("resourceName").as_string(), "projects/p/locations/us-central1/instances/r2");
    }
    expect_error(client.get(location + std::string("/operations/o")), 404, "NOT_FOUND");
}

TEST_F(emulator_api, knows_only_its_own_methods)
{
    for (auto const* path :
         {"/",
          "/v1",
          "/v1/projects/p",
          "/v2/projects/p/locations/l/instances",
          "/v1/projects/p/locations/l/instances/i:failover",
          "/v1/projects//locations/l/instances",
          "/v1/projects/p/locations/l/instances/i/x",
          "/emulatorx"}) {
        expect_error(client.get(path), 404, "NOT_FOUND");
    }
    expect_error(client.send("PUT", location + std::string("/instances")), 404, "NOT_FOUND");
    expect_error(client.get("/v1/projects/p%2Fq/locations/l/instances"), 400, "INVALID_ARGUMENT");
    expect_error(client.get("/v1/projects/p%zz/locations/l/instances"), 400, "INVALID_ARGUMENT");
}

TEST_F(emulator_api, lists_in_pages)
{
    for (auto const* id : {"a", "b", "c", "d", "e"}) create(id);
    client.post("/v1/projects/p/locations/europe-west1/instances?instanceId=f", basic);
    client.post("/v1/projects/other/locations/us-central1/instances?instanceId=g", basic);

    auto const list = [this](std::string const& parent, std::string const& size) {
        std::vector<std::string> names;
        std::string token;
        do {
            auto const page =
                client.get(parent + "/instances?pageSize=" + size + "&pageToken=" + token).json().as_object();
            for (auto const& each : page.at("instances").as_array())
                names.emplace_back(each.at("name").as_string().subview(each.at("name").as_string().size() - 1));
            auto const* const next = page.if_contains("nextPageToken");
            token = next ? std::string(next->as_string()) : std::string();
        } while (!token.empty());
        return names;
    };
    using names = std::vector<std::string>;
    for (auto const* size : {"1", "2", "5", "7", "0", "", "100000"})
        EXPECT_EQ(list(location, size), (names{"a", "b", "c", "d", "e"})) << size;
    EXPECT_EQ(list("/v1/projects/p/locations/-", "2"), (names{"f", "a", "b", "c", "d", "e"}));
    EXPECT_EQ(list("/v1/projects/other/locations/-", "2"), names{"g"});

    EXPECT_EQ(
        client.get(location + std::string("/operations?pageSize=3")).json().at("operations").as_array().size(), 3U);
    EXPECT_EQ(client.get("/v1/projects/p/locations/-/operations").json().at("operations").as_array().size(), 6U);
}

TEST_F(emulator_api, a_page_starts_behind_a_name_and_not_at_a_number)
{
    for (auto const* id : {"a", "b", "c", "d"}) create(id);
    auto const first = client.get(location + std::string("/instances?pageSize=2")).json();
    auto const token = std::string(first.at("nextPageToken").as_string());
    EXPECT_EQ(client.send("DELETE", location + std::string("/instances/a")).status, 200);
    EXPECT_EQ(client.send("DELETE", location + std::string("/instances/b")).status, 200);
    auto const second = client.get(location + std::string("/instances?pageSize=2&pageToken=") + token).json();
    ASSERT_EQ(second.at("instances").as_array().size(), 2U);
    EXPECT_EQ(second.at("instances").at(0).at("name").as_string(), "projects/p/locations/us-central1/instances/c");

    for (auto const* bad : {"x", "00", "zz0000000000", "12345678"})
        EXPECT_EQ(blamed(client.get(location + std::string("/instances?pageToken=") + bad)), field_set{"pageToken"});
    EXPECT_EQ(blamed(client.get("/v1/projects/p/locations/-/instances?pageToken=" + token)), field_set{"pageToken"});
    for (auto const* bad : {"-1", "x", "1.5", "99999999999"})
        EXPECT_EQ(blamed(client.get(location + std::string("/instances?pageSize=") + bad)), field_set{"pageSize"});
}

TEST_F(emulator_api, deletes_and_gives_the_name_free)
{
    create("r1");
    auto const first = client.get(location + std::string("/instances/r1")).json().at("createTime");
    auto const operation = client.send("DELETE", location + std::string("/instances/r1"), "").json();
    EXPECT_EQ(operation.at("metadata").at("verb").as_string(), "delete");
    EXPECT_EQ(operation.at("response").at("@type").as_string(), "type.googleapis.com/google.protobuf.Empty");
    EXPECT_EQ(client.get(location + std::string("/instances/r1")).status, 404);
    create("r1");
    EXPECT_NE(client.get(location + std::string("/instances/r1")).json().at("createTime"), first);

    auto const operations = client.get(location + std::string("/operations")).json().at("operations").as_array();
    std::set<std::string> names;
    for (auto const& each : operations) names.emplace(each.at("name").as_string());
    EXPECT_EQ(names.size(), 3U);
}

TEST(emulator_operations, take_their_time)
{
    emulator google(with_operation_time(1500ms));
    test::emulator_client client(google.url());
    auto const instances = location + std::string("/instances");
    auto const begun = std::chrono::steady_clock::now();
    auto const created = client.post(instances + "?instanceId=r1", basic).json();
    auto const polling = "/v1/" + std::string(created.at("name").as_string());
    EXPECT_EQ(created.as_object().if_contains("done"), nullptr);
    EXPECT_EQ(created.as_object().if_contains("response"), nullptr);
    EXPECT_EQ(client.get(instances + "/r1").json().at("state").as_string(), "CREATING");
    EXPECT_EQ(client.get(instances + "/r1").json().as_object().if_contains("host"), nullptr);

    // Busy: it can neither be deleted nor be created once more.
    auto const busy = client.send("DELETE", instances + "/r1");
    EXPECT_EQ(busy.status, 400);
    EXPECT_EQ(busy.json().at("error").at("status").as_string(), "FAILED_PRECONDITION");
    EXPECT_EQ(client.post(instances + "?instanceId=r1", basic).status, 409);

    auto operation = client.get(polling).json();
    while (!operation.as_object().contains("done")) operation = client.get(polling).json();
    EXPECT_GE(std::chrono::steady_clock::now() - begun, 1500ms);
    EXPECT_EQ(operation.at("response").at("state").as_string(), "READY");
    EXPECT_FALSE(operation.at("metadata").at("endTime").as_string().empty());
    EXPECT_EQ(client.get(instances + "/r1").json().at("state").as_string(), "READY");

    operation = client.send("DELETE", instances + "/r1").json();
    EXPECT_EQ(client.get(instances + "/r1").json().at("state").as_string(), "DELETING");
    EXPECT_EQ(client.send("DELETE", instances + "/r1").status, 400);
    while (client.get(instances + "/r1").status == 200) {}
    EXPECT_TRUE(client.get("/v1/" + std::string(operation.at("name").as_string())).json().at("done").as_bool());

    auto const effects = google.effects();
    ASSERT_EQ(effects.size(), 2U);
    EXPECT_EQ(effects[0].method, "instances.create");
    EXPECT_EQ(effects[0].resource, "projects/p/locations/us-central1/instances/r1");
    EXPECT_EQ("/v1/" + effects[0].operation, polling);
    EXPECT_EQ(effects[1].method, "instances.delete");
    EXPECT_EQ(effects[1].n, 2U);
}

TEST(emulator_operations, have_the_same_names_in_every_run)
{
    auto const run = [](std::uint64_t seed, std::vector<std::string> const& ids) {
        emulator_options options = with_operation_time(0ns);
        options.seed = seed;
        emulator google(options);
        test::emulator_client client(google.url());
        std::set<std::string> names;
        for (auto const& id : ids) {
            auto const reply = client.post(location + std::string("/instances?instanceId=") + id, basic);
            names.emplace(reply.json().at("name").as_string());
        }
        return names;
    };
    EXPECT_EQ(run(1, {"a", "b"}), run(1, {"b", "a"}));
    EXPECT_NE(run(1, {"a", "b"}), run(2, {"a", "b"}));
}

}  // namespace

}  // namespace backbeat
