//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "call_fixture.hpp"

#include <backbeat/memorystore/access_token.hpp>
#include <backbeat/memorystore/credentials.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <string>
#include <vector>

namespace backbeat::memorystore {

namespace {

using namespace std::chrono_literals;

std::string const name = "projects/p/locations/us-central1/instances/a";
std::string const ready = R"({"name":"projects/p/locations/us-central1/instances/a","state":"READY"})";

class ClientCredentials : public CallFixture {
protected:
    // Gives "token-1", "token-2" and so on.
    void give_tokens()
    {
        options.credentials = credentials::custom([this]() -> boost::asio::awaitable<access_token> {
            access_token token("token-" + std::to_string(++tokens));
            co_return token;
        });
    }

    outcome<instance> get()
    {
        return run<instance>([&](auto handler) { redis().async_get_instance(name, std::move(handler)); });
    }

    [[nodiscard]] std::string field(std::size_t request, std::string const& field_name) const
    {
        auto const& text = server.requests.at(request);
        auto const begin = text.find("\r\n" + field_name + ": ");
        if (begin == text.npos) return "none";
        auto const value = begin + field_name.size() + 4;
        return text.substr(value, text.find("\r\n", value) - value);
    }

    int tokens = 0;
};

TEST_F(ClientCredentials, ATokenIsSentWithEachRequest)
{
    give_tokens();
    server.answer(503, "");
    server.answer(200, ready);
    ASSERT_FALSE(get().failure);
    server.answer(200, ready);
    ASSERT_FALSE(get().failure);
    for (std::size_t i = 0; i != 3; ++i) EXPECT_EQ(field(i, "Authorization"), "Bearer token-1");
    EXPECT_EQ(tokens, 1) << "it is kept";
}

TEST_F(ClientCredentials, ARejectedTokenIsReplacedOnce)
{
    give_tokens();
    server.answer(401, "");
    server.answer(200, ready);
    ASSERT_FALSE(get().failure);
    EXPECT_EQ(field(0, "Authorization"), "Bearer token-1");
    EXPECT_EQ(field(1, "Authorization"), "Bearer token-2");

    server.answer(401, R"({"error":{"code":401,"status":"UNAUTHENTICATED","message":"no"}})");
    server.answer(401, R"({"error":{"code":401,"status":"UNAUTHENTICATED","message":"no"}})");
    EXPECT_EQ(get().problem().code(), rpc_code::unauthenticated);
    EXPECT_EQ(server.requests.size(), 4U);
}

TEST_F(ClientCredentials, NobodySendsRequestsToOtherServersThanGoogles)
{
    server.answer(200, ready);
    ASSERT_FALSE(get().failure);
    EXPECT_EQ(field(0, "Authorization"), "none");
}

TEST_F(ClientCredentials, WhatATokenFailedForIsSaid)
{
    options.credentials = credentials::from_file("/does/not/exist.json");
    auto const problem = get().problem();
    EXPECT_EQ(problem.code(), errc::bad_credentials);
    EXPECT_NE(std::string(problem.what()).find("getting instance"), std::string::npos) << problem.what();
    EXPECT_NE(std::string(problem.what()).find("/does/not/exist.json"), std::string::npos) << problem.what();
    EXPECT_TRUE(server.requests.empty());
}

TEST_F(ClientCredentials, AChangeWithoutATokenWasNotCarriedOut)
{
    options.credentials = credentials::from_file("/does/not/exist.json");
    for (auto const mode : {mutation_mode::careful, mutation_mode::literal, mutation_mode::never}) {
        call_options how;
        how.mutations.emplace();
        how.mutations->mode = mode;
        auto const problem = run<operation>([&](auto handler) {
                                 redis().async_delete_instance(name, how, std::move(handler));
                             }).problem();
        EXPECT_EQ(problem.code(), errc::bad_credentials);
        EXPECT_FALSE(problem.outcome_unknown());
    }
    EXPECT_TRUE(server.requests.empty());
}

TEST_F(ClientCredentials, TheQuotaProjectIsSent)
{
    credentials_options who;
    who.quota_project = "payer";
    options.credentials = credentials::token("given", who);
    server.answer(200, ready);
    ASSERT_FALSE(get().failure);
    EXPECT_EQ(field(0, "X-Goog-User-Project"), "payer");
}

TEST_F(ClientCredentials, WaitingForATokenIsCancelled)
{
    bool is_asked = false;
    options.credentials = credentials::custom([&]() -> boost::asio::awaitable<access_token> {
        boost::asio::steady_timer never(co_await boost::asio::this_coro::executor, 1h);
        is_asked = true;
        co_await never.async_wait(boost::asio::use_awaitable);
        co_return access_token("late");
    });
    boost::asio::cancellation_signal signal;
    std::exception_ptr failure;
    bool is_done = false;
    redis().async_get_instance(
        name, boost::asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr problem, instance const&) {
            failure = std::move(problem);
            is_done = true;
        }));
    while (!is_asked) context.run_one();
    signal.emit(boost::asio::cancellation_type::total);
    while (!is_done && context.run_one_for(10s) != 0) {}
    ASSERT_TRUE(is_done);
    outcome<instance> ended;
    ended.failure = failure;
    EXPECT_EQ(ended.problem().code(), boost::asio::error::operation_aborted);
    EXPECT_TRUE(server.requests.empty());
}

TEST_F(ClientCredentials, CallsMayAddFieldsOfTheirOwn)
{
    give_tokens();
    call_options how;
    how.headers = {{"X-Goog-Request-Reason", "a test"}, {"Authorization", "Bearer mine"}};
    server.answer(200, ready);
    ASSERT_FALSE(
        run<instance>([&](auto handler) { redis().async_get_instance(name, how, std::move(handler)); }).failure);
    EXPECT_EQ(field(0, "X-Goog-Request-Reason"), "a test");
    EXPECT_EQ(field(0, "Authorization"), "Bearer mine");
}

}  // namespace

}  // namespace backbeat::memorystore
