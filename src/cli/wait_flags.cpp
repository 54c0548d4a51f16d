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

#include <backbeat/detail/duration_text.hpp>

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

void wait_flags::add_to(option_set& options)
{
    using backbeat::detail::duration_text;
    options.section("Waiting");
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
