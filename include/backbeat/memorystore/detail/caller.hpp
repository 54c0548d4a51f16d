//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_MEMORYSTORE_DETAIL_CALLER_HPP
#define BACKBEAT_MEMORYSTORE_DETAIL_CALLER_HPP

#include <backbeat/config.hpp>
#include <backbeat/detail/default_token.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>

#include <exception>
#include <memory>
#include <utility>

namespace backbeat::memorystore {

namespace detail {

class client_core;
using core_pointer = std::shared_ptr<client_core>;

template <class Result>
using result_handler = boost::asio::any_completion_handler<void(std::exception_ptr, Result)>;

template <class Result>
using default_token = backbeat::detail::default_token_t<void(std::exception_ptr, Result)>;

[[nodiscard]] boost::asio::any_io_executor executor_of(client_core const& core) noexcept;

// What a completion token starts a call with. It has an executor, so that adapters of tokens find it.
template <class Result, auto call>
class initiate_call {
public:
    using executor_type = boost::asio::any_io_executor;

    explicit initiate_call(core_pointer core) noexcept : core_(std::move(core)) {}

    [[nodiscard]] executor_type get_executor() const noexcept { return executor_of(*core_); }

    template <class Handler, class... Arguments>
    void operator()(Handler&& handler, Arguments&&... arguments) const
    {
        call(core_, std::forward<Arguments>(arguments)..., result_handler<Result>(std::forward<Handler>(handler)));
    }

private:
    core_pointer core_;
};

// What the parts of a client make their calls with.
class caller {
public:
    explicit caller(core_pointer core) noexcept : core_(std::move(core)) {}

    [[nodiscard]] core_pointer const& core() const noexcept { return core_; }

    template <class Result, auto call, class Token, class... Arguments>
    auto start(Token& token, Arguments&&... arguments) const
    {
        return boost::asio::async_initiate<Token, void(std::exception_ptr, Result)>(
            initiate_call<Result, call>(core_), token, std::forward<Arguments>(arguments)...);
    }

private:
    core_pointer core_;
};

}  // namespace detail

/// A completion token for a call that gives a `Result`.
template <class Token, class Result>
concept result_token = boost::asio::completion_token_for<Token, void(std::exception_ptr, Result)>;

}  // namespace backbeat::memorystore

#endif
