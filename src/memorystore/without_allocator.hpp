//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_WITHOUT_ALLOCATOR_HPP
#define BACKBEAT_SRC_MEMORYSTORE_WITHOUT_ALLOCATOR_HPP

#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/recycling_allocator.hpp>

#include <type_traits>
#include <utility>

namespace backbeat::memorystore::detail {

// For a handler that holds an any_completion_handler and is going to be put into another one. That one, when it is
// destroyed without being called, destroys what it holds first and then gives its memory back through the associated
// allocator, which would refer to what is gone. So it must not find that allocator.
template <class Handler>
[[nodiscard]] auto without_allocator(Handler&& handler)
{
    return boost::asio::bind_allocator(boost::asio::recycling_allocator<void>(), std::forward<Handler>(handler));
}

}  // namespace backbeat::memorystore::detail

#endif
