//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_EMULATOR_CLUSTER_NETWORK_HPP
#define BACKBEAT_SRC_EMULATOR_CLUSTER_NETWORK_HPP

#include "violations.hpp"

#include <backbeat/memorystore/cluster.hpp>

namespace backbeat::emulation {

// How clients of Redis reach a cluster: through Private Service Connect.

// The networks that a new cluster is to be reached from.
void check_networks(memorystore::cluster const& made, violations& found);

// The connections that customers make.
void check_endpoints(memorystore::cluster const& made, violations& found);

// Sets what only the service knows of those.
void fill_endpoints(memorystore::cluster& made);

// Sets what the service sets when a new cluster is ready: what there is to connect to, and where it is connected.
void connect_cluster(memorystore::cluster& made);

}  // namespace backbeat::emulation

#endif
