//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The policy of docs/retrying.md, and servers that try it.

#include <backbeat/async_retry.hpp>
#include <backbeat/manual_clock.hpp>
#include <backbeat/manual_clock_driver.hpp>

#include <boost/asio.hpp>

#include <vector>

using namespace std::chrono_literals;
namespace asio = boost::asio;
using boost::system::error_code;

struct reply {
    int status = 0;
    std::chrono::seconds come_back_in{};
};

// [policy
struct policy {
    bool repeatable;  // whether the server may carry the request out twice

    backbeat::verdict operator()(backbeat::attempt const& ended, error_code error, reply const& answer) const
    {
        using backbeat::verdict;
        if (!error && answer.status < 400) return verdict::done();
        if (!error && answer.status == 429) return verdict::throttled(answer.come_back_in);
        if (!error && answer.status < 500) return verdict::permanent();
        if (!error && ended.number() == 3) return verdict::permanent();  // a server that fails three times means it
        return {.kind = backbeat::verdict_kind::retry, .replayable = repeatable, .status = answer.status};
    }
};
// policy]

// Why the operation ended, if the server gives these answers.
backbeat::stop_reason reason(std::vector<reply> const& answers, policy const& chosen)
{
    asio::io_context context;
    backbeat::manual_clock_driver driver(context);
    auto ask = [&](backbeat::attempt const& current, auto token) {
        auto const& answer = answers.at(current.resend_count());
        current.report(answer.status < 500 ? backbeat::delivery::responded : backbeat::delivery::ambiguous);
        auto const complete = [&](auto handler) { asio::post(asio::append(std::move(handler), error_code(), answer)); };
        return asio::async_initiate<decltype(token), void(error_code, reply)>(complete, token);
    };
    backbeat::retry_report report;
    auto const ignore = [](error_code, reply) {};
    backbeat::async_retry<backbeat::manual_clock>(
        context.get_executor(), ask, {}, backbeat::classify(chosen), backbeat::report_to(report), ignore);
    driver.run();
    return report.reason().value();
}

int main()
{
    using backbeat::stop_reason;
    bool const as_documented = reason({{503}, {429, 7s}, {200}}, {.repeatable = true}) == stop_reason::success
        && reason({{503}, {503}, {503}}, {.repeatable = true}) == stop_reason::permanent
        && reason({{429}, {503}}, {.repeatable = false}) == stop_reason::not_replayable;
    return as_documented ? 0 : 1;
}
