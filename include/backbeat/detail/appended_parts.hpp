//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_APPENDED_PARTS_HPP
#define BACKBEAT_DETAIL_APPENDED_PARTS_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>

namespace backbeat::detail {

// A state and those of some parts that it needs, one behind the other in a single block of memory: what an operation
// does not use costs it nothing, and what it uses costs no allocation of its own. Which parts there are is a set of bits,
// the first part's the lowest.
//
// Whoever makes a block constructs the state at its beginning, and then the parts; they are destroyed the other way
// around.
template <class State, class... Parts>
class appended_parts {
public:
    using set = std::uint8_t;

    // What a block is an array of.
    struct alignas((std::max)({alignof(State), alignof(Parts)...})) unit {
        std::byte bytes[(std::max)({alignof(State), alignof(Parts)...})];
    };

    template <class Part>
    static constexpr set bit = [] {
        set result = 1;
        bool found = false;
        ((found = found || std::is_same_v<Part, Parts>, result = static_cast<set>(found ? result : result << 1)), ...);
        return result;
    }();

    // In units.
    [[nodiscard]] static constexpr std::size_t size(set present) noexcept { return sizes[present]; }

    // Where the first part is, whichever that is. The block is not looked at, and may be gone.
    [[nodiscard]] static void const* first_part(State const* state) noexcept
    {
        return static_cast<unit const*>(static_cast<void const*>(state)) + units<State>();
    }

    static void construct(State* state, set present) noexcept { (construct_if<Parts>(state, present), ...); }

    static void destroy(State* state, set present) noexcept { (destroy_if<Parts>(state, present), ...); }

    // It must be there.
    template <class Part>
    [[nodiscard]] static Part& get(State* state, set present) noexcept
    {
        return *std::launder(static_cast<Part*>(place<Part>(state, present)));
    }

    // The state that a part belongs to, if it is the first that there is.
    template <class Part>
    [[nodiscard]] static State* state_of_first(Part* part) noexcept
    {
        return std::launder(
            static_cast<State*>(static_cast<void*>(static_cast<unit*>(static_cast<void*>(part)) - units<State>())));
    }

private:
    template <class T>
    static constexpr std::size_t units() noexcept
    {
        return (sizeof(T) + sizeof(unit) - 1) / sizeof(unit);
    }

    using size_table = std::array<std::uint16_t, std::size_t{1} << sizeof...(Parts)>;

    static constexpr size_table make_sizes() noexcept
    {
        size_table result{};
        for (std::size_t present = 0; present != result.size(); ++present)
            result[present] = static_cast<std::uint16_t>(
                units<State>()
                + (std::size_t{0} + ... + ((present & bit<Parts>) != 0 ? units<Parts>() : std::size_t{0})));
        return result;
    }

    // Of every set that there can be: looked up, because each operation asks several times.
    static constexpr size_table sizes = make_sizes();

    template <class Part>
    [[nodiscard]] static void* place(State* state, set present) noexcept
    {
        auto const before = static_cast<set>(present & (bit<Part> - 1));
        return static_cast<unit*>(static_cast<void*>(state)) + size(before);
    }

    template <class Part>
    static void construct_if(State* state, set present) noexcept
    {
        static_assert(std::is_nothrow_default_constructible_v<Part>);
        // Without parentheses, which would set to zero what is only room for something.
        if ((present & bit<Part>) != 0) new (place<Part>(state, present)) Part;
    }

    template <class Part>
    static void destroy_if(State* state, set present) noexcept
    {
        if ((present & bit<Part>) != 0) std::destroy_at(std::addressof(get<Part>(state, present)));
    }
};

}  // namespace backbeat::detail

#endif
