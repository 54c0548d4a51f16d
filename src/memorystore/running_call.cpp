//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "running_call.hpp"

#include <backbeat/delivery.hpp>
#include <backbeat/http/error.hpp>
#include <backbeat/stop_reason.hpp>

namespace backbeat::memorystore::detail {

namespace {

// Whether the service may have acted on a change that did not succeed. A status alone tells nothing here: a 503 may
// have come from a proxy after the service had acted.
bool may_have_acted(running_call const& running)
{
    if (!running.change || running.report->attempts() == 0) return false;
    if (running.watch) return running.watch->is_open(*running.report);
    return running.report->worst_delivery().value_or(delivery::ambiguous) == delivery::ambiguous;
}

// What ended the call, where the error does not tell.
std::string limit_of(retry_report const& report)
{
    switch (report.reason().value_or(stop_reason::exhausted)) {
    case stop_reason::hint_too_long:
        return "; the server asked for a longer wait than maximum_hint or total_timeout allow";
    case stop_reason::deadline: return "; total_timeout leaves no time for another";
    case stop_reason::breaker_open: return "; the circuit breaker is open";
    case stop_reason::budget: return "; the retry budget refuses another";
    default: return {};
    }
}

std::string after_attempts(running_call const& running)
{
    auto const attempts = running.report->attempts();
    // A look that came too early asks for a wait as a server does. The sentence says what that was about.
    auto const is_own_hint =
        running.watch && running.watch->is_settling() && running.report->reason() == stop_reason::hint_too_long;
    auto const limit = is_own_hint ? "; settle_time is not over" : limit_of(*running.report);
    if (attempts == 0 || (attempts == 1 && limit.empty())) return {};
    return " (after " + std::to_string(attempts) + (attempts == 1 ? " attempt" : " attempts") + limit + ")";
}

// All that is known about it.
error outcome_unknown(running_call const& running, http::response const& response)
{
    error_facts facts;
    if (response.result_int() != 0) {
        auto answered = error::from_response(response.result_int(), response.body());
        facts = answered.facts();
    }
    auto const& why = running.watch->why();
    facts.outcome_unknown = true;
    facts.operation_name = running.watch->candidate();
    facts.sentence = running.action
        + " may or may not have been carried out: " + (why.empty() ? "the limits left no time to find out" : why);
    if (!facts.operation_name.empty()) facts.sentence += " (operation '" + facts.operation_name + "')";
    facts.sentence += after_attempts(running);
    return {errc::outcome_unknown, std::move(facts)};
}

// HTTP knows the code of what a source of tokens failed with. This is the rest.
std::optional<error> unauthorized(running_call const& running, boost::system::error_code const& problem)
{
    if (!problem || !running.unauthorized) return {};
    try {
        std::rethrow_exception(running.unauthorized);
    } catch (boost::system::system_error const& thrown) {
        if (thrown.code() != problem) return {};
        auto const* const known = dynamic_cast<error const*>(&thrown);
        error_facts facts = known != nullptr ? known->facts() : error_facts();
        facts.outcome_unknown = may_have_acted(running);
        facts.sentence = running.action + " failed, for want of a token: " + thrown.what() + after_attempts(running);
        return error(problem, std::move(facts));
    } catch (...) {
        return {};
    }
}

}  // namespace

std::optional<error> failure_of(
    running_call const& running, boost::system::error_code const& problem, http::response const& response)
{
    auto const unknown = may_have_acted(running);
    if (problem == http::errc::outcome_unknown && running.watch) return outcome_unknown(running, response);
    if (auto failed = unauthorized(running, problem)) return failed;
    if (problem) {
        error_facts facts;
        facts.outcome_unknown = unknown;
        facts.sentence = running.action
            + (unknown ? " failed, and may or may not have been carried out: " : " failed: ") + problem.message()
            + after_attempts(running);
        return error(problem, std::move(facts));
    }
    auto const status = response.result_int();
    if (status >= 200 && status < 300) return {};
    auto const answered = error::from_response(status, response.body());
    auto facts = answered.facts();
    facts.outcome_unknown = unknown;
    if (unknown && facts.sentence.ends_with('.')) facts.sentence.pop_back();
    if (unknown) facts.sentence += "; " + running.action + " may or may not have been carried out";
    if (running.watch && running.watch->has_failed_to_look()) facts.sentence += "; then " + running.watch->why();
    facts.sentence += after_attempts(running);
    return error(answered.code(), std::move(facts));
}

error unreadable(running_call const& running, http::response const& response, json_error const& problem)
{
    error_facts facts;
    facts.http_status = response.result_int();
    facts.outcome_unknown = running.change;
    facts.sentence = running.action + " succeeded, but the server's answer cannot be read: " + problem.what();
    return {errc::malformed_response, std::move(facts)};
}

}  // namespace backbeat::memorystore::detail
