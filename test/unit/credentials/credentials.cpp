//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "credentials_fixture.hpp"

#include <backbeat/emulator.hpp>
#include <backbeat/emulator_options.hpp>
#include <backbeat/http/client.hpp>

#include <boost/asio/use_future.hpp>
#include <boost/json/serialize.hpp>

#include <sstream>
#include <stdexcept>

namespace {

using namespace backbeat::memorystore;
using namespace backbeat::test;
using namespace std::chrono_literals;

class Credentials : public CredentialsTest {};

template <class Make>
std::string refused(Make make)
{
    try {
        make();
    } catch (std::invalid_argument const& problem) {
        return problem.what();
    }
    return "accepted";
}

TEST_F(Credentials, a_given_token_is_used_as_it_is)
{
    environment["GOOGLE_CLOUD_QUOTA_PROJECT"] = "quota-of-environment";
    auto const who = credentials::token("ya29.given");
    EXPECT_EQ(who.describe(), "a given access token");
    auto tokens = provider(who);
    EXPECT_EQ(get(tokens).token, access_token("ya29.given"));
    EXPECT_EQ(refresh(tokens, access_token("ya29.given")).token, access_token("ya29.given"));
    EXPECT_EQ(tokens.quota_project(), "quota-of-environment");
    ASSERT_TRUE(tokens.cached_token());
    EXPECT_EQ(tokens.cached_token()->value, "ya29.given");
}

TEST_F(Credentials, nobody_has_no_token)
{
    environment["GOOGLE_CLOUD_QUOTA_PROJECT"] = "quota-of-environment";
    auto tokens = provider(credentials());
    EXPECT_EQ(tokens.describe(), "nobody");
    EXPECT_EQ(get(tokens).token, access_token());
    EXPECT_EQ(refresh(tokens, access_token()).token, access_token());
    EXPECT_EQ(tokens.quota_project(), "");
}

TEST_F(Credentials, the_quota_project_that_was_set_wins)
{
    environment["GOOGLE_CLOUD_QUOTA_PROJECT"] = "quota-of-environment";
    auto const key = boost::json::serialize(authorized_user_key());
    give("t");
    auto of_environment = provider(credentials::from_json(key));
    ASSERT_FALSE(get(of_environment).failure);
    EXPECT_EQ(of_environment.quota_project(), "quota-of-environment");
    credentials_options wanted;
    wanted.quota_project = "quota-of-options";
    EXPECT_EQ(provider(credentials::from_json(key, wanted)).quota_project(), "quota-of-options");
}

TEST_F(Credentials, printing_a_token_does_not_tell_it)
{
    std::ostringstream out;
    out << access_token("ya29.secret") << ' ' << access_token();
    EXPECT_EQ(out.str(), "[redacted] [none]");
}

TEST_F(Credentials, arguments_that_make_no_sense_are_refused)
{
    auto const with = [](auto change) {
        credentials_options wanted;
        change(wanted);
        return refused([&] { static_cast<void>(credentials::application_default(wanted)); });
    };
    EXPECT_EQ(
        with([](auto& o) { o.lifetime = 0s; }),
        "credentials_options::lifetime is 0 s; it must be from a second to twelve hours");
    EXPECT_EQ(
        with([](auto& o) { o.lifetime = 13h; }),
        "credentials_options::lifetime is 46800 s; it must be from a second to twelve hours");
    EXPECT_EQ(
        with([](auto& o) { o.scopes = {"a b"}; }),
        "credentials_options::scopes holds 'a b'; each must be one scope, such as "
        "https://www.googleapis.com/auth/cloud-platform");
    EXPECT_EQ(
        with([](auto& o) { o.quota_project = "a\nb"; }),
        "credentials_options::quota_project is 'a\\nb'; it must be the ID of a project, such as my-project");
    EXPECT_EQ(
        refused([] { static_cast<void>(credentials::token("")); }),
        "the access token is empty; for none use credentials::anonymous");
    EXPECT_EQ(
        refused([] { static_cast<void>(credentials::token("very secret\n")); }),
        "the access token holds a space, a line break or another character that no token has");
    EXPECT_EQ(
        refused([] { static_cast<void>(credentials::custom({})); }),
        "credentials::custom needs a function that gets a token");
    options.refresh_ahead = -1s;
    EXPECT_EQ(
        refused([&] { static_cast<void>(provider(credentials())); }),
        "token_provider_options::refresh_ahead is negative; it must be zero (tokens are used until they expire) or "
        "more");
    options.refresh_ahead = 0s;
    options.retry->multiplier = 0;
    EXPECT_EQ(
        refused([&] { static_cast<void>(provider(credentials())); }).substr(0, 31), "token_provider_options::retry: ");
}

TEST_F(Credentials, certificates_that_cannot_be_read_are_an_error_of_the_token)
{
    credentials_options wanted;
    wanted.ca_file = path_of("absent.pem");
    auto key = authorized_user_key();
    key["token_uri"] = "https://127.0.0.1:1/token";
    auto const problem = get(credentials::from_json(boost::json::serialize(key), wanted)).problem();
    EXPECT_NE(std::string(problem.what()).find("absent.pem"), std::string::npos) << problem.what();
}

TEST_F(Credentials, the_emulator_accepts_what_a_service_account_signs)
{
    backbeat::emulator_options strict;
    strict.jwt_key = rsa_key().public_key;
    backbeat::emulator google(strict);
    options.now = {};
    auto const got = get(credentials::from_json(boost::json::serialize(service_account_key())));
    ASSERT_FALSE(got.failure);

    backbeat::http::client client(context.get_executor(), google.url());
    backbeat::http::request request(backbeat::http::verb::get, "/v1/projects/p/locations/us-central1/instances", 11);
    auto refused = client.async_request(request, boost::asio::use_future);
    request.set(backbeat::http::field::authorization, "Bearer " + got.token.value);
    auto accepted = client.async_request(request, boost::asio::use_future);
    context.restart();
    while (accepted.wait_for(0s) != std::future_status::ready || refused.wait_for(0s) != std::future_status::ready)
        ASSERT_NE(context.run_one_for(10s), 0U);
    EXPECT_EQ(refused.get().result_int(), 401U);
    EXPECT_EQ(accepted.get().result_int(), 200U);
}

}  // namespace
