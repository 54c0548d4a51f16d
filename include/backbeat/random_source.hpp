//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_RANDOM_SOURCE_HPP
#define BACKBEAT_RANDOM_SOURCE_HPP

#include <backbeat/config.hpp>

#include <cstdint>

namespace backbeat {

/**
 * \brief Where the random numbers of the jitter come from, when the library's generator will not do.
 * \details
 * For tests, and for programs that must be repeatable. Pass a pointer in `retry_options::random`. Without one, the
 * operations of a thread draw from one generator in turn, seeded from the system's entropy: no two threads have the same
 * stream, nor do a process and those that were forked from it.
 *
 * \par Thread safety
 * If operations that share it run on several threads, it must be safe to call from them.
 */
class random_source {
public:
    random_source() = default;
    random_source(random_source const&) = default;
    random_source& operator=(random_source const&) = default;
    virtual ~random_source() = default;

    /// Returns the next number, uniform in all 64 bits. The smallest asks for no jitter, the largest for all of it.
    virtual std::uint64_t next() noexcept = 0;
};

}  // namespace backbeat

#endif
