//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_RANDOM_HPP
#define BACKBEAT_DETAIL_RANDOM_HPP

#include <backbeat/random_source.hpp>

#include <boost/config.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <random>

#if __has_include(<pthread.h>) && __has_include(<unistd.h>)
#include <pthread.h>
#include <unistd.h>
#define BACKBEAT_HAS_FORK 1
#else
#define BACKBEAT_HAS_FORK 0
#endif

namespace backbeat::detail {

// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
class split_mix {
public:
    constexpr explicit split_mix(std::uint64_t seed) noexcept : state_(seed) {}

    constexpr std::uint64_t next() noexcept
    {
        auto z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }

private:
    std::uint64_t state_;
};

// One, and another number, never zero, in every process that was forked, so that it goes on neither with its parent's
// stream nor with that of another child: they would back off in step. A count of forks would be the same for all
// children.
inline std::atomic<std::uint64_t> fork_salt{1};

#if BACKBEAT_HAS_FORK
// Calls only what is async-signal-safe: no other function may be called in the child of a process with threads.
inline void change_fork_salt() noexcept
{
    auto const clock = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    auto const process = static_cast<std::uint64_t>(::getpid());
    auto const parent = fork_salt.load(std::memory_order_relaxed);
    fork_salt.store(split_mix(parent ^ clock ^ process << 40).next() | 1, std::memory_order_relaxed);
}
#endif

inline std::uint64_t current_fork_salt() noexcept
{
#if BACKBEAT_HAS_FORK
    [[maybe_unused]] static int const registered = ::pthread_atfork(nullptr, nullptr, [] { change_fork_salt(); });
#endif
    return fork_salt.load(std::memory_order_relaxed);
}

inline std::uint64_t entropy() noexcept
{
    auto const clock = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    try {
        std::random_device device;
        return (std::uint64_t{device()} << 32 | device()) ^ clock;
    } catch (...) {
        // No entropy device: the clock and the address of a local are what is left to tell processes apart.
        return clock ^ reinterpret_cast<std::uintptr_t>(&clock);
    }
}

// The numbers of a thread. Constant at first, so that one comparison is all there is beside a number.
struct thread_stream {
    std::uint64_t salt = 0;  // of no process: it has no seed yet
    split_mix numbers{0};
};

inline thread_local constinit thread_stream stream_of_thread;

BOOST_NOINLINE inline void seed_stream(thread_stream& stream) noexcept
{
    stream.salt = current_fork_salt();
    stream.numbers = split_mix(entropy());
}

// The next number of this thread's stream.
inline std::uint64_t next_of_thread() noexcept
{
    auto& mine = stream_of_thread;
    if (mine.salt != fork_salt.load(std::memory_order_relaxed)) seed_stream(mine);
    return mine.numbers.next();
}

// Operations draw from the stream of their thread. With one of their own they would carry its state through every wait,
// and copies of it would back off in step.
inline std::uint64_t next_random(random_source* injected) noexcept
{
    return injected != nullptr ? injected->next() : next_of_thread();
}

// The high half of the 128-bit product.
[[nodiscard]] constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) noexcept
{
#ifdef __SIZEOF_INT128__
    __extension__ using product = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<product>(a) * b >> 64);
#else
    auto const a0 = a & 0xffffffff;
    auto const a1 = a >> 32;
    auto const b0 = b & 0xffffffff;
    auto const b1 = b >> 32;
    auto const middle = a1 * b0 + (a0 * b0 >> 32);
    auto const low = a0 * b1 + (middle & 0xffffffff);
    return a1 * b1 + (middle >> 32) + (low >> 32);
#endif
}

// Maps a number that is uniform in all its bits to [0, bound], both ends included; monotonic.
[[nodiscard]] constexpr std::chrono::nanoseconds scale_random(
    std::uint64_t random, std::chrono::nanoseconds bound) noexcept
{
    auto const values = static_cast<std::uint64_t>(bound.count()) + 1;
    return std::chrono::nanoseconds(static_cast<std::int64_t>(multiply_high(random, values)));
}

}  // namespace backbeat::detail

#endif
