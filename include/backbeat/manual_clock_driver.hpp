//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MANUAL_CLOCK_DRIVER_HPP
#define BACKBEAT_MANUAL_CLOCK_DRIVER_HPP

#include <backbeat/config.hpp>
#include <backbeat/detail/manual_context.hpp>
#include <backbeat/detail/saturating.hpp>
#include <backbeat/manual_clock.hpp>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>

namespace backbeat {

/**
 * \brief Runs a context in virtual time: it runs what is ready, and when nothing is, `manual_clock` jumps to the next
 *     expiry.
 * \details
 * For tests of retry settings, which then take microseconds and are exact:
 *
 * \code
 * boost::asio::io_context context;
 * backbeat::manual_clock_driver driver(context);
 * backbeat::async_retry<backbeat::manual_clock>(context.get_executor(), operation, settings, handler);
 * driver.run_for(1min);
 * \endcode
 *
 * Each function restarts the context first, and returns the number of handlers run, as those of the context do. If a
 * handler stops the context, it returns at once, and the clock stays where it is. `manual_clock::now()` says how much
 * virtual time passed. If the context is stopped afterwards, and no handler did that, nothing is left to be done.
 *
 * \par What ends a run
 * Nothing is ready, and no wait of `manual_clock` is pending that could end: one until `time_point::max()` never ends.
 * Whatever else is pending (sockets, other clocks, other threads) is not waited for.
 *
 * \par Real operations
 * A socket, a resolver or a thread takes real time, in which nothing is ready, so that the clock would jump. Have
 * such an operation hold the time. Then the driver waits for it, as long as it takes, and no virtual time passes.
 *
 * \code
 * auto operation = [&]() -> boost::asio::awaitable<void> {
 *     auto const held = driver.hold_time();
 *     co_await real_operation();
 * };
 * \endcode
 *
 * \par Preconditions
 * Nothing else runs the context, nor moves the clock back, meanwhile. Not called by a handler of the context.
 *
 * \par Object lifetimes
 * The context must outlive the driver. A `hold` may outlive both, as in a coroutine that the context destroys.
 *
 * \par Exceptions
 * - What a handler throws. The driver can be used again.
 * - `std::runtime_error`, if one call ran more than the maximum number of handlers: the operations under test seem to
 *   go on for ever. Also if the context has not looked at its timers within ten seconds of real time, which does not
 *   happen with the reactors tested: epoll, with and without timerfd, and select.
 *
 * \par Thread safety
 * Distinct drivers: unsafe, for there is one clock for the whole process. One thread may drive several contexts in
 * turn, but the time of one passes for all. Shared: unsafe, but `hold` may be released in any thread.
 */
class manual_clock_driver {
public:
    /// While it lives, the clock stands still, unless it was released or moved from. Made by `hold_time`.
    class hold {
    public:
        /// Holds nothing.
        hold() noexcept = default;

        hold(hold&&) noexcept = default;
        ~hold() { reset(); }

        /// Releases what it held, and takes over what the other one holds.
        hold& operator=(hold&& other) noexcept
        {
            hold taken(std::move(other));
            holds_.swap(taken.holds_);
            return *this;
        }

        /// Lets the clock move again, as far as this hold is concerned. A second time: nothing.
        void reset() noexcept
        {
            if (auto const released = std::exchange(holds_, nullptr)) released->fetch_sub(1);
        }

    private:
        friend manual_clock_driver;
        explicit hold(std::shared_ptr<std::atomic<std::size_t>> holds) noexcept : holds_(std::move(holds)) {}

        // Shared with the driver, which may be gone before.
        std::shared_ptr<std::atomic<std::size_t>> holds_;
    };

    /**
     * \brief Makes a driver.
     * \param context What is to be run.
     * \param maximum_handlers The number of handlers that one call may run. The default takes some real seconds.
     */
    explicit manual_clock_driver(boost::asio::io_context& context, std::size_t maximum_handlers = 1'000'000)
        : context_(context, maximum_handlers)
    {}

    manual_clock_driver(manual_clock_driver const&) = delete;
    manual_clock_driver& operator=(manual_clock_driver const&) = delete;
    ~manual_clock_driver() = default;

    /// Runs what is ready at this time. The clock does not move.
    std::size_t poll() { return drive(manual_clock::now()); }

    /// Runs until nothing can happen any more.
    std::size_t run() { return drive(context_.never); }

    /// Runs what happens within this time, its end included. Afterwards all of it has passed. Negative: as `poll`.
    std::size_t run_for(manual_clock::duration time)
    {
        auto const now = manual_clock::now().time_since_epoch();
        return run_until(manual_clock::time_point(detail::saturating_add(now, (std::max)(time, time.zero()))));
    }

    /// Runs what happens until then, inclusive. Afterwards it is then. In the past: as `poll`. The maximum: as `run`.
    std::size_t run_until(manual_clock::time_point end)
    {
        auto const result = drive(end);
        auto const now = manual_clock::now();
        if (!stopped_by_handler_ && now < end && end != context_.never) manual_clock::advance(end - now);
        return result;
    }

    /// Keeps the clock from moving, and the functions that move it from returning, until the result is released.
    [[nodiscard]] hold hold_time() noexcept
    {
        holds_->fetch_add(1);
        holds_taken_.fetch_add(1);
        return hold(holds_);
    }

private:
    std::size_t drive(manual_clock::time_point end)
    {
        context_.restart();
        // With it the context does not stop when it runs out of work, only when a handler stops it.
        auto const work = boost::asio::make_work_guard(context_.context());
        std::size_t ran = 0;
        for (auto progress = std::chrono::steady_clock::now();;) {
            // Asked before what is ready is run: what is posted before the last release must be run before the jump.
            auto const holds_before = holds_->load();
            auto const taken_before = holds_taken_.load();
            context_.run_ready();
            auto const ready = context_.ran();
            auto const next = context_.next_expiry();
            stopped_by_handler_ = context_.stopped();
            if (stopped_by_handler_) return context_.ran();

            if (context_.ran() != ran) progress = std::chrono::steady_clock::now();
            ran = context_.ran();
            if (ran != ready) continue;
            bool const held = holds_before != 0 || holds_taken_.load() != taken_before;
            auto const now = manual_clock::now();
            if (next <= now) {
                // The operating system has yet to wake the context for what is due.
                if (std::chrono::steady_clock::now() - progress > context_.patience) throw context_.does_not_look();
                context_.wait_for_one();
            } else if (held && now < end) {
                context_.wait_for_one();
            } else if (next > end || next == context_.never) {
                return ran;
            } else {
                manual_clock::advance(next - now);
                progress = std::chrono::steady_clock::now();
            }
        }
    }

    detail::manual_context context_;
    std::shared_ptr<std::atomic<std::size_t>> holds_ = std::make_shared<std::atomic<std::size_t>>(std::size_t{0});
    std::atomic<std::size_t> holds_taken_{0};
    bool stopped_by_handler_ = false;
};

}  // namespace backbeat

#endif
