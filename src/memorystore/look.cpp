//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "look.hpp"

#include "client_core.hpp"
#include "without_allocator.hpp"

#include <backbeat/memorystore/client.hpp>
#include <backbeat/memorystore/json.hpp>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/error.hpp>

#include <chrono>
#include <memory>
#include <utility>

namespace backbeat::memorystore::detail {

namespace {

// `projects/p/locations/l` of whatever is in there.
std::string location_of(std::string const& name)
{
    std::size_t end = 0;
    for (int part = 0; part != 4 && end != name.npos; ++part) end = name.find('/', end == 0 ? 0 : end + 1);
    return name.substr(0, end);
}

std::exception_ptr failed(boost::system::error_code code, std::string sentence)
{
    error_facts facts;
    facts.sentence = std::move(sentence);
    return std::make_exception_ptr(error(code, std::move(facts)));
}

bool is_not_found(std::exception_ptr const& failure)
{
    try {
        std::rethrow_exception(failure);
    } catch (error const& known) {
        return known.code() == rpc_code::not_found;
    } catch (...) {
        return false;
    }
}

// Asks for the resource, and then for one page of operations after the other. What it needs lies on the heap, because
// `self` is moved into every step.
class looking {
public:
    looking(core_pointer core, std::string name, look_at what, call_options const& options)
        : state_(std::make_unique<state>(std::move(core), std::move(name), what, options))
    {}

    template <class Self>
    void operator()(Self& self)
    {
        self.reset_cancellation_state(boost::asio::enable_total_cancellation());
        auto const core = state_->core;
        auto name = state_->name;
        auto const options = state_->options;
        // After the location: a project may be called "clusters".
        auto const begin = location_of(name).size();
        if (name.find("/backups/", begin) != name.npos)
            get_backup(core, std::move(name), options, result_handler<backup>(without_allocator(std::move(self))));
        else if (name.find("/clusters/", begin) != name.npos)
            get_cluster(core, std::move(name), options, result_handler<cluster>(without_allocator(std::move(self))));
        else
            get_instance(core, std::move(name), options, result_handler<instance>(without_allocator(std::move(self))));
    }

    template <class Self, class Resource>
    void operator()(Self& self, std::exception_ptr failure, Resource found)
    {
        if (failure && !is_not_found(failure)) return finish(self, std::move(failure));
        if (!failure) state_->seen.resource = to_json(found);
        if (state_->what == look_at::resource) return finish(self, {});
        list(self);
    }

    template <class Self>
    void operator()(Self& self, std::exception_ptr failure, list_operations_response page)
    {
        if (failure) return finish(self, std::move(failure));
        for (auto& each : page.operations) {
            seen_operation seen(std::move(each));
            if (seen.target.empty() || is_same_resource(seen.target, state_->name))
                state_->seen.operations.push_back(std::move(seen));
        }
        if (page.next_page_token.empty()) return finish(self, {});
        // Followed, it would be asked for without end.
        if (page.next_page_token == state_->page.page_token)
            return finish(
                self,
                failed(
                    errc::malformed_response,
                    "listing the operations on '" + state_->name + "' failed: a page names itself as the next one"));
        state_->page.page_token = std::move(page.next_page_token);
        list(self);
    }

private:
    class state {
    public:
        state(core_pointer from, std::string of, look_at that, call_options with)
            : core(std::move(from)), name(std::move(of)), what(that), options(std::move(with))
        {}

        core_pointer core;
        std::string name;
        look_at what;
        call_options options;
        std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
        page_request page;
        observation seen;
    };

    template <class Self>
    void list(Self& self)
    {
        if (self.cancelled() != boost::asio::cancellation_type::none)
            return finish(
                self, failed(boost::asio::error::operation_aborted, "looking at '" + state_->name + "' was cancelled"));
        auto const core = state_->core;
        auto parent = location_of(state_->name);
        auto page = state_->page;
        auto const options = core->with_time_left(state_->options, state_->begun);
        list_operations(
            core,
            std::move(parent),
            std::move(page),
            options,
            result_handler<list_operations_response>(without_allocator(std::move(self))));
    }

    template <class Self>
    void finish(Self& self, std::exception_ptr failure)
    {
        auto seen = failure ? observation() : std::move(state_->seen);
        state_.reset();
        self.complete(std::move(failure), std::move(seen));
    }

    std::unique_ptr<state> state_;
};

}  // namespace

void look(core_pointer const& core, std::string name, look_at what, call_options const& options, look_handler handler)
{
    boost::asio::async_compose<look_handler, void(std::exception_ptr, observation)>(
        looking(core, std::move(name), what, options), handler, executor_of(*core));
}

}  // namespace backbeat::memorystore::detail
