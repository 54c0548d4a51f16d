//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "credentials_fixture.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <tuple>

namespace {

using namespace backbeat::memorystore;
using namespace backbeat::test;
using namespace std::chrono_literals;
using boost::json::object;
using boost::json::serialize;

class TokenEndpoints : public CredentialsTest {};

TEST_F(TokenEndpoints, a_service_account_signs_its_tokens_itself)
{
    auto const got = get(credentials::from_json(serialize(service_account_key())));
    ASSERT_FALSE(got.failure);
    verified_jwt const jwt(got.token.value, rsa_key());
    EXPECT_EQ(serialize(jwt.header), R"({"alg":"RS256","typ":"JWT","kid":"key-1"})");
    EXPECT_EQ(
        jwt.claims,
        (object{
            {"iss", "robot@p.iam.gserviceaccount.com"},
            {"sub", "robot@p.iam.gserviceaccount.com"},
            {"iat", 1'800'000'000},
            {"exp", 1'800'003'600},
            {"scope", "https://www.googleapis.com/auth/cloud-platform"}}));
    EXPECT_EQ(got.token.expires, now + 1h);
    EXPECT_TRUE(server.requests.empty());
}

TEST_F(TokenEndpoints, the_key_may_be_pkcs_1_and_without_an_id)
{
    auto key = service_account_key();
    key["private_key"] = rsa_key().rsa_private_key;
    key.erase("private_key_id");
    ASSERT_NE(rsa_key().rsa_private_key.find("BEGIN RSA PRIVATE KEY"), std::string::npos);
    credentials_options wanted;
    wanted.scopes = {"scope-a", "scope-b"};
    now += 999ms;
    auto const got = get(credentials::from_json(serialize(key), wanted));
    ASSERT_FALSE(got.failure);
    verified_jwt const jwt(got.token.value, rsa_key());
    EXPECT_EQ(serialize(jwt.header), R"({"alg":"RS256","typ":"JWT"})");
    EXPECT_EQ(jwt.claims.at("scope"), "scope-a scope-b");
    EXPECT_EQ(jwt.claims.at("iat"), 1'800'000'000);
    EXPECT_EQ(got.token.expires, now - 999ms + 1h);
}

TEST_F(TokenEndpoints, a_service_account_exchanges_its_signature_if_it_is_told_so)
{
    give("ya29.exchanged", 1800);
    credentials_options wanted;
    wanted.self_signed_jwt = false;
    auto const got = get(credentials::from_json(serialize(service_account_key()), wanted));
    ASSERT_FALSE(got.failure);
    EXPECT_EQ(got.token.value, "ya29.exchanged");
    EXPECT_EQ(got.token.expires, now + 30min);

    ASSERT_EQ(server.requests.size(), 1U);
    auto const& request = server.requests[0];
    EXPECT_EQ(first_line(request), "POST /token HTTP/1.1");
    EXPECT_EQ(field(request, "Content-Type"), "application/x-www-form-urlencoded");
    EXPECT_EQ(field(request, "Authorization"), "(none)");
    auto const form = body_of(request);
    EXPECT_EQ(parameter(form, "grant_type"), "urn:ietf:params:oauth:grant-type:jwt-bearer");
    verified_jwt const jwt(parameter(form, "assertion"), rsa_key());
    EXPECT_EQ(
        jwt.claims,
        (object{
            {"iss", "robot@p.iam.gserviceaccount.com"},
            {"iat", 1'800'000'000},
            {"exp", 1'800'003'600},
            {"aud", server.url() + "/token"},
            {"scope", "https://www.googleapis.com/auth/cloud-platform"}}));
}

TEST_F(TokenEndpoints, a_service_account_acts_on_behalf_of_a_user)
{
    give("ya29.delegated");
    credentials_options wanted;
    wanted.subject = "jo@example.com";
    auto const who = credentials::from_json(serialize(service_account_key()), wanted);
    EXPECT_EQ(who.describe(), "service account robot@p.iam.gserviceaccount.com, on behalf of jo@example.com");
    ASSERT_FALSE(get(who).failure);
    verified_jwt const jwt(parameter(body_of(server.requests.at(0)), "assertion"), rsa_key());
    EXPECT_EQ(jwt.claims.at("sub"), "jo@example.com");
}

TEST_F(TokenEndpoints, only_a_service_account_acts_on_behalf_of_a_user)
{
    credentials_options wanted;
    wanted.subject = "jo@example.com";
    auto const problem = get(credentials::from_json(serialize(authorized_user_key()), wanted)).problem();
    EXPECT_EQ(problem.code(), errc::invalid_argument);
    EXPECT_TRUE(server.requests.empty());
}

TEST_F(TokenEndpoints, a_user_has_a_refresh_token)
{
    server.answer(200, R"({"access_token":"ya29.user","expires_in":"3599","scope":"x","token_type":"Bearer"})");
    auto tokens = provider(credentials::from_json(serialize(authorized_user_key())));
    EXPECT_EQ(tokens.quota_project(), "");
    auto const got = get(tokens);
    ASSERT_FALSE(got.failure);
    EXPECT_EQ(got.token.value, "ya29.user");
    EXPECT_EQ(got.token.expires, now + 3599s);
    EXPECT_EQ(tokens.quota_project(), "quota-of-file");
    auto const form = body_of(server.requests.at(0));
    EXPECT_EQ(parameter(form, "grant_type"), "refresh_token");
    EXPECT_EQ(parameter(form, "client_id"), "id.apps.googleusercontent.com");
    EXPECT_EQ(parameter(form, "client_secret"), "GOCSPX-very-secret");
    EXPECT_EQ(parameter(form, "refresh_token"), "1//0refresh-secret");
    EXPECT_EQ(parameter(form, "scope"), "(none)");
}

TEST_F(TokenEndpoints, a_user_is_asked_for_scopes_that_were_asked_for)
{
    give("t");
    credentials_options wanted;
    wanted.scopes = {"a", "b"};
    ASSERT_FALSE(get(credentials::from_json(serialize(authorized_user_key()), wanted)).failure);
    EXPECT_EQ(parameter(body_of(server.requests.at(0)), "scope"), "a b");
}

TEST_F(TokenEndpoints, a_service_account_is_impersonated)
{
    give("ya29.source");
    server.answer(200, R"({"accessToken":"ya29.impersonated","expireTime":"2027-01-15T08:30:00Z"})");
    credentials_options wanted;
    wanted.lifetime = 30min;
    wanted.scopes = {"a"};
    auto const who = credentials::from_json(serialize(impersonated_key()), wanted);
    EXPECT_EQ(who.describe(), "service account other@p.iam.gserviceaccount.com, impersonated by authorized user");
    auto const got = get(who);
    ASSERT_FALSE(got.failure);
    EXPECT_EQ(got.token.value, "ya29.impersonated");
    EXPECT_EQ(got.token.expires, now + 30min);
    ASSERT_EQ(server.requests.size(), 2U);
    EXPECT_EQ(parameter(body_of(server.requests[0]), "scope"), "(none)");
    auto const& request = server.requests[1];
    EXPECT_EQ(
        first_line(request),
        "POST /v1/projects/-/serviceAccounts/other@p.iam.gserviceaccount.com:generateAccessToken HTTP/1.1");
    EXPECT_EQ(field(request, "Authorization"), "Bearer ya29.source");
    EXPECT_EQ(field(request, "Content-Type"), "application/json");
    EXPECT_EQ(
        boost::json::parse(body_of(request)),
        boost::json::parse(R"({"delegates":["between@p.iam.gserviceaccount.com"],"scope":["a"],"lifetime":"1800s"})"));
}

TEST_F(TokenEndpoints, a_service_account_impersonates_with_a_jwt_of_its_own)
{
    server.answer(200, R"({"accessToken":"ya29.impersonated","expireTime":"2027-01-15T09:00:00Z"})");
    auto key = impersonated_key();
    key["source_credentials"] = service_account_key();
    key.erase("delegates");
    credentials_options wanted;
    wanted.scopes = {"a"};
    ASSERT_FALSE(get(credentials::from_json(serialize(key), wanted)).failure);
    auto const& request = server.requests.at(0);
    verified_jwt const jwt(field(request, "Authorization").substr(7), rsa_key());
    EXPECT_EQ(jwt.claims.at("scope"), "https://www.googleapis.com/auth/cloud-platform");
    EXPECT_EQ(boost::json::parse(body_of(request)), boost::json::parse(R"({"scope":["a"],"lifetime":"3600s"})"));
}

TEST_F(TokenEndpoints, an_external_account_exchanges_the_token_in_a_file)
{
    auto const token_file = file("token", "subject.secret.token\n");
    give("ya29.first");
    give("ya29.second");
    auto tokens = provider(credentials::from_json(serialize(external_key(token_file))));
    auto const got = get(tokens);
    ASSERT_FALSE(got.failure);
    EXPECT_EQ(got.token.value, "ya29.first");
    auto const& request = server.requests.at(0);
    EXPECT_EQ(first_line(request), "POST /sts HTTP/1.1");
    EXPECT_EQ(field(request, "Authorization"), "(none)");
    auto const form = body_of(request);
    EXPECT_EQ(parameter(form, "grant_type"), "urn:ietf:params:oauth:grant-type:token-exchange");
    EXPECT_EQ(
        parameter(form, "audience"),
        "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/a/providers/b");
    EXPECT_EQ(parameter(form, "scope"), "https://www.googleapis.com/auth/cloud-platform");
    EXPECT_EQ(parameter(form, "requested_token_type"), "urn:ietf:params:oauth:token-type:access_token");
    EXPECT_EQ(parameter(form, "subject_token"), "subject.secret.token");
    EXPECT_EQ(parameter(form, "subject_token_type"), "urn:ietf:params:oauth:token-type:jwt");

    // It is read anew each time: whoever issues it replaces it.
    file("token", "the.next.token");
    ASSERT_FALSE(refresh(tokens, got.token).failure);
    EXPECT_EQ(parameter(body_of(server.requests.at(1)), "subject_token"), "the.next.token");
}

TEST_F(TokenEndpoints, an_external_account_fetches_its_token_and_impersonates)
{
    auto key = external_key("");
    key["credential_source"] = object{
        {"url", server.url() + "/metadata/identity?resource=x"},
        {"headers", object{{"Metadata", "True"}}},
        {"format", object{{"type", "json"}, {"subject_token_field_name", "access_token"}}}};
    key["service_account_impersonation_url"] =
        server.url() + "/v1/projects/-/serviceAccounts/other@p.iam.gserviceaccount.com:generateAccessToken";
    key["service_account_impersonation"] = object{{"token_lifetime_seconds", 600}};
    key["client_id"] = "client";
    key["client_secret"] = "client-secret";
    server.answer(200, R"({"access_token":"subject-token"})");
    give("ya29.federated");
    server.answer(200, R"({"accessToken":"ya29.impersonated","expireTime":"2027-01-15T08:10:00Z"})");
    credentials_options wanted;
    wanted.scopes = {"a"};
    auto const got = get(credentials::from_json(serialize(key), wanted));
    ASSERT_FALSE(got.failure);
    EXPECT_EQ(got.token.value, "ya29.impersonated");
    ASSERT_EQ(server.requests.size(), 3U);
    EXPECT_EQ(first_line(server.requests[0]), "GET /metadata/identity?resource=x HTTP/1.1");
    EXPECT_EQ(field(server.requests[0], "Metadata"), "True");
    EXPECT_EQ(parameter(body_of(server.requests[1]), "subject_token"), "subject-token");
    EXPECT_EQ(parameter(body_of(server.requests[1]), "scope"), "https://www.googleapis.com/auth/cloud-platform");
    EXPECT_EQ(field(server.requests[1], "Authorization"), "Basic Y2xpZW50OmNsaWVudC1zZWNyZXQ=");
    EXPECT_EQ(field(server.requests[2], "Authorization"), "Bearer ya29.federated");
    EXPECT_EQ(
        boost::json::parse(body_of(server.requests[2])), boost::json::parse(R"({"scope":["a"],"lifetime":"600s"})"));
}

TEST_F(TokenEndpoints, a_workforce_names_its_project)
{
    auto key = external_key(file("token", "t-o-k-e-n"));
    key["workforce_pool_user_project"] = "123";
    give("t");
    ASSERT_FALSE(get(credentials::from_json(serialize(key))).failure);
    EXPECT_EQ(parameter(body_of(server.requests.at(0)), "options"), R"({"userProject":"123"})");
}

TEST_F(TokenEndpoints, failures_that_may_pass_are_retried)
{
    server.answer(503, "");
    server.answer(408, "");
    give("late");
    auto const got = get(credentials::from_json(serialize(authorized_user_key())));
    ASSERT_FALSE(got.failure);
    EXPECT_EQ(got.token.value, "late");
    EXPECT_EQ(server.requests.size(), 3U);
    EXPECT_EQ(body_of(server.requests[0]), body_of(server.requests[2]));
}

TEST_F(TokenEndpoints, so_is_a_lost_answer)
{
    server.lose();
    give("late");
    EXPECT_EQ(get(credentials::from_json(serialize(authorized_user_key()))).token.value, "late");
}

TEST_F(TokenEndpoints, what_fails_too_often_keeps_its_code)
{
    for (int i = 0; i != 3; ++i) server.answer(503, R"({"error":"temporarily_unavailable"})");
    auto const problem = get(credentials::from_json(serialize(authorized_user_key()))).problem();
    EXPECT_EQ(problem.code(), rpc_code::unavailable);
    EXPECT_EQ(problem.http_status(), 503U);
    EXPECT_EQ(
        std::string(problem.what()),
        "refreshing the token of an authorized user at " + server.url()
            + " failed (HTTP 503): temporarily_unavailable (after 3 attempts)");
    EXPECT_EQ(server.requests.size(), 3U);

    for (int i = 0; i != 3; ++i) server.lose();
    auto const lost = get(credentials::from_json(serialize(authorized_user_key()))).problem();
    EXPECT_NE(lost.code().category(), memorystore_category()) << lost.what();
    EXPECT_EQ(server.requests.size(), 6U);
}

TEST_F(TokenEndpoints, refusals_are_final)
{
    for (unsigned const status : {400U, 401U, 403U, 404U}) {
        server.requests.clear();
        server.answer(status, R"({"error":"invalid_grant","error_description":"Token has been expired or revoked."})");
        auto const problem = get(credentials::from_json(serialize(authorized_user_key()))).problem();
        EXPECT_EQ(problem.code(), errc::credentials_refused);
        EXPECT_EQ(problem.http_status(), status);
        EXPECT_EQ(problem.message(), "invalid_grant: Token has been expired or revoked.");
        EXPECT_EQ(
            std::string(problem.what()),
            "refreshing the token of an authorized user at " + server.url() + " was refused (HTTP "
                + std::to_string(status) + "): invalid_grant: Token has been expired or revoked.");
        EXPECT_EQ(server.requests.size(), 1U);
    }
}

TEST_F(TokenEndpoints, redirections_are_not_followed)
{
    server.answer(302, "", "Location: http://127.0.0.1:1/\r\n");
    auto const problem = get(credentials::from_json(serialize(authorized_user_key()))).problem();
    EXPECT_EQ(problem.code(), errc::malformed_response);
    EXPECT_EQ(server.requests.size(), 1U);
}

class Answers : public CredentialsTest, public testing::WithParamInterface<std::tuple<char const*, char const*>> {};

TEST_P(Answers, that_are_no_token_are_said_to_be_none)
{
    auto const& [body, why] = GetParam();
    server.answer(200, body);
    auto const problem = get(credentials::from_json(serialize(authorized_user_key()))).problem();
    EXPECT_EQ(problem.code(), errc::malformed_response);
    std::string const begin =
        "refreshing the token of an authorized user succeeded, but the answer cannot be used: " + std::string(why);
    EXPECT_EQ(std::string(problem.what()).substr(0, begin.size()), begin);
    EXPECT_EQ(server.requests.size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(
    All,
    Answers,
    testing::Values(
        std::tuple("", "expected JSON, got nothing"),
        std::tuple("<html>", "not JSON: "),
        std::tuple("[]", "it is no JSON object"),
        std::tuple("{}", "it has no access_token"),
        std::tuple(R"({"access_token":""})", "it has no access_token"),
        std::tuple(R"({"access_token":5})", "it has no access_token"),
        std::tuple(R"({"access_token":"se cret"})", "its access_token holds characters that no token has"),
        std::tuple(R"({"access_token":"se\r\ncret"})", "its access_token holds characters that no token has"),
        std::tuple(R"({"access_token":"t","expires_in":"soon"})", "its expires_in is no number of seconds"),
        std::tuple(R"({"access_token":"t","expires_in":[]})", "its expires_in is no number of seconds")));

TEST_F(TokenEndpoints, lifetimes_come_in_many_forms)
{
    using namespace std::chrono;
    std::tuple<char const*, std::optional<seconds>> const forms[] = {
        {R"(,"expires_in":60)", 60s},
        {R"(,"expires_in":"60")", 60s},
        {R"(,"expires_in":60.9)", 60s},
        {R"(,"expires_in":null)", {}},
        {"", {}},
        {R"(,"expires_in":-5)", 0s},
        {R"(,"expires_in":0)", 0s},
        {R"(,"expires_in":18446744073709551615)", hours(24 * 3650)},
        {R"(,"expires_in":9223372036854775807)", hours(24 * 3650)},
        {R"(,"expires_in":1e30)", hours(24 * 3650)}};
    for (auto const& [text, life] : forms) {
        server.answer(200, R"({"access_token":"t")" + std::string(text) + "}");
        auto const got = get(credentials::from_json(serialize(authorized_user_key())));
        ASSERT_FALSE(got.failure) << text;
        EXPECT_EQ(got.token.expires.has_value(), life.has_value()) << text;
        if (life) {
            EXPECT_EQ(*got.token.expires, now + *life) << text;
        }
    }
}

TEST_F(TokenEndpoints, a_lifetime_that_no_number_can_hold_is_none)
{
    server.answer(200, R"({"access_token":"t","expires_in":1e999})");
    auto const problem = get(credentials::from_json(serialize(authorized_user_key()))).problem();
    EXPECT_EQ(problem.code(), errc::malformed_response);
}

TEST_F(TokenEndpoints, an_impersonation_without_a_time_is_none)
{
    for (auto const* const body :
         {R"({"accessToken":"t"})",
          R"({"accessToken":"t","expireTime":"soon"})",
          R"({"expireTime":"2027-01-15T08:30:00Z"})"}) {
        give("source");
        server.answer(200, body);
        auto const problem = get(credentials::from_json(serialize(impersonated_key()))).problem();
        EXPECT_EQ(problem.code(), errc::malformed_response) << problem.what();
    }
}

TEST_F(TokenEndpoints, an_answer_without_end_is_cut_off)
{
    server.answer(200, std::string(1024 * 1024 + 1, ' '));
    auto const problem = get(credentials::from_json(serialize(authorized_user_key()))).problem();
    EXPECT_EQ(problem.code().category().name(), std::string("beast.http")) << problem.what();
    EXPECT_EQ(server.requests.size(), 1U);
}

TEST_F(TokenEndpoints, an_endpoint_that_repeats_secrets_does_not_get_them_into_errors)
{
    for (unsigned const status : {400U, 503U}) {
        for (int i = 0; i != (status == 400 ? 1 : 3); ++i)
            server.answer(
                status,
                R"({"error":"bad","error_description":"got GOCSPX-very-secret, 1//0refresh-secret, 1\/\/0refresh-secret)"
                R"( and refresh_token=1%2F%2F0refresh-secret"})");
        auto const problem = get(credentials::from_json(serialize(authorized_user_key()))).problem();
        std::string const text = problem.what();
        EXPECT_NE(text.find("got [redacted], [redacted]"), std::string::npos) << text;
        EXPECT_EQ(text.find("very-secret"), std::string::npos) << text;
        EXPECT_EQ(text.find("refresh-secret"), std::string::npos) << text;
        EXPECT_EQ(problem.message().find("-secret"), std::string::npos) << problem.message();
    }
}

}  // namespace
