//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "client_fixture.hpp"
#include "pem_file.hpp"
#include "test_certificate.hpp"

#include <backbeat/http/classifier.hpp>
#include <backbeat/http/client.hpp>

#include <boost/asio/ssl/error.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/system/system_error.hpp>

#include <openssl/x509_vfy.h>

#include <optional>

namespace backbeat::test {
namespace {

using http::verb;
namespace asio = boost::asio;
namespace beast_http = boost::beast::http;

test_certificate const& local_certificate()
{
    static auto const made = make_test_certificate("DNS:localhost,IP:127.0.0.1");
    return made;
}

test_certificate const& foreign_certificate()
{
    static auto const made = make_test_certificate("DNS:elsewhere.example,IP:192.0.2.1");
    return made;
}

class http_tls : public client_fixture {
protected:
    http::client make(std::string const& url, std::string const& authority = local_certificate().authority)
    {
        http::client_options options = tested_client_options();
        options.ca_certificate = authority;
        return {context.get_executor(), url, options};
    }

    void expect_untrusted(http::client& client, long reason)
    {
        call sent(make_request(verb::post));
        send(client, sent);
        EXPECT_EQ(sent.error, boost::system::error_code(static_cast<int>(reason), http::certificate_category()))
            << sent.error.message();
        EXPECT_NE(sent.error.message().find("not trusted: "), std::string::npos);
        EXPECT_TRUE(http::is_certificate_error(sent.error));
        EXPECT_EQ(sent.delivered(), delivery::not_sent);
        EXPECT_EQ(http::classifier{verb::get}(sent.error, sent.response).kind, verdict_kind::permanent);
        EXPECT_EQ(client.open_connections(), 0u);
    }
};

TEST_F(http_tls, trusts_the_given_authority_and_keeps_the_connection)
{
    std::string name;
    scripted_server server(
        {[&](peer& client) {
            name = client.server_name();
            answering({answer(200, "secret")})(client);
        }},
        local_certificate());
    {
        auto client = make(server.url("localhost"));
        for (int i = 0; i != 3; ++i) {
            call sent("/");
            EXPECT_EQ(send(client, sent).error, boost::system::error_code()) << sent.error.message();
            EXPECT_EQ(sent.response.body(), "secret");
            EXPECT_EQ(sent.delivered(), delivery::responded);
        }
        EXPECT_EQ(server.accepted(), 1);
        EXPECT_EQ(name, "localhost");
    }
    settle();
    auto client = make(server.url("127.0.0.1"));
    call sent("/");
    EXPECT_EQ(send(client, sent).status(), 200u);
    EXPECT_EQ(name, "") << "an address was sent as a server name";
}

TEST_F(http_tls, reads_the_authority_from_a_file)
{
    scripted_server server({answering({answer(200)})}, local_certificate());
    std::optional<pem_file> authority(local_certificate().authority);
    http::client_options options = tested_client_options();
    options.ca_file = authority->path();
    http::client client(context.get_executor(), server.url(), options);
    authority.reset();
    call sent("/");
    EXPECT_EQ(send(client, sent).status(), 200u);
}

TEST_F(http_tls, refuses_files_and_texts_that_are_no_certificates)
{
    http::client_options file = tested_client_options();
    file.ca_file = "/nowhere/ca.pem";
    try {
        http::client const client(context.get_executor(), "https://localhost", file);
        ADD_FAILURE();
    } catch (boost::system::system_error const& refused) {
        EXPECT_NE(std::string(refused.what()).find("/nowhere/ca.pem"), std::string::npos);
    }
    http::client_options text = tested_client_options();
    text.ca_certificate = "no certificate";
    EXPECT_THROW(http::client(context.get_executor(), "https://localhost", text), boost::system::system_error);
}

TEST_F(http_tls, refuses_an_unknown_authority)
{
    scripted_server server({answering({answer(200)})}, local_certificate());
    // Of the same name, with another key.
    auto other = make(server.url(), foreign_certificate().authority);
    expect_untrusted(other, X509_V_ERR_CERT_SIGNATURE_FAILURE);
    http::client system(context.get_executor(), server.url(), tested_client_options());
    expect_untrusted(system, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY);
}

TEST_F(http_tls, refuses_the_certificate_of_another_host)
{
    scripted_server server({answering({answer(200)})}, foreign_certificate());
    auto by_name = make(server.url("localhost"), foreign_certificate().authority);
    expect_untrusted(by_name, X509_V_ERR_HOSTNAME_MISMATCH);
    auto by_address = make(server.url("127.0.0.1"), foreign_certificate().authority);
    expect_untrusted(by_address, X509_V_ERR_IP_ADDRESS_MISMATCH);
}

TEST_F(http_tls, accepts_anything_if_told_so)
{
    scripted_server server({answering({answer(200)})}, foreign_certificate());
    http::client_options options = tested_client_options();
    options.verify = false;
    http::client client(context.get_executor(), server.url(), options);
    call sent("/");
    EXPECT_EQ(send(client, sent).status(), 200u);
}

TEST_F(http_tls, knows_a_server_that_speaks_no_tls)
{
    scripted_server server({[](peer& client) {
        client.write("HTTP/1.1 400 Bad Request\r\n\r\n");
        client.wait_for_close();
    }});
    auto client = make("https://127.0.0.1:" + std::to_string(server.port()));
    call sent("/");
    EXPECT_EQ(send(client, sent).error, http::errc::not_tls) << sent.error.message();
    EXPECT_EQ(sent.delivered(), delivery::not_sent);
}

TEST_F(http_tls, knows_a_server_that_speaks_only_tls)
{
    scripted_server server({[](peer& client) { client.write("\x15\x03\x01\x02\x02\x46"); }});
    auto client = make(server.url());
    call sent("/");
    EXPECT_EQ(send(client, sent).error, http::errc::not_http) << sent.error.message();
}

TEST_F(http_tls, reports_a_handshake_that_breaks_off)
{
    scripted_server server(
        {[](peer& client) { client.reset(); }, [](peer& client) { client.close_without_notify(); }},
        local_certificate(),
        false);
    auto client = make(server.url());
    for (int i = 0; i != 2; ++i) {
        call sent(make_request(verb::post));
        send(client, sent);
        EXPECT_TRUE(sent.error);
        EXPECT_EQ(sent.delivered(), delivery::not_sent);
        auto const judged = http::classifier{verb::post}(sent.current, sent.error, sent.response);
        EXPECT_EQ(judged.kind, verdict_kind::retry) << sent.error.message();
    }
}

TEST_F(http_tls, does_not_mind_a_missing_close_after_a_message)
{
    gate closed;
    scripted_server server(
        {[&](peer& client) {
             client.read_request();
             client.write(answer(200, "whole"));
             client.close_without_notify();
             closed.open();
         },
         answering({answer(201)})},
        local_certificate());
    auto client = make(server.url());
    call first("/");
    EXPECT_EQ(send(client, first).response.body(), "whole");
    ASSERT_TRUE(closed.wait());
    call second(make_request(verb::post));
    EXPECT_EQ(send(client, second).status(), 201u);
    EXPECT_EQ(server.accepted(), 2);
}

TEST_F(http_tls, discards_a_kept_connection_that_was_closed_with_notice)
{
    gate closed;
    scripted_server server(
        {[&](peer& client) {
             client.read_request();
             client.write(answer(200));
             client.close();
             closed.open();
         },
         answering({answer(201)})},
        local_certificate());
    auto client = make(server.url());
    call first("/");
    send(client, first);
    ASSERT_TRUE(closed.wait());
    call second(make_request(verb::post));
    EXPECT_EQ(send(client, second).status(), 201u);
}

TEST_F(http_tls, carries_long_bodies_both_ways)
{
    std::string const body(300'000, 'x');
    std::size_t received = 0;
    scripted_server server(
        {[&](peer& client) {
            received = client.read_request().size();
            client.write(answer(200, body));
            client.wait_for_close();
        }},
        local_certificate());
    auto client = make(server.url());
    call sent(make_request(verb::post, "/", body));
    EXPECT_EQ(send(client, sent).response.body(), body);
    EXPECT_GT(received, body.size());
    EXPECT_EQ(client.idle_connections(), 1u);
}

}  // namespace
}  // namespace backbeat::test
