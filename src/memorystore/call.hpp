//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_CALL_HPP
#define BACKBEAT_SRC_MEMORYSTORE_CALL_HPP

#include <backbeat/http/idempotency.hpp>
#include <backbeat/http/message.hpp>
#include <backbeat/memorystore/page_request.hpp>

#include <chrono>
#include <string>
#include <string_view>

namespace backbeat::memorystore::detail {

// The deadline that the API publishes for most of its methods.
inline constexpr std::chrono::nanoseconds method_deadline = std::chrono::seconds(60);

// A request, and what is to be known about it when it ends.
class call {
public:
    call() = default;

    http::verb method = http::verb::get;
    std::string target;
    std::string body;
    // What the server routes by: "name=projects%2Fp%2F...".
    std::string routing;
    // What is being done, for people: "getting instance 'projects/...'".
    std::string action;
    std::chrono::nanoseconds deadline = method_deadline;
    // What it means to carry it out twice.
    http::idempotency replay = http::idempotency::safe;
};

// A call of the resource `name`, which `parameter` of the request holds: "/v1/projects/p/...", every segment
// percent-encoded.
[[nodiscard]] call call_of(http::verb method, std::string_view parameter, std::string_view name, std::string action);

void add_parameter(std::string& target, std::string_view key, std::string_view value);

// A call that gets the resource `name`; `noun` is what it is, for people.
[[nodiscard]] call get_of(std::string_view noun, std::string_view name);

// A call that lists the `collection` in the resource `parent`.
// \throws std::invalid_argument There is no such page, or it is filtered.
[[nodiscard]] call list_of(std::string_view parent, std::string_view collection, page_request const& page);

// The same for the methods that have a filter. The parent's parameter has various names with them.
// \throws std::invalid_argument There is no such page.
[[nodiscard]] call filtered_list_of(
    std::string_view parameter, std::string_view parent, std::string_view collection, page_request const& page);

// \throws std::invalid_argument The location of the resource `name` stands for all of them.
void check_one_location(std::string const& location, std::string_view name);

}  // namespace backbeat::memorystore::detail

#endif
