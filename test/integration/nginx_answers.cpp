//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "nginx_fixture.hpp"

#include <boost/asio/ssl/error.hpp>
#include <boost/beast/http/error.hpp>

namespace backbeat::test {
namespace {

using http::verb;

class nginx_answers : public nginx_over {
protected:
    // With a file, and the same through SSI, which makes the length unknown. What is sent with PUT is stored.
    [[nodiscard]] static nginx_options with_files(std::string const& more_locations = {})
    {
        return options_of(
            "client_max_body_size 64m;\n"
            + over_each_transport(
                "root @directory@/www;"
                "add_header X-Connection $connection;"
                "location / { }"
                "location /ssi/ { alias @directory@/www/; ssi on; ssi_types *; }"
                "location /until-eof/ { alias @directory@/www/; ssi on; ssi_types *; chunked_transfer_encoding off; }"
                "location /stored/ { dav_methods PUT DELETE; create_full_put_path on; }"
                "location = /nothing { return 204; }"
                "location = /which { return 200 $connection; }"
                + more_locations));
    }

    [[nodiscard]] static std::string large_text(std::size_t size)
    {
        std::string result;
        result.reserve(size + 16);
        for (std::size_t i = 0; result.size() < size; ++i) result += std::to_string(i * 2654435761u) + '\n';
        result.resize(size);
        return result;
    }

    http::client connect_to(nginx const& server)
    {
        auto settings = trusting();
        settings.body_limit = 64 * 1024 * 1024;
        return {context.get_executor(), url_of(server, GetParam()), settings};
    }

    // The connection that the next request goes over.
    std::string connection_of(http::client& client)
    {
        call sent("/which");
        send(client, sent);
        EXPECT_EQ(sent.status(), 200u) << sent.error.message();
        return sent.response.body();
    }

    void expect_whole(call const& sent, std::string const& body)
    {
        EXPECT_FALSE(sent.error) << sent.error.message();
        EXPECT_EQ(sent.status(), 200u);
        EXPECT_TRUE(sent.response.body() == body) << sent.response.body().size() << " of " << body.size() << " bytes";
        EXPECT_EQ(sent.delivered(), delivery::responded);
    }
};

BACKBEAT_OVER_EACH_TRANSPORT(nginx_answers);

TEST_P(nginx_answers, answers_of_every_framing_leave_the_connection_usable)
{
    nginx server(with_files());
    auto const text = large_text(100'000);
    write_to(server.directory() / "www" / "file", text);
    auto client = connect_to(server);
    auto const first = connection_of(client);

    call plain("/file");
    send(client, plain);
    expect_whole(plain, text);
    EXPECT_EQ(field_of(plain.response, "Content-Length"), "100000");

    call head(make_request(verb::head, "/file"));
    send(client, head);
    expect_whole(head, "");
    EXPECT_EQ(field_of(head.response, "Content-Length"), "100000");

    call nothing("/nothing");
    send(client, nothing);
    EXPECT_EQ(nothing.status(), 204u) << nothing.error.message();

    call conditional("/file");
    conditional.message.set(http::field::if_none_match, field_of(plain.response, "ETag"));
    send(client, conditional);
    EXPECT_EQ(conditional.status(), 304u) << conditional.error.message();
    EXPECT_EQ(conditional.response.body(), "");
    EXPECT_FALSE(field_of(conditional.response, "ETag").empty());

    call chunked("/ssi/file");
    send(client, chunked);
    expect_whole(chunked, text);
    EXPECT_TRUE(chunked.response.chunked());

    call chunked_head(make_request(verb::head, "/ssi/file"));
    send(client, chunked_head);
    expect_whole(chunked_head, "");

    call partial("/file");
    partial.message.set(http::field::range, "bytes=10-19");
    send(client, partial);
    EXPECT_EQ(partial.status(), 206u) << partial.error.message();
    EXPECT_EQ(partial.response.body(), text.substr(10, 10));

    call missing("/missing");
    send(client, missing);
    EXPECT_EQ(missing.status(), 404u) << missing.error.message();
    EXPECT_EQ(missing.delivered(), delivery::responded);

    EXPECT_EQ(connection_of(client), first) << "a new connection was made on the way";

    // It is answered before it is sent, and what is then left of it is not sent.
    call refused(make_request(verb::post, "/file", text));
    send(client, refused);
    EXPECT_EQ(refused.status(), 405u) << refused.error.message();
    expect_no_leftovers(client);
}

TEST_P(nginx_answers, a_body_that_ends_with_the_connection_is_had_in_full)
{
    nginx server(with_files());
    auto const text = large_text(1'000'000);
    write_to(server.directory() / "www" / "file", text);
    auto client = connect_to(server);

    call sent("/until-eof/file");
    send(client, sent);
    expect_whole(sent, text);
    EXPECT_FALSE(sent.response.chunked());
    EXPECT_FALSE(sent.response.has_content_length());
    EXPECT_EQ(client.open_connections(), 0u);

    // On a connection that was kept before it.
    auto const first = connection_of(client);
    call again("/until-eof/file");
    send(client, again);
    expect_whole(again, text);
    EXPECT_EQ(field_of(again.response, "X-Connection"), first);
    EXPECT_NE(connection_of(client), first);
    expect_no_leftovers(client);
}

TEST_P(nginx_answers, a_request_of_http_1_0_is_answered_and_its_connection_closed_unless_it_asks)
{
    nginx server(with_files());
    auto const text = large_text(100'000);
    write_to(server.directory() / "www" / "file", text);
    auto client = connect_to(server);

    for (auto const* target : {"/file", "/ssi/file"}) {
        call old(target);
        old.message.version(10);
        send(client, old);
        expect_whole(old, text);
        EXPECT_FALSE(old.response.chunked());
        EXPECT_EQ(client.open_connections(), 0u) << target;
    }

    call kept("/file");
    kept.message.version(10);
    kept.message.keep_alive(true);
    send(client, kept);
    expect_whole(kept, text);
    EXPECT_EQ(client.idle_connections(), 1u);
    EXPECT_EQ(connection_of(client), field_of(kept.response, "X-Connection"));
    expect_no_leftovers(client);
}

TEST_P(nginx_answers, large_bodies_arrive_whole_in_both_directions)
{
    nginx server(with_files());
    auto client = connect_to(server);
    auto const first = connection_of(client);
    auto const text = large_text(8'000'000);
    call put(make_request(verb::put, "/stored/there/file", text));
    send(client, put);
    EXPECT_EQ(put.status(), 201u) << put.error.message();
    call got("/stored/there/file");
    send(client, got);
    expect_whole(got, text);
    call chunked("/ssi/stored/there/file");
    send(client, chunked);
    expect_whole(chunked, text);
    EXPECT_EQ(connection_of(client), first);

    call deleted(make_request(verb::delete_, "/stored/there/file"));
    send(client, deleted);
    EXPECT_EQ(deleted.status(), 204u) << deleted.error.message();
    call gone(make_request(verb::delete_, "/stored/there/file"));
    send(client, gone);
    EXPECT_EQ(gone.status(), 404u) << gone.error.message();
    expect_no_leftovers(client);
}

TEST_P(nginx_answers, a_body_past_the_limit_of_the_client_is_an_error_and_the_connection_is_not_kept)
{
    nginx server(with_files());
    write_to(server.directory() / "www" / "file", large_text(100'000));
    auto settings = trusting();
    settings.body_limit = 99'999;
    http::client client(context.get_executor(), url_of(server, GetParam()), settings);
    for (auto const* target : {"/file", "/ssi/file", "/until-eof/file"}) {
        call sent(target);
        send(client, sent);
        EXPECT_EQ(sent.error, boost::beast::http::error::body_limit) << target << ": " << sent.error.message();
        EXPECT_EQ(client.open_connections(), 0u);
    }
    // It has no body, whatever its length says.
    call head(make_request(verb::head, "/file"));
    send(client, head);
    EXPECT_EQ(head.status(), 200u) << head.error.message();
    expect_no_leftovers(client);
}

TEST_P(nginx_answers, a_request_that_nginx_finds_too_large_gets_its_413)
{
    // Answered before the body has come. Either nginx then reads on for a while, or it closes at once, and resets the
    // connection on which the rest of the body arrives.
    for (std::string const lingering : {"on", "off"}) {
        nginx server(with_files(
            "location /little/ { dav_methods PUT; client_max_body_size 1k; lingering_close " + lingering + "; }"));
        auto client = connect_to(server);
        for (std::size_t const size : {std::size_t(2'000), std::size_t(100'000), std::size_t(8'000'000)}) {
            call sent(make_request(verb::put, "/little/file", std::string(size, 'x')));
            send(client, sent);
            EXPECT_EQ(sent.status(), 413u)
                << size << " bytes, lingering_close " << lingering << ": " << sent.error.message();
        }
        call next("/nothing");
        send(client, next);
        EXPECT_EQ(next.status(), 204u) << next.error.message();
        expect_no_leftovers(client);
    }
}

TEST_P(nginx_answers, a_header_past_the_limit_of_nginx_gets_its_400)
{
    nginx server(with_files());
    auto client = connect_to(server);
    call sent("/file");
    sent.message.set("X-Large", std::string(60'000, 'x'));
    send(client, sent);
    EXPECT_EQ(sent.status(), 400u) << sent.error.message();
    call next("/nothing");
    send(client, next);
    EXPECT_EQ(next.status(), 204u) << next.error.message();
    expect_no_leftovers(client);
}

TEST_P(nginx_answers, a_body_that_a_killed_server_cuts_off_is_an_error_however_it_would_have_ended)
{
    for (std::string const target : {"/file", "/ssi/file", "/until-eof/file"}) {
        // 64 kB at once, and the rest slowly: so it is cut off in the middle.
        nginx server(with_files("limit_rate_after 64k; limit_rate 1k; location = /status { stub_status; }"));
        write_to(server.directory() / "www" / "file", large_text(1'000'000));
        auto client = connect_to(server);
        call sent(target);
        sent.start(client);
        // It answers when two requests are being answered: this one, and the one that asks.
        ASSERT_TRUE([&] {
            auto const end = std::chrono::steady_clock::now() + patience;
            while (std::chrono::steady_clock::now() < end) {
                call status("/status");
                send(client, status);
                if (status.response.body().find("Writing: 2") != std::string::npos) return true;
            }
            return false;
        }());
        ASSERT_FALSE(sent.done());
        server.stop(nginx_stop::kill);
        run(sent);
        if (target == "/until-eof/file" && GetParam() == transport::tcp && !sent.error) {
            // Plain HTTP cannot tell: a killed nginx ends the connection as a finished one does.
            EXPECT_LT(sent.response.body().size(), 1'000'000u);
        } else {
            EXPECT_TRUE(sent.error) << target;
            EXPECT_EQ(sent.delivered(), delivery::ambiguous);
            EXPECT_EQ(sent.response.body(), "");
        }
    }
}

}  // namespace
}  // namespace backbeat::test
