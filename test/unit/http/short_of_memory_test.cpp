//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Each allocation of a request fails once, whoever makes it. Whatever happens then, the handler is called at most once,
// nothing leaks, and once the client is gone nothing is left of it. An Asio strand that finds no memory to be run stays
// locked with what it was given, so on a strand of the client's own that may last until the context is destroyed.

#include "client_fixture.hpp"
#include "failing_allocation.hpp"
#include "scripted_server.hpp"
#include "test_certificate.hpp"

#include <backbeat/http/client.hpp>
#include <backbeat/report_to.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace backbeat::test {
namespace {

using namespace std::chrono_literals;
using boost::system::error_code;
using http::strand_kind;
using http::verb;
namespace asio = boost::asio;

struct surroundings {
    asio::io_context context{1};
    asio::cancellation_signal signal;
    retry_report report;
    attempt first{1};
    http::request message = make_request(verb::get);
    int completions = 0;
    error_code error;
    unsigned status = 0;

    // Until the condition holds. False: patience ran out, or nothing is left to be run.
    template <class Condition>
    bool run_until(Condition condition)
    {
        auto const end = std::chrono::steady_clock::now() + patience;
        context.restart();
        while (!condition() && std::chrono::steady_clock::now() < end && context.run_one_for(patience) != 0) {}
        return condition();
    }
};

struct setting {
    char const* name;
    strand_kind strand;
    bool tls;
    char const* host;
};

// Not TLS on a strand of the client's own: Asio ends the program if a strand that has more to run cannot be posted.
constexpr setting settings[] = {
    {"strand", strand_kind::explicit_strand, false, "127.0.0.1"},
    {"implicit_strand", strand_kind::implicit_strand, false, "127.0.0.1"},
    {"name", strand_kind::implicit_strand, false, "localhost"},
    {"tls", strand_kind::implicit_strand, true, "127.0.0.1"}};

class http_short_of_memory : public testing::TestWithParam<setting> {
protected:
    // `start(around, client, handler)` is to end with this status if no allocation fails.
    template <class Start>
    void fail_each_allocation(unsigned status, Start start)
    {
        for (long n = 0; !HasFailure(); ++n) {
            SCOPED_TRACE(n);
            ASSERT_LT(n, 2000);
            auto owned = std::make_shared<int>(1);
            std::weak_ptr<int> const watched = owned;
            bool failed = false;
            {
                surroundings around;
                std::optional<http::client> client(
                    std::in_place, around.context.get_executor(), server->url(GetParam().host), options);
                auto handler = [&around, owned = std::move(owned)](error_code error, http::response const& response) {
                    ++around.completions;
                    around.error = error;
                    around.status = response.result_int();
                };
                if (connections != 0) {
                    bool is_warm = false;
                    client->async_warm_up(connections, [&is_warm](error_code, std::size_t) { is_warm = true; });
                    ASSERT_TRUE(around.run_until([&] { return is_warm; }));
                }
                bool threw_at_once = false;
                bool threw = false;
                std::optional<failing_allocation> failing(n);
                try {
                    start(around, *client, std::move(handler));
                } catch (std::bad_alloc const&) {
                    threw_at_once = true;
                }
                try {
                    if (!threw_at_once) around.run_until([&] { return around.completions != 0; });
                } catch (std::bad_alloc const&) {
                    threw = true;
                }
                failed = failing->has_failed();
                failing.reset();
                auto const is_told = threw_at_once || threw;
                if (options.strand == strand_kind::implicit_strand || !is_told) {
                    EXPECT_TRUE(around.run_until([&] { return watched.expired(); })) << "the handler is kept";
                    EXPECT_EQ(client->open_connections(), client->idle_connections());
                    client.reset();
                    around.run_until([] { return false; });
                    EXPECT_TRUE(around.context.stopped()) << "something is left in the context";
                } else {
                    client.reset();
                }
                EXPECT_LE(around.completions, threw_at_once ? 0 : 1);
                EXPECT_GE(around.completions, is_told ? 0 : 1);
                if (!failed) {
                    EXPECT_EQ(around.error, error_code());
                    EXPECT_EQ(around.status, status);
                    EXPECT_GT(n, 10);
                }
            }
            EXPECT_TRUE(watched.expired()) << "the handler leaks";
            if (!failed) return;
        }
    }

    void serve(std::vector<std::string> answers)
    {
        std::vector<script> scripts{answering(std::move(answers))};
        if (GetParam().tls)
            server.emplace(std::move(scripts), certificate);
        else
            server.emplace(std::move(scripts));
    }

    http_short_of_memory()
    {
        options.strand = GetParam().strand;
        // Whatever fails, a time limit that was set holds.
        options.connect_timeout = 1s;
        options.ca_certificate = certificate.authority;
        serve({answer(503), answer(200, "done")});
    }

    test_certificate certificate = make_test_certificate("IP:127.0.0.1");
    std::optional<scripted_server> server;
    http::client_options options;
    std::size_t connections = 0;  // that there are before
};

TEST_P(http_short_of_memory, an_attempt_leaks_nothing)
{
    fail_each_allocation(503, [](surroundings& around, http::client& client, auto handler) {
        client.async_request(around.first, around.message, http::idempotency::safe, std::move(handler));
    });
}

TEST_P(http_short_of_memory, a_request_that_is_retried_leaks_nothing)
{
    fail_each_allocation(200, [](surroundings&, http::client& client, auto handler) {
        client.async_send(make_request(verb::get), quick(), std::move(handler));
    });
}

// As many as a deque of pointers takes before it allocates once more.
TEST_P(http_short_of_memory, a_connection_that_is_given_back_leaves_no_place_taken)
{
    options.maximum_connections = connections = 64;
    fail_each_allocation(503, [](surroundings& around, http::client& client, auto handler) {
        client.async_request(around.first, around.message, http::idempotency::safe, std::move(handler));
    });
}

TEST_P(http_short_of_memory, a_request_with_limits_a_report_and_a_slot_leaks_nothing)
{
    options.attempt_timeout = 1h;
    options.queue_timeout = 1h;
    auto limited = quick();
    limited.attempt_timeout = 1h;
    limited.total_timeout = 1h;
    fail_each_allocation(200, [&](surroundings& around, http::client& client, auto handler) {
        client.async_send(
            make_request(verb::get),
            limited,
            report_to(around.report),
            asio::bind_cancellation_slot(around.signal.slot(), std::move(handler)));
    });
}

// Completes after a trip through the context.
template <class Result, class Token>
auto complete_with(asio::io_context& context, Result result, Token&& token)
{
    return asio::async_initiate<Token, void(error_code, Result)>(
        [&context](auto handler, Result given) {
            asio::post(context, [handler = std::move(handler), given = std::move(given)]() mutable {
                std::move(handler)(error_code(), std::move(given));
            });
        },
        token,
        std::move(result));
}

TEST_P(http_short_of_memory, a_source_of_the_authorization_leaks_nothing)
{
    serve({answer(401), answer(503), answer(200, "done")});
    // Without a limit, no timer owns the operation beside it.
    for (auto const limit : {0s, 3600s}) {
        options.attempt_timeout = limit;
        fail_each_allocation(200, [](surroundings& around, http::client& client, auto handler) {
            auto source = [&around](std::string const& rejected, auto&& token) {
                return complete_with(
                    around.context,
                    "Bearer of something too long to be kept in a string" + rejected,
                    std::forward<decltype(token)>(token));
            };
            client.async_send(make_request(verb::get), quick(), http::authorize_with(source), std::move(handler));
        });
    }
}

TEST_P(http_short_of_memory, a_probe_leaks_nothing)
{
    options.attempt_timeout = 1h;
    fail_each_allocation(200, [](surroundings& around, http::client& client, auto handler) {
        auto probe = [&around](auto&& token) {
            return complete_with(
                around.context, http::reconciliation<>::not_carried_out(), std::forward<decltype(token)>(token));
        };
        client.async_send(
            make_request(verb::post, "/", "x"),
            http::idempotency::reconcilable,
            quick(),
            http::reconcile_with(probe),
            std::move(handler));
    });
}

INSTANTIATE_TEST_SUITE_P(over, http_short_of_memory, testing::ValuesIn(settings), [](auto const& info) {
    return std::string(info.param.name);
});

}  // namespace
}  // namespace backbeat::test
