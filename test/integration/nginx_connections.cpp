//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "nginx_fixture.hpp"

#include <boost/asio/steady_timer.hpp>

#include <set>

namespace backbeat::test {
namespace {

using http::verb;

// The number of the connection is the body.
constexpr auto which_connection = "location / { return 200 $connection; }";

class nginx_connections : public nginx_over {};

BACKBEAT_OVER_EACH_TRANSPORT(nginx_connections);

TEST_P(nginx_connections, no_connection_is_used_more_often_than_nginx_says)
{
    nginx server(options_of("keepalive_requests 3;" + over_each_transport(which_connection)));
    auto client = make(url_of(server, GetParam()));
    std::vector<std::string> used;
    for (int i = 0; i != 30; ++i) {
        // A POST would show a use too many, which is not repeated.
        call sent(make_request(i % 2 == 0 ? verb::get : verb::post, "/" + std::to_string(i)));
        send(client, sent);
        ASSERT_FALSE(sent.error) << sent.error.message();
        EXPECT_EQ(sent.status(), 200u);
        EXPECT_EQ(client.idle_connections(), i % 3 == 2 ? 0u : 1u);
        used.push_back(sent.response.body());
    }
    for (std::size_t i = 0; i != used.size(); ++i) EXPECT_EQ(used[i], used[i - i % 3]) << i;
    EXPECT_EQ((std::set<std::string>(used.begin(), used.end()).size()), 10u);
    auto const log = server.access_log(30);
    ASSERT_EQ(log.size(), 30u);
    for (int i = 0; i != 30; ++i)
        EXPECT_EQ(count(log, (i % 2 == 0 ? "200 GET /" : "200 POST /") + std::to_string(i)), 1u) << i;
    expect_no_leftovers(client);
}

TEST_P(nginx_connections, connections_that_nginx_closes_at_rest_fail_no_request)
{
    // Requests set out at about the time when nginx gives the connection up: before it, after it, and on its way.
    nginx server(options_of("keepalive_timeout 2ms;" + over_each_transport(which_connection)));
    auto client = make(url_of(server, GetParam()));
    boost::asio::steady_timer timer(context);
    std::set<std::string> used;
    std::size_t requests = 0;
    auto const end = std::chrono::steady_clock::now() + 10 * patience;
    while (used.size() < 50 || requests < 200) {
        ASSERT_LT(std::chrono::steady_clock::now(), end) << used.size() << " connections";
        call sent(make_request(verb::get, "/" + std::to_string(requests++)));
        send(client, sent);
        ASSERT_FALSE(sent.error) << sent.error.message();
        ASSERT_EQ(sent.status(), 200u);
        used.insert(sent.response.body());
        bool waited = false;
        timer.expires_after(std::chrono::microseconds(1900 + 20 * (requests % 20)));
        timer.async_wait([&waited](boost::system::error_code) { waited = true; });
        ASSERT_TRUE(run_until([&] { return waited; }));
    }
    auto const log = server.access_log(requests);
    ASSERT_EQ(log.size(), requests);
    for (std::size_t i = 0; i != requests; ++i) EXPECT_EQ(count(log, "200 GET /" + std::to_string(i)), 1u) << i;
    expect_no_leftovers(client);
}

TEST_P(nginx_connections, many_at_once_are_each_carried_out_once)
{
    nginx server(options_of("keepalive_requests 7;" + over_each_transport(which_connection)));
    auto settings = trusting();
    settings.maximum_connections = 8;
    http::client client(context.get_executor(), url_of(server, GetParam()), settings);
    std::vector<std::unique_ptr<call>> calls;
    for (int i = 0; i != 100; ++i) {
        calls.push_back(
            std::make_unique<call>(make_request(i % 2 == 0 ? verb::get : verb::post, "/" + std::to_string(i))));
        calls.back()->start(client);
    }
    ASSERT_TRUE(run_until(
        [&] { return std::all_of(calls.begin(), calls.end(), [](auto const& each) { return each->done(); }); }));
    for (auto const& each : calls) {
        EXPECT_FALSE(each->error) << each->error.message();
        EXPECT_EQ(each->status(), 200u);
        EXPECT_EQ(each->completions, 1);
    }
    auto log = server.access_log(100);
    std::sort(log.begin(), log.end());
    EXPECT_EQ(log.size(), 100u);
    EXPECT_EQ(std::adjacent_find(log.begin(), log.end()), log.end());
    expect_no_leftovers(client);
}

TEST_P(nginx_connections, after_a_restart_the_next_request_finds_the_new_one)
{
    nginx server(options_of(over_each_transport("location / { return 200 $pid; }")));
    auto client = make(url_of(server, GetParam()));
    std::string before;
    for (auto const how : {nginx_stop::quit, nginx_stop::terminate, nginx_stop::kill}) {
        call first("/first");
        send(client, first);
        ASSERT_EQ(first.status(), 200u) << first.error.message();
        EXPECT_EQ(client.idle_connections(), 1u);
        server.restart(how);
        // That nginx has closed the kept connection is seen before it is used: a POST, too, goes to the new one.
        call second(make_request(verb::post, "/second"));
        send(client, second);
        ASSERT_EQ(second.status(), 200u) << second.error.message();
        EXPECT_NE(first.response.body(), second.response.body());
    }
    server.stop();
    EXPECT_EQ(count(server.access_log(), "200 POST /second"), 3u);
    expect_no_leftovers(client);
}

TEST_P(nginx_connections, a_reload_fails_no_get)
{
    nginx server(options_of(over_each_transport("location / { return 200 $pid; }")));
    auto client = make(url_of(server, GetParam()));
    std::set<std::string> workers;
    for (int i = 0; i != 5; ++i) {
        server.reload();
        // The old worker may take some more, until it has heard of it.
        auto const before = workers.size();
        ASSERT_TRUE([&] {
            auto const end = std::chrono::steady_clock::now() + patience;
            while (workers.size() == before && std::chrono::steady_clock::now() < end) {
                call sent("/");
                send(client, sent);
                EXPECT_EQ(sent.status(), 200u) << sent.error.message();
                workers.insert(sent.response.body());
            }
            return workers.size() != before;
        }());
    }
    expect_no_leftovers(client);
}

TEST_P(nginx_connections, while_nginx_is_down_connections_are_refused_and_nothing_was_sent)
{
    nginx server(options_of(over_each_transport(which_connection)));
    auto client = make(url_of(server, GetParam()));
    server.stop();
    // Many, since a client that is given the server's port for its own end would be connected to itself.
    for (int i = 0; i != 200; ++i) {
        call refused(make_request(verb::post));
        send(client, refused);
        ASSERT_EQ(refused.error, boost::asio::error::connection_refused) << refused.error.message();
        ASSERT_EQ(refused.delivered(), delivery::not_sent);
    }
    sending_call sent(make_request(verb::post));
    sent.start(client, eager(unlimited_retries));
    ASSERT_TRUE(run_until([&] { return client.open_connections() == 0; }));
    server.start();
    run(sent);
    EXPECT_EQ(sent.status(), 200u) << sent.error.message();
    EXPECT_EQ(server.access_log(1), (std::vector<std::string>{"200 POST /"}));
    expect_no_leftovers(client);
}

}  // namespace
}  // namespace backbeat::test
