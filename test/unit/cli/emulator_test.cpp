//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "command_runner.hpp"
#include "emulator_client.hpp"

#include <backbeat/emulator.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace backbeat::test {
namespace {

// What stands after "listening on " in the one line, and in nothing else.
std::string url_of(running_process& emulator)
{
    auto const line = emulator.read_line();
    std::string const start = "listening on ";
    EXPECT_EQ(line.substr(0, start.size()), start);
    return line.size() > start.size() ? line.substr(start.size()) : std::string();
}

class cli_emulator_signals : public testing::TestWithParam<int> {};

TEST_P(cli_emulator_signals, end_it_with_success)
{
    running_process emulator(backbeat_command({"emulator"}));
    auto const url = url_of(emulator);
    EXPECT_EQ(url.substr(0, 17), "http://127.0.0.1:");
    emulator.signal(GetParam());
    auto const ended = emulator.finish();
    EXPECT_EQ(ended.status, 0);
    EXPECT_EQ(ended.out, "listening on " + url + "\n");
}

INSTANTIATE_TEST_SUITE_P(each, cli_emulator_signals, testing::Values(SIGINT, SIGTERM));

TEST(cli_emulator, a_port_in_use_is_a_failure_that_says_so)
{
    backbeat::emulator const other;
    auto const port = other.url().substr(other.url().rfind(':') + 1);
    auto const ended = run_backbeat({"emulator", "--port", port});
    EXPECT_EQ(ended.status, 1);
    EXPECT_EQ(ended.out, "");
    EXPECT_EQ(
        ended.err,
        "backbeat emulator: cannot listen on port " + port
            + " of 127.0.0.1: Address already in use; choose another --port, or 0 for a free one\n");
}

TEST(cli_emulator, speaks_tls_and_gives_its_authority_away)
{
    auto const file = testing::TempDir() + "backbeat_ca_" + std::to_string(::getpid()) + ".pem";
    running_process emulator(backbeat_command({"emulator", "--tls", "--tls-ca-file", file}));
    auto const url = url_of(emulator);
    EXPECT_EQ(url.substr(0, 18), "https://127.0.0.1:");
    auto const listed = run_backbeat({"instances", "list", "--project", "p", "--endpoint", url, "--ca-file", file});
    EXPECT_EQ(listed.status, 0) << listed.err;
    EXPECT_EQ(listed.out, "no instances\n");

    // Who does not trust it is told so, and the request is not repeated.
    auto const distrusted = run_backbeat({"instances", "list", "--project", "p", "--endpoint", url});
    EXPECT_EQ(distrusted.status, 1);
    EXPECT_NE(distrusted.err.find("certificate is not trusted"), std::string::npos) << distrusted.err;
    EXPECT_NE(distrusted.err.find("(after 1 attempt)"), std::string::npos) << distrusted.err;
    std::remove(file.c_str());

    emulator.signal(SIGTERM);
    auto const ended = emulator.finish();
    EXPECT_EQ(ended.status, 0);
    // The log of requests is not a result.
    EXPECT_EQ(ended.out, "listening on " + url + "\n");
    EXPECT_NE(ended.err.find("GET /v1/projects/p/locations/-/instances 200"), std::string::npos) << ended.err;
}

TEST(cli_emulator, a_certificate_file_that_cannot_be_written_is_a_failure)
{
    auto const ended = run_backbeat({"emulator", "--tls", "--tls-ca-file", "/does/not/exist/ca.pem"});
    EXPECT_EQ(ended.status, 1);
    EXPECT_EQ(ended.err, "backbeat emulator: --tls-ca-file '/does/not/exist/ca.pem' cannot be written\n");
}

TEST(cli_emulator, can_be_quiet_and_fails_as_it_is_told)
{
    running_process emulator(backbeat_command({"emulator", "--quiet", "--fault", "status=503 first=1"}));
    auto const url = url_of(emulator);
    auto const listed = run_backbeat(
        {"instances", "list", "--project", "p", "--endpoint", url, "--initial-backoff", "1ms", "--explain"});
    EXPECT_EQ(listed.status, 0);
    EXPECT_NE(listed.err.find("  503  "), std::string::npos) << listed.err;
    EXPECT_NE(listed.err.find("success after 2 attempts"), std::string::npos) << listed.err;
    emulator.signal(SIGINT);
    auto const ended = emulator.finish();
    EXPECT_EQ(ended.status, 0);
    EXPECT_EQ(ended.err, "");
}

// A file with this content, gone at the end of the test.
class temporary_file {
public:
    temporary_file(std::string const& name, std::string const& content)
        : path(testing::TempDir() + "backbeat_" + name + "_" + std::to_string(::getpid()))
    {
        std::ofstream(path) << content;
    }

    temporary_file(temporary_file const&) = delete;
    temporary_file& operator=(temporary_file const&) = delete;
    ~temporary_file() { std::remove(path.c_str()); }

    std::string path;
};

TEST(cli_emulator, has_locations_that_cannot_be_reached)
{
    running_process emulator(
        backbeat_command({"emulator", "--quiet", "--unreachable", "us-west1", "--unreachable", "us-east1"}));
    auto const url = url_of(emulator);
    auto const listed = run_backbeat({"instances", "list", "--project", "p", "--endpoint", url, "--output", "json"});
    EXPECT_EQ(listed.status, 0) << listed.err;
    EXPECT_NE(listed.out.find("projects/p/locations/us-west1/instances/-"), std::string::npos) << listed.out;
    EXPECT_NE(listed.err.find("projects/p/locations/us-east1"), std::string::npos) << listed.err;
    emulator.signal(SIGTERM);
    EXPECT_EQ(emulator.finish().status, 0);
}

TEST(cli_emulator, remembers_the_header_fields_that_it_is_asked_to)
{
    running_process emulator(backbeat_command(
        {"emulator", "--quiet", "--log-header", "x-goog-request-params", "--log-header", "User-Agent"}));
    auto const url = url_of(emulator);
    EXPECT_EQ(run_backbeat({"instances", "list", "--project", "p", "--endpoint", url}).status, 0);
    auto const headers = emulator_client(url).get("/emulator/v1/requests").json().at("requests").at(0).at("headers");
    EXPECT_EQ(headers.at("x-goog-request-params").as_string(), "parent=projects%2Fp%2Flocations%2F-");
    EXPECT_EQ(headers.at("User-Agent").as_string().find("backbeat/"), 0U);
    emulator.signal(SIGTERM);
    EXPECT_EQ(emulator.finish().status, 0);
}

TEST(cli_emulator, holds_projects_to_a_quota)
{
    running_process emulator(backbeat_command({"emulator", "--quota", "1/1h"}));
    auto const url = url_of(emulator);
    auto const list = [&url](char const* project) {
        return run_backbeat({"instances", "list", "--project", project, "--endpoint", url, "--maximum-retries", "0"});
    };
    EXPECT_EQ(list("p").status, 0);
    auto const refused = list("p");
    EXPECT_EQ(refused.status, 1);
    EXPECT_NE(refused.err.find("Quota exceeded for quota metric 'redis.googleapis.com/requests'"), std::string::npos)
        << refused.err;
    EXPECT_EQ(list("q").status, 0);
    emulator.signal(SIGTERM);
    auto const ended = emulator.finish();
    EXPECT_NE(ended.err.find(" 429 "), std::string::npos) << ended.err;
    EXPECT_NE(ended.err.find(" quota\n"), std::string::npos) << ended.err;
}

TEST(cli_emulator, asks_for_the_token_that_it_was_given)
{
    temporary_file const right("token", "secret\n");
    temporary_file const wrong("wrong_token", "guess\n");
    running_process emulator(backbeat_command({"emulator", "--quiet", "--require-token", right.path}));
    auto const url = url_of(emulator);
    auto const list = [&url](std::string const& file) {
        return run_backbeat({"instances", "list", "--project", "p", "--endpoint", url, "--access-token-file", file});
    };
    auto const refused = list(wrong.path);
    EXPECT_EQ(refused.status, 1);
    EXPECT_NE(refused.err.find("invalid authentication credentials"), std::string::npos) << refused.err;
    EXPECT_EQ(list(right.path).status, 0);
    emulator.signal(SIGTERM);
    EXPECT_EQ(emulator.finish().status, 0);
}

TEST(cli_emulator, saves_its_state_at_the_end_and_begins_with_it)
{
    temporary_file const file("state", "");
    for (int run = 0; run != 2; ++run) {
        std::vector<std::string> words{"emulator", "--quiet", "--save", file.path};
        if (run != 0) words.insert(words.end(), {"--load", file.path});
        running_process emulator(backbeat_command(words));
        auto const url = url_of(emulator);
        std::vector<std::string> const where{"--project", "p", "--region", "l", "--endpoint", url};
        auto const with = [&where](std::vector<std::string> command) {
            command.insert(command.end(), where.begin(), where.end());
            return run_backbeat(command);
        };
        if (run == 0) {
            EXPECT_EQ(with({"instances", "create", "i", "--tier", "BASIC", "--memory-size-gb", "1"}).status, 0);
        } else {
            auto const found = with({"instances", "get", "i"});
            EXPECT_EQ(found.status, 0) << found.err;
            EXPECT_NE(found.out.find("READY"), std::string::npos) << found.out;
        }
        emulator.signal(run == 0 ? SIGTERM : SIGINT);
        auto const ended = emulator.finish();
        EXPECT_EQ(ended.status, 0);
        EXPECT_EQ(ended.err, "");
    }
}

TEST(cli_emulator, a_state_that_cannot_be_saved_is_a_failure)
{
    running_process emulator(backbeat_command({"emulator", "--quiet", "--save", "/does/not/exist/state.json"}));
    auto const ended = emulator.finish();
    EXPECT_EQ(ended.status, 1);
    EXPECT_EQ(ended.out, "");
    EXPECT_EQ(ended.err, "backbeat emulator: --save '/does/not/exist/state.json' cannot be written\n");
}

TEST(cli_emulator, a_folder_is_no_place_for_a_state)
{
    auto const ended = run_backbeat({"emulator", "--quiet", "--save", "/"});
    EXPECT_EQ(ended.status, 1);
    EXPECT_EQ(ended.out, "");
    EXPECT_EQ(ended.err, "backbeat emulator: --save '/' cannot be written\n");
}

TEST(cli_emulator, whether_it_can_save_is_tried_without_a_trace)
{
    temporary_file const file("kept", "what was saved before");
    auto const ended = run_backbeat({"emulator", "--quiet", "--save", file.path, "--load", file.path});
    EXPECT_EQ(ended.status, 1);
    std::ifstream kept(file.path);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(kept), {}), "what was saved before");
    EXPECT_FALSE(std::ifstream(file.path + ".new"));
}

TEST(cli_emulator, a_key_or_a_snapshot_that_is_none_is_a_failure)
{
    temporary_file const nonsense("nonsense", "nonsense");
    auto ended = run_backbeat({"emulator", "--jwt-key", nonsense.path});
    EXPECT_EQ(ended.status, 1);
    EXPECT_EQ(ended.out, "");
    EXPECT_EQ(
        ended.err,
        "backbeat emulator: --jwt-key '" + nonsense.path + "' must be an RSA public key, or a certificate, in PEM\n");
    ended = run_backbeat({"emulator", "--load", nonsense.path});
    EXPECT_EQ(ended.status, 1);
    EXPECT_EQ(ended.out, "");
    EXPECT_NE(
        ended.err.find("backbeat emulator: --load '" + nonsense.path + "': the snapshot cannot be loaded: "),
        std::string::npos)
        << ended.err;
}

}  // namespace
}  // namespace backbeat::test
