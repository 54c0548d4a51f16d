//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_RUNNING_CALL_HPP
#define BACKBEAT_SRC_MEMORYSTORE_RUNNING_CALL_HPP

#include "change_watch.hpp"

#include <backbeat/http/message.hpp>
#include <backbeat/memorystore/error.hpp>
#include <backbeat/memorystore/json.hpp>
#include <backbeat/memorystore/operation.hpp>
#include <backbeat/retry_report.hpp>

#include <boost/system/error_code.hpp>

#include <concepts>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace backbeat::memorystore::detail {

// What is known about a call while it runs. One allocation; released before the caller's handler is called.
class running_call {
public:
    running_call(std::string what, bool is_change, retry_report* callers)
        : action(std::move(what)), change(is_change), report(callers == nullptr ? &own_report : callers)
    {
        // It may be another call's, and nothing is sent without a token.
        report->clear();
    }
    running_call(running_call const&) = delete;
    running_call& operator=(running_call const&) = delete;

    std::string action;
    bool change;
    retry_report own_report;
    retry_report* report;
    // Why the last attempt had no token, if that was so.
    std::exception_ptr unauthorized;
    // Of a change whose fate can be found out.
    std::shared_ptr<change_watch> watch;
};

// Empty: the response is a success.
[[nodiscard]] std::optional<error> failure_of(
    running_call const& running, boost::system::error_code const& problem, http::response const& response);

// The error of an answer that is a success and cannot be read.
[[nodiscard]] error unreadable(running_call const& running, http::response const& response, json_error const& problem);

template <class Result>
void check(Result const& /*read*/)
{}

inline void check(operation const& read)
{
    // One that has ended need not be asked for.
    if (read.name.empty() && !read.done) throw json_error("name", "expected the name of an operation, got none");
}

template <class Result>
[[nodiscard]] Result result_of(running_call const& running, http::response const& response)
{
    if constexpr (std::same_as<Result, empty>)
        if (response.body().empty()) return {};
    try {
        auto result = parse_json<Result>(response.body());
        check(result);
        return result;
    } catch (json_error const& problem) {
        throw unreadable(running, response, problem);
    }
}

}  // namespace backbeat::memorystore::detail

#endif
