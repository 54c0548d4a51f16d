//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "client_fixture.hpp"
#include "stuck_listener.hpp"
#include "system_calls.hpp"

#include <backbeat/http/client.hpp>
#include <backbeat/retry_errc.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/execution/blocking.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/beast/http/error.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <deque>
#include <functional>
#include <future>
#include <stdexcept>
#include <thread>

namespace backbeat::test {
namespace {

using namespace std::chrono_literals;
using http::verb;
namespace asio = boost::asio;
namespace beast_http = boost::beast::http;

class http_client : public client_fixture {
protected:
    http::client make(std::string const& url, http::client_options options = tested_client_options())
    {
        return {context.get_executor(), url, std::move(options)};
    }

    http::client make(scripted_server const& server, http::client_options options = tested_client_options())
    {
        return make(server.url(), std::move(options));
    }
};

std::string refusal(std::string const& url)
{
    asio::io_context context;
    try {
        http::client const client(context.get_executor(), url);
    } catch (std::invalid_argument const& refused) {
        return refused.what();
    }
    return {};
}

TEST_F(http_client, takes_the_url_of_an_origin)
{
    for (auto const* url :
         {"http://localhost",
          "https://localhost",
          "HTTP://localhost:8080",
          "http://localhost/",
          "http://127.0.0.1:1",
          "http://[::1]:65535",
          "https://redis.googleapis.com",
          "http://a_b-c.example:"})
        EXPECT_EQ(refusal(url), "") << url;
    std::pair<char const*, char const*> const wrong[] = {
        {"", "is empty"},
        {"localhost", "has no scheme"},
        {"localhost:8080", "has the scheme 'localhost'"},
        {"ftp://localhost", "has the scheme 'ftp'"},
        {"http:", "has no host"},
        {"http://", "has no host"},
        {"http://:80", "has no host"},
        {"http://me:secret@localhost", "has a user name"},
        {"http://localhost/v1", "has a path"},
        {"http://localhost?a=b", "has a query"},
        {"http://localhost#top", "has a fragment"},
        {"http://localhost:0", "has a port"},
        {"http://localhost:65536", "has a port"},
        {"http://localhost:65617", "has a port"},
        {"http://localhost:99999999999999999999", "has a port"},
        {"http://localhost:99999999999999999999", "has a port"},
        {"http://localhost:80a", "is malformed"},
        {"http://local host", "is malformed"},
        {"http://[::1", "is malformed"},
        {"http://[v1.x]", "of an unknown kind"},
        {"http://local%0d%0ahost", "characters other than"},
    };
    for (auto const& [url, why] : wrong)
        EXPECT_NE(refusal(url).find(why), std::string::npos) << url << ": " << refusal(url);
}

TEST_F(http_client, refuses_options_that_contradict_themselves)
{
    auto const refused = [this](auto change) {
        http::client_options options = tested_client_options();
        change(options);
        EXPECT_THROW(make("http://localhost", options), std::invalid_argument);
    };
    refused([](auto& o) { o.connect_timeout = -1s; });
    refused([](auto& o) { o.connection_attempt_delay = -1ns; });
    refused([](auto& o) { o.attempt_timeout = -1s; });
    refused([](auto& o) { o.idle_timeout = -1s; });
    refused([](auto& o) { o.maximum_connections = 0; });
    refused([](auto& o) { o.strand = static_cast<http::strand_kind>(2); });
    refused([](auto& o) { o.strand = static_cast<http::strand_kind>(-1); });
    refused([](auto& o) { o.header_limit = 0; });
    refused([](auto& o) { o.user_agent = "a\r\nb: c"; });
}

TEST_F(http_client, sends_a_request_and_gets_the_response)
{
    std::promise<std::string> seen;
    scripted_server server({[&](peer& client) {
        seen.set_value(client.read_request());
        client.write(answer(200, "hello", "X-Mine: 1\r\n"));
        client.wait_for_close();
    }});
    auto client = make(server);
    auto message = make_request(verb::post, "/a?b=c", "body");
    message.set("X-Yours", "2");
    message.set(http::field::content_length, "999");
    call sent(std::move(message));
    send(client, sent);
    EXPECT_EQ(sent.error, boost::system::error_code());
    EXPECT_EQ(sent.status(), 200u);
    EXPECT_EQ(sent.response.body(), "hello");
    EXPECT_EQ(sent.response["x-mine"], "1");
    EXPECT_EQ(sent.delivered(), delivery::responded);
    EXPECT_EQ(
        seen.get_future().get(),
        "POST /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port())
            + "\r\nUser-Agent: backbeat/0.1\r\nX-Yours: 2\r\nContent-Length: 4\r\n\r\nbody");
    expect_no_leftovers(client);
}

TEST_F(http_client, keeps_connections)
{
    scripted_server server({answering({answer(200, "a"), answer(404, "b"), answer(503, "c"), answer(204)})});
    auto client = make(server);
    for (auto const status : {200u, 404u, 503u, 204u}) {
        call sent("/");
        EXPECT_EQ(send(client, sent).status(), status);
    }
    EXPECT_EQ(server.accepted(), 1);
    EXPECT_EQ(client.open_connections(), 1u);
    EXPECT_EQ(client.idle_connections(), 1u);
}

TEST_F(http_client, tells_deliveries_of_responses)
{
    scripted_server server({answering({answer(200), answer(404), answer(429), answer(500), answer(503)})});
    auto client = make(server);
    for (auto const expected :
         {delivery::responded, delivery::responded, delivery::rejected, delivery::ambiguous, delivery::ambiguous}) {
        call sent(make_request(verb::post));
        EXPECT_EQ(send(client, sent).delivered(), expected);
    }
}

// Answers after which the connection cannot be used again.
class http_client_unclean : public http_client, public ::testing::WithParamInterface<char const*> {};

TEST_P(http_client_unclean, does_not_keep_the_connection)
{
    scripted_server server({[](peer& client) {
        client.read_request();
        client.write(GetParam());
        client.close();
    }});
    auto client = make(server);
    for (int i = 1; i != 3; ++i) {
        call sent("/");
        send(client, sent);
        EXPECT_EQ(sent.error, boost::system::error_code());
        EXPECT_EQ(sent.response.body(), "text");
        EXPECT_EQ(server.accepted(), i);
        EXPECT_EQ(client.open_connections(), 0u);
    }
}

INSTANTIATE_TEST_SUITE_P(
    answers,
    http_client_unclean,
    ::testing::Values(
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\ntext",
        "HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\ntext",
        "HTTP/1.1 200 OK\r\n\r\ntext",
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntextmore",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ntext\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"));

TEST_F(http_client, reads_every_kind_of_framing_on_one_connection)
{
    scripted_server server({answering({
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nte\r\n2\r\nxt\r\n0\r\nTrailer: 1\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + answer(200, "final"),
        "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n",
        answer(200, "last"),
    })});
    auto client = make(server);
    std::pair<unsigned, char const*> const expected[] = {
        {200, "text"}, {200, "final"}, {204, ""}, {304, ""}, {200, "last"}};
    for (auto const& [status, body] : expected) {
        call sent("/");
        send(client, sent);
        EXPECT_EQ(sent.error, boost::system::error_code());
        EXPECT_EQ(sent.status(), status);
        EXPECT_EQ(sent.response.body(), body);
    }
    EXPECT_EQ(server.accepted(), 1);
}

TEST_F(http_client, reads_no_body_after_head)
{
    scripted_server server({answering(
        {"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n",
         "HTTP/1.1 200 OK\r\n\r\n",
         "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
         answer(200, "text")})});
    auto client = make(server);
    for (int i = 0; i != 3; ++i) {
        call head(make_request(verb::head));
        EXPECT_EQ(send(client, head).error, boost::system::error_code());
    }
    call get("/");
    EXPECT_EQ(send(client, get).response.body(), "text");
    EXPECT_EQ(server.accepted(), 1);
}

struct failure {
    char const* name;
    std::string bytes;  // what the server answers, before it closes the connection
    boost::system::error_code error;
};

void PrintTo(failure const& value, std::ostream* out)
{
    *out << value.name;
}

class http_client_failure : public http_client, public ::testing::WithParamInterface<failure> {};

TEST_P(http_client_failure, is_distinct_and_spoils_nothing_else)
{
    scripted_server server(
        {[](peer& client) {
             client.read_request();
             client.write(GetParam().bytes);
         },
         answering({answer(200)})});
    http::client_options options = tested_client_options();
    options.header_limit = 200;
    options.body_limit = 100;
    auto client = make(server, options);
    call sent(make_request(verb::post, "/", "x"));
    send(client, sent);
    EXPECT_EQ(sent.error, GetParam().error) << sent.error.message();
    EXPECT_EQ(sent.delivered(), delivery::ambiguous);
    EXPECT_EQ(sent.status(), 0u);
    EXPECT_EQ(client.open_connections(), 0u);
    call next("/");
    EXPECT_EQ(send(client, next).status(), 200u);
}

INSTANTIATE_TEST_SUITE_P(
    failures,
    http_client_failure,
    ::testing::Values(
        failure{"closed", "", make_error_code(beast_http::error::end_of_stream)},
        failure{"only_continue", "HTTP/1.1 100 Continue\r\n\r\n", make_error_code(beast_http::error::end_of_stream)},
        failure{"truncated_header", "HTTP/1.1 200 OK\r\nContent-", make_error_code(beast_http::error::partial_message)},
        failure{
            "truncated_body",
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ntext",
            make_error_code(beast_http::error::partial_message)},
        failure{
            "truncated_chunks",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nte",
            make_error_code(beast_http::error::partial_message)},
        failure{
            "stated_body_limit",
            "HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n",
            make_error_code(beast_http::error::body_limit)},
        failure{
            "chunked_body_limit",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n" + std::string(101, 'x') + "\r\n0\r\n\r\n",
            make_error_code(beast_http::error::body_limit)},
        failure{
            "endless_body_limit",
            "HTTP/1.1 200 OK\r\n\r\n" + std::string(101, 'x'),
            make_error_code(beast_http::error::body_limit)},
        failure{
            "header_limit",
            "HTTP/1.1 200 OK\r\nX: " + std::string(300, 'x') + "\r\n\r\n",
            make_error_code(beast_http::error::header_limit)},
        failure{
            "chunk_extension_limit",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" + std::string(300, 'x'),
            make_error_code(beast_http::error::header_limit)},
        failure{
            "chunk_size_limit",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + std::string(300, '0'),
            make_error_code(beast_http::error::header_limit)},
        failure{
            "trailer_limit",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: " + std::string(300, 'x'),
            make_error_code(beast_http::error::header_limit)},
        failure{"garbage", "SSH-2.0-OpenSSH_9.2p1\r\n", http::errc::not_http},
        failure{"one_byte", "\x15", http::errc::not_http},
        failure{
            "two_lengths",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
            make_error_code(beast_http::error::multiple_content_length)},
        failure{
            "bad_chunk",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            make_error_code(beast_http::error::bad_chunk)}),
    [](auto const& each) { return std::string(each.param.name); });

TEST_F(http_client, does_not_wait_for_the_end_of_what_is_not_http)
{
    scripted_server server({[](peer& client) {
        client.write("220 mail.example ESMTP");
        client.wait_for_close();
    }});
    auto client = make(server);
    call sent("/");
    EXPECT_EQ(send(client, sent).error, http::errc::not_http);
}

TEST_F(http_client, reports_a_reset_as_ambiguous)
{
    scripted_server server({[](peer& client) {
        client.read_request();
        client.reset();
    }});
    auto client = make(server);
    call sent("/");
    EXPECT_EQ(send(client, sent).error, asio::error::connection_reset);
    EXPECT_EQ(sent.delivered(), delivery::ambiguous);
}

TEST_F(http_client, reports_what_was_never_sent)
{
    auto const expect_not_sent = [this](std::string const& url, boost::system::error_code expected) {
        auto client = make(url);
        call sent(make_request(verb::post));
        EXPECT_EQ(send(client, sent).error, expected) << sent.error.message();
        EXPECT_EQ(sent.delivered(), delivery::not_sent);
        EXPECT_EQ(client.open_connections(), 0u);
    };
    expect_not_sent("http://127.0.0.1:" + std::to_string(refused_port()), asio::error::connection_refused);
    expect_not_sent("http://missing.test", asio::error::host_not_found);
    expect_not_sent("http://busy.test", asio::error::host_not_found_try_again);
    expect_not_sent("https://127.0.0.1:" + std::to_string(refused_port()), asio::error::connection_refused);
}

TEST_F(http_client, tries_every_address)
{
    scripted_server server({answering({answer(200)})});
    auto client = make(server.url("two.test"));
    call sent("/");
    EXPECT_EQ(send(client, sent).status(), 200u);
}

TEST_F(http_client, does_not_wait_for_an_address_that_hangs)
{
    scripted_server server({answering({answer(200)})});
    stuck_listener const first("127.0.0.2", server.port());
    http::client_options options = tested_client_options();
    options.connection_attempt_delay = 5ms;
    options.maximum_connections = 1;
    auto client = make(server.url("two.test"), options);
    for (int i = 0; i != 2; ++i) {
        call sent("/");
        EXPECT_EQ(send(client, sent).status(), 200u);
    }
    EXPECT_EQ(server.accepted(), 1);
    expect_no_leftovers(client);
}

TEST_F(http_client, gives_all_addresses_together_the_time_to_connect)
{
    // In this order: a port that is free on 127.0.0.1 is so on 127.0.0.2.
    stuck_listener const second("127.0.0.1");
    stuck_listener const first("127.0.0.2", second.port());
    http::client_options options = tested_client_options();
    options.connection_attempt_delay = 1ms;
    options.connect_timeout = 2s;
    auto client = make("http://two.test:" + std::to_string(first.port()), options);
    auto const before = connections_begun();
    call sent(make_request(verb::post));
    EXPECT_EQ(send(client, sent).error, http::errc::connect_timeout);
    EXPECT_EQ(sent.delivered(), delivery::not_sent);
    EXPECT_EQ(connections_begun(), before + 2);
    EXPECT_EQ(client.open_connections(), 0u);
}

TEST_F(http_client, knows_that_a_write_of_nothing_was_not_sent)
{
    scripted_server server({answering({answer(200)})});
    auto client = make(server);
    fail_next_send(EPIPE);
    call sent(make_request(verb::post));
    EXPECT_EQ(send(client, sent).error, asio::error::broken_pipe);
    EXPECT_EQ(sent.delivered(), delivery::not_sent);
    EXPECT_EQ(client.open_connections(), 0u);
}

TEST_F(http_client, reads_the_answer_to_a_request_that_was_not_read)
{
    scripted_server server({[&](peer& client) {
        client.write(answer(413, "too long", "Connection: close\r\n"));
        client.wait_for_close();
    }});
    auto client = make(server);
    call sent(make_request(verb::post, "/", std::string(1 << 20, 'x')));
    EXPECT_EQ(send(client, sent).status(), 413u);
}

TEST_F(http_client, refuses_requests_that_would_break_the_header)
{
    auto client = make("http://127.0.0.1:" + std::to_string(refused_port()));
    auto const refused = [&](http::request message, http::errc expected) {
        call sent(std::move(message));
        EXPECT_EQ(send(client, sent).error, expected);
        EXPECT_EQ(sent.delivered(), delivery::not_sent);
    };
    for (auto const* target : {"/a b", "/a\r\nX: y", "relative", "http://elsewhere/", "/\x7f", "/\xc3\xa4", "/a#b"})
        refused(make_request(verb::get, target), http::errc::invalid_target);
    refused(make_request(verb::connect), http::errc::invalid_method);
    auto method = make_request(verb::get);
    method.method_string("two words");
    refused(method, http::errc::invalid_method);
    auto value = make_request(verb::get);
    value.set("X-A", "1\r\nX-B: 2");
    refused(value, http::errc::invalid_field);
    auto name = make_request(verb::get);
    name.set("X A", "1");
    refused(name, http::errc::invalid_field);
}

TEST_F(http_client, discards_a_kept_connection_that_the_server_closed)
{
    gate closed;
    scripted_server server(
        {[&](peer& client) {
             client.read_request();
             client.write(answer(200));
             client.close();
             closed.open();
         },
         answering({answer(201)})});
    auto client = make(server);
    call first("/");
    send(client, first);
    ASSERT_TRUE(closed.wait());
    call second(make_request(verb::post));
    EXPECT_EQ(send(client, second).status(), 201u);
    EXPECT_EQ(server.accepted(), 2);
}

TEST_F(http_client, discards_a_kept_connection_on_which_the_server_spoke)
{
    gate spoken;
    scripted_server server(
        {[&](peer& client) {
             client.read_request();
             client.write(answer(200));
             client.write("HTTP/1.1 408 Request Timeout\r\n\r\n");
             spoken.open();
             client.wait_for_close();
         },
         answering({answer(201)})});
    auto client = make(server);
    call first("/");
    EXPECT_EQ(send(client, first).status(), 200u);
    ASSERT_TRUE(spoken.wait());
    call second(make_request(verb::post));
    EXPECT_EQ(send(client, second).status(), 201u);
}

TEST_F(http_client, discards_what_lay_idle_too_long)
{
    scripted_server server({answering({answer(200)})});
    for (auto const limit : {0ns, 1ns}) {
        http::client_options options = tested_client_options();
        options.idle_timeout = limit;
        auto client = make(server, options);
        auto const before = server.accepted();
        for (int i = 0; i != 2; ++i) {
            call sent("/");
            EXPECT_EQ(send(client, sent).status(), 200u);
        }
        EXPECT_EQ(server.accepted(), before + 2);
    }
}

// Answers once, and closes the connection when it has read the next request.
void dies_at_the_second_request(peer& client)
{
    client.read_request();
    client.write(answer(200));
    client.read_request();
    client.close();
}

TEST_F(http_client, replays_on_a_fresh_connection_what_may_be_repeated)
{
    struct {
        verb method;
        std::optional<http::idempotency> replay;
        std::optional<delivery> expected;  // empty: it is not repeated
    } const cases[] = {
        {verb::get, {}, delivery::responded},
        // The first copy may have been carried out, and the answer to the second does not tell.
        {verb::delete_, {}, delivery::ambiguous},
        {verb::delete_, http::idempotency::never, {}},
        {verb::post, {}, {}},
        {verb::post, http::idempotency::idempotent, delivery::ambiguous},
    };
    for (auto const& each : cases) {
        scripted_server server({dies_at_the_second_request, answering({answer(201)})});
        auto client = make(server);
        call first("/");
        send(client, first);
        call second(make_request(each.method));
        send(client, second, each.replay);
        if (each.expected) {
            EXPECT_EQ(second.status(), 201u);
            EXPECT_EQ(second.delivered(), each.expected);
            EXPECT_EQ(server.accepted(), 2);
        } else {
            EXPECT_EQ(second.error, beast_http::error::end_of_stream);
            EXPECT_EQ(second.delivered(), delivery::ambiguous);
            EXPECT_EQ(server.accepted(), 1);
        }
    }
}

TEST_F(http_client, replays_anything_that_was_not_sent)
{
    scripted_server server({answering({answer(200)})});
    auto client = make(server);
    call first("/");
    send(client, first);
    fail_next_send(EPIPE);
    call second(make_request(verb::post));
    EXPECT_EQ(send(client, second).status(), 200u);
    EXPECT_EQ(second.delivered(), delivery::responded);
    EXPECT_EQ(server.accepted(), 2);
}

TEST_F(http_client, replays_once)
{
    scripted_server server({dies_at_the_second_request, [](peer& client) {
                                client.read_request();
                                client.close();
                            }});
    auto client = make(server);
    call first("/");
    send(client, first);
    call second("/");
    EXPECT_EQ(send(client, second).error, beast_http::error::end_of_stream);
    EXPECT_EQ(server.accepted(), 2);
}

// A copy that did not get through, or was turned away, says nothing about the first.
TEST_F(http_client, knows_the_delivery_of_what_it_replayed)
{
    struct {
        http::idempotency replay;
        std::string answer_to_copy;
        delivery expected;
    } const cases[] = {
        {http::idempotency::safe, answer(429), delivery::ambiguous},
        {http::idempotency::idempotent, answer(429), delivery::ambiguous},
        {http::idempotency::safe, answer(200), delivery::responded},
        {http::idempotency::idempotent, answer(200), delivery::ambiguous},
    };
    for (auto const& each : cases) {
        scripted_server server({dies_at_the_second_request, answering({each.answer_to_copy})});
        auto client = make(server);
        call first("/");
        send(client, first);
        call second("/");
        send(client, second, each.replay);
        EXPECT_EQ(second.error, boost::system::error_code());
        EXPECT_EQ(second.delivered(), each.expected) << to_string(each.replay) << " " << second.status();
        EXPECT_EQ(server.accepted(), 2);
    }
}

// The place of one that is stopped must not be handed to the next, which is stopped and hands it on, and so on.
TEST_F(http_client, is_closed_with_a_long_queue_and_does_not_recurse)
{
    constexpr std::size_t crowd = 20'000;
    hold_resolver();
    auto options = tested_client_options();
    options.connect_timeout = options.attempt_timeout = 0s;
    auto client = make("http://hang.test:1", options);
    std::size_t aborted = 0;
    for (std::size_t i = 0; i != crowd; ++i)
        client.async_request(make_request(verb::get), [&](boost::system::error_code error, http::response const&) {
            if (error == boost::asio::error::operation_aborted) ++aborted;
        });
    settle();
    EXPECT_EQ(client.queued_requests(), crowd - http::client_options().maximum_connections);
    client.close();
    for (std::size_t goal = crowd / 20; goal <= crowd; goal += crowd / 20)
        ASSERT_TRUE(run_until([&] { return aborted >= goal; })) << aborted << " ended";
    release_resolver();
    expect_no_leftovers(client);
}

TEST_F(http_client, does_not_replay_if_it_is_told_not_to)
{
    scripted_server server({dies_at_the_second_request});
    http::client_options options = tested_client_options();
    options.replay_on_stale_connection = false;
    auto client = make(server, options);
    call first("/");
    send(client, first);
    call second("/");
    EXPECT_EQ(send(client, second).error, beast_http::error::end_of_stream);
    EXPECT_EQ(second.delivered(), delivery::ambiguous);
    EXPECT_EQ(server.accepted(), 1);
}

TEST_F(http_client, does_not_replay_once_an_answer_has_begun)
{
    scripted_server server({[](peer& client) {
        client.read_request();
        client.write(answer(200));
        client.read_request();
        client.write("HTTP/1.1 2");
        client.close();
    }});
    auto client = make(server);
    call first("/");
    send(client, first);
    call second("/");
    EXPECT_EQ(send(client, second).error, beast_http::error::partial_message);
    EXPECT_EQ(server.accepted(), 1);
}

TEST_F(http_client, serves_in_order)
{
    scripted_server server({answering({answer(200)})});
    http::client_options options = tested_client_options();
    options.maximum_connections = 1;
    auto client = make(server, options);
    std::vector<int> order;
    std::vector<int> expected;
    for (int i = 0; i != 50; ++i) {
        client.async_get("/", [&order, i](boost::system::error_code, http::response const&) { order.push_back(i); });
        expected.push_back(i);
    }
    ASSERT_TRUE(run_until([&] { return order.size() == 50; }));
    EXPECT_EQ(order, expected);
    EXPECT_EQ(server.accepted(), 1);
}

TEST_F(http_client, keeps_to_its_maximum)
{
    std::atomic<int> at_once = 0;
    std::atomic<int> most = 0;
    scripted_server server({[&](peer& client) {
        auto const now = ++at_once;
        for (auto seen = most.load(); seen < now && !most.compare_exchange_weak(seen, now);) {}
        while (!client.read_request().empty()) client.write(answer(200));
        --at_once;
    }});
    http::client_options options = tested_client_options();
    options.maximum_connections = 3;
    auto client = make(server, options);
    int served = 0;
    for (int i = 0; i != 50; ++i)
        client.async_get("/", [&served](boost::system::error_code error, http::response const&) {
            EXPECT_FALSE(error) << error.message();
            ++served;
        });
    ASSERT_TRUE(run_until([&] {
        EXPECT_LE(client.open_connections(), 3u);
        return served == 50;
    }));
    EXPECT_EQ(server.accepted(), 3);
    EXPECT_LE(most, 3);
    expect_no_leftovers(client);
}

TEST_F(http_client, passes_the_place_on_when_the_connection_is_spoilt)
{
    scripted_server server({[](peer& client) {
        client.read_request();
        client.write(answer(200, "x", "Connection: close\r\n"));
        client.close();
    }});
    http::client_options options = tested_client_options();
    options.maximum_connections = 1;
    auto client = make(server, options);
    std::deque<call> calls;
    for (int i = 0; i != 4; ++i) calls.emplace_back("/").start(client);
    settle();
    EXPECT_LE(client.open_connections(), 1u);
    for (auto& each : calls) {
        run(each);
        EXPECT_EQ(each.status(), 200u);
    }
    EXPECT_EQ(server.accepted(), 4);
    expect_no_leftovers(client);
}

TEST_F(http_client, passes_the_place_on_when_connecting_fails)
{
    http::client_options options = tested_client_options();
    options.maximum_connections = 1;
    auto client = make("http://127.0.0.1:" + std::to_string(refused_port()), options);
    call first("/");
    call second("/");
    first.start(client);
    second.start(client);
    run(first, second);
    EXPECT_EQ(second.error, asio::error::connection_refused);
    expect_no_leftovers(client);
}

// Where an attempt can be when it is stopped.
struct suspension {
    char const* name;
    delivery expected;
    bool total_stops_it;
};

void PrintTo(suspension const& value, std::ostream* out)
{
    *out << value.name;
}

class http_client_stopped : public http_client, public ::testing::WithParamInterface<suspension> {
protected:
    // Starts an attempt, and runs it until it is where the parameter says.
    void start_and_run_there()
    {
        std::string const where = GetParam().name;
        sent.emplace(make_request(verb::post, "/", where == "writing" ? std::string(64 << 20, 'x') : "x"));
        if (where == "resolving") {
            hold_resolver();
            client.emplace(make("http://hang.test:1", options));
        } else if (where == "connecting") {
            hanging.emplace();
            client.emplace(make(hanging->url(), options));
        } else {
            server.emplace(std::vector<script>{[this, where](peer& end) {
                if (where == "reading" || where == "queued") end.read_request();
                if (where == "reading_body") {
                    end.read_request();
                    end.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
                }
                there.open();
                if (!go_on.wait()) return;
                if (where == "reading") end.write(answer(200));
                end.wait_for_close();
            }});
            auto const port = std::to_string(server->port());
            options.maximum_connections = where == "queued" ? 1 : 64;
            client.emplace(make((where == "handshaking" ? "https://127.0.0.1:" : "http://127.0.0.1:") + port, options));
        }
        if (where == "queued") {
            occupant.emplace("/");
            occupant->start(*client);
        }
        auto const before = bytes_sent();
        sent->start(*client);
        if (where == "queued") {
            ASSERT_TRUE(run_until([&] { return there.is_open() && client->queued_requests() == 1; }));
        } else if (where == "resolving") {
            ASSERT_TRUE(run_until([] { return held_lookups() == 1; }));
        } else if (where == "connecting") {
            settle();
        } else {
            ASSERT_TRUE(run_until([&] { return there.is_open() && bytes_sent() != before; }));
            settle();
        }
    }

    void TearDown() override
    {
        go_on.open();
        release_resolver();
        client.reset();
        settle();
    }

    void expect_stopped_with(boost::system::error_code expected)
    {
        run(*sent);
        EXPECT_EQ(sent->error, expected) << sent->error.message();
        EXPECT_EQ(sent->delivered(), GetParam().expected);
        EXPECT_EQ(sent->status(), 0u);
        settle();
        EXPECT_EQ(sent->completions, 1);
        EXPECT_EQ(client->queued_requests(), 0u);
        EXPECT_EQ(client->open_connections(), occupant && !occupant->done() ? 1u : 0u);
        EXPECT_EQ(client->idle_connections(), 0u);
    }

    http::client_options options = tested_client_options();
    gate there;
    gate go_on;
    std::optional<hanging_port> hanging;
    std::optional<scripted_server> server;
    std::optional<http::client> client;
    std::optional<call> occupant;
    std::optional<call> sent;
};

TEST_P(http_client_stopped, by_terminal_cancellation)
{
    start_and_run_there();
    sent->signal.emit(asio::cancellation_type::terminal);
    EXPECT_FALSE(sent->done()) << "completed inside emit";
    expect_stopped_with(asio::error::operation_aborted);
}

TEST_P(http_client_stopped, by_partial_cancellation)
{
    start_and_run_there();
    sent->signal.emit(asio::cancellation_type::partial);
    expect_stopped_with(asio::error::operation_aborted);
}

TEST_P(http_client_stopped, by_total_cancellation_only_if_nothing_was_sent)
{
    start_and_run_there();
    sent->signal.emit(asio::cancellation_type::total);
    if (GetParam().total_stops_it) return expect_stopped_with(asio::error::operation_aborted);
    settle();
    EXPECT_FALSE(sent->done());
    if (GetParam().name == std::string("reading")) {
        go_on.open();
        run(*sent);
        EXPECT_EQ(sent->status(), 200u);
    }
}

TEST_P(http_client_stopped, by_its_time_limit)
{
    options.attempt_timeout = 1500ms;
    start_and_run_there();
    if (occupant) {
        // Its time is up a moment before, and the place is not to be passed on in that moment.
        auto const both_are_late = std::chrono::steady_clock::now() + options.attempt_timeout;
        while (std::chrono::steady_clock::now() < both_are_late) {}
    }
    expect_stopped_with(make_error_code(retry_errc::attempt_timeout));
}

TEST_P(http_client_stopped, by_the_connect_time_limit)
{
    std::string const where = GetParam().name;
    if (where != "resolving" && where != "connecting" && where != "handshaking") return;
    options.connect_timeout = 1500ms;
    start_and_run_there();
    expect_stopped_with(http::errc::connect_timeout);
}

TEST_P(http_client_stopped, by_closing_the_client)
{
    start_and_run_there();
    client->close();
    if (occupant) run(*occupant);
    expect_stopped_with(asio::error::operation_aborted);
    call late("/");
    EXPECT_EQ(send(*client, late).error, http::errc::client_closed);
    EXPECT_EQ(late.delivered(), delivery::not_sent);
}

TEST_P(http_client_stopped, by_destroying_the_client)
{
    start_and_run_there();
    client.reset();
    run(*sent);
    EXPECT_EQ(sent->error, asio::error::operation_aborted);
    EXPECT_EQ(sent->delivered(), GetParam().expected);
    if (occupant) run(*occupant);
}

INSTANTIATE_TEST_SUITE_P(
    everywhere,
    http_client_stopped,
    ::testing::Values(
        suspension{"queued", delivery::not_sent, true},
        suspension{"resolving", delivery::not_sent, true},
        suspension{"connecting", delivery::not_sent, true},
        suspension{"handshaking", delivery::not_sent, true},
        suspension{"writing", delivery::ambiguous, false},
        suspension{"reading", delivery::ambiguous, false},
        suspension{"reading_body", delivery::ambiguous, false}),
    [](auto const& each) { return std::string(each.param.name); });

TEST_F(http_client, cancels_right_after_the_start)
{
    scripted_server server({answering({answer(200)})});
    auto client = make(server);
    for (int i = 0; i != 20; ++i) {
        call sent("/");
        sent.start(client);
        sent.signal.emit(asio::cancellation_type::terminal);
        run(sent);
        EXPECT_EQ(sent.error, asio::error::operation_aborted);
    }
    expect_no_leftovers(client);
}

TEST_F(http_client, may_be_abandoned_with_its_context)
{
    scripted_server server({[](peer& client) {
        client.read_request();
        client.wait_for_close();
    }});
    auto const witness = std::make_shared<int>(0);
    {
        asio::io_context abandoned;
        http::client_options options = tested_client_options();
        options.maximum_connections = 1;
        options.attempt_timeout = {};
        http::client client(abandoned.get_executor(), server.url(), options);
        // One reads, one is queued, and one sends.
        auto const never = [witness](boost::system::error_code, http::response const&) { ADD_FAILURE(); };
        client.async_get("/", never);
        client.async_get("/", never);
        client.async_send(make_request(verb::get), never);
        for (int i = 0; i != 5; ++i) abandoned.run_one_for(5ms);
    }
    EXPECT_EQ(witness.use_count(), 1);
}

TEST_F(http_client, completes_on_the_executor_of_the_handler)
{
    scripted_server server({answering({answer(200)})});
    auto client = make(server);
    asio::io_context other;
    bool done = false;
    client.async_get(
        "/", asio::bind_executor(other.get_executor(), [&](boost::system::error_code error, http::response const&) {
            EXPECT_FALSE(error);
            EXPECT_TRUE(other.get_executor().running_in_this_thread());
            done = true;
        }));
    // Its work keeps the other context from ending, although it has nothing to do.
    EXPECT_EQ(other.poll(), 0u);
    EXPECT_FALSE(other.stopped());
    context.run();
    EXPECT_FALSE(done);
    other.run();
    EXPECT_TRUE(done);
}

TEST_F(http_client, has_the_strand_to_itself_while_a_handler_runs)
{
    scripted_server server({answering({answer(200)})});
    asio::io_context shared;
    // On one thread the first handler would wait for the second one in vain.
    http::client client(shared.get_executor(), server.url());
    std::promise<void> second;
    std::atomic<int> waited = 0;
    std::atomic<bool> is_first = true;
    auto const on_end = [&](boost::system::error_code error, http::response const&) {
        EXPECT_FALSE(error) << error.message();
        if (!is_first.exchange(false)) return second.set_value();
        if (second.get_future().wait_for(patience) == std::future_status::ready) ++waited;
    };
    client.async_get("/", on_end);
    client.async_get("/", on_end);
    std::thread other([&] { shared.run(); });
    shared.run();
    other.join();
    EXPECT_EQ(waited, 1) << "a handler keeps the client from serving others";
}

TEST_F(http_client, serves_on_after_a_handler_has_thrown)
{
    scripted_server server({answering({answer(200)})});
    auto client = make(server);
    for (int i = 0; i != 2; ++i) {
        client.async_get(
            "/", [](boost::system::error_code, http::response const&) { throw std::runtime_error("on purpose"); });
        call behind("/");
        behind.start(client);
        EXPECT_THROW(run_until([&] { return false; }), std::runtime_error);
        run(behind);
        EXPECT_EQ(behind.status(), 200u);
        expect_no_leftovers(client);
    }
    EXPECT_EQ(client.idle_connections(), 2u);
}

// Each handler begins the next request, as deep as a stack would not allow.
TEST_F(http_client, does_not_recurse_from_one_request_to_the_next)
{
    scripted_server server({answering({answer(200)})});
    auto client = make(server);
    int left = 200;
    int deepest = 0;
    int depth = 0;
    std::function<void()> next = [&] {
        client.async_get("/", [&](boost::system::error_code error, http::response const&) {
            EXPECT_FALSE(error) << error.message();
            deepest = std::max(deepest, ++depth);
            if (--left != 0) next();
            --depth;
        });
    };
    next();
    ASSERT_TRUE(run_until([&] { return left == 0; }));
    EXPECT_EQ(deepest, 1);
}

TEST_F(http_client, completes_what_fails_at_once_when_it_is_begun_by_a_handler)
{
    scripted_server server({answering({answer(200)})});
    auto client = make(server);
    int left = 100;
    bool inside = false;
    std::function<void(boost::system::error_code, http::response)> const on_end = [&](boost::system::error_code error,
                                                                                      http::response const&) {
        EXPECT_FALSE(inside) << "completed inside the initiating function";
        EXPECT_EQ(error, left == 100 ? boost::system::error_code() : http::errc::invalid_target);
        if (--left == 0) return;
        inside = true;
        client.async_get("no target", on_end);
        inside = false;
    };
    client.async_get("/", on_end);
    ASSERT_TRUE(run_until([&] { return left == 0; })) << "a request hangs";
    expect_no_leftovers(client);
}

TEST_F(http_client, serves_a_handler_that_runs_the_context)
{
    scripted_server server({answering({answer(200)})});
    auto client = make(server);
    bool done = false;
    client.async_get("/", [&](boost::system::error_code, http::response const&) {
        call refused("no target");
        refused.start(client);
        call served("/");
        served.start(client);
        auto const end = std::chrono::steady_clock::now() + patience;
        while (!(refused.done() && served.done()) && std::chrono::steady_clock::now() < end) context.poll();
        EXPECT_EQ(refused.error, http::errc::invalid_target);
        EXPECT_EQ(served.status(), 200u);
        done = true;
    });
    ASSERT_TRUE(run_until([&] { return done; }));
}

TEST_F(http_client, needs_no_strand_of_its_own_where_the_executor_is_one)
{
    scripted_server server({answering({answer(200)})});
    auto const of_context = asio::make_strand(context);
    auto const of_any = asio::make_strand(asio::any_io_executor(context.get_executor()));
    int completed = 0;
    auto const get_on = [&](auto const& strand) {
        http::client client(strand, server.url());
        client.async_get("/", [&, strand](boost::system::error_code error, http::response const&) {
            EXPECT_FALSE(error) << error.message();
            EXPECT_TRUE(strand.running_in_this_thread());
            ++completed;
        });
        auto const before = completed;
        EXPECT_TRUE(run_until([&] { return completed != before; }));
    };
    get_on(of_context);
    get_on(of_any);
}

// Runs what came last first, as an executor may.
class newest_first {
public:
    explicit newest_first(asio::io_context& context) : context_(&context) {}

    [[nodiscard]] asio::execution_context& query(asio::execution::context_t) const noexcept { return *context_; }
    [[nodiscard]] static constexpr auto query(asio::execution::blocking_t) noexcept
    {
        return asio::execution::blocking.never;
    }
    [[nodiscard]] newest_first require(asio::execution::blocking_t::never_t) const { return *this; }

    template <class Function>
    void execute(Function&& function) const
    {
        auto const kept = std::make_shared<std::decay_t<Function>>(std::forward<Function>(function));
        waiting_->push_back([kept] { std::move (*kept)(); });
        asio::post(*context_, [waiting = waiting_] {
            auto const newest = std::move(waiting->back());
            waiting->pop_back();
            newest();
        });
    }

    friend bool operator==(newest_first const& a, newest_first const& b) noexcept { return a.waiting_ == b.waiting_; }

private:
    asio::io_context* context_;
    std::shared_ptr<std::vector<std::function<void()>>> waiting_ =
        std::make_shared<std::vector<std::function<void()>>>();
};

TEST_F(http_client, keeps_a_cancellation_that_is_run_before_the_start)
{
    scripted_server server({answering({answer(200)})});
    auto options = http::client_options();
    options.strand = http::strand_kind::implicit_strand;
    call cancelled("/");
    {
        http::client client(newest_first(context), server.url(), options);
        cancelled.start(client);
        cancelled.signal.emit(asio::cancellation_type::total);
        EXPECT_TRUE(run_until([&] { return cancelled.done(); }));
    }
    EXPECT_EQ(cancelled.error, asio::error::operation_aborted);
    EXPECT_EQ(cancelled.delivered(), delivery::not_sent);
    settle();  // what the client leaves to its executor when it goes, owns that executor
}

TEST_F(http_client, serves_every_kind_of_token)
{
    scripted_server server({answering({answer(200, "text")})});
    auto client = make(server);

    auto future = client.async_get("/", asio::use_future);
    auto lazy = client.async_get("/");
    int completed = 0;
    for (int i = 0; i != 2; ++i)
        lazy([&](boost::system::error_code, http::response const& response) {
            EXPECT_EQ(response.body(), "text");
            ++completed;
        });
    asio::co_spawn(
        context,
        [&]() -> asio::awaitable<void> {
            auto const response = co_await client.async_request(make_request(verb::put, "/", "x"), asio::use_awaitable);
            EXPECT_EQ(response.body(), "text");
            auto const [error, second] = co_await client.async_get("/", asio::as_tuple(asio::use_awaitable));
            EXPECT_FALSE(error);
            EXPECT_EQ(second.body(), "text");
            auto const third = co_await client.async_get("/");
            EXPECT_EQ(third.body(), "text");
            ++completed;
        },
        [](std::exception_ptr failure) { EXPECT_FALSE(failure); });
    auto const has_result = [&] { return future.wait_for(std::chrono::seconds(0)) == std::future_status::ready; };
    ASSERT_TRUE(run_until([&] { return completed == 3 && has_result(); }));
    EXPECT_EQ(future.get().body(), "text");
}

TEST_F(http_client, serves_many_threads)
{
    scripted_server server({answering({answer(200, "text")})});
    asio::thread_pool pool(4);
    http::client_options options;
    options.maximum_connections = 8;
    http::client client(pool.get_executor(), server.url(), options);
    std::atomic<int> served = 0;
    std::atomic<int> cancelled = 0;
    constexpr int each = 100;
    std::vector<std::thread> callers;
    for (int t = 0; t != 4; ++t)
        callers.emplace_back([&] {
            for (int i = 0; i != each; ++i) {
                auto const strand = asio::make_strand(pool);
                auto const signal = std::make_shared<asio::cancellation_signal>();
                asio::post(strand, [&, i, strand, signal] {
                    client.async_get(
                        "/",
                        asio::bind_cancellation_slot(
                            signal->slot(),
                            asio::bind_executor(
                                strand, [&, signal](boost::system::error_code error, http::response const& response) {
                                    if (error == asio::error::operation_aborted)
                                        ++cancelled;
                                    else if (response.body() == "text")
                                        ++served;
                                })));
                    if (i % 10 == 0) asio::post(strand, [signal] { signal->emit(asio::cancellation_type::terminal); });
                });
            }
        });
    for (auto& caller : callers) caller.join();
    pool.join();
    EXPECT_EQ(served + cancelled, 4 * each);
    EXPECT_GE(served, 4 * each * 9 / 10);
    EXPECT_LE(client.open_connections(), 8u);
}

}  // namespace
}  // namespace backbeat::test
