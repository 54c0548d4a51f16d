//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_RESULT_TRAITS_HPP
#define BACKBEAT_RESULT_TRAITS_HPP

#include <backbeat/config.hpp>
#include <backbeat/verdict.hpp>

#include <concepts>

namespace backbeat {

/**
 * \brief Lets the results of an operation say whether it succeeded, where its error code does not.
 * \details
 * An HTTP client completes a 503 without error. `async_retry` without `classify(...)` therefore asks the results of
 * an attempt that had no error: each whose type specialises this template, in order, until one is not done.
 *
 * \code
 * template <>
 * struct backbeat::result_traits<reply> {
 *     static verdict classify(reply const& r) { return r.busy ? verdict::retry() : verdict::done(); }
 * };
 * \endcode
 *
 * `<backbeat/http/classifier.hpp>` specialises it for the responses of Boost.Beast.
 */
template <class Result>
struct result_traits;

namespace detail {

// clang-format off
template <class Result>
concept declares_itself = requires(Result const& result) {
    { result_traits<Result>::classify(result) } -> std::convertible_to<verdict>;
};

template <class Result>
concept looks_like_http_response = requires(Result const& result) { result.result_int(); };
// clang-format on

}  // namespace detail

}  // namespace backbeat

#endif
