//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#ifndef BACKBEAT_DETAIL_PROMETHEUS_WRITER_HPP
#define BACKBEAT_DETAIL_PROMETHEUS_WRITER_HPP

#include <backbeat/detail/counters.hpp>
#include <backbeat/detail/decimal_text.hpp>
#include <backbeat/detail/escaped_text.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace backbeat::detail {

// [a-zA-Z_][a-zA-Z0-9_]*: a label's name, and a metric's, whose colons are for rules and not for programs.
[[nodiscard]] constexpr bool is_prometheus_name(std::string_view name) noexcept
{
    if (name.empty() || (name.front() >= '0' && name.front() <= '9')) return false;
    for (char const c : name)
        if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') && c != '_') return false;
    return true;
}

// Appends `name="value"`.
inline void append_prometheus_label(std::string& out, std::string_view name, std::string_view value)
{
    out.append(name).append("=\"");
    for (char const c : value) {
        if (c == '\\' || c == '"') out += '\\';
        c == '\n' ? out += "\\n" : out += c;
    }
    out += '"';
}

// Writes metrics in version 0.0.4 of the text format (https://prometheus.io/docs/instrumenting/exposition_formats/).
// All have the same prefix and the same constant labels.
class prometheus_writer {
public:
    prometheus_writer(std::string& out, std::string_view prefix, std::string_view constant_labels) noexcept
        : out_(out), prefix_(prefix), constant_labels_(constant_labels)
    {}

    void family(std::string_view name, std::string_view type, std::string_view help)
    {
        name_ = name;
        out_.append("# HELP ").append(prefix_).append("_").append(name).append(" ").append(help);
        out_.append("\n# TYPE ").append(prefix_).append("_").append(name).append(" ").append(type).append("\n");
    }

    void sample(std::integral auto value) { write("", "", "", value); }

    void sample(std::string_view label, std::string_view label_value, std::integral auto value)
    {
        write("", label, label_value, value);
    }

    // `append` appends a bound or a sum, in the unit of the metric.
    template <auto const& bounds, class Append>
    void samples(histogram<bounds> const& values, Append const& append)
    {
        auto const counts = values.cumulative();
        std::string bound;
        for (std::size_t i = 0; i != counts.size(); ++i) {
            bound.clear();
            if (i == bounds.size())
                bound = "+Inf";
            else
                append(bound, bounds[i]);
            write("_bucket", "le", bound, counts[i]);
        }
        begin("_sum", "", "");
        append(out_, values.sum());
        out_ += '\n';
        write("_count", "", "", counts.back());
    }

private:
    void write(std::string_view suffix, std::string_view label, std::string_view label_value, std::integral auto value)
    {
        begin(suffix, label, label_value);
        append_integer(out_, value);
        out_ += '\n';
    }

    void begin(std::string_view suffix, std::string_view label, std::string_view label_value)
    {
        out_.append(prefix_).append("_").append(name_).append(suffix);
        if (!constant_labels_.empty() || !label.empty()) {
            out_.append("{").append(constant_labels_);
            if (!constant_labels_.empty() && !label.empty()) out_ += ',';
            if (!label.empty()) append_prometheus_label(out_, label, label_value);
            out_ += '}';
        }
        out_ += ' ';
    }

    std::string& out_;
    std::string_view prefix_;
    std::string_view constant_labels_;
    std::string_view name_;
};

}  // namespace backbeat::detail

#endif
