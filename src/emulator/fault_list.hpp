//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_FAULT_LIST_HPP
#define BACKBEAT_SRC_EMULATOR_FAULT_LIST_HPP

#include "ordinals.hpp"
#include "path_pattern.hpp"

#include <backbeat/fault_rule.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace backbeat::emulation {

// The rules in force, and how often each was applied.
class fault_list {
public:
    explicit fault_list(std::uint64_t seed) : seed_(seed) {}

    // The strong guarantee: if a rule is refused, the list stays as it was.
    void replace(std::vector<fault_rule> rules);

    // The rule to apply to this request, which is counted as one more of its method and path.
    std::optional<std::size_t> choose(std::string_view method, std::string_view path);

    // The rule by which to refuse this connection, which is counted as one more.
    std::optional<std::size_t> choose_for_connection();

    // Counts a request to which no rule is to be applied, so that those after it draw what they would have drawn.
    void skip(std::string_view method, std::string_view path) { (void)requests_.next(method, path); }

    // Counts requests and connections from the start again.
    void forget_requests()
    {
        requests_.clear();
        connections_ = 0;
    }

    [[nodiscard]] std::size_t size() const noexcept { return rules_.size(); }
    [[nodiscard]] fault_rule const& rule(std::size_t index) const { return rules_[index].rule; }
    [[nodiscard]] std::uint64_t fired(std::size_t index) const { return rules_[index].fired; }

private:
    struct entry {
        fault_rule rule;
        std::optional<path_pattern> pattern;
        std::uint64_t fired = 0;
    };

    std::uint64_t seed_;
    std::vector<entry> rules_;
    ordinals requests_;
    std::uint64_t connections_ = 0;
};

}  // namespace backbeat::emulation

#endif
