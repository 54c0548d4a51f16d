//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_RESOURCE_RULES_HPP
#define BACKBEAT_SRC_EMULATOR_RESOURCE_RULES_HPP

#include "violations.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace backbeat::emulation {

// Rules that instances and clusters have in common.

// Letters, digits and hyphens, from a letter to a letter or digit, at most `limit` (40 for instances, 63 for clusters).
[[nodiscard]] bool is_resource_id(std::string_view id, std::size_t limit) noexcept;

// Whether a text is like a pattern whose stars each stand for one part between slashes.
[[nodiscard]] bool is_like(std::string_view text, std::string_view pattern) noexcept;

// `us-central1-a` of `us-central1`. Which letters there are changes over the years.
[[nodiscard]] bool is_zone_of(std::string_view region, std::string_view zone) noexcept;

// Whether it is the URI of an object in Cloud Storage.
[[nodiscard]] bool is_storage_object(std::string_view uri) noexcept;

// The beginning of a text that may be long, for a message.
[[nodiscard]] std::string in_quotes(std::string_view text);

// A parameter of Redis that can be set.
struct redis_setting {
    std::string_view name;
    // The version of Redis that has it first; empty: all have it.
    std::string_view since;
    // "number", "integer", "yes/no", "policy" or "text".
    std::string_view kind;
};

void check_redis_configs(
    std::map<std::string, std::string> const& configs,
    std::span<redis_setting const> settings,
    std::string_view version,
    std::string const& field,
    violations& found);

}  // namespace backbeat::emulation

#endif
