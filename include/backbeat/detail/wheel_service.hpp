//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_WHEEL_SERVICE_HPP
#define BACKBEAT_DETAIL_WHEEL_SERVICE_HPP

#include <backbeat/detail/context_executor.hpp>
#include <backbeat/detail/timing_wheel.hpp>
#include <backbeat/detail/wheel_settings.hpp>

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/wait_traits.hpp>
#include <boost/system/error_code.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>

namespace backbeat::detail {

// The timing wheel of an execution context, for one clock and one type of executor, and the timer that turns it.
//
// The callbacks of nodes are called by handlers on the context's executor, in order of their ticks. No lock is held, and
// the node is out of the wheel: it may be inserted again, or be gone afterwards. Before a callback is called, whatever
// else waits has been seen to, by another handler that is posted or by the timer: so a callback may block, or throw to
// `run()`, and on several threads the others are called meanwhile.
//
// Times end on a grid of ticks: never early, late by less than one tick. The clock does not go back while a node waits.
//
// While a node waits the context has work. When none does no timer runs.
//
// After a fork the nodes wait in the parent and in the child. Nothing is to be done for that: `notify_fork` of a context
// may only be called while no other thread uses it, so the mutex is free.
template <class Clock, class Executor>
class wheel_service : public boost::asio::execution_context::service {
    using timer_type = boost::asio::basic_waitable_timer<Clock, boost::asio::wait_traits<Clock>, Executor>;
    using timer_pair = std::array<timer_type, 2>;
    using tick = std::uint64_t;

public:
    using key_type = wheel_service;

    // So many nodes are called in one handler: then the context's other handlers and threads have their turn, and a
    // `stop()` its effect.
    static constexpr int batch_size = 64;

    explicit wheel_service(boost::asio::execution_context& context)
        : service(context), resolution_(boost::asio::use_service<wheel_settings>(context).use_resolution().count())
    {}

    // To be called first; `wheel_of` does. The first executor stays, for they are all of this context.
    template <class IoExecutor>
    void attach(IoExecutor const& executor)
    {
        if (attached_.load(std::memory_order_acquire)) return;
        std::lock_guard const lock(mutex_);
        if (attached_.load(std::memory_order_relaxed)) return;
        auto const own = to_context_executor(executor);
        timers_.emplace(timer_pair{timer_type(own), timer_type(own)});
        attached_.store(true, std::memory_order_release);
    }

    [[nodiscard]] std::chrono::nanoseconds resolution() const noexcept { return std::chrono::nanoseconds(resolution_); }

    // `until`: since the clock's epoch. It may have passed. The callback may be running, or have run, before this
    // returns. If this throws the node was not inserted. A context that was shut down abandons the node at once.
    void insert(wheel_node& node, std::chrono::nanoseconds until)
    {
        {
            std::lock_guard const lock(mutex_);
            if (!shut_down_) {
                if (wheel_.empty()) wheel_.restart(now());
                auto const due = tick_not_before(until);
                wheel_.insert(node, due);
                if (posted_ || (armed_ && *armed_ <= due)) return;
                try {
                    // If nothing is armed though nodes wait, that failed, and is made up for.
                    arm(armed_ ? due : *wheel_.next_tick());
                } catch (...) {
                    wheel_.remove(node);
                    throw;
                }
                return;
            }
        }
        node.on_due(&node, true);
    }

    // True: the callback will not be called. False: it was or is being called, or the node was never inserted.
    [[nodiscard]] bool remove(wheel_node& node) noexcept
    {
        std::lock_guard const lock(mutex_);
        if (!node.in_wheel()) return false;
        wheel_.remove(node);
        if (wheel_.empty() && armed_) disarm();
        return true;
    }

private:
    struct timer_handler {
        wheel_service* self;
        std::uint64_t wait;

        void operator()(boost::system::error_code) const { self->at_tick(wait); }
    };

    struct batch_handler {
        wheel_service* self;

        void operator()() const { self->at_next_batch(); }
    };

    // The callbacks may destroy what other handlers own, and insert nodes.
    void shutdown() override
    {
        std::unique_lock lock(mutex_);
        shut_down_ = true;
        armed_.reset();
        // The timers' service may be younger than this one, and is then destroyed before.
        timers_.reset();
        wheel_.advance((std::numeric_limits<tick>::max)());
        while (auto* const node = wheel_.pop_ready()) {
            lock.unlock();
            node->on_due(node, true);
            lock.lock();
        }
    }

    void at_tick(std::uint64_t wait)
    {
        std::unique_lock lock(mutex_);
        // Ended because another one took its place; maybe by itself, when it was too late to cancel it.
        if (wait != waits_) return;
        armed_.reset();
        run_batch(lock);
    }

    void at_next_batch()
    {
        std::unique_lock lock(mutex_);
        posted_ = false;
        run_batch(lock);
    }

    void run_batch(std::unique_lock<std::mutex>& lock)
    {
        for (int left = batch_size; left != 0; --left) {
            if (!wheel_.has_ready()) wheel_.advance(now());
            if (!wheel_.has_ready()) break;
            auto* const node = wheel_.pop_ready();
            try {
                see_to_the_rest(lock);
            } catch (...) {
                if (!lock.owns_lock()) lock.lock();
                wheel_.insert(*node, node->due);
                throw;
            }
            lock.unlock();
            node->on_due(node, false);
            lock.lock();
        }
        see_to_the_rest(lock);
    }

    // What is ready is called by a handler that is posted, and for what is not the timer waits. If this throws the next
    // insertion starts the wheel again.
    void see_to_the_rest(std::unique_lock<std::mutex>& lock)
    {
        if (posted_) return;
        if (wheel_.has_ready()) {
            posted_ = true;
            // Copied, and used without the lock: it may be a user's executor.
            auto const executor = timers_->front().get_executor();
            lock.unlock();
            try {
                boost::asio::post(executor, batch_handler{this});
            } catch (...) {
                lock.lock();
                posted_ = false;
                throw;
            }
            lock.lock();
            return;
        }
        auto const next = wheel_.next_tick();
        if (!next) {
            if (armed_) disarm();
        } else if (!armed_ || *next < *armed_) {
            arm(*next);
        }
    }

    // If this throws nothing has changed.
    void arm(tick when)
    {
        auto& idle = timer_of(waits_ + 1);
        idle.expires_at(time_of(when));
        idle.async_wait(timer_handler{this, waits_ + 1});
        if (armed_) timer_of(waits_).cancel();
        ++waits_;
        armed_ = when;
    }

    void disarm()
    {
        timer_of(waits_).cancel();
        ++waits_;
        armed_.reset();
    }

    [[nodiscard]] timer_type& timer_of(std::uint64_t wait) noexcept { return (*timers_)[wait % 2]; }

    // Ticks are counted from the earliest time that there is, as times may lie before the clock's epoch.
    static constexpr tick tick_of_epoch = tick(1) << 63;

    [[nodiscard]] tick now() const
    {
        auto const time = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
        return to_tick(time / resolution_ - (time % resolution_ < 0 ? 1 : 0));
    }

    [[nodiscard]] tick tick_not_before(std::chrono::nanoseconds until) const noexcept
    {
        auto const time = until.count();
        return to_tick(time / resolution_ + (time % resolution_ > 0 ? 1 : 0));
    }

    [[nodiscard]] static tick to_tick(std::int64_t number) noexcept
    {
        return static_cast<tick>(number) ^ tick_of_epoch;
    }

    [[nodiscard]] typename Clock::time_point time_of(tick when) const noexcept
    {
        using limits = std::numeric_limits<std::int64_t>;
        auto const number = static_cast<std::int64_t>(when ^ tick_of_epoch);
        auto const time = number > (limits::max)() / resolution_ ? (limits::max)()
            : number < (limits::min)() / resolution_             ? (limits::min)()
                                                                 : number * resolution_;
        return typename Clock::time_point(std::chrono::ceil<typename Clock::duration>(std::chrono::nanoseconds(time)));
    }

    std::mutex mutex_;
    std::int64_t const resolution_;  // in nanoseconds, for the divisions
    timing_wheel wheel_;

    // Two, which take turns. When another tick is to be waited for, its wait begins before the other one ends, so that
    // none is lost if the memory for it is short.
    std::optional<timer_pair> timers_;

    // The tick that the timer waits for.
    std::optional<tick> armed_;

    // The number of the latest wait. What others do when they end does not count.
    std::uint64_t waits_ = 0;

    // A handler will come to call what is ready, and see to the rest.
    bool posted_ = false;
    bool shut_down_ = false;
    std::atomic<bool> attached_ = false;
};

// The wheel for timers of this executor. It belongs to the executor's context.
template <class Clock, class IoExecutor>
[[nodiscard]] auto& wheel_of(IoExecutor const& executor)
{
    boost::asio::execution_context& context = context_of(executor);
    auto& result = boost::asio::use_service<wheel_service<Clock, context_executor<IoExecutor>>>(context);
    result.attach(executor);
    return result;
}

}  // namespace backbeat::detail

#endif
