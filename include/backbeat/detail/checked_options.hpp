//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_CHECKED_OPTIONS_HPP
#define BACKBEAT_DETAIL_CHECKED_OPTIONS_HPP

#include <backbeat/retry_errc.hpp>

#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

namespace backbeat::detail {

[[nodiscard]] inline boost::system::error_code invalid_options(retry_category_type const& problem) noexcept
{
    return {static_cast<int>(retry_errc::invalid_options), problem};
}

// For a member initialiser, so that no member is ever made of options that are invalid.
template <class Options>
[[nodiscard]] Options const& checked(Options const& options)
{
    if (auto const error = validate(options)) throw boost::system::system_error(error);
    return options;
}

// False for what is not a number.
[[nodiscard]] constexpr bool in_range(double value, double least, double greatest) noexcept
{
    return value >= least && value <= greatest;
}

}  // namespace backbeat::detail

#endif
