//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "api_driver.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace backbeat::emulation {

namespace {

std::string const unknown = "Cannot bind query parameter.";
std::string const operations = location + "/operations";
std::string const backup = location + "/backupCollections/b/backups/k";

class query_parameters : public testing::Test {
protected:
    // Whether a request is refused for a parameter that its method does not have.
    bool refuses(std::string const& method, std::string const& target)
    {
        return driver.send(method, target).message().find(unknown) != std::string::npos;
    }

    api_driver driver;
};

TEST_F(query_parameters, of_the_system_are_accepted_by_every_method)
{
    for (auto const* query :
         {"alt=json",
          "$alt=json;enum-encoding=int",
          "$.xgafv=2",
          "$prettyPrint=0",
          "$fields=name",
          "$key=k",
          "$userProject=p",
          "access_token=t",
          "bearer_token=t",
          "oauth_token=t",
          "callback=f",
          "fields=name",
          "key=k",
          "pp=0",
          "prettyPrint=false",
          "quotaUser=u",
          "trace=token:t",
          "uploadType=media",
          "upload_protocol=raw",
          "userIp=127.0.0.1"}) {
        for (auto const& [method, target] :
             {std::pair("GET", instances),
              {"HEAD", instances},
              {"GET", r1},
              {"DELETE", c1},
              {"PATCH", r1},
              {"POST", instances},
              {"POST", r1 + ":failover"},
              {"GET", operations + "/o"},
              {"GET", location}})
            EXPECT_FALSE(refuses(method, target + "?" + query)) << method << ' ' << target << ' ' << query;
    }
}

TEST_F(query_parameters, that_a_method_has_are_accepted)
{
    for (auto const& [method, target] :
         {std::pair(std::string("GET"), instances + "?pageSize=1&pageToken="),
          {"GET", instances + "?page_size=1&page_token="},
          {"GET", clusters + "?pageSize=1"},
          {"GET", location + "/backupCollections?pageSize=1"},
          {"GET", location + "/backupCollections/b/backups?pageSize=1"},
          {"GET", operations + "?filter=done%3Dtrue&pageSize=1&returnPartialSuccess=true"},
          {"GET", "/v1/projects/p/locations?filter=x&pageSize=1&extraLocationTypes=x&extraLocationTypes=y"},
          {"POST", instances + "?instanceId=i"},
          {"POST", instances + "?instance_id=i"},
          {"PATCH", r1 + "?updateMask=labels"},
          {"PATCH", r1 + "?update_mask=labels"},
          {"POST", clusters + "?clusterId=c&requestId=00000000-0000-4000-8000-000000000001"},
          {"PATCH", c1 + "?updateMask=shardCount&requestId=00000000-0000-4000-8000-000000000002"},
          {"DELETE", c1 + "?requestId=00000000-0000-4000-8000-000000000003"},
          {"DELETE", backup + "?request_id=00000000-0000-4000-8000-000000000004"}})
        EXPECT_FALSE(refuses(method, target)) << method << ' ' << target;
}

TEST_F(query_parameters, that_a_method_lacks_are_refused)
{
    for (auto const& [method, target] :
         {std::pair(std::string("GET"), instances + "?pagesize=1"),
          {"GET", instances + "?filter=x"},
          {"GET", instances + "?alt=json&x=1"},
          {"GET", r1 + "?pageSize=1"},
          {"GET", r1 + "/authString?pageSize=1"},
          {"POST", instances + "?clusterId=i"},
          {"POST", instances + "?instanceID=i"},
          {"POST", instances + "?instanceId=i&requestId=00000000-0000-4000-8000-000000000001"},
          {"POST", clusters + "?instanceId=c"},
          {"POST", r1 + ":failover?updateMask=labels"},
          {"DELETE", r1 + "?requestId=00000000-0000-4000-8000-000000000001"},
          {"DELETE", r1 + "?force=true"}})
        EXPECT_TRUE(refuses(method, target)) << method << ' ' << target;
    EXPECT_TRUE(driver.effects.empty());
}

TEST_F(query_parameters, are_named_when_they_are_refused)
{
    auto const answer = driver.send("GET", instances + "?pagesize=1");
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(answer.code(), "INVALID_ARGUMENT");
    EXPECT_EQ(
        answer.message(),
        "Invalid JSON payload received. Unknown name \"pagesize\": Cannot bind query parameter. Field 'pagesize' could "
        "not be found in request message.");
}

TEST_F(query_parameters, a_zone_is_no_location)
{
    for (auto const* zone : {"us-central1-a", "us-central1-f", "europe-west1-d"}) {
        auto const answer = driver.send("GET", std::string("/v1/projects/p/locations/") + zone + "/instances");
        EXPECT_EQ(answer.status, 403) << zone;
        EXPECT_EQ(answer.code(), "PERMISSION_DENIED");
        EXPECT_EQ(answer.message(), std::string("Location ") + zone + " is not found or access is unauthorized.");
    }
    for (auto const* region :
         {"us-central1", "us-central1-d", "us-central1-", "nowhere1", "nowhere1-a", "-", "a-b", "l"})
        EXPECT_EQ(driver.send("GET", std::string("/v1/projects/p/locations/") + region + "/instances").status, 200)
            << region;
}

}  // namespace

}  // namespace backbeat::emulation
