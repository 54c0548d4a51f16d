//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "command_runner.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace backbeat::test {
namespace {

struct wrong_use {
    std::vector<std::string> words;
    std::string first_line;  // of what is said on standard error
};

void PrintTo(wrong_use const& use, std::ostream* out)
{
    for (auto const& word : use.words) *out << word << ' ';
}

class cli_wrong_use : public testing::TestWithParam<wrong_use> {};

TEST_P(cli_wrong_use, is_explained_and_exits_2)
{
    auto const ended = run_backbeat(GetParam().words);
    EXPECT_EQ(ended.status, 2);
    EXPECT_EQ(ended.out, "");
    EXPECT_EQ(ended.err.substr(0, ended.err.find('\n')), GetParam().first_line);
    EXPECT_NE(ended.err.find("usage: backbeat"), std::string::npos);
}

constexpr char const* syntax =
    "a duration is a non-negative decimal number and one of ns, us, ms, s, m, h, without a space, like 250ms or 2.5s";

INSTANTIATE_TEST_SUITE_P(
    each,
    cli_wrong_use,
    testing::Values(
        wrong_use{{}, "backbeat: a command is missing"},
        wrong_use{{"dmeo"}, "backbeat: there is no command 'dmeo'; did you mean 'demo'?"},
        wrong_use{{"plan"}, "backbeat: there is no command 'plan'"},
        wrong_use{{"instances"}, "backbeat instances: a command is missing"},
        wrong_use{{"instances", "lst"}, "backbeat instances: there is no command 'lst'; did you mean 'list'?"},
        wrong_use{{"--verson"}, "backbeat: the flag '--verson' stands before the command; did you mean '--version'?"},
        wrong_use{
            {"instances", "--region", "r", "list"},
            "backbeat instances: the flag '--region' stands before the command; it comes after it"},
        wrong_use{
            {"instances", "get", "--ouput", "json"},
            "backbeat instances get: there is no flag '--ouput'; did you mean '--output'?"},
        wrong_use{{"demo", "-x"}, "backbeat demo: there is no flag '-x'"},
        wrong_use{
            {"instances", "get"},
            "backbeat instances get: ID is missing: the id of the instance, or its whole name, "
            "projects/.../instances/ID"},
        wrong_use{{"instances", "get", "a", "b"}, "backbeat instances get: too many arguments: 'b' is left over"},
        wrong_use{
            {"instances", "list", "--region"}, "backbeat instances list: --region needs a value: --region REGION"},
        wrong_use{
            {"instances", "list", "--region", "--explain"},
            "backbeat instances list: --region needs a value: --region REGION"},
        wrong_use{
            {"instances", "list", "--region="}, "backbeat instances list: --region needs a value: --region REGION"},
        wrong_use{{"instances", "list", "--explain=yes"}, "backbeat instances list: --explain takes no value"},
        wrong_use{
            {"instances", "list"},
            "backbeat instances list: the project is missing: say --project ID, or set GOOGLE_CLOUD_PROJECT"},
        wrong_use{
            {"instances", "get", "a", "--project", "p"},
            "backbeat instances get: the region is missing: say --region REGION, like --region us-central1"},
        wrong_use{
            {"instances", "get", "a", "--project", "p", "--region", "-"},
            "backbeat instances get: --region - stands for all regions, and this needs one: say it, like --region "
            "us-central1"},
        wrong_use{
            {"operations", "wait", "o", "--project", "p", "--region", "r", "--initial-poll-interval", "0s"},
            "backbeat operations wait: --initial-poll-interval is zero; it must be longer, like 500ms, or polls never "
            "pause"},
        wrong_use{
            {"instances", "create", "A", "--project", "p", "--region", "r", "--tier", "GOLD"},
            "backbeat instances create: --tier 'GOLD': must be BASIC or STANDARD_HA"},
        wrong_use{
            {"instances", "create", "a", "--labels", "x"},
            "backbeat instances create: --labels 'x': must be KEY=VALUE"},
        wrong_use{
            {"instances", "list", "--initial-backoff", "5"},
            "backbeat instances list: --initial-backoff '5': the unit is missing, write 5s or 5ms; "
                + std::string(syntax)},
        wrong_use{
            {"instances", "list", "--total-timeout", "-1s"},
            "backbeat instances list: --total-timeout '-1s': the duration is negative; " + std::string(syntax)},
        wrong_use{
            {"instances", "list", "--project", "p", "--multiplier", "nan"},
            "backbeat instances list: --multiplier is not a finite number; it must be 1 (constant backoff) or more, 2 "
            "is usual"},
        wrong_use{
            {"instances", "list", "--project", "p", "--multiplier", "-1"},
            "backbeat instances list: --multiplier is below 1, so backoff would shrink; it must be 1 (constant "
            "backoff) or more, 2 is usual"},
        wrong_use{
            {"instances", "list", "--project", "p", "--maximum-backoff", "10ms"},
            "backbeat instances list: --maximum-backoff is below --initial-backoff; raise --maximum-backoff or lower "
            "--initial-backoff"},
        wrong_use{
            {"instances", "upgrade", "a", "--project", "p", "--region", "r"},
            "backbeat instances upgrade: --redis-version is '', but must be a version such as REDIS_7_2"},
        wrong_use{
            {"instances", "create", "a", "--project", "p", "--region", "r", "--memory-size-gb", "500"},
            "backbeat instances create: --memory-size-gb is 500, but must be from 1 to 300"},
        wrong_use{
            {"instances", "create", "A", "--project", "p", "--region", "r"},
            "backbeat instances create: 'A' is not an instance id; an instance id is 1 to 40 lower-case letters, "
            "digits and hyphens, starts with a letter and does not end with a hyphen"},
        wrong_use{
            {"clusters", "get", "c", "--project", "P", "--region", "r"},
            "backbeat clusters get: 'projects/P' is not the name of a project, which is projects/{project}; a project "
            "is 1 to 63 lower-case letters, digits, hyphens, dots and colons, and starts with a letter or a digit"},
        wrong_use{
            {"instances", "update", "a", "--project", "p", "--region", "r"},
            "backbeat instances update: nothing is to be changed: say a field, like --redis-configs KEY=VALUE, or "
            "--update-mask"},
        wrong_use{
            {"instances", "update", "a", "--project", "p", "--region", "r", "--update-mask", "host"},
            "backbeat instances update: the update mask names 'host', which is output only: the service sets it, and "
            "no update can"},
        wrong_use{
            {"instances", "update", "a", "--project", "p", "--region", "r", "--json", "/dev/null"},
            "backbeat instances update: --json needs --update-mask, which names the fields to change, like "
            "--update-mask displayName,labels"},
        wrong_use{
            {"instances", "update", "a", "--auth-enabled", "yes"},
            "backbeat instances update: --auth-enabled 'yes': must be true or false"},
        wrong_use{
            {"instances", "update", "a", "--redis-config", "a=b"},
            "backbeat instances update: there is no flag '--redis-config'; did you mean '--redis-configs'?"},
        wrong_use{
            {"instances", "create", "a", "--project", "p", "--region", "r", "--json", "/does/not/exist"},
            "backbeat instances create: --json '/does/not/exist' cannot be read"},
        wrong_use{
            {"instances", "create", "a", "--project", "p", "--region", "r", "--json", "/dev/zero"},
            "backbeat instances create: --json '/dev/zero' is too large; it can have no more than 1 MiB"},
        wrong_use{
            {"instances", "reschedule", "a", "--reschedule-type", "SOON"},
            "backbeat instances reschedule: --reschedule-type 'SOON': must be IMMEDIATE, NEXT_AVAILABLE_WINDOW or "
            "SPECIFIC_TIME"},
        wrong_use{
            {"instances", "reschedule", "a", "--schedule-time", "today"},
            "backbeat instances reschedule: --schedule-time 'today': must be a time of RFC 3339, like "
            "2026-08-22T10:00:00Z"},
        wrong_use{
            {"instances", "export", "a"},
            "backbeat instances export: URI is missing: where to, like gs://bucket/object.rdb"},
        wrong_use{
            {"instances", "delete", "a", "--mutations", "maybe"},
            "backbeat instances delete: --mutations 'maybe': must be careful, literal or never"},
        wrong_use{
            {"clusters", "delete", "c", "--project", "p", "--region", "r", "--wait", "--no-wait"},
            "backbeat clusters delete: --wait and --no-wait contradict each other; say one of them"},
        wrong_use{
            {"instances", "delete", "a", "--request-id", "x"},
            "backbeat instances delete: there is no flag '--request-id'"},
        wrong_use{
            {"backups", "list", "--project", "p", "--region", "r"},
            "backbeat backups list: the backup collection is missing: say --backup-collection ID; backup-collections "
            "list shows them"},
        wrong_use{{"locations", "list", "--region", "r"}, "backbeat locations list: there is no flag '--region'"},
        wrong_use{
            {"locations", "list", "--project", "p", "--no-credentials", "--credentials", "f"},
            "backbeat locations list: --credentials, --access-token-file and --no-credentials exclude each other; say "
            "one of them"},
        wrong_use{
            {"locations", "list", "--project", "p", "--credentials", "/does/not/exist"},
            "backbeat locations list: --credentials '/does/not/exist' cannot be read"},
        wrong_use{
            {"locations", "list", "--project", "p", "--credentials", "/dev/null"},
            "backbeat locations list: --credentials '/dev/null': the key that was given cannot be used: expected JSON, "
            "got nothing; it must be a key file as Google hands it out"},
        wrong_use{
            {"instances", "list", "--maximum-retries", "many"},
            "backbeat instances list: --maximum-retries 'many': must be a whole number from 0 to 4294967294, or "
            "unlimited"},
        wrong_use{
            {"instances", "list", "--jitter", "ful"},
            "backbeat instances list: --jitter 'ful': must be none, additive, full, equal or decorrelated"},
        wrong_use{
            {"instances", "list", "--timers", "hourglass"},
            "backbeat instances list: --timers 'hourglass': must be asio or wheel"},
        wrong_use{
            {"instances", "list", "--output", "yaml"},
            "backbeat instances list: --output 'yaml': must be table, json or csv"},
        wrong_use{
            {"instances", "list", "--project", "p", "--endpoint", "nowhere"},
            "backbeat instances list: the URL 'nowhere' has no scheme; write it like https://host or http://host:8080"},
        wrong_use{
            {"instances", "list", "--project", "p", "--ca-file", "/does/not/exist"},
            "backbeat instances list: --ca-file '/does/not/exist': No such file or directory"},
        wrong_use{
            {"instances", "list", "--project", "p", "--access-token-file", "/does/not/exist"},
            "backbeat instances list: --access-token-file '/does/not/exist' cannot be read"},
        wrong_use{
            {"emulator", "--port", "99999"},
            "backbeat emulator: --port '99999': must be a whole number from 0 to 65535"},
        wrong_use{
            {"emulator", "--tls-ca-file", "ca.pem"},
            "backbeat emulator: --tls-ca-file needs --tls: without TLS there is no certificate to write"},
        wrong_use{
            {"emulator", "--fault", "stauts=503"},
            "backbeat emulator: --fault 'stauts=503': unknown fault key 'stauts'; did you mean 'status'? accepted keys "
            "are status, reset, truncate, hang, refuse, delay, when, method, path, rate, first, retry-after, "
            "retry-after-ms and retry-info"},
        wrong_use{
            {"emulator", "--log-header", "a b"},
            "backbeat emulator: --log-header 'a b': must be the name of a header field, like x-goog-request-params"},
        wrong_use{
            {"emulator", "--unreachable", "-"},
            "backbeat emulator: --unreachable '-': must be a location, like us-central1"},
        wrong_use{
            {"emulator", "--quota", "60"},
            "backbeat emulator: --quota '60': must be a number and a duration, like 60/1m"},
        wrong_use{
            {"emulator", "--quota", "0/1m"},
            "backbeat emulator: --quota '0': must be a whole number from 1 to 1000000000"},
        wrong_use{
            {"emulator", "--quota", "60/0s"},
            "backbeat emulator: --quota '60/0s': the duration must be more than zero"},
        wrong_use{
            {"emulator", "--queue", "5"}, "backbeat emulator: --queue needs --capacity: without it no request waits"},
        wrong_use{
            {"emulator", "--capacity", "0"},
            "backbeat emulator: --capacity '0': must be a whole number from 1 to 1000000"},
        wrong_use{
            {"emulator", "--fault", "refuse path=/a"},
            "backbeat emulator: --fault 'refuse path=/a': path cannot stand beside refuse, which ends a connection "
            "before a request is read; use reset, or refuse with rate and first alone"},
        wrong_use{
            {"emulator", "--load", "/does/not/exist"},
            "backbeat emulator: --load '/does/not/exist' cannot be read, or is empty"},
        wrong_use{
            {"emulator", "--require-token", "/dev/null"},
            "backbeat emulator: --require-token '/dev/null' cannot be read, or is empty"},
        wrong_use{
            {"demo", "--fault", "status=503 rate=2"},
            "backbeat demo: --fault 'status=503 rate=2': rate must be a number from 0 to 1, like 0.3; got 2"},
        wrong_use{
            {"demo", "--requests", "0"}, "backbeat demo: --requests '0': must be a whole number from 1 to 1000000"},
        wrong_use{
            {"demo", "--time-scale", "nan"},
            "backbeat demo: --time-scale 'nan': must be a number from 0.000001 to 1000; 1 is the time that retries "
            "really take"}));

TEST(cli_usage, retries_can_be_unlimited)
{
    auto const ended = run_backbeat({"instances", "list", "--maximum-retries", "unlimited"});
    EXPECT_EQ(ended.status, 2);
    EXPECT_NE(ended.err.find("the project is missing"), std::string::npos);
}

TEST(cli_usage, help_and_version_are_results)
{
    auto const version = run_backbeat({"--version"});
    EXPECT_EQ(version.status, 0);
    EXPECT_EQ(version.out, "backbeat 0.1.0\n");

    std::vector<std::vector<std::string>> const asked{
        {"--help"},
        {"-h"},
        {"instances", "--help"},
        {"instances", "list", "--help"},
        {"instances", "create", "--help", "--frobnicate"},
        {"operations", "wait", "-h"},
        {"emulator", "--help"},
        {"demo", "--requests", "--help"},
        {"help"},
        {"help", "instances"},
        {"help", "emulator"}};
    for (auto const& words : asked) {
        auto const ended = run_backbeat(words);
        EXPECT_EQ(ended.status, 0);
        EXPECT_EQ(ended.err, "");
        EXPECT_NE(ended.out.find("usage: backbeat"), std::string::npos);
    }
    EXPECT_EQ(run_backbeat({"help"}).out, run_backbeat({"--help"}).out);
    EXPECT_EQ(run_backbeat({"help", "operations", "wait"}).out, run_backbeat({"operations", "wait", "--help"}).out);
    EXPECT_EQ(run_backbeat({"help", "emulatr"}).status, 2);
    auto const list = run_backbeat({"instances", "list", "--help"});
    for (auto const* const flag :
         {"--initial-backoff",
          "--multiplier",
          "--maximum-backoff",
          "--maximum-jitter",
          "--jitter",
          "--throttled-backoff",
          "--maximum-retries",
          "--attempt-timeout",
          "--total-timeout",
          "--maximum-hint",
          "--wait-resolution",
          "--timers",
          "--budget"})
        EXPECT_NE(list.out.find(flag), std::string::npos) << flag;
}

TEST(cli_usage, a_result_that_cannot_be_written_is_a_failure)
{
    auto const ended =
        run_process({"/bin/sh", "-c", std::string("exec '") + BACKBEAT_EXECUTABLE + "' --help >/dev/full"});
    EXPECT_EQ(ended.status, 1);
    EXPECT_EQ(ended.err, "backbeat: the result cannot be written to standard output: No space left on device\n");
}

}  // namespace
}  // namespace backbeat::test
