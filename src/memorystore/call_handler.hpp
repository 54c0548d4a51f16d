//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_CALL_HANDLER_HPP
#define BACKBEAT_SRC_MEMORYSTORE_CALL_HANDLER_HPP

#include "running_call.hpp"

#include <backbeat/http/message.hpp>
#include <backbeat/memorystore/detail/caller.hpp>

#include <boost/asio/associator.hpp>
#include <boost/system/error_code.hpp>

#include <exception>
#include <memory>
#include <utility>

namespace backbeat::memorystore::detail {

// What the HTTP client calls at the end: turns its response into the result that the caller waits for.
template <class Result>
class call_handler {
public:
    call_handler(std::shared_ptr<running_call> running, result_handler<Result> handler)
        : handler_(std::move(handler)), running_(std::move(running))
    {}

    void operator()(boost::system::error_code problem, http::response response)
    {
        std::exception_ptr failure;
        Result result;
        try {
            if (auto const failed = failure_of(*running_, problem, response))
                failure = std::make_exception_ptr(*failed);
            else
                result = result_of<Result>(*running_, response);
        } catch (...) {
            failure = std::current_exception();
        }
        running_.reset();
        std::move(handler_)(std::move(failure), std::move(result));
    }

    [[nodiscard]] result_handler<Result> const& handler() const noexcept { return handler_; }

private:
    result_handler<Result> handler_;
    // After the handler, so that it is destroyed before: its memory came from the handler's allocator.
    std::shared_ptr<running_call> running_;
};

}  // namespace backbeat::memorystore::detail

template <template <class, class> class Associator, class Result, class Default>
struct boost::asio::associator<Associator, backbeat::memorystore::detail::call_handler<Result>, Default>
    : Associator<backbeat::memorystore::detail::result_handler<Result>, Default> {
    using inner = Associator<backbeat::memorystore::detail::result_handler<Result>, Default>;
    using outer = backbeat::memorystore::detail::call_handler<Result>;

    static auto get(outer const& handler) noexcept { return inner::get(handler.handler()); }
    static auto get(outer const& handler, Default const& fallback) noexcept
    {
        return inner::get(handler.handler(), fallback);
    }
};

#endif
