//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "retry_flags.hpp"

#include "exit_status.hpp"
#include "option_set.hpp"
#include "option_values.hpp"
#include "text.hpp"

#include <fmt/format.h>

#include <string>

namespace backbeat::cli {

void retry_flags::add_to(option_set& options)
{
    options.section("Retries");
    add_duration(
        options, "--initial-backoff", options_.initial_backoff, "The wait before the first retry, jitter apart.");
    add_number(options, "--multiplier", options_.multiplier, "The growth of the wait from one retry to the next.");
    add_duration(options, "--maximum-backoff", options_.maximum_backoff, "The cap on waits.");
    add_duration(
        options,
        "--maximum-jitter",
        options_.maximum_jitter,
        "as --initial-backoff",
        "The largest random addition to a wait.");
    options.value(
        "--jitter",
        "KIND",
        "How chance spreads the waits: none, additive, full, equal, decorrelated.",
        "additive",
        [this](std::string const& text) {
            for (auto const kind :
                 {jitter::none, jitter::additive, jitter::full, jitter::equal, jitter::decorrelated}) {
                if (text != to_string(kind)) continue;
                options_.jitter = kind;
                return;
            }
            throw usage_error(
                fmt::format("--jitter '{}': must be none, additive, full, equal or decorrelated", printable(text)));
        });
    options.choices({"none", "additive", "full", "equal", "decorrelated"});
    add_duration(
        options,
        "--throttled-backoff",
        options_.throttled_backoff,
        "as --initial-backoff",
        "Takes the place of --initial-backoff after a 429.");
    options.value(
        "--maximum-retries",
        "N",
        "The number of retries after the first attempt, or unlimited.",
        "5",
        [this](std::string const& text) {
            if (text == "unlimited") {
                options_.maximum_retries = unlimited_retries;
                return;
            }
            try {
                options_.maximum_retries =
                    static_cast<std::uint32_t>(count_value("--maximum-retries", text, 0, unlimited_retries - 1));
            } catch (usage_error const& error) {
                throw usage_error(fmt::format("{}, or unlimited", error.what()));
            }
        });
    add_duration(
        options,
        "--attempt-timeout",
        options_.attempt_timeout,
        "The time that one attempt may take. 0s: what the API publishes, 20s for a list and 60s for the rest.");
    add_duration(
        options,
        "--total-timeout",
        options_.total_timeout,
        "The time that a request may take, its retries and waits included. 0s: no limit.");
    add_duration(
        options,
        "--maximum-hint",
        options_.maximum_hint,
        "The longest wait taken from a server that asks for one. 0s: it is not heeded.");
    add_duration(
        options, "--wait-resolution", options_.wait_resolution, "The grid on which waits end, rounded up. 0s: exact.");
    options.value(
        "--timers",
        "KIND",
        "What ends waits: asio, a timer for each request; wheel, one timing wheel for all.",
        "asio",
        [this](std::string const& text) {
            for (auto const kind : {timers::asio, timers::wheel}) {
                if (text != to_string(kind)) continue;
                options_.timers = kind;
                return;
            }
            throw usage_error(fmt::format("--timers '{}': must be asio or wheel", printable(text)));
        });
    options.choices({"asio", "wheel"});
    options.flag(
        "--budget", budgeted_, "Lets the requests share a retry budget, funded by success; it may refuse a retry.");
}

retry_options retry_flags::chosen()
{
    auto result = options_;
    if (budgeted_) result.budget = &budget_;
    if (auto const problem = validate(result)) throw field_error(problem.message());
    return result;
}

}  // namespace backbeat::cli
