//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "output.hpp"

#include "../json_text.hpp"
#include "../text.hpp"
#include "facts.hpp"
#include "outcome_text.hpp"

#include <backbeat/detail/duration_text.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace backbeat::cli::demo {

namespace {

namespace json = boost::json;
using backbeat::detail::duration_text;

std::string text_of(std::vector<fact> const& facts)
{
    std::size_t label_width = 0;
    std::size_t value_width = 0;
    for (auto const& each : facts) {
        label_width = (std::max)(label_width, columns(each.label));
        value_width = (std::max)(value_width, columns(each.shown));
    }
    std::string text;
    for (auto const& each : facts) {
        auto line = padded(each.label, label_width) + "  " + right_aligned(each.shown, value_width);
        if (!each.remark.empty()) line += "   " + each.remark;
        text += line + "\n";
    }
    return text;
}

// The two countings, side by side.
std::string comparison(result const& happened)
{
    auto const& settled = happened.settled;
    auto const& counts = happened.counts;
    table both({"what became of them", "attempts (clients' observer)", "requests (emulator's log)"});
    both.first_number = 1;
    auto const row = [&](std::string what, std::uint64_t clients, std::uint64_t server) {
        both.rows.push_back({std::move(what), grouped(clients), grouped(server)});
    };
    std::set<int> statuses;
    for (auto const& each : counts.answers) statuses.insert(each.first);
    for (auto const& each : settled.answered) statuses.insert(each.first);
    for (auto const status : statuses) {
        auto const clients = counts.answers.find(status);
        auto const server = settled.answered.find(status);
        row(status_text(status),
            clients == counts.answers.end() ? 0 : clients->second,
            server == settled.answered.end() ? 0 : server->second);
    }
    if (counts.unanswered != 0 || settled.lost_on_purpose != 0)
        row("sent, and no whole answer", counts.unanswered, settled.lost_on_purpose);
    if (counts.not_sent != 0) row("never sent", counts.not_sent, 0);
    row("together", counts.attempts, settled.seen);
    auto text = both.text();
    if (counts.not_sent != 0)
        text += "Attempts that were never sent did not get as far as a connection: the emulator cannot know of them.\n";
    return text;
}

std::string verdict_text(result const& happened)
{
    std::string text;
    for (auto const& problem : happened.settled.problems) text += "unexplained: " + problem + "\n";
    return text
        + fmt::format("{} of {} requests accounted for\n", happened.settled.accounted, happened.requests.size());
}

std::string shown_as_table(result const& happened)
{
    auto text = "\n" + text_of(facts_of(happened)) + "\n" + comparison(happened) + verdict_text(happened);
    if (auto const* const one = most_eventful(happened))
        text += "\n" + timeline(*one, scaled_policy(happened.chosen.time_scale));
    return text;
}

json::object shown_attempt(attempt_record const& record)
{
    json::object attempt{
        {"number", record.number},
        {"start_seconds", seconds(record.start)},
        {"duration_seconds", seconds(record.duration)},
        {"outcome", outcome_text(record)},
    };
    if (record.hint) attempt["hint_seconds"] = seconds(*record.hint);
    if (record.origin != wait_origin::none) {
        attempt["wait_seconds"] = seconds(record.wait);
        attempt["wait_origin"] = record.origin == wait_origin::hint ? "hint" : "backoff";
    }
    return attempt;
}

std::string shown_as_json(result const& happened)
{
    json::object all;
    for (auto const& each : facts_of(happened)) all[each.key] = each.value;
    all["seed"] = happened.chosen.seed;
    all["time_scale"] = happened.chosen.time_scale;
    json::object failures;
    for (auto const& [why, number] : happened.counts.failures) failures[why] = number;
    all["failures"] = std::move(failures);
    json::array faults;
    for (std::size_t i = 0; i != happened.faults.size(); ++i) {
        json::object rule;
        rule["rule"] = fault_rule_text(happened.faults[i]);
        rule["fired"] = happened.fired[i];
        faults.push_back(std::move(rule));
    }
    all["fault_rules"] = std::move(faults);
    json::object answers;
    for (auto const& [status, number] : happened.counts.answers) answers[std::to_string(status)] = number;
    all["answers"] = std::move(answers);
    json::object answered;
    for (auto const& [status, number] : happened.settled.answered) answered[std::to_string(status)] = number;
    all["emulator_answers"] = std::move(answered);
    all["unanswered"] = happened.counts.unanswered;
    all["not_sent"] = happened.counts.not_sent;
    all["emulator_requests"] = happened.settled.seen;
    all["emulator_unanswered"] = happened.settled.lost_on_purpose;
    all["accounted"] = happened.settled.accounted;
    json::array problems;
    for (auto const& problem : happened.settled.problems) problems.emplace_back(problem);
    all["problems"] = std::move(problems);
    if (auto const* const one = most_eventful(happened)) {
        json::array attempts;
        for (auto const& record : one->report.records()) attempts.push_back(shown_attempt(record));
        all["timeline"] = std::move(attempts);
    }
    return json_text(all);
}

std::string shown_as_csv(result const& happened)
{
    table rows({"quantity", "value"});
    for (auto const& each : facts_of(happened)) {
        auto const text = each.value.is_string() ? std::string(each.value.get_string()) : json::serialize(each.value);
        rows.rows.push_back({each.key, text});
    }
    rows.rows.push_back({"accounted", std::to_string(happened.settled.accounted)});
    return rows.csv();
}

}  // namespace

request const* most_eventful(result const& shown)
{
    request const* best = nullptr;
    auto const weight = [](request const& each) { return std::tuple(each.report.attempts(), each.report.elapsed()); };
    for (auto const& each : shown.requests)
        if (best == nullptr || weight(each) > weight(*best)) best = &each;
    return best;
}

std::string introduction(settings const& chosen, std::vector<fault_rule> const& faults)
{
    auto const policy = scaled_policy(chosen.time_scale);
    auto const paragraph = [](std::string const& text) { return wrapped(text, 0, 100); };
    auto text = paragraph(fmt::format(
        "{} requests, {} at a time, in one thread. They list and get instances, half of them over TLS, from an emulator "
        "in this process that fails on purpose. Every request backs off on its own timer.",
        grouped(chosen.requests),
        grouped((std::min)(chosen.concurrency, chosen.requests))));
    text += paragraph(fmt::format(
        "All times are scaled by {}: before retry n (from 0) a request waits 2^n x {} and up to {} at random, "
        "at most {}, and it is retried {} times at most.",
        chosen.time_scale,
        duration_text(policy.initial_backoff),
        duration_text(policy.maximum_jitter.value_or(policy.initial_backoff)),
        duration_text(policy.maximum_backoff),
        policy.maximum_retries));
    text += fmt::format("Faults (seed {}), the first that applies; their times are scaled too:\n", chosen.seed);
    for (auto const& rule : faults) text += "  " + fault_rule_text(rule) + "\n";
    return text;
}

std::string shown(result const& happened, output_format format)
{
    switch (format) {
    case output_format::json: return shown_as_json(happened);
    case output_format::csv: return shown_as_csv(happened);
    case output_format::table: break;
    }
    return shown_as_table(happened);
}

}  // namespace backbeat::cli::demo
