//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_CONFIG_HPP
#define BACKBEAT_CONFIG_HPP

#include <boost/version.hpp>

#if BOOST_VERSION < 108100
#error "Backbeat needs Boost 1.81 or later (Debian 12: libboost1.81-dev; its libboost-dev is 1.74)."
#endif

#if !defined(__cpp_concepts) || !defined(__cpp_impl_coroutine)
#error "Backbeat needs C++20 with concepts and coroutines (-std=c++20)."
#endif

#define BACKBEAT_VERSION_MAJOR 0
#define BACKBEAT_VERSION_MINOR 1
#define BACKBEAT_VERSION_PATCH 0

/**
 * \brief Tells a compiler that destroys temporaries of a `co_await` expression twice.
 * \details
 * g++ before 12.3 runs the destructor of some temporaries written inside a `co_await` expression two times: of
 * lambdas that own what they captured, and of aggregates with members that own something. The guide page "Using it
 * on GCC 12" shows which. Where this macro is 1, `async_retry` and `async_hedge` refuse such a lambda at compile time.
 */
#if defined(__GNUC__) && !defined(__clang__) && (__GNUC__ < 12 || (__GNUC__ == 12 && __GNUC_MINOR__ < 3))
#define BACKBEAT_DESTROYS_CO_AWAIT_TEMPORARIES_TWICE 1
#else
#define BACKBEAT_DESTROYS_CO_AWAIT_TEMPORARIES_TWICE 0
#endif

#endif
