//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "client_fixture.hpp"
#include "scripted_server.hpp"
#include "test_certificate.hpp"

#include <backbeat/classify.hpp>
#include <backbeat/http/client.hpp>
#include <backbeat/report_to.hpp>
#include <backbeat/retry_budget.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/errc.hpp>

#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace backbeat::test {
namespace {

using namespace std::chrono_literals;
using http::verb;
namespace asio = boost::asio;

class http_pool : public sending_fixture {
protected:
    auto count_down()
    {
        return [this](boost::system::error_code e, std::size_t n = 0) {
            ++ended;
            end_error = e;
            connections = n;
        };
    }

    void finish_ending()
    {
        ASSERT_TRUE(run_until([this] { return ended != 0; })) << "it hangs";
        settle();
        EXPECT_EQ(ended, 1);
        ended = 0;
    }

    int ended = 0;
    boost::system::error_code end_error;
    std::size_t connections = 0;
};

class empty_budget final : public budget {
public:
    void operation_started(std::chrono::nanoseconds) noexcept override {}
    void attempt_ended(attempt_outcome, amount, std::chrono::nanoseconds) noexcept override {}
    std::optional<amount> try_withdraw(attempt_outcome, std::chrono::nanoseconds) noexcept override { return {}; }
    void give_back(amount, std::chrono::nanoseconds) noexcept override {}
};

class recording_server {
public:
    explicit recording_server(std::vector<std::string> answers)
        : server({[this, answers = std::move(answers)](peer& client) {
              for (auto const& each : answers) {
                  auto const request = client.read_request();
                  if (request.empty()) return;
                  {
                      std::lock_guard const lock(mutex_);
                      requests_.push_back(request);
                  }
                  client.write(each);
              }
          }})
    {}

    // The value of a header field of a request. "-": there is none.
    [[nodiscard]] std::string field(std::size_t request, std::string const& name) const
    {
        std::lock_guard const lock(mutex_);
        if (request >= requests_.size()) return "there is no such request";
        auto const& text = requests_[request];
        auto const at = text.find("\r\n" + name + ": ");
        if (at == std::string::npos) return "-";
        auto const begin = at + name.size() + 4;
        return text.substr(begin, text.find("\r\n", begin) - begin);
    }

private:
    mutable std::mutex mutex_;
    std::vector<std::string> requests_;

public:
    scripted_server server;
};

TEST_F(http_pool, has_a_time_limit_for_its_queue)
{
    gate answered;
    scripted_server server({[&](peer& client) {
        client.read_request();
        answered.wait();
        client.write(answer(200));
        client.wait_for_close();
    }});
    http::client_options options = tested_client_options();
    options.maximum_connections = 1;
    options.queue_timeout = 20ms;
    http::client client(context.get_executor(), server.url(), options);
    call running("/first");
    call waiting("/second");
    running.start(client);
    waiting.start(client);
    run(waiting);
    EXPECT_EQ(waiting.error, http::errc::queue_timeout);
    EXPECT_EQ(waiting.error, boost::system::errc::timed_out);
    EXPECT_EQ(waiting.delivered(), delivery::not_sent);
    EXPECT_EQ(client.queued_requests(), 0u);
    EXPECT_FALSE(running.done());
    answered.open();
    run(running);
    EXPECT_EQ(running.status(), 200u) << "the limit is not for those that have a connection";
    expect_no_leftovers(client);
}

// The timer of the queue's limit was the only one that was set.
TEST_F(http_pool, has_its_other_limits_after_a_wait_in_the_queue)
{
    for (bool const reused : {true, false}) {
        gate in_queue;
        auto lies_still = [](peer& client) {
            client.read_request();
            client.wait_for_close();
        };
        auto answers_once = [&](peer& client) {
            client.read_request();
            in_queue.wait();
            client.write(answer(200, "", reused ? "" : "Connection: close\r\n"));
            if (reused) lies_still(client);
        };
        scripted_server server({answers_once, lies_still});
        http::client_options options = tested_client_options();
        options.maximum_connections = 1;
        options.queue_timeout = 30s;
        options.connect_timeout = 0s;
        options.attempt_timeout = 2s;
        http::client client(context.get_executor(), server.url(), options);
        call running("/first");
        call waiting("/second");
        running.start(client);
        waiting.start(client);
        ASSERT_TRUE(run_until([&] { return client.queued_requests() == 1; }));
        in_queue.open();
        run(running, waiting);
        EXPECT_EQ(running.status(), 200u);
        EXPECT_EQ(waiting.error, retry_errc::attempt_timeout) << waiting.error.message();
        expect_no_leftovers(client);
    }
}

TEST_F(http_pool, retries_what_waited_too_long_whatever_the_request)
{
    http::classifier const decide{.replay = http::idempotency::never};
    auto const judged = decide(http::make_error_code(http::errc::queue_timeout));
    EXPECT_EQ(judged.kind, verdict_kind::retry);
    EXPECT_EQ(judged.delivered, delivery::not_sent);
}

TEST_F(http_pool, does_not_limit_those_in_the_queue_by_default)
{
    gate answered;
    scripted_server server({[&](peer& client) {
        client.read_request();
        answered.wait();
        client.write(answer(200));
        client.read_request();
        client.write(answer(200));
    }});
    http::client_options options = tested_client_options();
    options.maximum_connections = 1;
    http::client client(context.get_executor(), server.url(), options);
    call running("/first");
    call waiting("/second");
    running.start(client);
    waiting.start(client);
    ASSERT_TRUE(run_until([&] { return client.queued_requests() == 1; }));
    answered.open();
    run(running, waiting);
    EXPECT_EQ(waiting.status(), 200u);
}

TEST_F(http_pool, is_warmed_up)
{
    scripted_server server({answering(std::vector<std::string>(9, answer(200)))});
    http::client_options options = tested_client_options();
    options.maximum_connections = 3;
    http::client client(context.get_executor(), server.url(), options);
    client.async_warm_up(2, count_down());
    EXPECT_EQ(ended, 0) << "completed inside the initiating function";
    finish_ending();
    EXPECT_EQ(end_error, boost::system::error_code());
    EXPECT_EQ(connections, 2u);
    EXPECT_EQ(client.idle_connections(), 2u);
    EXPECT_TRUE(run_until([&] { return server.accepted() == 2; }));

    client.async_get("/", store());
    finish();
    EXPECT_EQ(response.result_int(), 200u);
    EXPECT_EQ(server.accepted(), 2) << "the request uses one of them";

    client.async_warm_up(1, count_down());
    finish_ending();
    EXPECT_EQ(connections, 2u) << "there are more than that already";
    client.async_warm_up(100, count_down());
    finish_ending();
    EXPECT_EQ(connections, 3u) << "no more than there may be";
    EXPECT_TRUE(run_until([&] { return server.accepted() == 3; }));
    expect_no_leftovers(client);
}

TEST_F(http_pool, is_warmed_up_with_tls)
{
    auto const certificate = make_test_certificate("DNS:localhost");
    scripted_server server({answering({answer(200), answer(200)})}, certificate);
    http::client_options options = tested_client_options();
    options.ca_certificate = certificate.authority;
    http::client client(context.get_executor(), server.url("localhost"), options);
    client.async_warm_up(2, count_down());
    finish_ending();
    EXPECT_EQ(end_error, boost::system::error_code()) << end_error.message();
    EXPECT_EQ(client.idle_connections(), 2u);
    for (int i = 0; i != 3; ++i) {
        client.async_get("/", store());
        finish();
        EXPECT_EQ(response.result_int(), 200u);
    }
    EXPECT_EQ(server.accepted(), 2) << "that the server sent tickets spoils nothing";
}

TEST_F(http_pool, cannot_be_warmed_up_where_nobody_listens)
{
    http::client client(
        context.get_executor(), "http://127.0.0.1:" + std::to_string(refused_port()), tested_client_options());
    client.async_warm_up(2, count_down());
    finish_ending();
    EXPECT_EQ(end_error, asio::error::connection_refused);
    EXPECT_EQ(connections, 0u);
    expect_no_leftovers(client);
    client.async_warm_up(0, count_down());
    finish_ending();
    EXPECT_EQ(end_error, boost::system::error_code());
    client.close();
    client.async_warm_up(1, count_down());
    finish_ending();
    EXPECT_EQ(end_error, http::errc::client_closed);
}

TEST_F(http_pool, can_be_left_cold)
{
    hanging_port const port;
    http::client client(context.get_executor(), port.url(), tested_client_options());
    asio::cancellation_signal signal;
    client.async_warm_up(3, asio::bind_cancellation_slot(signal.slot(), count_down()));
    ASSERT_TRUE(run_until([&] { return client.open_connections() == 3; }));
    signal.emit(asio::cancellation_type::total);
    finish_ending();
    EXPECT_EQ(end_error, asio::error::operation_aborted);
    expect_no_leftovers(client);
    EXPECT_EQ(client.open_connections(), 0u);

    client.async_warm_up(3, count_down());
    ASSERT_TRUE(run_until([&] { return client.open_connections() == 3; }));
    client.close();
    finish_ending();
    EXPECT_EQ(end_error, asio::error::operation_aborted);
    expect_no_leftovers(client);
}

TEST_F(http_pool, gives_places_to_those_in_the_queue_while_it_is_warmed_up)
{
    hanging_port const port;
    http::client_options options = tested_client_options();
    options.maximum_connections = 1;
    options.connect_timeout = 50ms;
    http::client client(context.get_executor(), port.url(), options);
    client.async_warm_up(1, count_down());
    call waiting("/");
    waiting.start(client);
    ASSERT_TRUE(run_until([&] { return client.queued_requests() == 1; }));
    finish_ending();
    EXPECT_EQ(end_error, http::errc::connect_timeout);
    run(waiting);
    EXPECT_EQ(waiting.error, http::errc::connect_timeout);
    expect_no_leftovers(client);
}

TEST_F(http_pool, is_closed_once_its_operations_have_ended)
{
    gate answered;
    scripted_server server({[&](peer& client) {
        client.read_request();
        answered.wait();
        client.write(answer(200, "late"));
        client.wait_for_close();
    }});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    call running("/");
    running.start(client);
    ASSERT_TRUE(run_until([&] { return server.accepted() == 1; }));
    client.async_close(count_down());
    client.async_close(count_down());
    call refused("/");
    send(client, refused);
    EXPECT_EQ(refused.error, http::errc::client_closed);
    EXPECT_EQ(refused.delivered(), delivery::not_sent);
    EXPECT_FALSE(running.done());
    EXPECT_EQ(ended, 0);
    answered.open();
    run(running);
    EXPECT_EQ(running.response.body(), "late");
    ASSERT_TRUE(run_until([this] { return ended == 2; }));
    EXPECT_EQ(end_error, boost::system::error_code());
    EXPECT_EQ(client.open_connections(), 0u);
}

TEST_F(http_pool, is_closed_after_the_last_handler_was_called)
{
    for (bool const retried : {false, true}) {
        gate answered;
        scripted_server server({[&](peer& client) {
            client.read_request();
            answered.wait();
            client.write(answer(200));
        }});
        http::client client(context.get_executor(), server.url(), tested_client_options());
        std::string order;
        auto at_end = [&](boost::system::error_code, http::response const&) { order += "request "; };
        if (retried)
            client.async_send(make_request(verb::get), at_end);
        else
            client.async_get("/", at_end);
        ASSERT_TRUE(run_until([&] { return server.accepted() == 1; }));
        client.async_close([&](boost::system::error_code) { order += "close "; });
        answered.open();
        ASSERT_TRUE(run_until([&] { return order.size() == std::string("request close ").size(); }));
        EXPECT_EQ(order, "request close ");
    }
}

TEST_F(http_pool, is_closed_at_once_if_nothing_runs)
{
    scripted_server server({answering({answer(200), answer(200)})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    call first("/");
    send(client, first);
    EXPECT_EQ(client.idle_connections(), 1u);
    client.async_close(count_down());
    EXPECT_EQ(ended, 0) << "completed inside the initiating function";
    finish_ending();
    EXPECT_EQ(end_error, boost::system::error_code());
    EXPECT_EQ(client.open_connections(), 0u);
}

TEST_F(http_pool, lets_retries_come_to_their_end_when_it_is_closed)
{
    scripted_server server({answering({answer(503)}), answering({answer(200, "at last")})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    auto first_failed = [&, count = 0](boost::system::error_code const&, http::response const& got) mutable {
        if (count++ == 0) client.async_close(count_down());
        return http::classifier{}(got);
    };
    client.async_send(make_request(verb::get, "/"), quick(), classify(first_failed), report_to(report), store());
    ASSERT_TRUE(run_until([this] { return ended == 1 && completions == 1; }));
    EXPECT_EQ(response.body(), "");
    EXPECT_EQ(report.attempts(), 6u) << "the server goes on to be busy on that connection";
    EXPECT_EQ(report.reason(), stop_reason::exhausted);
    client.async_send(make_request(verb::get, "/"), quick(), report_to(report), store());
    completions = 0;
    finish();
    EXPECT_EQ(error, http::errc::client_closed);
    EXPECT_EQ(report.attempts(), 1u);
    EXPECT_EQ(report.reason(), stop_reason::permanent);
}

TEST_F(http_pool, need_not_be_waited_for_until_it_is_closed)
{
    gate answered;
    scripted_server server({[&](peer& client) {
        client.read_request();
        answered.wait();
        client.write(answer(200, "late"));
    }});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    call running("/");
    running.start(client);
    ASSERT_TRUE(run_until([&] { return server.accepted() == 1; }));
    asio::cancellation_signal signal;
    client.async_close(asio::bind_cancellation_slot(signal.slot(), count_down()));
    settle();
    signal.emit(asio::cancellation_type::total);
    finish_ending();
    EXPECT_EQ(end_error, asio::error::operation_aborted);
    call refused("/");
    send(client, refused);
    EXPECT_EQ(refused.error, http::errc::client_closed);
    answered.open();
    run(running);
    EXPECT_EQ(running.response.body(), "late");
    expect_no_leftovers(client);
}

TEST_F(http_pool, may_be_abandoned_while_it_is_being_closed)
{
    hanging_port const port;
    {
        asio::io_context own;
        http::client client(own.get_executor(), port.url(), tested_client_options());
        client.async_get("/", store());
        client.async_warm_up(2, count_down());
        client.async_close(count_down());
        own.poll();
    }
    EXPECT_EQ(completions, 0);
    EXPECT_EQ(ended, 0);
}

TEST_F(http_pool, is_closed_although_a_classifier_has_thrown)
{
    scripted_server server({answering({answer(503)})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    auto throws = [](boost::system::error_code const&, http::response const&) -> verdict {
        throw std::runtime_error("on purpose");
    };
    client.async_send(make_request(verb::get), quick(), classify(throws), store());
    client.async_close(count_down());
    EXPECT_THROW(run_until([this] { return ended != 0; }), std::runtime_error);
    finish_ending();
    EXPECT_EQ(completions, 0);
}

TEST_F(http_pool, lets_a_signal_outlive_its_context)
{
    hanging_port const port;
    asio::cancellation_signal signal;
    {
        asio::io_context own;
        http::client client(own.get_executor(), port.url(), tested_client_options());
        client.async_get("/", asio::bind_cancellation_slot(signal.slot(), store()));
        own.poll();
    }
    signal.emit(asio::cancellation_type::terminal);
    EXPECT_EQ(completions, 0);
}

TEST_F(http_pool, tells_the_server_the_number_of_the_attempt)
{
    recording_server recorder({answer(503), answer(200), answer(200), answer(200)});
    http::client_options options = tested_client_options();
    options.attempt_header = "X-Attempt";
    http::client client(context.get_executor(), recorder.server.url(), options);
    client.async_send(make_request(verb::get), quick(), store());
    finish();
    client.async_get("/", store());
    finish();
    auto own = make_request(verb::get);
    own.set("x-attempt", "mine");
    client.async_request(own, store());
    finish();
    EXPECT_EQ(recorder.field(0, "X-Attempt"), "1");
    EXPECT_EQ(recorder.field(1, "X-Attempt"), "2");
    EXPECT_EQ(recorder.field(2, "X-Attempt"), "1");
    EXPECT_EQ(recorder.field(3, "X-Attempt"), "-");
    EXPECT_EQ(recorder.field(3, "x-attempt"), "mine");
}

TEST_F(http_pool, tells_the_server_how_long_the_client_waits)
{
    recording_server recorder(std::vector<std::string>(5, answer(200)));
    http::client_options options = tested_client_options();
    options.deadline_header = "X-Server-Timeout";
    options.attempt_timeout = 100s;
    http::client client(context.get_executor(), recorder.server.url(), options);
    client.async_get("/", store());
    finish();
    auto limited = quick();
    limited.attempt_timeout = 50s;
    client.async_send(make_request(verb::get), limited, store());
    finish();
    limited.attempt_timeout = 200s;
    client.async_send(make_request(verb::get), limited, store());
    finish();
    auto own = make_request(verb::get);
    own.set("X-Server-Timeout", "mine");
    client.async_request(own, store());
    finish();
    auto const between = [&](std::size_t request, double least, double most) {
        auto const text = recorder.field(request, "X-Server-Timeout");
        EXPECT_EQ(text.size(), std::string("99.123").size()) << text;
        auto const value = std::stod(text);
        EXPECT_TRUE(value > least && value <= most) << text;
    };
    between(0, 80, 100);
    between(1, 30, 50);
    between(2, 80, 100);
    EXPECT_EQ(recorder.field(3, "X-Server-Timeout"), "mine");

    options.attempt_timeout = 0s;
    http::client unlimited(context.get_executor(), recorder.server.url(), options);
    unlimited.async_get("/", store());
    finish();
    EXPECT_EQ(recorder.field(4, "X-Server-Timeout"), "-");
}

TEST_F(http_pool, gives_copies_of_a_keyed_request_the_same_key)
{
    recording_server recorder({answer(503), answer(200), answer(200), answer(200), answer(200)});
    http::client_options options = tested_client_options();
    options.idempotency_key_header = "Idempotency-Key";
    http::client client(context.get_executor(), recorder.server.url(), options);
    auto const keyed = http::idempotency::keyed;
    client.async_send(make_request(verb::post), keyed, quick(), report_to(report), store());
    finish();
    EXPECT_EQ(report.attempts(), 2u);
    client.async_send(make_request(verb::post), keyed, quick(), store());
    finish();
    auto own = make_request(verb::post);
    own.set("Idempotency-Key", "mine");
    client.async_send(own, keyed, quick(), store());
    finish();
    client.async_send(make_request(verb::put), quick(), store());
    finish();
    auto const key = recorder.field(0, "Idempotency-Key");
    EXPECT_EQ(key.size(), 36u) << key;
    EXPECT_EQ(key[14], '4') << key;
    EXPECT_EQ(recorder.field(1, "Idempotency-Key"), key);
    EXPECT_EQ(recorder.field(2, "Idempotency-Key").size(), 36u);
    EXPECT_NE(recorder.field(2, "Idempotency-Key"), key);
    EXPECT_EQ(recorder.field(3, "Idempotency-Key"), "mine");
    EXPECT_EQ(recorder.field(4, "Idempotency-Key"), "-");
}

TEST_F(http_pool, refuses_names_of_header_fields_that_are_none)
{
    for (auto const member :
         {&http::client_options::attempt_header,
          &http::client_options::deadline_header,
          &http::client_options::idempotency_key_header}) {
        http::client_options options = tested_client_options();
        for (auto const* const name :
             {"two words", "a:", "Content-Length", "transfer-encoding", "host", "Connection", "user-agent"}) {
            options.*member = name;
            EXPECT_THROW(http::client(context.get_executor(), "http://localhost", options), std::invalid_argument)
                << name;
        }
    }
    http::client_options options = tested_client_options();
    options.attempt_header = "X-Same";
    options.deadline_header = "x-same";
    EXPECT_THROW(http::client(context.get_executor(), "http://localhost", options), std::invalid_argument);
    options.deadline_header = "x-other";
    EXPECT_NO_THROW(http::client(context.get_executor(), "http://localhost", options));
    options.retry.multiplier = 0.5;
    EXPECT_THROW(http::client(context.get_executor(), "http://localhost", options), std::invalid_argument);
}

TEST_F(http_pool, shares_a_budget_unless_the_options_have_their_own)
{
    empty_budget empty;
    scripted_server server({answering({answer(503)})});
    http::client_options options = tested_client_options();
    options.budget = &empty;
    options.retry = quick(3);
    http::client client(context.get_executor(), server.url(), options);
    client.async_send(make_request(verb::get), report_to(report), store());
    finish();
    EXPECT_EQ(report.reason(), stop_reason::budget);
    client.async_send(make_request(verb::get), quick(3), report_to(report), store());
    finish();
    EXPECT_EQ(report.reason(), stop_reason::budget);
    retry_budget own;
    auto with_own = quick(3);
    with_own.budget = &own;
    client.async_send(make_request(verb::get), with_own, report_to(report), store());
    finish();
    EXPECT_EQ(report.reason(), stop_reason::exhausted);
}

TEST_F(http_pool, lets_a_floor_above_read_error_bodies)
{
    auto const answers = [] {
        return answering(
            {answer(403, "quota: come back in 2 ms"),
             answer(403, "quota: come back in 2 ms"),
             answer(403, "forbidden")});
    };
    std::vector<std::string> seen;
    auto by_body = [&](attempt const& judged, boost::system::error_code const& failure, http::response const& got) {
        seen.push_back(got.body());
        EXPECT_EQ(judged.number(), seen.size());
        if (got.body().starts_with("quota")) return verdict::throttled(2ms);
        return http::classifier{}(judged, failure, got);
    };
    scripted_server server({answers()});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    client.async_send(make_request(verb::get), quick(), classify(by_body), report_to(report), store());
    finish();
    EXPECT_EQ(response.body(), "forbidden");
    EXPECT_EQ(report.attempts(), 3u);
    EXPECT_EQ(report.records()[0].hint, 2ms);
    EXPECT_EQ(report.reason(), stop_reason::permanent);
    EXPECT_EQ(seen.size(), 3u);
}

TEST_F(http_pool, does_not_let_a_classifier_lift_what_the_request_forbids)
{
    scripted_server server({answering({answer(503, "nothing was done, I promise")})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    auto trusting = [](boost::system::error_code const&, http::response const&) { return verdict::retry(); };
    client.async_send(make_request(verb::post), quick(), classify(trusting), report_to(report), store());
    finish();
    EXPECT_EQ(report.reason(), stop_reason::not_replayable);
    EXPECT_EQ(report.attempts(), 1u);
    auto knowing = [](boost::system::error_code const&, http::response const&) {
        return verdict{.kind = verdict_kind::retry, .delivered = delivery::rejected};
    };
    client.async_send(make_request(verb::post), quick(1), classify(knowing), report_to(report), store());
    finish();
    EXPECT_EQ(report.reason(), stop_reason::exhausted);
}

}  // namespace
}  // namespace backbeat::test
