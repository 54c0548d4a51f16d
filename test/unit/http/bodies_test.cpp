//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "client_fixture.hpp"
#include "scripted_server.hpp"

#include <backbeat/async_retry.hpp>
#include <backbeat/classify.hpp>
#include <backbeat/http/client.hpp>
#include <backbeat/report_to.hpp>

#include <boost/asio/error.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/file_base.hpp>
#include <boost/beast/core/multi_buffer.hpp>
#include <boost/beast/core/ostream.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/dynamic_body.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/file_body.hpp>
#include <boost/beast/http/span_body.hpp>
#include <boost/beast/http/vector_body.hpp>

#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace backbeat::test {
namespace {

using namespace std::chrono_literals;
using http::verb;
namespace asio = boost::asio;
namespace beast = boost::beast;
namespace bodies = boost::beast::http;

// Gives pieces one by one, of a size that nobody knows before, and has none left then.
struct pieces_body {
    using value_type = std::vector<std::string>;

    class writer {
    public:
        using const_buffers_type = asio::const_buffer;

        template <bool is_request, class Fields>
        writer(bodies::header<is_request, Fields>&, value_type& pieces) : pieces_(pieces)
        {}

        void init(boost::system::error_code& error) { error = {}; }

        boost::optional<std::pair<const_buffers_type, bool>> get(boost::system::error_code& error)
        {
            error = {};
            if (pieces_.empty()) return boost::none;
            piece_ = std::move(pieces_.front());
            pieces_.erase(pieces_.begin());
            if (piece_ == "broken") {
                error = asio::error::no_data;
                return boost::none;
            }
            return {{asio::buffer(piece_), !pieces_.empty()}};
        }

    private:
        value_type& pieces_;
        std::string piece_;
    };
};

// Says that it is longer than it is.
struct short_body : bodies::string_body {
    static std::uint64_t size(value_type const& body) { return body.size() + 1; }
};

struct long_body : bodies::string_body {
    static std::uint64_t size(value_type const& body) { return body.size() - 1; }
};

class temporary_file {
public:
    explicit temporary_file(std::string const& content = {})
    {
        int const descriptor = ::mkstemp(path_.data());
        ::close(descriptor);
        std::ofstream(path_, std::ios::binary) << content;
    }
    temporary_file(temporary_file const&) = delete;
    temporary_file& operator=(temporary_file const&) = delete;
    ~temporary_file() { std::remove(path_.c_str()); }

    [[nodiscard]] char const* path() const noexcept { return path_.c_str(); }

    [[nodiscard]] std::string content() const
    {
        std::ifstream file(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

private:
    std::string path_ = (std::filesystem::temp_directory_path() / "backbeat-body-XXXXXX").string();
};

// What the server was sent, from whatever connection.
class inbox {
public:
    void add(std::string const& message)
    {
        std::lock_guard const lock(mutex_);
        messages_.push_back(message);
    }

    [[nodiscard]] std::vector<std::string> messages() const
    {
        std::lock_guard const lock(mutex_);
        return messages_;
    }

    [[nodiscard]] std::string body(std::size_t index = 0) const
    {
        auto const all = messages();
        if (index >= all.size()) return "there is no such message";
        return all[index].substr(all[index].find("\r\n\r\n") + 4);
    }

    // Reads requests on one connection, and answers them one after another.
    [[nodiscard]] script answering(std::vector<std::string> answers)
    {
        return [this, answers = std::move(answers)](peer& client) {
            for (auto const& each : answers) {
                auto const request = client.read_request();
                if (request.empty()) return;
                add(request);
                client.write(each);
            }
        };
    }

private:
    mutable std::mutex mutex_;
    std::vector<std::string> messages_;
};

class http_bodies : public sending_fixture {
protected:
    template <class Body>
    bodies::request<Body> make(verb method)
    {
        return bodies::request<Body>(method, "/", 11);
    }

    inbox received;
};

TEST_F(http_bodies, of_requests_are_sent_whatever_their_type)
{
    scripted_server server({received.answering(std::vector<std::string>(6, answer(200)))});
    http::client client(context.get_executor(), server.url(), tested_client_options());

    client.async_request(make<bodies::empty_body>(verb::get), store(response));
    finish();
    EXPECT_EQ(received.body(0), "");
    EXPECT_EQ(received.messages()[0].find("Content-Length"), std::string::npos);

    auto of_vector = make<bodies::vector_body<unsigned char>>(verb::put);
    of_vector.body() = {'a', 0, 'b'};
    client.async_request(of_vector, store(response));
    finish();
    EXPECT_EQ(received.body(1), std::string("a\0b", 3));

    auto of_buffers = make<bodies::dynamic_body>(verb::post);
    beast::ostream(of_buffers.body()) << std::string(5'000, 'x') << std::string(50'000, 'y');
    client.async_request(of_buffers, store(response));
    finish();
    EXPECT_EQ(received.body(2), std::string(5'000, 'x') + std::string(50'000, 'y'));

    std::string const text = "a view";
    auto of_span = make<bodies::span_body<char const>>(verb::post);
    of_span.body() = {text.data(), text.size()};
    client.async_request(of_span, store(response));
    finish();
    EXPECT_EQ(received.body(3), text);

    temporary_file const stored(std::string(100'000, 'f'));
    auto of_file = make<bodies::file_body>(verb::post);
    of_file.body().open(stored.path(), beast::file_mode::read, error);
    ASSERT_FALSE(error);
    client.async_request(std::move(of_file), store(response));
    finish();
    EXPECT_FALSE(error) << error.message();
    EXPECT_EQ(received.body(4), stored.content());

    auto of_pieces = make<pieces_body>(verb::post);
    of_pieces.body() = {"one", "", "three"};
    client.async_request(of_pieces, store(response));
    finish();
    EXPECT_EQ(received.body(5), "3\r\none\r\n5\r\nthree\r\n0\r\n\r\n");
    EXPECT_NE(received.messages()[5].find("Transfer-Encoding: chunked\r\n"), std::string::npos);
    EXPECT_EQ(server.accepted(), 1);
}

TEST_F(http_bodies, of_unknown_size_are_chunked_also_when_they_are_large)
{
    scripted_server server({received.answering({answer(200)})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    auto request = make<pieces_body>(verb::post);
    request.body() = {std::string(10'000, 'a'), std::string(10'000, 'b'), std::string(100'000, 'c'), "d"};
    client.async_request(request, store(response));
    finish();
    EXPECT_EQ(
        received.body(),
        "2710\r\n" + std::string(10'000, 'a') + "\r\n2710\r\n" + std::string(10'000, 'b') + "\r\n186a0\r\n"
            + std::string(100'000, 'c') + "\r\n1\r\nd\r\n0\r\n\r\n");
}

TEST_F(http_bodies, of_unknown_size_cannot_be_sent_with_http_1_0)
{
    scripted_server server({received.answering({answer(200)})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    auto request = make<pieces_body>(verb::post);
    request.version(10);
    request.body() = {"one"};
    client.async_request(request, store(response));
    finish();
    EXPECT_EQ(error, http::errc::unknown_body_size);
    EXPECT_TRUE(received.messages().empty());
}

TEST_F(http_bodies, that_break_end_the_request_with_their_error)
{
    scripted_server server({received.answering({answer(200)})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    auto request = make<pieces_body>(verb::post);
    request.body() = {"broken"};
    attempt first(1);
    client.async_request(first, request, store(response));
    finish();
    EXPECT_EQ(error, asio::error::no_data);
    EXPECT_EQ(first.delivered(), delivery::not_sent);

    request.body() = {std::string(100'000, 'a'), "broken"};
    attempt second(1);
    client.async_request(second, request, store(response));
    finish();
    EXPECT_EQ(error, asio::error::no_data);
    EXPECT_EQ(second.delivered(), delivery::ambiguous);
    expect_no_leftovers(client);
    EXPECT_EQ(client.open_connections(), 0u);
}

TEST_F(http_bodies, that_are_not_as_long_as_they_say_do_not_spoil_the_framing)
{
    scripted_server server({received.answering({answer(200)})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    auto too_short = make<short_body>(verb::post);
    too_short.body() = "four";
    client.async_request(too_short, store(response));
    finish();
    EXPECT_EQ(error, http::errc::body_size_mismatch);
    auto too_long = make<long_body>(verb::post);
    too_long.body() = "four";
    client.async_request(too_long, store(response));
    finish();
    EXPECT_EQ(error, http::errc::body_size_mismatch);
    EXPECT_TRUE(received.messages().empty());
}

TEST_F(http_bodies, of_responses_are_read_whatever_their_type)
{
    auto const chunked =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n5\r\nthree\r\n0\r\nX-Sum: 1\r\n\r\n";
    scripted_server server({received.answering(
        {answer(200, "bytes"), chunked, answer(200, std::string(100'000, 'f')), answer(200, "span"), answer(204)})});
    http::client client(context.get_executor(), server.url(), tested_client_options());

    bodies::response<bodies::vector_body<char>> of_vector;
    client.async_get<bodies::vector_body<char>>("/", store(of_vector));
    finish();
    EXPECT_EQ(std::string(of_vector.body().begin(), of_vector.body().end()), "bytes");

    bodies::response<bodies::dynamic_body> of_buffers;
    client.async_get<bodies::dynamic_body>("/", store(of_buffers));
    finish();
    EXPECT_EQ(beast::buffers_to_string(of_buffers.body().data()), "onethree");
    EXPECT_EQ(of_buffers.count("X-Sum"), 0u) << "a trailer is no header field";

    temporary_file const stored;
    auto open = [&](auto& body, boost::system::error_code& failure) {
        body.open(stored.path(), beast::file_mode::write, failure);
    };
    {
        bodies::response<bodies::file_body> of_file;
        client.async_get<bodies::file_body>("/", http::prepare_body(open), store(of_file));
        finish();
        EXPECT_FALSE(error) << error.message();
    }
    EXPECT_EQ(stored.content(), std::string(100'000, 'f'));

    std::array<char, 4> place{};
    auto lend = [&](auto& body, boost::system::error_code&) { body = {place.data(), place.size()}; };
    bodies::response<bodies::span_body<char>> of_span;
    client.async_get<bodies::span_body<char>>("/", http::prepare_body(lend), store(of_span));
    finish();
    EXPECT_EQ(std::string(place.data(), place.size()), "span");

    bodies::response<bodies::empty_body> of_nothing;
    client.async_delete<bodies::empty_body>("/", store(of_nothing));
    finish();
    EXPECT_EQ(of_nothing.result_int(), 204u);
    EXPECT_EQ(server.accepted(), 1);
}

TEST_F(http_bodies, of_responses_that_do_not_fit_end_the_attempt)
{
    scripted_server server({received.answering({answer(200, "five!"), answer(200)})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    std::array<char, 4> place{};
    auto lend = [&](auto& body, boost::system::error_code&) { body = {place.data(), place.size()}; };
    bodies::response<bodies::span_body<char>> of_span;
    client.async_get<bodies::span_body<char>>("/", http::prepare_body(lend), store(of_span));
    finish();
    EXPECT_EQ(error, bodies::error::buffer_overflow);
    EXPECT_EQ(of_span.result_int(), 0u);

    bodies::response<bodies::empty_body> of_nothing;
    client.async_get<bodies::empty_body>("/", store(of_nothing));
    finish();
    EXPECT_EQ(error, bodies::error::unexpected_body);

    auto refuse = [](auto&, boost::system::error_code& failure) { failure = asio::error::no_permission; };
    client.async_get("/", http::prepare_body(refuse), store(response));
    finish();
    EXPECT_EQ(error, asio::error::no_permission);
    expect_no_leftovers(client);
    EXPECT_EQ(client.open_connections(), 0u);
}

TEST_F(http_bodies, are_sent_again_byte_for_byte)
{
    scripted_server server(
        {[&](peer& client) {
             received.add(client.read_request());
             client.reset();
         },
         received.answering({answer(503, "busy"), answer(429, "slow down"), answer(200, "at last")})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    temporary_file const stored("skipped" + std::string(70'000, 'f'));
    auto request = make<bodies::file_body>(verb::put);
    request.body().open(stored.path(), beast::file_mode::read, error);
    client.async_send(std::move(request), quick(), report_to(report), store(response));
    finish();
    EXPECT_EQ(response.body(), "at last");
    auto const messages = received.messages();
    ASSERT_EQ(messages.size(), 4u);
    for (auto const& each : messages) EXPECT_EQ(each, messages.front());
    EXPECT_EQ(received.body(), stored.content());
}

TEST_F(http_bodies, that_are_files_must_be_open)
{
    scripted_server server({received.answering({answer(200)})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    client.async_send(make<bodies::file_body>(verb::put), quick(), report_to(report), store(response));
    finish();
    EXPECT_EQ(error, boost::system::errc::bad_file_descriptor);
    EXPECT_EQ(report.attempts(), 1u);
    EXPECT_TRUE(received.messages().empty());
}

TEST_F(http_bodies, that_can_be_read_only_once_are_sent_once)
{
    struct {
        std::string first;
        bool readable;
    } const cases[] = {{answer(503, "busy"), true}, {answer(429, "slow down"), true}, {"", false}};
    for (auto const& each : cases) {
        SCOPED_TRACE(each.first);
        scripted_server server({received.answering({each.first}), received.answering({answer(200)})});
        http::client client(context.get_executor(), server.url(), tested_client_options());
        auto request = make<pieces_body>(verb::put);
        request.body() = {"one"};
        client.async_send(std::move(request), quick(), report_to(report), store(response));
        finish();
        EXPECT_EQ(report.attempts(), 1u);
        EXPECT_EQ(report.reason(), stop_reason::not_replayable);
        EXPECT_EQ(static_cast<bool>(error), !each.readable);
    }
}

TEST_F(http_bodies, that_can_be_read_only_once_are_sent_again_if_nothing_was_read)
{
    scripted_server server({received.answering({answer(200, "at last")})});
    auto const port = refused_port();
    auto request = make<pieces_body>(verb::put);
    request.body() = {"one"};
    http::client client(context.get_executor(), "http://127.0.0.1:" + std::to_string(port), tested_client_options());
    client.async_send(std::move(request), quick(2), report_to(report), store(response));
    finish();
    EXPECT_EQ(report.attempts(), 3u);
    EXPECT_EQ(report.reason(), stop_reason::exhausted);
}

TEST_F(http_bodies, that_can_be_read_only_once_are_not_replayed_on_a_fresh_connection)
{
    scripted_server server(
        {[&](peer& client) {
             client.read_request();
             client.write(answer(200));
             client.read_request();
         },
         received.answering({answer(200)})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    client.async_get("/", store(response));
    finish();
    auto request = make<pieces_body>(verb::put);
    request.body() = {"one"};
    client.async_request(std::move(request), store(response));
    finish();
    EXPECT_EQ(error, bodies::error::end_of_stream);
    EXPECT_TRUE(received.messages().empty());
}

// Throws when it is asked for its first piece.
struct throwing_body {
    using value_type = int;

    class writer {
    public:
        using const_buffers_type = asio::const_buffer;

        template <bool is_request, class Fields>
        writer(bodies::header<is_request, Fields> const&, value_type const& kind) : kind_(kind)
        {}

        void init(boost::system::error_code& error) { error = {}; }

        boost::optional<std::pair<const_buffers_type, bool>> get(boost::system::error_code&)
        {
            if (kind_ == 0) throw std::runtime_error("on purpose");
            if (kind_ == 1) throw std::bad_alloc();
            throw boost::system::system_error(asio::error::no_data);
        }

    private:
        int kind_;
    };
};

TEST_F(http_bodies, that_cannot_be_read_to_or_from_are_no_reason_to_ask_again)
{
    scripted_server server({answering({answer(200, "text")})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    auto fails = [](auto&, boost::system::error_code& failure) { failure = asio::error::connection_reset; };
    client.async_send(make_request(verb::get), quick(), http::prepare_body(fails), report_to(report), store(response));
    finish();
    EXPECT_EQ(error, asio::error::connection_reset);
    EXPECT_EQ(report.attempts(), 1u);
    EXPECT_EQ(report.reason(), stop_reason::permanent);

    auto request = make<pieces_body>(verb::put);
    request.body() = {"broken"};
    client.async_send(std::move(request), quick(), report_to(report), store(response));
    finish();
    EXPECT_EQ(error, asio::error::no_data);
    EXPECT_EQ(report.reason(), stop_reason::permanent);

    // Which Beast would take for granted.
    bodies::response<bodies::file_body> of_file;
    client.async_send<bodies::file_body>(make_request(verb::get), quick(), report_to(report), store(of_file));
    finish();
    EXPECT_EQ(error, boost::system::errc::bad_file_descriptor);
    EXPECT_EQ(report.attempts(), 1u);
}

TEST_F(http_bodies, that_throw_end_their_own_request_only)
{
    scripted_server server({answering({answer(200, "text")})});
    http::client_options options = tested_client_options();
    options.maximum_connections = 1;
    http::client client(context.get_executor(), server.url(), options);
    boost::system::error_code const expected[] = {
        retry_errc::unknown_exception,
        boost::system::errc::make_error_code(boost::system::errc::not_enough_memory),
        asio::error::no_data};
    std::vector<boost::system::error_code> ends;
    call before("/");
    before.start(client);
    for (int kind = 0; kind != 3; ++kind) {
        auto request = make<throwing_body>(verb::post);
        request.body() = kind;
        client.async_request(request, [&](boost::system::error_code e, http::response const&) { ends.push_back(e); });
    }
    call after("/");
    after.start(client);
    run(before, after);
    ASSERT_TRUE(run_until([&] { return ends.size() == 3; }));
    EXPECT_EQ(before.response.body(), "text");
    EXPECT_EQ(after.response.body(), "text");
    for (std::size_t i = 0; i != 3; ++i) EXPECT_EQ(ends[i], expected[i]) << ends[i].message();
    expect_no_leftovers(client);
}

TEST_F(http_bodies, that_all_fail_at_once_do_not_recurse)
{
    constexpr std::size_t crowd = 20'000;
    scripted_server server({answering({answer(200)})});
    http::client_options options = tested_client_options();
    options.maximum_connections = 1;
    http::client client(context.get_executor(), server.url(), options);
    call first("/");
    first.start(client);
    std::size_t ended = 0;
    for (std::size_t i = 0; i != crowd; ++i)
        client.async_request(
            make<throwing_body>(verb::post), [&](boost::system::error_code, http::response const&) { ++ended; });
    run(first);
    for (std::size_t goal = crowd / 20; goal <= crowd; goal += crowd / 20)
        ASSERT_TRUE(run_until([&] { return ended >= goal; })) << ended;
    EXPECT_EQ(ended, crowd);
    expect_no_leftovers(client);
}

// As a string whose memory a server asks for by its Content-Length.
struct too_large_body {
    using value_type = std::string;

    class reader {
    public:
        template <bool is_request, class Fields>
        reader(bodies::header<is_request, Fields>&, value_type&)
        {}

        void init(boost::optional<std::uint64_t> const&, boost::system::error_code&) { throw std::bad_alloc(); }

        template <class Buffers>
        std::size_t put(Buffers const& buffers, boost::system::error_code& error)
        {
            error = {};
            return asio::buffer_size(buffers);
        }

        void finish(boost::system::error_code& error) { error = {}; }
    };
};

TEST_F(http_bodies, that_throw_while_they_are_prepared_or_read_end_their_own_request_only)
{
    scripted_server server({answering({answer(200, "text")})});
    http::client_options options = tested_client_options();
    options.maximum_connections = 1;
    http::client client(context.get_executor(), server.url(), options);
    auto throws = [](auto&, boost::system::error_code&) { throw std::runtime_error("on purpose"); };
    client.async_get("/", http::prepare_body(throws), store(response));
    finish();
    EXPECT_EQ(error, retry_errc::unknown_exception);
    bodies::response<too_large_body> of_none;
    client.async_get<too_large_body>("/", store(of_none));
    finish();
    EXPECT_EQ(error, boost::system::errc::not_enough_memory) << error.message();
    client.async_get("/", store(response));
    finish();
    EXPECT_EQ(response.body(), "text");
    expect_no_leftovers(client);
}

TEST_F(http_bodies, that_are_files_are_sent_again_by_an_own_retry)
{
    scripted_server server({received.answering({answer(503), answer(200, "at last")})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    temporary_file const stored(std::string(70'000, 'f'));
    auto request = make<bodies::file_body>(verb::put);
    request.body().open(stored.path(), beast::file_mode::read, error);
    auto put = [&](attempt const& current, auto token) {
        return client.async_request(current, request, std::move(token));
    };
    http::classifier const decide{verb::put};
    async_retry(context.get_executor(), put, quick(), classify(decide), store(response));
    finish();
    EXPECT_EQ(response.body(), "at last");
    EXPECT_EQ(received.body(0), stored.content());
    EXPECT_EQ(received.body(1), stored.content());
}

TEST_F(http_bodies, of_all_attempts_are_prepared_anew)
{
    scripted_server server({received.answering(
        {"HTTP/1.1 103 Early Hints\r\n\r\n" + answer(503, "a long story about failure"), answer(200, "short")})});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    temporary_file const stored;
    int opened = 0;
    auto open = [&](auto& body, boost::system::error_code& failure) {
        ++opened;
        body.open(stored.path(), beast::file_mode::write, failure);
    };
    bodies::response<bodies::file_body> of_file;
    client.async_send<bodies::file_body>(
        make_request(verb::get), quick(), report_to(report), http::prepare_body(open), store(of_file));
    finish();
    of_file.body().close();
    EXPECT_EQ(opened, 2);
    EXPECT_EQ(stored.content(), "short");
    EXPECT_EQ(report.attempts(), 2u);
}

TEST_F(http_bodies, have_short_forms_for_each_method)
{
    scripted_server server({received.answering(std::vector<std::string>(6, answer(200)))});
    http::client client(context.get_executor(), server.url(), tested_client_options());
    client.async_get("/get", store(response));
    finish();
    client.async_post("/post", "{}", "application/json", store(response));
    finish();
    client.async_put("/put", "text", "", store(response));
    finish();
    client.async_patch("/patch", "p", "text/plain", store(response));
    finish();
    client.async_delete("/delete", store(response));
    finish();
    client.async_head("/head", store(response));
    finish();
    auto const all = received.messages();
    ASSERT_EQ(all.size(), 6u);
    auto const host = "Host: 127.0.0.1:" + std::to_string(server.port()) + "\r\n";
    EXPECT_EQ(all[0].substr(0, 15 + host.size()), "GET /get HTTP/1.1\r\n" + host.substr(0, host.size() - 4));
    EXPECT_TRUE(all[1].starts_with("POST /post HTTP/1.1\r\n"));
    EXPECT_NE(all[1].find("\r\nContent-Type: application/json\r\n"), std::string::npos);
    EXPECT_TRUE(all[1].ends_with("\r\n\r\n{}"));
    EXPECT_TRUE(all[2].starts_with("PUT /put HTTP/1.1\r\n"));
    EXPECT_EQ(all[2].find("Content-Type"), std::string::npos);
    EXPECT_TRUE(all[3].starts_with("PATCH /patch HTTP/1.1\r\n"));
    EXPECT_TRUE(all[4].starts_with("DELETE /delete HTTP/1.1\r\n"));
    EXPECT_TRUE(all[5].starts_with("HEAD /head HTTP/1.1\r\n"));
}

// Made by gzip: "compressed text".
std::string const in_gzip(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x4b\xce\xcf\x2d\x28\x4a\x2d\x2e\x4e\x4d\x51\x28\x49\xad\x28\x01\x00\xc2\x18\xd8"
    "\xd8\x0f\x00\x00\x00",
    35);

// 100,000 times NUL.
std::string const many_in_gzip(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xed\xc1\x31\x01\x00\x00\x00\xc2\xa0\xf5\x4f\x6d\x0d\x0f\xa0\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
    "\x00\x80\x57\x03\x7d\x95\x11\xd4\xa0\x86\x01\x00",
    132);

class http_compressed : public http_bodies {
protected:
    http::client make_client(scripted_server const& server, bool accepts = true)
    {
        http::client_options options = tested_client_options();
        options.accept_gzip = accepts;
        options.body_limit = 50'000;
        return {context.get_executor(), server.url(), options};
    }

    static std::string compressed(std::string const& body, std::string const& coding = "gzip")
    {
        return answer(200, body, "Content-Encoding: " + coding + "\r\n");
    }
};

TEST_F(http_compressed, is_asked_for_and_decompressed)
{
    auto const chunked = "HTTP/1.1 200 OK\r\nContent-Encoding: x-gzip\r\nTransfer-Encoding: chunked\r\n\r\na\r\n"
        + in_gzip.substr(0, 10) + "\r\n19\r\n" + in_gzip.substr(10) + "\r\n0\r\n\r\n";
    scripted_server server(
        {received.answering({compressed(in_gzip), chunked, answer(200, "plain"), compressed(in_gzip)})});
    auto client = make_client(server);
    for (auto const* const expected : {"compressed text", "compressed text", "plain"}) {
        client.async_get("/", store(response));
        finish();
        EXPECT_EQ(error, boost::system::error_code()) << error.message();
        EXPECT_EQ(response.body(), expected);
        EXPECT_EQ(response.count(http::field::content_encoding), 0u);
    }
    bodies::response<bodies::vector_body<char>> of_vector;
    client.async_get<bodies::vector_body<char>>("/", store(of_vector));
    finish();
    EXPECT_EQ(std::string(of_vector.body().begin(), of_vector.body().end()), "compressed text");
    EXPECT_EQ(of_vector.count(http::field::content_length), 0u);
    EXPECT_NE(received.messages()[0].find("\r\nAccept-Encoding: gzip\r\n"), std::string::npos);
    EXPECT_EQ(server.accepted(), 1);
}

TEST_F(http_compressed, is_left_alone_unless_it_was_asked_for)
{
    scripted_server server({received.answering(std::vector<std::string>(3, compressed(in_gzip)))});
    auto unwilling = make_client(server, false);
    unwilling.async_get("/", store(response));
    finish();
    EXPECT_EQ(response.body(), in_gzip);
    EXPECT_EQ(response[http::field::content_encoding], "gzip");
    EXPECT_EQ(received.messages()[0].find("Accept-Encoding"), std::string::npos);

    auto client = make_client(server);
    auto with_own = make_request(verb::get);
    with_own.set(http::field::accept_encoding, "gzip, br");
    client.async_request(with_own, store(response));
    finish();
    EXPECT_EQ(response.body(), in_gzip);
    auto in_part = make_request(verb::get);
    in_part.set(http::field::range, "bytes=0-34");
    client.async_request(in_part, store(response));
    finish();
    EXPECT_EQ(response.body(), in_gzip);
}

TEST_F(http_compressed, is_left_alone_in_another_coding)
{
    scripted_server server({received.answering({compressed("br", "br"), compressed(in_gzip, "gzip, gzip")})});
    auto client = make_client(server);
    client.async_get("/", store(response));
    finish();
    EXPECT_EQ(response.body(), "br");
    EXPECT_EQ(response[http::field::content_encoding], "br");
    client.async_get("/", store(response));
    finish();
    EXPECT_EQ(response.body(), in_gzip);
}

TEST_F(http_compressed, that_is_damaged_is_a_permanent_error)
{
    auto damaged = in_gzip;
    damaged[20] ^= 1;
    for (auto const& each : {damaged, std::string("no gzip at all"), in_gzip + "rest"}) {
        scripted_server server({received.answering({compressed(each), compressed(in_gzip)})});
        auto client = make_client(server);
        client.async_send(make_request(verb::get), quick(), report_to(report), store(response));
        finish();
        EXPECT_EQ(error, http::errc::bad_gzip) << error.message();
        EXPECT_EQ(response.result_int(), 0u);
        EXPECT_EQ(report.attempts(), 1u);
        EXPECT_EQ(client.open_connections(), 0u);
    }
}

TEST_F(http_compressed, that_is_cut_off_is_read_again)
{
    scripted_server server(
        {received.answering({compressed(in_gzip.substr(0, 30))}), received.answering({compressed(in_gzip)})});
    auto client = make_client(server);
    client.async_send(make_request(verb::get), quick(), report_to(report), store(response));
    finish();
    EXPECT_EQ(response.body(), "compressed text");
    EXPECT_EQ(report.records()[0].error, bodies::error::partial_message);
}

TEST_F(http_compressed, has_a_limit_after_decompression)
{
    scripted_server server({received.answering({compressed(many_in_gzip)})});
    auto client = make_client(server);
    client.async_get("/", store(response));
    finish();
    EXPECT_EQ(error, bodies::error::body_limit);
    EXPECT_EQ(client.open_connections(), 0u);
}

TEST_F(http_compressed, of_a_response_without_a_body_is_none)
{
    scripted_server server({received.answering(
        {"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 35\r\n\r\n",
         "HTTP/1.1 304 Not Modified\r\nContent-Encoding: gzip\r\n\r\n",
         compressed("")})});
    auto client = make_client(server);
    client.async_head("/", store(response));
    finish();
    EXPECT_EQ(error, boost::system::error_code()) << error.message();
    EXPECT_EQ(response[http::field::content_encoding], "gzip");
    EXPECT_EQ(response[http::field::content_length], "35");
    client.async_get("/", store(response));
    finish();
    EXPECT_EQ(response.result_int(), 304u);
    client.async_get("/", store(response));
    finish();
    EXPECT_EQ(error, boost::system::error_code()) << error.message();
    EXPECT_EQ(response.body(), "");
    EXPECT_EQ(server.accepted(), 1);
}

static_assert(http::replayable_body<bodies::string_body>::value);
static_assert(http::replayable_body<bodies::empty_body>::value);
static_assert(http::replayable_body<bodies::dynamic_body>::value);
static_assert(http::replayable_body<bodies::vector_body<char>>::value);
static_assert(http::replayable_body<bodies::span_body<char const>>::value);
static_assert(http::replayable_body<bodies::file_body>::value);
static_assert(!http::replayable_body<pieces_body>::value);

}  // namespace
}  // namespace backbeat::test
