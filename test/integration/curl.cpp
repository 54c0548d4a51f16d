//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The emulator, asked by curl: an HTTP client that shares no code with the server.

#include "run_process.hpp"

#include <backbeat/emulator.hpp>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace backbeat {
namespace {

namespace json = boost::json;

emulator_options service()
{
    emulator_options options;
    options.tls = true;
    // Until a test completes it.
    options.operation_time = std::chrono::hours(1);
    return options;
}

class curl_requests : public testing::Test {
protected:
    ~curl_requests() override { std::remove(file_.c_str()); }

    // What it prints, which has to be all that it was asked for.
    std::string curl(std::vector<std::string> arguments)
    {
        // --disable: no configuration file of who runs the test.
        std::vector<std::string> command{
            BACKBEAT_CURL, "--disable", "--silent", "--show-error", "--noproxy", "*", "--max-time", "60"};
        command.insert(command.end(), arguments.begin(), arguments.end());
        auto const ended = test::run_process(std::move(command), {}, std::chrono::seconds(90));
        EXPECT_EQ(ended.status, 0) << ended.err;
        trace = ended.err;
        return ended.out;
    }

    // The body, and after a line end the status.
    std::string with_status(std::vector<std::string> arguments)
    {
        arguments.insert(arguments.end(), {"--write-out", "\n%{http_code}"});
        return curl(std::move(arguments));
    }

    json::object object(std::vector<std::string> arguments)
    {
        return json::parse(curl(std::move(arguments))).as_object();
    }

    static std::string field(json::object const& found, std::string_view name)
    {
        return std::string(found.at(name).as_string());
    }

    // As the documentation shows it.
    json::object create(std::string const& id)
    {
        return object(
            {"-X", "POST", instances + "?instanceId=" + id, "-d", R"({"tier":"STANDARD_HA","memorySizeGb":1})"});
    }

    std::string make_ready(std::string const& id)
    {
        create(id);
        google.load_snapshot(google.snapshot());
        return instances + "/" + id;
    }

    std::string const& file_with(std::string const& content)
    {
        std::ofstream(file_, std::ios::binary) << content;
        return file_;
    }

    emulator google{service()};
    std::string const location = google.url() + "/v1/projects/my-project/locations/us-central1";
    std::string const instances = location + "/instances";
    std::string trace;

private:
    std::string const file_ = testing::TempDir() + "backbeat_curl_" + std::to_string(::getpid());
};

TEST_F(curl_requests, create_and_read_an_instance)
{
    auto const operation = create("one");
    EXPECT_EQ(field(operation.at("metadata").as_object(), "verb"), "create");
    auto const made = object({instances + "/one?alt=json"});
    EXPECT_EQ(field(made, "name"), "projects/my-project/locations/us-central1/instances/one");
    EXPECT_EQ(field(made, "state"), "CREATING");
    EXPECT_EQ(object({instances + "?alt=json"}).at("instances").as_array().size(), 1U);
}

TEST_F(curl_requests, may_ask_for_json_in_every_way)
{
    for (auto const* query : {"?alt=json", "?$alt=json", "?$alt=json%3Benum-encoding=int", "?", "?prettyPrint=false"})
        EXPECT_EQ(with_status({instances + query}), "{}\n200") << query;
}

TEST_F(curl_requests, may_have_no_body_where_the_method_wants_none)
{
    auto const one = make_ready("one");
    auto const moved = object({"-X", "POST", "-H", "Content-Length: 0", one + ":failover?alt=json"});
    EXPECT_EQ(field(moved.at("metadata").as_object(), "verb"), "failover");
    EXPECT_EQ(google.total_effects(), 2U);
}

TEST_F(curl_requests, may_cancel_without_a_body)
{
    auto const one = make_ready("one");
    auto const begun = object({one + ":import", "-d", R"({"inputConfig":{"gcsSource":{"uri":"gs://b/o.rdb"}}})"});
    auto const operation = google.url() + "/v1/" + field(begun, "name");
    EXPECT_EQ(with_status({"-X", "POST", operation + ":cancel?alt=json"}), "{}\n200");
    auto const cancelled = object({operation});
    EXPECT_TRUE(cancelled.at("done").as_bool());
    EXPECT_EQ(cancelled.at("error").at("code").as_int64(), 1);
}

TEST_F(curl_requests, share_a_connection)
{
    EXPECT_EQ(
        curl({"--http1.1", "--write-out", " %{num_connects} ", instances, instances, instances}), "{} 1 {} 0 {} 0 ");
    EXPECT_EQ(google.peak_connections(), 1U);
}

TEST_F(curl_requests, may_be_of_http_1_0)
{
    EXPECT_EQ(curl({"--http1.0", "--write-out", " %{num_connects} ", instances, instances}), "{} 1 {} 1 ");
}

TEST_F(curl_requests, may_be_for_the_header_alone)
{
    auto const header = curl({"--head", instances});
    EXPECT_EQ(header.substr(0, 17), "HTTP/1.1 200 OK\r\n");
    EXPECT_NE(header.find("\r\nContent-Length: 2\r\n"), std::string::npos) << header;
    EXPECT_EQ(header.substr(header.size() - 4), "\r\n\r\n");
    // The connection is not left with a body that nobody asked for.
    EXPECT_EQ(
        curl({"--head", "-o", "/dev/null", "-o", "/dev/null", "-w", "%{num_connects} ", instances, instances}), "1 0 ");
}

TEST_F(curl_requests, may_be_uploaded_in_chunks)
{
    auto const& body = file_with(
        R"({"tier":"BASIC","memorySizeGb":1,"labels":{"long":")" + std::string(60, 'x') + R"("}, )"
        + std::string(100'000, ' ') + R"("displayName":"in chunks"})");
    curl(
        {"-X",
         "POST",
         "-H",
         "Content-Type: application/json",
         "-H",
         "Transfer-Encoding: chunked",
         "--upload-file",
         body,
         instances + "?instanceId=one"});
    EXPECT_EQ(field(object({instances + "/one"}), "displayName"), "in chunks");
}

TEST_F(curl_requests, may_wait_for_leave_to_send_the_body)
{
    // Without the leave it would wait longer than it may last.
    curl(
        {"--verbose",
         "--expect100-timeout",
         "3600",
         "-H",
         "Expect: 100-continue",
         "-d",
         R"({"tier":"BASIC","memorySizeGb":1})",
         instances + "?instanceId=one"});
    EXPECT_NE(trace.find("< HTTP/1.1 100 Continue"), std::string::npos) << trace;
    EXPECT_EQ(google.total_effects(), 1U);
}

TEST_F(curl_requests, are_answered_without_compression_whatever_they_accept)
{
    EXPECT_EQ(
        curl(
            {"-H", "Accept-Encoding: gzip, deflate, br, zstd", "--write-out", " %header{content-encoding}", instances}),
        "{} ");
}

TEST_F(curl_requests, may_encode_what_they_ask_for)
{
    make_ready("one");
    make_ready("two");
    auto const listed = object(
        {"--get", "--data-urlencode", "pageSize=1", "--data-urlencode", "$alt=json;enum-encoding=int", instances});
    ASSERT_EQ(listed.at("instances").as_array().size(), 1U);
    auto const rest = object({"--get", "--data-urlencode", "pageToken=" + field(listed, "nextPageToken"), instances});
    EXPECT_EQ(rest.at("instances").as_array().size(), 1U);
    EXPECT_EQ(field(object({instances + "/%6Fne"}), "state"), "READY");
}

TEST_F(curl_requests, that_make_no_sense_get_400)
{
    struct {
        char const* what;
        std::vector<std::string> arguments;
    } const cases[] = {
        {"a body that is no JSON", {instances + "?instanceId=one", "-d", R"({"tier":)"}},
        {"a body that is no object", {instances + "?instanceId=one", "-d", "[]"}},
        {"no body where there must be one", {"-X", "POST", instances + "?instanceId=one"}},
        {"a field that there is not", {instances + "?instanceId=one", "-d", R"({"size":1})"}},
        {"a page that nobody gave", {instances + "?pageToken=nonsense"}},
    };
    for (auto const& each : cases) {
        auto const answer = with_status(each.arguments);
        EXPECT_EQ(answer.substr(answer.rfind('\n') + 1), "400") << each.what << ": " << answer;
        EXPECT_NE(answer.find(R"("status":"INVALID_ARGUMENT")"), std::string::npos) << each.what << ": " << answer;
    }
    EXPECT_EQ(google.total_effects(), 0U);
}

TEST_F(curl_requests, that_are_too_large_are_told_so)
{
    auto const& body = file_with(std::string(2'000'000, ' '));
    auto const refused = with_status({"-X", "POST", instances, "--data-binary", "@" + body});
    EXPECT_EQ(refused.substr(refused.rfind('\n') + 1), "413") << refused;
    auto const header = with_status({"-H", "X-Long: " + std::string(20'000, 'x'), instances});
    EXPECT_EQ(header.substr(header.rfind('\n') + 1), "431") << header;
}

TEST_F(curl_requests, go_over_tls_too)
{
    auto const& authority = file_with(google.ca_certificate());
    for (std::string const host : {"127.0.0.1", "localhost"}) {
        auto const port = google.tls_url().substr(google.tls_url().rfind(':'));
        EXPECT_EQ(
            with_status(
                {"--cacert",
                 authority,
                 "--resolve",
                 "localhost" + port + ":127.0.0.1",
                 "https://" + host + port + "/v1/projects/p/locations/us-central1/instances"}),
            "{}\n200");
    }
}

}  // namespace
}  // namespace backbeat
