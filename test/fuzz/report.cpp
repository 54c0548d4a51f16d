//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// Eight bytes of numbers, and then the message of an error.

#include "require.hpp"

#include <backbeat/report_json.hpp>
#include <backbeat/report_line.hpp>
#include <backbeat/report_lines.hpp>
#include <backbeat/retry_report.hpp>

#include <boost/json/parse.hpp>
#include <boost/system/error_category.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

namespace {

using backbeat::fuzz::require;

struct chatty_category final : boost::system::error_category {
    explicit chatty_category(std::string message) : text(std::move(message)) {}
    [[nodiscard]] char const* name() const noexcept override { return text.c_str(); }
    [[nodiscard]] std::string message(int /*value*/) const override { return text; }
    std::string text;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    std::array<std::uint8_t, 8> numbers{};
    if (size < numbers.size()) return 0;
    std::copy_n(data, numbers.size(), numbers.begin());
    chatty_category const category({reinterpret_cast<char const*>(data) + 8, size - 8});
    boost::system::error_code const error(numbers[0], category);

    // Short waits and the longest that there are.
    auto const time = [](std::uint8_t byte) { return std::chrono::nanoseconds(INT64_MAX >> (byte % 64)); };
    backbeat::retry_report report;
    for (std::uint32_t i = 1; i <= numbers[1] % 32; ++i) {
        report.add_attempt(
            {.number = i,
             .start = time(numbers[2]),
             .duration = time(numbers[3]),
             .error = i % 2 == 0 ? boost::system::error_code() : error,
             .status = numbers[4] % 2 * numbers[5],
             .judged = backbeat::verdict_kind::retry,
             .hint = time(numbers[6])});
        report.add_wait(time(numbers[6]), backbeat::wait_origin::hint);
    }
    auto const reason = static_cast<backbeat::stop_reason>(numbers[7] % 12);
    if (numbers[7] < 200) report.finish(reason, error, time(numbers[5]));

    auto const line = backbeat::report_line(report);
    require(backbeat::fuzz::is_one_line(line), "report_line has no line break");
    require(line.size() <= 1536, "report_line is never longer than 1.5 KiB");
    boost::system::error_code problem;
    auto const json = boost::json::parse(backbeat::report_json(report), problem);
    require(!problem && json.is_object(), "report_json is an object of JSON");
    std::ostringstream lines;
    lines << report;
    require(!lines.str().empty(), "a report prints itself");
    return 0;
}
