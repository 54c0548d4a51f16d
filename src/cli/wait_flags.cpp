//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "wait_flags.hpp"

#include "exit_status.hpp"
#include "option_set.hpp"
#include "option_values.hpp"
#include "text.hpp"

#include <backbeat/detail/duration_text.hpp>

#include <fmt/format.h>

#include <chrono>
#include <string>

namespace backbeat::cli {

namespace {

std::chrono::nanoseconds interval_value(std::string const& flag, std::string const& text)
{
    auto const value = duration_value(flag, text);
    if (value == value.zero())
        throw usage_error(flag + " is zero; it must be longer, like 500ms, or polls never pause");
    return value;
}

}  // namespace

void operation_progress::at_poll(memorystore::operation const& running, std::chrono::nanoseconds next_poll)
{
    auto const now = std::chrono::steady_clock::now();
    if (polls_ == 0) begun_ = now;
    ++polls_;
    next_ = now + next_poll;
    auto const last_part = [](std::string const& name) { return name.substr(name.rfind('/') + 1); };
    auto const verb = running.verb();
    what_ = verb.empty() ? last_part(running.name) : verb + " " + last_part(running.target());
}

std::string operation_progress::text() const
{
    if (polls_ == 0) return {};
    auto const now = std::chrono::steady_clock::now();
    auto const seconds = [](auto span) { return std::chrono::floor<std::chrono::seconds>(span).count(); };
    return printable(fmt::format(
        "{}: {}, waited for {} s, the next in {} s",
        what_,
        counted(polls_, "poll"),
        seconds(now - begun_),
        next_ > now ? seconds(next_ - now) : 0));
}

void wait_flags::add_to(option_set& options, bool optional)
{
    using backbeat::detail::duration_text;
    options.section("Waiting");
    if (optional) {
        options.flag("--wait", wait_, "Waits until the operation has ended.");
        options.flag("--no-wait", no_wait_, "Returns when it has begun, which is the default.");
    }
    options.value(
        "--initial-poll-interval",
        "DURATION",
        "The time from the first poll, which comes at once, to the second.",
        duration_text(options_.initial_poll_interval),
        [this](std::string const& text) {
            options_.initial_poll_interval = interval_value("--initial-poll-interval", text);
            initial_given_ = true;
        });
    options.value(
        "--maximum-poll-interval",
        "DURATION",
        "The longest time between two polls; it grows by half from one to the next.",
        duration_text(options_.maximum_poll_interval),
        [this](std::string const& text) {
            options_.maximum_poll_interval = interval_value("--maximum-poll-interval", text);
            maximum_given_ = true;
        });
}

bool wait_flags::waits() const
{
    if (wait_ && no_wait_) throw usage_error("--wait and --no-wait contradict each other; say one of them");
    return wait_;
}

memorystore::wait_options wait_flags::chosen() const
{
    auto result = options_;
    if (result.maximum_poll_interval >= result.initial_poll_interval) return result;
    if (initial_given_ && maximum_given_)
        throw usage_error("--maximum-poll-interval is below --initial-poll-interval; raise the one or lower the other");
    // Who says one of them means it to hold.
    if (initial_given_)
        result.maximum_poll_interval = result.initial_poll_interval;
    else
        result.initial_poll_interval = result.maximum_poll_interval;
    return result;
}

}  // namespace backbeat::cli
