//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "client_fixture.hpp"
#include "scripted_server.hpp"

#include <backbeat/classify.hpp>
#include <backbeat/http/client.hpp>
#include <backbeat/report_to.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace backbeat::test {
namespace {

using namespace std::chrono_literals;
using http::verb;
using found = http::reconciliation<>;
namespace asio = boost::asio;

http::response made(std::string body)
{
    http::response result(http::status::created, 11);
    result.body() = std::move(body);
    return result;
}

void lose_the_answer(peer& client)
{
    client.read_request();
    client.reset();
}

class http_reconcile : public sending_fixture {
protected:
    // Finds these one after another, the last again and again.
    auto finding(std::vector<found> answers)
    {
        return [this, answers = std::move(answers)]() -> asio::awaitable<found> {
            auto const index = std::min(static_cast<std::size_t>(probes++), answers.size() - 1);
            co_return answers[index];
        };
    }

    void send(scripted_server const& server, auto probe, retry_options options = quick())
    {
        http::client client(context.get_executor(), server.url(), tested_client_options());
        client.async_send(
            make_request(verb::post, "/", "x"), options, report_to(report), http::reconcile_with(probe), store());
        finish();
        expect_no_leftovers(client);
    }

    // The probes of some tests always have something to do.
    void settle_some()
    {
        for (int i = 0; i != 100; ++i) context.poll_one();
    }

    int probes = 0;
};

TEST_F(http_reconcile, sends_again_what_was_not_carried_out)
{
    scripted_server server({lose_the_answer, answering({answer(503), answer(201, "made")})});
    send(server, finding({found::not_carried_out()}));
    EXPECT_EQ(error, boost::system::error_code());
    EXPECT_EQ(response.body(), "made");
    EXPECT_EQ(report.attempts(), 3u);
    EXPECT_EQ(report.reason(), stop_reason::success);
    EXPECT_EQ(probes, 2);
}

TEST_F(http_reconcile, does_not_send_again_what_was_carried_out)
{
    scripted_server server({lose_the_answer, answering({answer(201, "again")})});
    send(server, finding({found::carried_out(made("found"))}));
    EXPECT_EQ(error, boost::system::error_code());
    EXPECT_EQ(response.result_int(), 201u);
    EXPECT_EQ(response.body(), "found");
    EXPECT_EQ(report.attempts(), 2u);
    EXPECT_EQ(report.reason(), stop_reason::success);
    EXPECT_EQ(probes, 1);
    EXPECT_EQ(server.accepted(), 1);
}

TEST_F(http_reconcile, says_so_if_it_cannot_be_told)
{
    scripted_server server({lose_the_answer, answering({answer(201, "again")})});
    send(server, finding({found::unknown()}));
    EXPECT_EQ(error, http::errc::outcome_unknown);
    EXPECT_EQ(response.result_int(), 0u);
    EXPECT_EQ(report.attempts(), 2u);
    EXPECT_EQ(report.reason(), stop_reason::outcome_unknown);
    EXPECT_EQ(report.worst_delivery(), delivery::ambiguous);
    EXPECT_EQ(probes, 1);
    EXPECT_EQ(server.accepted(), 1);
}

TEST_F(http_reconcile, asks_only_if_something_may_have_been_done)
{
    scripted_server server({answering({answer(429), answer(201, "made")})});
    send(server, finding({found::unknown()}));
    EXPECT_EQ(response.body(), "made");
    EXPECT_EQ(report.attempts(), 2u);
    EXPECT_EQ(probes, 0);
}

TEST_F(http_reconcile, asks_before_each_retry_if_that_is_wanted)
{
    scripted_server server({answering({answer(429), answer(429), answer(201, "made")})});
    std::vector<std::uint32_t> asked;
    auto probe = [&](attempt const& current) -> asio::awaitable<found> {
        asked.push_back(current.number());
        co_return found::not_carried_out();
    };
    http::client client(context.get_executor(), server.url(), tested_client_options());
    client.async_send(
        make_request(verb::post, "/", "x"),
        quick(),
        report_to(report),
        http::reconcile_with(probe, http::before_each_retry),
        store());
    finish();
    expect_no_leftovers(client);
    EXPECT_EQ(response.body(), "made");
    EXPECT_EQ(report.attempts(), 3u);
    EXPECT_EQ(asked, (std::vector<std::uint32_t>{2, 3}));
    EXPECT_EQ(report.worst_delivery(), delivery::responded);
}

TEST_F(http_reconcile, asked_before_each_retry_refuses_one_and_says_nothing_of_the_last_attempt)
{
    http::response replaced(http::status::conflict, 11);
    replaced.body() = "replaced";
    for (std::uint32_t const retries : {5u, 0u}) {
        scripted_server server({answering({answer(429, "busy"), answer(201, "again")})});
        probes = 0;
        http::client client(context.get_executor(), server.url(), tested_client_options());
        client.async_send(
            make_request(verb::delete_, "/"),
            quick(retries),
            report_to(report),
            http::reconcile_with(finding({found::refused(replaced)}), http::before_each_retry),
            store());
        finish();
        EXPECT_EQ(error, boost::system::error_code());
        EXPECT_EQ(response.body(), retries == 0 ? "busy" : "replaced");
        EXPECT_EQ(report.reason(), retries == 0 ? stop_reason::exhausted : stop_reason::permanent);
        EXPECT_EQ(probes, retries == 0 ? 0 : 1);
    }
}

TEST_F(http_reconcile, asked_before_each_retry_ends_as_without_a_probe_if_that_says_nothing)
{
    for (bool const fails : {true, false}) {
        auto probe = [this, fails]() -> asio::awaitable<found> {
            ++probes;
            if (fails) throw boost::system::system_error(asio::error::connection_refused);
            co_return found::ask_again_after(1ms);
        };
        scripted_server server({answering({answer(429, "busy"), answer(201, "again")})});
        probes = 0;
        http::client client(context.get_executor(), server.url(), tested_client_options());
        client.async_send(
            make_request(verb::post, "/", "x"),
            quick(2),
            report_to(report),
            http::reconcile_with(probe, http::before_each_retry),
            store());
        finish();
        EXPECT_EQ(error, boost::system::error_code()) << "of the request, not of the probe";
        EXPECT_EQ(response.body(), "busy");
        EXPECT_EQ(report.reason(), stop_reason::exhausted);
        EXPECT_EQ(probes, 2);
    }
}

TEST_F(http_reconcile, takes_the_next_answer_at_face_value_once_it_is_known_that_nothing_was_done)
{
    scripted_server server({lose_the_answer, answering({answer(429), answer(409, "taken")})});
    send(server, finding({found::not_carried_out()}));
    EXPECT_EQ(response.body(), "taken");
    EXPECT_EQ(report.reason(), stop_reason::permanent);
    EXPECT_EQ(probes, 1) << "neither before the second 429's retry nor at the end";
}

TEST_F(http_reconcile, probes_again_if_the_probe_fails)
{
    scripted_server server({lose_the_answer, answering({answer(201, "made")})});
    auto probe = [this](attempt const& current, auto token) {
        EXPECT_EQ(current.number(), static_cast<std::uint32_t>(probes + 2));
        return asio::async_initiate<decltype(token), void(boost::system::error_code, found)>(
            [this](auto handler) {
                bool const fails = probes++ == 0;
                asio::post(context, [handler = std::move(handler), fails]() mutable {
                    boost::system::error_code const failure =
                        fails ? asio::error::connection_refused : boost::system::error_code();
                    std::move(handler)(failure, fails ? found::unknown() : found::not_carried_out());
                });
            },
            token);
    };
    send(server, probe);
    EXPECT_EQ(response.body(), "made");
    EXPECT_EQ(report.attempts(), 3u);
    auto const records = report.records();
    ASSERT_EQ(records.size(), 3u);
    EXPECT_EQ(records[1].error, asio::error::connection_refused);
    EXPECT_EQ(records[1].delivered, delivery::not_sent);
}

TEST_F(http_reconcile, ends_with_a_failure_of_the_probe_that_does_not_mend)
{
    scripted_server server({lose_the_answer});
    send(server, [this]() -> asio::awaitable<found> {
        ++probes;
        throw std::logic_error("no code");
        co_return found();
    });
    // Of the request, not of the probe: whoever judges this error must not take it for a refused connection.
    EXPECT_EQ(error, http::errc::outcome_unknown);
    EXPECT_EQ(report.records().back().error, retry_errc::unknown_exception);
    EXPECT_EQ(report.reason(), stop_reason::permanent);
    EXPECT_EQ(report.worst_delivery(), delivery::ambiguous);
    EXPECT_EQ(probes, 1);
}

TEST_F(http_reconcile, asks_once_more_before_it_gives_up)
{
    struct {
        found at_last;
        boost::system::error_code error;
        unsigned status;
    } const cases[] = {
        {found::carried_out(made("found")), {}, 201},
        {found::not_carried_out(), {}, 503},
        {found::unknown(), http::errc::outcome_unknown, 503},
    };
    for (auto const& each : cases) {
        scripted_server server({answering({answer(503), answer(503)})});
        probes = 0;
        send(server, finding({found::not_carried_out(), each.at_last}), quick(1));
        EXPECT_EQ(error, each.error);
        EXPECT_EQ(response.result_int(), each.status);
        EXPECT_EQ(report.attempts(), 2u);
        EXPECT_EQ(report.reason(), stop_reason::exhausted);
        EXPECT_EQ(probes, 2);
    }
}

TEST_F(http_reconcile, ends_with_what_the_probe_refuses)
{
    http::response gone(http::status::not_found, 11);
    gone.body() = "replaced";
    for (std::uint32_t const retries : {5u, 0u}) {
        scripted_server server({lose_the_answer, answering({answer(201, "again")})});
        probes = 0;
        send(server, finding({found::refused(gone)}), quick(retries));
        EXPECT_EQ(error, boost::system::error_code());
        EXPECT_EQ(response.body(), "replaced");
        EXPECT_EQ(report.reason(), retries == 0 ? stop_reason::exhausted : stop_reason::permanent);
        EXPECT_EQ(probes, 1);
        EXPECT_EQ(server.accepted(), 1);
    }
}

TEST_F(http_reconcile, completes_with_the_last_response_though_a_probe_has_failed_since)
{
    scripted_server server({answering({answer(503, "busy")})});
    auto probe = [this]() -> asio::awaitable<found> {
        switch (probes++) {
        case 0: throw boost::system::system_error(asio::error::connection_reset);
        case 1: co_return found::ask_again_after(1ms);
        default: co_return found::not_carried_out();
        }
    };
    send(server, probe, quick(2));
    EXPECT_EQ(error, boost::system::error_code());
    EXPECT_EQ(response.result_int(), 503u);
    EXPECT_EQ(response.body(), "busy");
    EXPECT_EQ(probes, 3);
}

TEST_F(http_reconcile, asks_again_when_the_probe_wants_to_be_asked)
{
    scripted_server server({lose_the_answer, answering({answer(201, "made")})});
    send(server, finding({found::ask_again_after(5ms), found::not_carried_out()}));
    EXPECT_EQ(error, boost::system::error_code());
    EXPECT_EQ(response.body(), "made");
    EXPECT_EQ(report.attempts(), 3u);
    auto const records = report.records();
    ASSERT_EQ(records.size(), 3u);
    EXPECT_EQ(records[1].error, http::errc::unsettled);
    EXPECT_EQ(records[1].hint, 5ms);
    EXPECT_GE(records[1].wait, 5ms);
    EXPECT_EQ(records[1].delivered, delivery::not_sent);
    EXPECT_EQ(probes, 2);
}

TEST_F(http_reconcile, waits_at_the_end_as_long_as_the_probe_wants)
{
    struct {
        found at_last;
        boost::system::error_code error;
        unsigned status;
    } const cases[] = {
        {found::carried_out(made("found")), {}, 201},
        {found::not_carried_out(), {}, 504},
        {found::unknown(), http::errc::outcome_unknown, 504},
        // It has an end.
        {found::ask_again_after(1ms), http::errc::outcome_unknown, 504},
    };
    for (std::uint32_t const retries : {0u, 1u})
        for (auto const& each : cases) {
            SCOPED_TRACE(retries == 0 ? "first asked at the end" : "asked before");
            scripted_server server({answering({answer(504)})});
            probes = 0;
            send(server, finding({found::ask_again_after(5ms), each.at_last}), quick(retries));
            EXPECT_EQ(error, each.error);
            EXPECT_EQ(response.result_int(), each.status);
            EXPECT_EQ(report.attempts(), 1 + retries);
            EXPECT_EQ(report.reason(), stop_reason::exhausted);
            EXPECT_EQ(probes, 2);
        }
}

TEST_F(http_reconcile, does_not_know_the_outcome_if_the_limits_leave_no_time_to_ask_again)
{
    struct {
        std::chrono::nanoseconds hint, in_total;
        stop_reason reason;
    } const cases[] = {{1s, 0s, stop_reason::hint_too_long}, {1h, 10s, stop_reason::hint_too_long}};
    for (std::uint32_t const retries : {0u, 5u})
        for (auto const& each : cases) {
            scripted_server server({lose_the_answer});
            auto options = quick(retries);
            options.maximum_hint = each.hint;
            options.total_timeout = each.in_total;
            probes = 0;
            send(server, finding({found::ask_again_after(30s)}), options);
            EXPECT_EQ(error, http::errc::outcome_unknown);
            EXPECT_EQ(report.reason(), retries == 0 ? stop_reason::exhausted : each.reason);
            EXPECT_EQ(probes, 1);
        }
}

TEST_F(http_reconcile, cancels_the_wait_before_the_last_probe)
{
    scripted_server server({lose_the_answer});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    asio::cancellation_signal signal;
    auto probe = finding({found::ask_again_after(1min)});
    client.async_send(
        make_request(verb::post),
        quick(0),
        report_to(report),
        http::reconcile_with(probe),
        asio::bind_cancellation_slot(signal.slot(), store()));
    ASSERT_TRUE(run_until([&] { return probes == 1; }));
    settle_some();
    signal.emit(asio::cancellation_type::total);
    finish();
    EXPECT_EQ(error, asio::error::operation_aborted);
    EXPECT_EQ(probes, 1);
}

TEST_F(http_reconcile, does_not_know_the_outcome_if_the_last_probe_fails)
{
    scripted_server server({lose_the_answer});
    send(
        server,
        [this]() -> asio::awaitable<found> {
            ++probes;
            throw boost::system::system_error(asio::error::connection_refused);
            co_return found();
        },
        quick(0));
    EXPECT_EQ(error, http::errc::outcome_unknown);
    EXPECT_EQ(report.reason(), stop_reason::exhausted);
    EXPECT_EQ(probes, 1);
}

TEST_F(http_reconcile, does_not_ask_once_more_when_it_is_cancelled)
{
    scripted_server server({lose_the_answer});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    asio::cancellation_signal signal;
    auto probe = finding({found::not_carried_out()});
    client.async_send(
        make_request(verb::post),
        {.initial_backoff = 1h, .maximum_backoff = 1h},
        report_to(report),
        http::reconcile_with(probe),
        asio::bind_cancellation_slot(signal.slot(), store()));
    ASSERT_TRUE(run_until([&] { return report.attempts() == 1; }));
    signal.emit(asio::cancellation_type::terminal);
    finish();
    EXPECT_EQ(error, asio::error::operation_aborted);
    EXPECT_EQ(report.reason(), stop_reason::cancelled);
    EXPECT_EQ(probes, 0);
}

TEST_F(http_reconcile, cancels_a_probe_that_runs)
{
    for (std::uint32_t const retries : {5u, 0u}) {
        SCOPED_TRACE(retries == 0 ? "the last one" : "one between attempts");
        scripted_server server({lose_the_answer});
        http::client client(context.get_executor(), server.url(), tested_client_options());
        asio::cancellation_signal signal;
        bool running = false;
        auto probe = [&]() -> asio::awaitable<found> {
            asio::steady_timer never(co_await asio::this_coro::executor, 1h);
            running = true;
            co_await never.async_wait(asio::use_awaitable);
            co_return found();
        };
        client.async_send(
            make_request(verb::post),
            quick(retries),
            http::reconcile_with(probe),
            asio::bind_cancellation_slot(signal.slot(), store()));
        ASSERT_TRUE(run_until([&] { return running; }));
        signal.emit(asio::cancellation_type::terminal);
        finish();
        EXPECT_EQ(error, asio::error::operation_aborted);
    }
}

TEST_F(http_reconcile, gives_the_probe_the_time_of_an_attempt)
{
    scripted_server server({lose_the_answer, answering({answer(201, "made")})});
    auto options = quick();
    options.attempt_timeout = 2s;
    send(
        server,
        [this]() -> asio::awaitable<found> {
            asio::steady_timer never(co_await asio::this_coro::executor, 1h);
            if (probes++ == 0) co_await never.async_wait(asio::use_awaitable);
            co_return found::not_carried_out();
        },
        options);
    EXPECT_EQ(response.body(), "made");
    EXPECT_EQ(probes, 2);
    EXPECT_EQ(report.records()[1].error, retry_errc::attempt_timeout);
}

TEST_F(http_reconcile, gives_no_probe_more_time_than_the_limits_have)
{
    auto probe = [this]() -> asio::awaitable<found> {
        ++probes;
        asio::steady_timer never(co_await asio::this_coro::executor, 1h);
        co_await never.async_wait(asio::use_awaitable);
        co_return found::carried_out(made("never"));
    };
    struct {
        std::chrono::nanoseconds of_client, of_attempt, in_total;
    } const cases[] = {{1500ms, 0s, 0s}, {60s, 1500ms, 0s}, {60s, 0s, 1500ms}};
    for (auto const& each : cases)
        for (std::uint32_t const retries : {0u, 1u}) {
            SCOPED_TRACE(::testing::PrintToString(each.in_total.count()) + (retries == 0 ? ", the last" : ", between"));
            scripted_server server({lose_the_answer});
            http::client_options settings = tested_client_options();
            settings.attempt_timeout = each.of_client;
            http::client client(context.get_executor(), server.url(), settings);
            auto options = quick(retries);
            options.attempt_timeout = each.of_attempt;
            options.total_timeout = each.in_total;
            probes = 0;
            client.async_send(
                make_request(verb::post), options, report_to(report), http::reconcile_with(probe), store());
            finish();
            EXPECT_EQ(probes, 1);
            auto const expected = retries != 0 && each.in_total != 0s ? make_error_code(retry_errc::deadline)
                                                                      : make_error_code(http::errc::outcome_unknown);
            EXPECT_EQ(error, expected) << error.message();
            EXPECT_EQ(report.worst_delivery(), delivery::ambiguous);
        }
}

// A coroutine lets no other cancellation through than `terminal`, and may catch that.
TEST_F(http_reconcile, does_not_send_again_what_was_cancelled_while_the_probe_ran)
{
    for (auto const type :
         {asio::cancellation_type::total, asio::cancellation_type::partial, asio::cancellation_type::terminal}) {
        scripted_server server({lose_the_answer, answering({answer(201, "again")})});
        http::client client(context.get_executor(), server.url(), tested_client_options());
        asio::cancellation_signal signal;
        gate cancelled;
        bool running = false;
        auto probe = [&]() -> asio::awaitable<found> {
            co_await asio::this_coro::throw_if_cancelled(false);
            running = true;
            while (!cancelled.is_open()) co_await asio::post(asio::use_awaitable);
            co_return found::not_carried_out();
        };
        client.async_send(
            make_request(verb::post),
            quick(),
            report_to(report),
            http::reconcile_with(probe),
            asio::bind_cancellation_slot(signal.slot(), store()));
        ASSERT_TRUE(run_until([&] { return running; }));
        signal.emit(type);
        settle_some();
        cancelled.open();
        finish();
        EXPECT_EQ(error, asio::error::operation_aborted);
        EXPECT_EQ(report.reason(), stop_reason::cancelled);
        EXPECT_EQ(server.accepted(), 1);
    }
}

TEST_F(http_reconcile, takes_its_time_from_what_the_server_is_told)
{
    std::string told;
    scripted_server server({lose_the_answer, [&](peer& client) {
                                told = client.read_request();
                                client.write(answer(201, "made"));
                            }});
    http::client_options settings = tested_client_options();
    settings.deadline_header = "X-Server-Timeout";
    http::client client(context.get_executor(), server.url(), settings);
    auto options = quick();
    options.attempt_timeout = 50s;
    auto probe = []() -> asio::awaitable<found> {
        asio::steady_timer a_while(co_await asio::this_coro::executor, 20ms);
        co_await a_while.async_wait(asio::use_awaitable);
        co_return found::not_carried_out();
    };
    client.async_send(make_request(verb::post), options, http::reconcile_with(probe), store());
    finish();
    EXPECT_EQ(response.body(), "made");
    std::string const name = "X-Server-Timeout: ";
    auto const at = told.find(name);
    ASSERT_NE(at, std::string::npos) << told;
    EXPECT_LE(std::stod(told.substr(at + name.size())), 49.98);
}

TEST_F(http_reconcile, may_use_the_same_client)
{
    scripted_server server({lose_the_answer, answering({answer(404), answer(201, "made")})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    auto probe = [&]() -> asio::awaitable<found> {
        auto const there = co_await client.async_get("/thing", asio::use_awaitable);
        co_return there.result() == http::status::not_found ? found::not_carried_out() : found::unknown();
    };
    auto const service = [&]() -> asio::awaitable<void> {
        response = co_await client.async_send(
            make_request(verb::post), quick(), http::reconcile_with(probe), asio::use_awaitable);
        ++completions;
    };
    asio::co_spawn(context, service, asio::detached);
    finish();
    EXPECT_EQ(response.body(), "made");
}

TEST_F(http_reconcile, needs_a_probe)
{
    scripted_server server({lose_the_answer, answering({answer(201)})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    client.async_send(make_request(verb::get), http::idempotency::reconcilable, quick(), report_to(report), store());
    finish();
    EXPECT_EQ(error, asio::error::connection_reset);
    EXPECT_EQ(report.reason(), stop_reason::not_replayable);
}

TEST_F(http_reconcile, is_not_asked_where_a_request_may_be_repeated_anyway)
{
    scripted_server server({lose_the_answer, answering({answer(201, "made")})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    auto probe = finding({found::unknown()});
    client.async_send(
        make_request(verb::post), http::idempotency::idempotent, quick(), http::reconcile_with(probe), store());
    finish();
    EXPECT_EQ(response.body(), "made");
    EXPECT_EQ(probes, 0);
}

TEST_F(http_reconcile, does_not_replay_on_a_fresh_connection)
{
    scripted_server server(
        {[](peer& client) {
             client.read_request();
             client.write(answer(200));
             client.read_request();
         },
         answering({answer(201, "made")})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    client.async_get("/", store());
    finish();
    auto probe = finding({found::not_carried_out()});
    client.async_send(make_request(verb::post), quick(), report_to(report), http::reconcile_with(probe), store());
    finish();
    EXPECT_EQ(response.body(), "made");
    EXPECT_EQ(probes, 1);
    EXPECT_EQ(report.attempts(), 2u);
}

TEST_F(http_reconcile, may_be_abandoned_with_its_context)
{
    scripted_server server({lose_the_answer});
    bool running = false;
    retry_report abandoned;
    {
        asio::io_context own;
        http::client client(own.get_executor(), server.url(), tested_client_options());
        auto probe = [&]() -> asio::awaitable<found> {
            asio::steady_timer never(co_await asio::this_coro::executor, 1h);
            running = true;
            co_await never.async_wait(asio::use_awaitable);
            co_return found();
        };
        client.async_send(
            make_request(verb::post), quick(), report_to(abandoned), http::reconcile_with(probe), store());
        while (!running) own.run_one();
    }
    EXPECT_EQ(completions, 0);
    EXPECT_EQ(abandoned.reason(), stop_reason::abandoned);
}

}  // namespace
}  // namespace backbeat::test
