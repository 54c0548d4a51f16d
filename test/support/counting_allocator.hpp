//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_COUNTING_ALLOCATOR_HPP
#define BACKBEAT_TEST_COUNTING_ALLOCATOR_HPP

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace backbeat::test {

struct allocation_log {
    std::size_t allocations = 0;
    std::size_t live = 0;
    std::size_t largest = 0;
};

// Counts what it allocates, from the heap.
template <class T = void>
class counting_allocator {
public:
    using value_type = T;

    explicit counting_allocator(allocation_log& log) noexcept : log_(&log) {}

    template <class U>
    counting_allocator(counting_allocator<U> const& other) noexcept : log_(other.log_)
    {}

    [[nodiscard]] T* allocate(std::size_t n)
    {
        ++log_->allocations;
        ++log_->live;
        if (n * sizeof(T) > log_->largest) log_->largest = n * sizeof(T);
        return std::allocator<T>().allocate(n);
    }

    void deallocate(T* block, std::size_t n) noexcept
    {
        --log_->live;
        std::allocator<T>().deallocate(block, n);
    }

    template <class U>
    friend bool operator==(counting_allocator const& a, counting_allocator<U> const& b) noexcept
    {
        return a.log_ == b.log_;
    }

    allocation_log* log_;
};

// The same, with a log for all, so that it takes no room.
template <class T = void>
class stateless_counting_allocator {
public:
    using value_type = T;

    stateless_counting_allocator() noexcept = default;

    template <class U>
    stateless_counting_allocator(stateless_counting_allocator<U> const&) noexcept
    {}

    [[nodiscard]] static allocation_log& log() noexcept
    {
        static allocation_log result;
        return result;
    }

    [[nodiscard]] T* allocate(std::size_t n) { return of_log().allocate(n); }
    void deallocate(T* block, std::size_t n) noexcept { of_log().deallocate(block, n); }

    template <class U>
    friend bool operator==(stateless_counting_allocator const&, stateless_counting_allocator<U> const&) noexcept
    {
        return true;
    }

private:
    [[nodiscard]] static counting_allocator<T> of_log() noexcept
    {
        return counting_allocator<T>(stateless_counting_allocator<>::log());
    }
};

// Memory for one object at a time.
struct single_block {
    alignas(std::max_align_t) std::byte memory[4096];
    bool used = false;
};

// Has the memory of a `single_block` and no other: throws where a second block would be needed.
template <class T = void>
class single_block_allocator {
public:
    using value_type = T;

    explicit single_block_allocator(single_block& block) noexcept : block_(&block) {}

    template <class U>
    single_block_allocator(single_block_allocator<U> const& other) noexcept : block_(other.block_)
    {}

    [[nodiscard]] T* allocate(std::size_t n)
    {
        if (block_->used || n * sizeof(T) > sizeof block_->memory) throw std::bad_alloc();
        block_->used = true;
        return reinterpret_cast<T*>(block_->memory);
    }

    void deallocate(T*, std::size_t) noexcept { block_->used = false; }

    template <class U>
    friend bool operator==(single_block_allocator const& a, single_block_allocator<U> const& b) noexcept
    {
        return a.block_ == b.block_;
    }

    single_block* block_;
};

// Memory that is given once, one block right behind the other.
struct arena {
    alignas(std::max_align_t) std::array<std::byte, 4096> memory;
    std::size_t used = 0;
    int live = 0;
};

// Counts the blocks that were not given back, and spoils those that were.
template <class T = void>
class packing_allocator {
public:
    using value_type = T;

    explicit packing_allocator(arena& from) noexcept : from_(&from) {}

    template <class U>
    packing_allocator(packing_allocator<U> const& other) noexcept : from_(other.from_)
    {}

    [[nodiscard]] T* allocate(std::size_t n)
    {
        static_assert(alignof(T) <= 8);
        auto* const block = from_->memory.data() + from_->used;
        from_->used += (n * sizeof(T) + 7) / 8 * 8;
        if (from_->used > from_->memory.size()) throw std::bad_alloc();
        ++from_->live;
        return static_cast<T*>(static_cast<void*>(block));
    }

    void deallocate(T* block, std::size_t n) noexcept
    {
        --from_->live;
        std::memset(static_cast<void*>(block), 0xff, n * sizeof(T));
    }

    template <class U>
    friend bool operator==(packing_allocator const& a, packing_allocator<U> const& b) noexcept
    {
        return a.from_ == b.from_;
    }

    arena* from_;
};

}  // namespace backbeat::test

#endif
