//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "violations.hpp"

#include "error_reply.hpp"

#include <cstddef>
#include <utility>

namespace backbeat::emulation {

void violations::add(std::string field, std::string description)
{
    if (details_.field_violations.size() == maximum) return;
    if (!text_.empty()) text_ += ' ';
    text_ += description;
    memorystore::rpc::field_violation violation;
    violation.field = std::move(field);
    violation.description = std::move(description);
    details_.field_violations.push_back(std::move(violation));
}

void violations::check() const
{
    if (details_.field_violations.empty()) return;
    throw api_error(memorystore::rpc_code::invalid_argument, text_, {memorystore::any::pack(details_)});
}

}  // namespace backbeat::emulation
