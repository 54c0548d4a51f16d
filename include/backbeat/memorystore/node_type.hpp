//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_NODE_TYPE_HPP
#define BACKBEAT_MEMORYSTORE_NODE_TYPE_HPP

#include <backbeat/config.hpp>

#include <boost/describe/enum.hpp>

#include <cstdint>

namespace backbeat::memorystore {

/// What the nodes of a cluster are made of.
enum class node_type : std::int32_t {
    node_type_unspecified = 0,
    redis_shared_core_nano = 1,
    redis_highmem_medium = 2,
    redis_highmem_xlarge = 3,
    redis_standard_small = 4
};
BOOST_DESCRIBE_ENUM(
    node_type,
    node_type_unspecified,
    redis_shared_core_nano,
    redis_highmem_medium,
    redis_highmem_xlarge,
    redis_standard_small)

}  // namespace backbeat::memorystore

#endif
