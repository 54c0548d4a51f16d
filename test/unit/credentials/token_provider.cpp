//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "credentials_fixture.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/json/serialize.hpp>

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace asio = boost::asio;
using namespace backbeat::memorystore;
using namespace backbeat::test;
using namespace std::chrono_literals;

// Gives the tokens 1, 2, ... when it is told to, and fails when it is told so.
class scripted_source {
public:
    explicit scripted_source(asio::io_context& context) : gate_(context, asio::steady_timer::time_point::max()) {}

    credentials make()
    {
        auto source = [this] { return next(); };
        return credentials::custom(source);
    }

    // Lets the running call, and those that follow, end.
    void open()
    {
        is_open_ = true;
        gate_.cancel();
    }

    void close() { is_open_ = false; }

    int calls = 0;
    bool fails = false;
    bool was_cancelled = false;
    bool repeats = false;
    std::chrono::seconds life = 3600s;
    std::chrono::system_clock::time_point const* now = nullptr;

private:
    asio::awaitable<access_token> next()
    {
        auto const number = ++calls;
        while (!is_open_) {
            auto waiting = gate_.async_wait(asio::as_tuple(asio::use_awaitable));
            co_await std::move(waiting);
            auto const state = co_await asio::this_coro::cancellation_state;
            was_cancelled = state.cancelled() != asio::cancellation_type::none;
            if (was_cancelled) throw std::runtime_error("cancelled");
        }
        if (fails) throw std::runtime_error("no token today");
        co_return access_token(repeats ? "same" : std::to_string(number), *now + life);
    }

    asio::steady_timer gate_;
    bool is_open_ = true;
};

class TokenProvider : public CredentialsTest {
protected:
    TokenProvider() { source.now = &now; }

    // Runs what is ready, and what follows from it.
    void run_ready()
    {
        context.restart();
        context.poll();
    }

    // Asks for a token; says when it came.
    struct waiter {
        bool ended = false;
        token_outcome outcome;
    };

    auto into(waiter& to)
    {
        return [&to](std::exception_ptr failure, access_token token) {
            EXPECT_FALSE(to.ended);
            to.ended = true;
            to.outcome = {std::move(failure), std::move(token)};
        };
    }

    scripted_source source{context};
};

std::string text_of(std::exception_ptr const& failure)
{
    try {
        if (failure) std::rethrow_exception(failure);
    } catch (std::exception const& problem) {
        return problem.what();
    }
    return "none";
}

TEST_F(TokenProvider, a_token_is_fetched_once)
{
    auto tokens = provider(source.make());
    EXPECT_EQ(tokens.describe(), "a custom source");
    EXPECT_FALSE(tokens.cached_token());
    EXPECT_EQ(source.calls, 0);
    EXPECT_EQ(get(tokens).token.value, "1");
    EXPECT_EQ(get(tokens).token.value, "1");
    auto copy = tokens;
    EXPECT_EQ(get(copy).token.value, "1");
    EXPECT_EQ(tokens.cached_token(), access_token("1", now + 1h));
    EXPECT_EQ(source.calls, 1);
}

TEST_F(TokenProvider, a_token_is_refreshed_ahead_while_the_old_one_is_given)
{
    auto tokens = provider(source.make());
    EXPECT_EQ(get(tokens).token.value, "1");
    now += 1h - 226s;
    EXPECT_EQ(get(tokens).token.value, "1");
    run_ready();
    EXPECT_EQ(source.calls, 1);
    now += 1s;
    EXPECT_EQ(get(tokens).token.value, "1");
    run_ready();
    EXPECT_EQ(source.calls, 2);
    EXPECT_EQ(get(tokens).token.value, "2");
}

TEST_F(TokenProvider, asking_for_the_cached_token_refreshes_it_too)
{
    auto tokens = provider(source.make());
    EXPECT_EQ(get(tokens).token.value, "1");
    now += 1h - 100s;
    EXPECT_EQ(tokens.cached_token()->value, "1");
    run_ready();
    EXPECT_EQ(tokens.cached_token()->value, "2");
    now += 1h;
    EXPECT_FALSE(tokens.cached_token());
    run_ready();
    EXPECT_EQ(source.calls, 2);
}

TEST_F(TokenProvider, the_old_token_is_given_while_it_is_good_though_refreshes_fail)
{
    auto tokens = provider(source.make());
    EXPECT_EQ(get(tokens).token.value, "1");
    source.fails = true;
    now += 1h - 225s;
    for (int i = 0; i != 5; ++i) {
        EXPECT_EQ(get(tokens).token.value, "1");
        run_ready();
    }
    EXPECT_EQ(source.calls, 2) << "a refresh that failed is not repeated at once";
    now += 10s;
    EXPECT_EQ(get(tokens).token.value, "1");
    run_ready();
    EXPECT_EQ(source.calls, 3);
    now += 215s;
    EXPECT_EQ(text_of(get(tokens).failure), "no token today");
    source.fails = false;
    EXPECT_EQ(get(tokens).token.value, "5");
}

TEST_F(TokenProvider, a_short_life_is_half_used)
{
    source.life = 100s;
    auto tokens = provider(source.make());
    EXPECT_EQ(get(tokens).token.value, "1");
    now += 49s;
    EXPECT_EQ(get(tokens).token.value, "1");
    run_ready();
    EXPECT_EQ(source.calls, 1);
    now += 1s;
    EXPECT_EQ(get(tokens).token.value, "1");
    run_ready();
    EXPECT_EQ(get(tokens).token.value, "2");
}

TEST_F(TokenProvider, a_token_that_is_good_no_more_is_given_to_those_who_waited_for_it)
{
    source.life = 0s;
    auto tokens = provider(source.make());
    EXPECT_EQ(get(tokens).token.value, "1");
    EXPECT_EQ(get(tokens).token.value, "2");
}

TEST_F(TokenProvider, a_thousand_wait_for_one_refresh)
{
    auto tokens = provider(source.make());
    EXPECT_EQ(get(tokens).token.value, "1");
    now += 2h;
    source.close();
    std::vector<waiter> waiters(1000);
    for (auto& each : waiters) tokens.async_get_token(into(each));
    run_ready();
    EXPECT_EQ(source.calls, 2);
    for (auto const& each : waiters) EXPECT_FALSE(each.ended);
    source.open();
    run_ready();
    for (auto const& each : waiters) {
        ASSERT_TRUE(each.ended);
        EXPECT_EQ(each.outcome.token.value, "2");
    }
    EXPECT_EQ(source.calls, 2);
}

TEST_F(TokenProvider, a_thousand_requests_cause_one_refresh_at_the_token_endpoint)
{
    give("ya29.old", 3600);
    give("ya29.new", 3600);
    auto tokens = provider(credentials::from_json(boost::json::serialize(authorized_user_key())));
    EXPECT_EQ(get(tokens).token.value, "ya29.old");
    now += 2h;
    std::vector<waiter> waiters(1000);
    for (auto& each : waiters) tokens.async_get_token(into(each));
    context.restart();
    while (!waiters.back().ended) ASSERT_NE(context.run_one_for(10s), 0U);
    run_ready();
    for (auto const& each : waiters) EXPECT_EQ(each.outcome.token.value, "ya29.new");
    EXPECT_EQ(server.requests.size(), 2U);
}

TEST_F(TokenProvider, they_fail_together)
{
    source.fails = true;
    source.close();
    auto tokens = provider(source.make());
    std::vector<waiter> waiters(10);
    for (auto& each : waiters) tokens.async_get_token(into(each));
    source.open();
    run_ready();
    for (auto const& each : waiters) EXPECT_EQ(text_of(each.outcome.failure), "no token today");
    EXPECT_EQ(source.calls, 1);
    source.fails = false;
    EXPECT_EQ(get(tokens).token.value, "2") << "a failure is not kept";
}

TEST_F(TokenProvider, a_thousand_rejections_cause_one_refresh)
{
    auto tokens = provider(source.make());
    auto const old = get(tokens).token;
    source.close();
    std::vector<waiter> waiters(1000);
    for (std::size_t i = 0; i != 500; ++i) tokens.async_refresh_token(old, into(waiters[i]));
    run_ready();
    waiter other;
    tokens.async_get_token(into(other));
    run_ready();
    EXPECT_FALSE(other.ended) << "a rejected token is given to nobody";
    source.open();
    run_ready();
    // Those whose answers came later.
    for (std::size_t i = 500; i != 1000; ++i) tokens.async_refresh_token(old, into(waiters[i]));
    run_ready();
    for (auto const& each : waiters) EXPECT_EQ(each.outcome.token.value, "2");
    EXPECT_EQ(other.outcome.token.value, "2");
    EXPECT_EQ(source.calls, 2);
}

TEST_F(TokenProvider, a_rejected_token_that_comes_again_is_not_asked_for_without_end)
{
    source.repeats = true;
    auto tokens = provider(source.make());
    auto const old = get(tokens).token;
    for (int i = 0; i != 10; ++i) {
        auto const got = refresh(tokens, old);
        ASSERT_FALSE(got.failure);
        EXPECT_EQ(got.token.value, "same");
    }
    EXPECT_EQ(source.calls, 2);
    now += 10s;
    EXPECT_EQ(refresh(tokens, old).token.value, "same");
    EXPECT_EQ(source.calls, 3);
}

TEST_F(TokenProvider, a_rejected_token_is_not_given_again_if_there_is_no_other)
{
    auto tokens = provider(source.make());
    auto const old = get(tokens).token;
    source.fails = true;
    EXPECT_EQ(text_of(refresh(tokens, old).failure), "no token today");
    EXPECT_EQ(text_of(get(tokens).failure), "no token today");
    EXPECT_FALSE(tokens.cached_token());
}

TEST_F(TokenProvider, each_waiter_can_be_cancelled_and_the_refresh_goes_on)
{
    for (auto const type :
         {asio::cancellation_type::terminal, asio::cancellation_type::partial, asio::cancellation_type::total}) {
        auto tokens = provider(source.make());
        source.calls = 0;
        source.close();
        asio::cancellation_signal first_signal;
        asio::cancellation_signal second_signal;
        waiter first;
        waiter second;
        tokens.async_get_token(asio::bind_cancellation_slot(first_signal.slot(), into(first)));
        tokens.async_get_token(asio::bind_cancellation_slot(second_signal.slot(), into(second)));
        run_ready();
        first_signal.emit(type);
        run_ready();
        ASSERT_TRUE(first.ended);
        EXPECT_EQ(first.outcome.problem().code(), asio::error::operation_aborted);
        EXPECT_FALSE(second.ended);
        second_signal.emit(type);
        run_ready();
        ASSERT_TRUE(second.ended);
        source.open();
        run_ready();
        EXPECT_FALSE(source.was_cancelled);
        EXPECT_EQ(tokens.cached_token(), access_token("1", now + 1h));
    }
}

TEST_F(TokenProvider, destroying_the_last_copy_ends_the_waits_and_the_refresh)
{
    std::optional<token_provider> tokens = provider(source.make());
    source.close();
    waiter waiting;
    tokens->async_get_token(into(waiting));
    run_ready();
    EXPECT_EQ(source.calls, 1);
    std::optional<token_provider> copy = tokens;
    tokens.reset();
    run_ready();
    EXPECT_FALSE(waiting.ended);
    copy.reset();
    EXPECT_FALSE(waiting.ended) << "not called from inside the destructor";
    run_ready();
    ASSERT_TRUE(waiting.ended);
    EXPECT_EQ(waiting.outcome.problem().code(), asio::error::operation_aborted);
    EXPECT_TRUE(source.was_cancelled);
    server.close();
    run_ready();
    EXPECT_TRUE(context.stopped()) << "nothing is left to be done";
}

TEST_F(TokenProvider, destroying_it_ends_a_request_that_hangs)
{
    server.hang();
    std::optional<token_provider> tokens =
        provider(credentials::from_json(boost::json::serialize(authorized_user_key())));
    waiter waiting;
    tokens->async_get_token(into(waiting));
    context.restart();
    while (server.requests.empty()) ASSERT_NE(context.run_one_for(10s), 0U);
    tokens.reset();
    server.close();
    context.run_for(10s);
    ASSERT_TRUE(waiting.ended);
    EXPECT_EQ(waiting.outcome.problem().code(), asio::error::operation_aborted);
}

TEST_F(TokenProvider, a_waiter_that_holds_the_provider_is_no_leak)
{
    std::weak_ptr<int> alive;
    {
        asio::io_context other;
        scripted_source waiting(other);
        waiting.close();
        waiting.now = &now;
        token_provider tokens(other.get_executor(), waiting.make(), options);
        auto const guard = std::make_shared<int>();
        alive = guard;
        tokens.async_get_token([tokens, guard](std::exception_ptr, access_token) { FAIL(); });
        other.poll();
        EXPECT_EQ(waiting.calls, 1);
    }
    EXPECT_TRUE(alive.expired());
}

TEST_F(TokenProvider, a_request_that_runs_when_the_context_ends_is_no_leak)
{
    std::weak_ptr<int> alive;
    {
        asio::io_context other;
        scripted_server silent(other);
        silent.hang();
        auto key = authorized_user_key();
        key["token_uri"] = silent.url() + "/token";
        auto const guard = std::make_shared<int>();
        alive = guard;
        {
            token_provider tokens(other.get_executor(), credentials::from_json(boost::json::serialize(key)), options);
            tokens.async_get_token([tokens, guard](std::exception_ptr, access_token) { FAIL(); });
        }
        while (silent.requests.empty()) ASSERT_NE(other.run_one_for(10s), 0U);
    }
    EXPECT_TRUE(alive.expired());
}

TEST_F(TokenProvider, handlers_are_called_where_they_belong)
{
    auto tokens = provider(source.make());
    asio::io_context other;
    bool called = false;
    auto const handler = [&](std::exception_ptr, access_token) {
        EXPECT_TRUE(other.get_executor().running_in_this_thread());
        called = true;
    };
    for (int i = 0; i != 2; ++i) {  // waiting, and at once
        called = false;
        tokens.async_get_token(asio::bind_executor(other.get_executor(), handler));
        run_ready();
        EXPECT_FALSE(called);
        other.restart();
        other.poll();
        EXPECT_TRUE(called);
    }
}

TEST_F(TokenProvider, what_a_source_gives_must_be_a_token)
{
    auto const bad = [this](std::string value) {
        auto const make = [value]() -> asio::awaitable<access_token> { co_return access_token(value); };
        return get(credentials::custom(make)).problem();
    };
    EXPECT_EQ(bad("very secret\r\n").code(), errc::malformed_response);
    EXPECT_EQ(bad("").code(), errc::malformed_response);
    EXPECT_EQ(std::string(bad("very secret").what()).find("very"), std::string::npos);
}

TEST_F(TokenProvider, a_token_without_an_end_is_kept)
{
    auto const make = []() -> asio::awaitable<access_token> { co_return access_token("t"); };
    auto tokens = provider(credentials::custom(make, "mine"));
    EXPECT_EQ(tokens.describe(), "mine");
    EXPECT_EQ(get(tokens).token.value, "t");
    now += 24h * 1000;
    EXPECT_EQ(tokens.cached_token(), access_token("t"));
}

TEST_F(TokenProvider, coroutines_and_futures_wait_as_well)
{
    auto tokens = provider(source.make());
    auto future = tokens.async_get_token(asio::use_future);
    std::string awaited;
    auto coroutine = [&]() -> asio::awaitable<void> {
        auto token = co_await tokens.async_get_token();
        auto const other = co_await tokens.async_refresh_token(token);
        awaited = token.value + other.value;
    };
    asio::co_spawn(context, coroutine(), asio::detached);
    run_ready();
    EXPECT_EQ(future.get().value, "1");
    EXPECT_EQ(awaited, "12");
}

TEST(TokenProviderThreads, share_one_token)
{
    asio::thread_pool pool(4);
    std::atomic<int> calls{0};
    std::atomic<std::int64_t> seconds{1'800'000'000};
    token_provider_options options;
    options.now = [&] { return std::chrono::system_clock::time_point(std::chrono::seconds(seconds.load())); };
    auto source = [&]() -> asio::awaitable<access_token> {
        auto const number = ++calls;
        co_return access_token(std::to_string(number), options.now() + 1000s);
    };
    token_provider tokens(pool.get_executor(), credentials::custom(source), options);
    std::atomic<int> ended{0};
    std::vector<std::thread> threads;
    for (int t = 0; t != 4; ++t)
        threads.emplace_back([&, tokens]() mutable {
            for (int i = 0; i != 500; ++i) {
                auto count = [&](std::exception_ptr failure, access_token token) {
                    EXPECT_FALSE(failure);
                    EXPECT_NE(token.value, "");
                    ++ended;
                };
                if (i % 50 == 7)
                    tokens.async_refresh_token(tokens.cached_token().value_or(access_token()), count);
                else
                    tokens.async_get_token(count);
                if (i % 100 == 99) seconds += 900;
            }
        });
    for (auto& each : threads) each.join();
    pool.join();
    EXPECT_EQ(ended, 2000);
    EXPECT_GE(calls, 1);
}

}  // namespace
