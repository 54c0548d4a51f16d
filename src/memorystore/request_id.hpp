//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_REQUEST_ID_HPP
#define BACKBEAT_SRC_MEMORYSTORE_REQUEST_ID_HPP

#include <backbeat/memorystore/call_options.hpp>

#include <string>

namespace backbeat::memorystore::detail {

// A random UUID in its usual form.
[[nodiscard]] std::string random_uuid();

// The request id of a call whose method has one: the caller's, or a new one.
// \throws std::invalid_argument The caller's is none.
[[nodiscard]] std::string request_id_of(call_options const& options);

// \throws std::invalid_argument The caller gave one for a call whose method has none.
void check_no_request_id(call_options const& options);

}  // namespace backbeat::memorystore::detail

#endif
