//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_WHEEL_RESOLUTION_HPP
#define BACKBEAT_WHEEL_RESOLUTION_HPP

#include <backbeat/config.hpp>
#include <backbeat/detail/duration_text.hpp>
#include <backbeat/detail/wheel_settings.hpp>

#include <boost/asio/execution_context.hpp>

#include <chrono>
#include <stdexcept>

namespace backbeat {

/**
 * \brief Sets how finely the timing wheels of an execution context tell times apart; by default 1 ms.
 * \details
 * For operations with `timers::wheel`. Their waits and time limits end on the ticks of their context's wheel: never
 * early, and late by less than the resolution, apart from what the operating system adds. (Long waits are rounded up to
 * `retry_options::wait_resolution` before; for a finer resolution set that to zero.) All that falls on one tick ends in
 * one wake-up. A finer resolution means more wake-ups; it costs no memory.
 *
 * \code
 * boost::asio::io_context context;
 * backbeat::set_wheel_resolution(context, 100us);
 * backbeat::async_retry(context.get_executor(), operation, {.timers = backbeat::timers::wheel}, handler);
 * \endcode
 *
 * \param context What the operations run on, such as an `io_context` or a `thread_pool`.
 * \param resolution The time from one tick to the next.
 *
 * \par Exceptions
 * - `std::invalid_argument`, if the resolution is zero or negative.
 * - `std::logic_error`, if a wheel of the context was used already: what waits in it was sorted by the old resolution.
 * - `std::bad_alloc`.
 *
 * \par Thread safety
 * Safe, also while operations start; but then it may be too late.
 */
inline void set_wheel_resolution(boost::asio::execution_context& context, std::chrono::nanoseconds resolution)
{
    if (resolution.count() <= 0)
        throw std::invalid_argument(
            "set_wheel_resolution: the resolution is " + detail::duration_text(resolution)
            + "; it must be positive, 1ms is usual");
    if (!boost::asio::use_service<detail::wheel_settings>(context).set_resolution(resolution))
        throw std::logic_error(
            "set_wheel_resolution: the context's timing wheel was used already; set its resolution before the first "
            "operation starts");
}

}  // namespace backbeat

#endif
