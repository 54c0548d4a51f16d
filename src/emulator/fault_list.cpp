//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "fault_list.hpp"

#include "stable_hash.hpp"

#include <utility>

namespace backbeat::emulation {

void fault_list::replace(std::vector<fault_rule> rules)
{
    // Each of them is tried for each request.
    static constexpr std::size_t maximum_rules = 1000;
    if (rules.size() > maximum_rules) throw fault_error("faults", "there can be at most 1000 fault rules");
    std::vector<entry> entries;
    entries.reserve(rules.size());
    for (auto& rule : rules) {
        validate(rule);
        std::optional<path_pattern> pattern;
        if (!rule.path.empty()) pattern.emplace(rule.path);
        entries.push_back({std::move(rule), std::move(pattern)});
    }
    rules_ = std::move(entries);
}

std::optional<std::size_t> fault_list::choose(std::string_view method, std::string_view path)
{
    auto const ordinal = requests_.next(method, path);
    for (std::size_t i = 0; i != rules_.size(); ++i) {
        auto& [rule, pattern, fired] = rules_[i];
        if (rule.action == fault_action::refuse) continue;
        if (!rule.method.empty() && rule.method != method) continue;
        if (rule.first && fired >= *rule.first) continue;
        if (pattern && !pattern->found_in(path)) continue;
        // A hash and not a generator: requests that arrive in another order draw the same numbers.
        if (!(stable_hash(seed_).add(i).add(method).add(path).add(ordinal).fraction() < rule.rate)) continue;
        ++fired;
        return i;
    }
    return std::nullopt;
}

std::optional<std::size_t> fault_list::choose_for_connection()
{
    auto const ordinal = connections_++;
    for (std::size_t i = 0; i != rules_.size(); ++i) {
        auto& [rule, pattern, fired] = rules_[i];
        if (rule.action != fault_action::refuse) continue;
        if (rule.first && fired >= *rule.first) continue;
        // No request has a method without letters, so no request draws the same numbers.
        if (!(stable_hash(seed_).add(i).add("").add("").add(ordinal).fraction() < rule.rate)) continue;
        ++fired;
        return i;
    }
    return std::nullopt;
}

}  // namespace backbeat::emulation
