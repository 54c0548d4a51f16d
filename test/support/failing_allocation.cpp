//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "failing_allocation.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

// Negative: all succeed.
thread_local constinit long successes_left = -1;
thread_local constinit bool failed = false;

bool fails_now() noexcept
{
    if (successes_left < 0 || successes_left-- != 0) return false;
    failed = true;
    return true;
}

}  // namespace

// Asio's recycling allocator calls this one.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size)
{
    if (fails_now()) return nullptr;
    void* block = nullptr;
    return posix_memalign(&block, alignment < sizeof(void*) ? sizeof(void*) : alignment, size) == 0 ? block : nullptr;
}

void* operator new(std::size_t size)
{
    if (fails_now()) throw std::bad_alloc();
    if (auto* const block = std::malloc(size == 0 ? 1 : size)) return block;
    throw std::bad_alloc();
}

// A sanitizer's own would not call the one above.
void* operator new(std::size_t size, std::nothrow_t const&) noexcept
{
    return fails_now() ? nullptr : std::malloc(size == 0 ? 1 : size);
}

void operator delete(void* block) noexcept
{
    std::free(block);
}

void operator delete(void* block, std::size_t) noexcept
{
    std::free(block);
}

void operator delete(void* block, std::nothrow_t const&) noexcept
{
    std::free(block);
}

namespace backbeat::test {

failing_allocation::failing_allocation(long successes) noexcept
{
    failed = false;
    successes_left = successes;
}

failing_allocation::~failing_allocation()
{
    successes_left = -1;
}

bool failing_allocation::has_failed() const noexcept
{
    return failed;
}

}  // namespace backbeat::test
