//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_MANUAL_CONTEXT_HPP
#define BACKBEAT_DETAIL_MANUAL_CONTEXT_HPP

#include <backbeat/detail/duration_text.hpp>
#include <backbeat/detail/saturating.hpp>
#include <backbeat/detail/timer_probe.hpp>
#include <backbeat/manual_clock.hpp>

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace backbeat::detail {

// A context whose handlers are counted, and which can be asked when the next wait of `manual_clock` ends.
class manual_context {
public:
    static constexpr auto never = (manual_clock::time_point::max)();

    // In real time: how long a context may take to notice what has become due.
    static constexpr auto patience = std::chrono::seconds(10);

    manual_context(boost::asio::io_context& context, std::size_t maximum_handlers)
        : context_(context), maximum_handlers_(maximum_handlers), probe_(context)
    {}

    // To be called first. From then on handlers are counted anew.
    void restart()
    {
        context_.restart();
        ran_ = 0;
    }

    [[nodiscard]] boost::asio::io_context& context() const noexcept { return context_; }

    [[nodiscard]] bool stopped() const { return context_.stopped(); }

    [[nodiscard]] std::size_t ran() const noexcept { return ran_; }

    void run_ready()
    {
        do nearest_manual_expiry = not_seen;
        while (step([this] { return context_.poll_one(); }));
    }

    // Runs one handler, or waits a little in real time for one.
    void wait_for_one(std::chrono::microseconds time = std::chrono::milliseconds(1))
    {
        step([this, time] { return context_.run_one_for(time); });
    }

    // To be called after `run_ready`. Now, if something is due that the context has not noticed yet. May run handlers;
    // the answer is then void.
    [[nodiscard]] manual_clock::time_point next_expiry()
    {
        // What the context saw when it was polled last, and ran nothing, is true still.
        auto nearest = nearest_manual_expiry;
        if (nearest == not_seen) nearest = look();
        auto const now = manual_clock::now();
        if (nearest <= nearest.zero()) return now;
        return manual_clock::time_point(saturating_add(now.time_since_epoch(), nearest));
    }

    [[nodiscard]] static std::runtime_error does_not_look()
    {
        return std::runtime_error(
            "manual_clock_driver: the context does not look at its timers; something else may be running it, or its "
            "reactor is of a kind that cannot be driven in virtual time");
    }

private:
    static constexpr auto not_seen = (manual_clock::duration::max)();

    [[nodiscard]] manual_clock::duration look()
    {
        probe_.arm();
        auto const begin = std::chrono::steady_clock::now();
        while (!probe_.looked() && !stopped()) {
            if (std::chrono::steady_clock::now() - begin > patience) throw does_not_look();
            wait_for_one(std::chrono::microseconds(50));  // other reactors than epoll look before they sleep
        }
        auto const result = nearest_manual_expiry;
        probe_.disarm();
        run_ready();  // its completion
        return result;
    }

    template <class Run>
    bool step(Run run)
    {
        auto const probes = probe_.completed();
        if (run() == 0) return false;
        if (probe_.completed() == probes && ++ran_ > maximum_handlers_) throw goes_on_for_ever();
        return true;
    }

    [[nodiscard]] std::runtime_error goes_on_for_ever() const
    {
        return std::runtime_error(
            "manual_clock_driver: more than " + std::to_string(maximum_handlers_)
            + " handlers ran, and the clock is at " + duration_text(manual_clock::now().time_since_epoch())
            + "; an operation seems to go on for ever: limit it, or use run_for, or raise maximum_handlers");
    }

    boost::asio::io_context& context_;
    std::size_t maximum_handlers_;
    std::size_t ran_ = 0;
    timer_probe probe_;
};

}  // namespace backbeat::detail

#endif
