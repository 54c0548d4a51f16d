//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "random_sources.hpp"

#include <backbeat/detail/duration_text.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace backbeat::test;
using namespace std::chrono_literals;
using backbeat::detail::duration_text;
using backbeat::detail::parse_duration;
using std::chrono::nanoseconds;

namespace {

constexpr auto longest = (nanoseconds::max)();

}  // namespace

TEST(duration_text, reads_a_decimal_number_and_a_unit)
{
    for (auto const& [text, expected] : std::vector<std::pair<std::string_view, nanoseconds>>{
             {"0s", 0s},
             {"0ns", 0s},
             {"0.0h", 0s},
             {"1ns", 1ns},
             {"1us", 1us},
             {"1ms", 1ms},
             {"1s", 1s},
             {"1m", 1min},
             {"1h", 1h},
             {"250ms", 250ms},
             {"2.5s", 2'500ms},
             {"0.25ms", 250us},
             {"1.5h", 90min},
             {"0.1s", 100ms},
             {"0.3s", 300ms},
             {"0.000000001s", 1ns},
             {"1.000000001s", 1'000'000'001ns},
             {"16777216.000000001s", 16'777'216'000'000'001ns},
             {"64000000001ns", 64'000'000'001ns},
             {"007ms", 7ms},
             {"00.50s", 500ms},
             {"1000000h", 1'000'000h},
             {"2562047h", 2'562'047h}}) {
        auto const parsed = parse_duration(text);
        ASSERT_TRUE(parsed.has_value()) << text;
        EXPECT_EQ(ns(*parsed), ns(expected)) << text;
    }
}

TEST(duration_text, rounds_to_the_nearest_nanosecond)
{
    EXPECT_EQ(ns(parse_duration("0.4ns").value()), 0);
    EXPECT_EQ(ns(parse_duration("0.6ns").value()), 1);
    EXPECT_EQ(ns(parse_duration("1.23456789s").value()), 1'234'567'890);
    EXPECT_EQ(ns(parse_duration("0.12345678949s").value()), 123'456'789);
    EXPECT_EQ(ns(parse_duration("0.0166666666667m").value()), 1'000'000'000);
}

TEST(duration_text, refuses_what_is_not_a_duration)
{
    for (std::string_view const text :
         {"",     " ",      "5",         "0",          "2.5",   "s",     "ms",   "five", "-1s",   "-0s",    "+1s",
          " 1s",  "1s ",    "1 s",       "1\ts",       "1s\n",  "1e3s",  "1E3s", "1e3",  "0x10s", "inf",    "infs",
          "nan",  "nans",   ".",         "..",         "..s",   ".5s",   "5.s",  ".s",   "1..5s", "1.2.3s", "1.5.s",
          "1,5s", "1'000s", "1_000s",    "1S",         "1MS",   "1Ms",   "1H",   "1sec", "1min",  "1d",     "1w",
          "1us2", "1s1",    "1sms",      "1h30m",      "1m30s", "1nss",  "1n",   "1u",   "1mss",  "1%",     "--1s",
          "1-s",  "s1",     "\xC2\xB5s", "1\xC2\xB5s", "1.ms",  "ms1.5", "1.5.", "99999"}) {
        EXPECT_FALSE(parse_duration(text).has_value()) << '"' << text << '"';
    }
    EXPECT_FALSE(parse_duration(std::string_view("1s\0", 3)).has_value());
    EXPECT_FALSE(parse_duration(std::string_view("1\0s", 3)).has_value());
}

TEST(duration_text, reads_up_to_the_longest_duration_and_refuses_more)
{
    EXPECT_EQ(ns(parse_duration("9223372036s").value()), 9'223'372'036'000'000'000);
    EXPECT_EQ(ns(parse_duration("9223372036854ms").value()), 9'223'372'036'854'000'000);
    EXPECT_EQ(ns(parse_duration("153722867m").value()), 9'223'372'020'000'000'000);
    if (std::numeric_limits<long double>::digits >= 64) {
        EXPECT_EQ(ns(parse_duration("9223372036854775807ns").value()), ns(longest));
    }
    for (std::string_view const text :
         {"9223372036854775808ns",
          "9223372037s",
          "9223372036855ms",
          "153722868m",
          "2562048h",
          "99999999999999999999ns",
          "100000000000000000000000000000000000000000000000000000000000s"}) {
        EXPECT_FALSE(parse_duration(text).has_value()) << text;
    }
    EXPECT_FALSE(parse_duration(std::string(10'000, '9') + "ns").has_value());
}

TEST(duration_text, reads_a_number_of_any_length)
{
    EXPECT_EQ(ns(parse_duration(std::string(10'000, '0') + "1s").value()), ns(1s));
    EXPECT_EQ(ns(parse_duration("1." + std::string(10'000, '0') + "s").value()), ns(1s));
    EXPECT_EQ(ns(parse_duration("1." + std::string(10'000, '0') + "5s").value()), ns(1s));
    EXPECT_EQ(ns(parse_duration("0." + std::string(10'000, '3') + "h").value()), ns(20min));
    EXPECT_FALSE(parse_duration("1." + std::string(10'000, '0') + ".5s").has_value());
}

TEST(duration_text, prints_the_unit_that_fits_and_four_digits)
{
    for (auto const& [value, expected] : std::vector<std::pair<nanoseconds, std::string_view>>{
             {0ns, "0s"},
             {1ns, "1ns"},
             {999ns, "999ns"},
             {1us, "1us"},
             {1'500ns, "1.5us"},
             {1'234'567ns, "1.235ms"},
             {250ms, "250ms"},
             {999'940ns, "999.9us"},
             {999'949ns, "999.9us"},
             {999'950ns, "1ms"},
             {999'960ns, "1ms"},
             {999'949'999ns, "999.9ms"},
             {999'950'000ns, "1s"},
             {1s, "1s"},
             {1'427ms, "1.427s"},
             {1'424'400us, "1.424s"},
             {64s, "64s"},
             {64'400ms, "64.4s"},
             {150s, "150s"},
             {1h, "3600s"},
             {3'600'400ms, "3600s"},
             {9'999s, "9999s"},
             {10'000s, "10000s"},
             {12'345'678ms, "12345.678s"},
             {1'000'000h, "3600000000s"},
             {longest, "9223372036.85s"},
             {-1ns, "-1ns"},
             {-1'500ms, "-1.5s"},
             {(nanoseconds::min)(), "-9223372036.85s"}})
        EXPECT_EQ(duration_text(value), expected) << ns(value);
}

TEST(duration_text, never_prints_an_exponent)
{
    for (auto const value :
         {9'999'400ms, 9'999'499ms, 9'999'500ms, 9'999'501ms, 9'999'600ms, 9'999'999ms, 10'000'000ms, 10'000'001ms})
        EXPECT_EQ(duration_text(value).find('e'), std::string::npos) << ns(value) << " is " << duration_text(value);
    EXPECT_EQ(duration_text(9'999'400ms), "9999s");
}

TEST(duration_text, reads_back_what_it_prints)
{
    std::vector<nanoseconds> exact{0ns, 64s, 10'000s, 1h, 24h, 1'000'000h};
    for (auto const unit : {nanoseconds(1ns), nanoseconds(1us), nanoseconds(1ms), nanoseconds(1s)})
        for (int n = 1; n != 1'000; ++n) exact.push_back(n * unit);
    for (auto const tenth : {nanoseconds(100ns), nanoseconds(100us), nanoseconds(100ms)})
        for (int n = 1; n != 10'000; ++n) exact.push_back(n * tenth);
    for (auto const value : exact) {
        auto const text = duration_text(value);
        auto const back = parse_duration(text);
        ASSERT_TRUE(back.has_value()) << ns(value) << " is " << text;
        ASSERT_EQ(ns(*back), ns(value)) << text;
    }

    std::mt19937_64 random(1);
    for (int i = 0; i != 100'000; ++i) {
        nanoseconds const value(static_cast<std::int64_t>(random() >> (1 + random() % 63)));
        auto const text = duration_text(value);
        auto const back = parse_duration(text);
        ASSERT_TRUE(back.has_value()) << ns(value) << " is " << text;
        ASSERT_NEAR(
            static_cast<double>(ns(*back)), static_cast<double>(ns(value)), 0.0005 * static_cast<double>(ns(value)))
            << text;
        ASSERT_EQ(duration_text(*back), text);
    }
}

TEST(duration_text, its_grammar_says_what_it_accepts)
{
    std::string_view const grammar = backbeat::detail::duration_syntax;
    for (std::string_view const example : {"250ms", "2.5s"}) {
        EXPECT_NE(grammar.find(example), std::string_view::npos) << example;
        EXPECT_TRUE(parse_duration(example).has_value()) << example;
    }
    for (std::string_view const unit : {"ns", "us", "ms", "s", "m", "h"}) {
        EXPECT_NE(grammar.find(' ' + std::string(unit) + ','), std::string_view::npos) << unit;
        EXPECT_TRUE(parse_duration('3' + std::string(unit)).has_value()) << unit;
    }
}
