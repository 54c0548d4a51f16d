//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_STEP_MEMORY_HPP
#define BACKBEAT_DETAIL_STEP_MEMORY_HPP

#include <cstddef>
#include <memory>

namespace backbeat::detail {

// Memory inside the state of an operation for what it starts itself, a wait or a post: retrying allocates nothing per
// attempt. One block is enough, because one of them runs at a time; anything else comes from the caller's allocator.
template <std::size_t size>
class step_memory {
public:
    step_memory() = default;
    step_memory(step_memory const&) = delete;
    step_memory& operator=(step_memory const&) = delete;

    template <class Allocator>
    [[nodiscard]] void* allocate(Allocator const& callers, std::size_t bytes, std::size_t alignment)
    {
        if (!used_ && bytes <= size && alignment <= alignof(std::max_align_t)) {
            used_ = true;
            return block_;
        }
        auto allocator = unit_allocator<Allocator>(callers);
        return std::allocator_traits<unit_allocator<Allocator>>::allocate(allocator, units(bytes));
    }

    template <class Allocator>
    void deallocate(Allocator const& callers, void* block, std::size_t bytes) noexcept
    {
        if (block == block_) {
            used_ = false;
            return;
        }
        auto allocator = unit_allocator<Allocator>(callers);
        std::allocator_traits<unit_allocator<Allocator>>::deallocate(
            allocator, static_cast<std::max_align_t*>(block), units(bytes));
    }

private:
    template <class Allocator>
    using unit_allocator = typename std::allocator_traits<Allocator>::template rebind_alloc<std::max_align_t>;

    [[nodiscard]] static constexpr std::size_t units(std::size_t bytes) noexcept
    {
        return (bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t);
    }

    alignas(std::max_align_t) std::byte block_[size];
    bool used_ = false;
};

// What Asio's wait needs with g++ and clang on 64 bits: 88 bytes and what its handler and its executor take.
template <class StepHandler, class IoExecutor>
inline constexpr std::size_t step_memory_size = 96 + sizeof(StepHandler)
    + 2 * (sizeof(IoExecutor) > sizeof(void*) ? sizeof(IoExecutor) : 0);

// Takes memory from the operation's `step_memory_`.
template <class T, class Operation>
class step_allocator {
public:
    using value_type = T;

    explicit step_allocator(Operation* operation) noexcept : operation_(operation) {}

    template <class U>
    step_allocator(step_allocator<U, Operation> const& other) noexcept : operation_(other.operation_)
    {}

    [[nodiscard]] T* allocate(std::size_t n)
    {
        return static_cast<T*>(
            operation_->step_memory_.allocate(operation_->handler_allocator(), n * sizeof(T), alignof(T)));
    }

    void deallocate(T* block, std::size_t n) noexcept
    {
        operation_->step_memory_.deallocate(operation_->handler_allocator(), block, n * sizeof(T));
    }

    template <class U>
    friend bool operator==(step_allocator const& a, step_allocator<U, Operation> const& b) noexcept
    {
        return a.operation_ == b.operation_;
    }

    Operation* operation_;
};

}  // namespace backbeat::detail

#endif
