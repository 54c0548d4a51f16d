//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "complete_with.hpp"
#include "without_allocator.hpp"

#include <backbeat/detail/duration_text.hpp>
#include <backbeat/memorystore/error.hpp>
#include <backbeat/memorystore/operation_calls.hpp>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

namespace backbeat::memorystore::detail {

namespace {

using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// How long the API says that an operation may be waited for.
std::chrono::nanoseconds published_limit(operation const& running)
{
    auto const verb = running.verb();
    if (verb == "import" || verb == "export") return 18000s;
    if (verb == "failover" || verb == "delete") return 1200s;
    return 7200s;
}

std::string problem_with(wait_options const& pace)
{
    if (pace.initial_poll_interval <= 0ns) return "initial_poll_interval must be more than zero";
    if (!std::isfinite(pace.poll_interval_multiplier) || pace.poll_interval_multiplier < 1)
        return "poll_interval_multiplier must be 1 or more";
    if (pace.maximum_poll_interval < pace.initial_poll_interval)
        return "maximum_poll_interval is less than initial_poll_interval; raise the one or lower the other";
    if (pace.total_poll_timeout.value_or(0ns) < 0ns)
        return "total_poll_timeout is negative; it must be zero (one poll) or more";
    return {};
}

std::chrono::nanoseconds grown(std::chrono::nanoseconds interval, wait_options const& pace)
{
    auto const next = static_cast<double>(interval.count()) * pace.poll_interval_multiplier;
    if (next >= static_cast<double>(pace.maximum_poll_interval.count())) return pace.maximum_poll_interval;
    return std::chrono::nanoseconds(static_cast<std::int64_t>(next));
}

std::exception_ptr failed(boost::system::error_code code, std::string const& name, std::string sentence)
{
    error_facts facts;
    facts.operation_name = name;
    facts.sentence = std::move(sentence);
    return std::make_exception_ptr(error(code, std::move(facts)));
}

// The same failure, and which operation it leaves open.
std::exception_ptr poll_failed(std::exception_ptr failure, std::string const& name)
{
    try {
        std::rethrow_exception(std::move(failure));
    } catch (error const& of_poll) {
        auto facts = of_poll.facts();
        facts.operation_name = name;
        return std::make_exception_ptr(error(of_poll.code(), std::move(facts)));
    } catch (...) {
        return std::current_exception();
    }
}

// Polls, waits, polls. What it needs lies on the heap, because `self` is moved into every step.
class wait {
public:
    wait(core_pointer const& core, std::string name, wait_options const& pace, call_options const& options)
        : state_(std::make_unique<state>(core, std::move(name), pace, options))
    {}

    template <class Self>
    void operator()(Self& self)
    {
        self.reset_cancellation_state(boost::asio::enable_total_cancellation());
        poll(self);
    }

    template <class Self>
    void operator()(Self& self, std::exception_ptr failure, operation polled)
    {
        if (failure) return finish(self, poll_failed(std::move(failure), state_->name));
        if (polled.done) {
            if (polled.error) return finish(self, std::make_exception_ptr(error::from_operation(polled)));
            return finish(self, {}, std::move(polled));
        }
        if (self.cancelled() != boost::asio::cancellation_type::none) return cancelled(self);

        auto& s = *state_;
        if (!s.limit) s.limit = s.pace.total_poll_timeout.value_or(published_limit(polled));
        auto const elapsed = std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - s.started);
        if (elapsed >= *s.limit)
            return finish(
                self,
                failed(
                    errc::still_running,
                    s.name,
                    "operation '" + s.name + "' is still running after " + backbeat::detail::duration_text(*s.limit)
                        + ", the time to wait for it; it goes on, and can be waited for again by its name"));
        // The last poll comes when the time is over, not an interval before.
        auto const interval = (std::min)(s.interval, *s.limit - elapsed);
        s.interval = grown(s.interval, s.pace);
        if (s.pace.observer != nullptr) {
            try {
                s.pace.observer->at_poll(polled, interval);
            } catch (...) {
                return finish(self, std::current_exception());
            }
        }
        s.timer.expires_after(std::chrono::ceil<clock::duration>(interval));
        s.timer.async_wait(std::move(self));
    }

    template <class Self>
    void operator()(Self& self, boost::system::error_code interrupted)
    {
        if (interrupted || self.cancelled() != boost::asio::cancellation_type::none) return cancelled(self);
        poll(self);
    }

private:
    class state {
    public:
        state(core_pointer from, std::string of, wait_options const& how, call_options with)
            : core(std::move(from)),
              name(std::move(of)),
              pace(how),
              options(std::move(with)),
              timer(executor_of(*core)),
              interval(how.initial_poll_interval)
        {}

        core_pointer core;
        std::string name;
        wait_options pace;
        call_options options;
        boost::asio::steady_timer timer;
        clock::time_point started = clock::now();
        std::chrono::nanoseconds interval;
        std::optional<std::chrono::nanoseconds> limit;
    };

    template <class Self>
    void poll(Self& self)
    {
        auto const& s = *state_;
        auto const core = s.core;
        auto name = s.name;
        auto const options = s.options;
        get_operation(core, std::move(name), options, result_handler<operation>(without_allocator(std::move(self))));
    }

    template <class Self>
    void cancelled(Self& self)
    {
        auto const& name = state_->name;
        finish(
            self,
            failed(
                boost::asio::error::operation_aborted,
                name,
                "waiting for operation '" + name + "' was cancelled; the operation goes on"));
    }

    template <class Self>
    void finish(Self& self, std::exception_ptr failure, operation result = {})
    {
        state_.reset();
        self.complete(std::move(failure), std::move(result));
    }

    std::unique_ptr<state> state_;
};

}  // namespace

void wait_operation(
    core_pointer const& core,
    operation started,
    wait_options pace,
    call_options const& options,
    result_handler<operation> handler)
{
    auto const executor = executor_of(*core);
    if (auto problem = problem_with(pace); !problem.empty())
        return complete_with(executor, std::move(handler), invalid_argument(std::move(problem)), operation());
    if (started.done) {
        std::exception_ptr failure;
        if (started.error) {
            failure = std::make_exception_ptr(error::from_operation(started));
            started = operation();
        }
        return complete_with(executor, std::move(handler), std::move(failure), std::move(started));
    }
    boost::asio::async_compose<result_handler<operation>, void(std::exception_ptr, operation)>(
        wait(core, std::move(started.name), pace, options), handler, executor);
}

}  // namespace backbeat::memorystore::detail
