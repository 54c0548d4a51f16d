//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "client_core.hpp"

#include <backbeat/memorystore/client.hpp>

#include <memory>
#include <utility>

namespace backbeat::memorystore {

client_options::client_options()
{
    http.attempt_timeout = {};
}

client::client(executor_type executor, client_options options)
    : client(std::make_shared<detail::client_core>(std::move(executor), std::move(options)))
{}

client::client(detail::core_pointer const& core)
    : location_calls(core),
      instance_calls(core),
      cluster_calls(core),
      backup_calls(core),
      operation_calls(core),
      caller_(core)
{}

client& client::operator=(client&& other) noexcept
{
    auto const& core = caller_.core();
    if (core && core != other.caller_.core()) core->close();
    // Each moves its own part.
    location_calls::operator=(static_cast<location_calls&&>(other));
    instance_calls::operator=(static_cast<instance_calls&&>(other));
    cluster_calls::operator=(static_cast<cluster_calls&&>(other));
    backup_calls::operator=(static_cast<backup_calls&&>(other));
    operation_calls::operator=(static_cast<operation_calls&&>(other));
    caller_ = std::move(other.caller_);
    return *this;
}

client::~client()
{
    if (caller_.core()) caller_.core()->close();
}

void client::close()
{
    caller_.core()->close();
}

}  // namespace backbeat::memorystore
