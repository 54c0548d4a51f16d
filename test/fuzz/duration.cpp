//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// A duration of the command line, and those and the timestamps of the API.

#include "exit_status.hpp"
#include "option_values.hpp"
#include "require.hpp"

#include <backbeat/detail/duration_text.hpp>
#include <backbeat/memorystore/duration.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using backbeat::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    std::string const text(reinterpret_cast<char const*>(data), size);
    try {
        auto const value = backbeat::cli::duration_value("--wait", text);
        require(value.count() >= 0, "a duration is never negative");
        auto const exact = std::to_string(value.count()) + "ns";
        require(backbeat::cli::duration_value("--wait", exact) == value, "a number of nanoseconds is read exactly");
        require(!backbeat::detail::duration_text(value).empty(), "a duration has a text");
    } catch (backbeat::cli::usage_error const& error) {
        require(backbeat::fuzz::is_one_line(error.what()), "an error is one line");
    }

    if (auto const value = backbeat::memorystore::duration::parse(text)) {
        auto const again = backbeat::memorystore::duration::parse(value->to_string());
        require(again == value, "a duration is written as it is read");
        static_cast<void>(value->span());
    }
    if (auto const value = backbeat::memorystore::timestamp::parse(text)) {
        auto const again = backbeat::memorystore::timestamp::parse(value->to_string());
        require(again == value, "a timestamp is written as it is read");
        static_cast<void>(value->time_point());
    }
    return 0;
}
