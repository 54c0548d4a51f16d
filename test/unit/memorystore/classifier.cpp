//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/async_retry.hpp>
#include <backbeat/memorystore/classifier.hpp>
#include <backbeat/memorystore/retry_info.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/ostream.hpp>
#include <boost/beast/http/dynamic_body.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/string_body.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace backbeat::memorystore;
using namespace std::chrono_literals;
using backbeat::delivery;
using backbeat::verdict;
using backbeat::verdict_kind;
namespace beast_http = boost::beast::http;

using response = beast_http::response<beast_http::string_body>;

response answer(unsigned status, std::string body)
{
    response result(static_cast<beast_http::status>(status), 11);
    result.body() = std::move(body);
    return result;
}

std::string error_json(std::string const& status, std::string const& message, std::string const& details = "")
{
    return R"({"error":{"code":1,"message":")" + message + R"(","status":")" + status + R"(","details":[)" + details
        + "]}}";
}

std::string const rate_limit =
    R"({"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"RATE_LIMIT_EXCEEDED","domain":"googleapis.com"})";
std::string const other_reason = R"({"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"SERVICE_DISABLED"})";
std::string const in_progress =
    R"({"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"operationInProgress"})";

std::string delay(std::string const& text)
{
    return R"({"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":")" + text + "\"}";
}

}  // namespace

TEST(MemorystoreClassifier, ReadsTheBodyWhereTheStatusMisleads)
{
    struct line {
        unsigned status;
        std::string body;
        verdict_kind kind;
        delivery delivered;
    };
    std::string const per_minute =
        "Quota exceeded for quota metric 'Create requests' and limit 'Create requests per minute' of service "
        "'redis.googleapis.com' for consumer 'project_number:1'.";
    for (auto const& [status, body, kind, delivered] : {
             line{200, error_json("ABORTED", ""), verdict_kind::done, delivery::responded},
             {403, error_json("PERMISSION_DENIED", "no", rate_limit), verdict_kind::throttled, delivery::rejected},
             {403, error_json("PERMISSION_DENIED", per_minute), verdict_kind::throttled, delivery::rejected},
             {403, "[" + error_json("", per_minute) + "]", verdict_kind::throttled, delivery::rejected},
             {403,
              error_json("PERMISSION_DENIED", "Quota exceeded for limit 'Instances per region'"),
              verdict_kind::permanent,
              delivery::responded},
             {403,
              error_json("PERMISSION_DENIED", "No access", other_reason),
              verdict_kind::permanent,
              delivery::responded},
             {403, "", verdict_kind::permanent, delivery::responded},
             {403, "<html><title>Forbidden</title></html>", verdict_kind::permanent, delivery::responded},
             {409, error_json("ABORTED", "try again"), verdict_kind::retry, delivery::rejected},
             {409, error_json("", "busy", in_progress), verdict_kind::retry, delivery::rejected},
             {409, error_json("ALREADY_EXISTS", "there"), verdict_kind::permanent, delivery::responded},
             {409, error_json("ALREADY_EXISTS", "'ABORTED' exists"), verdict_kind::permanent, delivery::responded},
             {409, "", verdict_kind::permanent, delivery::responded},
             {409, "{", verdict_kind::permanent, delivery::responded},
             {400,
              error_json("FAILED_PRECONDITION", "Unable to failover due to ongoing operations."),
              verdict_kind::permanent,
              delivery::responded},
             {400,
              error_json("INVALID_ARGUMENT", per_minute, rate_limit),
              verdict_kind::permanent,
              delivery::responded},
             {404, error_json("NOT_FOUND", "no"), verdict_kind::permanent, delivery::responded},
             {429, error_json("RESOURCE_EXHAUSTED", per_minute), verdict_kind::throttled, delivery::rejected},
             {429, "", verdict_kind::throttled, delivery::rejected},
             {501, error_json("UNIMPLEMENTED", ""), verdict_kind::retry, delivery::ambiguous},
             {503, error_json("UNAVAILABLE", ""), verdict_kind::retry, delivery::ambiguous},
         }) {
        SCOPED_TRACE(std::to_string(status) + " " + body);
        auto const said = classifier{}(answer(status, body));
        EXPECT_EQ(said.kind, kind);
        EXPECT_EQ(said.delivered, delivered);
        EXPECT_EQ(said.status, static_cast<int>(status));
    }
}

TEST(MemorystoreClassifier, TheHintIsTheLongest)
{
    auto throttled = answer(429, error_json("RESOURCE_EXHAUSTED", "", delay("2.5s")));
    EXPECT_EQ(classifier{}(throttled).hint, 2500ms);
    throttled.set("Retry-After", "2");
    EXPECT_EQ(classifier{}(throttled).hint, 2500ms);
    throttled.set("Retry-After", "7");
    EXPECT_EQ(classifier{}(throttled).hint, 7s);

    // What the status does not say is retried has its hint all the same.
    auto quota = answer(403, error_json("PERMISSION_DENIED", "", rate_limit));
    EXPECT_FALSE(classifier{}(quota).hint);
    quota.set("retry-after-ms", "40");
    EXPECT_EQ(classifier{}(quota).hint, 40ms);
    quota.body() = error_json("PERMISSION_DENIED", "", rate_limit + "," + delay("1s"));
    EXPECT_EQ(classifier{}(quota).hint, 1s);
    EXPECT_FALSE(classifier{}(answer(404, error_json("NOT_FOUND", "", delay("1s")))).hint);
}

TEST(MemorystoreClassifier, TakesAnyBodyAndAnySignature)
{
    auto const text = error_json("ABORTED", "");
    beast_http::response<beast_http::dynamic_body> dynamic(beast_http::status::conflict, 11);
    boost::beast::ostream(dynamic.body()) << text;
    EXPECT_EQ(classifier{}(dynamic).kind, verdict_kind::retry);
    beast_http::response<beast_http::empty_body> const none(beast_http::status::service_unavailable, 11);
    EXPECT_EQ(classifier{}(none).kind, verdict_kind::retry);

    boost::system::error_code const fine;
    EXPECT_EQ(classifier{}(fine, answer(409, text), std::size_t(3)).kind, verdict_kind::retry);
    EXPECT_EQ(classifier{}(fine, std::size_t(3)).kind, verdict_kind::done);
    boost::system::error_code const reset = boost::asio::error::connection_reset;
    // The response beside an error is no answer.
    EXPECT_EQ(classifier{beast_http::verb::get}(reset, answer(409, text)).kind, verdict_kind::retry);
    EXPECT_TRUE(classifier{beast_http::verb::get}(reset).replayable);
    EXPECT_FALSE(classifier{beast_http::verb::post}(reset).replayable);
    EXPECT_FALSE(classifier{.replay = backbeat::http::idempotency::never}(answer(503, "")).replayable);
}

TEST(MemorystoreClassifier, AroundOnesOwnOperation)
{
    boost::asio::io_context context;
    int attempts = 0;
    auto const send = [&](auto token) {
        return boost::asio::async_initiate<decltype(token), void(boost::system::error_code, response)>(
            [&](auto handler) {
                auto given = ++attempts < 3 ? answer(403, error_json("", "", rate_limit)) : answer(200, "{}");
                boost::asio::post(context, [handler = std::move(handler), given = std::move(given)]() mutable {
                    std::move(handler)(boost::system::error_code(), std::move(given));
                });
            },
            token);
    };
    unsigned status = 0;
    backbeat::async_retry(
        context.get_executor(),
        send,
        {.initial_backoff = 1ms, .jitter = backbeat::jitter::none},
        backbeat::classify(classifier{}),
        [&](boost::system::error_code, response const& got) { status = got.result_int(); });
    context.run();
    EXPECT_EQ(attempts, 3);
    EXPECT_EQ(status, 200U);
}

TEST(MemorystoreClassifier, ABodyThatIsTooLongIsNotLookedAt)
{
    auto const body = error_json("ABORTED", std::string(1048576, 'x'));
    EXPECT_EQ(classifier{}(answer(409, body)).kind, verdict_kind::permanent);
    EXPECT_EQ(classifier{}(answer(503, error_json("", std::string(1048576, 'x'), delay("1s")))).hint, std::nullopt);
    EXPECT_EQ(classifier{}(answer(409, std::string(100000, '['))).kind, verdict_kind::permanent);
}

TEST(RetryInfo, IsReadOutOfTheBody)
{
    EXPECT_EQ(retry_info(error_json("UNAVAILABLE", "", delay("2.5s"))), 2500ms);
    EXPECT_EQ(retry_info(error_json("UNAVAILABLE", "", rate_limit + "," + delay("0s"))), 0s);
    EXPECT_EQ(retry_info("[" + error_json("", "", delay("0.000000001s")) + "]"), 1ns);
    EXPECT_EQ(retry_info(error_json("", "", delay("315576000000s"))), (std::chrono::nanoseconds::max)());
}

TEST(RetryInfo, WhatIsNotThereOrCannotBeIsNothing)
{
    for (auto const& body :
         {std::string(),
          std::string("no"),
          std::string("{}"),
          std::string("null"),
          std::string(R"({"error":"invalid_grant"})"),
          std::string(100000, '['),
          error_json("UNAVAILABLE", ""),
          error_json("UNAVAILABLE", "", rate_limit),
          error_json("", "", delay("-1s")),
          error_json("", "", delay("soon")),
          error_json("", "", R"({"@type":"type.googleapis.com/google.rpc.RetryInfo"})"),
          error_json("", "", "17"),
          error_json("", std::string(1048576, 'x'), delay("1s"))})
        EXPECT_FALSE(retry_info(body)) << body.substr(0, 100);
}
