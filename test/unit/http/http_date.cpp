//
// Copyright (c) 2026 The Backbeat authors
//
// Distributed under the Boost Software License, Version 1.0. (See accompanying file LICENSE or copy at
// https://www.boost.org/LICENSE_1_0.txt)
//

#include "http_date.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <ostream>
#include <string>
#include <string_view>

namespace {

using backbeat::http::detail::parse_http_date;
using std::chrono::sys_seconds;

// A sanitizer takes ten times as long, and what it looks for does not hide in one second of a minute.
#ifdef BACKBEAT_SAMPLE_DATES
constexpr int step = 61;
#else
constexpr int step = 1;
#endif

// Writes the dates of one day. Independent of what reads them: it counts, and knows only where it starts.
class writer {
public:
    // A day of the week from Sunday = 0; a month from 0.
    void write_day(int weekday, int day, int month, int year)
    {
        static constexpr std::array<std::string_view, 7> days{
            "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
        static constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
        auto const name = days[static_cast<std::size_t>(weekday)];
        auto const short_name = std::string(name.substr(0, 3));
        auto const month_name = std::string(months.substr(static_cast<std::size_t>(month) * 3, 3));
        auto const padded = std::string(day < 10 ? " " : "") + std::to_string(day);
        imf = short_name + ", " + two(day) + " " + month_name + " " + std::to_string(year) + " hh:mm:ss GMT";
        rfc850 = std::string(name) + ", " + two(day) + "-" + month_name + "-" + two(year % 100) + " hh:mm:ss GMT";
        asctime = short_name + " " + month_name + " " + padded + " hh:mm:ss " + std::to_string(year);
    }

    void write_time(int second_of_day)
    {
        auto const hour = second_of_day / 3600;
        auto const minute = second_of_day / 60 % 60;
        auto const second = second_of_day % 60;
        std::array<char, 8> const text{
            digit(hour / 10),
            digit(hour),
            ':',
            digit(minute / 10),
            digit(minute),
            ':',
            digit(second / 10),
            digit(second)};
        imf.replace(17, 8, text.data(), 8);
        rfc850.replace(rfc850.size() - 12, 8, text.data(), 8);
        asctime.replace(11, 8, text.data(), 8);
    }

    std::string imf;
    std::string rfc850;
    std::string asctime;

private:
    static char digit(int number) { return static_cast<char>('0' + number % 10); }
    static std::string two(int number) { return {digit(number / 10), digit(number)}; }
};

struct year_case {
    int year;
    long long start;  // of its first second, since 1970
    int weekday;  // of its first day
    bool leap;

    friend void PrintTo(year_case const& each, std::ostream* out) { *out << each.year; }
};

class http_date : public testing::TestWithParam<year_case> {};

// The first failure ends it: there would be millions.
TEST_P(http_date, of_every_second_of_a_year_is_read_in_all_three_forms)
{
    auto const& [year, start, first_weekday, leap] = GetParam();
    std::array<int, 12> const lengths{31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    writer text;
    sys_seconds midnight{std::chrono::seconds(start)};
    int weekday = first_weekday;
    for (int month = 0; month != 12; ++month)
        for (int day = 1; day <= lengths[static_cast<std::size_t>(month)]; ++day) {
            text.write_day(weekday, day, month, year);
            weekday = (weekday + 1) % 7;
            for (int second = 0; second < 24 * 60 * 60; second += step) {
                auto const time = midnight + std::chrono::seconds(second);
                text.write_time(second);
                for (auto const* each : {&text.imf, &text.rfc850, &text.asctime})
                    if (parse_http_date(*each, time) != time) FAIL() << *each;
            }
            midnight += std::chrono::hours(24);
        }
    EXPECT_EQ(midnight.time_since_epoch().count(), start + (leap ? 366 : 365) * 86400);
}

INSTANTIATE_TEST_SUITE_P(
    years,
    http_date,
    testing::Values(year_case{1969, -31536000, 3, false}, year_case{2000, 946684800, 6, true}),
    [](auto const& each) { return std::to_string(each.param.year); });

}  // namespace
