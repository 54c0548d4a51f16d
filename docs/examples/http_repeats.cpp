//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// What async_send makes of a first attempt that fails. Prints the table of docs/http-client.md.

#include <backbeat/emulator.hpp>
#include <backbeat/fault_rule.hpp>
#include <backbeat/http/client.hpp>

#include <boost/asio.hpp>

#include <cstdint>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <string_view>
#include <utility>

using namespace std::chrono_literals;
namespace asio = boost::asio;
namespace http = backbeat::http;

// Prints a row, and returns how often the server acted.
std::uint64_t row(char const* failure, char const* rule, http::request const& message)
{
    backbeat::emulator server;
    server.set_faults({backbeat::parse_fault_rule(rule)});
    asio::io_context context;
    http::client client(context.get_executor(), server.url());
    backbeat::retry_report report;
    backbeat::retry_options const quick{.initial_backoff = 10ms, .maximum_retries = 2};
    client.async_send(
        message, quick, report_to(report), [&](boost::system::error_code error, http::response const& got) {
            std::cout << std::left << std::setw(25) << failure << std::setw(8) << message.method_string() << std::right
                      << std::setw(8) << report.attempts() << "  " << std::left << std::setw(16)
                      << to_string(*report.reason()) << std::setw(11) << to_string(*report.worst_delivery());
            if (error)
                std::cout << error.message() << '\n';
            else
                std::cout << got.result_int() << '\n';
        });
    context.run();
    return server.total_effects();
}

int main()
{
    http::request const get(http::verb::get, "/v1/projects/p/locations/-/instances", 11);
    http::request post(http::verb::post, "/v1/projects/p/locations/l/instances?instanceId=cache", 11);
    post.body() = R"({"tier": "BASIC", "memorySizeGb": 1})";

    std::cout << "the first attempt        method  attempts  reason          at worst   completes with\n";
    bool as_documented = true;
    for (auto const& [failure, rule] : {
             std::pair("429", "status=429 first=1"),
             std::pair("503", "status=503 first=1"),
             std::pair("503, and it was done", "status=503 first=1 when=after"),
             std::pair("no answer, it was done", "reset first=1 when=after"),
         }) {
        row(failure, rule, get);
        auto const created = row(failure, rule, post);
        as_documented = as_documented && created == (std::string_view(failure) == "503" ? 0 : 1);
    }
    return as_documented ? EXIT_SUCCESS : EXIT_FAILURE;
}
