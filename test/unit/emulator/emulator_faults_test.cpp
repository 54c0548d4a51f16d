//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "emulator_client.hpp"

#include <backbeat/emulator.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace backbeat {

namespace {

using namespace std::chrono_literals;
using test::emulator_client;

constexpr char const* list = "/v1/projects/p/locations/-/instances";
constexpr char const* create = "/v1/projects/p/locations/us-central1/instances?instanceId=r1";
constexpr char const* basic = R"({"tier":"BASIC","memorySizeGb":1})";

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
    auto reply = client.get(list);
    EXPECT_EQ(reply.status, 503);
    EXPECT_EQ(reply.fields["Retry-After"], "2");
    EXPECT_EQ(reply.fields["retry-after-ms"], "20");
    EXPECT_EQ(reply.json().at("error").at("status").as_string(), "UNAVAILABLE");
    EXPECT_EQ(reply.json().at("error").at("code").as_int64(), 503);
    reply = client.get(list);
    EXPECT_EQ(reply.status, 429);
    EXPECT_EQ(reply.json().at("error").at("status").as_string(), "RESOURCE_EXHAUSTED");
    EXPECT_EQ(reply.fields.count("Retry-After"), 0U);
    EXPECT_EQ(client.get(list).status, 418);
    EXPECT_EQ(client.get(list).status, 200);
    EXPECT_EQ(google.faults_fired(), (std::vector<std::uint64_t>{1, 1, 1}));
}

TEST(emulator_faults, before_does_not_act_and_after_does)
{
    emulator google(with_faults({"status=503 method=POST first=1", "status=503 method=POST when=after first=1"}));
    emulator_client client(google.url());
    EXPECT_EQ(client.post(create, basic).status, 503);
    EXPECT_EQ(google.total_effects(), 0U);
    EXPECT_EQ(client.post(create, basic).status, 503);
    EXPECT_EQ(google.total_effects(), 1U);
    EXPECT_EQ(client.post(create, basic).status, 409);
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
        EXPECT_EQ(emulator_client(url, ca).get(list).error, boost::asio::error::connection_reset);
        EXPECT_EQ(emulator_client(url, ca).post(create, basic).error, boost::asio::error::connection_reset);
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
    expect_half(emulator_client(google.url()).post(create, basic), 200);
    EXPECT_EQ(google.total_effects(), 0U);
    expect_half(emulator_client(google.url()).post(create, basic), 200);
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
            + std::to_string(std::string_view(basic).size()) + "\r\n\r\n" + basic);
        while (google.total_requests() != static_cast<std::uint64_t>(i) + 1) std::this_thread::yield();
        client.socket().shutdown(boost::asio::socket_base::shutdown_send);
        EXPECT_EQ(client.read().error, boost::beast::http::error::end_of_stream);
        EXPECT_EQ(google.total_effects(), static_cast<std::uint64_t>(i));
    }
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
    EXPECT_EQ(client.post(create, basic).status, 200);
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
            + std::to_string(std::string_view(basic).size()) + "\r\n\r\n" + basic);
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
    EXPECT_EQ(client.get(list).status, 503);
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
    EXPECT_EQ(client.get(list).status, 503);
    EXPECT_EQ(client.get(list).status, 200);
    EXPECT_THROW(google.set_faults({fault_rule()}), fault_error);
    EXPECT_EQ(google.faults_fired(), std::vector<std::uint64_t>{2});
    EXPECT_EQ(client.post("/emulator/v1/faults", R"({"faults":[]})").body, R"({"faults":[]})");
}

TEST(emulator_control, requests_and_effects_are_logged)
{
    emulator google(with_faults({"status=503 first=1"}));
    emulator_client client(google.url());
    (void)client.get(std::string(list) + "?pageSize=2");
    EXPECT_EQ(client.send("POST", create, basic, "x-backbeat-logical-id: job \"1\"\r\n").status, 200);

    auto const requests = client.get("/emulator/v1/requests").json();
    EXPECT_EQ(requests.at("total").as_int64(), 2);
    auto const first = requests.at("requests").at(0);
    EXPECT_EQ(first.at("n").as_int64(), 1);
    EXPECT_EQ(first.at("method").as_string(), "GET");
    EXPECT_EQ(first.at("path").as_string(), list);
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

TEST(emulator_control, reset_empties_everything)
{
    emulator google(with_faults({"status=503 first=1"}));
    emulator_client client(google.url());
    (void)client.get(list);
    (void)client.post(create, basic);
    EXPECT_EQ(client.post("/emulator/v1/reset", "").body, "{}");
    EXPECT_EQ(client.get("/emulator/v1/requests").body, R"({"total":0,"requests":[]})");
    EXPECT_EQ(client.get("/emulator/v1/effects").body, R"({"effects":[]})");
    EXPECT_EQ(client.get("/emulator/v1/faults").body, R"({"faults":[]})");
    EXPECT_EQ(client.get(list).body, "{}");
    EXPECT_EQ(google.total_requests(), 1U);
}

TEST(emulator_control, tells_which_methods_a_path_takes)
{
    emulator google;
    emulator_client client(google.url());
    for (auto const& [target, allowed] :
         {std::pair("/emulator/v1/requests", "GET"),
          {"/emulator/v1/faults", "GET, POST"},
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
