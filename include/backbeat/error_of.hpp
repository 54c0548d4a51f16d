//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_ERROR_OF_HPP
#define BACKBEAT_ERROR_OF_HPP

#include <backbeat/config.hpp>
#include <backbeat/detail/disposition.hpp>

#include <boost/system/error_code.hpp>

#include <exception>

namespace backbeat {

/**
 * \brief Returns the error code of an exception, for classifiers of operations that return an `awaitable<T>`.
 * \details
 * Those complete with a `std::exception_ptr`. The code is that of a `boost::system::system_error` or of a
 * `std::system_error`, whose generic and system categories become Boost's, so that it compares with Asio's errors. It
 * is `retry_errc::unknown_exception` for any other exception, and no error for a null pointer.
 *
 * \code
 * auto only_refused = [](std::exception_ptr const& thrown, int) {
 *     if (!thrown) return backbeat::verdict::done();
 *     return backbeat::error_of(thrown) == boost::asio::error::connection_refused ? backbeat::verdict::retry()
 *                                                                                 : backbeat::verdict::permanent();
 * };
 * \endcode
 */
[[nodiscard]] inline boost::system::error_code error_of(std::exception_ptr const& thrown) noexcept
{
    return detail::failure_of(thrown).code;
}

}  // namespace backbeat

#endif
