//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/memorystore/error.hpp>
#include <backbeat/memorystore/error_details.hpp>

#include <gtest/gtest.h>

namespace {

using namespace backbeat::memorystore;

std::string sentence(unsigned status, std::string_view body)
{
    return error::from_response(status, body).what();
}

}  // namespace

TEST(Error, GooglesOwnForm)
{
    auto const failed = error::from_response(
        404,
        R"({"error":{"code":404,"message":"Resource 'projects/p/locations/l/instances/i' was not found",
            "status":"NOT_FOUND","details":[{"@type":"type.googleapis.com/google.rpc.ResourceInfo",
            "resourceName":"projects/p/locations/l/instances/i"}]}})");
    EXPECT_STREQ(failed.what(), "NOT_FOUND (HTTP 404): Resource 'projects/p/locations/l/instances/i' was not found");
    EXPECT_EQ(failed.code(), rpc_code::not_found);
    EXPECT_EQ(failed.canonical_code(), rpc_code::not_found);
    EXPECT_EQ(failed.http_status(), 404U);
    EXPECT_EQ(failed.message(), "Resource 'projects/p/locations/l/instances/i' was not found");
    EXPECT_EQ(failed.detail<rpc::resource_info>()->resource_name, "projects/p/locations/l/instances/i");
    EXPECT_FALSE(failed.detail<rpc::retry_info>());
    EXPECT_FALSE(failed.outcome_unknown());
    EXPECT_EQ(failed.operation_name(), "");
}

TEST(Error, TheBodyKnowsTheCodeBetterThanTheStatus)
{
    EXPECT_EQ(
        sentence(400, R"({"error":{"code":400,"message":"busy","status":"FAILED_PRECONDITION"}})"),
        "FAILED_PRECONDITION (HTTP 400): busy");
    EXPECT_EQ(sentence(409, R"({"error":{"message":"there"}})"), "ABORTED (HTTP 409): there");
    EXPECT_EQ(
        sentence(409, R"({"error":{"message":"there","status":"ALREADY_EXISTS"}})"),
        "ALREADY_EXISTS (HTTP 409): there");
    // A code that this version does not know keeps its name.
    EXPECT_EQ(sentence(503, R"({"error":{"message":"m","status":"TIRED"}})"), "TIRED (HTTP 503): m");
    EXPECT_EQ(error::from_response(503, R"({"error":{"status":"TIRED"}})").code(), rpc_code::unavailable);
    // An error that says that it is none.
    EXPECT_EQ(error::from_response(500, R"({"error":{"status":"OK","message":"m"}})").code(), rpc_code::internal);
    EXPECT_TRUE(error::from_response(200, R"({"error":{"status":"OK"}})").code().failed());
}

TEST(Error, WhichFieldsAreWrong)
{
    EXPECT_EQ(
        sentence(
            400,
            R"({"error":{"message":"Request is invalid.","status":"INVALID_ARGUMENT","details":[
                {"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[
                {"field":"instance.tier","description":"must be set"},{"field":"b","description":"must not"}]}]}})"),
        "INVALID_ARGUMENT (HTTP 400): Request is invalid. (instance.tier: must be set; b: must not)");
    // Not twice.
    EXPECT_EQ(
        sentence(
            400,
            R"({"error":{"message":"tier must be set","status":"INVALID_ARGUMENT","details":[
                {"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[
                {"field":"instance.tier","description":"must be set"}]}]}})"),
        "INVALID_ARGUMENT (HTTP 400): tier must be set");
}

TEST(Error, OtherFormsOfJson)
{
    EXPECT_EQ(
        sentence(403, R"([{"error":{"code":403,"message":"no","status":"PERMISSION_DENIED"}}])"),
        "PERMISSION_DENIED (HTTP 403): no");
    EXPECT_EQ(
        sentence(400, R"({"error":"invalid_grant","error_description":"Token has been expired or revoked."})"),
        "INVALID_ARGUMENT (HTTP 400): invalid_grant: Token has been expired or revoked.");
    EXPECT_EQ(sentence(401, R"({"error":"invalid_client"})"), "UNAUTHENTICATED (HTTP 401): invalid_client");
    EXPECT_EQ(sentence(500, R"({"message":"plain"})"), "INTERNAL (HTTP 500): plain");
    EXPECT_EQ(sentence(500, "{}"), "INTERNAL (HTTP 500): the body is JSON that describes no error");
    EXPECT_EQ(sentence(500, "[]"), "INTERNAL (HTTP 500): the body is JSON that describes no error");
    EXPECT_EQ(sentence(500, "17"), "INTERNAL (HTTP 500): the body is JSON that describes no error");
    EXPECT_EQ(sentence(500, R"({"error":{}})"), "INTERNAL (HTTP 500): the server does not say why");
    EXPECT_EQ(sentence(500, R"({"error":null})"), "INTERNAL (HTTP 500): the body is JSON that describes no error");
}

TEST(Error, WhatIsOddIsLeftOutAndTheRestKept)
{
    auto const odd = error::from_response(
        429,
        R"({"error":{"code":"many","message":"slow down","status":"RESOURCE_EXHAUSTED","details":[7,
            {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"soon"},
            {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"3s"}]}})");
    EXPECT_STREQ(odd.what(), "RESOURCE_EXHAUSTED (HTTP 429): slow down");
    EXPECT_EQ(odd.details().size(), 2U);
    EXPECT_EQ(odd.detail<rpc::retry_info>()->retry_delay->seconds(), 3);
    EXPECT_EQ(
        sentence(500, R"({"error":{"message":5,"status":[]}})"), "INTERNAL (HTTP 500): the server does not say why");
}

TEST(Error, NoJsonAtAll)
{
    EXPECT_EQ(sentence(502, ""), "INTERNAL (HTTP 502): the answer has no body");
    EXPECT_EQ(sentence(503, " \r\n"), "UNAVAILABLE (HTTP 503): the answer has no body");
    EXPECT_EQ(
        sentence(
            502,
            "<!DOCTYPE html>\n<html lang=en><meta charset=utf-8>\n<TITLE>Error 502\n(Server Error)!!1</TITLE><p>x"),
        "INTERNAL (HTTP 502): the answer is a page of HTML titled 'Error 502 (Server Error)!!1'");
    EXPECT_EQ(sentence(502, "<html><body>no title"), "INTERNAL (HTTP 502): the answer is a page of HTML");
    EXPECT_EQ(sentence(503, "no healthy\r\n upstream\n"), "UNAVAILABLE (HTTP 503): no healthy upstream");
    EXPECT_EQ(sentence(500, R"({"error":{"message":"cut o)"), R"(INTERNAL (HTTP 500): {"error":{"message":"cut o)");
}

TEST(Error, NothingATerminalWouldActUpon)
{
    std::string const said = sentence(500, "{\"error\":{\"message\":\"a\\u001b[2Jb\\nc\\u0000d\"}}");
    EXPECT_EQ(said, "INTERNAL (HTTP 500): a [2Jb c d");
}

TEST(Error, HostileBodiesStayBounded)
{
    EXPECT_LT(sentence(500, std::string(1'000'000, 'x')).size(), 1100U);
    EXPECT_LT(sentence(500, R"({"error":{"message":")" + std::string(1'000'000, 'y') + "\"}}").size(), 1100U);
    EXPECT_LT(sentence(500, std::string(1'000'000, '[')).size(), 1100U);
    EXPECT_LT(sentence(500, "<html><title>" + std::string(1'000'000, 'z')).size(), 1100U);
    // Cut between characters, not inside of one.
    std::string umlauts = "x";
    for (int i = 0; i != 1000; ++i) umlauts += "\u00e4";
    auto const said = sentence(500, umlauts);
    EXPECT_TRUE(said.ends_with("\u00e4...")) << said.substr(said.size() - 8);
}

TEST(Error, OfAnOperation)
{
    operation failed;
    failed.name = "projects/p/locations/l/operations/o";
    failed.done = true;
    failed.error.emplace();
    failed.error->code = 8;
    failed.error->message = "System limit for internal resources has been reached";
    auto const problem = error::from_operation(failed);
    EXPECT_STREQ(
        problem.what(),
        "RESOURCE_EXHAUSTED: System limit for internal resources has been reached "
        "(operation 'projects/p/locations/l/operations/o')");
    EXPECT_EQ(problem.code(), rpc_code::resource_exhausted);
    EXPECT_EQ(problem.operation_name(), failed.name);
    EXPECT_EQ(problem.http_status(), 0U);

    failed.error->code = 0;
    EXPECT_EQ(error::from_operation(failed).code(), rpc_code::unknown);
    failed.error->code = 123;
    EXPECT_EQ(error::from_operation(failed).code().message(), "123");
    failed.error.reset();
    EXPECT_TRUE(error::from_operation(failed).code().failed());
}

TEST(Error, Categories)
{
    EXPECT_STREQ(memorystore_category().name(), "backbeat.memorystore");
    boost::system::error_code const code = errc::still_running;
    EXPECT_EQ(code.message(), "the operation is still running");
    EXPECT_FALSE(error(errc::still_running, {}).canonical_code());
}

TEST(Error, QuotaHelpAndLanguageAreTyped)
{
    auto const failed = error::from_response(429, R"({"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED",
        "details":[
            {"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"subject":"project:p",
                "quotaMetric":"redis.googleapis.com/requests","quotaDimensions":{"region":"r"},"quotaValue":"30",
                "futureQuotaValue":"60"}]},
            {"@type":"type.googleapis.com/google.rpc.Help","links":[{"description":"d","url":"https://u"}]},
            {"@type":"type.googleapis.com/google.rpc.LocalizedMessage","locale":"de-CH","message":"zu viel"},
            {"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"f",
                "localizedMessage":{"locale":"en-US","message":"no"}}]}]}})");
    auto const violation = failed.detail<rpc::quota_failure>()->violations.at(0);
    EXPECT_EQ(violation.subject, "project:p");
    EXPECT_EQ(violation.quota_dimensions.at("region"), "r");
    EXPECT_EQ(violation.quota_value, 30);
    EXPECT_EQ(violation.future_quota_value, 60);
    EXPECT_EQ(failed.detail<rpc::help>()->links.at(0).url, "https://u");
    EXPECT_EQ(failed.detail<rpc::localized_message>()->message, "zu viel");
    EXPECT_EQ(failed.detail<rpc::bad_request>()->field_violations.at(0).localized_message->locale, "en-US");
}
