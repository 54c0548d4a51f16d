//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/classify.hpp>
#include <backbeat/http/classifier.hpp>
#include <backbeat/http/error.hpp>
#include <backbeat/http/message.hpp>
#include <backbeat/retry_errc.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/system/errc.hpp>
#include <boost/system/system_error.hpp>

#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

#include <chrono>
#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;
using backbeat::attempt;
using backbeat::delivery;
using backbeat::verdict;
using backbeat::verdict_kind;
using backbeat::http::classifier;
using backbeat::http::idempotency;
using backbeat::http::verb;
using boost::system::error_code;
namespace asio = boost::asio;
namespace http = backbeat::http;

constexpr auto longest = (std::chrono::nanoseconds::max)();

http::response response_of(unsigned status, std::vector<std::pair<std::string, std::string>> fields = {})
{
    http::response result;
    result.result(status);
    for (auto const& [name, value] : fields) result.insert(name, value);
    return result;
}

TEST(http_idempotency, follows_the_method)
{
    for (auto const method : {verb::get, verb::head, verb::options, verb::trace})
        EXPECT_EQ(http::idempotency_of(method), idempotency::safe);
    for (auto const method : {verb::put, verb::delete_})
        EXPECT_EQ(http::idempotency_of(method), idempotency::idempotent);
    for (auto const method : {verb::post, verb::patch, verb::connect, verb::lock, verb::unknown})
        EXPECT_EQ(http::idempotency_of(method), idempotency::never);
}

TEST(http_classifier, judges_statuses_whatever_the_request)
{
    for (auto const status : {100u, 200u, 204u, 299u, 301u, 304u})
        EXPECT_EQ(classifier{}(response_of(status)).kind, verdict_kind::done) << status;
    for (auto const status : {400u, 401u, 403u, 404u, 408u, 409u, 412u, 425u, 499u}) {
        auto const judged = classifier{}(response_of(status));
        EXPECT_EQ(judged.kind, verdict_kind::permanent) << status;
        EXPECT_EQ(judged.delivered, delivery::responded);
        EXPECT_EQ(judged.status, static_cast<int>(status));
    }
    for (auto const status : {500u, 501u, 502u, 503u, 504u, 505u, 511u, 599u}) {
        auto const judged = classifier{}(response_of(status));
        EXPECT_EQ(judged.kind, verdict_kind::retry) << status;
        EXPECT_EQ(judged.delivered, delivery::ambiguous);
        EXPECT_TRUE(judged.replayable);
    }
    auto const throttled = classifier{}(response_of(429));
    EXPECT_EQ(throttled.kind, verdict_kind::throttled);
    EXPECT_EQ(throttled.delivered, delivery::rejected);
    EXPECT_TRUE(throttled.replayable);
    EXPECT_EQ(throttled.status, 429);
}

TEST(http_classifier, minds_what_the_method_allows)
{
    EXPECT_TRUE(classifier{verb::get}(response_of(503)).replayable);
    EXPECT_TRUE(classifier{verb::delete_}(response_of(503)).replayable);
    EXPECT_FALSE(classifier{verb::post}(response_of(503)).replayable);
    // It stops only if an attempt was ambiguous: this one was not.
    EXPECT_FALSE(classifier{verb::post}(response_of(429)).replayable);
    EXPECT_EQ(classifier{verb::post}(response_of(429)).delivered, delivery::rejected);
    EXPECT_TRUE((classifier{.method = verb::post, .replay = idempotency::idempotent}(response_of(503)).replayable));
    EXPECT_FALSE((classifier{.replay = idempotency::never}(response_of(503)).replayable));
}

TEST(http_classifier, takes_the_largest_valid_hint)
{
    EXPECT_EQ(classifier{}(response_of(503)).hint, std::nullopt);
    EXPECT_EQ(classifier{}(response_of(503, {{"Retry-After", "2"}})).hint, 2s);
    EXPECT_EQ(classifier{}(response_of(429, {{"retry-after-ms", "20"}})).hint, 20ms);
    EXPECT_EQ(classifier{}(response_of(429, {{"Retry-After", "soon"}})).hint, std::nullopt);
    EXPECT_EQ(
        classifier{}(
            response_of(
                503, {{"Retry-After", "2"}, {"Retry-After", "7"}, {"Retry-After", "-9"}, {"Retry-After-Ms", "6999"}}))
            .hint,
        7s);
    EXPECT_EQ(classifier{}(response_of(503, {{"Retry-After", "2"}, {"retry-after-ms", "2001"}})).hint, 2001ms);
    EXPECT_EQ(classifier{}(response_of(200, {{"Retry-After", "2"}})).hint, std::nullopt);
    EXPECT_EQ(classifier{}(response_of(404, {{"Retry-After", "2"}})).hint, std::nullopt);
}

using fields = std::vector<std::pair<std::string, std::string>>;

std::optional<std::chrono::nanoseconds> hint_of(fields const& of)
{
    return classifier{}(response_of(503, of)).hint;
}

TEST(http_classifier, measures_a_date_against_the_servers_clock)
{
    // Whatever the time is here: it is not 1994.
    std::string const date = "Sun, 06 Nov 1994 08:49:37 GMT";
    std::string const later = "Sun, 06 Nov 1994 08:49:44 GMT";
    EXPECT_EQ(hint_of({{"Date", date}, {"Retry-After", later}}), 7s);
    EXPECT_EQ(hint_of({{"Retry-After", later}, {"date", date}}), 7s);
    EXPECT_EQ(hint_of({{"Date", later}, {"Retry-After", date}}), 0s);
    EXPECT_EQ(hint_of({{"Date", "Sun Nov  6 08:49:37 1994"}, {"Retry-After", later}}), 7s);
    EXPECT_EQ(hint_of({{"Date", "Sunday, 06-Nov-94 08:49:37 GMT"}, {"Retry-After", later + ", 5"}}), 7s);
    EXPECT_EQ(hint_of({{"Date", date}, {"Retry-After", "2"}, {"Retry-After", later}, {"retry-after-ms", "9"}}), 7s);
    // The earliest `Date` makes for the longest wait; one that cannot be read does not count.
    EXPECT_EQ(hint_of({{"Date", later}, {"Date", date}, {"Date", "yesterday"}, {"Retry-After", later}}), 7s);
    // It does not matter to the number of seconds.
    EXPECT_EQ(hint_of({{"Date", "Fri, 31 Dec 9999 23:59:59 GMT"}, {"Retry-After", "3"}}), 3s);
}

TEST(http_classifier, measures_a_date_against_its_own_clock_where_the_server_has_none)
{
    fields const dates{{"Date", ""}, {"Date", "now"}, {"Date", "Fri, 31 Dec 9999 23:59:59 GMT"}, {"X", "y"}};
    for (auto const& date : dates) {
        EXPECT_EQ(hint_of({date, {"Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT"}}), 0s) << date.second;
        EXPECT_EQ(hint_of({date, {"Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT"}}), longest) << date.second;
        EXPECT_EQ(hint_of({date, {"Retry-After", "Fri, 32 Dec 9999 23:59:59 GMT"}}), std::nullopt) << date.second;
        auto const in_2200 = hint_of({date, {"Retry-After", "Wed, 01 Jan 2200 00:00:00 GMT"}});
        EXPECT_NEAR(
            std::chrono::duration<double>(in_2200.value_or(0s)).count(),
            std::chrono::duration<double>(
                std::chrono::seconds(7258118400) - std::chrono::system_clock::now().time_since_epoch())
                .count(),
            60)
            << date.second;
    }
}

TEST(http_classifier, forgets_the_hint_of_the_response_before)
{
    classifier const decide;
    EXPECT_EQ(decide(response_of(503, {{"Retry-After", "2"}})).hint, 2s);
    EXPECT_EQ(decide(response_of(503)).hint, std::nullopt);
}

std::vector<error_code> proofs_of_non_delivery()
{
    return {
        asio::error::connection_refused,
        asio::error::host_not_found_try_again,
        http::errc::connect_timeout,
        asio::error::no_descriptors,
        make_error_code(boost::system::errc::address_not_available)};
}

std::vector<error_code> transport_errors()
{
    return {
        asio::error::connection_reset,
        asio::error::connection_aborted,
        asio::error::broken_pipe,
        asio::error::timed_out,
        asio::error::host_unreachable,
        asio::error::network_unreachable,
        asio::error::eof,
        make_error_code(boost::beast::http::error::end_of_stream),
        make_error_code(boost::beast::http::error::partial_message),
        asio::ssl::error::stream_truncated,
        make_error_code(boost::beast::error::timeout),
        make_error_code(backbeat::retry_errc::attempt_timeout)};
}

error_code openssl_error(int reason)
{
    return {static_cast<int>(ERR_PACK(ERR_LIB_SSL, 0, reason)), asio::error::get_ssl_category()};
}

std::vector<error_code> permanent_errors()
{
    return {
        asio::error::operation_aborted,
        asio::error::invalid_argument,
        asio::error::access_denied,
        asio::error::operation_not_supported,
        asio::error::host_not_found,
        asio::error::no_recovery,
        asio::error::service_not_found,
        make_error_code(boost::beast::http::error::body_limit),
        make_error_code(boost::beast::http::error::header_limit),
        make_error_code(boost::beast::http::error::bad_chunk),
        make_error_code(boost::beast::http::error::bad_version),
        http::errc::not_http,
        http::errc::not_tls,
        http::errc::invalid_target,
        http::errc::invalid_field,
        http::errc::client_closed,
        http::errc::bad_gzip,
        error_code(X509_V_ERR_CERT_HAS_EXPIRED, http::certificate_category()),
        openssl_error(SSL_R_CERTIFICATE_VERIFY_FAILED),
        openssl_error(SSL_R_WRONG_VERSION_NUMBER),
        openssl_error(SSL_R_TLSV1_ALERT_UNKNOWN_CA),
        make_error_code(backbeat::retry_errc::deadline),
        make_error_code(backbeat::retry_errc::invalid_options)};
}

TEST(http_classifier, judges_errors)
{
    auto const nothing = http::response{};
    for (auto const& error : proofs_of_non_delivery()) {
        for (auto const& decide : {classifier{}, classifier{verb::post}, classifier{verb::get}}) {
            auto const judged = decide(error, nothing);
            EXPECT_EQ(judged.kind, verdict_kind::retry) << error.message();
            EXPECT_EQ(judged.delivered, delivery::not_sent) << error.message();
        }
        EXPECT_TRUE(classifier{}(error, nothing).replayable) << error.message();
    }
    for (auto const& error : transport_errors()) {
        for (auto const& decide : {classifier{verb::get}, classifier{.replay = idempotency::idempotent}}) {
            auto const judged = decide(error, nothing);
            EXPECT_EQ(judged.kind, verdict_kind::retry) << error.message();
            EXPECT_TRUE(judged.replayable) << error.message();
        }
        for (auto const& decide : {classifier{}, classifier{verb::post}}) {
            auto const judged = decide(error, nothing);
            EXPECT_EQ(judged.delivered, delivery::ambiguous) << error.message();
            EXPECT_FALSE(judged.replayable) << error.message();
        }
    }
    for (auto const& error : permanent_errors())
        EXPECT_EQ(classifier{verb::get}(error, nothing).kind, verdict_kind::permanent) << error.message();
}

TEST(http_classifier, believes_the_operations_own_report)
{
    auto const nothing = http::response{};
    for (auto const& error : transport_errors()) {
        attempt unsent(1);
        unsent.report(delivery::not_sent);
        EXPECT_EQ(classifier{}(unsent, error, nothing).kind, verdict_kind::retry);
        EXPECT_TRUE(classifier{}(unsent, error, nothing).replayable);
        EXPECT_EQ(classifier{}(unsent, error, nothing).delivered, delivery::not_sent);

        attempt sent(1);
        sent.report(delivery::ambiguous);
        EXPECT_EQ(classifier{}(sent, error, nothing).kind, verdict_kind::retry);
        EXPECT_FALSE(classifier{}(sent, error, nothing).replayable);
        EXPECT_TRUE(classifier{verb::get}(sent, error, nothing).replayable);
    }
    attempt silent(1);
    EXPECT_EQ(classifier{}(silent, error_code(), response_of(429)).delivered, delivery::rejected);
}

TEST(http_classifier, takes_any_completion)
{
    attempt current(1);
    EXPECT_EQ(classifier{}(current, error_code()).kind, verdict_kind::done);
    EXPECT_EQ(classifier{}(error_code(), std::size_t(7)).kind, verdict_kind::done);
    EXPECT_EQ(classifier{}(current, error_code(), std::size_t(7), response_of(503)).kind, verdict_kind::retry);
    boost::beast::http::response<boost::beast::http::empty_body> empty;
    empty.result(503);
    EXPECT_EQ(classifier{}(current, error_code(), empty).kind, verdict_kind::retry);

    auto const thrown = [](auto exception) { return std::make_exception_ptr(exception); };
    EXPECT_EQ(classifier{}(current, std::exception_ptr(), response_of(503)).kind, verdict_kind::retry);
    EXPECT_EQ(
        classifier{}(current, thrown(boost::system::system_error(asio::error::connection_refused)), response_of(200))
            .kind,
        verdict_kind::retry);
    EXPECT_EQ(
        classifier{verb::get}(current, thrown(std::logic_error("x")), response_of(200)).kind, verdict_kind::permanent);
}

TEST(http_classifier, speaks_for_responses_in_a_plain_retry)
{
    backbeat::default_classifier const decide;
    EXPECT_EQ(decide(error_code(), response_of(503)).kind, verdict_kind::retry);
    EXPECT_EQ(decide(error_code(), response_of(429, {{"Retry-After", "3"}})).hint, 3s);
    EXPECT_EQ(decide(error_code(), response_of(404)).kind, verdict_kind::permanent);
    EXPECT_EQ(decide(error_code(), response_of(200)).kind, verdict_kind::done);
}

TEST(http_error, says_what_was_wrong)
{
    EXPECT_EQ(
        error_code(X509_V_ERR_HOSTNAME_MISMATCH, http::certificate_category()).message(),
        std::string("the server's certificate is not trusted: ")
            + X509_verify_cert_error_string(X509_V_ERR_HOSTNAME_MISMATCH));
    EXPECT_TRUE(http::is_certificate_error(openssl_error(SSL_R_CERTIFICATE_VERIFY_FAILED)));
    EXPECT_FALSE(http::is_certificate_error(openssl_error(SSL_R_WRONG_VERSION_NUMBER)));
    EXPECT_FALSE(http::is_certificate_error(http::errc::not_tls));
    for (int value = 1; value <= static_cast<int>(http::errc::bad_gzip); ++value)
        EXPECT_EQ(error_code(value, http::http_category()).message().find("unknown"), std::string::npos) << value;
}

}  // namespace
