//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_RETRY_SCENARIO_HPP
#define BACKBEAT_TEST_RETRY_SCENARIO_HPP

#include "recording_observer.hpp"
#include "scripted_operation.hpp"
#include "tested_timers.hpp"

#include <backbeat/attempt.hpp>
#include <backbeat/classify.hpp>
#include <backbeat/manual_clock.hpp>
#include <backbeat/retry_options.hpp>
#include <backbeat/retry_report.hpp>
#include <backbeat/verdict.hpp>

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>

namespace backbeat::test {

inline constexpr boost::asio::cancellation_type every_cancellation_type[] = {
    boost::asio::cancellation_type::terminal,
    boost::asio::cancellation_type::partial,
    boost::asio::cancellation_type::total};

// Runs what is ready, and what becomes ready by it. A context looks at its timers once a `poll`.
inline std::size_t poll_all(boost::asio::io_context& context)
{
    std::size_t result = 0;
    for (int idle = 0; idle != 2;) {
        context.restart();
        auto const ran = context.poll();
        result += ran;
        idle = ran == 0 ? idle + 1 : 0;
    }
    return result;
}

// One `async_retry` of one `scripted_operation` in virtual time. It has an observer, a report and a classifier.
class retry_scenario {
public:
    retry_scenario()
    {
        manual_clock::reset();
        context.emplace();
        operation.emplace(context->get_executor());
    }

    retry_scenario(retry_scenario const&) = delete;
    retry_scenario& operator=(retry_scenario const&) = delete;
    ~retry_scenario() { destroy_context(); }

    boost::asio::cancellation_signal signal;
    recording_observer observer;
    retry_report report;
    retry_options options{.jitter = jitter::none, .timers = tested_timers, .observer = &observer};
    std::function<verdict(attempt const&, boost::system::error_code, int)> classifier =
        [](attempt const&, boost::system::error_code ended_with, int value) {
            return default_classifier{}(ended_with, value);
        };
    std::optional<boost::asio::io_context> context;
    std::optional<scripted_operation> operation;

    int calls = 0;
    boost::system::error_code error;
    int result = 0;

    void start();

    // As above, but nobody watches, so that the operation takes its short ways.
    void start_unwatched();

    void poll() { poll_all(*context); }

    // Lets this much time pass, but runs nothing.
    static void pass(std::chrono::nanoseconds time) { manual_clock::advance(time); }

    void advance(std::chrono::nanoseconds time)
    {
        pass(time);
        poll();
    }

    void cancel(boost::asio::cancellation_type type = boost::asio::cancellation_type::terminal) { signal.emit(type); }

    void destroy_context()
    {
        if (operation) operation->abandon();
        context.reset();
    }

    [[nodiscard]] std::size_t attempts() const { return operation->attempts.size(); }
    [[nodiscard]] seen_attempt const& last_attempt() const { return operation->attempts.back(); }

    // What the report says; "running" while there is no end.
    [[nodiscard]] char const* reason() const { return report.reason() ? to_string(*report.reason()) : "running"; }

    [[nodiscard]] bool called_inside_the_initiation() const noexcept { return called_in_initiation_; }

private:
    struct handler;

    bool in_initiation_ = false;
    bool called_in_initiation_ = false;
};

}  // namespace backbeat::test

#endif
