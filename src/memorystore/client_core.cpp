//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "client_core.hpp"

#include <backbeat/classify.hpp>
#include <backbeat/memorystore/classifier.hpp>
#include <backbeat/report_to.hpp>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>

#define BACKBEAT_MEMORYSTORE_TEXT_OF(x) #x
#define BACKBEAT_MEMORYSTORE_TEXT(x) BACKBEAT_MEMORYSTORE_TEXT_OF(x)
#define BACKBEAT_MEMORYSTORE_VERSION                  \
    BACKBEAT_MEMORYSTORE_TEXT(BACKBEAT_VERSION_MAJOR) \
    "." BACKBEAT_MEMORYSTORE_TEXT(BACKBEAT_VERSION_MINOR) "." BACKBEAT_MEMORYSTORE_TEXT(BACKBEAT_VERSION_PATCH)

namespace backbeat::memorystore::detail {

namespace {

// Names this library, the language and the transport, as every client of Google's APIs does.
constexpr std::string_view api_client =
    "gl-cpp/20 gccl/" BACKBEAT_MEMORYSTORE_VERSION " rest/" BACKBEAT_MEMORYSTORE_VERSION;

client_options checked(client_options options)
{
    auto const& token = options.access_token;
    auto const printable = [](char c) { return c > 0x20 && c < 0x7f; };
    if (!std::all_of(token.begin(), token.end(), printable))
        throw std::invalid_argument(
            "client_options::access_token holds a space, a line break or another character that no token has");
    if (!options.ca_file.empty()) options.http.ca_file = options.ca_file;
    return options;
}

}  // namespace

client_core::client_core(boost::asio::any_io_executor executor, client_options options)
    : options_(checked(std::move(options))), http_(std::move(executor), options_.endpoint, options_.http)
{}

void client_core::send(call what, call_options const& options, retry_report& report, response_handler handler)
{
    auto retry = options.retry.value_or(options_.retry);
    if (retry.attempt_timeout == std::chrono::nanoseconds{}) retry.attempt_timeout = what.deadline;
    auto const replay = what.replay;
    classifier const decide{.replay = replay};
    http_.async_send(
        request_of(std::move(what)), replay, retry, classify(decide), report_to(report), std::move(handler));
}

http::request client_core::request_of(call what) const
{
    http::request result(what.method, what.target, 11);
    result.set(http::field::accept, "application/json");
    result.set("x-goog-api-client", boost::beast::string_view(api_client.data(), api_client.size()));
    result.set("x-goog-request-params", what.routing);
    if (!options_.access_token.empty()) result.set(http::field::authorization, "Bearer " + options_.access_token);
    if (!what.body.empty()) {
        result.set(http::field::content_type, "application/json");
        result.body() = std::move(what.body);
    }
    result.prepare_payload();
    return result;
}

boost::asio::any_io_executor executor_of(client_core const& core) noexcept
{
    return core.executor();
}

}  // namespace backbeat::memorystore::detail
