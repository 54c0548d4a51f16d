//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "facts.hpp"

#include "../text.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <numeric>
#include <string_view>

namespace backbeat::cli::demo {

namespace {

fact number(std::string_view key, std::string_view label, std::uint64_t value, std::string remark = {})
{
    return {std::string(key), value, std::string(label), grouped(value), std::move(remark)};
}

fact time(std::string_view key, std::string_view label, std::chrono::nanoseconds value, std::string remark = {})
{
    return {std::string(key), seconds(value), std::string(label), short_time(value), std::move(remark)};
}

// A part of the quantity before it.
fact part(std::string_view key, std::uint64_t value, std::string_view label)
{
    auto result = number(key, {}, value);
    result.label = fmt::format("  {}", label);
    return result;
}

}  // namespace

std::vector<fact> facts_of(result const& happened)
{
    auto const& counts = happened.counts;
    std::uint64_t lists = 0;
    std::uint64_t over_tls = 0;
    for (auto const& each : happened.requests) {
        if (each.lists) ++lists;
        if (each.over_tls) ++over_tls;
    }
    auto const gets = happened.requests.size() - lists;

    std::vector<fact> facts{
        number(
            "requests",
            "requests",
            happened.requests.size(),
            fmt::format("{} list, {} get; {} over TLS", grouped(lists), grouped(gets), grouped(over_tls))),
        number("attempts", "attempts", counts.attempts),
        number("retried", "retried", counts.retried, "requests with more than one attempt"),
        number("succeeded", "succeeded", counts.succeeded),
        number("failed", "failed", counts.ended - counts.succeeded),
    };
    for (auto const& [why, times] : counts.failures) facts.push_back(part("failed: " + why, times, why));

    auto const fired = std::accumulate(happened.fired.begin(), happened.fired.end(), std::uint64_t(0));
    facts.push_back(number(
        "faults",
        "faults",
        fired,
        happened.settled.seen == 0
            ? std::string()
            : fmt::format(
                "{:.0f}% of the requests that the emulator read",
                100.0 * static_cast<double>(fired) / static_cast<double>(happened.settled.seen))));
    for (std::size_t i = 0; i != happened.faults.size(); ++i) {
        auto const rule = fault_rule_text(happened.faults[i]);
        facts.push_back(part("fault: " + rule, happened.fired[i], rule));
    }

    facts.push_back(time("waiting_seconds", "waiting time", counts.waited, "of all requests together"));
    facts.push_back(time("longest_wait_seconds", "longest wait", counts.longest_wait));
    facts.push_back(number("most_in_flight", "most in flight at once", counts.most_in_flight));
    facts.push_back(
        number("most_waiting", "most waiting at once", counts.most_waiting, "each for its own next attempt"));
    facts.push_back(number(
        "most_connections", "most connections at once", happened.most_connections, "a request that waits holds none"));
    facts.push_back(number(
        "threads",
        "threads",
        happened.most_threads,
        "counted by the system: one for the clients, one for the emulator"));
    facts.push_back(time("elapsed_seconds", "elapsed time", happened.elapsed));
    return facts;
}

}  // namespace backbeat::cli::demo
