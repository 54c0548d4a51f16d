//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_COMPLETE_WITH_HPP
#define BACKBEAT_SRC_MEMORYSTORE_COMPLETE_WITH_HPP

#include <backbeat/detail/immediate_completion.hpp>
#include <backbeat/memorystore/detail/caller.hpp>
#include <backbeat/memorystore/error.hpp>

#include <exception>
#include <string>
#include <utility>

namespace backbeat::memorystore::detail {

[[nodiscard]] inline std::exception_ptr invalid_argument(std::string sentence)
{
    error_facts facts;
    facts.sentence = std::move(sentence);
    return std::make_exception_ptr(error(errc::invalid_argument, std::move(facts)));
}

// Ends a call before it has begun; never calls the handler from inside the initiating function.
template <class Result>
void complete_with(
    boost::asio::any_io_executor const& executor,
    result_handler<Result> handler,
    std::exception_ptr failure,
    Result result)
{
    backbeat::detail::complete_immediately(
        executor,
        std::move(handler),
        [failure = std::move(failure), result = std::move(result)](result_handler<Result> to) mutable {
            std::move(to)(std::move(failure), std::move(result));
        });
}

}  // namespace backbeat::memorystore::detail

#endif
