//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_CAREFUL_CHANGE_HPP
#define BACKBEAT_SRC_MEMORYSTORE_CAREFUL_CHANGE_HPP

#include "change.hpp"

#include <backbeat/memorystore/call_options.hpp>
#include <backbeat/memorystore/detail/caller.hpp>
#include <backbeat/memorystore/mutation_options.hpp>
#include <backbeat/memorystore/operation.hpp>

namespace backbeat::memorystore::detail {

// Looks at what is to be changed, and then sends the change, again only after it was found out that it was not carried
// out.
void start_careful_change(
    core_pointer const& core,
    change what,
    mutation_options const& how,
    call_options const& options,
    result_handler<operation> handler);

}  // namespace backbeat::memorystore::detail

#endif
