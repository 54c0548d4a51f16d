//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Each call of the system fails once, in each way in which it can: the first of an exchange, the second, and so on,
// until the exchange ends before the failure comes. Whatever happens then, what the client says of it is compared with
// what the server saw.

#include "client_fixture.hpp"
#include "recording_server.hpp"
#include "system_calls.hpp"

#include <backbeat/http/classifier.hpp>
#include <backbeat/http/client.hpp>
#include <backbeat/report_to.hpp>
#include <backbeat/retry_report.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/beast/http/error.hpp>

#include <netdb.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <ostream>
#include <string_view>
#include <vector>

namespace backbeat::test {
namespace {

using namespace std::chrono_literals;
using boost::system::error_code;
using http::idempotency;
using http::verb;
namespace asio = boost::asio;
namespace beast_http = boost::beast::http;

// What becomes of an attempt that a failure strikes: nobody notices, or it is not worth another, or it is if nothing
// was sent (which with some errors is certain), or if the request may be repeated.
enum class weight { unnoticed, permanent, not_sent, transport };

struct kind {
    char const* name;
    fault planted;
    weight weighs;
};

constexpr auto on_connect = system_call::connect | system_call::connected;
constexpr auto on_transfer = system_call::send | system_call::receive;
constexpr auto on_any_end = system_call::connected | on_transfer | system_call::peek;

kind const kinds[] = {
    {"interrupted", {failing::at_once, EINTR, on_transfer | system_call::peek}, weight::unnoticed},
    {"not_ready_after_all", {failing::at_once, EAGAIN, on_transfer | system_call::poll}, weight::unnoticed},
    {"short_send", {failing::one_byte, 0, system_call::send}, weight::unnoticed},
    {"short_sends", {failing::one_byte, 0, system_call::send, true}, weight::unnoticed},
    {"short_receive", {failing::one_byte, 0, system_call::receive}, weight::unnoticed},
    {"short_receives", {failing::one_byte, 0, system_call::receive, true}, weight::unnoticed},
    {"option_refused", {failing::at_once, ENOBUFS, system_call::option}, weight::unnoticed},
    {"blocking", {failing::at_once, ENOBUFS, system_call::block}, weight::transport},

    {"unknown_host", {failing::at_once, EAI_NONAME, system_call::look_up}, weight::permanent},
    {"name_server_busy", {failing::at_once, EAI_AGAIN, system_call::look_up}, weight::not_sent},
    {"name_server_busy_for_good", {failing::at_once, EAI_AGAIN, system_call::look_up, true}, weight::not_sent},
    {"no_memory_to_look_up", {failing::at_once, EAI_MEMORY, system_call::look_up}, weight::permanent},

    {"no_descriptor", {failing::at_once, EMFILE, system_call::open}, weight::not_sent},
    {"no_descriptor_for_good", {failing::at_once, EMFILE, system_call::open, true}, weight::not_sent},
    {"no_descriptor_of_the_system", {failing::at_once, ENFILE, system_call::open}, weight::not_sent},
    {"too_many_watched", {failing::at_once, ENOSPC, system_call::watch}, weight::transport},
    {"no_memory", {failing::at_once, ENOMEM, system_call::open | system_call::watch | on_transfer}, weight::permanent},
    {"no_buffer",
     {failing::at_once, ENOBUFS, system_call::open | system_call::connect | on_transfer},
     weight::transport},
    {"no_buffer_for_good", {failing::at_once, ENOBUFS, system_call::send, true}, weight::transport},

    {"refused", {failing::at_once, ECONNREFUSED, on_connect}, weight::not_sent},
    {"refused_for_good", {failing::at_once, ECONNREFUSED, on_connect, true}, weight::not_sent},
    {"no_port", {failing::at_once, EADDRNOTAVAIL, system_call::connect}, weight::not_sent},
    {"not_permitted", {failing::at_once, EACCES, system_call::connect}, weight::permanent},
    {"unreachable", {failing::broken, EHOSTUNREACH, system_call::connect | on_any_end}, weight::transport},
    {"no_network", {failing::at_once, ENETUNREACH, system_call::connect}, weight::transport},
    {"timed_out", {failing::broken, ETIMEDOUT, on_any_end}, weight::transport},
    {"reset", {failing::broken, ECONNRESET, on_any_end}, weight::transport},
    {"reset_for_good", {failing::broken, ECONNRESET, on_any_end, true}, weight::transport},
    {"broken_pipe", {failing::broken, EPIPE, system_call::send}, weight::transport},
    {"reset_in_a_send", {failing::one_byte_then_broken, ECONNRESET, system_call::send}, weight::transport},
    {"reset_in_a_receive", {failing::one_byte_then_broken, ECONNRESET, system_call::receive}, weight::transport},
    {"closed", {failing::closed, 0, system_call::receive | system_call::peek}, weight::transport},
};

enum class framing { length, chunked, until_end };
enum class way { request, send };

struct scenario {
    verb method = verb::get;
    idempotency replay = idempotency::safe;
    std::size_t body = 0;
    framing answer = framing::length;
    int tls = 0;
    bool kept = false;  // on a connection that has served a request before
    int addresses = 1;
    way made = way::request;
};

constexpr std::size_t small = 10;
constexpr std::size_t large = 100'000;  // more than the buffers of the sockets hold
constexpr std::uint32_t retries = 3;

std::string name_of(scenario const& value)
{
    std::string result(beast_http::to_string(value.method));
    result += std::string("_") + to_string(value.replay);
    if (value.body != 0) result += value.body == small ? "_small" : "_large";
    result += value.answer == framing::length ? "_length"
        : value.answer == framing::chunked    ? "_chunked"
                                              : "_until_end";
    result += value.tls == 0 ? "_tcp" : value.tls == TLS1_2_VERSION ? "_tls12" : "_tls13";
    result += value.kept ? "_kept" : "_fresh";
    if (value.addresses == 2) result += "_two_addresses";
    return result + (value.made == way::request ? "_request" : "_send");
}

void PrintTo(scenario const& value, std::ostream* out)
{
    *out << name_of(value);
}

std::vector<scenario> scenarios()
{
    struct message {
        verb method;
        idempotency replay;
        std::size_t body;
    };
    message const get{verb::get, idempotency::safe, 0};
    message const post{verb::post, idempotency::never, small};
    message const long_post{verb::post, idempotency::never, large};
    message const put{verb::put, idempotency::idempotent, small};
    message const keyed_post{verb::post, idempotency::idempotent, large};
    auto const all_answers = {framing::length, framing::chunked, framing::until_end};
    std::vector<scenario> result;
    for (auto const made : {way::request, way::send})
        for (auto const kept : {false, true}) {
            auto const add = [&](message const& sent, framing answer, int tls, int addresses = 1) {
                result.push_back({sent.method, sent.replay, sent.body, answer, tls, kept, addresses, made});
            };
            for (auto const& sent : {get, post, long_post, put, keyed_post})
                for (auto const answer : all_answers) add(sent, answer, 0);
            // TLS takes its time: not each with each.
            for (auto const version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
                add(get, made == way::request ? framing::until_end : framing::chunked, version);
                add(post, framing::length, version);
                add(kept ? put : long_post, framing::length, version);
            }
        }
    for (auto const version : {TLS1_2_VERSION, TLS1_3_VERSION})
        for (auto const& sent : {long_post, keyed_post})
            result.push_back({sent.method, sent.replay, sent.body, framing::length, version, true});
    for (auto const made : {way::request, way::send}) {
        result.push_back({.addresses = 2, .made = made});
        result.push_back({verb::post, idempotency::never, small, framing::length, 0, false, 2, made});
    }
    result.push_back({verb::post, idempotency::never, small, framing::length, TLS1_3_VERSION, false, 2});
#ifdef BACKBEAT_SAMPLE_FAILURES
    // Every fourth, which is another one of each round above.
    std::vector<scenario> sample;
    for (std::size_t i = 0; i < result.size(); i += 4) sample.push_back(result[i]);
    return sample;
#else
    return result;
#endif
}

std::string const answered_body = "an answer that is long enough to be cut in the middle";

std::string respond(std::string const& request)
{
    std::string const head = "HTTP/1.1 200 OK\r\n";
    auto const asks_for = [&](std::string_view target) { return request.find(target) < request.find(" HTTP/"); };
    if (asks_for(" /until_end")) return head + "Connection: close\r\n\r\n" + answered_body;
    if (!asks_for(" /chunked"))
        return head + "Content-Length: " + std::to_string(answered_body.size()) + "\r\n\r\n" + answered_body;
    // 0x1e and the rest
    return head + "Transfer-Encoding: chunked\r\n\r\n1e\r\n" + answered_body.substr(0, 30) + "\r\n17\r\n"
        + answered_body.substr(30) + "\r\n0\r\n\r\n";
}

test_certificate const& certificate()
{
    static auto const made = make_test_certificate("DNS:twice.test,IP:127.0.0.1");
    return made;
}

std::ptrdiff_t open_descriptors()
{
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
}

// What one exchange came to.
struct outcome {
    int completions = 0;
    error_code error;
    http::response response;
    std::vector<attempt_record> attempts;
    std::optional<stop_reason> reason;  // of `async_send`
    std::optional<strike> struck;
    std::vector<recording_server::copy> copies;
    int accepted = 0;  // connections

    [[nodiscard]] delivery delivered() const
    {
        auto result = delivery::not_sent;
        for (auto const& each : attempts) result = worse(result, each.delivered.value());
        return result;
    }
};

class http_fail_loop : public client_fixture, public ::testing::WithParamInterface<scenario> {
protected:
    http_fail_loop() : server(&respond, about.tls, certificate())
    {
        use_small_send_buffers(true);
        message = make_request(
            about.method,
            about.answer == framing::length        ? "/length"
                : about.answer == framing::chunked ? "/chunked"
                                                   : "/until_end",
            std::string(about.body, 'x'));
        host = about.addresses == 2 ? "twice.test" : "127.0.0.1";
    }

    ~http_fail_loop() override
    {
        uproot();
        use_small_send_buffers(false);
    }

    http::client make_client()
    {
        http::client_options options = tested_client_options();
        options.ca_certificate = certificate().authority;
        options.connection_attempt_delay = 1h;
        // Sooner than patience runs out: it then is a wrong error, and not a test that hangs.
        options.connect_timeout = options.attempt_timeout = patience / 2;
        return {context.get_executor(), server.url(host), options};
    }

    // Exactly what is to go over the line.
    [[nodiscard]] std::string wire() const
    {
        std::string result = std::string(message.method_string()) + " " + std::string(message.target())
            + " HTTP/1.1\r\nHost: " + server.url(host).substr(about.tls != 0 ? 8 : 7)
            + "\r\nUser-Agent: backbeat/0.1\r\n";
        if (about.body != 0) result += "Content-Length: " + std::to_string(about.body) + "\r\n";
        return result + "\r\n" + message.body();
    }

    void start(http::client& client, outcome& result, call& single, retry_report& report)
    {
        if (about.made == way::request) return single.start(client, about.replay);
        client.async_send(
            message,
            about.replay,
            {.initial_backoff = 0ns, .jitter = jitter::none, .maximum_retries = retries},
            report_to(report),
            [&result](error_code error, http::response response) {
                ++result.completions;
                result.error = error;
                result.response = std::move(response);
            });
    }

    void expect_success(http::client& client)
    {
        call other("/other");
        send(client, other);
        if (!other.done()) give_up(client, [&] { return other.done(); });
        EXPECT_EQ(other.error, error_code()) << other.error.message();
        EXPECT_EQ(other.response.body(), answered_body);
    }

    // For a test that has failed: nobody is to be called who is gone.
    template <class Condition>
    void give_up(http::client& client, Condition done)
    {
        client.close();
        run_until(done);
    }

    // For what is made once in the life of a context: its own descriptors, the resolver's thread.
    void warm_up()
    {
        {
            auto client = make_client();
            expect_success(client);
        }
        settle();
        EXPECT_TRUE(server.wait_for_end_of_all());
        server.take_copies();
        server.take_accepted();
    }

    // All of it once, with a client of its own.
    outcome run_once(kind const& what, int spared)
    {
        outcome result;
        auto const descriptors = open_descriptors();
        {
            auto client = make_client();
            if (about.kept) expect_success(client);
            call single(message);
            retry_report report;
            plant(what.planted, spared);
            start(client, result, single, report);
            auto const done = [&] { return result.completions + single.completions != 0; };
            auto const ended = run_until(done);
            result.struck = uproot();
            EXPECT_TRUE(ended) << "hangs";
            if (!ended) give_up(client, done);
            settle();
            if (about.made == way::request) {
                result.completions = single.completions;
                result.error = single.error;
                result.response = std::move(single.response);
                result.attempts.push_back({.number = 1, .error = single.error, .delivered = single.delivered()});
            } else {
                result.attempts = report.records();
                result.reason = report.reason();
            }
            EXPECT_EQ(client.open_connections(), client.idle_connections());
            EXPECT_EQ(client.queued_requests(), 0u);
            context.restart();
            context.poll();
            EXPECT_TRUE(context.stopped()) << "an operation is left in the context";
            expect_success(client);
        }
        settle();
        EXPECT_TRUE(server.wait_for_end_of_all());
        EXPECT_EQ(open_descriptors(), descriptors);
        result.accepted = server.take_accepted();
        result.copies = server.take_copies();
        // The others are of no interest.
        std::erase_if(result.copies, [](auto const& each) { return each.text.starts_with("GET /other "); });
        return result;
    }

    // Whatever was struck: no claim that the server contradicts.
    void expect_truth(outcome const& seen, kind const& what)
    {
        auto const complete = std::count_if(seen.copies.begin(), seen.copies.end(), [](auto& e) { return e.complete; });
        auto const copies = static_cast<std::ptrdiff_t>(seen.copies.size());
        auto const whole = wire();
        for (auto const& each : seen.copies)
            EXPECT_TRUE(each.complete ? each.text == whole : whole.starts_with(each.text)) << each.text;
        EXPECT_EQ(seen.completions, 1);
        ASSERT_FALSE(seen.attempts.empty());
        auto const free_replay = about.kept ? 1 : 0;
        EXPECT_LE(copies, static_cast<std::ptrdiff_t>(seen.attempts.size()) + free_replay);
        if (about.replay == idempotency::never) {
            EXPECT_LE(copies, 1) << "sent again";
        }

        if (!seen.error) {
            EXPECT_EQ(seen.response.result_int(), 200u);
            if (may_be_cut(what))
                EXPECT_TRUE(answered_body.starts_with(seen.response.body()));
            else
                EXPECT_EQ(seen.response.body(), answered_body);
            EXPECT_GE(complete, 1);
            // An earlier copy may have been the one that took effect.
            auto const replayed = seen.attempts.size() == 1 && copies > 1 && about.replay == idempotency::idempotent;
            EXPECT_EQ(seen.attempts.back().delivered, replayed ? delivery::ambiguous : delivery::responded);
        } else {
            EXPECT_EQ(seen.response.result_int(), 0u);
            EXPECT_EQ(seen.response.body(), "");
            EXPECT_NE(seen.delivered(), delivery::responded);
            EXPECT_NE(seen.delivered(), delivery::rejected);
            if (seen.delivered() == delivery::not_sent) {
                EXPECT_EQ(copies, 0) << "was sent";
            } else if (about.tls == 0) {
                // With TLS the server may be told that the connection is gone before it has read what was sent.
                EXPECT_GE(copies, 1) << "was not sent";
            }
        }
    }

    // Of a body without a length, over TCP, nobody can tell its end from the end of the connection.
    [[nodiscard]] bool may_be_cut(kind const& what) const
    {
        return what.planted.how == failing::closed && about.answer == framing::until_end && about.tls == 0;
    }

    // For all requests of one run, if none is lost.
    [[nodiscard]] int connections_needed() const { return about.answer == framing::until_end ? 2 : 1; }

    enum class prospect { success, failure, either };

    // What one attempt comes to, without retries, with the failure where it struck.
    [[nodiscard]] prospect prospect_of(kind const& what, strike const& at) const
    {
        if (what.weighs == weight::unnoticed) return prospect::success;
        // Then a fresh connection is made.
        if (at.at == system_call::peek && !what.planted.lasting) return prospect::success;
        if (at.at == system_call::look_up) return prospect::failure;
        // Asio needs it to connect. Later it is not needed, if nothing relies on it.
        if (at.at == system_call::block && at.begun != 0) return prospect::success;
        if (!includes(on_transfer, at.at))
            return about.addresses == 2 && !what.planted.lasting ? prospect::success : prospect::failure;
        if (may_be_cut(what) && at.received != 0) return prospect::either;
        auto const on_kept = about.kept && at.opened == 0;
        if (!on_kept || what.planted.lasting) return prospect::failure;
        // Bytes of TLS may be too few to be bytes of a request or a response.
        if (at.received != 0) return about.tls != 0 ? prospect::either : prospect::failure;
        if (about.replay != idempotency::never || at.sent == 0) return prospect::success;
        return about.tls != 0 && at.at == system_call::send ? prospect::either : prospect::failure;
    }

    [[nodiscard]] error_code error_of(kind const& what, strike const& at) const
    {
        if (what.planted.how == failing::closed) {
            if (about.tls != 0) return asio::ssl::error::stream_truncated;
            return at.received == 0 ? beast_http::error::end_of_stream : beast_http::error::partial_message;
        }
        if (at.at != system_call::look_up) return {what.planted.error, asio::error::get_system_category()};
        switch (what.planted.error) {
        case EAI_AGAIN: return asio::error::host_not_found_try_again;
        case EAI_NONAME: return asio::error::host_not_found;
        default: return asio::error::no_memory;
        }
    }

    void expect_verdicts(error_code error, delivery delivered, kind const& what)
    {
        auto const judged = what.weighs == weight::permanent ? verdict_kind::permanent : verdict_kind::retry;
        attempt ended{1};
        ended.report(delivered);
        auto const told = http::classifier{.replay = about.replay}(ended, error, http::response{});
        EXPECT_EQ(told.kind, judged);
        EXPECT_EQ(told.delivered, delivered);
        EXPECT_EQ(told.replayable, about.replay != idempotency::never);
        auto const untold = http::classifier{}(error, http::response{});
        EXPECT_EQ(untold.kind, judged);
        EXPECT_EQ(untold.replayable, what.weighs == weight::not_sent);
    }

    void expect_fitting_end(outcome const& seen, kind const& what)
    {
        auto const& at = *seen.struck;
        auto const first = prospect_of(what, at);
        if (first == prospect::success) {
            EXPECT_EQ(seen.error, error_code()) << seen.error.message();
            EXPECT_EQ(seen.attempts.size(), 1u);
        }
        EXPECT_TRUE(first != prospect::failure || seen.attempts.front().error) << "the failure went unnoticed";
        if (what.weighs == weight::unnoticed) {
            EXPECT_EQ(seen.copies.size(), 1u) << "sent more than once";
            EXPECT_EQ(seen.accepted, connections_needed() + (at.at == system_call::peek ? 1 : 0));
        }
        for (auto const& each : seen.attempts) {
            if (!each.error) continue;
            // A long request is written and its answer is read at the same time: either may be the first to see that the
            // connection broke.
            auto const is_seen_by_the_other = about.body == large
                && (each.error == asio::error::connection_reset || each.error == asio::error::broken_pipe);
            EXPECT_TRUE(is_seen_by_the_other || each.error == error_of(what, at)) << each.error.message();
            expect_verdicts(each.error, each.delivered.value(), what);
        }
        if (about.made == way::request || !seen.attempts.front().error) return;

        auto const last = seen.attempts.back();
        auto const is_done = [&](attempt_record const& each) {
            return about.replay == idempotency::never && each.delivered == delivery::ambiguous;
        };
        for (std::size_t i = 0; i + 1 < seen.attempts.size(); ++i) EXPECT_FALSE(is_done(seen.attempts[i]));
        if (what.weighs == weight::permanent) {
            EXPECT_EQ(seen.attempts.size(), 1u);
            EXPECT_EQ(seen.reason, stop_reason::permanent);
        } else if (is_done(last)) {
            EXPECT_EQ(seen.reason, stop_reason::not_replayable);
        } else if (what.planted.lasting) {
            EXPECT_EQ(seen.attempts.size(), retries + 1u);
            EXPECT_EQ(seen.reason, stop_reason::exhausted);
        } else {
            EXPECT_EQ(seen.attempts.size(), 2u);
            EXPECT_EQ(seen.reason, stop_reason::success);
            EXPECT_EQ(seen.error, error_code());
        }
    }

    scenario const about = GetParam();
    recording_server server;
    http::request message;
    std::string host;
};

TEST_P(http_fail_loop, says_what_became_of_the_request)
{
    warm_up();
    ASSERT_FALSE(HasFailure());
    for (auto const& what : kinds) {
        auto const byte_by_byte = what.planted.lasting && what.planted.how == failing::one_byte;
        if (byte_by_byte && about.body == large) continue;
        for (int n = 0;; ++n) {
            SCOPED_TRACE(std::string(what.name) + " at call " + std::to_string(n));
            auto const seen = run_once(what, n);
            SCOPED_TRACE(seen.struck ? "in " + std::to_string(static_cast<int>(seen.struck->at)) : "in none");
            ASSERT_FALSE(HasFailure());
            ASSERT_NO_FATAL_FAILURE(expect_truth(seen, what));
            if (!seen.struck) {
                EXPECT_EQ(seen.error, error_code());
                EXPECT_EQ(seen.copies.size(), 1u);
                EXPECT_EQ(seen.attempts.size(), 1u);
                EXPECT_EQ(seen.accepted, connections_needed());
                break;
            }
            expect_fitting_end(seen, what);
            ASSERT_FALSE(HasFailure());
            if (byte_by_byte) break;
            ASSERT_LT(n, 300) << "does not end";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(scenarios, http_fail_loop, ::testing::ValuesIn(scenarios()), [](auto const& each) {
    return name_of(each.param);
});

}  // namespace
}  // namespace backbeat::test
