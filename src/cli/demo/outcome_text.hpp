//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_DEMO_OUTCOME_TEXT_HPP
#define BACKBEAT_SRC_CLI_DEMO_OUTCOME_TEXT_HPP

#include <string>

namespace backbeat {
struct attempt_record;
}

namespace backbeat::cli::demo {

// What became of an attempt, in the words of HTTP or of the transport: "503 Service Unavailable".
[[nodiscard]] std::string outcome_text(attempt_record const& record);

// "429 Too Many Requests"; of a status that is not usual here, the number alone.
[[nodiscard]] std::string status_text(int status);

}  // namespace backbeat::cli::demo

#endif
