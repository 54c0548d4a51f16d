//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_REPORT_LINE_HPP
#define BACKBEAT_REPORT_LINE_HPP

#include <backbeat/attempt_record.hpp>
#include <backbeat/config.hpp>
#include <backbeat/delivery.hpp>
#include <backbeat/detail/attempt_text.hpp>
#include <backbeat/detail/decimal_text.hpp>
#include <backbeat/detail/duration_text.hpp>
#include <backbeat/retry_phase.hpp>
#include <backbeat/retry_report.hpp>
#include <backbeat/stop_reason.hpp>
#include <backbeat/wait_origin.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace backbeat {

namespace detail {

// "gave up (exhausted)"
inline void append_ending(std::string& out, retry_report const& report)
{
    if (!report.reason()) {
        out += "running";
        return;
    }
    switch (*report.reason()) {
    case stop_reason::success: out += "succeeded"; return;
    case stop_reason::cancelled:
    case stop_reason::abandoned: out += to_string(*report.reason()); return;
    default: out.append("gave up (").append(to_string(*report.reason())) += ')';
    }
}

// What the last attempt ended with. If it says nothing, or there was none, the error of the operation.
inline void append_last_outcome(
    std::string& out, retry_report const& report, std::vector<attempt_record> const& records)
{
    bool const says_something = !records.empty() && (records.back().error || records.back().status != 0);
    bool const of_attempt = says_something || (!records.empty() && !report.error());
    if (report.reason() == stop_reason::success || (!of_attempt && !report.error())) return;
    out += ": ";
    append_outcome(out, of_attempt ? records.back() : attempt_record{.error = report.error()});
}

// "+1.2s", "+2.4s(hint)", "+1s(of 64s)"
inline void append_wait(std::string& out, attempt_record const& record, std::chrono::nanoseconds passed)
{
    out += " +" + duration_text(passed);
    if (passed != record.wait) out += "(of " + duration_text(record.wait) + ')';
    if (record.origin == wait_origin::hint) out += "(hint)";
}

inline void append_trail(std::string& out, retry_report const& report, std::vector<attempt_record> const& records)
{
    out += "; trail:";
    for (std::size_t i = 0; i != records.size(); ++i) {
        if (i == retry_report::kept_first && report.omitted() != 0) {
            out += " (";
            append_integer(out, report.omitted());
            out += " omitted)";
        }
        out += ' ';
        append_short_outcome(out, records[i]);
        if (records[i].origin == wait_origin::none) continue;
        bool const is_last = i + 1 == records.size();
        append_wait(out, records[i], is_last ? report.last_wait_passed() : records[i].wait);
    }
    if (report.unfinished() != 0) out += " unfinished";
}

}  // namespace detail

/**
 * \brief Returns the report on one line, for a log.
 * \details
 * \code
 * gave up (exhausted) after 3 attempts in 3.61s, 3.6s waiting, worst delivery ambiguous: 503; trail: 503 +1.2s 503
 * +2.4s(hint) 503
 * \endcode
 *
 * It says why the operation ended, what that took, how far a request may have got at worst, what the last attempt
 * ended with, and, in the trail, what each attempt ended with and how long the wait after it was. A status stands for
 * itself, an error as category and value; its message is given once. An operation that succeeded, was cancelled or was
 * abandoned begins with that word, any other with `gave up` and its `stop_reason`.
 *
 * There is no line break in it, none at its end either, and it is never longer than 1.5 KiB. The messages of errors are
 * text from anywhere: control characters and what is not UTF-8 are escaped as in C, and long ones cut.
 *
 * \par Exceptions
 * `std::bad_alloc`. What an error category throws is caught: Boost.System has a text for that.
 */
[[nodiscard]] inline std::string report_line(retry_report const& report)
{
    auto const records = report.records();
    std::string out;
    detail::append_ending(out, report);
    out += " after ";
    detail::append_integer(out, report.attempts());
    out += report.attempts() == 1 ? " attempt in " : " attempts in ";
    out += detail::duration_text(report.elapsed());
    if (auto const waited = report.time_waited(); waited.count() != 0)
        out += ", " + detail::duration_text(waited) + " waiting";
    if (auto const worst = report.worst_delivery()) out.append(", worst delivery ").append(to_string(*worst));
    detail::append_last_outcome(out, report, records);
    bool const has_trail = records.size() > 1 || report.unfinished() != 0 || report.time_waited().count() != 0;
    if (has_trail) detail::append_trail(out, report, records);
    return out;
}

}  // namespace backbeat

#endif
