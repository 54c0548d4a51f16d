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
 * backbeat::manual_clock_driver driver(context);
 * backbeat::async_retry<backbeat::manual_clock>(context.get_executor(), operation, {}, handler);
 * driver.run();                                // all attempts, and all waits between them
 * \endcode
 *
 * `manual_clock_driver` moves the clock from one expiry to the next. Where a test wants to do that itself, it polls:
 *
 * \code
 * context.poll();                              // the first attempt fails
 * backbeat::manual_clock::advance(2s);         // the longest first wait of the defaults
 * context.poll();                              // the second attempt
 * \endcode
 *
 * Do not call the context's `run()`: it would not return while a wait of this clock is pending, and would spin. And a
 * context that was polled once may not have noticed yet that the time moved on; the driver takes care of that.
 *
 * Any timer follows this clock that is a `boost::asio::basic_waitable_timer<backbeat::manual_clock>`.
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

namespace detail {

// How far away the nearest expiry was when a context last looked at its timers of this clock, in this thread.
inline constinit thread_local manual_clock::duration nearest_manual_expiry = (manual_clock::duration::max)();

}  // namespace detail

}  // namespace backbeat

template <>
struct boost::asio::wait_traits<backbeat::manual_clock> {
    // Zero, because the context must look at the clock each time that it is polled: it cannot know how long, in real
    // time, the next expiry is away. A large value would never be looked at again.
    static backbeat::manual_clock::duration to_wait_duration(backbeat::manual_clock::duration const& until_expiry)
    {
        backbeat::detail::nearest_manual_expiry = until_expiry;
        return backbeat::manual_clock::duration::zero();
    }

    static backbeat::manual_clock::duration to_wait_duration(backbeat::manual_clock::time_point const&)
    {
        return backbeat::manual_clock::duration::zero();
    }
};

#endif
