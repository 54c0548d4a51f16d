//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "stepped_fixture.hpp"

#include <backbeat/http/classifier.hpp>
#include <backbeat/http/client.hpp>
#include <backbeat/report_to.hpp>
#include <backbeat/retry_report.hpp>

#include <boost/beast/http/error.hpp>

namespace backbeat::test {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using http::verb;
namespace beast_http = boost::beast::http;
using boost::system::error_code;

struct bad_answer {
    char const* name;
    std::string bytes;
    error_code error;
    char const* says;  // what the message must name
};

void PrintTo(bad_answer const& value, std::ostream* out)
{
    *out << value.name;
}

// What follows the status line.
bad_answer after_ok(char const* name, std::string const& bytes, beast_http::error error, char const* says)
{
    return {name, "HTTP/1.1 200 OK\r\n" + bytes, error, says};
}

bad_answer in_chunks(char const* name, std::string const& bytes, beast_http::error error, char const* says)
{
    return after_ok(name, "Transfer-Encoding: chunked\r\n\r\n" + bytes, error, says);
}

class http_bad_answer : public stepped_fixture, public ::testing::WithParamInterface<bad_answer> {
protected:
    http_bad_answer() : stepped_fixture(false) {}

    http::client_options limits()
    {
        http::client_options options = tested_client_options();
        options.header_limit = 1000;
        options.body_limit = 1000;
        return options;
    }

    retry_report report;
    error_code error;
    int completions = 0;
};

TEST_P(http_bad_answer, is_told_for_good_and_costs_its_own_connection_alone)
{
    auto client = make(limits());
    call other(make_request(verb::post, "/other", "x"));
    other.start(client);
    auto const untouched = next_request();
    say(*untouched, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nte", other);

    call asked("/");
    asked.start(client);
    auto const peer = next_request();
    say(*peer, GetParam().bytes, asked);
    // From what came alone: nothing more comes, and the connection stays.
    ASSERT_TRUE(asked.done()) << "it waits for more";
    EXPECT_EQ(asked.error, GetParam().error) << asked.error.message();
    EXPECT_NE(asked.error.message().find(GetParam().says), std::string::npos) << asked.error.message();
    EXPECT_EQ(asked.status(), 0u);
    EXPECT_EQ(asked.response.body(), "");
    EXPECT_EQ(asked.delivered(), delivery::ambiguous);
    auto const judged = http::classifier{verb::get}(asked.current, asked.error, asked.response);
    EXPECT_EQ(judged.kind, verdict_kind::permanent);

    EXPECT_EQ(client.open_connections(), 1u);
    EXPECT_EQ(client.idle_connections(), 0u);
    EXPECT_FALSE(other.done());
    untouched->send("xt");
    run(other);
    EXPECT_EQ(other.error, error_code()) << other.error.message();
    EXPECT_EQ(other.response.body(), "text");
    EXPECT_EQ(client.idle_connections(), 1u);
    expect_usable(client);
    EXPECT_EQ(server->accepted(), 2);
}

TEST_P(http_bad_answer, is_not_asked_for_again)
{
    auto client = make(limits());
    retry_options const quick{.initial_backoff = 1ms, .maximum_backoff = 2ms, .maximum_retries = 3};
    client.async_send(
        make_request(verb::get), quick, report_to(report), [&](error_code told, http::response const& /*none*/) {
            ++completions;
            error = told;
        });
    next_request()->send(GetParam().bytes);
    ASSERT_TRUE(run_until([&] { return completions != 0; }));
    EXPECT_EQ(error, GetParam().error) << error.message();
    EXPECT_EQ(report.attempts(), 1u);
    EXPECT_EQ(report.reason(), stop_reason::permanent);
    settle();
    EXPECT_EQ(server->accepted(), 1);
    EXPECT_EQ(server->accept(), nullptr);
}

INSTANTIATE_TEST_SUITE_P(
    with,
    http_bad_answer,
    ::testing::Values(
        after_ok("a_header_over_the_limit", "X: " + std::string(1000, 'x'), beast_http::error::header_limit, "header"),
        after_ok("a_length_over_the_limit", "Content-Length: 1001\r\n\r\n", beast_http::error::body_limit, "body"),
        after_ok("a_body_over_the_limit", "\r\n" + std::string(1001, 'x'), beast_http::error::body_limit, "body"),
        in_chunks("a_chunk_over_the_limit", "3e9\r\n", beast_http::error::body_limit, "body"),
        in_chunks("chunks_over_the_limit", "1\r\nx\r\n3e8\r\n", beast_http::error::body_limit, "body"),
        in_chunks("no_size_of_a_chunk", "xyz\r\n\r\n", beast_http::error::bad_chunk, "chunk"),
        in_chunks("a_negative_size_of_a_chunk", "-4\r\ntext\r\n", beast_http::error::bad_chunk, "chunk"),
        in_chunks("an_empty_size_of_a_chunk", "\r\ntext\r\n", beast_http::error::bad_chunk, "chunk"),
        in_chunks("a_size_of_a_chunk_with_a_space_before", " 4\r\ntext\r\n", beast_http::error::bad_chunk, "chunk"),
        in_chunks("too_large_a_size_of_a_chunk", "10000000000000004\r\n", beast_http::error::bad_chunk, "chunk"),
        in_chunks("a_chunk_longer_than_its_size", "4\r\ntext!\r\n0\r\n\r\n", beast_http::error::bad_chunk, "chunk"),
        in_chunks("a_chunk_without_a_line_break", "4\r\ntext0\r\n\r\n", beast_http::error::bad_chunk, "chunk"),
        in_chunks("half_a_line_break_after_a_size", "4\rtext\r\n", beast_http::error::bad_line_ending, "line"),
        in_chunks("a_bad_extension", "4;=\r\ntext\r\n", beast_http::error::bad_chunk_extension, "extension"),
        in_chunks("a_space_after_a_size", "4 x\r\ntext\r\n", beast_http::error::bad_chunk_extension, "extension"),
        in_chunks(
            "a_length_in_the_trailers",
            "0\r\nContent-Length: 4\r\n\r\n",
            beast_http::error::bad_content_length,
            "Content-Length"),
        in_chunks("a_trailer_without_a_colon", "0\r\ntrailer\r\n\r\n", beast_http::error::bad_field, "field"),
        after_ok(
            "two_lengths",
            "Content-Length: 4\r\nContent-Length: 5\r\n\r\ntext!",
            beast_http::error::multiple_content_length,
            "Content-Length"),
        after_ok(
            "two_lengths_in_one_field",
            "Content-Length: 4, 5\r\n\r\ntext!",
            beast_http::error::multiple_content_length,
            "Content-Length"),
        after_ok(
            "a_length_before_chunks",
            "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            beast_http::error::bad_transfer_encoding,
            "Transfer-Encoding"),
        after_ok(
            "a_length_after_chunks",
            "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
            beast_http::error::bad_content_length,
            "Content-Length"),
        after_ok(
            "chunks_of_chunks",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            beast_http::error::bad_transfer_encoding,
            "Transfer-Encoding"),
        after_ok(
            "a_length_after_an_unknown_coding",
            "Transfer-Encoding: gzip\r\nContent-Length: 4\r\n\r\ntext",
            beast_http::error::bad_transfer_encoding,
            "Transfer-Encoding"),
        after_ok(
            "chunks_that_are_not_the_last_coding",
            "Transfer-Encoding: chunked, gzip\r\nContent-Length: 4\r\n\r\ntext",
            beast_http::error::bad_transfer_encoding,
            "Transfer-Encoding"),
        after_ok(
            "an_unknown_coding",
            "Transfer-Encoding: xchunked\r\n\r\n4\r\ntext\r\n0\r\n\r\n",
            beast_http::error::bad_transfer_encoding,
            "Transfer-Encoding"),
        after_ok(
            "a_negative_length", "Content-Length: -4\r\n\r\n", beast_http::error::bad_content_length, "Content-Length"),
        after_ok(
            "a_length_with_a_sign",
            "Content-Length: +4\r\n\r\n",
            beast_http::error::bad_content_length,
            "Content-Length"),
        after_ok(
            "no_number_as_length",
            "Content-Length: four\r\n\r\n",
            beast_http::error::bad_content_length,
            "Content-Length"),
        after_ok(
            "a_hexadecimal_length",
            "Content-Length: 0x4\r\n\r\n",
            beast_http::error::bad_content_length,
            "Content-Length"),
        after_ok("an_empty_length", "Content-Length:\r\n\r\n", beast_http::error::bad_content_length, "Content-Length"),
        after_ok(
            "too_large_a_length",
            "Content-Length: 18446744073709551616\r\n\r\n",
            beast_http::error::bad_content_length,
            "Content-Length"),
        after_ok("a_nul_in_a_value", "X: a\0b\r\n\r\n"s, beast_http::error::bad_value, "value"),
        after_ok("a_nul_in_a_name", "X\0Y: a\r\n\r\n"s, beast_http::error::bad_field, "field"),
        after_ok("half_a_line_break_in_a_value", "X: a\rY: b\r\n\r\n", beast_http::error::bad_line_ending, "line"),
        after_ok("the_other_half_in_a_value", "X: a\nY: b\r\n\r\n", beast_http::error::bad_value, "value"),
        after_ok("no_colon", "no colon\r\n\r\n", beast_http::error::bad_field, "field"),
        after_ok("a_space_before_the_colon", "Content-Length : 4\r\n\r\ntext", beast_http::error::bad_field, "field"),
        after_ok("an_empty_name", ": 4\r\n\r\n", beast_http::error::bad_field, "field"),
        after_ok("a_fold_before_any_field", " X: y\r\n\r\n", beast_http::error::bad_field, "field"),
        bad_answer{"no_number_as_status", "HTTP/1.1 OK\r\n\r\n", beast_http::error::bad_status, "status"},
        bad_answer{"two_digits_of_a_status", "HTTP/1.1 20 OK\r\n\r\n", beast_http::error::bad_status, "status"},
        bad_answer{"four_digits_of_a_status", "HTTP/1.1 2000 OK\r\n\r\n", beast_http::error::bad_status, "status"},
        bad_answer{"status_0", "HTTP/1.1 000 OK\r\nContent-Length: 0\r\n\r\n", beast_http::error::bad_status, "status"},
        bad_answer{
            "status_99", "HTTP/1.1 099 OK\r\nContent-Length: 0\r\n\r\n", beast_http::error::bad_status, "status"},
        bad_answer{"no_status", "HTTP/1.1\r\nContent-Length: 0\r\n\r\n", beast_http::error::bad_version, "version"},
        bad_answer{"a_nul_in_the_reason", "HTTP/1.1 200 O\0K\r\n\r\n"s, beast_http::error::bad_reason, "reason"},
        bad_answer{"version_1_2", "HTTP/1.2 200 OK\r\n\r\n", beast_http::error::bad_version, "version"},
        bad_answer{"version_2_0", "HTTP/2.0 200 OK\r\n\r\n", http::errc::not_http, "HTTP/1"}),
    [](auto const& each) { return std::string(each.param.name); });

class http_bad_request : public stepped_fixture {
protected:
    http_bad_request() : stepped_fixture(false) {}
};

TEST_F(http_bad_request, is_refused_for_good_before_anything_is_sent)
{
    auto client = make();
    auto const refused = [&](http::request message, http::errc expected, char const* says) {
        retry_report report;
        error_code error;
        int completions = 0;
        call asked(message);
        send(client, asked);
        EXPECT_EQ(asked.error, expected) << asked.error.message();
        EXPECT_NE(asked.error.message().find(says), std::string::npos) << asked.error.message();
        EXPECT_EQ(asked.delivered(), delivery::not_sent);
        client.async_send(std::move(message), report_to(report), [&](error_code told, http::response const& /*none*/) {
            ++completions;
            error = told;
        });
        ASSERT_TRUE(run_until([&] { return completions != 0; }));
        EXPECT_EQ(error, expected);
        EXPECT_EQ(report.attempts(), 1u);
        EXPECT_EQ(report.reason(), stop_reason::permanent);
    };
    for (auto const& value : {"a\r\nb: c"s, "a\nb"s, "a\rb"s, "a\0b"s, "\0"s}) {
        auto message = make_request(verb::get);
        message.set("X-Mine", value);
        refused(message, http::errc::invalid_field, value.find('\0') == std::string::npos ? "line break" : "NUL");
    }
    for (auto const& name : {"a b"s, "a:"s, "a\r\nb"s, "a\0b"s, "\xc3\xa4"s}) {
        auto message = make_request(verb::get);
        message.insert(name, "value");
        refused(message, http::errc::invalid_field, "name");
    }
    for (auto const& target : {"/a b"s, "/a\r\nX: y"s, "/\0"s, "a"s, "http://elsewhere.example/"s})
        refused(make_request(verb::get, target), http::errc::invalid_target, "target");
    EXPECT_EQ(server->accepted(), 0);
    EXPECT_EQ(server->accept(), nullptr);
    expect_usable(client);
}

}  // namespace
}  // namespace backbeat::test
