//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_METRIC_NAMES_HPP
#define BACKBEAT_DETAIL_METRIC_NAMES_HPP

#include <backbeat/detail/escaped_text.hpp>
#include <backbeat/detail/prometheus_writer.hpp>
#include <backbeat/detail/utf8.hpp>
#include <backbeat/metrics_options.hpp>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace backbeat::detail {

[[nodiscard]] inline std::string in_quotes(std::string_view text)
{
    std::string result = "'";
    append_printable(result, text, 100);
    return result += '\'';
}

[[nodiscard]] inline std::string checked_prefix(std::string_view prefix)
{
    if (is_prometheus_name(prefix)) return std::string(prefix);
    throw std::invalid_argument(
        "the prefix " + in_quotes(prefix)
        + " of retry_metrics cannot begin the name of a metric; it must be letters, digits and underscores, and not "
          "begin with a digit, like 'backbeat' (colons are reserved for recording rules)");
}

inline void check_label(metric_label const& label)
{
    auto const refuse = [&](char const* why) {
        throw std::invalid_argument("the label " + in_quotes(label.name) + " of retry_metrics " + why);
    };
    constexpr std::string_view taken[] = {"le", "reason", "outcome", "result", "origin"};
    if (!is_prometheus_name(label.name))
        refuse("has no valid name; it must be letters, digits and underscores, and not begin with a digit");
    if (label.name.substr(0, 2) == "__")
        refuse("begins with two underscores, which is reserved for Prometheus itself; begin it with a letter");
    if (std::find(std::begin(taken), std::end(taken), label.name) != std::end(taken))
        refuse("has a name that metrics of it use themselves; choose another name");
    if (!is_utf8(label.value)) refuse("has a value that is not UTF-8; it must be");
}

// The labels as they are written, without braces.
[[nodiscard]] inline std::string checked_labels(std::vector<metric_label> const& labels)
{
    std::string result;
    for (auto const& label : labels) {
        check_label(label);
        auto const same = [&](metric_label const& other) { return other.name == label.name; };
        if (std::count_if(labels.begin(), labels.end(), same) > 1)
            throw std::invalid_argument(
                "the label " + in_quotes(label.name) + " of retry_metrics is there more than once; give it one value");
        if (!result.empty()) result += ',';
        append_prometheus_label(result, label.name, label.value);
    }
    return result;
}

}  // namespace backbeat::detail

#endif
