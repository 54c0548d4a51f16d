//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "nginx_fixture.hpp"

#include <backbeat/http/error.hpp>

#include <boost/beast/http/error.hpp>

#include <openssl/x509_vfy.h>

namespace backbeat::test {
namespace {

using http::verb;

class nginx_tls : public nginx_over {
protected:
    [[nodiscard]] static nginx_options verifying(std::string const& mode)
    {
        return options_of(over_each_transport(
            "ssl_client_certificate @authority@; ssl_verify_client " + mode
            + ";"
              "location / { return 200 \"$ssl_client_verify $ssl_client_s_dn $ssl_protocol\"; }"));
    }

    // The client's certificate and key, in files of the server's folder.
    [[nodiscard]] http::client make_with(nginx const& server, test_certificate const& mine)
    {
        auto settings = trusting();
        settings.certificate_file = (server.directory() / "client.pem").string();
        settings.private_key_file = (server.directory() / "client.key").string();
        write_to(settings.certificate_file, mine.certificate);
        write_to(settings.private_key_file, mine.key);
        return {context.get_executor(), url_of(server, GetParam()), settings};
    }

    [[nodiscard]] static std::string protocol() { return GetParam() == transport::tls_1_2 ? "TLSv1.2" : "TLSv1.3"; }
};

INSTANTIATE_TEST_SUITE_P(, nginx_tls, ::testing::Values(transport::tls_1_2, transport::tls_1_3), &name_of_transport);

TEST_P(nginx_tls, a_client_certificate_is_accepted_by_nginx)
{
    for (std::string const mode : {"on", "optional"}) {
        nginx server(verifying(mode));
        auto client = make_with(server, nginx_certificate());
        call sent(make_request(verb::post));
        send(client, sent);
        EXPECT_EQ(sent.status(), 200u) << sent.error.message();
        EXPECT_EQ(sent.response.body(), "SUCCESS CN=Backbeat test server " + protocol());
        expect_no_leftovers(client);
    }
}

TEST_P(nginx_tls, without_the_client_certificate_that_nginx_wants_the_answer_is_its_400)
{
    nginx server(verifying("on"));
    auto without = make(url_of(server, GetParam()));
    auto foreign = make_with(server, make_test_certificate("DNS:elsewhere.example"));
    for (auto* const client : {&without, &foreign}) {
        sending_call sent(make_request(verb::get));
        sent.start(*client, eager(3));
        run(sent);
        EXPECT_EQ(sent.status(), 400u) << sent.error.message();
        EXPECT_NE(sent.response.body().find("SSL certificate"), std::string::npos) << sent.response.body();
        EXPECT_EQ(sent.report.attempts(), 1u);
        EXPECT_EQ(sent.report.worst_delivery(), delivery::responded);
        expect_no_leftovers(*client);
    }
}

TEST_P(nginx_tls, a_server_of_another_authority_is_not_spoken_to)
{
    nginx server(options_of(over_each_transport("location / { return 200; }")));
    auto settings = trusting();
    settings.ca_certificate = make_test_certificate("IP:127.0.0.1").authority;
    http::client client(context.get_executor(), url_of(server, GetParam()), settings);
    sending_call sent(make_request(verb::get));
    sent.start(client, eager(3));
    run(sent);
    EXPECT_TRUE(http::is_certificate_error(sent.error)) << sent.error.message();
    EXPECT_EQ(sent.report.attempts(), 1u);
    EXPECT_EQ(sent.report.worst_delivery(), delivery::not_sent);
    server.stop();
    EXPECT_EQ(server.access_log(), std::vector<std::string>{});
    expect_no_leftovers(client);
}

TEST_P(nginx_tls, sessions_are_resumed_until_nginx_has_forgotten_them_which_does_no_harm)
{
    // Tickets, whose keys a restart makes anew, and the cache of the workers, which a restart empties.
    for (std::string const how :
         {"ssl_session_tickets on;", "ssl_session_tickets off; ssl_session_cache shared:s:1m;"}) {
        auto options = options_of(over_each_transport(how + "keepalive_timeout 0; location / { return 200; }"));
        options.log = "$ssl_session_reused $ssl_protocol $request_uri";
        options.workers = 2;
        nginx server(options);
        auto client = make(url_of(server, GetParam()));
        std::vector<std::string> expected;
        for (int i = 0; i != 5; ++i) {
            call sent("/" + std::to_string(i));
            send(client, sent);
            ASSERT_EQ(sent.status(), 200u) << sent.error.message();
            EXPECT_EQ(client.open_connections(), 0u);
            // Each is logged by its worker, so that the order of the lines is not the order of the answers.
            (void)server.access_log(static_cast<std::size_t>(i) + 1);
            expected.push_back((i == 0 ? ". " : "r ") + protocol() + " /" + std::to_string(i));
        }
        EXPECT_EQ(server.access_log(), expected) << how;
        server.restart();
        for (int i = 5; i != 10; ++i) {
            call sent("/" + std::to_string(i));
            send(client, sent);
            ASSERT_EQ(sent.status(), 200u) << sent.error.message();
            (void)server.access_log(static_cast<std::size_t>(i) + 1);
            expected.push_back((i == 5 ? ". " : "r ") + protocol() + " /" + std::to_string(i));
        }
        EXPECT_EQ(server.access_log(), expected) << how;
        expect_no_leftovers(client);
    }
}

TEST_P(nginx_tls, plain_http_to_a_tls_port_gets_its_400)
{
    nginx server(options_of(over_each_transport("location / { return 200; }")));
    auto client = make(server.url("http", static_cast<std::size_t>(GetParam())));
    call sent("/");
    send(client, sent);
    EXPECT_EQ(sent.status(), 400u) << sent.error.message();
    expect_no_leftovers(client);
}

TEST_P(nginx_tls, tls_to_a_plain_port_is_an_error_that_says_so)
{
    nginx server(options_of(over_each_transport("location / { return 200; }")));
    auto client = make(server.url("https", 1));
    call sent(make_request(verb::post));
    send(client, sent);
    EXPECT_EQ(sent.error, http::errc::not_tls) << sent.error.message();
    EXPECT_EQ(sent.delivered(), delivery::not_sent);
    expect_no_leftovers(client);
}

}  // namespace
}  // namespace backbeat::test
