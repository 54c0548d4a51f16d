//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_TEST_BENCH_CONTENDERS_DONE_HPP
#define BACKBEAT_TEST_BENCH_CONTENDERS_DONE_HPP

#include "tally.hpp"

#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include <exception>

namespace bench {

[[nodiscard]] inline boost::system::error_code code_of(std::exception_ptr const& failure)
{
    if (!failure) return {};
    try {
        std::rethrow_exception(failure);
    } catch (boost::system::system_error const& e) {
        return e.code();
    }
}

// The handler of an operation among many. 8 bytes.
class done {
public:
    explicit done(boost::system::error_code const& expected) noexcept : expected_(&expected) {}

    void operator()(boost::system::error_code error) const noexcept
    {
        if (error == *expected_)
            ++my_tally.right;
        else
            ++my_tally.wrong;
    }

    void operator()(std::exception_ptr const& failure) const { (*this)(code_of(failure)); }

private:
    boost::system::error_code const* expected_;
};

}  // namespace bench

#endif
