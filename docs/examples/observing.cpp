//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// An operation that is reported, logged and counted, in virtual time.

// [observing
#include <backbeat/async_retry.hpp>
#include <backbeat/log_observer.hpp>
#include <backbeat/manual_clock_driver.hpp>
#include <backbeat/observer_list.hpp>
#include <backbeat/retry_metrics.hpp>

#include <boost/asio.hpp>

#include <iostream>

using namespace std::chrono_literals;

int main()
{
    // What observes outlives what is observed, the context included.
    backbeat::log_observer log(std::cout, {.name = "api", .level = backbeat::log_level::retries});
    backbeat::retry_metrics metrics({.labels = {{"client", "api"}}});
    backbeat::observer_list both({&log, &metrics});
    backbeat::retry_report report;

    boost::asio::io_context context;
    backbeat::manual_clock_driver driver(context);
    auto ask = []() -> boost::asio::awaitable<int> { co_return 503; };
    auto by_status = [](std::exception_ptr error, int status) {
        auto const kind = error || status >= 500 ? backbeat::verdict_kind::retry : backbeat::verdict_kind::done;
        return backbeat::verdict{.kind = kind, .delivered = backbeat::delivery::ambiguous, .status = status};
    };
    backbeat::async_retry<backbeat::manual_clock>(
        context.get_executor(),
        ask,
        {.jitter = backbeat::jitter::none, .maximum_retries = 2, .observer = &both},
        backbeat::classify(by_status),
        backbeat::report_to(report),
        [](std::exception_ptr, int) {});
    driver.run();

    std::cout << "\n" << report << "\n" << metrics.retries() << " retries\n";
    return metrics.operations(backbeat::stop_reason::exhausted) == 1 && report.total_waited() == 3s ? 0 : 1;
}
// observing]
