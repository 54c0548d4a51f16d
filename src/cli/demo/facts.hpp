//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_DEMO_FACTS_HPP
#define BACKBEAT_SRC_CLI_DEMO_FACTS_HPP

#include "result.hpp"

#include <boost/json/value.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace backbeat::cli::demo {

// One quantity of the result, for programs and for people.
struct fact {
    std::string key;
    boost::json::value value;
    std::string label;
    std::string shown;
    std::string remark;
};

[[nodiscard]] std::vector<fact> facts_of(result const& happened);

[[nodiscard]] inline double seconds(std::chrono::nanoseconds time) noexcept
{
    return std::chrono::duration<double>(time).count();
}

}  // namespace backbeat::cli::demo

#endif
