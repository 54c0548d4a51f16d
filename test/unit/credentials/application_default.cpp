//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "credentials_fixture.hpp"

#include <boost/json/serialize.hpp>

#include <string>
#include <string_view>

namespace {

using namespace backbeat::memorystore;
using namespace backbeat::test;
using namespace std::chrono_literals;
using boost::json::serialize;

constexpr std::string_view flavor = "Metadata-Flavor: Google\r\n";

class ApplicationDefault : public CredentialsTest {
protected:
    ApplicationDefault() { environment["GCE_METADATA_HOST"] = server.url().substr(7); }

    token_outcome get_default() { return get(credentials::application_default()); }
};

TEST_F(ApplicationDefault, the_file_that_the_environment_names_comes_first)
{
    auto const path = file("mine.json", serialize(service_account_key()));
    environment["GOOGLE_APPLICATION_CREDENTIALS"] = path;
    file(".config/gcloud/application_default_credentials.json", "broken");
    auto tokens = provider(credentials::application_default());
    EXPECT_EQ(tokens.describe(), "application default credentials");
    ASSERT_FALSE(get(tokens).failure);
    EXPECT_EQ(
        tokens.describe(),
        "service account robot@p.iam.gserviceaccount.com (key file '" + path
            + "', named by GOOGLE_APPLICATION_CREDENTIALS), self-signed JWT");
    EXPECT_TRUE(server.requests.empty());
}

TEST_F(ApplicationDefault, if_that_cannot_be_used_nothing_else_is_tried)
{
    environment["GOOGLE_APPLICATION_CREDENTIALS"] = path_of("absent.json");
    file(".config/gcloud/application_default_credentials.json", serialize(service_account_key()));
    auto const problem = get_default().problem();
    EXPECT_EQ(problem.code(), errc::bad_credentials);
    EXPECT_EQ(
        std::string(problem.what()),
        "the key file '" + path_of("absent.json") + "' cannot be used: there is no such file");
    EXPECT_TRUE(server.requests.empty());
}

TEST_F(ApplicationDefault, then_comes_the_file_of_gcloud)
{
    auto const path = file(".config/gcloud/application_default_credentials.json", serialize(authorized_user_key()));
    environment["GOOGLE_APPLICATION_CREDENTIALS"] = "";
    give("ya29.user");
    auto tokens = provider(credentials::application_default());
    EXPECT_EQ(get(tokens).token.value, "ya29.user");
    EXPECT_EQ(tokens.describe(), "authorized user (key file '" + path + "', made by gcloud)");

    environment["CLOUDSDK_CONFIG"] = path_of("elsewhere");
    file("elsewhere/application_default_credentials.json", R"({"type":"external_account_authorized_user"})");
    auto const problem = get_default().problem();
    EXPECT_EQ(problem.code(), errc::bad_credentials);
    EXPECT_NE(std::string(problem.what()).find("external_account_authorized_user"), std::string::npos);
}

TEST_F(ApplicationDefault, then_comes_the_metadata_server)
{
    server.answer(200, "computeMetadata/\n", flavor);
    server.answer(200, R"({"access_token":"ya29.machine","expires_in":3599,"token_type":"Bearer"})", flavor);
    auto tokens = provider(credentials::application_default());
    auto const got = get(tokens);
    ASSERT_FALSE(got.failure);
    EXPECT_EQ(got.token.value, "ya29.machine");
    EXPECT_EQ(got.token.expires, now + 3599s);
    EXPECT_EQ(tokens.describe(), "service account of this machine, by its metadata server at " + server.url());
    ASSERT_EQ(server.requests.size(), 2U);
    EXPECT_EQ(first_line(server.requests[0]), "GET / HTTP/1.1");
    EXPECT_EQ(field(server.requests[0], "Metadata-Flavor"), "Google");
    EXPECT_EQ(
        first_line(server.requests[1]), "GET /computeMetadata/v1/instance/service-accounts/default/token HTTP/1.1");
    EXPECT_EQ(field(server.requests[1], "Metadata-Flavor"), "Google");

    // What was found is kept.
    server.answer(200, R"({"access_token":"ya29.next","expires_in":3599,"token_type":"Bearer"})", flavor);
    now += 2h;
    EXPECT_EQ(get(tokens).token.value, "ya29.next");
    EXPECT_EQ(server.requests.size(), 3U);
}

TEST_F(ApplicationDefault, an_error_of_the_metadata_server_shows_that_there_is_one)
{
    server.answer(404, "", flavor);
    server.answer(200, R"({"access_token":"t","expires_in":3599})", flavor);
    EXPECT_EQ(get_default().token.value, "t");
}

TEST_F(ApplicationDefault, what_is_no_metadata_server_is_not_taken_for_one)
{
    server.answer(200, "<html>Welcome to the hotel</html>");
    auto const problem = get_default().problem();
    EXPECT_EQ(problem.code(), errc::not_a_metadata_server);
    EXPECT_EQ(
        std::string(problem.what()),
        "looking for a metadata server at " + server.url()
            + " failed: what answers there (HTTP 200) is no metadata server, whose answers have the header field "
              "'Metadata-Flavor: Google'");
    EXPECT_EQ(server.requests.size(), 1U);
}

TEST_F(ApplicationDefault, the_places_that_were_looked_at_are_listed)
{
    auto const address = server.url();
    server.close();
    auto const problem = get_default().problem();
    EXPECT_EQ(problem.code(), errc::no_credentials);
    std::string const text = problem.what();
    for (auto const& part :
         {std::string("there are no credentials: the environment variable GOOGLE_APPLICATION_CREDENTIALS is not set; "),
          "there is no file '" + path_of(".config/gcloud/application_default_credentials.json") + "'; ",
          "no metadata server answers at " + address,
          std::string("gcloud auth application-default login")})
        EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST_F(ApplicationDefault, the_environment_says_that_there_is_no_metadata_server)
{
    environment.erase("HOME");
    environment["METADATA_SERVER_DETECTION"] = "none";
    std::string text = get_default().problem().what();
    EXPECT_NE(text.find("METADATA_SERVER_DETECTION=none"), std::string::npos) << text;
    EXPECT_NE(text.find("there is no home directory"), std::string::npos) << text;
    environment.erase("METADATA_SERVER_DETECTION");
    environment["NO_GCE_CHECK"] = "true";
    text = get_default().problem().what();
    EXPECT_NE(text.find("NO_GCE_CHECK=true"), std::string::npos) << text;
    EXPECT_TRUE(server.requests.empty());
}

TEST_F(ApplicationDefault, or_that_there_is_one)
{
    environment["METADATA_SERVER_DETECTION"] = "assume-present";
    server.answer(200, R"({"access_token":"t","expires_in":3599})", flavor);
    EXPECT_EQ(get_default().token.value, "t");
    EXPECT_EQ(server.requests.size(), 1U);
}

TEST_F(ApplicationDefault, the_probe_does_not_wait_for_long)
{
    environment["GCE_METADATA_TIMEOUT"] = "1.5";
    server.hang();
    auto const problem = get_default().problem();
    EXPECT_EQ(problem.code(), errc::no_credentials) << problem.what();
    EXPECT_EQ(server.requests.size(), 1U);
}

TEST_F(ApplicationDefault, the_probe_goes_to_an_address_of_its_own)
{
    environment["GCE_METADATA_IP"] = server.url().substr(7);
    environment["GCE_METADATA_HOST"] = "localhost:1";
    server.answer(200, "", flavor);
    auto const problem = get_default().problem();
    EXPECT_EQ(server.requests.size(), 1U);
    EXPECT_NE(std::string(problem.what()).find("http://localhost:1"), std::string::npos) << problem.what();
}

TEST_F(ApplicationDefault, variables_that_make_no_sense_are_errors)
{
    struct {
        char const* name;
        char const* value;
        char const* why;
    } const variables[] = {
        {"GCE_METADATA_TIMEOUT", "soon", "it must be a number of seconds up to 3600, such as 3"},
        {"GCE_METADATA_TIMEOUT", "0", "it must be a number of seconds up to 3600, such as 3"},
        {"GCE_METADATA_TIMEOUT", "-1", "it must be a number of seconds up to 3600, such as 3"},
        {"GCE_METADATA_TIMEOUT", "nan", "it must be a number of seconds up to 3600, such as 3"},
        {"METADATA_SERVER_DETECTION", "maybe", "it must be none, assume-present, ping-only or bios-only"},
        {"GCE_METADATA_HOST", "http://a", "it must be a host, such as metadata.google.internal or localhost:8080"},
        {"GCE_METADATA_HOST", "a/b", "it must be a host, such as metadata.google.internal or localhost:8080"},
        {"GCE_METADATA_ROOT", "a b", "it must be a host, such as metadata.google.internal or localhost:8080"},
        {"GCE_METADATA_IP", "a:99999", "it must be a host, such as metadata.google.internal or localhost:8080"}};
    auto const before = environment;
    for (auto const& each : variables) {
        environment = before;
        if (std::string_view(each.name) == "GCE_METADATA_ROOT") environment.erase("GCE_METADATA_HOST");
        environment[each.name] = each.value;
        auto const problem = get_default().problem();
        EXPECT_EQ(problem.code(), errc::invalid_argument) << problem.what();
        std::string const text = problem.what();
        EXPECT_NE(text.find(each.why), std::string::npos) << text;
        EXPECT_NE(text.find(each.name), std::string::npos) << text;
    }
    EXPECT_TRUE(server.requests.empty());
}

class MetadataServer : public ApplicationDefault {};

TEST_F(MetadataServer, is_asked_without_a_probe_and_for_the_scopes_that_are_wanted)
{
    environment["GCE_METADATA_ROOT"] = environment["GCE_METADATA_HOST"];
    environment.erase("GCE_METADATA_HOST");
    server.answer(503, "");
    server.answer(200, R"({"access_token":"t","expires_in":3599})", flavor);
    credentials_options wanted;
    wanted.scopes = {"https://a/b", "c"};
    EXPECT_EQ(get(credentials::metadata_server(wanted)).token.value, "t");
    EXPECT_EQ(
        first_line(server.requests.at(1)),
        "GET /computeMetadata/v1/instance/service-accounts/default/token?scopes=https%3A%2F%2Fa%2Fb%2Cc HTTP/1.1");
}

TEST_F(MetadataServer, says_that_the_machine_has_no_service_account)
{
    server.answer(404, "not found", flavor);
    auto const problem = get(credentials::metadata_server()).problem();
    EXPECT_EQ(problem.code(), errc::credentials_refused);
    EXPECT_EQ(problem.http_status(), 404U);
}

TEST_F(MetadataServer, is_not_whatever_answers_there)
{
    for (unsigned const status : {200U, 302U, 404U}) {
        server.answer(status, R"({"access_token":"t","expires_in":3599})");
        auto const problem = get(credentials::metadata_server()).problem();
        EXPECT_EQ(problem.code(), errc::not_a_metadata_server);
        EXPECT_EQ(problem.http_status(), status);
    }
    EXPECT_EQ(server.requests.size(), 3U);
}

}  // namespace
