//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_STABLE_HASH_HPP
#define BACKBEAT_SRC_EMULATOR_STABLE_HASH_HPP

#include <cstdint>
#include <string_view>

namespace backbeat::emulation {

// A hash that is the same in every process and on every platform, which std::hash is not: faults and names that are
// made from a seed must be the same in the next run. FNV-1a over the text, SplitMix64's finaliser over everything.
class stable_hash {
public:
    explicit constexpr stable_hash(std::uint64_t seed = 0) noexcept : state_(mixed(seed + step)) {}

    constexpr stable_hash& add(std::uint64_t number) noexcept
    {
        state_ = mixed(state_ + step + number);
        return *this;
    }

    constexpr stable_hash& add(std::string_view text) noexcept
    {
        std::uint64_t hash = 14695981039346656037U;
        for (char const c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
        return add(hash ^ text.size());
    }

    [[nodiscard]] constexpr std::uint64_t value() const noexcept { return state_; }

    // Uniform in [0, 1).
    [[nodiscard]] constexpr double fraction() const noexcept { return static_cast<double>(state_ >> 11) * 0x1p-53; }

private:
    static constexpr std::uint64_t step = 0x9e3779b97f4a7c15U;

    static constexpr std::uint64_t mixed(std::uint64_t x) noexcept
    {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
        return x ^ (x >> 31);
    }

    std::uint64_t state_;
};

}  // namespace backbeat::emulation

#endif
