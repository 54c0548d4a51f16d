//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_SRC_CLI_RESOURCE_OUTPUT_HPP
#define BACKBEAT_SRC_CLI_RESOURCE_OUTPUT_HPP

#include "output.hpp"
#include "resource_kind.hpp"

#include <boost/json/object.hpp>

#include <span>
#include <string>

namespace backbeat::cli {

// The API's messages as results. In JSON they are what the API has; tables and CSV show what matters of them.

[[nodiscard]] std::string shown_list(boost::json::object list, resource_kind const& kind, output_format format);
[[nodiscard]] std::string shown_record(
    boost::json::object const& one, std::span<column const> columns, output_format format);

}  // namespace backbeat::cli

#endif
