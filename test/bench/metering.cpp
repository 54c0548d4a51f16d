//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "metering.hpp"

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <mutex>
#include <string>
#include <system_error>

namespace {

// Per thread: an atomic would cost those most that allocate most.
thread_local std::uint64_t allocations_of_thread = 0;
std::atomic<std::uint64_t> allocations_of_others{0};

// Addresses and sizes of live blocks, in memory that malloc knows nothing of. Open addressing; a freed block leaves a
// tombstone.
class live_blocks {
public:
    void open()
    {
        void* const memory =
            ::mmap(nullptr, capacity * sizeof(block), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
        blocks_ = static_cast<block*>(memory);
        open_.store(true, std::memory_order_release);
    }

    void add(void* address, std::size_t size) noexcept
    {
        if (address == nullptr || !open_.load(std::memory_order_acquire)) return;
        std::lock_guard const lock(mutex_);
        auto* place = find(nullptr, address);
        // A full table counts nothing more, and what it says is found to be nonsense.
        if (place == nullptr) return;
        *place = {address, size};
        asked_ += size;
    }

    void remove(void* address) noexcept
    {
        if (address == nullptr || !open_.load(std::memory_order_acquire)) return;
        std::lock_guard const lock(mutex_);
        auto* const place = find(address, address);
        if (place == nullptr) return;
        asked_ -= place->size;
        *place = {tombstone(), 0};
    }

    [[nodiscard]] std::uint64_t asked() noexcept
    {
        std::lock_guard const lock(mutex_);
        return asked_;
    }

private:
    static constexpr std::size_t capacity = std::size_t{1} << 23;

    struct block {
        void* address;
        std::size_t size;
    };

    static void* tombstone() noexcept { return reinterpret_cast<void*>(std::uintptr_t{1}); }

    // Null: for a place that `address` can take.
    block* find(void* wanted, void* address) noexcept
    {
        auto index = (reinterpret_cast<std::uintptr_t>(address) >> 4) * 0x9e3779b97f4a7c15 >> 41;
        for (std::size_t i = 0; i != capacity; ++i, index = (index + 1) % capacity) {
            auto& place = blocks_[index];
            if (place.address == wanted || (wanted == nullptr && place.address == tombstone())) return &place;
            if (place.address == nullptr) return nullptr;
        }
        return nullptr;
    }

    std::atomic<bool> open_{false};
    std::mutex mutex_;
    block* blocks_ = nullptr;
    std::uint64_t asked_ = 0;
};

constinit live_blocks live;

void* counted(void* block, std::size_t size) noexcept
{
    ++allocations_of_thread;
    live.add(block, size);
    return block;
}

double read_clock(clockid_t clock) noexcept
{
    timespec time{};
    ::clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

// The value of a line "KEY: N kB" in bytes.
std::int64_t read_line(char const* file, std::string const& key)
{
    std::ifstream in(file);
    for (std::string word; in >> word;) {
        std::int64_t kilobytes = 0;
        if (word == key && in >> kilobytes) return kilobytes * 1024;
        in.ignore((std::numeric_limits<std::streamsize>::max)(), '\n');
    }
    return -1;
}

}  // namespace

// glibc's own functions under the names that it exports them by. Programs may replace these, so they do no harm.
extern "C" {

void* __libc_malloc(std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void __libc_free(void* block);

void* malloc(std::size_t size) noexcept
{
    return counted(__libc_malloc(size), size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept
{
    return counted(__libc_memalign(alignment, size), size);
}

void* realloc(void* block, std::size_t size) noexcept
{
    live.remove(block);
    return counted(__libc_realloc(block, size), size);
}

void free(void* block) noexcept
{
    live.remove(block);
    __libc_free(block);
}

}  // extern "C"

namespace bench {

std::uint64_t allocations() noexcept
{
    return allocations_of_others.load(std::memory_order_relaxed) + allocations_of_thread;
}

void leave_thread() noexcept
{
    allocations_of_others.fetch_add(allocations_of_thread, std::memory_order_relaxed);
    allocations_of_thread = 0;
}

void watch_asked_bytes()
{
    live.open();
}

std::uint64_t asked_bytes() noexcept
{
    return live.asked();
}

double processor_time() noexcept
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

double wall_time() noexcept
{
    return read_clock(CLOCK_MONOTONIC);
}

// /proc/self/status is quicker, but off by up to 64 pages a processor.
std::int64_t resident_bytes()
{
    return read_line("/proc/self/smaps_rollup", "Rss:");
}

}  // namespace bench
