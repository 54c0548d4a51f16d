//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_CONTENDERS_POOL_HPP
#define BACKBEAT_TEST_BENCH_CONTENDERS_POOL_HPP

#include <sys/mman.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <new>
#include <system_error>

namespace bench {

// Memory for small blocks that is reserved beforehand, and becomes resident where it is used. On one thread.
class pool {
public:
    explicit pool(std::size_t bytes) : bytes_(bytes)
    {
        void* const memory =
            ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
        begin_ = next_ = static_cast<std::byte*>(memory);
    }

    pool(pool const&) = delete;
    pool& operator=(pool const&) = delete;
    ~pool() { ::munmap(begin_, bytes_); }

    [[nodiscard]] void* allocate(std::size_t size)
    {
        auto const kind = kind_of(size);
        if (kind >= free_.size()) throw std::bad_alloc();
        if (auto* const found = free_[kind]; found != nullptr) {
            free_[kind] = found->next;
            return found;
        }
        auto const rounded = kind * alignment;
        if (rounded > static_cast<std::size_t>(begin_ + bytes_ - next_)) throw std::bad_alloc();
        auto* const result = next_;
        next_ += rounded;
        return result;
    }

    void deallocate(void* block, std::size_t size) noexcept
    {
        auto& first = free_[kind_of(size)];
        first = new (block) free_block{first};
    }

private:
    static constexpr std::size_t alignment = alignof(std::max_align_t);

    struct free_block {
        free_block* next;
    };

    static std::size_t kind_of(std::size_t size) noexcept { return (size + alignment - 1) / alignment; }

    std::size_t bytes_;
    std::byte* begin_ = nullptr;
    std::byte* next_ = nullptr;
    std::array<free_block*, 256> free_{};
};

template <class T = void>
class pool_allocator {
public:
    using value_type = T;

    explicit pool_allocator(pool& of) noexcept : pool_(&of) {}

    template <class U>
    pool_allocator(pool_allocator<U> const& other) noexcept : pool_(other.pool_)
    {}

    [[nodiscard]] T* allocate(std::size_t n)
    {
        static_assert(alignof(T) <= alignof(std::max_align_t));
        return static_cast<T*>(pool_->allocate(n * sizeof(T)));
    }

    void deallocate(T* block, std::size_t n) noexcept { pool_->deallocate(block, n * sizeof(T)); }

    template <class U>
    friend bool operator==(pool_allocator const& a, pool_allocator<U> const& b) noexcept
    {
        return a.pool_ == b.pool_;
    }

    pool* pool_;
};

}  // namespace bench

#endif
