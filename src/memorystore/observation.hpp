//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_OBSERVATION_HPP
#define BACKBEAT_SRC_MEMORYSTORE_OBSERVATION_HPP

#include <backbeat/memorystore/operation.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat::memorystore::detail {

// An operation on the target of a change.
class seen_operation {
public:
    seen_operation() = default;
    explicit seen_operation(operation seen);

    operation whole;
    // Empty: its metadata cannot be read.
    std::string target;
    std::string verb;
    std::optional<timestamp> begun;

    [[nodiscard]] bool has_failed() const noexcept { return whole.error.has_value(); }
    [[nodiscard]] bool has_succeeded() const noexcept { return whole.done && !has_failed(); }
};

// What was seen of the target of a change at one time.
class observation {
public:
    observation() = default;

    // As `to_json` writes it. Empty: there was none.
    std::optional<boost::json::object> resource;

    // Those on the target, and those of which nothing can be read: they may be.
    std::vector<seen_operation> operations;
};

// Whether two names are of the same resource: a project has a name and a number.
[[nodiscard]] bool is_same_resource(std::string_view one, std::string_view other) noexcept;

// Whether two observations of a name show the same incarnation of it, or none.
[[nodiscard]] bool is_same_incarnation(observation const& one, observation const& other);

}  // namespace backbeat::memorystore::detail

#endif
