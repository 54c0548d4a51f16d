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
// attempt. One block is enough, because one of them runs at a time.
template <std::size_t size>
class step_memory {
public:
    step_memory() = default;
    step_memory(step_memory const&) = delete;
    step_memory& operator=(step_memory const&) = delete;

    // Null: it is in use, or this does not fit.
    [[nodiscard]] void* take(std::size_t bytes, std::size_t alignment) noexcept
    {
        if (used_ || bytes > size || alignment > alignof(std::max_align_t)) return nullptr;
        used_ = true;
        return block_;
    }

    [[nodiscard]] bool give_back(void const* block) noexcept
    {
        if (block != block_) return false;
        used_ = false;
        return true;
    }

private:
    alignas(std::max_align_t) std::byte block_[size];
    bool used_ = false;
};

// What Asio's wait needs with g++ and clang on 64 bits: 88 bytes and what its handler and its executor take.
template <class StepHandler, class IoExecutor>
inline constexpr std::size_t step_memory_size = 96 + sizeof(StepHandler)
    + 2 * (sizeof(IoExecutor) > sizeof(void*) ? sizeof(IoExecutor) : 0);

// Takes memory from the operation's `step_memory_`, and what does not fit from the caller's allocator.
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
        if (auto* const block = operation_->step_memory_.take(n * sizeof(T), alignof(T))) return static_cast<T*>(block);
        auto callers = rebound(operation_->handler_allocator());
        return std::allocator_traits<decltype(callers)>::allocate(callers, n);
    }

    void deallocate(T* block, std::size_t n) noexcept
    {
        if (operation_->step_memory_.give_back(block)) return;
        auto callers = rebound(operation_->handler_allocator());
        std::allocator_traits<decltype(callers)>::deallocate(callers, block, n);
    }

    template <class U>
    friend bool operator==(step_allocator const& a, step_allocator<U, Operation> const& b) noexcept
    {
        return a.operation_ == b.operation_;
    }

    Operation* operation_;

private:
    template <class Allocator>
    [[nodiscard]] static auto rebound(Allocator const& callers) noexcept
    {
        return typename std::allocator_traits<Allocator>::template rebind_alloc<T>(callers);
    }
};

}  // namespace backbeat::detail

#endif
