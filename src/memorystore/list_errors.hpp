//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_MEMORYSTORE_LIST_ERRORS_HPP
#define BACKBEAT_SRC_MEMORYSTORE_LIST_ERRORS_HPP

#include <backbeat/memorystore/error.hpp>

#include <boost/asio/error.hpp>

#include <exception>
#include <string>
#include <utility>

namespace backbeat::memorystore::detail {

[[nodiscard]] inline std::exception_ptr pages_in_a_circle(std::string const& parent)
{
    error_facts facts;
    facts.sentence =
        "listing what is in '" + parent + "' failed: its pages go round in a circle, each naming another as the next";
    return std::make_exception_ptr(error(errc::malformed_response, std::move(facts)));
}

[[nodiscard]] inline std::exception_ptr listing_cancelled(std::string const& parent)
{
    error_facts facts;
    facts.sentence = "listing what is in '" + parent + "' was cancelled";
    return std::make_exception_ptr(error(boost::asio::error::operation_aborted, std::move(facts)));
}

}  // namespace backbeat::memorystore::detail

#endif
