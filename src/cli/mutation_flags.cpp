//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "mutation_flags.hpp"

#include "exit_status.hpp"
#include "option_set.hpp"
#include "option_values.hpp"
#include "text.hpp"

#include <fmt/format.h>

namespace backbeat::cli {

namespace {

memorystore::mutation_mode mode_value(std::string const& text)
{
    if (text == "careful") return memorystore::mutation_mode::careful;
    if (text == "literal") return memorystore::mutation_mode::literal;
    if (text == "never") return memorystore::mutation_mode::never;
    throw usage_error(fmt::format("--mutations '{}': must be careful, literal or never", printable(text)));
}

}  // namespace

void mutation_flags::add_to(option_set& options)
{
    options.section("Repeating the change");
    options.value(
        "--mutations",
        "MODE",
        "When the change is sent again although it may have been carried out: careful, once it was found out that it "
        "was not; literal, always, so that it may be carried out twice; never.",
        "careful",
        [this](std::string const& text) { options_.mode = mode_value(text); });
    options.choices({"careful", "literal", "never"});
    add_duration(
        options,
        "--settle-time",
        options_.settle_time,
        "How long after its answer was lost the change may still be carried out.");
    options.flag(
        "--exclusive",
        options_.exclusive,
        "Says that nobody else changes the resource meanwhile: an operation that appears is this command's own.");
}

}  // namespace backbeat::cli
