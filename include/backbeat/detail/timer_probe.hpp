//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_TIMER_PROBE_HPP
#define BACKBEAT_DETAIL_TIMER_PROBE_HPP

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/wait_traits.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstddef>

namespace backbeat::detail {

// The clock of the probe's timer, at which nothing ever expires. A type of its own gives the timer a queue of its own
// in the context.
struct timer_probe_clock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<timer_probe_clock>;
    static constexpr bool is_steady = true;

    [[nodiscard]] static time_point now() noexcept { return {}; }

    // Whether a context asked, in this thread, how far away the probe's expiry is.
    inline static constinit thread_local bool asked = false;

    // How many of the probe's waits have completed in this thread. Not in the probe: a wait may outlive it.
    inline static constinit thread_local std::size_t completed = 0;
};

}  // namespace backbeat::detail

template <>
struct boost::asio::wait_traits<backbeat::detail::timer_probe_clock> {
    using clock = backbeat::detail::timer_probe_clock;

    static clock::duration to_wait_duration(clock::duration const& until_expiry)
    {
        clock::asked = true;
        return until_expiry;
    }

    static clock::duration to_wait_duration(clock::time_point const&) { return (clock::duration::max)(); }
};

namespace backbeat::detail {

// Makes a context look at all its timers. A wait that is the first of its queue to expire makes the reactor compute
// anew how long it may sleep, for which it asks every queue that is not empty how far away its first expiry is, through
// `wait_traits`. epoll with timerfd does so inside `async_wait`, select and epoll without timerfd when about to sleep.
class timer_probe {
public:
    explicit timer_probe(boost::asio::io_context& context) : timer_(context, (timer_probe_clock::time_point::max)()) {}

    void arm()
    {
        timer_.cancel();  // of a wait that is pending already, another one is not the first
        timer_probe_clock::asked = false;
        timer_.async_wait([](boost::system::error_code) { ++timer_probe_clock::completed; });
    }

    // Its wait is then completed by the context.
    void disarm() { timer_.cancel(); }

    // Whether the context looked since `arm`.
    [[nodiscard]] static bool looked() noexcept { return timer_probe_clock::asked; }

    [[nodiscard]] static std::size_t completed() noexcept { return timer_probe_clock::completed; }

private:
    boost::asio::basic_waitable_timer<timer_probe_clock> timer_;
};

}  // namespace backbeat::detail

#endif
