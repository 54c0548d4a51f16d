//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

// The fields of a 503, a line each: the first is its `Date`, the others are values of `Retry-After`.

#include "require.hpp"

#include <backbeat/http/classifier.hpp>
#include <backbeat/http/message.hpp>
#include <backbeat/http/retry_after.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace {

using backbeat::fuzz::require;
namespace http = backbeat::http;
using time_point = std::chrono::system_clock::time_point;
using hint = std::optional<std::chrono::nanoseconds>;

hint read(std::string_view value, time_point now)
{
    auto const result = http::retry_after(value, now);
    require(!result || result->count() >= 0, "a wait is never negative");
    require(http::retry_after("\t" + std::string(value) + " ", now) == result, "blanks around a value do not matter");
    auto const merged = http::retry_after("2, " + std::string(value), now);
    require(merged >= std::chrono::seconds(2) && merged >= result, "of merged fields the largest counts");
    return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    std::string_view rest(reinterpret_cast<char const*>(data), size);
    auto const date = backbeat::fuzz::take_until(rest, "\n");
    auto const there = http::detail::date_of(date, time_point());

    http::response response;
    response.result(503);
    response.insert(http::field::date, date);
    hint largest;
    while (!rest.empty()) {
        auto const value = backbeat::fuzz::take_until(rest, "\n");
        response.insert(http::field::retry_after, value);
        read(value, value.size() % 2 == 0 ? (time_point::min)() : (time_point::max)());
        largest = (std::max)(largest, read(value, there.value_or(time_point())));
        response.insert("retry-after-ms", value);
        largest = (std::max)(largest, http::retry_after_ms(value));
    }
    auto const judged = http::classifier{}(response).hint;
    // Without a valid date it is measured against the time that it is; a year of two digits depends on that, too.
    auto const independent = there && date.find('-') == date.npos;
    require(!independent || judged == largest, "the classifier takes the largest hint, by the server's clock");
    return 0;
}
