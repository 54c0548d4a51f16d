//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "capacity.hpp"
#include "quota.hpp"

#include <boost/json/parse.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace backbeat::emulation {

namespace {

using namespace std::chrono_literals;

constexpr quota::time_point start(1h);

bool passes(quota& limits, quota::time_point now, std::string const& target, std::string_view method = "GET")
{
    return !limits.take(method, *parse_request_target(target), now);
}

std::string in(std::string const& project, std::string const& rest = "/locations/-/instances")
{
    return "/v1/projects/" + project + rest;
}

TEST(emulator_quota, a_window_begins_with_the_first_request_and_ends_all_at_once)
{
    quota limits({request_quota_limit(3, 60s)});
    EXPECT_TRUE(passes(limits, start + 10s, in("p")));
    EXPECT_TRUE(passes(limits, start + 20s, in("p")));
    EXPECT_TRUE(passes(limits, start + 69s, in("p")));
    EXPECT_FALSE(passes(limits, start + 69999ms, in("p")));
    for (int i = 0; i != 3; ++i) EXPECT_TRUE(passes(limits, start + 70s, in("p")));
    EXPECT_FALSE(passes(limits, start + 70s, in("p")));
    // Idle time is not saved up: the next window begins with the next request.
    for (int i = 0; i != 3; ++i) EXPECT_TRUE(passes(limits, start + 500s, in("p")));
    EXPECT_FALSE(passes(limits, start + 559s, in("p")));
}

TEST(emulator_quota, each_project_has_its_own)
{
    quota limits({request_quota_limit(1, 60s)});
    EXPECT_TRUE(passes(limits, start, in("a")));
    EXPECT_TRUE(passes(limits, start, in("b")));
    EXPECT_FALSE(passes(limits, start, in("a", "/locations/us-central1/operations/o")));
    // What belongs to no project is not counted.
    for (int i = 0; i != 5; ++i) EXPECT_TRUE(passes(limits, start, "/v1/nothing"));
}

TEST(emulator_quota, the_delay_is_what_is_left_of_the_window)
{
    quota limits({request_quota_limit(1, 60s)});
    EXPECT_TRUE(passes(limits, start, in("p")));
    auto const met = limits.take("GET", *parse_request_target(in("p")), start + 17500ms);
    ASSERT_TRUE(met);
    EXPECT_EQ(met->retry_delay, 42500ms);
    EXPECT_TRUE(passes(limits, start + 17500ms + met->retry_delay, in("p")));

    auto const reply = met->reply();
    EXPECT_EQ(reply.status, 429);
    ASSERT_EQ(reply.fields.size(), 1U);
    EXPECT_EQ(reply.fields[0], (std::pair<std::string, std::string>("Retry-After", "43")));
    auto const error = boost::json::parse(reply.body).at("error");
    EXPECT_EQ(error.at("code").as_int64(), 429);
    EXPECT_EQ(error.at("status").as_string(), "RESOURCE_EXHAUSTED");
    auto const& details = error.at("details");
    EXPECT_EQ(details.at(0).at("@type").as_string(), "type.googleapis.com/google.rpc.QuotaFailure");
    EXPECT_EQ(details.at(0).at("violations").at(0).at("subject").as_string(), "projects/p");
    EXPECT_EQ(details.at(1).at("@type").as_string(), "type.googleapis.com/google.rpc.ErrorInfo");
    EXPECT_EQ(details.at(1).at("reason").as_string(), "RATE_LIMIT_EXCEEDED");
    EXPECT_EQ(details.at(1).at("domain").as_string(), "googleapis.com");
    EXPECT_EQ(details.at(1).at("metadata").at("consumer").as_string(), "projects/p");
    EXPECT_EQ(details.at(1).at("metadata").at("service").as_string(), "redis.googleapis.com");
    EXPECT_EQ(details.at(1).at("metadata").at("quota_limit_value").as_string(), "1");
    EXPECT_EQ(details.at(2).at("@type").as_string(), "type.googleapis.com/google.rpc.RetryInfo");
    EXPECT_EQ(details.at(2).at("retryDelay").as_string(), "42.500s");
}

TEST(emulator_quota, the_service_has_limits_for_creates_and_for_all)
{
    struct expected {
        char const* method;
        char const* rest;
        int most;
    } const table[] = {
        {"POST", "/locations/l/instances?instanceId=i", 30},
        {"GET", "/locations/l/instances", 3000},
        {"DELETE", "/locations/l/instances/i", 3000},
        {"POST", "/locations/l/instances/i:failover", 3000},
        {"GET", "/locations/l/operations/o", 3000},
        {"GET", "/locations", 3000},
        {"POST", "/locations/l/clusters?clusterId=c", 10},
        {"DELETE", "/locations/l/clusters/c", 10},
        {"GET", "/locations/l/clusters/c", 60},
        {"PATCH", "/locations/l/clusters/c?updateMask=shardCount", 60},
        {"GET", "/locations/l/clusters/c/certificateAuthority", 60},
        {"POST", "/locations/l/clusters/c:backup", 60},
        {"GET", "/locations/l/backupCollections/b/backups", 60},
        {"DELETE", "/locations/l/backupCollections/b/backups/k", 60},
        {"POST", "/locations/l/backupCollections/b/backups/k:export", 60},
    };
    for (auto const& [method, rest, most] : table) {
        quota limits(service_quota_limits());
        int passed = 0;
        while (passed < 4000 && passes(limits, start, in("p", rest), method)) ++passed;
        EXPECT_EQ(passed, most) << method << " " << rest;
        EXPECT_TRUE(passes(limits, start + 60s, in("p", rest), method));
    }
}

TEST(emulator_quota, what_one_limit_refuses_no_other_counts)
{
    quota limits(service_quota_limits());
    for (int i = 0; i != 100; ++i) (void)passes(limits, start, in("p", "/locations/l/clusters?clusterId=c"), "POST");
    int passed = 0;
    while (passes(limits, start, in("p", "/locations/l/clusters"))) ++passed;
    EXPECT_EQ(passed, 50);
    EXPECT_EQ(limits.totals()[2].used, 10U);
    EXPECT_EQ(limits.totals()[2].refused, 90U);
    EXPECT_EQ(limits.totals()[3].used, 60U);
    // Instances have theirs untouched.
    EXPECT_TRUE(passes(limits, start, in("p")));
    limits.clear();
    EXPECT_EQ(limits.totals()[3].used, 0U);
    EXPECT_TRUE(passes(limits, start, in("p", "/locations/l/clusters")));
}

TEST(emulator_quota, remembers_a_bounded_number_of_projects)
{
    quota limits({request_quota_limit(1, 60s)});
    for (int i = 0; i != 70'000; ++i) (void)passes(limits, start, in(std::to_string(i)));
    EXPECT_TRUE(passes(limits, start, in("0"))) << "it was forgotten";
    EXPECT_FALSE(passes(limits, start, in("69999")));
}

TEST(emulator_capacity, begins_one_request_an_interval_and_the_others_wait_in_their_order)
{
    capacity server(10, 3);
    EXPECT_EQ(server.enter(start), 0ms);
    EXPECT_EQ(server.queued(start), 0U);
    EXPECT_EQ(server.enter(start), 100ms);
    EXPECT_EQ(server.enter(start + 20ms), 180ms);
    EXPECT_EQ(server.enter(start + 20ms), 280ms);
    EXPECT_EQ(server.queued(start + 20ms), 3U);
    EXPECT_EQ(server.enter(start + 20ms), std::nullopt);
    EXPECT_EQ(server.refused(), 1U);

    // One has begun, so there is room for one.
    EXPECT_EQ(server.queued(start + 100ms), 2U);
    EXPECT_EQ(server.enter(start + 100ms), 300ms);
    EXPECT_EQ(server.enter(start + 100ms), std::nullopt);
    EXPECT_EQ(server.longest_queue(), 3U);

    // After a pause it starts afresh.
    EXPECT_EQ(server.queued(start + 10s), 0U);
    EXPECT_EQ(server.enter(start + 10s), 0ms);
    EXPECT_EQ(server.enter(start + 10050ms), 50ms);
}

TEST(emulator_capacity, serves_its_rate_under_any_load)
{
    capacity server(200, 50);
    int served = 0;
    std::optional<std::chrono::nanoseconds> longest(0ns);
    // Four times what it can do, for ten seconds.
    for (auto time = start; time != start + 10s; time += 1250us) {
        auto const wait = server.enter(time);
        if (!wait) continue;
        ++served;
        longest = (std::max)(longest, wait);
    }
    EXPECT_NEAR(served, 2000 + 50, 2);
    EXPECT_LE(*longest, 250ms);
    EXPECT_EQ(server.refused(), 8000U - static_cast<unsigned>(served));
    server.clear();
    EXPECT_EQ(server.refused(), 0U);
    EXPECT_EQ(server.enter(start), 0ns);
}

TEST(emulator_capacity, can_be_without_a_queue_and_without_a_limit)
{
    capacity strict(1000, 0);
    EXPECT_EQ(strict.enter(start), 0ms);
    EXPECT_EQ(strict.enter(start + 999us), std::nullopt);
    EXPECT_EQ(strict.enter(start + 1ms), 0ms);

    capacity open(0, 0);
    for (int i = 0; i != 1000; ++i) EXPECT_EQ(open.enter(start), 0ms);
    EXPECT_EQ(open.queued(start), 0U);
}

}  // namespace

}  // namespace backbeat::emulation
