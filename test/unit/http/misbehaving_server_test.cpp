//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "stepped_fixture.hpp"

#include <backbeat/http/classifier.hpp>
#include <backbeat/http/client.hpp>
#include <backbeat/retry_errc.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/write.hpp>

#include <algorithm>
#include <random>
#include <sstream>

namespace backbeat::test {
namespace {

using namespace std::chrono_literals;
using http::verb;
namespace asio = boost::asio;
namespace beast_http = boost::beast::http;
using namespace std::string_literals;
using boost::system::error_code;

// Whether every place is tried, or only some, where instrumented programs are slow.
#ifdef BACKBEAT_SAMPLE_SPLITS
constexpr std::size_t stride = 7;
#else
constexpr std::size_t stride = 1;
#endif

// A response, and what is to be made of it.
struct kind {
    char const* name;
    verb method;
    std::string bytes;
    std::size_t size;  // of the response; zero: it ends with the connection
    unsigned status;
    std::string body;
    bool kept;
    std::vector<std::size_t> pauses{};  // where only interim responses have come
};

kind whole(char const* name, verb method, std::string const& bytes, unsigned status, std::string body, bool kept = true)
{
    return {name, method, bytes, bytes.size(), status, std::move(body), kept};
}

std::vector<kind> kinds()
{
    std::string const go_on = "HTTP/1.1 100 Continue\r\n\r\n";
    std::string const hints = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n";
    auto interim = whole("interim", verb::post, go_on + hints + answer(200, "final"), 200, "final");
    interim.pauses = {go_on.size(), (go_on + hints).size()};
    auto left_over = whole("left_over", verb::get, answer(200, "text") + answer(200, "more"), 200, "text", false);
    left_over.size = answer(200, "text").size();
    return {
        whole("length", verb::get, "HTTP/1.1 200 OK\r\nX-Field:  a b \r\nContent-Length: 5\r\n\r\nhello", 200, "hello"),
        whole("no_body", verb::get, answer(404), 404, ""),
        whole("no_reason", verb::get, "HTTP/1.1 200 \r\nContent-Length: 1\r\n\r\nx", 200, "x"),
        whole("folded", verb::get, "HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 1\r\n\r\nx", 200, "x"),
        whole(
            "chunked",
            verb::get,
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            "4;name=value;quoted=\"a ; b\"\r\nWiki\r\n00B\r\npedia\r\n in \r\n0;last\r\nX-Sum: 1\r\nX-Late: 2\r\n\r\n",
            200,
            "Wikipedia\r\n in "),
        whole("chunked_empty", verb::get, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 200, ""),
        whole("no_content", verb::get, "HTTP/1.1 204 No Content\r\nX: y\r\n\r\n", 204, ""),
        whole("not_modified", verb::get, "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", 304, ""),
        whole("head", verb::head, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", 200, ""),
        whole("head_chunked", verb::head, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", 200, ""),
        whole("closing", verb::get, answer(503, "busy", "Connection: close\r\n"), 503, "busy", false),
        whole("old", verb::get, "HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nold", 200, "old", false),
        interim,
        left_over,
        {"to_the_end",
         verb::get,
         "HTTP/1.1 200 OK\r\nX: y\r\n\r\nuntil\r\n\r\nthe end",
         0,
         200,
         "until\r\n\r\nthe end",
         false},
    };
}

std::string text_of(http::response const& response)
{
    std::ostringstream out;
    out << response;
    return out.str();
}

struct transport_and_kind {
    bool tls;
    kind sent;
};

void PrintTo(transport_and_kind const& value, std::ostream* out)
{
    *out << value.sent.name;
}

std::vector<transport_and_kind> kinds_over(std::vector<bool> const& transports)
{
    std::vector<transport_and_kind> result;
    for (auto const tls : transports)
        for (auto& each : kinds()) result.push_back({tls, std::move(each)});
    return result;
}

std::string name_of(::testing::TestParamInfo<transport_and_kind> const& each)
{
    return std::string(each.param.sent.name) + (each.param.tls ? "_over_tls" : "");
}

class http_split : public stepped_fixture, public ::testing::WithParamInterface<transport_and_kind> {
protected:
    http_split() : stepped_fixture(GetParam().tls) {}

    // Sends the response in these parts, and compares what comes of it with the first time.
    void exchange(http::client& client, std::vector<std::string> const& parts)
    {
        auto const& sent = GetParam().sent;
        call asked(make_request(sent.method));
        asked.start(client);
        auto const peer = next_request();
        std::size_t told = 0;
        for (auto const& each : parts) {
            // What follows a response that is complete comes when nobody asked for it.
            EXPECT_EQ(asked.done(), sent.size != 0 && told >= sent.size) << told;
            if (asked.done())
                peer->send(each);
            else
                say(*peer, each, asked);
            told += each.size();
        }
        if (sent.size == 0) {
            EXPECT_FALSE(asked.done());
            peer->send_close_notify();
            peer->close();
        }
        run(asked);
        EXPECT_EQ(asked.error, error_code()) << asked.error.message();
        EXPECT_EQ(asked.status(), sent.status);
        EXPECT_EQ(asked.response.body(), sent.body);
        if (reference_.empty()) reference_ = text_of(asked.response);
        EXPECT_EQ(text_of(asked.response), reference_);
        EXPECT_EQ(asked.completions, 1);
        // Left-overs that come later than the response are not seen before the next use of the connection.
        auto const clean = sent.kept || (parts.size() > 1 && parts.front().size() == sent.size);
        EXPECT_EQ(client.idle_connections(), clean ? 1u : 0u);
        EXPECT_EQ(client.open_connections(), clean ? 1u : 0u);
    }

private:
    std::string reference_;
};

INSTANTIATE_TEST_SUITE_P(of, http_split, ::testing::ValuesIn(kinds_over({false, true})), name_of);

TEST_P(http_split, at_any_byte_is_read_the_same)
{
    auto client = make();
    auto const& bytes = GetParam().sent.bytes;
    exchange(client, {bytes});
    for (std::size_t at = 1; at < bytes.size(); at += stride) {
        SCOPED_TRACE(at);
        exchange(client, {bytes.substr(0, at), bytes.substr(at)});
        if (HasFailure()) return;
    }
    expect_usable(client);
    if (GetParam().sent.kept) {
        EXPECT_EQ(server->accepted(), 1);
    }
}

TEST_P(http_split, into_single_bytes_is_read_the_same)
{
    auto client = make();
    auto const& sent = GetParam().sent;
    auto const size = sent.size != 0 ? sent.size : sent.bytes.size();
    std::vector<std::string> parts;
    for (auto const byte : sent.bytes.substr(0, size)) parts.emplace_back(1, byte);
    if (size != sent.bytes.size()) parts.back() += sent.bytes.substr(size);
    exchange(client, {sent.bytes});
    exchange(client, parts);
    expect_usable(client);
}

enum class ending { closed, reset, cut };  // the last: closed without TLS's notice

class http_truncated : public http_split {
protected:
    void end(stepped_peer& by, ending how)
    {
        if (how == ending::closed) by.send_close_notify();
        if (how == ending::reset)
            by.reset();
        else
            by.close();
    }

    // What is told of a response of which only so much came.
    [[nodiscard]] error_code expected(std::size_t told, ending how) const
    {
        auto const& sent = GetParam().sent;
        auto const head = sent.bytes.find("\r\n\r\n") + 4;
        if (sent.size != 0 && told >= sent.size) return {};
        if (how == ending::reset) return asio::error::connection_reset;
        if (how == ending::cut) return asio::ssl::error::stream_truncated;
        if (sent.size == 0 && told >= head) return {};
        auto const at_a_pause =
            told == 0 || std::find(sent.pauses.begin(), sent.pauses.end(), told) != sent.pauses.end();
        return at_a_pause ? beast_http::error::end_of_stream : beast_http::error::partial_message;
    }

    void truncate_everywhere(ending how)
    {
        auto client = make();
        auto const& sent = GetParam().sent;
        // Each takes a handshake of TLS. Over TCP it is every byte, and in a record of TLS.
        auto const step = is_tls ? 3 * stride : stride;
        for (std::size_t told = 0; told <= sent.bytes.size(); told += step) {
            SCOPED_TRACE(told);
            call asked(make_request(sent.method));
            asked.start(client);
            auto const peer = next_request();
            if (told != 0) say(*peer, sent.bytes.substr(0, told), asked);
            end(*peer, how);
            run(asked);
            auto const error = expected(told, how);
            EXPECT_EQ(asked.error, error) << asked.error.message();
            if (error) {
                EXPECT_EQ(asked.status(), 0u);
                EXPECT_EQ(asked.delivered(), delivery::ambiguous);
                EXPECT_EQ(client.open_connections(), 0u);
                auto const judged = http::classifier{verb::get}(asked.current, asked.error, asked.response);
                EXPECT_EQ(judged.kind, verdict_kind::retry);
            } else {
                EXPECT_EQ(asked.status(), sent.status);
                if (sent.size != 0) {
                    EXPECT_EQ(asked.response.body(), sent.body);
                }
            }
            if (HasFailure()) return;
        }
        // Each of them but the first has shown it, too.
        expect_usable(client);
        settle();
        EXPECT_EQ(client.open_connections(), 1u);
    }
};

INSTANTIATE_TEST_SUITE_P(of, http_truncated, ::testing::ValuesIn(kinds_over({false, true})), name_of);

TEST_P(http_truncated, by_an_end_at_any_byte_is_told)
{
    truncate_everywhere(ending::closed);
}

TEST_P(http_truncated, by_a_reset_at_any_byte_is_told)
{
    truncate_everywhere(ending::reset);
}

using http_tls_truncated = http_truncated;

INSTANTIATE_TEST_SUITE_P(of, http_tls_truncated, ::testing::ValuesIn(kinds_over({true})), name_of);

TEST_P(http_tls_truncated, by_an_end_without_notice_at_any_byte_is_told)
{
    truncate_everywhere(ending::cut);
}

class http_tls_record : public stepped_fixture {
protected:
    http_tls_record() : stepped_fixture(true) {}
};

TEST_F(http_tls_record, may_be_split_anywhere)
{
    auto client = make();
    auto const bytes = answer(200, "text");
    // A record has a header of 5 bytes, and 17 more for its kind and for the proof that it is whole.
    for (std::size_t at = 1; at < bytes.size() + 5 + 17; at += stride) {
        SCOPED_TRACE(at);
        call asked("/");
        asked.start(client);
        auto const peer = next_request();
        auto const record = peer->on_the_wire(bytes);
        ASSERT_EQ(record.size(), bytes.size() + 5 + 17);
        transport(*peer, record.substr(0, at), asked);
        EXPECT_FALSE(asked.done());
        transport(*peer, record.substr(at), asked);
        run(asked);
        EXPECT_EQ(asked.response.body(), "text");
    }
    EXPECT_EQ(server->accepted(), 1);
}

TEST_F(http_tls_record, is_not_believed_before_it_is_whole)
{
    auto client = make();
    auto const bytes = answer(200, "text");
    for (auto const reset : {false, true}) {
        for (std::size_t at = 0; at < bytes.size() + 5 + 17; at += stride) {
            SCOPED_TRACE(at);
            call asked("/");
            asked.start(client);
            auto const peer = next_request();
            transport(*peer, peer->on_the_wire(bytes).substr(0, at), asked);
            if (reset)
                peer->reset();
            else
                peer->close();
            run(asked);
            EXPECT_EQ(
                asked.error, reset ? error_code(asio::error::connection_reset) : asio::ssl::error::stream_truncated)
                << asked.error.message();
            EXPECT_EQ(asked.delivered(), delivery::ambiguous);
            EXPECT_EQ(client.open_connections(), 0u);
        }
    }
    expect_usable(client);
}

TEST_F(http_tls_record, is_not_believed_if_a_bit_of_it_was_changed)
{
    auto client = make();
    auto const size = answer(200, "text").size() + 5 + 17;
    for (std::size_t at = 5; at < size; at += stride) {
        SCOPED_TRACE(at);
        call asked("/");
        asked.start(client);
        auto const peer = next_request();
        auto record = peer->on_the_wire(answer(200, "text"));
        record[at] = static_cast<char>(record[at] ^ 1);
        transport(*peer, record, asked);
        run(asked);
        EXPECT_EQ(asked.error.category(), asio::error::get_ssl_category()) << asked.error.message();
        EXPECT_NE(asked.error.message().find("bad record mac"), std::string::npos) << asked.error.message();
        EXPECT_EQ(asked.delivered(), delivery::ambiguous);
        EXPECT_EQ(asked.status(), 0u);
        EXPECT_EQ(client.open_connections(), 0u);
    }
    expect_usable(client);
}

class http_misbehaviour : public stepped_fixture, public ::testing::WithParamInterface<bool> {
protected:
    http_misbehaviour() : stepped_fixture(GetParam()) {}

    static verdict_kind verdict_of(call const& ended)
    {
        return http::classifier{ended.message.method()}(ended.current, ended.error, ended.response).kind;
    }

    // A connection on which a request has begun, which is too long to be sent unless it is read.
    auto next_peer_within_request()
    {
        auto peer = next_connection();
        EXPECT_TRUE(run_until([&] {
            peer->read();
            return peer->received().size() > 1000;
        }));
        return peer;
    }

    // Sends the first bytes, and then the others again and again until the client has had enough. Returns how many
    // bytes it has received.
    std::size_t pour(call& asked, std::string_view first, std::string_view again, std::size_t at_most)
    {
        auto const peer = next_request();
        auto const before = bytes_received();
        peer->send(first);
        std::string waiting;
        run_until([&] {
            if (waiting.empty()) waiting = peer->on_the_wire(again);
            waiting.erase(0, peer->send_some(waiting));
            return asked.done() || bytes_received() - before > at_most;
        });
        EXPECT_TRUE(asked.done()) << "it reads on after " << at_most << " bytes";
        return bytes_received() - before;
    }

    http::client_options limits()
    {
        http::client_options options = tested_client_options();
        options.header_limit = 2000;
        options.body_limit = 100'000;
        options.attempt_timeout = 0s;
        return options;
    }

    // Of what it need not have: one read, and with TLS what surrounds it.
    static constexpr std::size_t slack = 20'000;
};

INSTANTIATE_TEST_SUITE_P(over, http_misbehaviour, ::testing::Bool(), [](auto const& each) {
    return std::string(each.param ? "tls" : "tcp");
});

TEST_P(http_misbehaviour, of_a_server_that_ends_its_side_after_the_answer_costs_the_connection_alone)
{
    auto client = make();
    for (int i = 0; i != 3; ++i) {
        call asked(make_request(verb::post, "/", "x"));
        asked.start(client);
        auto const peer = next_request();
        peer->send(answer(200, "text"));
        peer->send_close_notify();
        peer->shut_down();
        run(asked);
        EXPECT_EQ(asked.error, error_code()) << asked.error.message();
        EXPECT_EQ(asked.response.body(), "text");
        EXPECT_EQ(server->accepted(), i + 1);
    }
}

TEST_P(http_misbehaviour, of_a_server_that_ends_its_side_before_the_request_is_told)
{
    auto client = make();
    call asked(make_request(verb::post, "/", "x"));
    asked.start(client);
    auto const peer = next_connection();
    peer->send_close_notify();
    peer->shut_down();
    run(asked);
    EXPECT_EQ(asked.error, beast_http::error::end_of_stream) << asked.error.message();
    EXPECT_EQ(asked.delivered(), delivery::ambiguous);
    peer->read();
    EXPECT_TRUE(peer->take_request());
    EXPECT_EQ(client.open_connections(), 0u);
    expect_usable(client);
}

// More than the system takes without the server reading.
std::string large_body()
{
    return std::string(16'000'000, 'x');
}

TEST_P(http_misbehaviour, of_a_server_that_ends_its_side_within_the_request_is_told_at_once)
{
    auto client = make();
    call asked(make_request(verb::post, "/", large_body()));
    asked.start(client);
    auto const peer = next_peer_within_request();
    EXPECT_FALSE(asked.done());
    peer->send_close_notify();
    peer->shut_down();
    // It reads no more, so that the rest of the request has nowhere to go.
    run(asked);
    EXPECT_EQ(asked.error, beast_http::error::end_of_stream) << asked.error.message();
    EXPECT_EQ(asked.delivered(), delivery::ambiguous);
    EXPECT_EQ(client.open_connections(), 0u);
    expect_usable(client);
}

TEST_P(http_misbehaviour, of_a_server_that_answers_within_the_request_and_reads_no_more_loses_no_answer)
{
    for (auto const status : {413, 503, 302}) {
        auto client = make();
        call asked(make_request(verb::post, "/", large_body()));
        asked.start(client);
        auto const peer = next_peer_within_request();
        peer->send("HTTP/1.1 103 Early Hints\r\n\r\n");
        settle();
        EXPECT_FALSE(asked.done());
        peer->send(answer(status, "enough"));
        run(asked);
        EXPECT_EQ(asked.status(), static_cast<unsigned>(status)) << asked.error.message();
        EXPECT_EQ(asked.response.body(), "enough");
        EXPECT_EQ(asked.delivered(), status == 503 ? delivery::ambiguous : delivery::responded);
        EXPECT_EQ(client.open_connections(), 0u) << "what was not sent is still due on that connection";
    }
}

TEST_P(http_misbehaviour, of_a_server_that_succeeds_while_it_reads_is_none)
{
    auto client = make();
    call asked(make_request(verb::put, "/", large_body()));
    asked.start(client);
    auto const peer = next_peer_within_request();
    peer->send(answer(200, "so far so good"));
    settle();
    EXPECT_FALSE(asked.done()) << "the rest is still to be sent";
    EXPECT_TRUE(run_until([&] {
        peer->read();
        return peer->take_request();
    }));
    run(asked);
    EXPECT_EQ(asked.response.body(), "so far so good");
    EXPECT_EQ(client.idle_connections(), 1u);
}

TEST_P(http_misbehaviour, of_a_server_that_succeeds_and_hangs_up_while_it_reads_loses_no_answer)
{
    auto client = make();
    call asked(make_request(verb::put, "/", large_body()));
    asked.start(client);
    auto const peer = next_peer_within_request();
    peer->send(answer(200, "enough"));
    settle();
    peer->reset();
    run(asked);
    EXPECT_EQ(asked.response.body(), "enough");
    EXPECT_EQ(client.open_connections(), 0u);
}

TEST_P(http_misbehaviour, of_a_server_that_goes_on_reading_after_interim_responses_is_none)
{
    auto client = make();
    call asked(make_request(verb::post, "/", large_body()));
    asked.start(client);
    auto const peer = next_connection();
    peer->send("HTTP/1.1 100 Continue\r\n\r\n");
    EXPECT_TRUE(run_until([&] {
        peer->read();
        return peer->take_request();
    }));
    peer->send(answer(200, "all of it"));
    run(asked);
    EXPECT_EQ(asked.response.body(), "all of it");
    EXPECT_EQ(client.idle_connections(), 1u);
}

TEST_P(http_misbehaviour, of_a_server_that_answers_garbage_within_the_request_ends_it)
{
    auto client = make();
    call asked(make_request(verb::post, "/", large_body()));
    asked.start(client);
    auto const peer = next_peer_within_request();
    peer->send("SSH-2.0-OpenSSH_9.2\r\n");
    run(asked);
    EXPECT_EQ(asked.error, http::errc::not_http);
    EXPECT_EQ(asked.delivered(), delivery::ambiguous);
    EXPECT_EQ(client.open_connections(), 0u);
}

TEST_P(http_misbehaviour, that_leaves_a_long_request_lying_can_be_cancelled)
{
    auto client = make();
    call asked(make_request(verb::post, "/", large_body()));
    asked.start(client);
    auto const peer = next_peer_within_request();
    settle();
    asked.signal.emit(boost::asio::cancellation_type::terminal);
    run(asked);
    EXPECT_EQ(asked.error, boost::asio::error::operation_aborted);
    EXPECT_EQ(asked.delivered(), delivery::ambiguous);
    EXPECT_EQ(client.open_connections(), 0u);
}

TEST_P(http_misbehaviour, of_a_server_that_answers_within_the_request_and_hangs_up_loses_no_answer)
{
    for (auto const reset : {false, true}) {
        auto client = make();
        call asked(make_request(verb::post, "/", large_body()));
        asked.start(client);
        auto const peer = next_connection();
        // So that its end is a reset in any case.
        EXPECT_TRUE(run_until([&] {
            peer->read();
            return peer->received().size() > 1000;
        }));
        settle();
        peer->send(answer(413, "too large"));
        if (reset)
            peer->reset();
        else
            peer->close();
        run(asked);
        EXPECT_EQ(asked.status(), 413u) << asked.error.message();
        EXPECT_EQ(asked.response.body(), "too large");
        EXPECT_EQ(asked.delivered(), delivery::responded);
        EXPECT_EQ(client.open_connections(), 0u);
        expect_usable(client);
    }
}

TEST_P(http_misbehaviour, of_a_server_that_speaks_something_else_is_told_at_its_first_words)
{
    std::string const words[] = {
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x64"s,  // the settings with which HTTP/2 begins
        "HTTP/2.0 200 OK\r\n\r\n",
        "HTTP/2 200\r\n\r\n",
        "http/1.1 200 OK\r\n\r\n",
        "ICY 200 OK\r\n\r\n",
        "\x15\x03\x03\0\x02\x02\x28"s,  // an alert of TLS
        "SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n",
        "220 mail.example ESMTP\r\n",
        "-ERR wrong number of arguments for 'get' command\r\n",
        "<html>\n",
        "\r\nHTTP/1.1 200 OK\r\n\r\n",
        " HTTP/1.1 200 OK\r\n\r\n",
        std::string(1000, '\0'),
        "\0"s,
        "\n",
    };
    auto client = make();
    for (auto const& each : words) {
        SCOPED_TRACE(each);
        call asked("/");
        asked.start(client);
        auto const peer = next_request();
        say(*peer, each, asked);
        // It does not wait for more of it.
        run(asked);
        EXPECT_EQ(asked.error, http::errc::not_http) << asked.error.message();
        EXPECT_EQ(asked.delivered(), delivery::ambiguous);
        EXPECT_EQ(verdict_of(asked), verdict_kind::permanent);
        EXPECT_EQ(client.open_connections(), 0u);
    }
    expect_usable(client);
}

TEST_P(http_misbehaviour, of_a_server_that_sends_random_bytes_is_told)
{
    std::mt19937 random(1);
    auto client = make(limits());
    for (int i = 0; i != static_cast<int>(300 / stride); ++i) {
        std::string noise(1 + random() % 300, '\0');
        for (auto& each : noise) each = static_cast<char>(random());
        // From some place on.
        auto bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ntext\r\n0\r\nX: y\r\n\r\n"s;
        auto const from = i % 3 == 0 ? 0 : random() % (bytes.size() - 4);
        bytes.replace(from, std::string::npos, noise);
        SCOPED_TRACE(i);
        call asked("/");
        asked.start(client);
        auto const peer = next_request();
        say(*peer, bytes, asked);
        peer->send_close_notify();
        peer->close();
        run(asked);
        EXPECT_TRUE(asked.error) << text_of(asked.response);
        EXPECT_FALSE(asked.error.message().empty());
        EXPECT_EQ(asked.delivered(), delivery::ambiguous);
        EXPECT_EQ(client.open_connections(), 0u);
    }
    expect_usable(client);
}

TEST_P(http_misbehaviour, of_a_server_that_changes_single_bytes_never_breaks_the_client)
{
    std::mt19937 random(2);
    auto client = make(limits());
    auto const whole = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;a=b\r\ntext\r\n0\r\nX: y\r\n\r\n"s;
    for (std::size_t at = 0; at < whole.size(); at += stride) {
        SCOPED_TRACE(at);
        auto bytes = whole;
        bytes[at] = static_cast<char>(random());
        call asked("/");
        asked.start(client);
        auto const peer = next_request();
        say(*peer, bytes, asked);
        peer->send_close_notify();
        peer->close();
        run(asked);
        EXPECT_EQ(asked.completions, 1);
        // One with nothing but a wrong byte in its text or in its reason is a response.
        if (asked.error)
            EXPECT_EQ(asked.status(), 0u);
        else
            EXPECT_EQ(asked.delivered(), asked.status() >= 500 ? delivery::ambiguous : delivery::responded);
    }
    expect_usable(client);
}

struct endless {
    char const* name;
    char const* first;
    std::string again;
    std::size_t limit;
    beast_http::error error;
};

TEST_P(http_misbehaviour, of_a_server_that_does_not_end_is_cut_off_at_the_limits)
{
    auto const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    auto const header = beast_http::error::header_limit;
    auto const body = beast_http::error::body_limit;
    std::string const lot(1000, 'x');
    endless const cases[] = {
        {"a line of the header", "HTTP/1.1 200 OK\r\nX: ", lot, 2000, header},
        {"the name of a field", "HTTP/1.1 200 OK\r\n", lot, 2000, header},
        {"the reason", "HTTP/1.1 200 O", lot, 2000, header},
        {"lines of the header", "HTTP/1.1 200 OK\r\n", "X: y\r\n", 2000, header},
        {"folded lines of the header", "HTTP/1.1 200 OK\r\nX: y", "\r\n z", 2000, header},
        {"a size of a chunk", chunked, std::string(1000, '0'), 2000, header},
        {"an extension of a chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;x=", lot, 2000, header},
        {"extensions of a chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4", ";x=y", 2000, header},
        {"a trailer", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ", lot, 2000, header},
        {"trailers", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n", "X: y\r\n", 2000, header},
        {"a body with a length", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", lot, 2000, body},
        {"a body to the end of the connection", "HTTP/1.1 200 OK\r\n\r\n", lot, 100'000, body},
        {"chunks", chunked, "3e8\r\n" + lot + "\r\n", 105'000, body},
        {"tiny chunks", chunked, "1\r\nx\r\n", 600'000, body},
        {"one chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", lot, 2000, body},
    };
    auto client = make(limits());
    for (auto const& each : cases) {
        SCOPED_TRACE(each.name);
        if (stride != 1 && each.limit > 200'000) continue;
        call asked("/");
        asked.start(client);
        // TLS adds 22 bytes to what is sent at once, and that may be as little as 4.
        auto const most = each.limit * (is_tls && each.again.size() < 100 ? 8 : 2) + slack;
        EXPECT_LE(pour(asked, each.first, each.again, most), most);
        EXPECT_EQ(asked.error, each.error) << asked.error.message();
        EXPECT_EQ(asked.delivered(), delivery::ambiguous);
        EXPECT_EQ(verdict_of(asked), verdict_kind::permanent);
        settle();
        EXPECT_EQ(client.open_connections(), 0u);
    }
    expect_usable(client);
}

TEST_P(http_misbehaviour, of_a_server_that_only_ever_announces_an_answer_is_cut_off)
{
    std::string const interim = "HTTP/1.1 102 Processing\r\n\r\n";
    auto const announced = [&](int times) {
        std::string result;
        for (int i = 0; i != times; ++i) result += interim;
        return result;
    };
    auto client = make(limits());
    call answered("/");
    answered.start(client);
    next_request()->send(announced(64) + answer(200, "at last"));
    run(answered);
    EXPECT_EQ(answered.response.body(), "at last") << answered.error.message();

    call asked("/");
    asked.start(client);
    EXPECT_LE(pour(asked, interim, interim, 200'000), 200'000u);
    EXPECT_EQ(asked.error, http::errc::too_many_interim_responses) << asked.error.message();
    EXPECT_NE(asked.error.message().find("interim"), std::string::npos) << asked.error.message();
    EXPECT_EQ(asked.delivered(), delivery::ambiguous);
    EXPECT_EQ(verdict_of(asked), verdict_kind::permanent);
    settle();
    EXPECT_EQ(client.open_connections(), 0u);

    // Exactly one too many, with what would be the answer.
    call late("/");
    late.start(client);
    next_request()->send(announced(65) + answer(200, "too late"));
    run(late);
    EXPECT_EQ(late.error, http::errc::too_many_interim_responses) << late.error.message();
    EXPECT_EQ(client.open_connections(), 0u);
    expect_usable(client);
}

TEST_P(http_misbehaviour, of_a_server_that_drips_is_ended_by_the_time_limit)
{
    auto options = limits();
    options.attempt_timeout = 2s;
    options.body_limit = 0x1'0000'0000;
    auto client = make(options);
    // A chunk of which no machine is fast enough to drip all before the time limit.
    auto const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n"s;
    call asked("/");
    asked.start(client);
    auto const peer = next_request();
    // A byte at a time, and never two at once, until nobody listens.
    auto const end = std::chrono::steady_clock::now() + patience;
    for (std::size_t i = 0; !asked.done() && std::chrono::steady_clock::now() < end; ++i)
        say(*peer, i < head.size() ? std::string_view(head).substr(i, 1) : "x", asked);
    EXPECT_EQ(asked.error, retry_errc::attempt_timeout) << asked.error.message();
    EXPECT_EQ(asked.delivered(), delivery::ambiguous);
    EXPECT_EQ(verdict_of(asked), verdict_kind::retry);
    EXPECT_EQ(client.open_connections(), 0u);
}

TEST_P(http_misbehaviour, of_a_server_that_speaks_unasked_is_not_taken_for_an_answer)
{
    std::string const words[] = {
        answer(200, "forged"),
        "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        "\r\n",
        "H",
        "HTTP/1.1 100 Continue\r\n\r\n"};
    auto client = make();
    int connections = 0;
    for (auto const& each : words) {
        SCOPED_TRACE(each);
        call asked("/");
        asked.start(client);
        auto const peer = next_request();
        peer->send(answer(200, "first"));
        run(asked);
        EXPECT_EQ(client.idle_connections(), 1u);
        peer->send(each);
        expect_usable(client);
        connections += 2;
        EXPECT_LE(server->accepted(), connections);
        client.close();
        settle();
        client = make();
    }
    EXPECT_EQ(server->accepted(), connections);
}

}  // namespace
}  // namespace backbeat::test
