//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "client_core.hpp"
#include "page_handler.hpp"

#include <backbeat/memorystore/list_backup_collections_response.hpp>
#include <backbeat/memorystore/list_backups_response.hpp>
#include <backbeat/memorystore/list_clusters_response.hpp>
#include <backbeat/memorystore/list_instances_response.hpp>
#include <backbeat/memorystore/list_locations_response.hpp>
#include <backbeat/memorystore/list_operations_response.hpp>

namespace backbeat::memorystore::detail {

template <class Response>
void next_page(
    core_pointer const& core,
    std::shared_ptr<pager_state<Response>> state,
    result_handler<std::optional<Response>> handler)
{
    if (state->ended)
        return complete_with(core->executor(), std::move(handler), std::exception_ptr(), std::optional<Response>());
    auto const& at = *state;
    auto const ask = at.ask;
    auto parent = at.parent;
    auto page = at.next;
    auto options = at.options;
    ask(core,
        std::move(parent),
        std::move(page),
        std::move(options),
        result_handler<Response>(without_allocator(page_handler<Response>(std::move(state), std::move(handler)))));
}

// The argument is a type, which must not stand in parentheses. NOLINTBEGIN(bugprone-macro-parentheses)
#define BACKBEAT_MEMORYSTORE_PAGES(response) \
    template void next_page(                 \
        core_pointer const&, std::shared_ptr<pager_state<response>>, result_handler<std::optional<response>>)
// NOLINTEND(bugprone-macro-parentheses)

BACKBEAT_MEMORYSTORE_PAGES(list_backup_collections_response);
BACKBEAT_MEMORYSTORE_PAGES(list_backups_response);
BACKBEAT_MEMORYSTORE_PAGES(list_clusters_response);
BACKBEAT_MEMORYSTORE_PAGES(list_instances_response);
BACKBEAT_MEMORYSTORE_PAGES(list_locations_response);
BACKBEAT_MEMORYSTORE_PAGES(list_operations_response);

}  // namespace backbeat::memorystore::detail
