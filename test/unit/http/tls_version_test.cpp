//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "client_fixture.hpp"
#include "pem_file.hpp"
#include "test_certificate.hpp"
#include "tls_server.hpp"

#include <backbeat/http/classifier.hpp>
#include <backbeat/http/client.hpp>

#include <boost/asio/ssl/error.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/system/system_error.hpp>

#include <openssl/evp.h>
#include <openssl/pem.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <stdexcept>

namespace backbeat::test {
namespace {

using http::verb;
namespace asio = boost::asio;
namespace beast_http = boost::beast::http;

test_certificate const& server_certificate()
{
    static auto const made = make_test_certificate("IP:127.0.0.1");
    return made;
}

test_certificate const& client_certificate()
{
    static auto const made = make_test_certificate("DNS:client.example");
    return made;
}

void answer_and_close(peer& client)
{
    client.read_request();
    client.write(answer(200, "text", "Connection: close\r\n"));
}

class http_tls_version : public client_fixture, public ::testing::WithParamInterface<int> {
protected:
    http::client_options trusting() const
    {
        http::client_options options = tested_client_options();
        options.ca_certificate = server_certificate().authority;
        return options;
    }

    http::client make(tls_server const& server) { return {context.get_executor(), server.url(), trusting()}; }

    void expect_answer(http::client& client)
    {
        call sent("/");
        send(client, sent);
        EXPECT_EQ(sent.error, boost::system::error_code()) << sent.error.message();
        EXPECT_EQ(sent.response.body(), "text");
    }

    tls_server_options of_version{.version = GetParam()};
};

INSTANTIATE_TEST_SUITE_P(
    of_1, http_tls_version, ::testing::Values(TLS1_2_VERSION, TLS1_3_VERSION), [](auto const& each) {
        return std::string(each.param == TLS1_2_VERSION ? "2" : "3");
    });

TEST_P(http_tls_version, is_spoken_and_resumed)
{
    tls_server server(answer_and_close, server_certificate(), of_version);
    auto client = make(server);
    for (int i = 0; i != 4; ++i) expect_answer(client);
    auto const seen = server.handshakes();
    ASSERT_EQ(seen.size(), 4u);
    for (std::size_t i = 0; i != seen.size(); ++i) {
        EXPECT_EQ(seen[i].version, GetParam());
        EXPECT_EQ(seen[i].resumed, i != 0) << i;
    }
}

TEST_P(http_tls_version, is_resumed_after_a_close_without_notice)
{
    tls_server server(
        [](peer& client) {
            answer_and_close(client);
            client.close_without_notify();
        },
        server_certificate(),
        of_version);
    auto client = make(server);
    for (int i = 0; i != 2; ++i) expect_answer(client);
    EXPECT_TRUE(server.handshakes().back().resumed);
}

TEST_P(http_tls_version, is_not_resumed_by_another_client)
{
    tls_server server(answer_and_close, server_certificate(), of_version);
    for (int i = 0; i != 2; ++i) {
        auto client = make(server);
        expect_answer(client);
    }
    EXPECT_FALSE(server.handshakes().back().resumed);
}

TEST_P(http_tls_version, does_not_offer_again_a_session_with_which_a_handshake_failed)
{
    of_version.tickets = 1;
    tls_server server(answer_and_close, server_certificate(), of_version);
    auto client = make(server);
    expect_answer(client);
    server.reset_next();
    call failed(make_request(verb::post));
    send(client, failed);
    EXPECT_TRUE(failed.error);
    EXPECT_EQ(failed.delivered(), delivery::not_sent);
    for (int i = 0; i != 2; ++i) expect_answer(client);
    auto const seen = server.handshakes();
    ASSERT_EQ(seen.size(), 3u);
    EXPECT_FALSE(seen[1].resumed);
    EXPECT_TRUE(seen[2].resumed);
}

TEST_P(http_tls_version, gives_a_session_to_one_connection)
{
    of_version.tickets = 1;
    tls_server server(answer_and_close, server_certificate(), of_version);
    auto client = make(server);
    expect_answer(client);
    call one("/");
    call other("/");
    one.start(client);
    other.start(client);
    run(one, other);
    auto const seen = server.handshakes();
    ASSERT_EQ(seen.size(), 3u);
    EXPECT_EQ(std::count_if(seen.begin(), seen.end(), [](auto const& each) { return each.resumed; }), 1);
}

TEST_P(http_tls_version, is_resumed_on_many_threads)
{
    tls_server server(answer_and_close, server_certificate(), of_version);
    asio::thread_pool pool(4);
    auto options = trusting();
    options.strand = http::strand_kind::explicit_strand;
    options.maximum_connections = 8;
    http::client client(pool.get_executor(), server.url(), options);
    constexpr int requests = 100;
    std::atomic<int> served = 0;
    for (int i = 0; i != requests; ++i)
        client.async_get("/", [&served](boost::system::error_code error, http::response const& response) {
            if (!error && response.body() == "text") ++served;
        });
    pool.join();
    EXPECT_EQ(served, requests);
    auto const seen = server.handshakes();
    // Only those that begin before the first has ended find no session.
    EXPECT_GE(
        std::count_if(seen.begin(), seen.end(), [](auto const& each) { return each.resumed; }),
        requests - static_cast<int>(options.maximum_connections));
}

TEST_P(http_tls_version, shows_the_certificate_of_the_client)
{
    of_version.client_authority = client_certificate().authority;
    tls_server server(answer_and_close, server_certificate(), of_version);
    pem_file const certificate(client_certificate().certificate);
    pem_file const key(client_certificate().key);
    pem_file const both(client_certificate().certificate + client_certificate().key);
    auto options = trusting();
    options.certificate_file = certificate.path();
    options.private_key_file = key.path();
    auto together = trusting();
    together.certificate_file = both.path();
    for (auto const& each : {options, together}) {
        http::client client(context.get_executor(), server.url(), each);
        for (int i = 0; i != 2; ++i) expect_answer(client);
        EXPECT_EQ(server.handshakes().back().client, "Backbeat test server");
        EXPECT_TRUE(server.handshakes().back().resumed);
    }
}

TEST_P(http_tls_version, is_refused_for_good_without_the_certificate_that_is_asked_for)
{
    of_version.client_authority = client_certificate().authority;
    tls_server server(answer_and_close, server_certificate(), of_version);
    auto client = make(server);
    call sent("/");
    send(client, sent);
    EXPECT_TRUE(sent.error);
    EXPECT_EQ(http::classifier{verb::get}(sent.error, sent.response).kind, verdict_kind::permanent)
        << sent.error.message();
    EXPECT_EQ(client.open_connections(), 0u);
}

struct framing {
    char const* head;
    char const* begin;
    char const* end;  // of the body; null: the end of the connection
};

constexpr framing framings[] = {
    {"Content-Length: 4\r\n\r\n", "te", "xt"},
    {"Transfer-Encoding: chunked\r\n\r\n", "2\r\nte\r\n", "2\r\nxt\r\n0\r\n\r\n"},
    {"\r\n", "text", nullptr}};

TEST_P(http_tls_version, takes_an_end_without_notice_inside_a_message_for_an_attack)
{
    for (auto const& each : framings) {
        for (auto const& bytes :
             {std::string(), std::string("HTTP/1.1 2"), "HTTP/1.1 200 OK\r\n" + std::string(each.head) + each.begin}) {
            tls_server server(
                [&](peer& client) {
                    client.read_request();
                    client.write(bytes);
                    client.close_without_notify();
                },
                server_certificate(),
                of_version);
            auto client = make(server);
            call sent("/");
            EXPECT_EQ(send(client, sent).error, asio::ssl::error::stream_truncated) << bytes << sent.error.message();
            EXPECT_EQ(sent.delivered(), delivery::ambiguous);
            EXPECT_EQ(client.open_connections(), 0u);
        }
    }
}

TEST_P(http_tls_version, does_not_mind_an_end_without_notice_after_a_message)
{
    for (auto const& each : framings) {
        if (each.end == nullptr) continue;
        tls_server server(
            [&](peer& client) {
                client.read_request();
                client.write("HTTP/1.1 200 OK\r\n" + std::string(each.head) + each.begin + each.end);
                client.close_without_notify();
            },
            server_certificate(),
            of_version);
        auto client = make(server);
        for (int i = 0; i != 2; ++i) expect_answer(client);
    }
}

TEST_P(http_tls_version, tells_an_end_with_notice_inside_a_message_from_its_end)
{
    for (auto const& each : framings) {
        tls_server server(
            [&](peer& client) {
                client.read_request();
                client.write("HTTP/1.1 200 OK\r\n" + std::string(each.head) + each.begin);
                client.close();
            },
            server_certificate(),
            of_version);
        auto client = make(server);
        if (each.end == nullptr) {
            expect_answer(client);
        } else {
            call sent("/");
            EXPECT_EQ(send(client, sent).error, beast_http::error::partial_message) << sent.error.message();
        }
        EXPECT_EQ(client.open_connections(), 0u);
    }
}

class http_tls_files : public client_fixture {
protected:
    std::string refusal(std::function<void(http::client_options&)> const& change)
    {
        http::client_options options = tested_client_options();
        change(options);
        try {
            http::client const client(context.get_executor(), "https://localhost", options);
        } catch (boost::system::system_error const& refused) {
            return refused.what();
        } catch (std::invalid_argument const& refused) {
            return std::string("invalid: ") + refused.what();
        }
        return "accepted";
    }
};

std::string with_password(std::string const& key)
{
    auto* const from = ::BIO_new_mem_buf(key.data(), static_cast<int>(key.size()));
    auto* const read = ::PEM_read_bio_PrivateKey(from, nullptr, nullptr, nullptr);
    auto* const to = ::BIO_new(::BIO_s_mem());
    ::PEM_write_bio_PKCS8PrivateKey(to, read, ::EVP_aes_256_cbc(), "secret", 6, nullptr, nullptr);
    char* data = nullptr;
    auto const size = BIO_get_mem_data(to, &data);
    std::string result(data, static_cast<std::size_t>(size));
    ::EVP_PKEY_free(read);
    ::BIO_free(from);
    ::BIO_free(to);
    return result;
}

TEST_F(http_tls_files, are_named_with_what_is_wrong_with_them)
{
    pem_file const certificate(client_certificate().certificate);
    pem_file const key(client_certificate().key);
    pem_file const other_key(server_certificate().key);
    pem_file const locked_key(with_password(client_certificate().key));
    struct {
        std::string certificate, key, option, file, cause;
    } const cases[] = {
        {certificate.path(), key.path(), "", "", "accepted"},
        {"/nowhere/c.pem", "", "certificate_file", "/nowhere/c.pem", "No such file"},
        {key.path(), key.path(), "certificate_file", key.path(), "no start line"},
        {certificate.path(), "", "certificate_file", certificate.path(), "no key of the certificate"},
        {certificate.path(), "/nowhere/k.pem", "private_key_file", "/nowhere/k.pem", "No such file"},
        {certificate.path(), other_key.path(), "private_key_file", other_key.path(), "key values mismatch"},
        {certificate.path(), locked_key.path(), "private_key_file", locked_key.path(), "with a password"},
        {"", key.path(), "private_key_file", "", "invalid: "},
    };
    for (auto const& each : cases) {
        auto const told = refusal([&](auto& options) {
            options.certificate_file = each.certificate;
            options.private_key_file = each.key;
        });
        for (auto const& part : {each.option, each.file, each.cause})
            EXPECT_NE(told.find(part), std::string::npos) << "not '" << part << "' in: " << told;
    }
}

TEST_F(http_tls_files, are_read_once)
{
    tls_server_options asking;
    asking.client_authority = client_certificate().authority;
    tls_server server(answer_and_close, server_certificate(), asking);
    http::client_options options = tested_client_options();
    options.ca_certificate = server_certificate().authority;
    std::optional<pem_file> file(client_certificate().certificate + client_certificate().key);
    options.certificate_file = file->path();
    http::client client(context.get_executor(), server.url(), options);
    file.reset();
    call sent("/");
    EXPECT_EQ(send(client, sent).status(), 200u);
}

class http_old_tls : public client_fixture {};

TEST_F(http_old_tls, is_refused_for_good)
{
    tls_server_options old;
    old.version = TLS1_1_VERSION;
    tls_server server(answer_and_close, server_certificate(), old);
    http::client_options options = tested_client_options();
    options.ca_certificate = server_certificate().authority;
    http::client client(context.get_executor(), server.url(), options);
    call sent(make_request(verb::post));
    send(client, sent);
    EXPECT_TRUE(sent.error);
    EXPECT_NE(sent.error.message().find("version"), std::string::npos) << sent.error.message();
    EXPECT_EQ(sent.delivered(), delivery::not_sent);
    EXPECT_EQ(http::classifier{verb::get}(sent.error, sent.response).kind, verdict_kind::permanent);
    EXPECT_TRUE(server.handshakes().empty());
}

}  // namespace
}  // namespace backbeat::test
