//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_ASYNC_OUTCOME_HPP
#define BACKBEAT_TEST_ASYNC_OUTCOME_HPP

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>

#include <type_traits>
#include <utility>

namespace backbeat::test {

// An initiating function: completes with `disposition` and `result`, by a post. It takes no memory from its handler.
template <class Disposition, class Result, class Token>
auto async_outcome(boost::asio::any_io_executor executor, Disposition disposition, Result result, Token&& token)
{
    return boost::asio::async_initiate<Token, void(Disposition, Result)>(
        [](auto handler, boost::asio::any_io_executor const& io_executor, Disposition d, Result r) {
            auto const where = boost::asio::get_associated_executor(handler, io_executor);
            auto completion = [h = std::move(handler), d = std::move(d), r = std::move(r)]() mutable {
                std::move(h)(std::move(d), std::move(r));
            };
            boost::asio::post(io_executor, boost::asio::bind_executor(where, std::move(completion)));
        },
        token,
        std::move(executor),
        std::move(disposition),
        std::move(result));
}

}  // namespace backbeat::test

#endif
