//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_DEMO_REQUEST_HPP
#define BACKBEAT_SRC_CLI_DEMO_REQUEST_HPP

#include <backbeat/retry_report.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace backbeat::cli::demo {

// One request of the crowd, and what became of it.
struct request {
    bool lists = false;  // or gets one instance
    bool over_tls = false;
    std::size_t instance = 0;

    retry_report report{};

    // How often it came to its end. Anything but 1 is a defect of the library.
    std::uint32_t completions = 0;

    // What is wrong with its result, beside that it may be a failure. Empty: nothing.
    std::string problem{};
};

}  // namespace backbeat::cli::demo

#endif
