//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "emulator_client.hpp"

#include <backbeat/emulator.hpp>

#include <boost/asio/read.hpp>
#include <boost/system/system_error.hpp>

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace backbeat {

namespace {

using namespace std::chrono_literals;
using test::emulator_client;
namespace http = boost::beast::http;

constexpr char const* list_target = "/v1/projects/p/locations/-/instances";

std::uint16_t port_of(std::string const& url)
{
    return static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
}

emulator_options with_rule(std::string const& text)
{
    emulator_options options;
    options.faults.push_back(parse_fault_rule(text));
    return options;
}

// So that a test which fails does not wait for the end of a connection that is kept.
emulator_options that_gives_up_soon()
{
    emulator_options options;
    options.idle_timeout = 2s;
    return options;
}

TEST(emulator_server, starts_on_a_free_port_in_one_line)
{
    emulator google;
    EXPECT_EQ(google.url().find("http://127.0.0.1:"), 0U);
    EXPECT_EQ(google.tls_url(), "");
    EXPECT_EQ(google.ca_certificate(), "");
    EXPECT_EQ(emulator_client(google.url()).get(list_target).status, 200);
}

TEST(emulator_server, a_port_in_use_is_an_error_that_names_it)
{
    emulator google;
    emulator_options options;
    options.port = port_of(google.url());
    try {
        emulator second(options);
        FAIL();
    } catch (boost::system::system_error const& error) {
        EXPECT_EQ(error.code(), boost::asio::error::address_in_use);
        EXPECT_EQ(
            std::string(error.what()).find("the emulator cannot listen on 127.0.0.1:" + std::to_string(options.port)),
            0U);
    }
    options.port = 0;
    options.host = "192.0.2.1";
    EXPECT_THROW(emulator{options}, boost::system::system_error);
}

TEST(emulator_server, a_port_is_free_again_after_stop)
{
    emulator_options options;
    {
        emulator google;
        options.port = port_of(google.url());
        EXPECT_EQ(emulator_client(google.url()).get(list_target).status, 200);
        google.stop();
        google.stop();
        EXPECT_EQ(google.total_requests(), 1U);
    }
    emulator again(options);
    EXPECT_EQ(emulator_client(again.url()).get(list_target).status, 200);
}

TEST(emulator_server, refuses_options_that_contradict_themselves)
{
    auto const refused = [](auto change) {
        emulator_options options;
        change(options);
        EXPECT_THROW(emulator{options}, std::invalid_argument);
    };
    refused([](emulator_options& options) { options.plain = false; });
    refused([](emulator_options& options) { options.operation_time = -1ns; });
    refused([](emulator_options& options) { options.idle_timeout = 0ns; });
    refused([](emulator_options& options) { options.header_limit = 0; });
    refused([](emulator_options& options) { options.faults.emplace_back(); });
    refused([](emulator_options& options) { options.quota = request_quota(0, 1s); });
    refused([](emulator_options& options) { options.quota = request_quota(1, 0s); });
    refused([](emulator_options& options) { options.capacity = 1'000'001; });
    refused([](emulator_options& options) { options.queue = 1; });
    refused([](emulator_options& options) { options.jwt_key = "no key"; });
    refused([](emulator_options& options) { options.snapshot = "no snapshot"; });
    refused([](emulator_options& options) { options.unreachable = {"no location"}; });
    refused([](emulator_options& options) { options.log_headers = {"no name"}; });
    refused([](emulator_options& options) { options.log_headers = {""}; });
    refused([](emulator_options& options) { options.log_headers.assign(33, "a"); });
}

TEST(emulator_server, speaks_tls_to_who_trusts_it)
{
    emulator_options options;
    options.tls = true;
    emulator google(options);
    for (auto const* host : {"localhost", "127.0.0.1", "::1"}) {
        emulator_client client(google.tls_url(), google.ca_certificate(), host);
        EXPECT_EQ(client.get(list_target).status, 200) << host;
        EXPECT_EQ(client.get(list_target).status, 200) << host;
    }
    EXPECT_THROW(
        emulator_client(google.tls_url(), google.ca_certificate(), "example.com"), boost::system::system_error);
    emulator other(options);
    EXPECT_THROW(emulator_client(google.tls_url(), other.ca_certificate()), boost::system::system_error);

    // Both listeners show the same state.
    EXPECT_EQ(emulator_client(google.url()).get(list_target).status, 200);
    EXPECT_EQ(google.total_requests(), 7U);
}

TEST(emulator_server, can_speak_tls_only)
{
    emulator_options options;
    options.plain = false;
    options.tls = true;
    emulator google(options);
    EXPECT_EQ(google.url(), "");
    EXPECT_EQ(emulator_client(google.tls_url(), google.ca_certificate()).get(list_target).status, 200);

    // Who does not speak TLS is disconnected, and nobody else is disturbed.
    EXPECT_NE(emulator_client(google.tls_url()).get(list_target).status, 200);
    EXPECT_EQ(emulator_client(google.tls_url(), google.ca_certificate()).get(list_target).status, 200);
}

TEST(emulator_server, keeps_connections_alive)
{
    emulator google;
    emulator_client client(google.url());
    for (int i = 0; i != 100; ++i) EXPECT_EQ(client.get(list_target).status, 200);
    EXPECT_EQ(google.peak_connections(), 1U);
    EXPECT_EQ(google.open_connections(), 1U);

    auto const last = client.send("GET", list_target, {}, "Connection: close\r\n");
    EXPECT_EQ(last.status, 200);
    EXPECT_EQ(last.fields["Connection"], "close");
    EXPECT_EQ(client.read().error, http::error::end_of_stream);
    client.close();
    while (google.open_connections() != 0) std::this_thread::yield();
}

TEST(emulator_server, answers_pipelined_requests_in_their_order)
{
    emulator_options options = with_rule("delay=20ms path=/first");
    emulator google(options);
    emulator_client client(google.url());
    client.write("GET /first HTTP/1.1\r\nHost: x\r\n\r\nPOST /second HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
                 "GET /third HTTP/1.1\r\nHost: x\r\n\r\n");
    for (auto const* name : {"GET /first", "POST /second", "GET /third"}) {
        auto const reply = client.read();
        EXPECT_EQ(reply.status, 404);
        EXPECT_NE(reply.body.find(name), std::string::npos);
    }
}

TEST(emulator_server, speaks_http_as_clients_do)
{
    emulator google;
    emulator_client client(google.url());
    for (auto const* query :
         {"?", "?alt=json", "?$alt=json%3Benum-encoding=int", "?pageSize=2&alt=json&prettyPrint=true"})
        EXPECT_EQ(client.get(std::string(list_target) + query).status, 200) << query;
    // A GET with a body length, as some clients send, and a DELETE with one.
    EXPECT_EQ(
        client.send("GET", list_target, "", "Content-Type: application/json\r\nAccept-Encoding: gzip\r\n").status, 200);
    EXPECT_EQ(client.get("http://redis.googleapis.com" + std::string(list_target)).status, 200);

    auto reply = client.send("HEAD", list_target);
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.fields["Content-Length"], "2");
    EXPECT_FALSE(reply.fields["Date"].empty());
    EXPECT_EQ(client.get(list_target).status, 200);

    client.write(
        "POST " + std::string(list_target)
        + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n");
    EXPECT_EQ(client.read().status, 400);

    client.write("POST /x HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    EXPECT_EQ(client.read().status, 100);
    client.write("{}");
    EXPECT_EQ(client.read().status, 404);

    client.write("GET " + std::string(list_target) + " HTTP/1.0\r\n\r\n");
    EXPECT_EQ(client.read().status, 200);
    EXPECT_EQ(client.read().error, http::error::end_of_stream);
}

TEST(emulator_server, malformed_requests_are_answered_and_end_the_connection)
{
    emulator google;
    for (std::string const text :
         {"GARBAGE\r\n\r\n",
          "GET\r\n\r\n",
          "GET / FTTP/2.0\r\n\r\n",
          "GET / HTTP/x\r\n\r\n",
          "GET / HTTP/1.1\r\nA B: c\r\n\r\n",
          "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
          "\x16\x03\x01\x02\x01\r\n\r\n",
          "GET / HTTP/1.1\nHost: x\n\n",
          "GET / HTTP/1.1\r\nHost : x\r\n\r\n",
          "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"}) {
        emulator_client client(google.url());
        client.write(text);
        auto const reply = client.read();
        EXPECT_EQ(reply.status, 400) << text;
        EXPECT_EQ(reply.json().at("error").at("status").as_string(), "INVALID_ARGUMENT");
        EXPECT_EQ(client.read().error, http::error::end_of_stream);
    }
    EXPECT_EQ(google.total_requests(), 0U);
}

TEST(emulator_server, a_request_names_one_host)
{
    emulator google(that_gives_up_soon());
    auto const start = "GET " + std::string(list_target);
    for (std::string const fields :
         {"Host: localhost",
          "Host: redis.googleapis.com:443",
          "Host: [::1]:8080",
          "Host: 127.0.0.1:",
          "host:",
          "Host: a%2Db_~!$&'()*+,;="}) {
        emulator_client client(google.url());
        client.write(start + " HTTP/1.1\r\n" + fields + "\r\n\r\n");
        EXPECT_EQ(client.read().status, 200) << fields;
    }
    EXPECT_EQ(emulator_client(google.url()).get("http://redis.googleapis.com" + std::string(list_target)).status, 200);

    for (std::string const fields :
         {" HTTP/1.1\r\nAccept: */*",
          " HTTP/1.1\r\nHost: a\r\nHost: a",
          " HTTP/1.1\r\nHost: a\r\nhost: b",
          " HTTP/1.0\r\nHost: a\r\nHost: b",
          " HTTP/1.1\r\nHost: a b",
          " HTTP/1.1\r\nHost: http://a/",
          " HTTP/1.1\r\nHost: user@a",
          " HTTP/1.1\r\nHost: a:b",
          " HTTP/1.1\r\nHost: [::1",
          " HTTP/1.0\r\nHost: a/b"}) {
        emulator_client client(google.url());
        client.write(start + fields + "\r\n\r\n");
        auto const reply = client.read();
        EXPECT_EQ(reply.status, 400) << fields;
        EXPECT_NE(reply.body.find("Host field"), std::string::npos) << reply.body;
        EXPECT_EQ(client.read().error, http::error::end_of_stream);
    }
    EXPECT_EQ(google.total_requests(), 7U);
}

TEST(emulator_server, a_body_without_a_host_is_not_asked_for)
{
    emulator google;
    emulator_client client(google.url());
    client.write("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    EXPECT_EQ(client.read().status, 400);
}

TEST(emulator_server, what_a_chunked_body_has_besides_its_data_is_limited_like_a_header)
{
    emulator google(that_gives_up_soon());
    auto const start = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (auto const& [before, again] :
         {std::pair("2;a=", std::string(1000, 'x')), {"2\r\n{}\r\n0\r\n", "X: " + std::string(1000, 'x') + "\r\n"}}) {
        emulator_client client(google.url());
        client.write(start + std::string(before));
        for (int i = 0; i != 1000; ++i) client.write(again);
        auto const reply = client.read();
        EXPECT_EQ(reply.status, 431) << before;
        EXPECT_EQ(reply.fields["Connection"], "close");
    }
    emulator_client client(google.url());
    client.write(start + std::string("2;a=b\r\n{}\r\n0\r\nX: y\r\n\r\n"));
    EXPECT_EQ(client.read().status, 404);
}

TEST(emulator_server, trailers_are_no_header)
{
    emulator_options options;
    options.log_headers = {"x-a"};
    emulator google(options);
    emulator_client client(google.url());
    client.write("GET /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                 "0\r\nHost: y\r\nX-A: b\r\nConnection: close\r\n\r\n");
    auto const reply = client.read();
    EXPECT_EQ(reply.status, 404);
    EXPECT_EQ(reply.fields["Connection"], "");
    EXPECT_TRUE(google.requests().at(0).headers.empty());
    EXPECT_EQ(client.get(list_target).status, 200);
}

TEST(emulator_server, empty_lines_before_a_request_are_skipped)
{
    emulator google;
    emulator_client client(google.url());
    client.write("\r\n\r\nGET " + std::string(list_target) + " HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(client.read().status, 200);
    client.write("POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}\r\n");
    EXPECT_EQ(client.read().status, 404);
    EXPECT_EQ(client.get(list_target).status, 200);
}

TEST(emulator_server, the_answer_to_head_has_no_body_whatever_it_is)
{
    emulator google;
    emulator_client client(google.url());
    client.write("HEAD / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n");
    std::string answer(4096, '\0');
    boost::system::error_code ec;
    answer.resize(boost::asio::read(client.socket(), boost::asio::buffer(answer), ec));
    EXPECT_EQ(ec, boost::asio::error::eof);
    EXPECT_EQ(answer.find("HTTP/1.1 501 "), 0U) << answer;
    EXPECT_TRUE(answer.ends_with("\r\n\r\n")) << answer;
}

TEST(emulator_server, a_transfer_coding_in_http_1_0_ends_the_connection)
{
    emulator google(that_gives_up_soon());
    emulator_client client(google.url());
    client.write("POST /x HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    EXPECT_EQ(client.read().status, 404);
    EXPECT_EQ(client.read().error, http::error::end_of_stream);
}

TEST(emulator_server, requests_that_it_cannot_serve_are_answered_with_their_own_status)
{
    emulator_options options;
    options.header_limit = 2000;
    emulator google(options);
    struct expected {
        std::string text;
        int status;
    } const table[] = {
        {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
        {"GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505},
        {"GET / HTTP/0.9\r\n\r\n", 505},
        {"POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\nGET / HTTP/1.1\r\n\r\n", 501},
        {"POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501},
        {"GET /" + std::string(3000, 'x') + " HTTP/1.1\r\n\r\n", 414},
        {"GET /" + std::string(3000, 'x'), 414},
        {"GET / HTTP/1.1\r\nA: " + std::string(3000, 'x') + "\r\n\r\n", 431},
        {"GET /" + std::string(1900, 'x') + " HTTP/1.1\r\nA: " + std::string(100, 'x') + "\r\n\r\n", 431},
        {"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", 413},
        {"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2000000\r\n\r\n", 413},
        {"POST /emulator/v1/faults HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", 413},
    };
    for (auto const& [text, status] : table) {
        emulator_client client(google.url());
        client.write(text);
        auto const reply = client.read();
        EXPECT_EQ(reply.status, status) << text.substr(0, 80);
        EXPECT_EQ(reply.json().at("error").at("code").as_int64(), status);
        EXPECT_EQ(reply.fields["Connection"], "close");
        EXPECT_EQ(client.read().error, http::error::end_of_stream);
    }
    EXPECT_EQ(google.total_requests(), 0U);
    EXPECT_EQ(emulator_client(google.url()).get(list_target).status, 200);
}

TEST(emulator_server, its_own_paths_take_larger_bodies)
{
    emulator_options options;
    options.body_limit = 100;
    emulator google(options);
    emulator_client client(google.url());
    auto const rules = R"({"faults":[)" + std::string(5000, ' ') + R"({"reset":true}]})";
    EXPECT_EQ(client.post("/emulator/v1/faults", rules).status, 200);
    EXPECT_EQ(google.faults_fired().size(), 1U);
    EXPECT_EQ(client.post("/v1/x", std::string(101, ' ')).status, 413);
}

TEST(emulator_server, oversized_requests_are_answered_even_while_they_are_still_being_sent)
{
    emulator_options options;
    options.header_limit = 2000;
    options.body_limit = 10'000;
    options.tls = true;
    emulator google(options);
    for (auto const& [url, ca] :
         {std::pair(google.url(), std::string()), {google.tls_url(), google.ca_certificate()}}) {
        emulator_client header(url, ca);
        header.write("GET / HTTP/1.1\r\nA: " + std::string(300'000, 'x') + "\r\n\r\n");
        EXPECT_EQ(header.read().status, 431);

        emulator_client body(url, ca);
        body.write("POST / HTTP/1.1\r\nContent-Length: 300000\r\n\r\n" + std::string(300'000, 'x'));
        EXPECT_EQ(body.read().status, 413);

        emulator_client chunked(url, ca);
        chunked.write(
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n20000\r\n" + std::string(0x20000, 'x')
            + "\r\n0\r\n\r\n");
        EXPECT_EQ(chunked.read().status, 413);

        EXPECT_EQ(emulator_client(url, ca).send("POST", "/", std::string(10'000, ' ')).status, 404);
    }
}

TEST(emulator_server, slow_clients_are_disconnected)
{
    emulator_options options;
    options.tls = true;
    for (bool const tls : {false, true}) {
        options.idle_timeout = 2s;
        emulator google(options);
        auto const url = tls ? google.tls_url() : google.url();
        auto const ca = tls ? google.ca_certificate() : std::string();
        emulator_client idle(url, ca);
        emulator_client slow(url, ca);
        emulator_client silent(google.tls_url());
        slow.write("GET / HTTP/1.1\r\nHos");
        EXPECT_EQ(idle.get(list_target).status, 200);
        EXPECT_EQ(slow.read().status, 408);
        EXPECT_EQ(idle.read().error, http::error::end_of_stream);
        EXPECT_TRUE(silent.read().error);
    }
}

TEST(emulator_server, clients_that_do_not_read_are_disconnected)
{
    emulator_options options;
    options.idle_timeout = 4s;
    emulator google(options);
    emulator_client client(google.url());
    for (int i = 0; i != 1000; ++i) EXPECT_EQ(client.get("/" + std::string(2000, 'x')).status, 404);
    // More than fits between the two sockets.
    for (int i = 0; i != 20; ++i) client.write("GET /emulator/v1/requests HTTP/1.1\r\nHost: x\r\n\r\n");
    while (google.open_connections() != 0) std::this_thread::yield();
}

TEST(emulator_server, accepts_again_when_the_process_may_open_files_again)
{
    emulator google;
    // Its threads run now: UndefinedBehaviorSanitizer looks at what they begin with through a pipe. The connection stays:
    // closed later, it would make room for another file.
    emulator_client first(google.url());
    EXPECT_EQ(first.get(list_target).status, 200);
    boost::asio::io_context context;
    boost::asio::ip::tcp::socket socket(context, boost::asio::ip::tcp::v4());
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    auto low = before;
    low.rlim_cur = (std::min)(before.rlim_cur, rlim_t(256));
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
    std::vector<int> files;
    for (int file = ::dup(0); file >= 0; file = ::dup(0)) files.push_back(file);
    EXPECT_EQ(errno, EMFILE);

    socket.connect({boost::asio::ip::address_v4::loopback(), port_of(google.url())});
    boost::asio::write(socket, boost::asio::buffer("GET " + std::string(list_target) + " HTTP/1.0\r\n\r\n"));
    pollfd wanted{socket.native_handle(), POLLIN, 0};
    auto const begun = std::chrono::steady_clock::now();
    auto const busy_before = std::clock();
    EXPECT_EQ(::poll(&wanted, 1, 200), 0) << "there is no file for the connection";
    std::chrono::duration<double> const passed = std::chrono::steady_clock::now() - begun;
    EXPECT_LT(static_cast<double>(std::clock() - busy_before) / CLOCKS_PER_SEC, passed.count() / 2)
        << "it tries again now and then, and not all the time";

    for (int const file : files) ::close(file);
    EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    std::string answer(8, '\0');
    boost::asio::read(socket, boost::asio::buffer(answer));
    EXPECT_EQ(answer, "HTTP/1.1");
}

TEST(emulator_server, serves_a_thousand_connections_at_once)
{
    rlimit files{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &files), 0);
    files.rlim_cur = files.rlim_max;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &files), 0);
    ASSERT_GE(files.rlim_cur, 3000U) << "this system lets a process open too few files; raise `ulimit -Hn`";

    emulator google(with_rule("delay=300ms first=1"));
    std::vector<std::unique_ptr<emulator_client>> crowd;
    for (int i = 0; i != 1000; ++i) crowd.push_back(std::make_unique<emulator_client>(google.url()));
    for (int round = 0; round != 2; ++round) {
        for (auto& client : crowd) client->write("GET " + std::string(list_target) + " HTTP/1.1\r\nHost: x\r\n\r\n");
        for (auto& client : crowd) EXPECT_EQ(client->read().status, 200);
    }
    EXPECT_EQ(google.peak_connections(), 1000U);
    EXPECT_EQ(google.total_requests(), 2000U);
    crowd.clear();
    while (google.open_connections() != 0) std::this_thread::yield();
}

TEST(emulator_server, stop_does_not_wait_for_what_is_delayed_or_hangs)
{
    emulator_options options = with_rule("delay=1h path=/late");
    options.faults.push_back(parse_fault_rule("hang path=/never"));
    options.tls = true;
    emulator google(options);
    std::vector<std::unique_ptr<emulator_client>> clients;
    for (auto const& [url, ca] :
         {std::pair(google.url(), std::string()), {google.tls_url(), google.ca_certificate()}}) {
        for (auto const* path : {"/late", "/never", "/"}) {
            auto& client = *clients.emplace_back(std::make_unique<emulator_client>(url, ca));
            client.write("GET " + std::string(path) + " HTTP/1.1\r\nHost: x\r\n\r\n");
        }
        clients.push_back(std::make_unique<emulator_client>(url, ca));
    }
    while (google.total_requests() != 6) std::this_thread::yield();
    auto const begun = std::chrono::steady_clock::now();
    google.stop();
    EXPECT_LT(std::chrono::steady_clock::now() - begun, 5s);
    EXPECT_EQ(google.open_connections(), 0U);
    EXPECT_THROW(emulator_client{google.url()}, boost::system::system_error);
    for (auto& client : clients) {
        auto const reply = client->read();
        EXPECT_TRUE(reply.error || reply.status == 404);
    }
}

TEST(emulator_server, stop_and_accessors_may_be_called_while_clients_are_busy)
{
    emulator_options options = with_rule("status=503 rate=0.5");
    options.operation_time = 1ms;
    emulator google(options);
    std::atomic<std::uint64_t> sent{0};
    std::vector<std::thread> crowd;
    for (int t = 0; t != 4; ++t) {
        crowd.emplace_back([&google, &sent, t] {
            emulator_client client(google.url());
            for (int i = 0;; ++i) {
                auto const id = "t" + std::to_string(t) + "-" + std::to_string(i);
                auto const reply = client.post(
                    "/v1/projects/p/locations/l/instances?instanceId=" + id, R"({"tier":"BASIC","memorySizeGb":1})");
                if (reply.error) return;
                ++sent;
            }
        });
    }
    while (sent < 200) {
        (void)google.requests().size();
        (void)google.effects().size();
        (void)google.faults_fired();
        google.set_faults({parse_fault_rule("status=503 rate=0.5")});
    }
    google.stop();
    for (auto& each : crowd) each.join();
    EXPECT_GE(google.total_requests(), sent);
}

TEST(emulator_server, writes_one_line_for_each_request)
{
    std::mutex mutex;
    std::vector<std::string> lines;
    emulator_options options = with_rule("status=503 first=1");
    options.log = [&](std::string_view line) {
        std::lock_guard const lock(mutex);
        lines.emplace_back(line);
        if (lines.size() == 1) throw "a log that fails does no harm";
        throw std::runtime_error("whatever it throws");
    };
    emulator google(options);
    emulator_client client(google.url());
    EXPECT_EQ(client.get("/a%0Ab?c=%20").status, 503);
    EXPECT_EQ(client.get("/").status, 404);
    EXPECT_EQ(client.send("GET", "/id", {}, "X-Backbeat-Logical-Id: job 7\r\n").status, 404);
    client.write("GARBAGE\r\n\r\n");
    EXPECT_EQ(client.read().status, 400);
    google.set_faults({parse_fault_rule("refuse")});
    try {
        EXPECT_TRUE(emulator_client(google.url()).read().error);
    } catch (boost::system::system_error const&) {
        // Refused before it had connected.
    }
    google.stop();
    std::lock_guard const lock(mutex);
    ASSERT_EQ(lines.size(), 5U);
    EXPECT_NE(lines[0].find("Z GET /a%0Ab?c=%20 503 "), std::string::npos) << lines[0];
    EXPECT_NE(lines[0].find(" fault 0: status=503 first=1"), std::string::npos) << lines[0];
    EXPECT_NE(lines[1].find("Z GET / 404 "), std::string::npos) << lines[1];
    EXPECT_EQ(lines[2].substr(lines[2].size() - 11), " id job%207") << lines[2];
    EXPECT_NE(lines[3].find("Z malformed request 400 The request is not HTTP/1.1"), std::string::npos) << lines[3];
    EXPECT_NE(lines[4].find("Z connection refused fault 0: refuse"), std::string::npos) << lines[4];
}

}  // namespace

}  // namespace backbeat
