//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_JSON_TEXT_HPP
#define BACKBEAT_SRC_CLI_JSON_TEXT_HPP

#include <boost/json/object.hpp>

#include <string>

namespace backbeat::cli {

// The object with a member a line, indented, and a line end. Boost.JSON writes everything on one line.
[[nodiscard]] std::string json_text(boost::json::object const& object);

}  // namespace backbeat::cli

#endif
