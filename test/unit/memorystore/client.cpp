//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "call_fixture.hpp"
#include "names.hpp"

#include <backbeat/memorystore/client.hpp>
#include <backbeat/retry_errc.hpp>
#include <backbeat/retry_report.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include <gtest/gtest.h>

#include <future>
#include <optional>
#include <thread>

namespace {

using namespace backbeat::memorystore;
using namespace std::chrono_literals;
using backbeat::retry_options;
using backbeat::retry_report;
using backbeat::stop_reason;

std::string const name = region + "/instances/a";
std::string const operation_path = region + "/operations/o";

constexpr std::string_view ready = R"({"name":"projects/p/locations/us-central1/instances/a","state":"READY"})";
constexpr std::string_view unavailable = R"({"error":{"code":503,"message":"try later","status":"UNAVAILABLE"}})";
constexpr std::string_view running =
    R"({"name":"projects/p/locations/us-central1/operations/o","metadata":{"verb":"create"}})";
constexpr std::string_view done = R"({"name":"projects/p/locations/us-central1/operations/o","done":true,"response":{)"
                                  R"("@type":"x/google.protobuf.Empty"}})";
constexpr std::string_view broken =
    R"({"name":"projects/p/locations/us-central1/operations/o","done":true,"error":{"code":9,"message":"no key"}})";

class polls : public operation_observer {
public:
    void at_poll(operation const& polled, std::chrono::nanoseconds next_poll) override
    {
        EXPECT_FALSE(polled.done);
        waits.push_back(next_poll);
        if (then) then();
    }

    std::vector<std::chrono::nanoseconds> waits;
    std::function<void()> then;
};

class Client : public CallFixture {
protected:
    outcome<instance> get(std::string of, call_options with = {})
    {
        return run<instance>([&](auto handler) { redis().async_get_instance(of, with, std::move(handler)); });
    }

    outcome<operation> create(call_options with = {}, std::string id = "a")
    {
        instance wanted;
        wanted.tier = tier::basic;
        wanted.memory_size_gb = 1;
        return run<operation>(
            [&](auto handler) { redis().async_create_instance(region, id, wanted, with, std::move(handler)); });
    }

    outcome<operation> remove(call_options with = {})
    {
        return run<operation>([&](auto handler) { redis().async_delete_instance(name, with, std::move(handler)); });
    }

    outcome<operation> wait(wait_options pace, call_options with = {})
    {
        return run<operation>(
            [&](auto handler) { redis().async_wait_operation(operation_path, pace, with, std::move(handler)); });
    }

    static wait_options fast()
    {
        wait_options pace;
        pace.initial_poll_interval = 1ms;
        pace.maximum_poll_interval = 2ms;
        return pace;
    }
};

}  // namespace

TEST_F(Client, SendsWhatTheApiWants)
{
    options.credentials = credentials::token("ya29.token");
    server.answer(200, ready);
    auto const got = get(name);
    ASSERT_FALSE(got.failure);
    EXPECT_EQ(got.result.name, name);
    EXPECT_EQ(got.result.state, instance_state::ready);

    ASSERT_EQ(server.requests.size(), 1U);
    auto const& sent = server.requests[0];
    EXPECT_EQ(sent.substr(0, sent.find('\r')), "GET /v1/projects/p/locations/us-central1/instances/a HTTP/1.1");
    EXPECT_NE(sent.find("\r\nAuthorization: Bearer ya29.token\r\n"), std::string::npos) << sent;
    EXPECT_NE(sent.find("\r\nAccept: application/json\r\n"), std::string::npos) << sent;
    EXPECT_NE(sent.find("\r\nx-goog-api-client: gl-cpp/20 gccl/0.1.0 rest/0.1.0\r\n"), std::string::npos) << sent;
    EXPECT_NE(
        sent.find("\r\nx-goog-request-params: name=projects%2Fp%2Flocations%2Fus-central1%2Finstances%2Fa\r\n"),
        std::string::npos)
        << sent;
}

TEST_F(Client, SendsNoAuthorizationWithoutAToken)
{
    server.answer(200, ready);
    ASSERT_FALSE(get(name).failure);
    EXPECT_EQ(server.requests.at(0).find("Authorization"), std::string::npos);
}

TEST_F(Client, CreateAndDelete)
{
    server.answer(200, running);
    server.answer(200, done);
    auto const created = create();
    ASSERT_FALSE(created.failure);
    EXPECT_EQ(created.result.name, operation_path);
    EXPECT_FALSE(created.result.done);
    auto const deleted = remove();
    ASSERT_FALSE(deleted.failure);
    EXPECT_TRUE(deleted.result.done);

    auto const& post = server.requests.at(0);
    EXPECT_EQ(
        post.substr(0, post.find('\r')), "POST /v1/projects/p/locations/us-central1/instances?instanceId=a HTTP/1.1");
    EXPECT_NE(post.find("\r\nContent-Type: application/json\r\n"), std::string::npos);
    EXPECT_NE(post.find("x-goog-request-params: parent=projects%2Fp%2Flocations%2Fus-central1\r\n"), std::string::npos);
    EXPECT_EQ(post.substr(post.find("\r\n\r\n") + 4), R"({"tier":"BASIC","memorySizeGb":1})");
    auto const& removal = server.requests.at(1);
    EXPECT_EQ(
        removal.substr(0, removal.find('\r')), "DELETE /v1/projects/p/locations/us-central1/instances/a HTTP/1.1");
}

TEST_F(Client, Pages)
{
    server.answer(200, R"({"instances":[{"name":"x"}],"nextPageToken":"a+b/c="})");
    page_request page;
    page.page_size = 1;
    page.page_token = "t&=";
    auto const got = run<list_instances_response>(
        [&](auto handler) { redis().async_list_instances("projects/p/locations/-", page, std::move(handler)); });
    ASSERT_FALSE(got.failure);
    EXPECT_EQ(got.result.next_page_token, "a+b/c=");
    auto const& sent = server.requests.at(0);
    EXPECT_EQ(
        sent.substr(0, sent.find('\r')),
        "GET /v1/projects/p/locations/-/instances?pageSize=1&pageToken=t%26%3D HTTP/1.1");
}

TEST_F(Client, AllPages)
{
    server.answer(200, R"({"instances":[{"name":"x"},{"name":"y"}],"nextPageToken":"2","unreachable":["l1"]})");
    server.answer(503, unavailable);
    server.answer(200, R"({"nextPageToken":"3","unreachable":["l1","l2"]})");
    server.answer(200, R"({"instances":[{"name":"z"}]})");
    auto const got = run<list_instances_response>(
        [&](auto handler) { redis().async_list_all_instances(region, std::move(handler)); });
    ASSERT_FALSE(got.failure);
    ASSERT_EQ(got.result.instances.size(), 3U);
    EXPECT_EQ(got.result.instances[2].name, "z");
    EXPECT_EQ(got.result.unreachable, (std::vector<std::string>{"l1", "l2"}));
    EXPECT_EQ(got.result.next_page_token, "");
    EXPECT_NE(server.requests.at(3).find("?pageToken=3 "), std::string::npos);
}

TEST_F(Client, APageThatNamesItself)
{
    server.answer(200, R"({"nextPageToken":"2"})");
    server.answer(200, R"({"nextPageToken":"2"})");
    auto const got = run<list_instances_response>(
        [&](auto handler) { redis().async_list_all_instances(region, std::move(handler)); });
    EXPECT_EQ(got.problem().code(), errc::malformed_response);
    EXPECT_EQ(server.requests.size(), 2U);
}

TEST_F(Client, OperationsAreListed)
{
    server.answer(200, R"({"operations":[{"name":"o"}]})");
    auto const got =
        run<list_operations_response>([&](auto handler) { redis().async_list_operations(region, std::move(handler)); });
    ASSERT_FALSE(got.failure);
    EXPECT_EQ(got.result.operations.at(0).name, "o");
    EXPECT_NE(server.requests.at(0).find("GET /v1/projects/p/locations/us-central1/operations "), std::string::npos);
}

TEST_F(Client, ReadsAreRepeated)
{
    server.lose();
    server.answer(503, unavailable);
    server.answer(429, "", "retry-after-ms: 3\r\n");
    server.answer(200, ready);
    retry_report report;
    auto const got = get(name, report_to(report));
    ASSERT_FALSE(got.failure);
    ASSERT_EQ(report.attempts(), 4U);
    EXPECT_EQ(report.reason(), stop_reason::success);
    auto const records = report.records();
    EXPECT_EQ(records.at(0).delivered, backbeat::delivery::ambiguous);
    EXPECT_EQ(records.at(1).status, 503);
    EXPECT_EQ(records.at(2).hint, 3ms);
    EXPECT_EQ(records.at(2).delivered, backbeat::delivery::rejected);
}

TEST_F(Client, ReadsThatFailToTheEnd)
{
    for (int i = 0; i != 4; ++i) server.answer(503, unavailable);
    auto const problem = get(name).problem();
    EXPECT_STREQ(problem.what(), "UNAVAILABLE (HTTP 503): try later (after 4 attempts)");
    EXPECT_EQ(problem.code(), rpc_code::unavailable);
    EXPECT_FALSE(problem.outcome_unknown());
}

TEST_F(Client, WhatIsFinalIsNotRepeated)
{
    server.answer(404, R"({"error":{"code":404,"message":"Resource 'a' was not found","status":"NOT_FOUND"}})");
    auto const problem = get(name).problem();
    EXPECT_STREQ(problem.what(), "NOT_FOUND (HTTP 404): Resource 'a' was not found");
    EXPECT_EQ(server.requests.size(), 1U);
}

TEST_F(Client, ACallHasItsOwnOptions)
{
    server.answer(503, unavailable);
    retry_options once = options.retry;
    once.maximum_retries = 0;
    retry_report report;
    EXPECT_STREQ(get(name, {once, report_to(report)}).problem().what(), "UNAVAILABLE (HTTP 503): try later");
    EXPECT_EQ(report.reason(), stop_reason::exhausted);

    once.multiplier = 0;
    auto const problem = get(name, once).problem();
    EXPECT_EQ(problem.code(), backbeat::retry_errc::invalid_options);
    EXPECT_EQ(std::string(problem.what()).find("getting instance 'projects/p/"), 0U);
}

TEST_F(Client, ChangesAreRepeatedWhileTheServiceHasNotActed)
{
    server.answer(429, "", "retry-after-ms: 1\r\n");
    server.answer(429, "", "Retry-After: 0\r\n");
    server.answer(200, running);
    retry_report report;
    ASSERT_FALSE(create(report_to(report)).failure);
    EXPECT_EQ(report.attempts(), 3U);
    EXPECT_EQ(report.worst_delivery(), backbeat::delivery::responded);

    server.answer(429, "");
    server.answer(200, running);
    ASSERT_FALSE(remove().failure);
}

TEST_F(Client, AChangeThatWasNeverSentIsRepeatedAndItsOutcomeKnown)
{
    server.close();
    retry_report report;
    auto const problem = create(report_to(report)).problem();
    EXPECT_EQ(report.attempts(), 4U);
    EXPECT_EQ(report.reason(), stop_reason::exhausted);
    EXPECT_EQ(problem.code(), boost::asio::error::connection_refused);
    EXPECT_FALSE(problem.outcome_unknown());
    EXPECT_STREQ(
        problem.what(),
        "creating instance 'projects/p/locations/us-central1/instances/a' failed: Connection refused (after 4 "
        "attempts)");
}

TEST_F(Client, AChangeThatMayHaveBeenCarriedOutIsNotRepeated)
{
    server.lose();
    retry_report report;
    auto lost = create(report_to(report)).problem();
    EXPECT_EQ(server.requests.size(), 1U);
    EXPECT_EQ(report.reason(), stop_reason::not_replayable);
    EXPECT_TRUE(lost.outcome_unknown());
    EXPECT_EQ(
        std::string(lost.what())
            .find("creating instance 'projects/p/locations/us-central1/instances/a' failed, and may "
                  "or may not have been carried out: "),
        0U)
        << lost.what();

    server.answer(503, unavailable);
    lost = remove(report_to(report)).problem();
    EXPECT_EQ(server.requests.size(), 2U);
    EXPECT_EQ(report.reason(), stop_reason::not_replayable);
    EXPECT_TRUE(lost.outcome_unknown());
    EXPECT_EQ(lost.code(), rpc_code::unavailable);
    EXPECT_STREQ(
        lost.what(),
        "UNAVAILABLE (HTTP 503): try later; deleting instance 'projects/p/locations/us-central1/instances/a' may or "
        "may not have been carried out");

    // A throttled attempt before does not make it any better.
    server.answer(429, "");
    server.answer(500, "");
    EXPECT_TRUE(remove(report_to(report)).problem().outcome_unknown());
    EXPECT_EQ(report.attempts(), 2U);
}

TEST_F(Client, ARefusedChangeHasAKnownOutcome)
{
    server.answer(409, R"({"error":{"code":409,"message":"Resource 'a' already exists","status":"ALREADY_EXISTS"}})");
    auto const refused = create().problem();
    EXPECT_EQ(refused.code(), rpc_code::already_exists);
    EXPECT_FALSE(refused.outcome_unknown());
}

TEST_F(Client, NothingHangs)
{
    options.retry.attempt_timeout = 20ms;
    options.retry.maximum_retries = 1;
    server.hang();
    server.hang();
    retry_report report;
    EXPECT_EQ(get(name, report_to(report)).problem().code(), backbeat::retry_errc::attempt_timeout);
    EXPECT_EQ(report.attempts(), 2U);
    // It has to be on its way before the time is over.
    call_options with = report_to(report);
    with.retry = options.retry;
    with.retry->attempt_timeout = 2s;
    server.hang();
    auto const problem = create(with).problem();
    EXPECT_EQ(report.attempts(), 1U);
    EXPECT_EQ(problem.code(), backbeat::retry_errc::attempt_timeout);
    EXPECT_TRUE(problem.outcome_unknown());
}

TEST_F(Client, AnswersThatCannotBeRead)
{
    server.answer(200, R"({"memorySizeGb":"many"})");
    auto problem = get(name).problem();
    EXPECT_EQ(problem.code(), errc::malformed_response);
    EXPECT_STREQ(
        problem.what(),
        "getting instance 'projects/p/locations/us-central1/instances/a' succeeded, but the server's answer cannot be "
        "read: memorySizeGb: expected an integer, got \"many\"");
    EXPECT_FALSE(problem.outcome_unknown());

    server.answer(200, "<html>Welcome to the guest network</html>");
    EXPECT_EQ(get(name).problem().code(), errc::malformed_response);
    server.answer(200, "");
    EXPECT_EQ(get(name).problem().code(), errc::malformed_response);
    server.answer(200, "{}");
    problem = create().problem();
    EXPECT_EQ(problem.code(), errc::malformed_response);
    EXPECT_TRUE(problem.outcome_unknown());
    server.answer(302, "", "Location: /elsewhere\r\n");
    EXPECT_EQ(get(name).problem().http_status(), 302U);
}

TEST_F(Client, ArgumentsAreCheckedFirst)
{
    EXPECT_EQ(get("a").problem().code(), errc::invalid_argument);
    EXPECT_EQ(get("projects/p/locations/-/instances/a").problem().code(), errc::invalid_argument);
    auto const problem = create({}, "A").problem();
    EXPECT_EQ(problem.code(), errc::invalid_argument);
    EXPECT_EQ(std::string(problem.what()).find("'A' is not an instance id; an instance id is 1 to 40"), 0U);
    page_request page;
    page.page_size = -1;
    EXPECT_EQ(
        run<list_instances_response>(
            [&](auto handler) { redis().async_list_instances(region, page, std::move(handler)); })
            .problem()
            .code(),
        errc::invalid_argument);
    EXPECT_EQ(
        run<operation>([&](auto handler) { redis().async_get_operation(name, std::move(handler)); }).problem().code(),
        errc::invalid_argument);
    EXPECT_TRUE(server.requests.empty());
}

TEST_F(Client, OptionsAreChecked)
{
    options.mutations.settle_time = -1s;
    EXPECT_THROW(redis(), std::invalid_argument);
    options.mutations.settle_time = 0s;
    options.endpoint = "redis";
    EXPECT_THROW(redis(), std::invalid_argument);
    options.endpoint = "https://localhost";
    options.ca_file = "/does/not/exist.pem";
    EXPECT_THROW(redis(), boost::system::system_error);
}

TEST_F(Client, Cancellation)
{
    server.hang();
    server.hang();
    boost::asio::cancellation_signal signal;
    auto const cancel_when_sent = [&](std::size_t count) {
        while (server.requests.size() != count) context.run_one();
        signal.emit(boost::asio::cancellation_type::terminal);
    };
    auto const got = run<instance>([&](auto handler) {
        redis().async_get_instance(name, boost::asio::bind_cancellation_slot(signal.slot(), std::move(handler)));
        boost::asio::post(context, [&] { cancel_when_sent(1); });
    });
    EXPECT_EQ(got.problem().code(), boost::asio::error::operation_aborted);
    EXPECT_FALSE(got.problem().outcome_unknown());

    auto const deleted = run<operation>([&](auto handler) {
        redis().async_delete_instance(name, boost::asio::bind_cancellation_slot(signal.slot(), std::move(handler)));
        boost::asio::post(context, [&] { cancel_when_sent(2); });
    });
    EXPECT_EQ(deleted.problem().code(), boost::asio::error::operation_aborted);
    EXPECT_TRUE(deleted.problem().outcome_unknown());
}

TEST_F(Client, DestroyingItEndsItsCalls)
{
    server.hang();
    std::optional<client> local(std::in_place, context.get_executor(), options);
    auto const got = run<instance>([&](auto handler) {
        local->async_get_instance(name, std::move(handler));
        boost::asio::post(context, [&] {
            while (server.requests.empty()) context.run_one();
            local.reset();
        });
    });
    EXPECT_TRUE(got.failure);
}

TEST_F(Client, ACallIsAbandonedWithItsContext)
{
    // The report of a call that has none of its caller's is the call's own: nothing may write to it when it is gone.
    auto const watched = std::make_shared<int>();
    {
        boost::asio::io_context doomed;
        scripted_server silent(doomed);
        silent.hang();
        options.endpoint = silent.url();
        client local(doomed.get_executor(), options);
        local.async_get_instance(name, [watched](std::exception_ptr, instance) { ADD_FAILURE(); });
        while (silent.requests.empty()) doomed.run_one();
        local.async_wait_operation(
            operation_path, wait_options(), [watched](std::exception_ptr, operation) { ADD_FAILURE(); });
    }
    EXPECT_EQ(watched.use_count(), 1);
}

TEST_F(Client, Tokens)
{
    for (int i = 0; i != 6; ++i) server.answer(200, ready);
    server.answer(404, "");
    auto deferred = redis().async_get_instance(name, boost::asio::deferred);
    std::size_t called = 0;
    auto const count = [&](std::exception_ptr failure, instance const& found) {
        EXPECT_FALSE(failure);
        EXPECT_EQ(found.name, name);
        ++called;
    };
    deferred(count);
    std::move(deferred)(count);
    while (called != 2) context.run_one();

    std::string const of = name;
    auto const coroutine = [&]() -> boost::asio::awaitable<std::size_t> {
        std::size_t found = 0;
        auto const one = co_await redis().async_get_instance(of, boost::asio::use_awaitable);
        if (one.name == of) ++found;
        auto const two = co_await redis().async_get_instance(of, call_options());
        if (two.name == of) ++found;
        auto const [failure, three] =
            co_await redis().async_get_instance(of, boost::asio::as_tuple(boost::asio::use_awaitable));
        if (!failure && three.name == of) ++found;
        co_return found;
    };
    auto found = boost::asio::co_spawn(context, coroutine, boost::asio::use_future);
    while (found.wait_for(0s) != std::future_status::ready) context.run_one();
    EXPECT_EQ(found.get(), 3U);

    auto future = redis().async_get_instance(name, boost::asio::use_future);
    while (future.wait_for(0s) != std::future_status::ready) context.run_one();
    EXPECT_EQ(future.get().state, instance_state::ready);

    auto failing = redis().async_get_instance(name, boost::asio::use_future);
    while (failing.wait_for(0s) != std::future_status::ready) context.run_one();
    EXPECT_THROW(failing.get(), error);
}

TEST_F(Client, TheHandlersExecutorIsUsed)
{
    server.answer(200, ready);
    boost::asio::io_context other;
    bool called = false;
    redis().async_get_instance(
        name, boost::asio::bind_executor(other.get_executor(), [&](std::exception_ptr failure, instance) {
            EXPECT_FALSE(failure);
            EXPECT_TRUE(other.get_executor().running_in_this_thread());
            called = true;
        }));
    while (!called) {
        context.poll();
        other.poll();
    }
}

TEST_F(Client, WaitsForAnOperation)
{
    for (int i = 0; i != 3; ++i) server.answer(200, running);
    server.answer(503, unavailable);
    server.lose();
    server.answer(200, done);
    polls seen;
    wait_options pace;
    pace.initial_poll_interval = 4ms;
    pace.maximum_poll_interval = 8ms;
    pace.observer = &seen;
    auto const ended = wait(pace);
    ASSERT_FALSE(ended.failure);
    EXPECT_TRUE(ended.result.done);
    EXPECT_TRUE(ended.result.response->is<empty>());
    EXPECT_EQ(seen.waits, (std::vector<std::chrono::nanoseconds>{4ms, 6ms, 8ms}));
    EXPECT_EQ(server.requests.size(), 6U);
}

TEST_F(Client, TheFirstPollComesAtOnce)
{
    server.answer(200, done);
    ASSERT_FALSE(wait(wait_options()).failure);
    EXPECT_EQ(server.requests.size(), 1U);
}

TEST_F(Client, WhatHasEndedIsNotAskedFor)
{
    operation started;
    started.name = operation_path;
    started.done = true;
    auto ended = run<operation>(
        [&](auto handler) { redis().async_wait_operation(started, wait_options(), std::move(handler)); });
    EXPECT_EQ(ended.result.name, operation_path);
    EXPECT_FALSE(ended.failure);
    started.error.emplace();
    started.error->code = 13;
    ended = run<operation>(
        [&](auto handler) { redis().async_wait_operation(started, wait_options(), std::move(handler)); });
    EXPECT_EQ(ended.problem().code(), rpc_code::internal);
    EXPECT_TRUE(server.requests.empty());
}

TEST_F(Client, AFailedOperationIsATypedError)
{
    server.answer(200, running);
    server.answer(200, broken);
    auto const problem = wait(fast()).problem();
    EXPECT_EQ(problem.code(), rpc_code::failed_precondition);
    EXPECT_EQ(problem.operation_name(), operation_path);
    EXPECT_STREQ(
        problem.what(), "FAILED_PRECONDITION: no key (operation 'projects/p/locations/us-central1/operations/o')");

    server.answer(200, broken);
    auto const asked =
        run<operation>([&](auto handler) { redis().async_get_operation(operation_path, std::move(handler)); });
    ASSERT_FALSE(asked.failure);
    EXPECT_EQ(asked.result.error->message, "no key");
}

TEST_F(Client, AnOperationThatTakesTooLongIsStillRunning)
{
    for (int i = 0; i != 100; ++i) server.answer(200, running);
    polls seen;
    auto pace = fast();
    pace.total_poll_timeout = 20ms;
    pace.observer = &seen;
    auto const begin = std::chrono::steady_clock::now();
    auto const problem = wait(pace).problem();
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 20ms);
    EXPECT_EQ(problem.code(), errc::still_running);
    EXPECT_EQ(problem.operation_name(), operation_path);
    EXPECT_STREQ(
        problem.what(),
        "operation 'projects/p/locations/us-central1/operations/o' is still running after 20ms, the time to wait for "
        "it; it goes on, and can be waited for again by its name");
    EXPECT_EQ(server.requests.size(), seen.waits.size() + 1);

    server.requests.clear();
    pace.total_poll_timeout = 0ms;
    EXPECT_EQ(wait(pace).problem().code(), errc::still_running);
    EXPECT_EQ(server.requests.size(), 1U);
}

TEST_F(Client, ALongIntervalDoesNotOutlastTheTimeToWait)
{
    server.answer(200, running);
    server.answer(200, running);
    polls seen;
    wait_options pace;
    pace.total_poll_timeout = 2s;
    pace.observer = &seen;
    EXPECT_EQ(wait(pace).problem().code(), errc::still_running);
    ASSERT_EQ(seen.waits.size(), 1U);
    EXPECT_LE(seen.waits[0], 2s);
    EXPECT_EQ(server.requests.size(), 2U);
}

TEST_F(Client, TheTimeToWaitIsThePublishedOne)
{
    // Seen through the interval, which never outlasts what is left of it.
    for (auto const& [verb, limit] :
         {std::pair("create", 7200s), {"import", 18000s}, {"export", 18000s}, {"failover", 1200s}, {"delete", 1200s}}) {
        server.answer(
            200,
            R"({"name":"o","metadata":{"@type":"type.googleapis.com/google.cloud.redis.v1.OperationMetadata","verb":")"
                + std::string(verb) + "\"}}");
        boost::asio::cancellation_signal signal;
        polls seen;
        seen.then = [&] { boost::asio::post(context, [&] { signal.emit(boost::asio::cancellation_type::total); }); };
        wait_options pace;
        pace.initial_poll_interval = pace.maximum_poll_interval = 10h;
        pace.observer = &seen;
        auto const ended = run<operation>([&](auto handler) {
            redis().async_wait_operation(
                operation_path, pace, boost::asio::bind_cancellation_slot(signal.slot(), std::move(handler)));
        });
        EXPECT_EQ(ended.problem().code(), boost::asio::error::operation_aborted);
        EXPECT_EQ(ended.problem().operation_name(), operation_path);
        ASSERT_EQ(seen.waits.size(), 1U);
        EXPECT_LE(seen.waits[0], limit);
        EXPECT_GT(seen.waits[0], limit - 60s);
    }
}

TEST_F(Client, APollThatFailsSaysWhichOperationItLeavesOpen)
{
    server.answer(200, running);
    server.answer(403, "");
    auto const problem = wait(fast()).problem();
    EXPECT_EQ(problem.code(), rpc_code::permission_denied);
    EXPECT_EQ(problem.operation_name(), operation_path);
}

TEST_F(Client, AnObserverCanEndTheWaiting)
{
    server.answer(200, running);
    polls seen;
    seen.then = [] { throw std::runtime_error("enough"); };
    auto pace = fast();
    pace.observer = &seen;
    auto const ended = wait(pace);
    EXPECT_THROW(std::rethrow_exception(ended.failure), std::runtime_error);
}

TEST_F(Client, ThePaceIsChecked)
{
    auto const refused = [&](auto change) {
        auto pace = fast();
        change(pace);
        auto const problem = wait(pace).problem();
        EXPECT_EQ(problem.code(), errc::invalid_argument);
        return std::string(problem.what());
    };
    EXPECT_EQ(
        refused([](auto& pace) { pace.initial_poll_interval = 0ms; }), "initial_poll_interval must be more than zero");
    EXPECT_EQ(
        refused([](auto& pace) { pace.poll_interval_multiplier = 0.5; }), "poll_interval_multiplier must be 1 or more");
    EXPECT_EQ(
        refused([](auto& pace) { pace.initial_poll_interval = 3ms; }),
        "maximum_poll_interval is less than initial_poll_interval; raise the one or lower the other");
    EXPECT_EQ(
        refused([](auto& pace) { pace.total_poll_timeout = -1ms; }),
        "total_poll_timeout is negative; it must be zero (one poll) or more");
    EXPECT_TRUE(server.requests.empty());
}
