//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "../text.hpp"
#include "outcome_text.hpp"
#include "output.hpp"

#include <backbeat/backoff.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace backbeat::cli::demo {

namespace {

using std::chrono::nanoseconds;

constexpr std::size_t bar_width = 72;

// Why it waits as long as it does.
std::string reason_of(attempt_record const& record, retry_options const& policy)
{
    if (record.origin == wait_origin::hint)
        return fmt::format(
            "the server asked for {}; {} more at random, so that not all come at once",
            short_time(record.hint.value_or(nanoseconds{})),
            short_time(record.wait - record.hint.value_or(nanoseconds{})));
    auto const retry = record.number - 1;
    auto const first = record.judged == verdict_kind::throttled
        ? policy.throttled_backoff.value_or(policy.initial_backoff)
        : policy.initial_backoff;
    auto const fixed = static_cast<double>(first.count()) * std::pow(policy.multiplier, retry);
    if (fixed >= static_cast<double>(policy.maximum_backoff.count()) || record.wait == policy.maximum_backoff)
        return "the cap";
    auto const base = nanoseconds(static_cast<nanoseconds::rep>(fixed));
    auto text = fmt::format("2^{} x {}, and {} at random", retry, short_time(first), short_time(record.wait - base));
    if (record.hint) text += fmt::format("; the server asked for {}", short_time(*record.hint));
    return text;
}

// A picture of a line: attempts and waits, as long as they took.
std::string bar(std::vector<attempt_record> const& records, nanoseconds elapsed)
{
    std::string picture(bar_width, '.');
    auto const column = [&](nanoseconds at) {
        auto const share =
            static_cast<double>(at.count()) / static_cast<double>((std::max)(elapsed, nanoseconds(1)).count());
        return (std::min)(static_cast<std::size_t>(share * bar_width), bar_width - 1);
    };
    for (auto const& record : records) {
        auto const end = column(record.start + record.duration);
        for (auto i = column(record.start); i <= end; ++i) picture[i] = '#';
    }
    return picture;
}

std::string ending(retry_report const& report)
{
    switch (report.reason().value_or(stop_reason::abandoned)) {
    case stop_reason::success: return "done";
    case stop_reason::exhausted: return "gives up: all retries are used up";
    case stop_reason::permanent: return "gives up: another attempt would not help";
    case stop_reason::hint_too_long: return "gives up: the server asked for too long a wait";
    default: return fmt::format("ends: {}", to_string(report.reason().value_or(stop_reason::abandoned)));
    }
}

}  // namespace

std::string timeline(request const& one, retry_options const& policy)
{
    auto const records = one.report.records();
    auto text = fmt::format(
        "The request with the most attempts: {} over {}, {} in {}, of which {} waiting.\n\n",
        one.lists ? "list" : "get",
        one.over_tls ? "TLS" : "plain TCP",
        counted(one.report.attempts(), "attempt"),
        short_time(one.report.elapsed()),
        short_time(one.report.total_waited()));
    table steps({"attempt", "starts at", "ends with", "after", "and then"});
    for (auto const& record : records) {
        steps.rows.push_back(
            {std::to_string(record.number),
             short_time(record.start),
             outcome_text(record),
             short_time(record.duration),
             record.origin == wait_origin::none
                 ? ending(one.report)
                 : fmt::format("waits {}: {}", short_time(record.wait), reason_of(record, policy))});
        if (record.number == 4 && one.report.omitted() != 0)
            steps.rows.push_back({"...", "", counted(one.report.omitted(), "attempt") + " not kept", "", ""});
    }
    return text + steps.text() + "\n" + bar(records, one.report.elapsed()) + "\n# an attempt   . waiting\n";
}

}  // namespace backbeat::cli::demo
