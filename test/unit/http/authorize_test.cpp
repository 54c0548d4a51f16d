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
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace backbeat::test {
namespace {

using namespace std::chrono_literals;
using boost::system::error_code;
using http::verb;
namespace asio = boost::asio;

// What the request says of the field, or "none".
std::string authorization_of(std::string const& request)
{
    auto const begin = request.find("\r\nAuthorization: ");
    if (begin == std::string::npos) return "none";
    auto const value = begin + 17;
    return request.substr(value, request.find("\r\n", value) - value);
}

class http_authorize : public sending_fixture {
protected:
    // Answers like this one after another, and remembers what it was sent.
    script remembering(std::vector<std::string> answers)
    {
        return [this, answers = std::move(answers)](peer& client) {
            for (auto const& each : answers) {
                auto const request = client.read_request();
                if (request.empty()) return;
                fields.push_back(authorization_of(request));
                client.write(each);
            }
            client.wait_for_close();
        };
    }

    // Gives these one after another, the last again and again.
    auto giving(std::vector<std::string> values)
    {
        return [this, values = std::move(values)](std::string refused) -> asio::awaitable<std::string> {
            auto const index = std::min(rejected.size(), values.size() - 1);
            rejected.push_back(std::move(refused));
            co_return values[index];
        };
    }

    template <class... More>
    void send(scripted_server const& server, http::request message, retry_options options, More&&... more)
    {
        http::client client(context.get_executor(), server.url(), tested_client_options());
        client.async_send(std::move(message), options, report_to(report), std::forward<More>(more)..., store());
        finish();
        expect_no_leftovers(client);
    }

    std::vector<std::string> fields;
    std::vector<std::string> rejected;
};

TEST_F(http_authorize, asks_before_each_attempt)
{
    scripted_server server({remembering({answer(503), answer(503), answer(200, "done")})});
    auto source = giving({"Bearer a", "Bearer b", ""});
    send(server, make_request(verb::get), quick(), http::authorize_with(source));
    EXPECT_EQ(response.body(), "done");
    EXPECT_EQ(fields, (std::vector<std::string>{"Bearer a", "Bearer b", "none"}));
    EXPECT_EQ(rejected, (std::vector<std::string>{"", "", ""}));
    EXPECT_EQ(report.attempts(), 3u);
}

TEST_F(http_authorize, takes_a_source_in_any_form)
{
    auto const expect_sent = [this](auto source) {
        scripted_server server({remembering({answer(200)})});
        fields.clear();
        send(server, make_request(verb::get), quick(), http::authorize_with(source));
        EXPECT_EQ(error, error_code());
        EXPECT_EQ(fields, std::vector<std::string>{"Basic abc"});
    };
    expect_sent([](std::string) -> asio::awaitable<std::string> { co_return "Basic abc"; });
    expect_sent([this](std::string, auto&& token) {
        return asio::async_initiate<decltype(token), void(error_code, std::string)>(
            [this](auto handler) {
                asio::post(context, [handler = std::move(handler)]() mutable {
                    std::move(handler)(error_code(), "Basic abc");
                });
            },
            token);
    });
    expect_sent([this](std::string) {
        return asio::async_initiate<asio::deferred_t const&, void(std::exception_ptr, std::string)>(
            [this](auto handler) {
                asio::post(context, [handler = std::move(handler)]() mutable {
                    std::move(handler)(std::exception_ptr(), "Basic abc");
                });
            },
            asio::deferred);
    });
}

TEST_F(http_authorize, leaves_a_request_its_own)
{
    scripted_server server({remembering({answer(401)})});
    auto source = giving({"Bearer a"});
    auto message = make_request(verb::get);
    message.set(http::field::authorization, "Bearer mine");
    send(server, message, quick(), http::authorize_with(source));
    EXPECT_EQ(response.result_int(), 401u);
    EXPECT_EQ(fields, std::vector<std::string>{"Bearer mine"});
    EXPECT_TRUE(rejected.empty());
}

TEST_F(http_authorize, asks_once_more_after_a_401_and_sends_again_in_the_same_attempt)
{
    scripted_server server({remembering({answer(401), answer(200, "done")})});
    auto source = giving({"Bearer old", "Bearer new"});
    // Not a retry: a 401 says that nothing was done, also to what must not be repeated.
    send(server, make_request(verb::post, "/", "x"), quick(0), http::authorize_with(source));
    EXPECT_EQ(response.body(), "done");
    EXPECT_EQ(fields, (std::vector<std::string>{"Bearer old", "Bearer new"}));
    EXPECT_EQ(rejected, (std::vector<std::string>{"", "Bearer old"}));
    EXPECT_EQ(report.attempts(), 1u);
    EXPECT_EQ(report.reason(), stop_reason::success);
}

TEST_F(http_authorize, takes_a_second_401_as_final)
{
    scripted_server server({remembering({answer(401, "first"), answer(401, "second")})});
    auto source = giving({"Bearer old", "Bearer new", "Bearer newest"});
    send(server, make_request(verb::get), quick(), http::authorize_with(source));
    EXPECT_EQ(error, error_code());
    EXPECT_EQ(response.body(), "second");
    EXPECT_EQ(rejected.size(), 2u);
    EXPECT_EQ(report.attempts(), 1u);
    EXPECT_EQ(report.reason(), stop_reason::permanent);
}

TEST_F(http_authorize, passes_the_401_on_if_there_is_nothing_else_to_send)
{
    scripted_server server({remembering({answer(401, "no")})});
    auto source = giving({"Bearer same"});
    send(server, make_request(verb::get), quick(), http::authorize_with(source));
    EXPECT_EQ(response.body(), "no");
    EXPECT_EQ(fields.size(), 1u);
    EXPECT_EQ(rejected, (std::vector<std::string>{"", "Bearer same"}));

    scripted_server other({remembering({answer(401, "no")})});
    rejected.clear();
    fields.clear();
    auto failing = [this](std::string refused) -> asio::awaitable<std::string> {
        rejected.push_back(refused);
        if (!refused.empty()) throw std::runtime_error("the key is gone");
        co_return "Bearer old";
    };
    send(other, make_request(verb::get), quick(), http::authorize_with(failing));
    EXPECT_EQ(error, error_code());
    EXPECT_EQ(response.body(), "no");
    EXPECT_EQ(fields.size(), 1u);
    EXPECT_EQ(rejected.size(), 2u);
}

TEST_F(http_authorize, sends_nothing_when_the_source_fails)
{
    struct {
        error_code of_source;
        std::uint32_t attempts;
        stop_reason reason;
    } const cases[] = {
        {make_error_code(boost::system::errc::permission_denied), 1, stop_reason::permanent},
        {asio::error::connection_refused, 3, stop_reason::exhausted},
    };
    for (auto const& each : cases) {
        scripted_server server({remembering({answer(200)})});
        auto source = [&](std::string) -> asio::awaitable<std::string> {
            throw boost::system::system_error(each.of_source);
            co_return "";
        };
        send(server, make_request(verb::post, "/", "x"), quick(2), http::authorize_with(source));
        EXPECT_EQ(error, each.of_source);
        EXPECT_EQ(response.result_int(), 0u);
        EXPECT_EQ(report.attempts(), each.attempts);
        EXPECT_EQ(report.reason(), each.reason);
        EXPECT_EQ(report.worst_delivery(), delivery::not_sent);
        EXPECT_EQ(server.accepted(), 0);
    }
}

TEST_F(http_authorize, takes_an_exception_without_a_code_as_permanent)
{
    scripted_server server({remembering({answer(200)})});
    auto source = [](std::string) -> asio::awaitable<std::string> {
        throw std::runtime_error("no");
        co_return "";
    };
    send(server, make_request(verb::get), quick(), http::authorize_with(source));
    EXPECT_EQ(error, retry_errc::unknown_exception);
    EXPECT_EQ(report.attempts(), 1u);
}

// As with an attempt of `async_retry` that throws where it is started: `run` throws, the handler is not called.
TEST_F(http_authorize, keeps_nothing_of_an_operation_whose_source_throws_where_it_is_started)
{
    for (auto const limit : {0s, 3600s}) {
        for (int const good : {0, 1}) {
            scripted_server server({remembering({answer(401)})});
            int asked = 0;
            auto source = [&asked, good](std::string, auto&& token) {
                return asio::async_initiate<decltype(token), void(error_code, std::string)>(
                    [&asked, good](auto handler) {
                        if (asked++ == good) throw std::runtime_error("no");
                        std::move(handler)(error_code(), "Bearer old");
                    },
                    token);
            };
            auto owned = std::make_shared<int>(1);
            std::weak_ptr<int> const watched = owned;
            {
                auto options = tested_client_options();
                options.attempt_timeout = limit;
                http::client client(context.get_executor(), server.url(), options);
                client.async_send(
                    make_request(verb::get),
                    quick(),
                    http::authorize_with(source),
                    [this, owned = std::move(owned)](error_code, http::response const&) { ++completions; });
                context.restart();
                EXPECT_THROW(context.run(), std::runtime_error);
            }
            EXPECT_TRUE(run_until([&] { return watched.expired(); })) << "the handler is kept";
            settle();
            EXPECT_EQ(completions, 0);
            EXPECT_EQ(server.accepted(), good);
        }
    }
}

TEST_F(http_authorize, refuses_a_value_that_would_break_the_header)
{
    for (std::string const& value :
         {std::string("Bearer a\r\nX-Evil: 1"), std::string("Bearer \n"), std::string("Bearer \0", 8)}) {
        scripted_server server({remembering({answer(200)})});
        auto source = giving({value});
        send(server, make_request(verb::get), quick(), http::authorize_with(source));
        EXPECT_EQ(error, http::errc::invalid_field);
        EXPECT_EQ(report.attempts(), 1u);
        EXPECT_TRUE(fields.empty());
        rejected.clear();
    }
}

TEST_F(http_authorize, gives_the_source_the_time_of_an_attempt)
{
    struct {
        std::chrono::nanoseconds of_client, of_attempt;
    } const cases[] = {{1500ms, 0s}, {60s, 1500ms}};
    for (auto const& each : cases) {
        scripted_server server({remembering({answer(200)})});
        http::client_options settings = tested_client_options();
        settings.attempt_timeout = each.of_client;
        http::client client(context.get_executor(), server.url(), settings);
        auto options = quick(1);
        options.attempt_timeout = each.of_attempt;
        int asked = 0;
        auto source = [&](std::string) -> asio::awaitable<std::string> {
            asio::steady_timer never(co_await asio::this_coro::executor, 1h);
            if (asked++ == 0) co_await never.async_wait(asio::use_awaitable);
            co_return "Bearer a";
        };
        client.async_send(make_request(verb::get), options, report_to(report), http::authorize_with(source), store());
        finish();
        EXPECT_EQ(error, error_code());
        EXPECT_EQ(asked, 2);
        EXPECT_EQ(report.records()[0].error, retry_errc::attempt_timeout);
        EXPECT_EQ(report.records()[0].delivered, delivery::not_sent);
    }
}

// A coroutine lets no other cancellation through than `terminal`, and may catch that.
TEST_F(http_authorize, sends_nothing_after_a_cancellation_that_the_source_swallowed)
{
    for (bool const after_401 : {false, true}) {
        SCOPED_TRACE(after_401 ? "when asked again" : "when first asked");
        scripted_server server({remembering({answer(401, "no"), answer(200)})});
        http::client client(context.get_executor(), server.url(), tested_client_options());
        asio::cancellation_signal signal;
        gate cancelled;
        bool running = false;
        auto source = [&](std::string refused) -> asio::awaitable<std::string> {
            co_await asio::this_coro::throw_if_cancelled(false);
            if (after_401 && refused.empty()) co_return "Bearer old";
            running = true;
            while (!cancelled.is_open()) co_await asio::post(asio::use_awaitable);
            co_return "Bearer new";
        };
        client.async_send(
            make_request(verb::post),
            quick(),
            report_to(report),
            http::authorize_with(source),
            asio::bind_cancellation_slot(signal.slot(), store()));
        ASSERT_TRUE(run_until([&] { return running; }));
        signal.emit(asio::cancellation_type::total);
        for (int i = 0; i != 100; ++i) context.poll_one();
        cancelled.open();
        finish();
        EXPECT_EQ(report.reason(), stop_reason::cancelled);
        EXPECT_EQ(fields.size(), after_401 ? 1u : 0u);
        if (after_401)
            EXPECT_EQ(response.body(), "no");
        else
            EXPECT_EQ(error, asio::error::operation_aborted);
        fields.clear();
    }
}

TEST_F(http_authorize, comes_after_the_probe)
{
    scripted_server server(
        {[](peer& client) {
             client.read_request();
             client.reset();
         },
         remembering({answer(201, "made")})});
    std::vector<std::string> order;
    auto probe = [&]() -> asio::awaitable<http::reconciliation<>> {
        order.emplace_back("probe");
        co_return http::reconciliation<>::not_carried_out();
    };
    auto source = [&](std::string) -> asio::awaitable<std::string> {
        order.emplace_back("source");
        co_return "Bearer a";
    };
    send(server, make_request(verb::post), quick(), http::authorize_with(source), http::reconcile_with(probe));
    EXPECT_EQ(response.body(), "made");
    EXPECT_EQ(order, (std::vector<std::string>{"source", "probe", "source"}));
}

TEST_F(http_authorize, is_destroyed_with_the_context_while_the_source_runs)
{
    auto own = std::make_unique<asio::io_context>();
    scripted_server server({remembering({answer(200)})});
    auto client = std::make_unique<http::client>(own->get_executor(), server.url(), tested_client_options());
    auto source = [&](std::string) -> asio::awaitable<std::string> {
        asio::steady_timer never(co_await asio::this_coro::executor, 1h);
        co_await never.async_wait(asio::use_awaitable);
        co_return "Bearer a";
    };
    client->async_send(make_request(verb::get), http::authorize_with(source), store());
    for (int i = 0; i != 100; ++i) own->poll_one();
    client.reset();  // which, as any I/O object, must not outlive its context
    own.reset();
    EXPECT_EQ(completions, 0);
}

}  // namespace
}  // namespace backbeat::test
