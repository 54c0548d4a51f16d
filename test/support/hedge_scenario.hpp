//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_HEDGE_SCENARIO_HPP
#define BACKBEAT_TEST_HEDGE_SCENARIO_HPP

#include "overlapping_operation.hpp"
#include "recording_observer.hpp"
#include "retry_scenario.hpp"

#include <backbeat/async_hedge.hpp>
#include <backbeat/budget.hpp>
#include <backbeat/classify.hpp>
#include <backbeat/manual_clock.hpp>
#include <backbeat/random_source.hpp>
#include <backbeat/retry_report.hpp>
#include <backbeat/verdict.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace backbeat::test {

// Always the same number. Zero: hints are not spread.
class constant_source : public random_source {
public:
    explicit constant_source(std::uint64_t value = 0) noexcept : value_(value) {}
    std::uint64_t next() noexcept override { return value_; }

private:
    std::uint64_t value_;
};

// Notes what it is told as text, and grants as long as there is something left.
class recording_budget : public budget {
public:
    std::vector<std::string> events;
    int left = 1000;
    amount cost = 1;

    void operation_started(std::chrono::nanoseconds) noexcept override { events.emplace_back("started"); }

    void attempt_ended(attempt_outcome outcome, amount spent, std::chrono::nanoseconds) noexcept override
    {
        events.push_back(name(outcome) + " " + std::to_string(spent));
    }

    std::optional<amount> try_withdraw(attempt_outcome outcome, std::chrono::nanoseconds) noexcept override
    {
        if (left == 0) {
            events.push_back("refused after " + name(outcome));
            return std::nullopt;
        }
        --left;
        events.push_back("granted after " + name(outcome));
        return cost;
    }

    void give_back(amount taken, std::chrono::nanoseconds) noexcept override
    {
        events.push_back("given back " + std::to_string(taken));
    }

private:
    static std::string name(attempt_outcome outcome)
    {
        switch (outcome) {
        case attempt_outcome::success: return "success";
        case attempt_outcome::permanent: return "permanent";
        case attempt_outcome::transient: return "transient";
        case attempt_outcome::throttled: return "throttled";
        case attempt_outcome::timed_out: return "timed_out";
        }
        return "unknown";
    }
};

// One `async_hedge` of one `overlapping_operation` in virtual time. It has an observer, a report and a classifier. The
// delay is 1 s, there are three attempts, and hints are not spread.
class hedge_scenario {
public:
    hedge_scenario()
    {
        manual_clock::reset();
        context.emplace();
        operation.emplace(context->get_executor());
    }

    hedge_scenario(hedge_scenario const&) = delete;
    hedge_scenario& operator=(hedge_scenario const&) = delete;
    ~hedge_scenario() { destroy_context(); }

    boost::asio::cancellation_signal signal;
    recording_observer observer;
    recording_budget budget;
    constant_source random;
    retry_report report;
    bool has_report = true;
    hedge_options options{
        .delay = std::chrono::seconds(1), .maximum_attempts = 3, .observer = &observer, .random = &random};
    std::function<verdict(attempt const&, boost::system::error_code, int)> classifier =
        [](attempt const&, boost::system::error_code ended_with, int value) {
            return default_classifier{}(ended_with, value);
        };
    std::optional<boost::asio::io_context> context;
    std::optional<overlapping_operation> operation;

    int calls = 0;
    boost::system::error_code error;
    int result = 0;

    // Begins, and runs what is ready: the first attempt runs then.
    void start()
    {
        start_only();
        poll();
    }

    void start_only()
    {
        in_initiation_ = true;
        if (has_report)
            launch(report_to(report));
        else
            launch();
        in_initiation_ = false;
    }

    void poll() { poll_all(*context); }

    // Lets this much time pass, but runs nothing.
    static void pass(std::chrono::nanoseconds time) { manual_clock::advance(time); }

    void advance(std::chrono::nanoseconds time)
    {
        pass(time);
        poll();
    }

    void complete(std::uint32_t number, boost::system::error_code with, int value = 0)
    {
        operation->complete(number, with, value);
        poll();
    }

    void cancel(boost::asio::cancellation_type type = boost::asio::cancellation_type::terminal) { signal.emit(type); }

    void destroy_context()
    {
        if (operation) operation->abandon_all();
        context.reset();
    }

    [[nodiscard]] std::size_t attempts() const { return operation->attempts.size(); }

    // The types of cancellation that an attempt received.
    [[nodiscard]] std::vector<boost::asio::cancellation_type> const& told(std::uint32_t number) const
    {
        return operation->seen(number).cancelled;
    }

    // What the report says; "running" while there is no end.
    [[nodiscard]] char const* reason() const { return report.reason() ? to_string(*report.reason()) : "running"; }

    [[nodiscard]] bool called_inside_the_initiation() const noexcept { return called_in_initiation_; }

private:
    template <class... ToReport>
    void launch(ToReport... to_report)
    {
        async_hedge<manual_clock>(
            context->get_executor(),
            std::ref(*operation),
            options,
            backbeat::classify(std::ref(classifier)),
            to_report...,
            boost::asio::bind_cancellation_slot(signal.slot(), [this](boost::system::error_code ec, int value) {
                ++calls;
                error = ec;
                result = value;
                if (in_initiation_) called_in_initiation_ = true;
            }));
    }

    bool in_initiation_ = false;
    bool called_in_initiation_ = false;
};

}  // namespace backbeat::test

#endif
