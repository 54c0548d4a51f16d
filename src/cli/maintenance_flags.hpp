//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_MAINTENANCE_FLAGS_HPP
#define BACKBEAT_SRC_CLI_MAINTENANCE_FLAGS_HPP

#include "field_values.hpp"
#include "message_flags.hpp"
#include "option_values.hpp"

#include <backbeat/memorystore/day_of_week.hpp>
#include <backbeat/memorystore/open_enum.hpp>

#include <cstdint>
#include <string>

namespace backbeat::cli {

// The hour of maintenance in each week, as flags of the message that has it. It has one window at most.
template <class Window, class Message>
void add_maintenance_window(message_flags<Message>& flags)
{
    auto const window = [](Message& message) -> Window& {
        auto& windows =
            (message.maintenance_policy ? *message.maintenance_policy : message.maintenance_policy.emplace())
                .weekly_maintenance_window;
        if (windows.empty()) windows.emplace_back();
        return windows.front();
    };
    flags.add_part(
        "--maintenance-window-day",
        &Message::maintenance_policy,
        syntax_of(memorystore::open_enum<memorystore::day_of_week>()),
        "The day of the week on which maintenance may happen.",
        [window](Message& message, std::string const& text) {
            read_field("--maintenance-window-day", text, window(message).day);
        });
    flags.add_part(
        "--maintenance-window-hour",
        &Message::maintenance_policy,
        {"N"},
        "The hour at which it may begin, in UTC: 0 to 23.",
        [window](Message& message, std::string const& text) {
            auto& start = window(message).start_time;
            (start ? *start : start.emplace()).hours =
                static_cast<std::int32_t>(count_value("--maintenance-window-hour", text, 0, 23));
        });
}

}  // namespace backbeat::cli

#endif
