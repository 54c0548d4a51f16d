//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_RETRY_TRAITS_HPP
#define BACKBEAT_DETAIL_RETRY_TRAITS_HPP

#include <backbeat/detail/disposition.hpp>

#include <tuple>
#include <type_traits>

namespace backbeat::detail {

// What differs from one `async_retry` or `async_hedge` to another, apart from the handler.
template <class Clock, class IoExecutor, class Operation, class Options, class Classifier, class Signature>
struct retry_traits;

template <class Clock, class IoExecutor, class Operation, class Options, class Classifier, class D, class... R>
struct retry_traits<Clock, IoExecutor, Operation, Options, Classifier, void(D, R...)> {
    using clock = Clock;
    using io_executor = IoExecutor;
    using operation = Operation;
    using options = Options;
    using classifier = Classifier;
    using disposition = std::decay_t<D>;
    using completion = std::tuple<disposition, std::decay_t<R>...>;

    static_assert(
        detail::disposition<disposition>,
        "the first completion argument of the operation must be a boost::system::error_code or a std::exception_ptr");

    // Whether there are results to complete with before an attempt has given any.
    static constexpr bool has_empty_results = (std::is_default_constructible_v<std::decay_t<R>> && ...);
};

}  // namespace backbeat::detail

#endif
