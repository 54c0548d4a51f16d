//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "client_fixture.hpp"

#include <backbeat/async_retry.hpp>
#include <backbeat/http/client.hpp>
#include <backbeat/report_to.hpp>
#include <backbeat/retry_observer.hpp>
#include <backbeat/retry_report.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/beast/http/error.hpp>

#include <atomic>

namespace backbeat::test {
namespace {

using namespace std::chrono_literals;
using http::verb;
namespace asio = boost::asio;

using http_send = sending_fixture;

void reset_after_reading(peer& client)
{
    client.read_request();
    client.reset();
}

TEST_F(http_send, goes_on_until_it_succeeds)
{
    scripted_server server(
        {[](peer& client) {
             client.read_request();
             client.write(answer(503, "busy"));
             client.read_request();
             client.write(answer(429, "slow down", "retry-after-ms: 3\r\nConnection: close\r\n"));
         },
         reset_after_reading,
         answering({answer(200, "at last")})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    client.async_send(make_request(verb::get), quick(), report_to(report), store());
    finish();
    EXPECT_EQ(error, boost::system::error_code());
    EXPECT_EQ(response.body(), "at last");
    EXPECT_EQ(report.attempts(), 4u);
    EXPECT_EQ(report.reason(), stop_reason::success);
    auto const records = report.records();
    ASSERT_EQ(records.size(), 4u);
    EXPECT_EQ(records[0].status, 503);
    EXPECT_EQ(records[0].delivered, delivery::ambiguous);
    EXPECT_EQ(records[1].status, 429);
    EXPECT_EQ(records[1].delivered, delivery::rejected);
    EXPECT_EQ(records[1].hint, 3ms);
    EXPECT_EQ(records[2].error, asio::error::connection_reset);
    EXPECT_EQ(records[2].delivered, delivery::ambiguous);
    EXPECT_EQ(records[3].status, 200);
    EXPECT_EQ(records[3].delivered, delivery::responded);
}

TEST_F(http_send, does_not_repeat_what_may_have_been_done)
{
    struct {
        script first;
        boost::system::error_code error;
        unsigned status;
    } const cases[] = {
        {answering({answer(503, "busy")}), {}, 503},
        {reset_after_reading, asio::error::connection_reset, 0},
    };
    for (auto const& each : cases) {
        scripted_server server({each.first, answering({answer(200)})});
        http::client client(context.get_executor(), server.url(), tested_client_options());
        client.async_send(make_request(verb::post), quick(), report_to(report), store());
        finish();
        EXPECT_EQ(error, each.error);
        EXPECT_EQ(response.result_int(), each.status);
        EXPECT_EQ(report.attempts(), 1u);
        EXPECT_EQ(report.reason(), stop_reason::not_replayable);
    }
}

TEST_F(http_send, repeats_a_post_that_was_rejected_or_not_sent)
{
    scripted_server server({answering({answer(429), answer(200)})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    client.async_send(make_request(verb::post), quick(), report_to(report), store());
    finish();
    EXPECT_EQ(response.result_int(), 200u);
    EXPECT_EQ(report.attempts(), 2u);

    http::client nowhere(
        context.get_executor(), "http://127.0.0.1:" + std::to_string(refused_port()), tested_client_options());
    nowhere.async_send(make_request(verb::post), quick(2), report_to(report), store());
    finish();
    EXPECT_EQ(error, asio::error::connection_refused);
    EXPECT_EQ(report.attempts(), 3u);
    EXPECT_EQ(report.reason(), stop_reason::exhausted);
    EXPECT_EQ(report.worst_delivery(), delivery::not_sent);
}

TEST_F(http_send, repeats_a_post_if_told_that_it_may)
{
    scripted_server server({reset_after_reading, answering({answer(503), answer(200)})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    client.async_send(make_request(verb::post), http::idempotency::idempotent, quick(), report_to(report), store());
    finish();
    EXPECT_EQ(response.result_int(), 200u);
    EXPECT_EQ(report.attempts(), 3u);
}

TEST_F(http_send, uses_the_clients_options_by_default)
{
    scripted_server server({answering({answer(503)})});
    http::client_options options = tested_client_options();
    options.retry = quick(3);
    http::client client(context.get_executor(), server.url(), options);
    client.async_send(make_request(verb::get), report_to(report), store());
    finish();
    EXPECT_EQ(error, boost::system::error_code());
    EXPECT_EQ(response.result_int(), 503u);
    EXPECT_EQ(report.attempts(), 4u);
    EXPECT_EQ(report.reason(), stop_reason::exhausted);

    client.async_send(make_request(verb::get), {.multiplier = 0}, store());
    finish();
    EXPECT_EQ(error, retry_errc::invalid_options);
}

TEST_F(http_send, stops_at_permanent_failures)
{
    scripted_server server({answering({answer(404)}), answering({"garbage\r\n\r\n"})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    client.async_send(make_request(verb::get), quick(), report_to(report), store());
    finish();
    EXPECT_EQ(response.result_int(), 404u);
    EXPECT_EQ(report.reason(), stop_reason::permanent);

    http::client other(context.get_executor(), server.url(), tested_client_options());
    other.async_send(make_request(verb::get), quick(), report_to(report), store());
    finish();
    EXPECT_EQ(error, http::errc::not_http);
    EXPECT_EQ(report.reason(), stop_reason::permanent);
    EXPECT_EQ(report.attempts(), 1u);
}

class wait_watcher : public retry_observer {
public:
    void before_wait(attempt_record const& /*ended*/) override { ++waits; }

    std::atomic<int> waits = 0;
};

TEST_F(http_send, holds_no_connection_while_it_waits_and_can_be_cancelled)
{
    scripted_server server({answering({answer(503, "busy", "Retry-After: 60\r\n")})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    wait_watcher watcher;
    auto options = quick();
    options.observer = &watcher;
    asio::cancellation_signal signal;
    client.async_send(
        make_request(verb::get), options, report_to(report), asio::bind_cancellation_slot(signal.slot(), store()));
    ASSERT_TRUE(run_until([&] { return watcher.waits == 1; }));
    settle();
    EXPECT_EQ(completions, 0);
    EXPECT_EQ(client.open_connections(), 1u);
    EXPECT_EQ(client.idle_connections(), 1u);
    signal.emit(asio::cancellation_type::total);
    finish();
    EXPECT_EQ(error, asio::error::operation_aborted);
    EXPECT_EQ(response.body(), "busy");
    EXPECT_EQ(report.reason(), stop_reason::cancelled);
}

TEST_F(http_send, ends_its_wait_when_the_client_is_closed)
{
    scripted_server server({answering({answer(503, "", "Retry-After: 60\r\n")})});
    auto client = std::make_unique<http::client>(context.get_executor(), server.url(), tested_client_options());
    wait_watcher watcher;
    auto options = quick();
    options.observer = &watcher;
    client->async_send(make_request(verb::get), options, store());
    ASSERT_TRUE(run_until([&] { return watcher.waits == 1; }));
    client.reset();
    finish();
    EXPECT_EQ(error, asio::error::operation_aborted);
}

TEST_F(http_send, is_cancelled_within_an_attempt)
{
    gate reading;
    scripted_server server({[&](peer& client) {
        client.read_request();
        reading.open();
        client.wait_for_close();
    }});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    asio::cancellation_signal signal;
    client.async_send(
        make_request(verb::get), quick(), report_to(report), asio::bind_cancellation_slot(signal.slot(), store()));
    ASSERT_TRUE(run_until([&] { return reading.is_open(); }));
    signal.emit(asio::cancellation_type::terminal);
    finish();
    EXPECT_EQ(error, asio::error::operation_aborted);
    EXPECT_EQ(report.reason(), stop_reason::cancelled);
    EXPECT_EQ(report.worst_delivery(), delivery::ambiguous);
    EXPECT_EQ(client.open_connections(), 0u);
}

TEST_F(http_send, knows_the_delivery_of_an_attempt_that_took_too_long)
{
    scripted_server server(
        {[](peer& client) {
             client.read_request();
             client.wait_for_close();
         },
         answering({answer(200)})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    auto options = quick();
    options.attempt_timeout = 2s;
    client.async_send(make_request(verb::get), options, report_to(report), store());
    finish();
    EXPECT_EQ(response.result_int(), 200u);
    EXPECT_EQ(report.attempts(), 2u);
    EXPECT_EQ(report.records()[0].error, retry_errc::attempt_timeout);
    EXPECT_EQ(report.records()[0].delivered, delivery::ambiguous);

    hanging_port hanging;
    http::client nowhere(context.get_executor(), hanging.url(), tested_client_options());
    options.maximum_retries = 1;
    options.attempt_timeout = 100ms;
    nowhere.async_send(make_request(verb::post), options, report_to(report), store());
    finish();
    EXPECT_EQ(error, retry_errc::attempt_timeout);
    EXPECT_EQ(report.attempts(), 2u) << "what was not sent is repeated whatever it is";
    EXPECT_EQ(report.worst_delivery(), delivery::not_sent);
}

TEST_F(http_send, keeps_to_the_total_time_limit)
{
    scripted_server server({[](peer& client) {
        client.read_request();
        client.wait_for_close();
    }});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    auto options = quick();
    options.total_timeout = 100ms;
    client.async_send(make_request(verb::get), options, report_to(report), store());
    finish();
    EXPECT_EQ(error, retry_errc::deadline);
    EXPECT_EQ(report.reason(), stop_reason::deadline);
}

TEST_F(http_send, is_not_needed_for_a_plain_retry)
{
    scripted_server server({answering({answer(503), answer(429), answer(200, "text")})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    auto list = [&] { return client.async_get("/"); };
    async_retry(context.get_executor(), list, quick(), report_to(report), store());
    finish();
    EXPECT_EQ(response.body(), "text");
    EXPECT_EQ(report.attempts(), 3u);

    scripted_server again({answering({answer(503), answer(200, "text")})});
    http::client other(context.get_executor(), again.url(), tested_client_options());
    auto with_coroutine = [&]() -> asio::awaitable<http::response> {
        auto result = co_await other.async_get("/", asio::use_awaitable);
        co_return result;
    };
    auto const options = quick();
    bool done = false;
    asio::co_spawn(
        context,
        [&]() -> asio::awaitable<void> {
            auto const result = co_await async_retry(with_coroutine, options, asio::use_awaitable);
            EXPECT_EQ(result.body(), "text");
            done = true;
        },
        [](std::exception_ptr failure) { EXPECT_FALSE(failure); });
    ASSERT_TRUE(run_until([&] { return done; }));
}

TEST_F(http_send, lends_its_attempts_to_an_own_retry)
{
    scripted_server server({reset_after_reading, answering({answer(200)})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    auto const message = make_request(verb::post);
    auto post = [&](attempt const& current, auto&& token) {
        return client.async_request(current, message, std::forward<decltype(token)>(token));
    };
    http::classifier const decide{verb::post};
    async_retry(context.get_executor(), post, quick(), classify(decide), report_to(report), store());
    finish();
    EXPECT_EQ(error, asio::error::connection_reset);
    EXPECT_EQ(report.reason(), stop_reason::not_replayable);
}

TEST_F(http_send, runs_on_many_threads)
{
    std::atomic<int> requests = 0;
    scripted_server server({[&](peer& client) {
        while (!client.read_request().empty()) client.write(answer(requests++ % 3 == 0 ? 200 : 503));
    }});
    asio::thread_pool pool(4);
    http::client_options options;
    options.maximum_connections = 8;
    options.retry = quick(unlimited_retries);
    options.retry.total_timeout = patience;
    http::client client(pool.get_executor(), server.url(), options);
    std::vector<std::future<http::response>> sent;
    for (int i = 0; i != 200; ++i) sent.push_back(client.async_send(make_request(verb::get), asio::use_future));
    for (auto& each : sent) EXPECT_EQ(each.get().result_int(), 200u);
}

}  // namespace
}  // namespace backbeat::test
