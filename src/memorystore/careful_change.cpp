//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "careful_change.hpp"

#include "change_watch.hpp"
#include "client_core.hpp"
#include "look.hpp"
#include "running_call.hpp"
#include "without_allocator.hpp"

#include <backbeat/retry_errc.hpp>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/error.hpp>

#include <chrono>
#include <memory>
#include <utility>

namespace backbeat::memorystore::detail {

namespace {

using clock = std::chrono::steady_clock;
using operation_handler = result_handler<operation>;

// Nothing was sent.
std::exception_ptr not_begun(std::exception_ptr failure, std::string const& action)
{
    try {
        std::rethrow_exception(std::move(failure));
    } catch (error const& of_look) {
        auto facts = of_look.facts();
        facts.sentence = action + " was not begun: " + facts.sentence;
        return std::make_exception_ptr(error(of_look.code(), std::move(facts)));
    } catch (...) {
        return std::current_exception();
    }
}

class careful {
public:
    careful(core_pointer core, change what, mutation_options const& how, call_options const& options)
        : state_(std::make_unique<state>(std::move(core), std::move(what), how, options))
    {}

    template <class Self>
    void operator()(Self& self)
    {
        self.reset_cancellation_state(boost::asio::enable_total_cancellation());
        auto const core = state_->core;
        auto name = state_->what.target;
        auto options = state_->options;
        // It is about the change.
        if (options.report != nullptr) options.report->clear();
        options.report = nullptr;
        look(
            core,
            std::move(name),
            look_at::resource_and_operations,
            options,
            look_handler(without_allocator(std::move(self))));
    }

    template <class Self>
    void operator()(Self& self, std::exception_ptr failure, observation before)
    {
        auto& s = *state_;
        if (failure) return finish(self, not_begun(std::move(failure), s.what.request.action));
        if (self.cancelled() != boost::asio::cancellation_type::none) {
            error_facts facts;
            facts.sentence = s.what.request.action + " was cancelled before it was begun";
            return finish(
                self, std::make_exception_ptr(error(boost::asio::error::operation_aborted, std::move(facts))));
        }
        auto const spent = std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - s.begun);
        if (auto const total = s.core->total_timeout(s.options); total != total.zero() && spent >= total) {
            error_facts facts;
            facts.sentence =
                s.what.request.action + " was not begun: total_timeout was over when it had been looked at";
            return finish(self, std::make_exception_ptr(error(retry_errc::deadline, std::move(facts))));
        }
        s.running = std::make_unique<running_call>(s.what.request.action, true, s.options.report);
        s.running->watch =
            std::make_shared<change_watch>(s.core, std::move(s.what), s.how, std::move(before), s.options);
        auto const core = s.core;
        auto const watch = s.running->watch;
        auto const options = s.options;
        auto& running = *s.running;
        core->send(watch, options, spent, running, response_handler(without_allocator(std::move(self))));
    }

    template <class Self>
    void operator()(Self& self, boost::system::error_code problem, http::response const& response)
    {
        std::exception_ptr failure;
        operation result;
        try {
            if (auto const failed = failure_of(*state_->running, problem, response))
                failure = std::make_exception_ptr(*failed);
            else
                result = result_of<operation>(*state_->running, response);
        } catch (...) {
            failure = std::current_exception();
        }
        finish(self, std::move(failure), std::move(result));
    }

private:
    class state {
    public:
        state(core_pointer with, change that, mutation_options const& in_which_way, call_options by)
            : core(std::move(with)), what(std::move(that)), how(in_which_way), options(std::move(by))
        {}

        core_pointer core;
        change what;
        mutation_options how;
        call_options options;
        clock::time_point begun = clock::now();
        std::unique_ptr<running_call> running;
    };

    template <class Self>
    void finish(Self& self, std::exception_ptr failure, operation result = {})
    {
        state_.reset();
        self.complete(std::move(failure), std::move(result));
    }

    std::unique_ptr<state> state_;
};

}  // namespace

void start_careful_change(
    core_pointer const& core,
    change what,
    mutation_options const& how,
    call_options const& options,
    operation_handler handler)
{
    boost::asio::async_compose<operation_handler, void(std::exception_ptr, operation)>(
        careful(core, std::move(what), how, options), handler, core->executor());
}

}  // namespace backbeat::memorystore::detail
