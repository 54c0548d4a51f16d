//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "call_fixture.hpp"
#include "client_core.hpp"
#include "names.hpp"

#include <backbeat/memorystore/errc.hpp>
#include <backbeat/memorystore/rpc_code.hpp>
#include <backbeat/retry_errc.hpp>
#include <backbeat/retry_report.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace backbeat::memorystore;
using namespace std::chrono_literals;
using backbeat::delivery;
using backbeat::retry_report;
using backbeat::stop_reason;

constexpr std::string_view first_one =
    R"({"name":"projects/p/locations/us-central1/instances/a","createTime":"2026-11-22T00:00:01Z"})";
constexpr std::string_view second_one =
    R"({"name":"projects/p/locations/us-central1/instances/a","createTime":"2026-11-22T00:00:02Z"})";
constexpr std::string_view deletion = R"({"name":"projects/p/locations/us-central1/operations/o"})";
constexpr std::string_view no_operations = "{}";
constexpr std::string_view no_quota = R"({"error":{"code":429,"message":"quota","status":"RESOURCE_EXHAUSTED"}})";
constexpr std::string_view overloaded = R"({"error":{"code":503,"message":"try later","status":"UNAVAILABLE"}})";

// What a careful change asks for, request by request.
class CarefulChange : public CallFixture {
protected:
    CarefulChange()
    {
        options.mutations.mode = mutation_mode::careful;
        options.mutations.settle_time = 0s;
    }

    void baseline()
    {
        server.answer(200, first_one);
        server.answer(200, no_operations);
    }

    outcome<operation> remove(call_options with = {})
    {
        return run<operation>(
            [&](auto handler) { redis().async_delete_instance(instance_a, with, std::move(handler)); });
    }

    // Which methods were sent, in order.
    std::string methods() const
    {
        std::string result;
        for (auto const& each : server.requests) {
            auto const line = each.substr(0, each.find(" HTTP"));
            result += line.starts_with("DELETE") ? "D" : line.find("/operations") == line.npos ? "G" : "L";
        }
        return result;
    }

    template <class Condition>
    void run_until(Condition const& is_met)
    {
        while (!is_met())
            if (context.run_one_for(10s) == 0) {
                ADD_FAILURE() << "it ended before";
                return;
            }
    }

    // Deletes, and cancels it as soon as the server has that many requests.
    outcome<operation> cancel_at(std::size_t count, boost::asio::cancellation_type type)
    {
        boost::asio::cancellation_signal signal;
        return run<operation>([&](auto handler) {
            redis().async_delete_instance(
                instance_a, report_to(report), boost::asio::bind_cancellation_slot(signal.slot(), std::move(handler)));
            boost::asio::post(context, [&, count, type] {
                run_until([&] { return server.requests.size() >= count; });
                signal.emit(type);
            });
        });
    }

    retry_report report;
};

TEST_F(CarefulChange, LooksAgainBeforeItIsSentAgainAfterARefusal)
{
    baseline();
    server.answer(429, no_quota);
    server.answer(200, first_one);
    server.answer(200, deletion);
    auto const ended = remove(report_to(report));
    EXPECT_EQ(ended.failure, nullptr);
    EXPECT_EQ(ended.result.name, region + "/operations/o");
    EXPECT_EQ(methods(), "GLDGD");
    EXPECT_EQ(report.attempts(), 2U);
}

TEST_F(CarefulChange, DoesNotDeleteAnothersInstanceAfterARefusal)
{
    baseline();
    server.answer(429, no_quota);
    server.answer(200, second_one);
    auto const problem = remove(report_to(report)).problem();
    EXPECT_EQ(problem.code(), rpc_code::aborted);
    EXPECT_FALSE(problem.outcome_unknown());
    EXPECT_STREQ(
        problem.what(),
        "ABORTED (HTTP 409): deleting instance 'projects/p/locations/us-central1/instances/a' was not carried out: another one has "
        "taken its place since (after 2 attempts)");
    EXPECT_EQ(methods(), "GLDG");
    EXPECT_EQ(report.reason(), stop_reason::permanent);
}

TEST_F(CarefulChange, ThatCannotBeLookedAtAgainIsNotSentAgain)
{
    baseline();
    server.answer(429, no_quota);
    for (int i = 0; i != 3; ++i) server.answer(503, overloaded);
    auto const problem = remove(report_to(report)).problem();
    EXPECT_FALSE(problem.outcome_unknown()) << problem.what();
    EXPECT_EQ(problem.code(), rpc_code::resource_exhausted) << "which is what became of the request";
    EXPECT_EQ(problem.http_status(), 429U);
    EXPECT_NE(std::string(problem.what()).find("it could not be looked at"), std::string::npos) << problem.what();
    EXPECT_EQ(methods(), "GLDGGG");
    EXPECT_EQ(report.reason(), stop_reason::exhausted);
}

TEST_F(CarefulChange, LooksForNothingBeforeACreationThatWasRefusedIsSentAgain)
{
    server.answer(404, R"({"error":{"code":404,"message":"no","status":"NOT_FOUND"}})");
    server.answer(200, no_operations);
    server.answer(429, no_quota);
    server.answer(200, deletion);
    instance wanted;
    wanted.tier = tier::basic;
    wanted.memory_size_gb = 1;
    auto const ended = run<operation>([&](auto handler) {
        redis().async_create_instance(region, "a", wanted, report_to(report), std::move(handler));
    });
    EXPECT_EQ(ended.failure, nullptr);
    EXPECT_EQ(server.requests.size(), 4U);
    EXPECT_EQ(report.attempts(), 2U);
}

// Each point at which it waits for an answer: of the baseline, the change, the look after it, the change again.
TEST_F(CarefulChange, IsCancelledWhereverItWaits)
{
    for (auto const type : {boost::asio::cancellation_type::terminal, boost::asio::cancellation_type::partial}) {
        for (std::size_t at = 1; at != 7; ++at) {
            SCOPED_TRACE(std::to_string(at) + ", type " + std::to_string(static_cast<int>(type)));
            server.requests.clear();
            std::string_view const answers[] = {first_one, no_operations, overloaded, first_one, no_operations};
            for (std::size_t i = 0; i + 1 != at; ++i) server.answer(i == 2 ? 503 : 200, answers[i]);
            server.hang();
            auto const problem = cancel_at(at, type).problem();
            EXPECT_EQ(methods(), std::string("GLDGLD").substr(0, at));
            // Before it was sent, nothing can have been done; while it is looked for, that is not known.
            EXPECT_EQ(problem.outcome_unknown(), at > 2) << problem.what();
            EXPECT_EQ(problem.code(), boost::asio::error::operation_aborted) << problem.what();
            context.restart();
            context.poll();
        }
    }
}

// A request that was sent is not stopped by it, but none is sent after it.
TEST_F(CarefulChange, IsNotSentAfterATotalCancellationOfItsBaseline)
{
    baseline();
    baseline();
    for (std::size_t at = 1; at != 3; ++at) {
        server.requests.clear();
        auto const problem = cancel_at(at, boost::asio::cancellation_type::total).problem();
        EXPECT_EQ(problem.code(), boost::asio::error::operation_aborted);
        EXPECT_FALSE(problem.outcome_unknown());
        EXPECT_EQ(methods(), std::string("GL").substr(0, at));
        // The list was not asked for.
        if (at == 1) server.skip();
    }
}

TEST_F(CarefulChange, IsCancelledInTheWaitBetweenAttempts)
{
    options.retry.initial_backoff = 1h;
    options.retry.maximum_backoff = 1h;
    baseline();
    server.answer(503, overloaded);
    boost::asio::cancellation_signal signal;
    auto const ended = run<operation>([&](auto handler) {
        redis().async_delete_instance(
            instance_a, report_to(report), boost::asio::bind_cancellation_slot(signal.slot(), std::move(handler)));
        boost::asio::post(context, [&] {
            run_until([&] { return report.attempts() != 0; });
            signal.emit(boost::asio::cancellation_type::total);
        });
    });
    EXPECT_TRUE(ended.problem().outcome_unknown());
    EXPECT_EQ(report.reason(), stop_reason::cancelled);
    EXPECT_EQ(methods(), "GLD");
}

TEST_F(CarefulChange, HasOneTotalTimeForAllItsRequests)
{
    auto const core = std::make_shared<detail::client_core>(context.get_executor(), options);
    auto const left_after = [&](std::chrono::nanoseconds total, std::chrono::seconds spent) {
        call_options with;
        with.retry = options.retry;
        with.retry->total_timeout = total;
        return core->with_time_left(with, std::chrono::steady_clock::now() - spent).retry->total_timeout;
    };
    EXPECT_LE(left_after(1h, 600s), 3000s);
    EXPECT_GT(left_after(1h, 600s), 2900s);
    EXPECT_EQ(left_after(1h, 3600s), 1ns) << "none would be no limit";
    EXPECT_EQ(left_after(0s, 600s), 0s);
    EXPECT_EQ(left_after((std::chrono::nanoseconds::min)(), 600s), (std::chrono::nanoseconds::min)()) << "invalid";
}

// The change is not sent when the baseline has taken what there is.
TEST_F(CarefulChange, IsNotSentWhenItsTimeIsOver)
{
    call_options with;
    with.retry = options.retry;
    with.retry->total_timeout = 2s;
    server.answer(200, first_one);
    server.hang();
    auto const problem = remove(with).problem();
    EXPECT_EQ(problem.code(), backbeat::retry_errc::deadline) << problem.what();
    EXPECT_FALSE(problem.outcome_unknown());
    EXPECT_EQ(methods(), "GL");
}

TEST_F(CarefulChange, RefusesAnInvalidTotalTime)
{
    call_options with;
    with.retry = options.retry;
    with.retry->total_timeout = -1s;
    auto const problem = remove(with).problem();
    EXPECT_EQ(problem.code(), backbeat::retry_errc::invalid_options) << problem.what();
    EXPECT_TRUE(server.requests.empty());
}

}  // namespace
