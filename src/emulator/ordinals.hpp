//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_ORDINALS_HPP
#define BACKBEAT_SRC_EMULATOR_ORDINALS_HPP

#include "stable_hash.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace backbeat::emulation {

// Numbers the things of each kind and name, from 0: the requests of a method and path, the operations of a verb and
// target. Remembers the most recently used pairs, one to two generations of them: clients choose the names, so their
// number must not choose the memory.
class ordinals {
public:
    explicit ordinals(std::size_t generation = 131'072) : generation_(generation) {}

    std::uint64_t next(std::string_view kind, std::string_view name)
    {
        auto const key = stable_hash{}.add(kind).add(name).value();
        if (auto const found = recent_.find(key); found != recent_.end()) return found->second++;
        std::uint64_t ordinal = 0;
        if (auto const found = older_.find(key); found != older_.end()) ordinal = found->second;
        if (recent_.size() >= generation_) {
            older_ = std::move(recent_);
            recent_.clear();
        }
        recent_.emplace(key, ordinal + 1);
        return ordinal;
    }

    void clear()
    {
        recent_.clear();
        older_.clear();
    }

private:
    std::size_t generation_;
    std::unordered_map<std::uint64_t, std::uint64_t> recent_;
    std::unordered_map<std::uint64_t, std::uint64_t> older_;
};

}  // namespace backbeat::emulation

#endif
