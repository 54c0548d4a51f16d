//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_COUNTERS_HPP
#define BACKBEAT_DETAIL_COUNTERS_HPP

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace backbeat::detail {

// All are lock-free and order nothing: what one of them says must not be taken to imply what another one says.

// A number that only grows.
class counter {
public:
    void add(std::uint64_t by = 1) noexcept { value_.fetch_add(by, std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> value_{0};
};

// A number that goes up and down.
class gauge {
public:
    void add(std::int64_t by) noexcept { value_.fetch_add(by, std::memory_order_relaxed); }
    [[nodiscard]] std::int64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::int64_t> value_{0};
};

// A counter for each enumerator, up to `last`. What is past it is counted with it.
template <auto last>
class counters_by {
public:
    using key = std::remove_cv_t<decltype(last)>;
    static constexpr std::size_t size = static_cast<std::size_t>(last) + 1;

    void add(key which, std::uint64_t by = 1) noexcept
    {
        counters_[(std::min)(static_cast<std::size_t>(which), size - 1)].add(by);
    }

    [[nodiscard]] std::uint64_t of(key which) const noexcept
    {
        auto const index = static_cast<std::size_t>(which);
        return index < size ? counters_[index].value() : 0;
    }

    [[nodiscard]] std::uint64_t total() const noexcept
    {
        std::uint64_t result = 0;
        for (auto const& each : counters_) result += each.value();
        return result;
    }

private:
    std::array<counter, size> counters_;
};

// Counts values by the first bound that they do not exceed. `bounds` is an array in ascending order.
template <auto const& bounds>
class histogram {
public:
    static constexpr std::size_t size = std::remove_reference_t<decltype(bounds)>().size();

    void observe(std::uint64_t value) noexcept
    {
        std::size_t i = 0;
        while (i != size && value > bounds[i]) ++i;
        counters_[i].add();
        sum_.add(value);
    }

    // How many values there were up to each bound, and, last, how many at all. Each counter is read once, so that this
    // does not contradict itself, whatever is counted meanwhile.
    [[nodiscard]] std::array<std::uint64_t, size + 1> cumulative() const noexcept
    {
        std::array<std::uint64_t, size + 1> result{};
        std::uint64_t count = 0;
        for (std::size_t i = 0; i != result.size(); ++i) result[i] = count += counters_[i].value();
        return result;
    }

    [[nodiscard]] std::uint64_t sum() const noexcept { return sum_.value(); }

private:
    std::array<counter, size + 1> counters_;
    counter sum_;
};

}  // namespace backbeat::detail

#endif
