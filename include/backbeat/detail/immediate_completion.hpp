//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_IMMEDIATE_COMPLETION_HPP
#define BACKBEAT_DETAIL_IMMEDIATE_COMPLETION_HPP

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/associator.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/version.hpp>

#if BOOST_ASIO_VERSION >= 102800
#include <boost/asio/associated_immediate_executor.hpp>
#endif

#include <utility>

namespace backbeat::detail {

// A handler and what it is completed with, for an operation that ends before it begins. It has the associated
// characteristics of the handler.
template <class Handler, class Completion>
class immediate_completion {
public:
    immediate_completion(Handler&& handler, Completion&& completion)
        : handler_(std::move(handler)), completion_(std::move(completion))
    {}

    void operator()() { std::move(completion_)(std::move(handler_)); }

    [[nodiscard]] Handler const& handler() const noexcept { return handler_; }

private:
    Handler handler_;
    Completion completion_;
};

// Completes without ever calling the handler from inside the initiating function, unless through an immediate
// executor that the caller chose (Boost 1.82 has them first).
template <class Executor, class Handler, class Completion>
void complete_immediately(Executor const& io_executor, Handler handler, Completion completion)
{
    using bound = immediate_completion<Handler, Completion>;
#if BOOST_ASIO_VERSION >= 102800
    // Evaluated before the handler is moved: function arguments have no order.
    auto const executor = boost::asio::get_associated_immediate_executor(handler, io_executor);
    boost::asio::dispatch(executor, bound(std::move(handler), std::move(completion)));
#else
    boost::asio::post(io_executor, bound(std::move(handler), std::move(completion)));
#endif
}

}  // namespace backbeat::detail

template <template <class, class> class Associator, class Handler, class Completion, class Default>
struct boost::asio::associator<Associator, backbeat::detail::immediate_completion<Handler, Completion>, Default>
    : Associator<Handler, Default> {
    using bound = backbeat::detail::immediate_completion<Handler, Completion>;

    static auto get(bound const& completion) noexcept
    {
        return Associator<Handler, Default>::get(completion.handler());
    }

    static auto get(bound const& completion, Default const& fallback) noexcept
    {
        return Associator<Handler, Default>::get(completion.handler(), fallback);
    }
};

#endif
