//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The g++ 12 trap: an operation or a classifier that owns something, written inside a `co_await` expression. The files
// that include this one say what it is awaited with; the control has the remedy.

#include <backbeat/async_retry.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <utility>

template <class Token>
auto async_step(std::shared_ptr<int> const&, Token&& token)
{
    return boost::asio::async_initiate<Token, void(boost::system::error_code)>([](auto) {}, token);
}

boost::asio::awaitable<void> await(boost::asio::any_io_executor executor, std::shared_ptr<int> owner)
{
    auto operation = [owner](auto&& token) { return async_step(owner, std::forward<decltype(token)>(token)); };
    auto classifier = [owner](boost::system::error_code) { return backbeat::verdict::done(); };
#ifdef CONTROL
    co_await backbeat::async_retry(executor, operation, backbeat::classify(classifier), TOKEN);
    auto move_only = [owned = std::make_unique<int>(1), owner](auto&& token) {
        return async_step(owner, std::forward<decltype(token)>(token));
    };
    co_await backbeat::async_retry(executor, std::ref(move_only), TOKEN);
    // This one owns nothing.
    co_await backbeat::async_retry(
        executor, [&](auto&& token) { return async_step(owner, std::forward<decltype(token)>(token)); }, TOKEN);
#elif defined(CLASSIFIER)
    co_await backbeat::async_retry(executor, operation, backbeat::classify(std::move(classifier)), TOKEN);
#else
    co_await backbeat::async_retry(
        executor, [owner](auto&& token) { return async_step(owner, std::forward<decltype(token)>(token)); }, TOKEN);
#endif
}
