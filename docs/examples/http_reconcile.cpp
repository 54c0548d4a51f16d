//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The probe of docs/http-client.md: what became of a POST is found out before it is sent again.

#include <backbeat/emulator.hpp>
#include <backbeat/fault_rule.hpp>
#include <backbeat/http/client.hpp>

#include <boost/asio.hpp>

#include <cstdlib>
#include <iomanip>
#include <iostream>

using namespace std::chrono_literals;

// How long the server may still be busy with a request whose answer was lost. With a real service that is a minute or
// so, here nothing is.
constexpr auto settle_time = 50ms;

// [probe
namespace asio = boost::asio;
namespace http = backbeat::http;
using found = http::reconciliation<>;

// Looks for an instance that carries the mark of this request.
asio::awaitable<found> look_for(http::client& redis, std::string name, std::string mark)
{
    asio::steady_timer settled(co_await asio::this_coro::executor, settle_time);
    for (bool once_more : {true, false}) {
        http::request const message(http::verb::get, "/v1/" + name, 11);
        auto answer = co_await redis.async_send(message);
        if (answer.result() == http::status::ok) {
            // Another's: the server will refuse ours with a 409, and that is the answer.
            if (answer.body().find(mark) == std::string::npos) co_return found::not_carried_out();
            co_return found::carried_out(std::move(answer));
        }
        if (answer.result() != http::status::not_found) co_return found::unknown();
        // It is not there, but a copy may be on its way still.
        if (once_more) co_await settled.async_wait(asio::use_awaitable);
    }
    co_return found::not_carried_out();
}

asio::awaitable<http::response> create(http::client& redis, std::string mark, backbeat::retry_report& report)
{
    http::request message(http::verb::post, "/v1/projects/p/locations/l/instances?instanceId=cache", 11);
    message.set(http::field::content_type, "application/json");
    message.body() = R"({"tier": "BASIC", "memorySizeGb": 1, "labels": {"made-by": ")" + mark + R"("}})";

    auto probe = [&] { return look_for(redis, "projects/p/locations/l/instances/cache", mark); };
    backbeat::retry_options const options{.initial_backoff = 10ms, .attempt_timeout = 90s};
    co_return co_await redis.async_send(message, options, http::reconcile_with(probe), report_to(report));
}
// probe]

// Prints a row, and says whether it was done once.
bool row(char const* failure, char const* rule)
{
    backbeat::emulator google;
    google.set_faults({backbeat::parse_fault_rule(rule)});
    asio::io_context context;
    http::client redis(context.get_executor(), google.url());
    backbeat::retry_report report;
    auto created = asio::co_spawn(context, create(redis, "job-4711", report), asio::use_future);
    context.run();
    std::cout << std::left << std::setw(26) << failure << std::right << std::setw(8) << report.attempts() << "  "
              << std::left << std::setw(9) << to_string(*report.reason()) << created.get().result_int() << std::right
              << std::setw(9) << google.total_effects() << '\n';
    return google.total_effects() == 1;
}

int main()
{
    std::cout << "the first attempt         attempts  reason   status  created\n";
    bool as_documented = row("503", "status=503 first=1 method=POST");
    as_documented = row("503, and it was done", "status=503 first=1 method=POST when=after") && as_documented;
    as_documented = row("no answer", "reset first=1 method=POST") && as_documented;
    as_documented = row("no answer, it was done", "reset first=1 method=POST when=after") && as_documented;
    return as_documented ? EXIT_SUCCESS : EXIT_FAILURE;
}
