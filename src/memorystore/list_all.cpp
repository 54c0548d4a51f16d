//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "list_errors.hpp"
#include "without_allocator.hpp"

#include <backbeat/memorystore/backup_calls.hpp>
#include <backbeat/memorystore/cluster_calls.hpp>
#include <backbeat/memorystore/instance_calls.hpp>
#include <backbeat/memorystore/location_calls.hpp>
#include <backbeat/memorystore/operation_calls.hpp>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/compose.hpp>

#include <algorithm>
#include <iterator>

namespace backbeat::memorystore::detail {

namespace {

auto& items_of(list_backup_collections_response& page)
{
    return page.backup_collections;
}

auto& items_of(list_backups_response& page)
{
    return page.backups;
}

auto& items_of(list_clusters_response& page)
{
    return page.clusters;
}

auto& items_of(list_instances_response& page)
{
    return page.instances;
}

auto& items_of(list_locations_response& page)
{
    return page.locations;
}

auto& items_of(list_operations_response& page)
{
    return page.operations;
}

// Asks for one page after the other until there is none.
template <class Response>
class list_all {
public:
    list_all(core_pointer core, page_call<Response> by, std::string parent, call_options options)
        : core_(std::move(core)), ask_(by), parent_(std::move(parent)), options_(std::move(options))
    {}

    template <class Self>
    void operator()(Self& self)
    {
        self.reset_cancellation_state(boost::asio::enable_total_cancellation());
        ask_for(self, {});
    }

    template <class Self>
    void operator()(Self& self, std::exception_ptr failure, Response page)
    {
        if (failure) return self.complete(std::move(failure), {});
        auto& items = items_of(page);
        std::move(items.begin(), items.end(), std::back_inserter(items_of(all_)));
        if constexpr (requires { page.unreachable; })
            for (auto& each : page.unreachable)
                if (std::find(all_.unreachable.begin(), all_.unreachable.end(), each) == all_.unreachable.end())
                    all_.unreachable.push_back(std::move(each));
        if (page.next_page_token.empty()) return self.complete({}, std::move(all_));
        if (loop_.closes_with(page.next_page_token)) return self.complete(pages_in_a_circle(parent_), {});
        if (self.cancelled() != boost::asio::cancellation_type::none)
            return self.complete(listing_cancelled(parent_), {});
        ask_for(self, std::move(page.next_page_token));
    }

private:
    template <class Self>
    void ask_for(Self& self, std::string token)
    {
        page_request page;
        page.page_token = std::move(token);
        // Copied, because `self` takes this object with it.
        auto const core = core_;
        auto const ask = ask_;
        auto parent = parent_;
        auto options = options_;
        ask(core,
            std::move(parent),
            std::move(page),
            std::move(options),
            result_handler<Response>(without_allocator(std::move(self))));
    }

    core_pointer core_;
    page_call<Response> ask_;
    std::string parent_;
    call_options options_;
    page_loop loop_;
    Response all_;
};

template <class Response>
void start_list_all(
    core_pointer const& core,
    page_call<Response> ask,
    std::string parent,
    call_options const& options,
    result_handler<Response> handler)
{
    boost::asio::async_compose<result_handler<Response>, void(std::exception_ptr, Response)>(
        list_all<Response>(core, ask, std::move(parent), options), handler, executor_of(*core));
}

}  // namespace

void list_all_backup_collections(
    core_pointer const& core,
    std::string parent,
    call_options const& options,
    result_handler<list_backup_collections_response> handler)
{
    start_list_all<list_backup_collections_response>(
        core, &list_backup_collections, std::move(parent), options, std::move(handler));
}

void list_all_backups(
    core_pointer const& core,
    std::string parent,
    call_options const& options,
    result_handler<list_backups_response> handler)
{
    start_list_all<list_backups_response>(core, &list_backups, std::move(parent), options, std::move(handler));
}

void list_all_clusters(
    core_pointer const& core,
    std::string parent,
    call_options const& options,
    result_handler<list_clusters_response> handler)
{
    start_list_all<list_clusters_response>(core, &list_clusters, std::move(parent), options, std::move(handler));
}

void list_all_instances(
    core_pointer const& core,
    std::string parent,
    call_options const& options,
    result_handler<list_instances_response> handler)
{
    start_list_all<list_instances_response>(core, &list_instances, std::move(parent), options, std::move(handler));
}

void list_all_locations(
    core_pointer const& core,
    std::string parent,
    call_options const& options,
    result_handler<list_locations_response> handler)
{
    start_list_all<list_locations_response>(core, &list_locations, std::move(parent), options, std::move(handler));
}

void list_all_operations(
    core_pointer const& core,
    std::string parent,
    call_options const& options,
    result_handler<list_operations_response> handler)
{
    start_list_all<list_operations_response>(core, &list_operations, std::move(parent), options, std::move(handler));
}

}  // namespace backbeat::memorystore::detail
