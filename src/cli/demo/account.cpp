//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "account.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

namespace backbeat::cli::demo {

namespace {

std::uint64_t count_in(std::map<int, std::uint64_t> const& counts, int status)
{
    auto const found = counts.find(status);
    return found == counts.end() ? 0 : found->second;
}

bool loses_answer(emulator_request const& entry, std::vector<fault_rule> const& faults)
{
    // The log of a truncated answer has the status that it began with.
    return entry.status == 0 || (entry.fault && faults[*entry.fault].action == fault_action::truncate);
}

// Every request came to one end, and their own reports add up to what the observer counted.
void check_requests(account& result, std::vector<request> const& requests, tally const& counts)
{
    std::uint64_t attempts = 0;
    std::uint64_t succeeded = 0;
    std::chrono::nanoseconds waited{};
    for (auto const& each : requests) {
        attempts += each.report.attempts();
        waited += each.report.total_waited();
        if (each.report.reason() == stop_reason::success) ++succeeded;
        auto const number = &each - requests.data() + 1;
        if (each.completions == 0)
            result.problems.push_back(fmt::format("request {} was lost: it never ended", number));
        else if (each.completions != 1)
            result.problems.push_back(fmt::format("request {} ended {} times", number, each.completions));
        else if (!each.report.reason())
            result.problems.push_back(fmt::format("request {} ended, and its report does not say why", number));
        else if (!each.problem.empty())
            result.problems.push_back(fmt::format("request {} has a wrong result: {}", number, each.problem));
        else
            ++result.accounted;
    }
    auto const compare = [&](char const* what, auto reports, auto observer) {
        if (reports != observer)
            result.problems.push_back(
                fmt::format("the requests' reports have {} {}, the observer has {}", reports, what, observer));
    };
    compare("requests", std::uint64_t(requests.size()), counts.ended);
    compare("attempts", attempts, counts.attempts);
    compare("successes", succeeded, counts.succeeded);
    compare("ns of waiting", waited.count(), counts.waited.count());
}

// Every attempt that was answered is one that the server answered, and every attempt that was not is one whose answer
// the server lost on purpose, and the other way round.
void check_attempts(account& result, tally const& counts, std::uint64_t refused)
{
    // The server may have answered an attempt that the client gave up, or not even have read it.
    auto leeway = counts.given_up;
    auto const excused = [&leeway](std::uint64_t number) {
        auto const covered = (std::min)(number, leeway);
        leeway -= covered;
        return covered;
    };
    std::set<int> statuses;
    for (auto const& each : result.answered) statuses.insert(each.first);
    for (auto const& each : counts.answers) statuses.insert(each.first);
    std::uint64_t answered_too_late = 0;
    for (auto const status : statuses) {
        auto const server = count_in(result.answered, status);
        auto const clients = count_in(counts.answers, status);
        auto const late = excused(server > clients ? server - clients : 0);
        answered_too_late += late;
        if (server != clients + late)
            result.problems.push_back(
                fmt::format("the clients got {} answers with status {}, the server gave {}", clients, status, server));
    }
    auto const lost = result.lost_on_purpose + answered_too_late;
    auto unread = counts.unanswered > lost ? counts.unanswered - lost : 0;
    // A request may be on its way when its connection is refused: each such connection explains one.
    unread -= (std::min)(unread, refused);
    if (lost > counts.unanswered || excused(unread) != unread) {
        result.problems.push_back(fmt::format(
            "{} attempts were sent and not answered, the server knows of {}", counts.unanswered, lost + refused));
    }
}

}  // namespace

account settle(
    std::vector<request> const& requests,
    tally const& counts,
    std::vector<fault_rule> const& faults,
    std::vector<std::uint64_t> const& fired,
    std::vector<emulator_request> const& log)
{
    account result;
    std::uint64_t refused = 0;
    for (std::size_t i = 0; i != faults.size(); ++i)
        if (faults[i].action == fault_action::refuse) refused += fired[i];
    result.seen = log.size();
    for (auto const& entry : log) {
        if (loses_answer(entry, faults))
            ++result.lost_on_purpose;
        else
            ++result.answered[entry.status];
    }
    check_requests(result, requests, counts);
    check_attempts(result, counts, refused);
    return result;
}

}  // namespace backbeat::cli::demo
