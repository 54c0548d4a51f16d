//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "command_runner.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

namespace backbeat::test {
namespace {

namespace json = boost::json;

json::object run_demo(std::vector<std::string> words)
{
    words.insert(words.begin(), "demo");
    words.insert(words.end(), {"--output", "json"});
    auto const ended = run_backbeat(words);
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_EQ(ended.err, "");
    return ended.out.empty() ? json::object() : json::parse(ended.out).as_object();
}

std::int64_t number(json::object const& result, char const* key)
{
    return result.at(key).to_number<std::int64_t>();
}

std::int64_t sum(json::value const& counts)
{
    std::int64_t total = 0;
    for (auto const& each : counts.as_object()) total += each.value().to_number<std::int64_t>();
    return total;
}

// Holds of every run, whatever fails.
void check_totals(json::object const& result)
{
    EXPECT_EQ(number(result, "succeeded") + number(result, "failed"), number(result, "requests"));
    EXPECT_EQ(sum(result.at("failures")), number(result, "failed"));
    EXPECT_EQ(number(result, "accounted"), number(result, "requests"));
    EXPECT_TRUE(result.at("problems").as_array().empty());
    EXPECT_GE(number(result, "attempts"), number(result, "requests") + number(result, "retried"));
    EXPECT_EQ(
        sum(result.at("answers")) + number(result, "unanswered") + number(result, "not_sent"),
        number(result, "attempts"));
    EXPECT_EQ(result.at("answers"), result.at("emulator_answers"));
    EXPECT_EQ(number(result, "attempts") - number(result, "not_sent"), number(result, "emulator_requests"));
    EXPECT_LE(number(result, "most_waiting"), number(result, "most_in_flight"));
    // The clients' thread, the emulator's, and what a sanitizer may have.
    EXPECT_GE(number(result, "threads"), 2);
    EXPECT_LE(number(result, "threads"), 3);
    std::int64_t fired = 0;
    for (auto const& rule : result.at("fault_rules").as_array()) fired += rule.at("fired").to_number<std::int64_t>();
    EXPECT_EQ(fired, number(result, "faults"));
    EXPECT_FALSE(result.at("timeline").as_array().empty());
}

TEST(cli_demo, accounts_for_every_request_of_the_default_mix)
{
    auto const ended = run_backbeat({"demo"});
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_EQ(ended.err, "") << "progress is for terminals";
    for (auto const* const part :
         {"All times are scaled by 0.2",
          "retry-after-ms=400",
          "requests ",
          "attempts ",
          "retried ",
          "succeeded ",
          "failed ",
          "waiting time",
          "most in flight at once",
          "threads ",
          "elapsed time",
          "\n1000 of 1000 requests accounted for\n",
          "The request with the most attempts: "})
        EXPECT_NE(ended.out.find(part), std::string::npos) << part << "\n" << ended.out;
}

TEST(cli_demo, totals_agree_for_a_small_crowd)
{
    auto const result = run_demo({"--requests", "120", "--concurrency", "30", "--time-scale", "0.01", "--seed", "7"});
    check_totals(result);
    EXPECT_EQ(number(result, "requests"), 120);
    EXPECT_EQ(number(result, "most_in_flight"), 30);
    EXPECT_GT(number(result, "retried"), 0);
}

TEST(cli_demo, without_faults_nothing_is_retried)
{
    auto const result = run_demo({"--requests", "40", "--fault", "status=503 rate=0"});
    check_totals(result);
    EXPECT_EQ(number(result, "attempts"), 40);
    EXPECT_EQ(number(result, "retried"), 0);
    EXPECT_EQ(number(result, "waiting_seconds"), 0);
}

TEST(cli_demo, requests_that_are_exhausted_are_accounted_for_too)
{
    auto const result = run_demo({"--requests", "30", "--fault", "status=503", "--time-scale", "0.0001"});
    check_totals(result);
    EXPECT_EQ(number(result, "failed"), 30);
    EXPECT_EQ(number(result, "attempts"), 180);
    EXPECT_EQ(number(result.at("failures").as_object(), "exhausted, the last attempt: 503 Service Unavailable"), 30);
}

TEST(cli_demo, connections_that_break_are_accounted_for)
{
    check_totals(run_demo({"--requests", "60", "--fault", "reset", "--time-scale", "0.0001"}));
    check_totals(run_demo(
        {"--requests", "60", "--fault", "truncate rate=0.5", "--fault", "reset rate=0.3", "--time-scale", "0.001"}));
}

TEST(cli_demo, one_request_is_enough)
{
    check_totals(run_demo({"--requests", "1", "--concurrency", "1", "--time-scale", "0.001"}));
}

TEST(cli_demo, csv_has_a_quantity_a_line)
{
    auto const ended = run_backbeat({"demo", "--requests", "8", "--time-scale", "0.001", "--output", "csv"});
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_EQ(ended.out.substr(0, 26), "quantity,value\nrequests,8\n");
    EXPECT_NE(ended.out.find("\naccounted,8\n"), std::string::npos);
}

TEST(cli_demo, a_signal_cancels_every_request)
{
    for (auto const signal : {SIGINT, SIGTERM}) {
        running_process demo(backbeat_command({"demo", "--fault", "status=503", "--time-scale", "100"}));
        ASSERT_NE(demo.read_line(), "");
        demo.signal(signal);
        auto const ended = demo.finish();
        EXPECT_FALSE(ended.timed_out);
        EXPECT_EQ(ended.status, 128 + signal) << ended.err;
    }
}

}  // namespace
}  // namespace backbeat::test
