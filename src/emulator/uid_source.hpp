//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_UID_SOURCE_HPP
#define BACKBEAT_SRC_EMULATOR_UID_SOURCE_HPP

#include "ordinals.hpp"
#include "stable_hash.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace backbeat::emulation {

// What looks like a random UUID and is made of a hash.
[[nodiscard]] inline std::string uuid_of(stable_hash hash)
{
    auto const high = hash.value();
    auto const low = hash.add(high).value();
    std::array<char, 37> text{};
    std::snprintf(
        text.data(),
        text.size(),
        "%08x-%04x-4%03x-a%03x-%012llx",
        static_cast<unsigned>(high >> 32),
        static_cast<unsigned>(high >> 16) & 0xffffU,
        static_cast<unsigned>(high) & 0xfffU,
        static_cast<unsigned>(low >> 52),
        static_cast<unsigned long long>(low & 0xffff'ffff'ffffU));
    return text.data();
}

// UUIDs of the things of each kind and name: of the seed, and of how many of that name there were before, so that the
// next thing of a name has another one, and the next run the same.
class uid_source {
public:
    explicit uid_source(std::uint64_t seed) : seed_(seed) {}

    std::string next(std::string_view kind, std::string_view name)
    {
        auto const ordinal = made_.next(kind, name);
        return uuid_of(stable_hash(seed_ ^ loaded_).add(kind).add(name).add(ordinal));
    }

    void clear()
    {
        made_.clear();
        loaded_ = 0;
    }

    // A thing that was made elsewhere has this one: it must not be made again.
    void avoid(std::string_view uid) { loaded_ = stable_hash(loaded_).add(uid).value(); }

private:
    std::uint64_t seed_;
    std::uint64_t loaded_ = 0;
    ordinals made_;
};

}  // namespace backbeat::emulation

#endif
