//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "client_fixture.hpp"
#include "openssl_server.hpp"
#include "pem_file.hpp"
#include "test_certificate.hpp"

#include <backbeat/http/classifier.hpp>
#include <backbeat/http/client.hpp>
#include <backbeat/report_to.hpp>
#include <backbeat/retry_report.hpp>

#include <openssl/x509_vfy.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace backbeat::test {
namespace {

using namespace std::chrono_literals;
using boost::system::error_code;
using http::verb;

test_certificate const& server_certificate()
{
    static auto const made = make_test_certificate("IP:127.0.0.1");
    return made;
}

test_certificate const& client_certificate()
{
    static auto const made = make_test_certificate(certificate_options{.common_name = "Backbeat test client"});
    return made;
}

std::string const tls_versions[] = {"-tls1_2", "-tls1_3"};

class openssl_s_server : public client_fixture {
protected:
    http::client_options trusting(test_certificate const& certificate = server_certificate())
    {
        http::client_options options = tested_client_options();
        options.ca_certificate = certificate.authority;
        return options;
    }

    http::client make(std::string const& url, http::client_options options)
    {
        return {context.get_executor(), url, std::move(options)};
    }

    // Serves a page once.
    void expect_page(http::client& client, std::string const& part = "Ciphers supported in s_server binary")
    {
        call sent("/");
        send(client, sent);
        EXPECT_EQ(sent.error, error_code()) << sent.error.message();
        EXPECT_EQ(sent.status(), 200u);
        EXPECT_NE(sent.response.body().find(part), std::string::npos) << sent.response.body();
        EXPECT_EQ(sent.delivered(), delivery::responded);
        EXPECT_EQ(client.open_connections(), 0u);
    }

    // It fails for good, before anything is sent, and is not tried again.
    error_code refusal(http::client& client)
    {
        call sent(make_request(verb::post, "/", "x"));
        send(client, sent);
        EXPECT_TRUE(sent.error);
        EXPECT_EQ(sent.delivered(), delivery::not_sent);
        EXPECT_EQ(client.open_connections(), 0u);
        expect_one_attempt(client, sent.error);
        return sent.error;
    }

    void expect_one_attempt(http::client& client, error_code expected)
    {
        retry_options const quick{.initial_backoff = 1ms, .maximum_backoff = 2ms, .maximum_retries = 3};
        completions = 0;
        client.async_send(
            make_request(verb::get), quick, report_to(report), [this](error_code told, http::response const& /*none*/) {
                ++completions;
                error = told;
            });
        ASSERT_TRUE(run_until([this] { return completions != 0; }));
        EXPECT_EQ(error, expected) << error.message();
        EXPECT_EQ(report.attempts(), 1u) << error.message();
        EXPECT_EQ(report.reason(), stop_reason::permanent);
    }

    void expect_untrusted(http::client& client, int reason, char const* says)
    {
        auto const told = refusal(client);
        EXPECT_EQ(told, error_code(reason, http::certificate_category())) << told.message();
        EXPECT_TRUE(http::is_certificate_error(told));
        EXPECT_NE(told.message().find("the server's certificate is not trusted"), std::string::npos) << told.message();
        EXPECT_NE(told.message().find(says), std::string::npos) << told.message();
    }

    retry_report report;
    error_code error;
    int completions = 0;
};

TEST_F(openssl_s_server, serves_over_each_version_alone)
{
    for (auto const& version : tls_versions) {
        openssl_server server(server_certificate(), {"-www", version});
        auto client = make(server.url(), trusting());
        for (int i = 0; i != 3; ++i) expect_page(client, version == "-tls1_2" ? "TLSv1.2" : "TLSv1.3");
    }
}

TEST_F(openssl_s_server, serves_files_to_the_end_of_the_connection)
{
    auto const directory = ::testing::TempDir() + "backbeat_s_server_" + std::to_string(::getpid());
    std::filesystem::create_directory(directory);
    std::string const text(100'000, 'x');
    std::ofstream(directory + "/text") << text;
    std::ofstream(directory + "/whole") << "HTTP/1.1 201 Created\r\nContent-Length: 4\r\nX-Mine: y\r\n\r\nbody";
    std::ofstream(directory + "/part") << "HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nbody";
    for (auto const& version : tls_versions) {
        openssl_server files(server_certificate(), {"-WWW", version}, true, directory);
        auto file_client = make(files.url(), trusting());
        call file("/text");
        EXPECT_EQ(send(file_client, file).response.body(), text) << file.error.message();
        EXPECT_EQ(file.response.version(), 10u);
        EXPECT_EQ(file_client.open_connections(), 0u);

        openssl_server messages(server_certificate(), {"-HTTP", version}, true, directory);
        auto client = make(messages.url(), trusting());
        call whole("/whole");
        EXPECT_EQ(send(client, whole).status(), 201u) << whole.error.message();
        EXPECT_EQ(whole.response.body(), "body");
        EXPECT_EQ(whole.response["X-Mine"], "y");
        call part("/part");
        EXPECT_TRUE(send(client, part).error);
        EXPECT_EQ(part.delivered(), delivery::ambiguous);
        EXPECT_EQ(part.status(), 0u);
        settle();
        EXPECT_EQ(client.open_connections(), 0u);
    }
    std::filesystem::remove_all(directory);
}

TEST_F(openssl_s_server, need_not_agree_on_a_protocol)
{
    for (auto const& version : tls_versions) {
        openssl_server server(server_certificate(), {"-www", version, "-alpn", "h2,http/1.1"});
        auto client = make(server.url(), trusting());
        expect_page(client);
    }
}

TEST_F(openssl_s_server, with_no_cipher_in_common_is_refused_for_good)
{
    std::vector<std::string> const choices[] = {
        {"-tls1_2", "-cipher", "NULL-SHA256:@SECLEVEL=0"},
        {"-tls1_2", "-cipher", "ECDHE-RSA-AES128-GCM-SHA256"},  // which does not go with its key
        {"-tls1_3", "-ciphersuites", "TLS_AES_128_CCM_8_SHA256"},
    };
    for (auto options : choices) {
        SCOPED_TRACE(options.back());
        options.emplace_back("-www");
        openssl_server server(server_certificate(), options);
        auto client = make(server.url(), trusting());
        auto const told = refusal(client);
        EXPECT_NE(told.message().find("handshake failure"), std::string::npos) << told.message();
        EXPECT_FALSE(http::is_certificate_error(told));
    }
}

TEST_F(openssl_s_server, that_ends_early_is_told_and_may_be_asked_again)
{
    for (auto const& version : tls_versions) {
        // Without a mode it copies its input, which is at its end.
        openssl_server server(server_certificate(), {version});
        auto client = make(server.url(), trusting());
        call sent("/");
        send(client, sent);
        EXPECT_TRUE(sent.error);
        auto const judged = http::classifier{verb::get}(sent.current, sent.error, sent.response);
        EXPECT_EQ(judged.kind, verdict_kind::retry) << sent.error.message();
        EXPECT_NE(sent.delivered(), delivery::responded);
        EXPECT_EQ(client.open_connections(), 0u);
    }
}

struct certificate_case {
    char const* name;
    certificate_options made;
    char const* host;
    int reason;  // zero: it is good
    char const* says;
};

void PrintTo(certificate_case const& value, std::ostream* out)
{
    *out << value.name;
}

class openssl_s_server_certificate : public openssl_s_server, public ::testing::WithParamInterface<certificate_case> {};

TEST_P(openssl_s_server_certificate, is_judged_and_the_reason_told)
{
    auto const& each = GetParam();
    auto const certificate = make_test_certificate(each.made);
    openssl_server server(certificate, {"-www"});
    auto client = make(server.url(each.host), trusting(certificate));
    if (each.reason == X509_V_OK)
        expect_page(client);
    else
        expect_untrusted(client, each.reason, each.says);
}

certificate_case of_names(char const* name, std::string names, char const* host, bool good)
{
    return {
        name, {.names = std::move(names)}, host, good ? X509_V_OK : X509_V_ERR_HOSTNAME_MISMATCH, "hostname mismatch"};
}

INSTANTIATE_TEST_SUITE_P(
    of,
    openssl_s_server_certificate,
    ::testing::Values(
        certificate_case{
            "an_expired_one",
            {.names = "IP:127.0.0.1", .valid_from = -48h, .valid_until = -1h},
            "127.0.0.1",
            X509_V_ERR_CERT_HAS_EXPIRED,
            "expired"},
        certificate_case{
            "one_of_tomorrow",
            {.names = "IP:127.0.0.1", .valid_from = 24h, .valid_until = 48h},
            "127.0.0.1",
            X509_V_ERR_CERT_NOT_YET_VALID,
            "not yet valid"},
        certificate_case{
            "another_address",
            {.names = "IP:127.0.0.2,DNS:127.0.0.1"},
            "127.0.0.1",
            X509_V_ERR_IP_ADDRESS_MISMATCH,
            "IP address mismatch"},
        of_names("another_host", "DNS:elsewhere.test", "a.loopback.test", false),
        of_names("the_host", "DNS:elsewhere.test,DNS:a.loopback.test", "a.loopback.test", true),
        of_names("the_host_in_capitals", "DNS:A.LOOPBACK.TEST", "a.loopback.test", true),
        of_names("a_wildcard", "DNS:*.loopback.test", "a.loopback.test", true),
        of_names("a_wildcard_for_nothing", "DNS:*.loopback.test", "loopback.test", false),
        of_names("a_wildcard_for_two_labels", "DNS:*.loopback.test", "a.b.loopback.test", false),
        of_names("a_wildcard_in_the_middle", "DNS:a.*.loopback.test", "a.b.loopback.test", false),
        of_names("a_wildcard_at_the_top", "DNS:*.test", "loopback.test", false),
        of_names("a_wildcard_behind_a_part", "DNS:w*.loopback.test", "w1.loopback.test", false),
        of_names("a_wildcard_before_a_part", "DNS:*1.loopback.test", "w1.loopback.test", false),
        of_names("a_wildcard_for_an_address", "DNS:*.0.0.1", "a.loopback.test", false),
        certificate_case{
            "a_common_name_beside_other_names",
            {.names = "DNS:elsewhere.test", .common_name = "a.loopback.test"},
            "a.loopback.test",
            X509_V_ERR_HOSTNAME_MISMATCH,
            "hostname mismatch"},
        certificate_case{
            "a_common_name_alone",
            {.common_name = "a.loopback.test"},
            "a.loopback.test",
            X509_V_ERR_HOSTNAME_MISMATCH,
            "hostname mismatch"},
        certificate_case{"a_whole_chain", {.names = "IP:127.0.0.1", .intermediate = true}, "127.0.0.1", X509_V_OK, ""}),
    [](auto const& each) { return std::string(each.param.name); });

TEST_F(openssl_s_server, with_an_incomplete_chain_is_not_trusted)
{
    auto const certificate = make_test_certificate(certificate_options{.names = "IP:127.0.0.1", .intermediate = true});
    for (auto const& version : tls_versions) {
        openssl_server server(certificate, {"-www", version}, false);
        auto client = make(server.url(), trusting(certificate));
        expect_untrusted(
            client, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, "unable to get local issuer certificate");
    }
}

TEST_F(openssl_s_server, that_asks_for_a_certificate_is_shown_it)
{
    pem_file const authority(client_certificate().authority);
    pem_file const certificate(client_certificate().certificate + client_certificate().key);
    for (auto const& version : tls_versions) {
        openssl_server server(
            server_certificate(),
            {"-www", version, "-Verify", "1", "-verify_return_error", "-verifyCAfile", authority.path()});
        auto options = trusting();
        options.certificate_file = certificate.path();
        auto client = make(server.url(), options);
        expect_page(client, "Backbeat test client");
    }
}

TEST_F(openssl_s_server, that_asks_for_a_certificate_refuses_others_for_good)
{
    auto const forged = make_test_certificate(certificate_options{});
    auto const foreign = make_test_certificate(certificate_options{.authority_name = "Another authority"});
    auto const expired = make_test_certificate(certificate_options{.valid_from = -48h, .valid_until = -1h});
    struct {
        std::string const certificate, authority;
        char const* says[2];  // by version
    } const cases[] = {
        {"", client_certificate().authority, {"handshake failure", "certificate required"}},
        {foreign.certificate + foreign.key, client_certificate().authority, {"unknown ca", "unknown ca"}},
        {forged.certificate + forged.key, client_certificate().authority, {"decrypt error", "decrypt error"}},
        {expired.certificate + expired.key, expired.authority, {"certificate expired", "certificate expired"}},
    };
    for (auto const& each : cases) {
        pem_file const file(each.certificate);
        pem_file const authority(each.authority);
        for (int version = 0; version != 2; ++version) {
            openssl_server server(
                server_certificate(),
                {"-www",
                 tls_versions[version],
                 "-Verify",
                 "1",
                 "-verify_return_error",
                 "-verifyCAfile",
                 authority.path()});
            auto options = trusting();
            if (!each.certificate.empty()) options.certificate_file = file.path();
            auto client = make(server.url(), options);
            call sent(make_request(verb::post, "/", "x"));
            send(client, sent);
            // With TLS 1.3 it is told only after the request was written, which the server then never reads.
            EXPECT_EQ(sent.delivered(), delivery::not_sent);
            EXPECT_NE(sent.error.message().find(each.says[version]), std::string::npos) << sent.error.message();
            EXPECT_EQ(http::classifier{verb::get}(sent.error, sent.response).kind, verdict_kind::permanent);
            EXPECT_EQ(client.open_connections(), 0u);
            expect_one_attempt(client, sent.error);
        }
    }
}

}  // namespace
}  // namespace backbeat::test
