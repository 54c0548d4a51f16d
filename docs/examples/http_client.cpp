//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The first examples of docs/http-client.md, run against the emulator over TLS. Some of its answers are failures.

// [first
#include <backbeat/http/client.hpp>

#include <boost/asio.hpp>

using namespace std::chrono_literals;
namespace asio = boost::asio;
namespace http = backbeat::http;

asio::awaitable<http::response> list(http::client& redis)
{
    http::request const message(http::verb::get, "/v1/projects/p/locations/-/instances", 11);
    backbeat::retry_options const options{.maximum_retries = 8, .total_timeout = 60s};
    co_return co_await redis.async_send(message, options);
}
// first]

#include <backbeat/emulator.hpp>
#include <backbeat/fault_rule.hpp>

#include <cstdlib>
#include <iostream>

// [ca
http::client make_client(asio::any_io_executor executor, std::string url, std::string authority)
{
    http::client_options options;
    options.ca_certificate = std::move(authority);  // in PEM; instead of the system's store
    options.idempotency_key_header = "Idempotency-Key";
    return http::client(executor, url, options);
}
// ca]

// [report
asio::awaitable<http::response> create(http::client& redis, std::ostream& log)
{
    http::request message(http::verb::post, "/v1/projects/p/locations/l/instances?instanceId=cache", 11);
    message.set(http::field::content_type, "application/json");
    message.body() = R"({"tier": "BASIC", "memorySizeGb": 1})";

    backbeat::retry_report report;
    auto answer = co_await redis.async_send(std::move(message), report_to(report));
    if (report.reason() == backbeat::stop_reason::not_replayable) log << "it may have been created\n";
    co_return answer;
}
// report]

// [keyed
asio::awaitable<http::response> create_once(http::client& service, http::request message)
{
    co_return co_await service.async_send(std::move(message), http::idempotency::keyed);
}
// keyed]

int main()
{
    backbeat::emulator_options with_tls;
    with_tls.tls = true;
    backbeat::emulator google(with_tls);
    google.set_faults(
        {backbeat::parse_fault_rule("status=503 first=1 method=GET"),
         backbeat::parse_fault_rule("status=503 first=1 path=/m/"),
         backbeat::parse_fault_rule("status=503 first=1 method=POST when=after")});

    asio::io_context context;
    auto redis = make_client(context.get_executor(), google.tls_url(), google.ca_certificate());
    auto listed = asio::co_spawn(context, list(redis), asio::use_future);
    auto created = asio::co_spawn(context, create(redis, std::cout), asio::use_future);
    http::request message(http::verb::post, "/v1/projects/p/locations/m/instances?instanceId=cache", 11);
    message.body() = R"({"tier": "BASIC", "memorySizeGb": 1})";
    auto created_once = asio::co_spawn(context, create_once(redis, message), asio::use_future);
    context.run();
    bool const as_documented = listed.get().result() == http::status::ok
        && created.get().result() == http::status::service_unavailable
        && created_once.get().result() == http::status::ok && google.total_requests() == 5
        && google.total_effects() == 2;
    return as_documented ? EXIT_SUCCESS : EXIT_FAILURE;
}
