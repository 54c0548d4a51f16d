//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "without_allocator.hpp"

#include <backbeat/memorystore/error.hpp>
#include <backbeat/memorystore/instance_calls.hpp>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/error.hpp>

#include <algorithm>
#include <iterator>

namespace backbeat::memorystore::detail {

namespace {

// Asks for one page after the other until there is none.
class list_all {
public:
    list_all(core_pointer core, std::string parent, call_options options)
        : core_(std::move(core)), parent_(std::move(parent)), options_(options)
    {}

    template <class Self>
    void operator()(Self& self)
    {
        self.reset_cancellation_state(boost::asio::enable_total_cancellation());
        ask(self, {});
    }

    template <class Self>
    void operator()(Self& self, std::exception_ptr failure, list_instances_response page)
    {
        if (failure) return self.complete(std::move(failure), {});
        std::move(page.instances.begin(), page.instances.end(), std::back_inserter(all_.instances));
        for (auto& each : page.unreachable)
            if (std::find(all_.unreachable.begin(), all_.unreachable.end(), each) == all_.unreachable.end())
                all_.unreachable.push_back(std::move(each));
        if (page.next_page_token.empty()) return self.complete({}, std::move(all_));

        error_facts facts;
        if (page.next_page_token == token_) {
            // Followed, it would be asked for without end.
            facts.sentence = "listing the instances of '" + parent_ + "' failed: a page names itself as the next one";
            return self.complete(std::make_exception_ptr(error(errc::malformed_response, std::move(facts))), {});
        }
        if (self.cancelled() != boost::asio::cancellation_type::none) {
            facts.sentence = "listing the instances of '" + parent_ + "' was cancelled";
            return self.complete(
                std::make_exception_ptr(error(boost::asio::error::operation_aborted, std::move(facts))), {});
        }
        ask(self, std::move(page.next_page_token));
    }

private:
    template <class Self>
    void ask(Self& self, std::string token)
    {
        token_ = token;
        page_request page;
        page.page_token = std::move(token);
        // Copied, because `self` takes this object with it.
        auto const core = core_;
        auto parent = parent_;
        auto const options = options_;
        list_instances(
            core, std::move(parent), std::move(page), options, instances_handler(without_allocator(std::move(self))));
    }

    core_pointer core_;
    std::string parent_;
    call_options options_;
    std::string token_;
    list_instances_response all_;
};

}  // namespace

void list_all_instances(core_pointer const& core, std::string parent, call_options options, instances_handler handler)
{
    boost::asio::async_compose<instances_handler, void(std::exception_ptr, list_instances_response)>(
        list_all(core, std::move(parent), options), handler, executor_of(*core));
}

}  // namespace backbeat::memorystore::detail
