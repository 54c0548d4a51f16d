//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_DEFAULT_TOKEN_HPP
#define BACKBEAT_DETAIL_DEFAULT_TOKEN_HPP

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/version.hpp>

#include <exception>
#include <type_traits>

namespace backbeat::detail {

// The completion token of an initiating function that was given none: `deferred`. But Boost 1.81 cannot `co_await` a
// deferred operation that completes with an exception and one result (mended in 1.82); there it is `use_awaitable`.
template <class Signature, class Executor = boost::asio::any_io_executor>
struct default_token : std::type_identity<boost::asio::deferred_t> {};

#if BOOST_ASIO_VERSION < 102800
template <class Result, class Executor>
struct default_token<void(std::exception_ptr, Result), Executor>
    : std::type_identity<boost::asio::use_awaitable_t<Executor>> {};
#endif

template <class Signature, class Executor = boost::asio::any_io_executor>
using default_token_t = typename default_token<Signature, Executor>::type;

}  // namespace backbeat::detail

#endif
