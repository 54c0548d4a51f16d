//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_LATE_HPP
#define BACKBEAT_DETAIL_LATE_HPP

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace backbeat::detail {

// Room for an object. Its owner knows whether there is one: a `std::optional` would take eight bytes to say so, of which
// an operation that waits would hold several.
template <class T>
class late {
public:
    late() noexcept = default;
    late(late const&) = delete;
    late& operator=(late const&) = delete;
    ~late() = default;

    template <class... Arguments>
    T& construct(Arguments&&... arguments)
    {
        return *new (static_cast<void*>(memory_)) T(std::forward<Arguments>(arguments)...);
    }

    void destroy() noexcept { std::destroy_at(std::addressof(get())); }

    [[nodiscard]] T& get() noexcept { return *std::launder(static_cast<T*>(static_cast<void*>(memory_))); }

private:
    alignas(T) std::byte memory_[sizeof(T)];
};

}  // namespace backbeat::detail

#endif
