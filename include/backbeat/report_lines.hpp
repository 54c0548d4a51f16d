//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_REPORT_LINES_HPP
#define BACKBEAT_REPORT_LINES_HPP

#include <backbeat/config.hpp>
#include <backbeat/delivery.hpp>
#include <backbeat/detail/attempt_text.hpp>
#include <backbeat/detail/decimal_text.hpp>
#include <backbeat/detail/duration_text.hpp>
#include <backbeat/retry_report.hpp>
#include <backbeat/stop_reason.hpp>
#include <backbeat/wait_origin.hpp>

#include <cstddef>
#include <ostream>
#include <string>

namespace backbeat {

/**
 * \brief Returns the report as text, a line an attempt, and a last line that sums it up.
 * \details
 * \code
 * attempt 1  at 0s  took 3.1ms  503  ambiguous  waited 1.42s (backoff)
 * attempt 2  at 1.424s  took 2.8ms  200  responded
 * success after 2 attempts in 1.427s, of which 1.42s waiting
 * \endcode
 *
 * A wait that the end cut short stands as `waited 2s of 64s`, and attempts that were under way then are counted in the
 * last line. Durations have four digits. The messages of errors are text from anywhere: control characters and what is
 * not UTF-8 are escaped as in C, and long ones cut.
 *
 * \par Exceptions
 * `std::bad_alloc`. What an error category throws is caught: Boost.System has a text for that.
 */
[[nodiscard]] inline std::string report_lines(retry_report const& report)
{
    using detail::append_integer;
    using detail::duration_text;
    std::string out;
    auto const records = report.records();
    for (std::size_t i = 0; i != records.size(); ++i) {
        auto const& r = records[i];
        if (i == retry_report::kept_first && report.omitted() != 0) {
            out += "... ";
            append_integer(out, report.omitted());
            out += " attempts ...\n";
        }
        out += "attempt ";
        append_integer(out, r.number);
        out += "  at " + duration_text(r.start) + "  took " + duration_text(r.duration);
        if (r.status != 0) {
            out += "  ";
            append_integer(out, r.status);
        }
        if (r.error) {
            out += "  ";
            detail::append_message(out, r.error);
        }
        if (r.delivered) out.append("  ") += to_string(*r.delivered);
        if (r.hint) out += "  asked to wait " + duration_text(*r.hint);
        if (r.origin != wait_origin::none) {
            auto const passed = i + 1 == records.size() ? report.last_wait_passed() : r.wait;
            out += "  waited " + duration_text(passed);
            if (passed != r.wait) out += " of " + duration_text(r.wait);
            out += r.origin == wait_origin::hint ? " (hint)" : " (backoff)";
        }
        out += '\n';
    }
    out += report.reason() ? to_string(*report.reason()) : "running";
    out += " after ";
    append_integer(out, report.attempts());
    out += report.attempts() == 1 ? " attempt in " : " attempts in ";
    out += duration_text(report.elapsed());
    if (auto const waited = report.time_waited(); waited.count() != 0)
        out += ", of which " + duration_text(waited) + " waiting";
    if (report.unfinished() != 0) {
        out += ", ";
        append_integer(out, report.unfinished());
        out += " unfinished";
    }
    if (report.reason() != stop_reason::success && report.error()) {
        out += ": ";
        detail::append_message(out, report.error());
    }
    return out += '\n';
}

/// Prints what `report_lines` returns as a string: of the stream's state only its width and its fill have a say.
inline std::ostream& operator<<(std::ostream& out, retry_report const& report)
{
    return out << report_lines(report);
}

}  // namespace backbeat

#endif
