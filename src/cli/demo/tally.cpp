//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "tally.hpp"

#include "outcome_text.hpp"

#include <backbeat/attempt.hpp>
#include <backbeat/retry_errc.hpp>

#include <boost/asio/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace backbeat::cli::demo {

void tally::before_attempt(attempt const& starting)
{
    ++attempts;
    if (starting.number() != 1) {
        --waiting;
        return;
    }
    ++started;
    most_in_flight = (std::max)(most_in_flight, ++in_flight);
}

void tally::after_attempt(attempt_record const& record)
{
    if (record.status != 0) {
        ++answers[record.status];
    } else if (record.delivered == delivery::not_sent) {
        ++not_sent;
    } else {
        ++unanswered;
        if (record.error == retry_errc::attempt_timeout || record.error == retry_errc::deadline
            || record.error == boost::asio::error::operation_aborted)
            ++given_up;
    }
}

void tally::before_wait(attempt_record const& record)
{
    most_waiting = (std::max)(most_waiting, ++waiting);
    waited += record.wait;
    longest_wait = (std::max)(longest_wait, record.wait);
}

void tally::at_end(retry_report const& report)
{
    ++ended;
    --in_flight;
    if (report.retries() != 0) ++retried;
    auto const reason = report.reason().value_or(stop_reason::abandoned);
    if (reason == stop_reason::success) {
        ++succeeded;
        return;
    }
    auto const records = report.records();
    ++failures
        [records.empty() ? std::string(to_string(reason))
                         : fmt::format("{}, the last attempt: {}", to_string(reason), outcome_text(records.back()))];
}

}  // namespace backbeat::cli::demo
