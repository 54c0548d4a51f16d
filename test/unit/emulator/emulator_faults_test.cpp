//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "emulator_client.hpp"

#include <backbeat/detail/utf8.hpp>
#include <backbeat/emulator.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace backbeat {

namespace {

using namespace std::chrono_literals;
using test::emulator_client;

constexpr char const* every_instance = "/v1/projects/p/locations/-/instances";
constexpr char const* create = "/v1/projects/p/locations/us-central1/instances?instanceId=r1";
constexpr char const* basic_instance = R"({"tier":"BASIC","memorySizeGb":1})";

emulator_options with_faults(std::vector<std::string> const& texts, std::uint64_t seed = 0)
{
    emulator_options options;
    options.seed = seed;
    options.operation_time = 0ns;
    for (auto const& text : texts) options.faults.push_back(parse_fault_rule(text));
    return options;
}

TEST(emulator_faults, status_replaces_the_answer)
{
    emulator google(with_faults(
        {"status=503 first=1 retry-after=2 retry-after-ms=20", "status=429 first=1", "status=418 first=1"}));
    emulator_client client(google.url());
    auto reply = client.get(every_instance);
    EXPECT_EQ(reply.status, 503);
    EXPECT_EQ(reply.fields["Retry-After"], "2");
    EXPECT_EQ(reply.fields["retry-after-ms"], "20");
    EXPECT_EQ(reply.json().at("error").at("status").as_string(), "UNAVAILABLE");
    EXPECT_EQ(reply.json().at("error").at("code").as_int64(), 503);
    reply = client.get(every_instance);
    EXPECT_EQ(reply.status, 429);
    EXPECT_EQ(reply.json().at("error").at("status").as_string(), "RESOURCE_EXHAUSTED");
    EXPECT_EQ(reply.fields.count("Retry-After"), 0U);
    EXPECT_EQ(client.get(every_instance).status, 418);
    EXPECT_EQ(client.get(every_instance).status, 200);
    EXPECT_EQ(google.faults_fired(), (std::vector<std::uint64_t>{1, 1, 1}));
}

TEST(emulator_faults, before_does_not_act_and_after_does)
{
    emulator google(with_faults({"status=503 method=POST first=1", "status=503 method=POST when=after first=1"}));
    emulator_client client(google.url());
    EXPECT_EQ(client.post(create, basic_instance).status, 503);
    EXPECT_EQ(google.total_effects(), 0U);
    EXPECT_EQ(client.post(create, basic_instance).status, 503);
    EXPECT_EQ(google.total_effects(), 1U);
    EXPECT_EQ(client.post(create, basic_instance).status, 409);
}

TEST(emulator_faults, reset_is_a_reset)
{
    emulator_options options = with_faults({"reset method=POST when=after", "reset path=/instances$"});
    options.tls = true;
    emulator google(options);
    for (auto const& [url, ca] :
         {std::pair(google.url(), std::string()), {google.tls_url(), google.ca_certificate()}}) {
        google.reset();
        google.set_faults(options.faults);
        EXPECT_EQ(emulator_client(url, ca).get(every_instance).error, boost::asio::error::connection_reset);
        EXPECT_EQ(emulator_client(url, ca).post(create, basic_instance).error, boost::asio::error::connection_reset);
        EXPECT_EQ(google.total_effects(), 1U);
        auto const requests = google.requests();
        ASSERT_EQ(requests.size(), 2U);
        EXPECT_EQ(requests[0].status, 0);
        EXPECT_EQ(requests[0].fault, 1U);
        EXPECT_EQ(requests[1].fault, 0U);
    }
}

TEST(emulator_faults, truncate_ends_in_the_middle_of_the_body)
{
    emulator google(with_faults({"truncate first=2", "truncate when=after"}));
    auto const expect_half = [](emulator_client::reply const& reply, int status) {
        EXPECT_EQ(reply.error, boost::beast::http::error::partial_message);
        EXPECT_EQ(reply.status, status);
        EXPECT_EQ(reply.body.size(), std::stoul(std::string(reply.fields["Content-Length"])) / 2);
    };
    expect_half(emulator_client(google.url()).get("/v1/x"), 404);
    expect_half(emulator_client(google.url()).post(create, basic_instance), 200);
    EXPECT_EQ(google.total_effects(), 0U);
    expect_half(emulator_client(google.url()).post(create, basic_instance), 200);
    EXPECT_EQ(google.total_effects(), 1U);
}

TEST(emulator_faults, truncate_has_nothing_to_cut_from_the_answer_to_head)
{
    auto options = with_faults({"truncate"});
    options.tls = true;
    emulator google(options);
    for (auto const& [url, ca] :
         {std::pair{google.url(), std::string()}, {google.tls_url(), google.ca_certificate()}}) {
        auto const reply = emulator_client(url, ca).send("HEAD", "/v1/projects/p/locations/-/instances");
        EXPECT_FALSE(reply.error) << reply.error.message();
        EXPECT_EQ(reply.status, 200);
    }
}

TEST(emulator_faults, hang_never_answers_and_acts_only_when_told)
{
    emulator google(with_faults({"hang first=1", "hang when=after first=1"}));
    for (int i = 0; i != 2; ++i) {
        emulator_client client(google.url());
        client.write(
            "POST " + std::string(create) + " HTTP/1.1\r\nHost: x\r\nContent-Length: "
            + std::to_string(std::string_view(basic_instance).size()) + "\r\n\r\n" + basic_instance);
        while (google.total_requests() != static_cast<std::uint64_t>(i) + 1) std::this_thread::yield();
        client.socket().shutdown(boost::asio::socket_base::shutdown_send);
        EXPECT_EQ(client.read().error, boost::beast::http::error::end_of_stream);
        EXPECT_EQ(google.total_effects(), static_cast<std::uint64_t>(i));
    }
}

// A client that is refused fails to connect, or at its first request: the reset may come before or after `connect` ends.
bool is_refused(std::string const& url, std::string const& ca = {})
{
    try {
        emulator_client client(url, ca);
        auto const reply = client.get(every_instance);
        EXPECT_EQ(reply.status, reply.error ? 0 : 200);
        if (reply.error) {
            EXPECT_TRUE(
                reply.error == boost::asio::error::connection_reset || reply.error == boost::asio::error::broken_pipe)
                << reply.error.message();
        }
        return static_cast<bool>(reply.error);
    } catch (boost::system::system_error const&) {
        return true;
    }
}

TEST(emulator_faults, refuse_ends_connections_before_anything_is_read)
{
    auto options = with_faults({"status=503 first=1", "refuse first=2"});
    options.tls = true;
    emulator google(options);
    google.set_faults({});
    emulator_client open(google.url());
    EXPECT_EQ(open.get(every_instance).status, 200);
    google.set_faults(options.faults);
    EXPECT_TRUE(is_refused(google.url()));
    EXPECT_TRUE(is_refused(google.tls_url(), google.ca_certificate()));
    EXPECT_EQ(google.total_requests(), 1U);
    EXPECT_EQ(google.faults_fired(), (std::vector<std::uint64_t>{0, 2}));

    // A connection that is open is not refused, and the other rules hold for its requests.
    EXPECT_EQ(open.get(every_instance).status, 503);
    EXPECT_FALSE(is_refused(google.url()));
    EXPECT_EQ(google.peak_connections(), 2U);
    auto const metrics = open.get("/emulator/v1/metrics").body;
    EXPECT_NE(metrics.find("backbeat_emulator_refused_connections_total 2\n"), std::string::npos);
    EXPECT_NE(metrics.find("backbeat_emulator_faults_total{rule=\"1\"} 2\n"), std::string::npos);
}

TEST(emulator_faults, refuse_draws_by_the_ordinal_of_the_connection)
{
    auto const run = [](std::uint64_t seed) {
        emulator google(with_faults({"refuse rate=0.4"}, seed));
        std::vector<bool> refused;
        for (int i = 0; i != 60; ++i) refused.push_back(is_refused(google.url()));
        return refused;
    };
    auto const once = run(3);
    EXPECT_EQ(once, run(3));
    EXPECT_NE(once, run(4));
}

TEST(emulator_faults, retry_info_stands_in_the_body)
{
    emulator google(with_faults({"status=429 retry-info=2.5s retry-after=3 first=1", "status=503 retry-info=0s"}));
    emulator_client client(google.url());
    auto const reply = client.get(every_instance);
    EXPECT_EQ(reply.status, 429);
    EXPECT_EQ(reply.fields["Retry-After"], "3");
    auto const error = reply.json().at("error");
    EXPECT_EQ(error.at("status").as_string(), "RESOURCE_EXHAUSTED");
    ASSERT_EQ(error.at("details").as_array().size(), 1U);
    EXPECT_EQ(error.at("details").at(0).at("@type").as_string(), "type.googleapis.com/google.rpc.RetryInfo");
    EXPECT_EQ(error.at("details").at(0).at("retryDelay").as_string(), "2.500s");
    EXPECT_EQ(client.get(every_instance).json().at("error").at("details").at(0).at("retryDelay").as_string(), "0s");
}

TEST(emulator_load, requests_over_the_quota_do_not_act_and_meet_no_fault)
{
    auto options = with_faults({"status=503 when=after"});
    options.quota = request_quota(2, 1h);
    emulator google(options);
    emulator_client client(google.url());
    EXPECT_EQ(client.post(create, basic_instance).status, 503);
    EXPECT_EQ(client.get(every_instance).status, 503);
    auto const reply = client.post("/v1/projects/p/locations/us-central1/instances?instanceId=r2", basic_instance);
    EXPECT_EQ(reply.status, 429);
    EXPECT_GT(std::stoi(std::string(reply.fields["Retry-After"])), 3500);
    EXPECT_EQ(google.total_effects(), 1U);
    EXPECT_EQ(google.faults_fired(), std::vector<std::uint64_t>{2});
    EXPECT_EQ(google.requests().at(2).status, 429);
    EXPECT_EQ(client.get("/v1/projects/q/locations/-/instances").status, 503) << "another project";
    EXPECT_EQ(client.get("/emulator/v1/effects").status, 200);

    auto const metrics = client.get("/emulator/v1/metrics").body;
    for (auto const* line :
         {"backbeat_emulator_quota_requests_total{metric=\"redis.googleapis.com/requests\"} 3\n",
          "backbeat_emulator_quota_refused_total{metric=\"redis.googleapis.com/requests\"} 1\n",
          "backbeat_emulator_requests_total{method=\"POST\",status=\"429\"} 1\n"})
        EXPECT_NE(metrics.find(line), std::string::npos) << line << metrics;

    (void)client.post("/emulator/v1/reset", "");
    EXPECT_EQ(client.get(every_instance).status, 200);
}

TEST(emulator_load, the_services_own_quota_can_hold)
{
    auto options = with_faults({});
    options.service_quota = true;
    emulator google(options);
    emulator_client client(google.url());
    std::map<int, int> statuses;
    for (int i = 0; i != 33; ++i) {
        auto const id = "/v1/projects/p/locations/l/instances?instanceId=r" + std::to_string(i);
        ++statuses[client.post(id, basic_instance).status];
    }
    EXPECT_EQ(statuses, (std::map<int, int>{{200, 30}, {429, 3}}));
    EXPECT_EQ(client.get(every_instance).status, 200);
    EXPECT_EQ(google.total_effects(), 30U);
}

TEST(emulator_load, what_finds_the_queue_full_is_turned_away_at_once)
{
    auto options = with_faults({});
    options.capacity = 5;
    options.queue = 2;
    emulator google(options);
    std::vector<std::unique_ptr<emulator_client>> crowd;
    auto const begun = std::chrono::steady_clock::now();
    for (int i = 0; i != 5; ++i) {
        auto& client = *crowd.emplace_back(std::make_unique<emulator_client>(google.url()));
        client.write("GET " + std::string(every_instance) + " HTTP/1.1\r\nHost: x\r\n\r\n");
        while (google.total_requests() != static_cast<std::uint64_t>(i) + 1) std::this_thread::yield();
    }
    EXPECT_EQ(crowd[0]->read().status, 200);
    std::map<int, int> statuses;
    for (int i = 1; i != 5; ++i) ++statuses[crowd[static_cast<std::size_t>(i)]->read().status];
    EXPECT_EQ(statuses[200] + statuses[503], 4);
    EXPECT_GE(statuses[200], 2);
    // One that came so late that there was room again is answered 600 ms after the first, or later.
    auto const in_time = std::chrono::steady_clock::now() - begun < 600ms;
    EXPECT_TRUE(!in_time || statuses[503] == 2) << statuses[503];
    auto const metrics = emulator_client(google.url()).get("/emulator/v1/metrics").body;
    for (auto const& line :
         {std::string("backbeat_emulator_queue_limit 2\n"),
          std::string("backbeat_emulator_queue_length_peak "),
          "backbeat_emulator_overload_refused_total " + std::to_string(statuses[503]) + "\n"})
        EXPECT_NE(metrics.find(line), std::string::npos) << line << metrics;
}

TEST(emulator_load, waiting_for_capacity_comes_before_a_delay)
{
    auto options = with_faults({"delay=100ms"});
    options.capacity = 10;
    emulator google(options);
    emulator_client first(google.url());
    emulator_client second(google.url());
    auto const begun = std::chrono::steady_clock::now();
    first.write("GET " + std::string(every_instance) + " HTTP/1.1\r\nHost: x\r\n\r\n");
    while (google.total_requests() == 0) std::this_thread::yield();
    auto const arrived = std::chrono::steady_clock::now();
    EXPECT_EQ(second.get(every_instance).status, 200);
    // 100 ms after the first was admitted, which was after `begun`, and another 100 ms of delay.
    EXPECT_GE(std::chrono::steady_clock::now() - begun, 200ms) << (arrived - begun).count();
    EXPECT_EQ(first.read().status, 200);
}

TEST(emulator_faults, delay_delays)
{
    emulator google(with_faults(
        {"delay=60ms path=/slow", "delay=60ms status=500 path=/error", "delay=60ms when=after method=POST"}));
    emulator_client client(google.url());
    for (auto const& [target, status] : {std::pair("/slow", 404), {"/error", 500}}) {
        auto const begun = std::chrono::steady_clock::now();
        EXPECT_EQ(client.get(target).status, status);
        EXPECT_GE(std::chrono::steady_clock::now() - begun, 60ms);
    }
    auto const begun = std::chrono::steady_clock::now();
    EXPECT_EQ(client.post(create, basic_instance).status, 200);
    EXPECT_GE(std::chrono::steady_clock::now() - begun, 60ms);
}

TEST(emulator_faults, the_emulator_goes_on_acting_after_the_client_has_gone)
{
    emulator google(with_faults({"delay=30ms method=POST"}));
    {
        emulator_client client(google.url());
        client.write(
            "POST " + std::string(create)
            + " HTTP/1.1\r\nHost: x\r\nX-Backbeat-Logical-Id: 7\r\n"
              "Content-Length: "
            + std::to_string(std::string_view(basic_instance).size()) + "\r\n\r\n" + basic_instance);
        while (google.total_requests() == 0) std::this_thread::yield();
        client.socket().set_option(boost::asio::socket_base::linger(true, 0));
    }
    while (google.total_effects() == 0) std::this_thread::yield();
    EXPECT_EQ(google.effects().at(0).logical_id, "7");
}

TEST(emulator_faults, path_is_searched_in_the_decoded_path_without_the_query)
{
    emulator google(with_faults({"status=503 path='/a b$'", "status=500 path=query"}));
    emulator_client client(google.url());
    EXPECT_EQ(client.get("/a%20b?x").status, 503);
    EXPECT_EQ(client.get("/a%20bc").status, 404);
    EXPECT_EQ(client.get("/x?query").status, 404);
}

TEST(emulator_faults, the_emulators_own_paths_are_never_faulted)
{
    emulator google(with_faults({"reset"}));
    emulator_client client(google.url());
    EXPECT_EQ(client.get("/emulator/v1/requests").status, 200);
    EXPECT_EQ(client.get("/emulator/v1/nothing").status, 404);
    EXPECT_EQ(google.total_requests(), 0U);
    EXPECT_EQ(client.get("/emulatorx").error, boost::asio::error::connection_reset);
}

TEST(emulator_faults, are_the_same_for_the_same_seed_whatever_the_concurrency)
{
    std::vector<std::string> const rules{"status=503 rate=0.2", "status=500 rate=0.3", "status=429 rate=0.1"};
    constexpr int paths = 64;
    constexpr int repeats = 6;
    auto const run = [&](std::uint64_t seed, std::size_t threads) {
        emulator google(with_faults(rules, seed));
        std::map<std::string, std::vector<int>> outcome;
        for (int i = 0; i != paths; ++i) outcome["/v1/" + std::to_string(i)];
        std::vector<std::vector<int>*> order;
        std::vector<std::string> targets;
        for (auto& [target, statuses] : outcome) {
            targets.push_back(target);
            order.push_back(&statuses);
        }
        std::vector<std::thread> crowd;
        for (std::size_t t = 0; t != threads; ++t) {
            crowd.emplace_back([&, t] {
                emulator_client client(google.url());
                // Each thread has paths of its own, so that the ordinals of their requests are known.
                for (int i = 0; i != repeats; ++i)
                    for (std::size_t p = t; p < targets.size(); p += threads)
                        order[p]->push_back(client.get(targets[p]).status);
            });
        }
        for (auto& each : crowd) each.join();
        return outcome;
    };
    auto const alone = run(11, 1);
    EXPECT_EQ(alone, run(11, 4));
    EXPECT_NE(alone, run(12, 1));
}

TEST(emulator_control, faults_can_be_replaced_at_run_time)
{
    emulator google(with_faults({"reset"}));
    emulator_client client(google.url());
    auto reply = client.post(
        "/emulator/v1/faults", R"({"faults":[{"status":503,"method":"GET","path":"/instances$","first":2}]})");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(client.get(every_instance).status, 503);
    EXPECT_EQ(
        client.get("/emulator/v1/faults").body,
        R"({"faults":[{"status":503,"method":"GET","path":"/instances$","first":2,"fired":1}]})");

    for (auto const* bad :
         {R"({"faults":[{"stauts":503}]})",
          R"({"faults":[{"status":9}]})",
          "{",
          "",
          "[]",
          R"({"faults":[{"status":500},{"reset":true,"rate":2}]})"}) {
        reply = client.post("/emulator/v1/faults", bad);
        EXPECT_EQ(reply.status, 400) << bad;
        EXPECT_EQ(reply.json().at("error").at("status").as_string(), "INVALID_ARGUMENT");
    }
    EXPECT_EQ(
        reply.json().at("error").at("details").at(0).at("fieldViolations").at(0).at("field").as_string(),
        "faults[1].rate");
    EXPECT_EQ(client.get(every_instance).status, 503);
    EXPECT_EQ(client.get(every_instance).status, 200);
    EXPECT_THROW(google.set_faults({fault_rule()}), fault_error);
    EXPECT_EQ(google.faults_fired(), std::vector<std::uint64_t>{2});
    EXPECT_EQ(client.post("/emulator/v1/faults", R"({"faults":[]})").body, R"({"faults":[]})");
}

TEST(emulator_control, put_replaces_as_post_does)
{
    emulator google;
    emulator_client client(google.url());
    EXPECT_EQ(client.send("PUT", "/emulator/v1/faults", R"({"faults":[{"status":503,"first":1}]})").status, 200);
    EXPECT_EQ(client.get(every_instance).status, 503);
    auto const before = client.get("/emulator/v1/snapshot").body;
    EXPECT_EQ(client.post(create, basic_instance).status, 200);
    EXPECT_NE(client.get(every_instance).body, "{}");
    EXPECT_EQ(client.send("PUT", "/emulator/v1/snapshot", before).status, 200);
    EXPECT_EQ(client.get(every_instance).body, "{}");
}

TEST(emulator_control, resources_are_counted_by_their_kind)
{
    emulator_options options;
    options.operation_time = 0ns;
    emulator google(options);
    emulator_client client(google.url());
    std::string const clusters = "/v1/projects/p/locations/us-central1/clusters";
    EXPECT_EQ(
        client
            .post(
                clusters + "?clusterId=c",
                R"({"shardCount":3,"pscConfigs":[{"network":"projects/p/global/networks/n"}]})")
            .status,
        200);
    EXPECT_EQ(client.post(clusters + "/c:backup", "{}").status, 200);
    auto const metrics = client.get("/emulator/v1/metrics").body;
    for (auto const* line : {"_instances 0\n", "_clusters 1\n", "_backups 1\n"})
        EXPECT_NE(metrics.find(std::string("\nbackbeat_emulator") + line), std::string::npos) << line << metrics;
}

TEST(emulator_control, locations_can_be_made_unreachable_and_reachable_again)
{
    emulator_options options;
    options.unreachable = {"us-west1"};
    emulator google(options);
    emulator_client client(google.url());
    auto const path = "/emulator/v1/unreachable";
    auto const there = "/v1/projects/p/locations/us-west1/instances";
    EXPECT_EQ(client.get(path).body, R"({"locations":["us-west1"]})");
    EXPECT_EQ(client.get(there).status, 503);
    auto const partial = client.get(every_instance).json();
    EXPECT_EQ(partial.at("unreachable").at(0).as_string(), "projects/p/locations/us-west1");
    EXPECT_EQ(
        partial.at("instances").at(0).at("statusMessage").as_string(), "location not available for ListInstances");

    auto const reply = client.send("PUT", path, R"({"locations":["us-east1","europe-west1","us-east1"]})");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, R"({"locations":["europe-west1","us-east1"]})");
    EXPECT_EQ(client.get(there).status, 200);
    for (auto const* bad :
         {"",
          "[]",
          "{}",
          R"({"locations":"x"})",
          R"({"locations":[1]})",
          R"({"locations":[],"more":1})",
          R"({"locations":["-"]})",
          R"({"locations":["us-west1","A B"]})"}) {
        EXPECT_EQ(client.post(path, bad).status, 400) << bad;
    }
    EXPECT_EQ(client.get(path).body, R"({"locations":["europe-west1","us-east1"]})");
    EXPECT_THROW(google.set_unreachable({"us-west1", ""}), std::invalid_argument);

    google.set_unreachable({"us-west1"});
    EXPECT_EQ(client.get(there).status, 503);
    EXPECT_EQ(client.post("/emulator/v1/reset", "").status, 200);
    EXPECT_EQ(client.get(path).body, R"({"locations":[]})");
    EXPECT_EQ(client.get(there).status, 200);
}

TEST(emulator_control, requests_and_effects_are_logged)
{
    emulator google(with_faults({"status=503 first=1"}));
    emulator_client client(google.url());
    (void)client.get(std::string(every_instance) + "?pageSize=2");
    EXPECT_EQ(client.send("POST", create, basic_instance, "x-backbeat-logical-id: job \"1\"\r\n").status, 200);

    auto const requests = client.get("/emulator/v1/requests").json();
    EXPECT_EQ(requests.at("total").as_int64(), 2);
    auto const first = requests.at("requests").at(0);
    EXPECT_EQ(first.at("n").as_int64(), 1);
    EXPECT_EQ(first.at("method").as_string(), "GET");
    EXPECT_EQ(first.at("path").as_string(), every_instance);
    EXPECT_EQ(first.at("query").as_string(), "pageSize=2");
    EXPECT_EQ(first.at("status").as_int64(), 503);
    EXPECT_EQ(first.at("fault").as_int64(), 0);
    EXPECT_EQ(first.at("time").as_string().back(), 'Z');
    EXPECT_TRUE(requests.at("requests").at(1).at("fault").is_null());

    auto const effects = client.get("/emulator/v1/effects").json();
    auto const effect = effects.at("effects").at(0);
    EXPECT_EQ(effect.at("n").as_int64(), 1);
    EXPECT_EQ(effect.at("method").as_string(), "instances.create");
    EXPECT_EQ(effect.at("resource").as_string(), "projects/p/locations/us-central1/instances/r1");
    EXPECT_EQ(effect.at("operation").as_string().find("projects/p/locations/us-central1/operations/operation-"), 0U);
    EXPECT_EQ(effect.at("logical_id").as_string(), "job \"1\"");
    EXPECT_EQ(effect.as_object().size(), 6U);

    auto const metrics = client.get("/emulator/v1/metrics");
    EXPECT_EQ(metrics.fields["Content-Type"], "text/plain; version=0.0.4; charset=utf-8");
    EXPECT_NE(
        metrics.body.find("backbeat_emulator_requests_total{method=\"GET\",status=\"503\"} 1\n"), std::string::npos);
    EXPECT_NE(metrics.body.find("backbeat_emulator_effects_total{method=\"instances.create\"} 1\n"), std::string::npos);
    EXPECT_NE(metrics.body.find("backbeat_emulator_faults_total{rule=\"0\"} 1\n"), std::string::npos);
    EXPECT_NE(metrics.body.find("backbeat_emulator_connections 1\n"), std::string::npos);
}

TEST(emulator_control, header_fields_are_logged_when_asked_for)
{
    emulator_options options;
    options.log_headers = {"x-goog-request-params", "X-Many", "x-none"};
    emulator google(options);
    emulator_client client(google.url());
    (void)client.send(
        "GET", every_instance, {}, "X-Goog-Request-Params: parent=p\r\nX-Many: a\r\nx-many: b\r\nX-Other: c\r\n");
    (void)client.get(every_instance);
    (void)client.send("GET", every_instance, {}, "x-many: \xff " + std::string(2000, 'x') + "\r\n");
    auto const requests = client.get("/emulator/v1/requests").json().at("requests");
    EXPECT_EQ(
        boost::json::serialize(requests.at(0).at("headers")),
        R"({"X-Many":"a, b","x-goog-request-params":"parent=p"})");
    EXPECT_EQ(boost::json::serialize(requests.at(1).at("headers")), "{}");
    EXPECT_EQ(requests.at(2).at("headers").at("X-Many").as_string(), "%FF%20" + std::string(1018, 'x'));
    EXPECT_EQ(google.requests().at(0).headers.at("x-goog-request-params"), "parent=p");

    emulator silent;
    emulator_client other(silent.url());
    (void)other.send("GET", every_instance, {}, "X-Many: a\r\n");
    EXPECT_EQ(other.get("/emulator/v1/requests").body.find("headers"), std::string::npos);
}

TEST(emulator_control, what_clients_send_is_logged_as_text_of_bounded_length)
{
    emulator google(with_faults({}));
    emulator_client client(google.url());
    (void)client.send("POST", create, basic_instance, "X-Backbeat-Logical-Id: \xc3\x28\r\n");
    (void)client.send("POST", create, basic_instance, "X-Backbeat-Logical-Id: " + std::string(3000, 'x') + "\r\n");
    std::string umlauts;
    for (int i = 0; i != 1500; ++i) umlauts += "%C3%A4";
    (void)client.get("/x" + umlauts + "?" + std::string(3000, 'q'));
    (void)client.send(std::string(300, 'M'), "/");
    EXPECT_EQ(google.effects().at(0).logical_id, "%C3(");
    auto const requests = google.requests();
    ASSERT_EQ(requests.size(), 4U);
    EXPECT_EQ(requests[2].path.size(), 2048U);
    EXPECT_EQ(requests[2].path.substr(2044), "\xc3\xa4\xc3\xa4");
    EXPECT_EQ(requests[2].query.size(), 2048U);
    EXPECT_EQ(requests[3].method.size(), 32U);
    EXPECT_TRUE(detail::is_utf8(client.get("/emulator/v1/requests").body));
    EXPECT_TRUE(detail::is_utf8(client.get("/emulator/v1/effects").body));
}

TEST(emulator_control, reset_empties_everything)
{
    emulator google(with_faults({"status=503 first=1"}));
    emulator_client client(google.url());
    (void)client.get(every_instance);
    (void)client.post(create, basic_instance);
    EXPECT_EQ(client.post("/emulator/v1/reset", "").body, "{}");
    EXPECT_EQ(client.get("/emulator/v1/requests").body, R"({"total":0,"requests":[]})");
    EXPECT_EQ(client.get("/emulator/v1/effects").body, R"({"effects":[]})");
    EXPECT_EQ(client.get("/emulator/v1/faults").body, R"({"faults":[]})");
    EXPECT_EQ(client.get(every_instance).body, "{}");
    EXPECT_EQ(google.total_requests(), 1U);
}

TEST(emulator_control, tells_which_methods_a_path_takes)
{
    emulator google;
    emulator_client client(google.url());
    for (auto const& [target, allowed] :
         {std::pair("/emulator/v1/requests", "GET"),
          {"/emulator/v1/faults", "GET, POST, PUT"},
          {"/emulator/v1/snapshot", "GET, POST, PUT"},
          {"/emulator/v1/unreachable", "GET, POST, PUT"},
          {"/emulator/v1/reset", "POST"}}) {
        auto const reply = client.send("DELETE", target);
        EXPECT_EQ(reply.status, 405);
        EXPECT_EQ(reply.fields["Allow"], allowed);
    }
    EXPECT_EQ(client.get("/emulator/v1/reset").status, 405);
}

TEST(emulator_control, logs_are_bounded_and_totals_are_exact)
{
    emulator_options options = with_faults({});
    options.log_limit = 3;
    emulator google(options);
    emulator_client client(google.url());
    for (int i = 0; i != 5; ++i) (void)client.get("/v1/" + std::to_string(i));
    EXPECT_EQ(google.total_requests(), 5U);
    auto const requests = google.requests();
    ASSERT_EQ(requests.size(), 3U);
    EXPECT_EQ(requests[0].n, 3U);
    EXPECT_EQ(requests[2].path, "/v1/4");
    EXPECT_EQ(requests[2].status, 404);
    options.log_limit = 0;
    emulator forgetful(options);
    emulator_client other(forgetful.url());
    (void)other.get("/");
    EXPECT_EQ(forgetful.total_requests(), 1U);
    EXPECT_TRUE(forgetful.requests().empty());
}

}  // namespace

}  // namespace backbeat
