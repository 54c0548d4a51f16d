//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_REPORT_TO_HPP
#define BACKBEAT_REPORT_TO_HPP

#include <backbeat/config.hpp>
#include <backbeat/retry_report.hpp>

namespace backbeat {

namespace detail {

struct report_target {
    retry_report* report = nullptr;
};

}  // namespace detail

/**
 * \brief Asks `async_retry` to fill a report.
 * \details
 * \code
 * backbeat::retry_report report;
 * auto response = co_await backbeat::async_retry(list, options, backbeat::report_to(report));
 * \endcode
 *
 * \par Object lifetimes
 * The report must stay valid until the operation has completed, and serves one operation at a time. It is cleared
 * when the operation starts, and complete when the handler is called. An operation that never completes, because its
 * execution context is destroyed, writes that into the report: so declare the report before the context.
 */
[[nodiscard]] inline detail::report_target report_to(retry_report& report) noexcept
{
    return {&report};
}

}  // namespace backbeat

#endif
