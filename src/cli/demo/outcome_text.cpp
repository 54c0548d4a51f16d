//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "outcome_text.hpp"

#include "../text.hpp"

#include <backbeat/retry_report.hpp>

#include <fmt/format.h>

namespace backbeat::cli::demo {

std::string status_text(int status)
{
    auto const reason = [status] {
        switch (status) {
        case 200: return " OK";
        case 400: return " Bad Request";
        case 403: return " Forbidden";
        case 404: return " Not Found";
        case 409: return " Conflict";
        case 429: return " Too Many Requests";
        case 500: return " Internal Server Error";
        case 502: return " Bad Gateway";
        case 503: return " Service Unavailable";
        case 504: return " Gateway Timeout";
        default: return "";
        }
    }();
    return fmt::format("{}{}", status, reason);
}

std::string outcome_text(attempt_record const& record)
{
    if (record.status != 0) return status_text(record.status);
    return record.error ? printable(record.error.message()) : std::string("done");
}

}  // namespace backbeat::cli::demo
