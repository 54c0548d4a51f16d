//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_EXCHANGE_HPP
#define BACKBEAT_SRC_EMULATOR_EXCHANGE_HPP

#include "request_target.hpp"

#include <backbeat/fault_rule.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace backbeat::emulation {

// A request as it came off the wire.
struct http_request {
    std::string method;
    std::string target;
    std::string body;
    std::string logical_id;
    std::string authorization = {};

    // Of the fields whose names the logs are to have, those that it had.
    std::map<std::string, std::string> logged_headers = {};
};

// An answer, apart from what the server adds to each (Date, Content-Length, Connection).
struct http_reply {
    int status = 200;
    std::string content_type = "application/json; charset=UTF-8";
    std::vector<std::pair<std::string, std::string>> fields;
    std::string body;
};

// One request between its arrival and its end: what was decided when it came, and what is to be logged.
struct exchange {
    http_request request;
    request_target target;
    bool malformed_target = false;

    // Asks the emulator itself: neither logged nor failed.
    bool control = false;

    // Its number in the log, counted from the reset of the logs before it.
    std::uint64_t number = 0;
    std::uint64_t resets = 0;
    std::chrono::system_clock::time_point time{};
    std::chrono::steady_clock::time_point start{};
    std::optional<std::size_t> fault;
    fault_rule rule;

    // The answer to a request that is turned away when it comes, and by what, for the log. No fault is applied to it.
    std::optional<http_reply> refusal;
    std::string_view refused_by;

    // What it is answered with; 0: nothing.
    int status = 0;

    // What the server does before and after `service::act`.
    std::chrono::nanoseconds delay_before{};
    std::chrono::nanoseconds delay_after{};

    // Whether the request is carried out. What only reads is, for `truncate`, so that it has a real answer to cut.
    [[nodiscard]] bool acts() const noexcept
    {
        auto const reads = request.method == "GET" || request.method == "HEAD";
        return rule.action == fault_action::none || rule.when == fault_time::after
            || (rule.action == fault_action::truncate && reads);
    }
};

}  // namespace backbeat::emulation

#endif
