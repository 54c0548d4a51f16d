//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "nginx_fixture.hpp"

#include <backbeat/retry_observer.hpp>
#include <backbeat/stop_reason.hpp>

#include <boost/asio/ssl/error.hpp>
#include <boost/beast/http/error.hpp>

#include <functional>

namespace backbeat::test {
namespace {

using http::verb;

// Does something before the first retry.
class before_first_wait : public retry_observer {
public:
    explicit before_first_wait(std::function<void()> todo) : todo_(std::move(todo)) {}

    void before_wait(attempt_record const& ended) override
    {
        if (ended.number == 1) todo_();
    }

private:
    std::function<void()> todo_;
};

class nginx_failures : public nginx_over {
protected:
    // All requests share a rate. `return` alone would come before the limit.
    [[nodiscard]] static std::string limited_to(std::string const& rate, std::string const& status)
    {
        return "limit_req_zone all zone=all:1m rate=" + rate + ";"
            + over_each_transport(
                   "location / { limit_req zone=all; " + status
                   + " try_files /no-file @answer; }"
                     "location @answer { return 200; }");
    }
};

BACKBEAT_OVER_EACH_TRANSPORT(nginx_failures);

TEST_P(nginx_failures, requests_past_a_rate_are_rejected_or_in_doubt_as_their_status_says)
{
    struct limit {
        std::string status;
        unsigned expected;
        delivery delivered;
    };
    for (auto const& tried :
         {limit{"", 503, delivery::ambiguous}, limit{"limit_req_status 429;", 429, delivery::rejected}}) {
        nginx server(options_of(limited_to("1r/m", tried.status)));
        auto client = make(url_of(server, GetParam()));
        call passes(make_request(verb::post, "/first"));
        send(client, passes);
        EXPECT_EQ(passes.status(), 200u) << passes.error.message();
        EXPECT_EQ(passes.delivered(), delivery::responded);
        call limited(make_request(verb::post, "/second"));
        send(client, limited);
        EXPECT_EQ(limited.status(), tried.expected) << limited.error.message();
        EXPECT_EQ(limited.delivered(), tried.delivered);
        EXPECT_EQ(
            server.access_log(2),
            (std::vector<std::string>{"200 POST /first", std::to_string(tried.expected) + " POST /second"}));
        // An answer, and no reason to close.
        EXPECT_EQ(client.idle_connections(), 1u);
        expect_no_leftovers(client);
    }
}

TEST_P(nginx_failures, a_rejected_request_is_sent_until_it_is_through_whatever_its_method)
{
    // Without kept connections: the old worker closes its own at the reload, perhaps with a request on its way.
    std::string const no_longer = "keepalive_timeout 0; limit_req_status 429;";
    for (auto const method : {verb::get, verb::post}) {
        nginx server(options_of(limited_to("1r/m", no_longer)));
        auto client = make(url_of(server, GetParam()));
        call passes("/first");
        send(client, passes);
        ASSERT_EQ(passes.status(), 200u) << passes.error.message();

        before_first_wait observer([&] { server.reload(limited_to("1000r/s", no_longer)); });
        auto options = eager(unlimited_retries);
        options.observer = &observer;
        sending_call sent(make_request(method, "/second"));
        sent.start(client, options);
        run(sent);

        EXPECT_EQ(sent.status(), 200u) << sent.error.message();
        EXPECT_EQ(sent.report.reason(), stop_reason::success);
        EXPECT_GE(sent.report.attempts(), 2u);
        auto const records = sent.report.records();
        for (std::size_t i = 0; i + 1 < records.size(); ++i) {
            EXPECT_EQ(records[i].status, 429) << i << records[i].error.message();
            EXPECT_EQ(records[i].delivered, delivery::rejected) << i;
        }
        server.stop();
        EXPECT_EQ(
            count(server.access_log(), std::string("200 ") + (method == verb::get ? "GET" : "POST") + " /second"), 1u);
        expect_no_leftovers(client);
    }
}

TEST_P(nginx_failures, after_a_503_a_get_is_sent_again_and_a_post_is_not)
{
    nginx server(options_of(limited_to("1r/m", "")));
    auto client = make(url_of(server, GetParam()));
    call passes("/first");
    send(client, passes);
    ASSERT_EQ(passes.status(), 200u) << passes.error.message();

    sending_call post(make_request(verb::post, "/post"));
    post.start(client, eager(unlimited_retries));
    run(post);
    EXPECT_EQ(post.status(), 503u) << post.error.message();
    EXPECT_EQ(post.report.reason(), stop_reason::not_replayable);
    EXPECT_EQ(post.report.worst_delivery(), delivery::ambiguous);

    sending_call get(make_request(verb::get, "/get"));
    get.start(client, eager(3));
    run(get);
    EXPECT_EQ(get.status(), 503u) << get.error.message();
    EXPECT_EQ(get.report.reason(), stop_reason::exhausted);
    EXPECT_EQ(get.report.worst_delivery(), delivery::ambiguous);

    auto const log = server.access_log(6);
    EXPECT_EQ(count(log, "503 POST /post"), 1u);
    EXPECT_EQ(count(log, "503 GET /get"), 4u);
    EXPECT_EQ(log.size(), 6u);
    expect_no_leftovers(client);
}

TEST_P(nginx_failures, an_upstream_that_fails_is_told_by_the_gateway)
{
    struct upstream {
        std::string location;
        unsigned status;
    };
    hanging_port hanging;
    scripted_server closing({[](peer& p) { p.read_request(); }});
    scripted_server silent({[](peer& p) {
        p.read_request();
        p.wait_for_close();
    }});
    auto const refused = "http://127.0.0.1:" + std::to_string(refused_port());
    auto const pass = [](std::string const& url) { return "location / { proxy_pass " + url + "; "; };
    for (auto const& tried :
         {upstream{pass(refused) + "}", 502},
          upstream{pass(closing.url()) + "}", 502},
          upstream{pass(hanging.url()) + "proxy_connect_timeout 20ms; }", 504},
          upstream{pass(silent.url()) + "proxy_read_timeout 20ms; }", 504}}) {
        nginx server(options_of(over_each_transport(tried.location)));
        auto client = make(url_of(server, GetParam()));
        sending_call get(make_request(verb::get, "/get"));
        get.start(client, eager(2));
        sending_call post(make_request(verb::post, "/post", "body"));
        post.start(client, eager(2));
        run(get, post);
        EXPECT_EQ(get.status(), tried.status) << tried.location << get.error.message();
        EXPECT_EQ(get.report.reason(), stop_reason::exhausted);
        EXPECT_EQ(get.report.worst_delivery(), delivery::ambiguous);
        EXPECT_EQ(post.status(), tried.status) << tried.location << post.error.message();
        EXPECT_EQ(post.report.reason(), stop_reason::not_replayable);
        EXPECT_EQ(post.report.worst_delivery(), delivery::ambiguous);
        auto const log = server.access_log(4);
        EXPECT_EQ(count(log, std::to_string(tried.status) + " GET /get"), 3u);
        EXPECT_EQ(count(log, std::to_string(tried.status) + " POST /post"), 1u);
        EXPECT_EQ(log.size(), 4u);
        expect_no_leftovers(client);
    }
}

TEST_P(nginx_failures, a_get_is_had_once_the_upstream_is_back)
{
    auto const through = [](std::string const& port) {
        return "server { listen 127.0.0.1:@port4@; access_log off; location / { return 200 upstream; } }"
            + over_each_transport("location / { proxy_pass http://127.0.0.1:" + port + "; }");
    };
    nginx server(options_of(through(std::to_string(refused_port()))));
    auto client = make(url_of(server, GetParam()));
    before_first_wait observer([&] { server.reload(through("@port4@")); });
    auto options = eager(unlimited_retries);
    options.observer = &observer;
    sending_call get(make_request(verb::get, "/get"));
    get.start(client, options);
    run(get);
    EXPECT_EQ(get.status(), 200u) << get.error.message();
    EXPECT_EQ(get.response.body(), "upstream");
    EXPECT_EQ(get.report.worst_delivery(), delivery::ambiguous);
    expect_no_leftovers(client);
}

TEST_P(nginx_failures, a_request_that_nginx_hangs_up_on_is_in_doubt_and_a_post_is_sent_once)
{
    nginx server(options_of(over_each_transport("location / { return 200; }"
                                                "location /gone { return 444; }")));
    auto client = make(url_of(server, GetParam()));
    std::size_t lines = 0;
    // On a connection that was kept, and then on a fresh one.
    for (bool const kept : {true, false}) {
        for (auto const method : {verb::get, verb::post}) {
            if (kept) {
                call before("/");
                send(client, before);
                ASSERT_EQ(before.status(), 200u) << before.error.message();
                ++lines;
            }
            ASSERT_EQ(client.idle_connections(), kept ? 1u : 0u);
            auto const* const target = kept ? "/gone/kept" : "/gone/fresh";
            call gone(make_request(method, target));
            send(client, gone);
            // Over TLS nginx leaves out the alert that says that this is the end.
            auto const expected_error = GetParam() == transport::tcp
                ? make_error_code(boost::beast::http::error::end_of_stream)
                : make_error_code(boost::asio::ssl::error::stream_truncated);
            EXPECT_EQ(gone.error, expected_error) << gone.error.message();
            EXPECT_EQ(gone.delivered(), delivery::ambiguous);
            EXPECT_EQ(gone.completions, 1);
            // It might have been an idle connection's end. So a GET is sent once more, on a fresh one.
            std::size_t const expected = kept && method == verb::get ? 2 : 1;
            lines += expected;
            auto const log = server.access_log(lines);
            EXPECT_EQ(log.size(), lines);
            EXPECT_EQ(count(log, std::string("444 ") + (method == verb::get ? "GET " : "POST ") + target), expected);
        }
    }
    sending_call post(make_request(verb::post, "/gone/sent"));
    post.start(client, eager(3));
    sending_call get(make_request(verb::get, "/gone/sent"));
    get.start(client, eager(3));
    run(post, get);
    EXPECT_EQ(post.report.reason(), stop_reason::not_replayable);
    EXPECT_EQ(post.report.worst_delivery(), delivery::ambiguous);
    EXPECT_EQ(get.report.reason(), stop_reason::exhausted);
    auto const log = server.access_log(lines + 5);
    EXPECT_EQ(log.size(), lines + 5);
    EXPECT_EQ(count(log, "444 POST /gone/sent"), 1u);
    EXPECT_EQ(count(log, "444 GET /gone/sent"), 4u);
    expect_no_leftovers(client);
}

}  // namespace
}  // namespace backbeat::test
