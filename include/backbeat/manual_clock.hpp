//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MANUAL_CLOCK_HPP
#define BACKBEAT_MANUAL_CLOCK_HPP

#include <backbeat/config.hpp>

#include <boost/asio/wait_traits.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>

namespace backbeat {

/**
 * \brief A clock that moves only when told to, so that hours of retrying are tested in microseconds.
 * \details
 * Pass it as the first template argument of `async_retry`; then its waits and time-outs follow this clock. Nothing
 * else has to change in the code under test.
 *
 * \code
 * boost::asio::io_context context;
 * backbeat::async_retry<backbeat::manual_clock>(context.get_executor(), operation, {}, handler);
 * context.poll();                              // the first attempt fails
 * backbeat::manual_clock::advance(2s);         // the longest first wait of the defaults
 * context.poll();                              // the second attempt
 * \endcode
 *
 * Drive the context with `poll()`: `run()` would not return while a wait of this clock is pending, and would spin.
 *
 * \par Thread safety
 * Safe. There is one time for the whole process, which starts at zero.
 */
class manual_clock {
public:
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<manual_clock>;

    static constexpr bool is_steady = true;

    /// The time.
    [[nodiscard]] static time_point now() noexcept { return time_point(duration(now_.load())); }

    /// Moves the time forward. `by` must not be negative.
    static void advance(duration by) noexcept { now_.fetch_add(by.count()); }

    /// Sets the time back to zero. No wait may be pending.
    static void reset() noexcept { now_.store(0); }

private:
    inline static std::atomic<std::int64_t> now_{0};
};

}  // namespace backbeat

template <>
struct boost::asio::wait_traits<backbeat::manual_clock> {
    // Zero, because the context must look at the clock each time that it is polled: it cannot know how long, in real
    // time, the next expiry is away. A large value would never be looked at again.
    static backbeat::manual_clock::duration to_wait_duration(backbeat::manual_clock::duration const&)
    {
        return backbeat::manual_clock::duration::zero();
    }

    static backbeat::manual_clock::duration to_wait_duration(backbeat::manual_clock::time_point const&)
    {
        return backbeat::manual_clock::duration::zero();
    }
};

#endif
