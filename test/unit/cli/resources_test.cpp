//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "command_runner.hpp"
#include "scripted_server.hpp"

#include <backbeat/emulator.hpp>

#include <boost/json/parse.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <string>
#include <vector>

namespace backbeat::test {
namespace {

using namespace std::chrono_literals;

emulator_options less_quick()
{
    emulator_options options;
    options.operation_time = 20ms;
    return options;
}

class cli_resources : public testing::Test {
protected:
    process_result run(std::vector<std::string> words, bool regional = true)
    {
        words.insert(words.end(), {"--endpoint", server.url(), "--initial-backoff", "1ms"});
        if (regional) words.insert(words.end(), {"--region", "us-central1"});
        return run_backbeat(words, {"GOOGLE_CLOUD_PROJECT=p"});
    }

    std::size_t requests(std::string const& method) const
    {
        auto const all = server.requests();
        return static_cast<std::size_t>(
            std::count_if(all.begin(), all.end(), [&](auto const& each) { return each.method == method; }));
    }

    void create(std::string const& id)
    {
        auto const made = run({"instances", "create", id, "--wait", "--initial-poll-interval", "5ms"});
        ASSERT_EQ(made.status, 0) << made.err;
    }

    backbeat::emulator server{less_quick()};
};

TEST_F(cli_resources, an_instance_is_created_shown_listed_and_deleted)
{
    auto const created = run(
        {"instances",
         "create",
         "cache",
         "--tier",
         "STANDARD_HA",
         "--memory-size-gb",
         "5",
         "--display-name",
         "Der Cache",
         "--labels",
         "a=b,c=d",
         "--labels",
         "e=f",
         "--wait",
         "--initial-poll-interval",
         "5ms",
         "--output",
         "json"});
    ASSERT_EQ(created.status, 0) << created.err;
    auto const operation = boost::json::parse(created.out);
    EXPECT_TRUE(operation.at("done").as_bool());
    EXPECT_EQ(operation.at("metadata").at("verb"), "create");

    auto const shown = run({"instances", "get", "cache", "--output", "json"});
    ASSERT_EQ(shown.status, 0) << shown.err;
    EXPECT_EQ(shown.err, "");
    auto const instance = boost::json::parse(shown.out);
    EXPECT_EQ(instance.at("name"), "projects/p/locations/us-central1/instances/cache");
    EXPECT_EQ(instance.at("tier"), "STANDARD_HA");
    EXPECT_EQ(instance.at("memorySizeGb"), 5);
    EXPECT_EQ(instance.at("displayName"), "Der Cache");
    EXPECT_EQ(instance.at("labels"), boost::json::parse(R"({"a":"b","c":"d","e":"f"})"));
    EXPECT_EQ(instance.at("state"), "READY");

    auto const listed = run({"instances", "list", "--output", "csv"}, false);
    ASSERT_EQ(listed.status, 0) << listed.err;
    EXPECT_EQ(listed.out.substr(0, 51), "ID,REGION,TIER,SIZE_GB,VERSION,HOST,PORT,STATE,CREA");
    EXPECT_NE(listed.out.find("\ncache,us-central1,STANDARD_HA,5,"), std::string::npos) << listed.out;

    auto const table = run({"instances", "get", "projects/p/locations/us-central1/instances/cache"}, false);
    EXPECT_EQ(table.status, 0) << table.err;
    EXPECT_NE(table.out.find("display_name             Der Cache\n"), std::string::npos) << table.out;

    auto const deleted = run({"instances", "delete", "cache", "--wait", "--initial-poll-interval", "5ms"});
    EXPECT_EQ(deleted.status, 0) << deleted.err;
    EXPECT_EQ(run({"instances", "list"}).out, "no instances\n");
    EXPECT_EQ(
        boost::json::parse(run({"instances", "list", "--output", "json"}).out).at("instances").as_array().size(), 0U);
}

TEST_F(cli_resources, a_change_without_wait_prints_the_operation_and_returns)
{
    auto const created = run({"instances", "create", "cache", "--output", "csv"});
    ASSERT_EQ(created.status, 0) << created.err;
    EXPECT_EQ(requests("GET"), 2U) << "the instance and its operations, before it is created, and nothing after that";
    auto const row = created.out.substr(created.out.find('\n') + 1);
    auto const name = row.substr(0, row.find(','));
    EXPECT_EQ(name.substr(0, 44), "projects/p/locations/us-central1/operations/");

    auto const shown = run({"operations", "get", name, "--output", "json"}, false);
    ASSERT_EQ(shown.status, 0) << shown.err;
    EXPECT_EQ(boost::json::parse(shown.out).at("name"), boost::json::string(name));

    auto const id = name.substr(name.rfind('/') + 1);
    auto const waited = run({"operations", "wait", id, "--initial-poll-interval", "5ms"});
    ASSERT_EQ(waited.status, 0) << waited.err;
    EXPECT_NE(waited.out.find("done         true\n"), std::string::npos) << waited.out;
}

TEST_F(cli_resources, what_is_refused_is_told_in_one_line)
{
    auto const missing = run({"instances", "get", "nobody"});
    EXPECT_EQ(missing.status, 1);
    EXPECT_EQ(missing.out, "");
    EXPECT_EQ(
        missing.err,
        "backbeat instances get: projects/p/locations/us-central1/instances/nobody cannot be shown: NOT_FOUND (HTTP "
        "404): Resource 'projects/p/locations/us-central1/instances/nobody' was not found (after 1 attempt)\n");

    create("cache");
    auto const again = run({"instances", "create", "cache"});
    EXPECT_EQ(again.status, 1);
    EXPECT_NE(again.err.find("ALREADY_EXISTS (HTTP 409)"), std::string::npos) << again.err;

    auto const unknown = run({"operations", "wait", "nothing"});
    EXPECT_EQ(unknown.status, 1);
    EXPECT_NE(unknown.err.find("NOT_FOUND"), std::string::npos) << unknown.err;
}

TEST_F(cli_resources, requests_are_retried_and_explained)
{
    create("cache");
    server.set_faults({parse_fault_rule("status=503 first=2")});
    auto const shown = run({"instances", "get", "cache", "--explain", "--output", "csv"});
    EXPECT_EQ(shown.status, 0) << shown.err;
    EXPECT_NE(shown.err.find("attempt 1  at "), std::string::npos) << shown.err;
    EXPECT_NE(shown.err.find("success after 3 attempts in "), std::string::npos) << shown.err;
    EXPECT_EQ(shown.out.substr(0, 18), "name,display_name,");
}

TEST_F(cli_resources, exhaustion_is_a_failure_with_the_number_of_attempts)
{
    server.set_faults({parse_fault_rule("status=503")});
    auto const shown = run({"instances", "get", "cache", "--maximum-retries", "2"});
    EXPECT_EQ(shown.status, 1);
    EXPECT_EQ(requests("GET"), 3U);
    EXPECT_NE(shown.err.find("UNAVAILABLE (HTTP 503)"), std::string::npos) << shown.err;
    EXPECT_NE(shown.err.find("(after 3 attempts)\n"), std::string::npos) << shown.err;
}

TEST_F(cli_resources, a_limit_that_ends_a_request_is_named)
{
    server.set_faults({parse_fault_rule("status=429 retry-after=600")});
    auto const asked = run({"instances", "get", "cache"});
    EXPECT_NE(
        asked.err.find(
            "(after 1 attempt; the server asked for a longer wait than --maximum-hint or --total-timeout allow)\n"),
        std::string::npos)
        << asked.err;
    server.set_faults({parse_fault_rule("status=429")});
    auto const no_time = run({"instances", "get", "cache", "--throttled-backoff", "1m", "--total-timeout", "30s"});
    EXPECT_NE(no_time.err.find("(after 1 attempt; --total-timeout leaves no time for another)\n"), std::string::npos)
        << no_time.err;
}

TEST_F(cli_resources, a_budget_refuses_what_it_cannot_pay)
{
    server.set_faults({parse_fault_rule("status=503")});
    auto const shown = run(
        {"instances", "get", "cache", "--budget", "--maximum-retries", "20", "--maximum-backoff", "1ms", "--explain"});
    EXPECT_EQ(shown.status, 1);
    EXPECT_EQ(requests("GET"), 6U);
    EXPECT_NE(shown.err.find("budget after 6 attempts in "), std::string::npos) << shown.err;
    EXPECT_NE(shown.err.find("(after 6 attempts; the retry budget refuses another)\n"), std::string::npos) << shown.err;
}

TEST_F(cli_resources, a_change_that_was_carried_out_is_found_and_not_repeated)
{
    server.set_faults({parse_fault_rule("status=503 method=POST when=after")});
    auto const created = run({"instances", "create", "cache", "--explain", "--initial-backoff", "1ms"});
    EXPECT_EQ(created.status, 0) << created.err;
    EXPECT_EQ(requests("POST"), 1U);
    EXPECT_NE(created.err.find("success after 2 attempts"), std::string::npos) << created.err;
}

TEST_F(cli_resources, a_change_whose_fate_is_unknown_is_not_repeated)
{
    server.set_faults({parse_fault_rule("reset method=POST")});
    // The default settle time is a minute, and no attempt is left for what comes after it.
    auto const created =
        run({"instances", "create", "cache", "--explain", "--maximum-retries", "0", "--maximum-hint", "1s"});
    EXPECT_EQ(created.status, 1);
    EXPECT_EQ(requests("POST"), 1U);
    EXPECT_NE(created.err.find("may or may not have been carried out"), std::string::npos) << created.err;
}

class cli_signals : public testing::TestWithParam<int> {};

TEST_P(cli_signals, cancel_a_request_that_waits_for_its_next_attempt)
{
    gate answered;
    emulator_options options;
    options.faults = {parse_fault_rule("status=503 first=1")};
    options.log = [&](std::string_view) { answered.open(); };
    backbeat::emulator const server(options);
    running_process process(backbeat_command(
        {"instances",
         "list",
         "--project",
         "p",
         "--endpoint",
         server.url(),
         "--initial-backoff",
         "1h",
         "--maximum-backoff",
         "1h",
         "--explain"}));
    ASSERT_TRUE(answered.wait());
    process.signal(GetParam());
    auto const ended = process.finish();
    EXPECT_FALSE(ended.timed_out);
    EXPECT_EQ(ended.status, 128 + GetParam());
    EXPECT_EQ(ended.out, "");
    EXPECT_NE(ended.err.find(GetParam() == SIGINT ? "ended by SIGINT" : "ended by SIGTERM"), std::string::npos)
        << ended.err;
    EXPECT_NE(ended.err.find("cancelled after 1 attempt"), std::string::npos) << ended.err;
    EXPECT_EQ(server.total_requests(), 1U);
}

TEST_P(cli_signals, cancel_a_request_that_is_not_answered)
{
    gate asked;
    auto const silent = [&](peer& client) {
        client.read_request();
        asked.open();
        client.wait_for_close();
    };
    scripted_server const server({silent});
    running_process process(backbeat_command({"instances", "list", "--project", "p", "--endpoint", server.url()}));
    ASSERT_TRUE(asked.wait());
    process.signal(GetParam());
    auto const ended = process.finish();
    EXPECT_FALSE(ended.timed_out);
    EXPECT_EQ(ended.status, 128 + GetParam());
}

TEST_P(cli_signals, cancel_waiting_for_an_operation)
{
    gate polled;
    emulator_options options;
    options.operation_time = 1h;
    options.log = [&](std::string_view line) {
        if (line.find(" GET ") != line.npos && line.find("/operations/") != line.npos) polled.open();
    };
    backbeat::emulator const server(options);
    running_process process(backbeat_command(
        {"instances", "create", "cache", "--wait", "--project", "p", "--region", "r", "--endpoint", server.url()}));
    ASSERT_TRUE(polled.wait());
    process.signal(GetParam());
    auto const ended = process.finish();
    EXPECT_FALSE(ended.timed_out);
    EXPECT_EQ(ended.status, 128 + GetParam());
    // The operation goes on: its name is how to find it again.
    EXPECT_NE(ended.err.find("the operation is projects/p/locations/r/operations/"), std::string::npos) << ended.err;
}

INSTANTIATE_TEST_SUITE_P(each, cli_signals, testing::Values(SIGINT, SIGTERM));

}  // namespace
}  // namespace backbeat::test
