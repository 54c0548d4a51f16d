//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "request_log.hpp"

#include "output.hpp"

#include <fmt/format.h>

#include <sstream>

namespace backbeat::cli {

void request_log::at_end(retry_report const& report)
{
    ++requests_;
    auto const reason = report.reason();
    failed_at_once_ = report.attempts() == 1
        && (reason == stop_reason::permanent || reason == stop_reason::not_replayable
            || reason == stop_reason::exhausted);
    if (!explain_) return;
    std::ostringstream text;
    text << report;
    note(fmt::format("request {}\n{}", requests_, text.str()));
}

}  // namespace backbeat::cli
