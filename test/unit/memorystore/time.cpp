//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include <backbeat/memorystore/duration.hpp>
#include <backbeat/memorystore/timestamp.hpp>

#include <gtest/gtest.h>

namespace {

using backbeat::memorystore::duration;
using backbeat::memorystore::timestamp;
using namespace std::chrono_literals;

std::string again(std::string_view text)
{
    auto const read = timestamp::parse(text);
    return read ? read->to_string() : "none";
}

std::string span_again(std::string_view text)
{
    auto const read = duration::parse(text);
    return read ? read->to_string() : "none";
}

}  // namespace

TEST(Timestamp, IsReadAndWritten)
{
    EXPECT_EQ(again("1970-01-01T00:00:00Z"), "1970-01-01T00:00:00Z");
    EXPECT_EQ(again("2026-08-22T10:11:12Z"), "2026-08-22T10:11:12Z");
    EXPECT_EQ(again("2026-08-22t10:11:12z"), "2026-08-22T10:11:12Z");
    EXPECT_EQ(again("2026-08-22T10:11:12.5Z"), "2026-08-22T10:11:12.500Z");
    EXPECT_EQ(again("2026-08-22T10:11:12.000001Z"), "2026-08-22T10:11:12.000001Z");
    EXPECT_EQ(again("2026-08-22T10:11:12.123456789Z"), "2026-08-22T10:11:12.123456789Z");
    EXPECT_EQ(again("2026-08-22T10:11:12.100000000Z"), "2026-08-22T10:11:12.100Z");
    EXPECT_EQ(again("2024-02-29T23:59:59Z"), "2024-02-29T23:59:59Z");
    EXPECT_EQ(again("1969-12-31T23:59:59.25Z"), "1969-12-31T23:59:59.250Z");
    EXPECT_EQ(again("0001-01-01T00:00:00Z"), "0001-01-01T00:00:00Z");
    EXPECT_EQ(again("9999-12-31T23:59:59.999999999Z"), "9999-12-31T23:59:59.999999999Z");
}

TEST(Timestamp, OffsetsAreTakenAway)
{
    EXPECT_EQ(again("2026-08-22T12:11:12+02:00"), "2026-08-22T10:11:12Z");
    EXPECT_EQ(again("2026-08-22T00:11:12-10:30"), "2026-08-22T10:41:12Z");
    EXPECT_EQ(again("2026-01-01T00:30:00+01:00"), "2025-12-31T23:30:00Z");
}

TEST(Timestamp, WhatIsNone)
{
    for (auto const* text :
         {"",
          "now",
          "2026-08-22",
          "2026-08-22T10:11:12",
          "2026-08-22T10:11Z",
          "2026-8-22T10:11:12Z",
          "2026-13-22T10:11:12Z",
          "2026-02-29T10:11:12Z",
          "2026-08-32T10:11:12Z",
          "2026-08-22T24:11:12Z",
          "2026-08-22T10:60:12Z",
          "2026-08-22T10:11:60Z",
          "2026-08-22T10:11:12.Z",
          "2026-08-22T10:11:12.1234567890Z",
          "2026-08-22T10:11:12+2:00",
          "2026-08-22T10:11:12+24:00",
          "2026-08-22T10:11:12Z ",
          "-026-08-22T10:11:12Z",
          "0000-01-01T00:00:00Z",
          "0001-01-01T00:00:00+01:00",
          "9999-12-31T23:59:59-01:00",
          "99999-12-31T23:59:59Z"})
        EXPECT_EQ(again(text), "none") << text;
}

TEST(Timestamp, TimePoints)
{
    auto const time = std::chrono::system_clock::time_point(1'700'000'000s + 123456789ns);
    EXPECT_EQ(timestamp(time).to_string(), "2023-11-14T22:13:20.123456789Z");
    EXPECT_EQ(timestamp(time).time_point(), time);
    auto const before = std::chrono::system_clock::time_point(-1ns);
    EXPECT_EQ(timestamp(before).to_string(), "1969-12-31T23:59:59.999999999Z");
    EXPECT_EQ(timestamp(before).time_point(), before);
    EXPECT_LT(timestamp(before), timestamp(time));
    // Beyond what a time point can hold.
    EXPECT_GT(timestamp::parse("9999-12-31T23:59:59Z")->time_point(), time);
    EXPECT_LT(timestamp::parse("0001-01-01T00:00:00Z")->time_point(), before);
}

TEST(Duration, IsReadAndWritten)
{
    EXPECT_EQ(span_again("0s"), "0s");
    EXPECT_EQ(span_again("3600s"), "3600s");
    EXPECT_EQ(span_again("2.5s"), "2.500s");
    EXPECT_EQ(span_again("0.000000001s"), "0.000000001s");
    EXPECT_EQ(span_again("-0.5s"), "-0.500s");
    EXPECT_EQ(span_again("-1.000001s"), "-1.000001s");
    EXPECT_EQ(span_again("315576000000s"), "315576000000s");
    EXPECT_EQ(span_again("-315576000000s"), "-315576000000s");
}

TEST(Duration, WhatIsNone)
{
    for (auto const* text :
         {"",
          "s",
          "5",
          "5 s",
          ".5s",
          "5.s",
          "+5s",
          "--5s",
          "5ms",
          "1e3s",
          "0.0000000001s",
          "315576000001s",
          "315576000000.1s",
          "99999999999999999999s",
          "5ss"})
        EXPECT_EQ(span_again(text), "none") << text;
}

TEST(Duration, Spans)
{
    EXPECT_EQ(duration::parse("2.5s")->span(), 2500ms);
    EXPECT_EQ(duration::parse("-2.5s")->span(), -2500ms);
    EXPECT_EQ(duration(-1ns).to_string(), "-0.000000001s");
    EXPECT_EQ(duration(90min).to_string(), "5400s");
    // Beyond what nanoseconds can hold.
    EXPECT_EQ(duration::parse("315576000000s")->span(), (std::chrono::nanoseconds::max)());
    EXPECT_EQ(duration::parse("-315576000000s")->span(), (std::chrono::nanoseconds::min)());
}
