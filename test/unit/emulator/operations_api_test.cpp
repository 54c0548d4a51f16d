//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "api_driver.hpp"

#include <boost/json/serialize.hpp>

namespace backbeat::emulation {

namespace {

using namespace std::chrono_literals;
namespace json = boost::json;

constexpr char const* smallest = R"({"tier":"BASIC","memorySizeGb":1})";
constexpr char const* import_body = R"({"inputConfig":{"gcsSource":{"uri":"gs://b/o.rdb"}}})";

TEST(operations_api, shows_what_an_operation_does_from_its_beginning_to_its_end)
{
    api_driver redis(1min);
    auto const begun = redis.post(instances + "?instanceId=r1", smallest);
    auto const metadata = begun.json().at("metadata").as_object();
    EXPECT_EQ(metadata.at("@type").as_string(), "type.googleapis.com/google.cloud.redis.v1.OperationMetadata");
    EXPECT_EQ(metadata.at("verb").as_string(), "create");
    EXPECT_EQ(metadata.at("target").as_string(), r1.substr(4));
    EXPECT_EQ(metadata.at("apiVersion").as_string(), "v1");
    EXPECT_EQ(metadata.at("createTime").as_string().subview(0, 16), "2026-01-01T00:00");
    EXPECT_FALSE(metadata.at("cancelRequested").as_bool());
    EXPECT_FALSE(metadata.contains("endTime"));
    EXPECT_EQ(begun.operation().find(location + "/operations/operation-"), 0U);

    // It ended when it was due, not when somebody looked.
    redis.time.passed += 10min;
    auto const ended = redis.get(begun.operation()).json();
    EXPECT_TRUE(ended.at("done").as_bool());
    EXPECT_EQ(ended.at("metadata").at("endTime").as_string(), "2026-01-01T00:01:00Z");
    EXPECT_EQ(ended.at("response").at("@type").as_string(), "type.googleapis.com/google.cloud.redis.v1.Instance");
    EXPECT_EQ(ended.at("response").at("state").as_string(), "READY");
    EXPECT_FALSE(ended.contains("error"));
    auto const listed = redis.get(location + "/operations").json();
    EXPECT_EQ(json::serialize(listed.at("operations")), "[" + json::serialize(ended) + "]");
}

TEST(operations_api, cancels_an_import_and_leaves_the_instance_ready)
{
    for (auto const* body : {"", "{}", " \r\n"}) {
        api_driver redis(1min);
        redis.create("r1", smallest);
        redis.time.passed += 1min;
        auto const begun = redis.post(r1 + ":import", import_body);
        auto const cancelled = redis.post(begun.operation() + ":cancel", body);
        EXPECT_EQ(cancelled.status, 200);
        EXPECT_EQ(cancelled.body, "{}");
        auto const ended = redis.get(begun.operation()).json();
        EXPECT_TRUE(ended.at("done").as_bool());
        EXPECT_EQ(ended.at("error").at("code").as_int64(), 1);
        EXPECT_FALSE(ended.at("error").at("message").as_string().empty());
        EXPECT_FALSE(ended.at("error").as_object().contains("details"));
        EXPECT_FALSE(ended.contains("response"));
        EXPECT_TRUE(ended.at("metadata").at("cancelRequested").as_bool());
        EXPECT_FALSE(ended.at("metadata").at("statusDetail").as_string().empty());
        EXPECT_TRUE(ended.at("metadata").as_object().contains("endTime"));
        EXPECT_EQ(redis.get(r1).text("state"), "READY");
        EXPECT_EQ(redis.effects.back().method, "operations.cancel");
        EXPECT_EQ("/v1/" + redis.effects.back().resource, begun.operation());

        // Once is enough, and nothing happens when it would have been due.
        EXPECT_EQ(redis.post(begun.operation() + ":cancel").body, "{}");
        redis.time.passed += 1min;
        EXPECT_EQ(redis.get(begun.operation()).json(), ended);
        EXPECT_EQ(redis.effects.size(), 3U);
        EXPECT_EQ(
            redis.post(r1 + ":export", R"({"outputConfig":{"gcsDestination":{"uri":"gs://b/o.rdb"}}})").status, 200);
    }
}

TEST(operations_api, remembers_that_an_operation_which_cannot_be_cancelled_should_have_been)
{
    api_driver redis(1min);
    auto const begun = redis.post(instances + "?instanceId=r1", smallest);
    EXPECT_EQ(redis.post(begun.operation() + ":cancel").body, "{}");
    auto const running = redis.get(begun.operation()).json();
    EXPECT_FALSE(running.contains("done"));
    EXPECT_TRUE(running.at("metadata").at("cancelRequested").as_bool());
    redis.time.passed += 1min;
    EXPECT_TRUE(redis.get(begun.operation()).json().contains("response"));
    EXPECT_EQ(redis.get(r1).text("state"), "READY");
    EXPECT_EQ(redis.effects.size(), 1U);
}

TEST(operations_api, refuses_to_cancel_what_there_is_not)
{
    api_driver redis;
    redis.create("r1", smallest);
    auto const missing = redis.post(location + "/operations/o:cancel");
    EXPECT_EQ(missing.status, 404);
    EXPECT_EQ(
        missing.json().at("error").at("details").at(0).at("resourceName").as_string(),
        "projects/p/locations/us-central1/operations/o");
    auto const operations = redis.get(location + "/operations").json().at("operations").as_array();
    auto const name = "/v1/" + std::string(operations.at(0).at("name").as_string());
    EXPECT_EQ(redis.post(name + ":cancel", R"({"force":true})").blamed(), field_set{"force"});
    EXPECT_EQ(redis.post(name + ":cancel", "{").status, 400);
    EXPECT_EQ(redis.get(name + ":cancel").status, 404);
    EXPECT_EQ(redis.post(name + ":wait").status, 404);
}

TEST(operations_api, forgets_an_operation_that_is_deleted_and_not_what_it_does)
{
    api_driver redis(1min);
    auto const begun = redis.post(instances + "?instanceId=r1", smallest);
    EXPECT_EQ(redis.send("DELETE", begun.operation()).body, "{}");
    EXPECT_EQ(redis.get(begun.operation()).status, 404);
    EXPECT_EQ(redis.send("DELETE", begun.operation()).status, 404);
    EXPECT_EQ(redis.post(begun.operation() + ":cancel").status, 404);
    EXPECT_EQ(redis.get(location + "/operations").body, "{}");
    EXPECT_EQ(redis.get(r1).text("state"), "CREATING");
    redis.time.passed += 1min;
    EXPECT_EQ(redis.get(r1).text("state"), "READY");
    EXPECT_EQ(redis.api.operation_count(), 0U);

    auto const second = redis.send("DELETE", r1);
    redis.time.passed += 1min;
    EXPECT_EQ(redis.send("DELETE", second.operation()).status, 200);
    EXPECT_EQ(redis.api.operation_count(), 0U);
    EXPECT_EQ(redis.effects.back().method, "operations.delete");
}

TEST(operations_api, operations_expire_some_hours_after_their_end)
{
    api_driver redis(1min);
    auto const begun = redis.post(instances + "?instanceId=r1", smallest);
    redis.time.passed += 4h;
    EXPECT_EQ(redis.get(begun.operation()).status, 200);
    redis.time.passed += 59s;
    EXPECT_EQ(redis.get(begun.operation()).status, 200);
    redis.time.passed += 1s;
    EXPECT_EQ(redis.get(begun.operation()).status, 404);
    EXPECT_EQ(redis.api.operation_count(), 0U);
    EXPECT_EQ(redis.get(r1).text("state"), "READY");
}

TEST(operations_api, no_more_than_a_bounded_number_of_operations_is_kept)
{
    api_driver redis;
    auto const first = redis.post(instances + "?instanceId=r1", smallest);
    auto const body = R"({"outputConfig":{"gcsDestination":{"uri":"gs://b/o.rdb"}}})";
    for (std::size_t i = 1; i != operation_store::maximum_finished; ++i) redis.post(r1 + ":export", body);
    EXPECT_EQ(redis.get(first.operation()).status, 200);
    EXPECT_EQ(redis.api.operation_count(), operation_store::maximum_finished);
    redis.post(r1 + ":export", body);
    EXPECT_EQ(redis.get(first.operation()).status, 404);
    EXPECT_EQ(redis.api.operation_count(), operation_store::maximum_finished);
}

TEST(operations_api, lists_each_location_by_itself_and_all_of_them_together)
{
    api_driver redis;
    redis.create("r1", smallest);
    redis.post("/v1/projects/p/locations/europe-west1/instances?instanceId=r2", smallest);
    redis.post("/v1/projects/q/locations/us-central1/instances?instanceId=r3", smallest);
    EXPECT_EQ(redis.get(location + "/operations?").json().at("operations").as_array().size(), 1U);
    auto const first = redis.get("/v1/projects/p/locations/-/operations?page_size=1").json();
    EXPECT_EQ(first.at("operations").as_array().size(), 1U);
    auto const token = std::string(first.at("nextPageToken").as_string());
    auto const second = redis.get("/v1/projects/p/locations/-/operations?pageSize=1&page_token=" + token).json();
    EXPECT_EQ(second.at("operations").as_array().size(), 1U);
    EXPECT_FALSE(second.contains("nextPageToken"));
    EXPECT_EQ(redis.get("/v1/projects/p/locations/-/instances?pageToken=" + token).blamed(), field_set{"pageToken"});
}

TEST(locations_api, lists_the_regions_with_their_zones)
{
    api_driver redis;
    auto const all = redis.get("/v1/projects/p/locations?alt=json").json().at("locations").as_array();
    EXPECT_GE(all.size(), 40U);
    auto const one = redis.get(location).json();
    EXPECT_EQ(one.at("name").as_string(), "projects/p/locations/us-central1");
    EXPECT_EQ(one.at("locationId").as_string(), "us-central1");
    EXPECT_EQ(one.at("labels").at("cloud.googleapis.com/region").as_string(), "us-central1");
    EXPECT_EQ(one.at("metadata").at("@type").as_string(), "type.googleapis.com/google.cloud.redis.v1.LocationMetadata");
    EXPECT_EQ(
        json::serialize(one.at("metadata").at("availableZones")),
        R"({"us-central1-a":{},"us-central1-b":{},"us-central1-c":{},"us-central1-f":{}})");
    EXPECT_NE(std::find(all.begin(), all.end(), json::value(one)), all.end());
    for (auto const& each : all)
        EXPECT_GE(each.at("metadata").at("availableZones").as_object().size(), 2U) << json::serialize(each);
}

TEST(locations_api, lists_in_pages_and_knows_which_there_are)
{
    api_driver redis;
    std::set<std::string> names;
    std::string token;
    do {
        auto const page = redis.get("/v1/projects/p/locations?pageSize=10&pageToken=" + token);
        auto const locations = page.json().at("locations").as_array();
        for (auto const& each : locations) names.emplace(each.at("name").as_string());
        token = page.text("nextPageToken");
    } while (!token.empty());
    EXPECT_EQ(names.size(), redis.get("/v1/projects/p/locations").json().at("locations").as_array().size());
    auto const missing = redis.get("/v1/projects/p/locations/mars-north1");
    EXPECT_EQ(missing.status, 404);
    EXPECT_EQ(
        missing.json().at("error").at("details").at(0).at("@type").as_string(),
        "type.googleapis.com/google.rpc.ResourceInfo");
    EXPECT_EQ(redis.get("/v1/projects/p/locations/-").status, 404);
    EXPECT_EQ(redis.post("/v1/projects/p/locations").status, 404);
}

}  // namespace

}  // namespace backbeat::emulation
