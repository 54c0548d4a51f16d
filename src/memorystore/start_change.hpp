//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_START_CHANGE_HPP
#define BACKBEAT_SRC_MEMORYSTORE_START_CHANGE_HPP

#include "change.hpp"
#include "client_core.hpp"

#include <backbeat/memorystore/operation.hpp>

#include <utility>

namespace backbeat::memorystore::detail {

// Makes a change, and carries it out. Whatever changes a resource goes through here.
template <class Make>
void start_change(core_pointer const& core, call_options const& options, result_handler<operation> handler, Make&& make)
{
    auto what = made(core, handler, std::forward<Make>(make));
    if (!what) return;
    // Known again by its id, it is carried out once however often it comes.
    what->request.replay = what->request_id.empty() ? http::idempotency::never : http::idempotency::idempotent;
    start(core, std::move(what->request), options, std::move(handler));
}

}  // namespace backbeat::memorystore::detail

#endif
