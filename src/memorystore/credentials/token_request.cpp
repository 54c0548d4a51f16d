//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "token_request.hpp"

#include "failure.hpp"

#include <backbeat/attempt.hpp>
#include <backbeat/classify.hpp>
#include <backbeat/http/client.hpp>
#include <backbeat/memorystore/error.hpp>
#include <backbeat/report_to.hpp>
#include <backbeat/retry_report.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <boost/url/encode.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <tuple>

namespace backbeat::memorystore::detail {

namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

constexpr std::uint64_t longest_answer = 1024 * 1024;

// What is shorter is part of many a word.
constexpr std::size_t shortest_secret = 6;

std::string encoded(std::string_view text)
{
    return boost::urls::encode(boost::core::string_view(text.data(), text.size()), boost::urls::unreserved_chars);
}

std::string without_secrets(std::string text, std::vector<std::string> const& secrets)
{
    for (auto const& each : secrets) {
        if (each.size() < shortest_secret) continue;
        for (auto at = text.find(each); at != std::string::npos; at = text.find(each, at))
            text.replace(at, each.size(), "[redacted]");
    }
    return text;
}

// A token endpoint may be asked twice for the same thing, even by POST: nothing but a token comes of it.
class token_classifier {
public:
    verdict operator()(attempt const& ended, boost::system::error_code const& error, http::response const& answer) const
    {
        if (!error && answer.result() == http::status::request_timeout) return verdict::retry();
        return http::classifier{.method = {}, .replay = http::idempotency::idempotent}(ended, error, answer);
    }
};

http::client make_client(asio::any_io_executor const& executor, token_request const& request)
{
    http::client_options options;
    options.ca_file = request.ca_file;
    options.body_limit = longest_answer;
    options.maximum_connections = 1;
    try {
        return {executor, request.to.origin, options};
    } catch (boost::system::system_error const& problem) {
        throw failure(problem.code(), request.action + " failed: " + problem.what());
    } catch (std::invalid_argument const& problem) {
        throw failure(errc::invalid_argument, request.action + " failed: " + problem.what());
    }
}

http::request message_of(token_request& request)
{
    http::request result(request.body.empty() ? http::verb::get : http::verb::post, request.to.target, 11);
    result.set(http::field::accept, "application/json");
    for (auto const& [name, value] : request.fields) result.set(name, value);
    if (request.body.empty()) return result;
    result.set(http::field::content_type, request.content_type);
    result.body() = std::move(request.body);
    result.prepare_payload();
    return result;
}

std::string after_attempts(retry_report const& report)
{
    return report.attempts() < 2 ? std::string() : " (after " + std::to_string(report.attempts()) + " attempts)";
}

bool may_work_later(unsigned status)
{
    return status == 408 || status == 429 || status >= 500;
}

void check_answer(token_request const& request, http::response const& answer, retry_report const& report)
{
    auto const status = answer.result_int();
    auto const where = request.action + " at " + request.to.origin;
    if (request.to_metadata_server && !may_work_later(status) && !is_from_metadata_server(answer))
        throw failure(
            errc::not_a_metadata_server,
            where + " failed: what answers there (HTTP " + std::to_string(status)
                + ") is no metadata server, whose answers have the header field 'Metadata-Flavor: Google'",
            {},
            status);
    if (status >= 200 && status < 300) return;
    if (status < 400)
        throw failure(
            errc::malformed_response,
            where + " failed: the answer (HTTP " + std::to_string(status)
                + ") is neither a token nor an error; redirections are not followed",
            {},
            status);

    // Before and after it is decoded: the first makes that no secret is cut in two, the second that none is escaped.
    auto const read = error::from_response(status, without_secrets(answer.body(), request.secrets));
    auto message = without_secrets(read.message(), request.secrets);
    auto const code = may_work_later(status) ? read.code() : make_error_code(errc::credentials_refused);
    auto sentence = where + (may_work_later(status) ? " failed" : " was refused") + " (HTTP " + std::to_string(status)
        + "): " + printable(message, 1000) + after_attempts(report);
    throw failure(code, std::move(sentence), std::move(message), status);
}

}  // namespace

void token_request::add_parameter(std::string_view name, std::string_view value)
{
    if (!body.empty()) body += '&';
    body.append(name).append("=").append(encoded(value));
    content_type = "application/x-www-form-urlencoded";
}

void token_request::add_secret(std::string_view name, std::string_view value)
{
    add_parameter(name, value);
    secrets.push_back(encoded(value));
    secrets.emplace_back(value);
}

retry_options token_endpoint_retries() noexcept
{
    return {.maximum_jitter = 100ms, .maximum_retries = 2, .attempt_timeout = 20s, .total_timeout = 60s};
}

retry_options metadata_server_retries() noexcept
{
    return {.maximum_jitter = 100ms, .maximum_retries = 4, .attempt_timeout = 10s, .total_timeout = 60s};
}

asio::awaitable<http::response> send(token_request request)
{
    auto const executor = co_await asio::this_coro::executor;
    auto client = make_client(executor, request);
    auto message = message_of(request);
    token_classifier const decide{};
    retry_report report;
    auto sending = client.async_send(
        std::move(message),
        http::idempotency::idempotent,
        request.retry,
        classify(decide),
        report_to(report),
        asio::as_tuple(asio::use_awaitable));
    auto ended = co_await std::move(sending);
    auto const& problem = std::get<0>(ended);
    if (problem)
        throw failure(
            problem,
            request.action + " at " + request.to.origin + " failed: " + problem.message() + after_attempts(report));
    auto& answer = std::get<1>(ended);
    check_answer(request, answer, report);
    co_return std::move(answer);
}

bool is_from_metadata_server(http::response const& answer)
{
    auto const found = answer.find("Metadata-Flavor");
    return found != answer.end() && boost::beast::iequals(found->value(), "Google");
}

}  // namespace backbeat::memorystore::detail
