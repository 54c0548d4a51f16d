//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_METRICS_OPTIONS_HPP
#define BACKBEAT_METRICS_OPTIONS_HPP

#include <backbeat/config.hpp>

#include <string_view>
#include <vector>

namespace backbeat {

/// A label with its value, such as `{"client", "memorystore"}`.
struct metric_label {
    /**
     * \brief Letters, digits and underscores.
     * \details
     * Invalid: a digit at first, two underscores at first, a name twice, and `le`, `reason`, `outcome`, `result` and
     * `origin`, which metrics have themselves.
     */
    std::string_view name{};

    /// Any text in UTF-8. It is escaped as it must be.
    std::string_view value{};
};

/**
 * \brief How metrics are named.
 * \details
 * \code
 * {.prefix = "memorystore", .labels = {{"region", "europe-west1"}, {"client", "batch"}}}
 * \endcode
 */
struct metrics_options {
    /**
     * \brief What all names begin with; an underscore follows.
     * \details
     * Default: `backbeat`. Letters, digits and underscores. Invalid: empty, a digit at first, and colons, which are
     * reserved for recording rules.
     */
    std::string_view prefix = "backbeat";

    /// Labels that all metrics have, to tell several objects apart that are scraped together. Default: none.
    std::vector<metric_label> labels{};
};

}  // namespace backbeat

#endif
