//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_STEP_MEMORY_HPP
#define BACKBEAT_DETAIL_STEP_MEMORY_HPP

#include <backbeat/detail/call_frame.hpp>

#include <boost/asio/detail/operation.hpp>
#include <boost/asio/detail/scheduler_operation.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace backbeat::detail {

// Memory inside the state of an operation for what it starts itself, a wait or a post: retrying allocates nothing per
// attempt. One block is enough, because one of them runs at a time. The operation knows whether it is in use.
template <std::size_t size>
class step_memory {
public:
    static constexpr std::size_t alignment = alignof(void*);

    step_memory() noexcept = default;
    step_memory(step_memory const&) = delete;
    step_memory& operator=(step_memory const&) = delete;

    [[nodiscard]] static constexpr bool fits(std::size_t bytes, std::size_t aligned) noexcept
    {
        return bytes <= size && aligned <= alignment;
    }

    [[nodiscard]] void* get() noexcept { return block_; }

private:
    alignas(alignment) std::byte block_[size];
};

template <>
class step_memory<0> {
public:
    [[nodiscard]] void* get() noexcept { return nullptr; }
};

// What Asio's wait takes with g++ and clang on 64 bits: 56 bytes, its handler, the timer's executor, and the handler's
// if it has one.
template <class IoExecutor>
inline constexpr std::size_t wait_memory_size(std::size_t handler, std::size_t handler_executor) noexcept
{
    return 56 + handler + sizeof(IoExecutor) + handler_executor;
}

// What a post takes: 24 bytes, its handler and a copy of that one's allocator, and of its executor if it has one.
inline constexpr std::size_t post_memory_size(
    std::size_t handler, std::size_t allocator, std::size_t handler_executor) noexcept
{
    return 24 + handler + allocator + handler_executor;
}

// Takes memory from where `Source` says, and what there is none for from the caller's allocator, of which it has a copy:
// what Asio keeps for a step, on its way through a strand, may be freed after the operation.
template <class Source, class T, class Operation, class Callers>
class basic_step_allocator {
public:
    using value_type = T;

    template <class U>
    struct rebind {
        using other = basic_step_allocator<Source, U, Operation, Callers>;
    };

    explicit basic_step_allocator(Operation* operation) noexcept
        : operation_(operation), callers_(operation->handler_allocator())
    {}

    template <class U>
    basic_step_allocator(basic_step_allocator<Source, U, Operation, Callers> const& other) noexcept
        : operation_(other.operation_), callers_(other.callers_)
    {}

    [[nodiscard]] T* allocate(std::size_t n)
    {
        if (auto* const block = Source::template take<T>(operation_, n)) return static_cast<T*>(block);
        auto callers = rebound();
        return std::allocator_traits<decltype(callers)>::allocate(callers, n);
    }

    // What is in the operation is freed before it: only then is it looked at.
    void deallocate(T* block, std::size_t n) noexcept
    {
        if (Operation::is_step_memory(operation_, block)) {
            operation_->give_step_memory_back();
            return;
        }
        auto callers = rebound();
        std::allocator_traits<decltype(callers)>::deallocate(callers, block, n);
    }

    template <class U>
    friend bool operator==(
        basic_step_allocator const& a, basic_step_allocator<Source, U, Operation, Callers> const& b) noexcept
    {
        return a.operation_ == b.operation_;
    }

    // To the caller's own type, for containers that take no other, such as those of `std::pmr`.
    template <
        class Other,
        class Own = typename std::allocator_traits<Callers>::template rebind_alloc<typename Other::value_type>,
        class = std::enable_if_t<std::is_same_v<Other, Own>>>
    operator Other() const noexcept
    {
        return Other(callers_);
    }

    Operation* operation_;
    [[no_unique_address]] Callers callers_;

private:
    [[nodiscard]] auto rebound() const noexcept
    {
        return typename std::allocator_traits<Callers>::template rebind_alloc<T>(callers_);
    }
};

// For a step that runs alone: the operation's state.
struct memory_in_state {
    template <class T, class Operation>
    [[nodiscard]] static void* take(Operation* operation, std::size_t n) noexcept
    {
        return operation->take_step_memory(n * sizeof(T), alignof(T));
    }
};

// For a step beside another.
struct memory_outside {
    template <class T, class Operation>
    [[nodiscard]] static void* take(Operation*, std::size_t) noexcept
    {
        return nullptr;
    }
};

// Whether a type is that of a handler, or of something made of it, such as a binder or a composed operation's handler.
template <class T, class Handler>
inline constexpr bool is_made_of = std::is_same_v<T, Handler>;

template <template <class...> class Template, class... Arguments, class Handler>
inline constexpr bool is_made_of<Template<Arguments...>, Handler> = (is_made_of<Arguments, Handler> || ...);

// For an attempt beside which no step runs: the operation's state for the first that Asio queues. Where many waits end at
// once, many attempts are queued before the first of them is over, and each would allocate.
//
// Only for what owns the attempt's handler, and with it the state; Asio frees it before it calls or destroys that
// handler. Nobody knows of anything else that it is freed before the attempt is over, or before the operation is: of what
// somebody shares, of a timer beside the attempt, of what is queued when the initiating function throws.
struct memory_lent {
    template <class T>
    static constexpr bool is_queued_by_asio = std::disjunction_v<
        std::is_base_of<boost::asio::detail::scheduler_operation, T>,
        std::is_base_of<boost::asio::detail::operation, T>>;

    template <class T, class Operation>
    [[nodiscard]] static void* take(Operation* operation, std::size_t n) noexcept
    {
        if constexpr (is_queued_by_asio<T> && is_made_of<T, typename Operation::attempt_handler>) {
            // The attempt has not begun, so the operation is there.
            auto* const frame = call_frame::find(operation);
            if (frame != nullptr && !frame->completed && !frame->dropped && std::exchange(frame->lends, false))
                return operation->take_step_memory(n * sizeof(T), alignof(T));
        }
        return nullptr;
    }
};

}  // namespace backbeat::detail

#endif
